#!/usr/bin/env python3
"""A control plane of two processes on loopback: etcd and kube-apiserver.

    cluster.py BUILD [COMMAND...]

starts both, runs COMMAND with KUBECONFIG and PATH set, ends both, and exits with COMMAND's status. Without a command it is a shell, in which
`kubectl` asks the API server. Needs what `make e2e` builds and installs. A test uses `with Cluster(BUILD) as cluster`.
"""
import ctypes, json, os, shutil, signal, socket, subprocess, sys, tempfile, time

import api

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(os.path.dirname(os.path.dirname(HERE)), "build-e2e", "bin")
START_SECONDS = 120
END_SECONDS = 20
KUBECTL_SECONDS = 60

# Services get addresses of loopback, so that the API server can call a webhook by its Service, with a listener of ours in kube-proxy's place.
SERVICE_RANGE = "127.77.0.0/24"

# As in the conformance cases: every device gate on that exists, every version served.
GATES = ["DRAConsumableCapacity", "DRADeviceBindingConditions", "DRADeviceTaintRules", "DRADeviceTaints", "DRAExtendedResource", "DRAPartitionableDevices"]
SERVED = ["resource.k8s.io/v1beta1", "resource.k8s.io/v1beta2", "resource.k8s.io/v1alpha3", "storage.k8s.io/v1beta1"]

# Everybody may do everything: who may is not what is tested. Each token is the user's short name.
USERS = {
    "admin": ("admin", ["system:masters"]),
    "person": ("alice", []),
    "node": ("system:node:node-1", ["system:nodes"]),
    "scheduler": ("system:kube-scheduler", []),
    "controllers": ("system:kube-controller-manager", []),
    "system-account": ("system:serviceaccount:kube-system:attacher", ["system:serviceaccounts", "system:serviceaccounts:kube-system"]),
    "account": ("system:serviceaccount:team-a:operator", ["system:serviceaccounts", "system:serviceaccounts:team-a"]),
}

# Annotations and objects; only of what the tests look for.
AUDIT_POLICY = {
    "apiVersion": "audit.k8s.io/v1", "kind": "Policy", "omitStages": ["RequestReceived"],
    "rules": [{"level": "RequestResponse", "verbs": ["create", "update", "patch", "delete"], "resources": [{"group": "storage.k8s.io"}, {"group": "resource.k8s.io"}]}, {"level": "None"}],
}


def die_with_parent():
    """In a child before its program: nothing outlives a test that was killed. (Nor the thread that started it, so that is the main one.)"""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    """Starts at once and ends with its `with`."""

    def __init__(self, build):
        self.folder = tempfile.mkdtemp(prefix="drawbridge-e2e-")
        self.programs = []
        try:
            self.client_port, peer_port, self.port = free_ports(3)
            self.make_files(build)
            self.client = api.Client(self.port, self.path("ca.crt"))
            self.start("etcd", "--name", "one", "--data-dir", self.path("etcd"), "--log-level", "error",
                       "--listen-client-urls", f"http://127.0.0.1:{self.client_port}", "--advertise-client-urls", f"http://127.0.0.1:{self.client_port}",
                       "--listen-peer-urls", f"http://127.0.0.1:{peer_port}", "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer_port}",
                       "--initial-cluster", f"one=http://127.0.0.1:{peer_port}")
            self.start(os.path.join(PROGRAMS, "kube-apiserver"), *self.server_options())
            self.wait_ready()
        except BaseException:
            self.close()
            raise

    def path(self, name):
        return os.path.join(self.folder, name)

    def make_files(self, build):
        certs = [os.path.join(build, "drawbridge"), "certs"]
        for command in (["init", "--dir", self.folder], ["issue", "--dir", self.folder, "--ip", "127.0.0.1"]):
            subprocess.run(certs + command, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", self.path("accounts.key")], check=True)
        self.make_client_certificate()
        with open(self.path("tokens"), "w") as file:
            for token, (name, groups) in USERS.items():
                file.write(f'{token},{name},{token},"{",".join(groups)}"\n')
        for name, content in ("audit-policy.json", AUDIT_POLICY), ("kubeconfig", self.kubeconfig()), ("admission.json", self.admission()), ("callers", self.callers()):
            with open(self.path(name), "w") as file:
                json.dump(content, file)

    def make_client_certificate(self):
        """What the API server shows to webhooks that ask who calls, and the CA that signed it."""
        new = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
        for command in (["req", "-x509", *new, "-subj", "/CN=callers", "-keyout", self.path("callers.key"), "-out", self.path("callers.crt")],
                        ["req", "-x509", *new, "-subj", "/CN=kube-apiserver", "-addext", "extendedKeyUsage=clientAuth", "-addext", "basicConstraints=critical,CA:false",
                         "-CA", self.path("callers.crt"), "-CAkey", self.path("callers.key"), "-keyout", self.path("client.key"), "-out", self.path("client.crt")]):
            subprocess.run(["openssl", *command], check=True, stderr=subprocess.DEVNULL)

    def callers(self):
        """Whom to show it to: every webhook."""
        return {"apiVersion": "v1", "kind": "Config",
                "users": [{"name": "*", "user": {"client-certificate": self.path("client.crt"), "client-key": self.path("client.key")}}]}

    def admission(self):
        configuration = {"apiVersion": "apiserver.config.k8s.io/v1", "kind": "WebhookAdmissionConfiguration", "kubeConfigFile": self.path("callers")}
        return {"apiVersion": "apiserver.config.k8s.io/v1", "kind": "AdmissionConfiguration",
                "plugins": [{"name": "ValidatingAdmissionWebhook", "configuration": configuration}]}

    def kubeconfig(self):
        return {"apiVersion": "v1", "kind": "Config", "current-context": "admin",
                "clusters": [{"name": "e2e", "cluster": {"server": f"https://127.0.0.1:{self.port}", "certificate-authority": self.path("ca.crt")}}],
                "users": [{"name": token, "user": {"token": token}} for token in USERS],
                "contexts": [{"name": token, "context": {"cluster": "e2e", "user": token}} for token in USERS]}

    def server_options(self):
        return ["--etcd-servers", f"http://127.0.0.1:{self.client_port}", "--bind-address", "127.0.0.1", "--advertise-address", "127.0.0.1",
                "--secure-port", str(self.port), "--endpoint-reconciler-type", "none", "--service-cluster-ip-range", SERVICE_RANGE,
                "--tls-cert-file", self.path("tls.crt"), "--tls-private-key-file", self.path("tls.key"),
                "--token-auth-file", self.path("tokens"), "--authorization-mode", "AlwaysAllow",
                "--service-account-issuer", "https://e2e.invalid", "--service-account-key-file", self.path("accounts.key"),
                "--service-account-signing-key-file", self.path("accounts.key"), "--disable-admission-plugins", "ServiceAccount",
                "--admission-control-config-file", self.path("admission.json"),
                "--feature-gates", ",".join(gate + "=true" for gate in GATES), "--runtime-config", ",".join(version + "=true" for version in SERVED),
                "--audit-policy-file", self.path("audit-policy.json"), "--audit-log-path", self.path("audit.log"), "--profiling=false"]

    def start(self, *command):
        name = os.path.basename(command[0])
        with open(self.path(name + ".log"), "wb") as log:
            self.programs.append(subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, preexec_fn=die_with_parent))

    def wait_ready(self):
        end = time.monotonic() + START_SECONDS
        while True:
            for program in self.programs:
                if program.poll() is not None:
                    raise RuntimeError(f"{program.args[0]} ended with {program.returncode}:\n{self.last_words(program)}")
            try:
                if self.client.call("GET", "/readyz").status == 200:
                    return
            except OSError:
                pass
            if time.monotonic() > end:
                raise RuntimeError(f"the API server is not ready after {START_SECONDS} s:\n{self.last_words(self.programs[-1])}")
            time.sleep(0.1)

    def last_words(self, program):
        with open(self.path(os.path.basename(program.args[0]) + ".log"), errors="replace") as log:
            return "".join(log.readlines()[-20:])

    def kubectl(self, *arguments, stdin=None, user="admin"):
        """(exit status, standard output, standard error)"""
        done = subprocess.run([os.path.join(PROGRAMS, "kubectl"), "--kubeconfig", self.path("kubeconfig"), "--context", user, *arguments], input=stdin,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=KUBECTL_SECONDS)
        return done.returncode, done.stdout, done.stderr

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for program in reversed(self.programs):  # etcd last
            program.terminate()
            try:
                program.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                program.kill()
                program.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def main(build, *command):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    start = time.monotonic()
    with Cluster(os.path.abspath(build)) as cluster:
        print(f"etcd and kube-apiserver are ready after {time.monotonic() - start:.1f} s", flush=True)
        env = dict(os.environ, PATH=PROGRAMS + ":" + os.environ["PATH"], KUBECONFIG=cluster.path("kubeconfig"))
        return subprocess.run(command or [os.environ.get("SHELL", "/bin/sh")], env=env).returncode


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
