"""drawbridge in the cluster: replicas, the Service in front of them, and its registration."""
import json, os, re, select, shutil, signal, socket, subprocess, tempfile, time, urllib.request

import api
from balancer import Balancer
from cluster import die_with_parent

NAMESPACE = "drawbridge-system"
NAME = "drawbridge"
START_SECONDS = 20
END_SECONDS = 40      # longer than serve waits for requests under way
SETTLE_SECONDS = 90  # a new API server under load has been seen to take more than 20

REGISTRATION = {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration", "metadata": {"name": NAME}}
REPLICA_OPTIONS = ["--kubernetes-version", "1.35", "--shutdown-delay", "0"]
DRAIN = ["--shutdown-delay", "2"]  # where calls go on while a replica ends: time for the balancer to see it


class Replica:
    """One `drawbridge serve`."""

    def __init__(self, build, *options):
        self.log = tempfile.TemporaryFile("w+")
        command = [os.path.join(build, "drawbridge"), "serve", "--listen", "127.0.0.1:0", "--status-listen", "127.0.0.1:0", *options]
        self.program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, text=True, preexec_fn=die_with_parent)
        line = self.program.stdout.readline() if select.select([self.program.stdout], [], [], START_SECONDS)[0] else ""
        ready = re.search(r"https=127\.0\.0\.1:(\d+) status=127\.0\.0\.1:(\d+)", line)
        if not ready:
            self.program.kill()
            self.program.wait()
            raise RuntimeError("drawbridge serve: " + self.said())
        self.port, self.status_port = int(ready.group(1)), int(ready.group(2))

    def said(self):
        self.log.seek(0)
        return self.log.read()

    def metrics(self):
        """{(name without drawbridge_, frozenset of (label, value)): number}"""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.status_port}/metrics", timeout=10) as answer:
            text = answer.read().decode()
        found = re.findall(r"^drawbridge_(\w+)(?:\{(.*)\})? (\S+)$", text, re.M)
        return {(name, frozenset(re.findall(r'(\w+)="([^"]*)"', labels))): float(number) for name, labels, number in found}

    def stop(self):
        """SIGTERM; the exit status, or None where it had to be killed."""
        if self.program.poll() is None:
            self.program.send_signal(signal.SIGTERM)
        try:
            return self.program.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.program.kill()
            self.program.wait()
            return None


class Mount:
    """A folder as kubelet mounts a Secret or ConfigMap: its files are links into another folder, which is exchanged as a whole."""

    def __init__(self, folder):
        self.folder, self.version = folder, 0
        os.mkdir(folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, files):
        """These are its files from now on: {name: bytes}."""
        old = f"..v{self.version}"
        self.version += 1
        new = f"..v{self.version}"
        os.mkdir(self.path(new))
        for name, data in files.items():
            with open(os.path.join(self.path(new), name), "wb") as file:
                file.write(data)
            if not os.path.lexists(self.path(name)):
                os.symlink(os.path.join("..data", name), self.path(name))
        os.symlink(new, self.path("..tmp"))
        os.rename(self.path("..tmp"), self.path("..data"))
        shutil.rmtree(self.path(old), ignore_errors=True)


class Authority:
    """A folder with a CA and a serving certificate for the Service, by `drawbridge certs`; `publish` mounts the certificate for the replicas."""

    manifests = []  # options of `drawbridge manifests`

    def __init__(self, build):
        self.build = build
        self.kept = tempfile.TemporaryDirectory(prefix="drawbridge-e2e-")
        self.folder = os.path.join(self.kept.name, "certs")
        self.mount = Mount(os.path.join(self.kept.name, "tls"))
        self.issue()
        self.publish()

    def certs(self, command, *options):
        subprocess.run([os.path.join(self.build, "drawbridge"), "certs", command, "--dir", self.folder, *options], check=True, stdout=subprocess.DEVNULL)

    def issue(self):
        """A new serving certificate, not mounted yet; the CA is made with the first one."""
        if not os.path.exists(os.path.join(self.folder, "ca.crt")):
            self.certs("init")
        self.certs("issue", "--service", f"{NAME}.{NAMESPACE}", "--force")

    def publish(self):
        self.mount.write({name: self.read(name) for name in ("tls.crt", "tls.key")})

    def read(self, name):
        with open(os.path.join(self.folder, name), "rb") as file:
            return file.read()

    def write(self, name, data):
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(data)

    def options(self):
        return ["--cert", self.mount.path("tls.crt"), "--key", self.mount.path("tls.key")]


class OwnAuthority(Authority):
    """A CA for the Service's names only, mounted for replicas that issue their own certificates."""

    manifests = ["--own-ca"]

    def issue(self):
        self.certs("init", "--service", f"{NAME}.{NAMESPACE}", "--force")

    def publish(self):
        self.mount.write({"tls.crt": self.read("ca.crt"), "tls.key": self.read("ca.key")})

    def options(self):
        return ["--ca-dir", self.mount.folder, "--service", f"{NAME}.{NAMESPACE}"]


class Webhook:
    """Replicas behind the Service that `drawbridge manifests` prints, on its own address."""

    def __init__(self, build, cluster, authority):
        self.build, self.cluster, self.client = build, cluster, cluster.client
        self.authority = authority(build)
        self.config = Mount(os.path.join(self.authority.kept.name, "config"))
        self.replicas = []
        self.settled = 0
        self.port = 443 if may_listen(443) else 8443
        self.apply(self.manifests(*self.authority.manifests))
        self.unregister()
        address = self.client.get({"apiVersion": "v1", "kind": "Service", "metadata": {"name": NAME, "namespace": NAMESPACE}}).body["spec"]["clusterIP"]
        self.balancer = Balancer(address, self.port)

    def manifests(self, *options):
        """What `drawbridge manifests` prints with the certificates in use. Who may not listen on port 443 gets another one in its place."""
        text = subprocess.run([os.path.join(self.build, "drawbridge"), "manifests", "--certs", self.authority.folder, *options], check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        return re.sub(r"\bport: 443$", f"port: {self.port}", text, flags=re.M)

    def apply(self, text):
        status, _, errors = self.cluster.kubectl("apply", "-f", "-", stdin=text)
        if status:
            raise RuntimeError(errors)

    # ---- replicas ----

    def start(self, *options, replicas=1, configuration=None):
        """Replicas with these options, in the place of those that run. `configuration` is what stands in --config's file, but for its head."""
        self.stop()
        if configuration is not None:
            self.configure(configuration)
            options += ("--config", self.config.path("config.yaml"))
        for _ in range(replicas):
            self.add(*options)

    def add(self, *options):
        replica = Replica(self.build, *self.authority.options(), *REPLICA_OPTIONS, *options)
        self.replicas.append(replica)
        self.follow()
        return replica

    def configure(self, configuration):
        """What the ConfigMap holds from now on."""
        head = {"apiVersion": "drawbridge.dev/v1alpha1", "kind": "Configuration"}
        self.config.write({"config.yaml": json.dumps({**head, **configuration}).encode()})

    def remove(self, replica):
        """As a Deployment does: SIGTERM; the balancer finds out by /readyz. Returns the exit status."""
        status = replica.stop()
        self.replicas.remove(replica)
        self.follow()
        return status

    def stop(self):
        for replica in list(self.replicas):
            self.remove(replica)

    def follow(self):
        self.balancer.replace([(one.port, one.status_port) for one in self.replicas])

    def reviews(self, **labels):
        """How many reviews the replicas that run have counted with these labels."""
        total = 0
        for replica in self.replicas:
            for (name, have), number in replica.metrics().items():
                if name == "reviews_total" and set(labels.items()) <= have:
                    total += number
        return int(total)

    # ---- registration ----

    def register(self, failure_policy="Ignore", controllers=False, change=None):
        """Applies the registration that `drawbridge manifests` prints, and waits until the API server goes by it. `change` alters each entry first."""
        text = self.manifests("--only", "webhook", "--failure-policy", failure_policy, *(["--controllers"] if controllers else []))
        self.apply(text)
        if change:
            stored = require(self.client.get(REGISTRATION)).body
            for entry in stored["webhooks"]:
                change(entry)
            require(self.client.update(stored))
        self.settle()

    def unregister(self):
        self.client.delete(REGISTRATION)
        self.settle()

    def settle(self):
        """Waits until the API server has seen all that was registered so far. It sees changes in their order: once a webhook that fails fails, it
        has seen what came before it."""
        self.settled += 1
        mark = f"n{self.settled}"
        require(self.client.apply({
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration", "metadata": {"name": "settle"},
            "webhooks": [{"name": mark + ".settle.invalid", "admissionReviewVersions": ["v1"], "sideEffects": "None", "timeoutSeconds": 1,
                          "clientConfig": {"url": "https://127.0.0.1:1/"}, "objectSelector": {"matchLabels": {"settle": mark}},
                          "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"]}]}]}))
        probe = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settle", "namespace": "default", "labels": {"settle": mark}}}
        end = time.monotonic() + SETTLE_SECONDS
        while mark + ".settle.invalid" not in self.client.create(probe, dry_run=True).message:
            if time.monotonic() > end:
                raise RuntimeError(f"the API server has not seen the registration after {SETTLE_SECONDS} s")
            time.sleep(0.02)

    def close(self):
        self.stop()
        self.balancer.close()
        self.authority.kept.cleanup()


def may_listen(port):
    try:
        socket.create_server(("127.77.0.255", port)).close()  # no Service has this address
    except PermissionError:
        return False
    return True


def require(answer):
    """What a test cannot do without."""
    if not answer.good:
        raise RuntimeError(str(answer))
    return answer
