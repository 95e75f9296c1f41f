"""The servers that are measured, all on processor 0 alone, and the load on processor 1."""
import json, os, re, shutil, subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
SERVER_CPU, LOAD_CPU = "0", "1"


class Peer:
    """A server of its own process. Ends with the `with` block."""

    def __init__(self, name, command, env=None):
        self.name, self.command, self.env = name, command, dict(os.environ, **(env or {}))

    def __enter__(self):
        self.process = subprocess.Popen(["taskset", "-c", SERVER_CPU] + self.command, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"https=([0-9.:]+)", line)
        if not found:
            self.process.kill()
            raise SystemExit(f"{self.name} did not start: {line!r}")
        self.address = found.group(1)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(30)


class Bench:
    """What was built, and how to load it."""

    def __init__(self, build):
        self.build, self.folder = build, os.path.join(build, "bench")
        self.tls = os.path.join(self.folder, "tls")
        os.makedirs(self.tls, exist_ok=True)
        certs = os.path.join(build, "drawbridge-certs")
        for command in (["init", "--name", "bench"], ["issue", "--service", "drawbridge.drawbridge-system", "--host", "localhost", "--ip", "127.0.0.1"]):
            subprocess.run([certs, command[0], "--dir", self.tls, "--force"] + command[1:], check=True, stdout=subprocess.DEVNULL)
        self.pair = [os.path.join(self.tls, "tls.crt"), os.path.join(self.tls, "tls.key")]

    def drawbridge(self):
        return Peer("drawbridge", [os.path.join(self.build, "drawbridge-serve"), "--listen", "127.0.0.1:0", "--status-listen", "127.0.0.1:0", "--cert", self.pair[0],
                                   "--key", self.pair[1], "--kubernetes-version", "1.35", "--shutdown-delay", "0"])

    def echo(self):
        return Peer("echo", [os.path.join(self.folder, "echo")] + self.pair)

    def go(self):
        """None, and why, where it cannot be built."""
        program = os.path.join(self.folder, "go-webhook")
        if not shutil.which("go"):
            return None, "there is no Go here"
        built = subprocess.run(["go", "build", "-o", program, "."], cwd=os.path.join(HERE, "go"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if built.returncode:
            return None, "go build failed: " + (built.stdout.strip().splitlines() or ["?"])[-1]
        return Peer("go", [program, "-cert", self.pair[0], "-key", self.pair[1]], {"GOMAXPROCS": "1"}), None

    def go_cel(self):
        """The program that measures Kubernetes' own compiler of selectors; None where it cannot be built."""
        program, folder = os.path.join(self.folder, "go-cel"), os.path.join(HERE, "..", "conformance", "oracle")
        built = shutil.which("go") and subprocess.run(["go", "build", "-o", program, "./cel"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return program if built and not built.returncode else None

    def load(self, peer, classes, seconds, *options, warmup=0.3):
        """One run of the load generator; `classes` are its arguments."""
        command = ["taskset", "-c", LOAD_CPU, os.path.join(self.folder, "load"), "--connect", peer.address, "--ca", os.path.join(self.tls, "ca.crt"),
                   "--pid", str(peer.process.pid), "--seconds", str(seconds), "--warmup", str(warmup), *map(str, options), *classes]
        return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
