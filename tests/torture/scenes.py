"""The runs whose calls fail one after the other: a command in a folder of its own, and what must be true of its end."""
import json, os, re, ssl

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
KUBECTL = os.path.join(TESTS, "cli", "fake_kubectl.py")

DRIVER = """apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata:
  name: disk.csi.acme.dev
spec:
  fsGroupPolicy: file
  attachRequired: true
"""
OLD_CLAIM = """apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {name: train, namespace: ml}
spec:
  devices:
    requests:
    - name: gpu  # the large one
      deviceClassName: gpu.acme.dev
"""
OLD_CLASS = """apiVersion: storage.k8s.io/v1beta1
kind: VolumeAttributesClass
metadata: {name: gold}
driverName: disk.csi.acme.dev
parameters: {iops: "1000"}
"""


def read(*path):
    with open(os.path.join(TESTS, *path), "rb") as file:
        return file.read()


def documented():
    """The exit statuses of each command."""
    with open(os.path.join(TESTS, "..", "src", "cli", "exit.def")) as file:
        text = file.read()
    numbers = {name: index for index, name in enumerate(re.findall(r"^STATUS\((\w+)", text, re.M))}
    statuses = {}
    for command, name in re.findall(r'^EXIT\("([^"]+)",\s*(\w+)', text, re.M):
        statuses.setdefault(command, set()).add(numbers[name])
    return statuses


def messages(*methods):
    """What an editor sends: (method, parameters, whether it waits for an answer)."""
    data = b""
    for number, (method, parameters, asks) in enumerate(methods):
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": parameters, **({"id": number} if asks else {})}).encode()
        data += b"Content-Length: %d\r\n\r\n" % len(body) + body
    return data


def session():
    file = {"uri": "file:///driver.yaml"}
    place = {"textDocument": file, "position": {"line": 5, "character": 5}}
    return messages(("initialize", {"capabilities": {}}, True), ("initialized", {}, False),
                    ("textDocument/didOpen", {"textDocument": dict(file, languageId="yaml", version=1, text=DRIVER)}, False),
                    ("textDocument/hover", place, True), ("textDocument/completion", place, True),
                    ("textDocument/didChange", {"textDocument": dict(file, version=2), "contentChanges": [{"text": DRIVER.replace("file", "Fil")}]}, False),
                    ("shutdown", {}, True), ("exit", {}, False))


def is_json(text):
    """One value, or one in each line."""
    try:
        return json.loads(text) is not None
    except ValueError:
        try:
            return all(json.loads(line) for line in text.splitlines())
        except ValueError:
            return False


class Scene:
    """`same`: a run that ends as it does without faults prints and writes the same. `pairs`: certificates with their keys. `reports`: files of
    JSON that may also have what was found until the fault."""

    def __init__(self, name, command, files=None, stdin=b"", environment=None, same=True, pairs=(), reports=(), program="drawbridge"):
        self.name, self.program, self.command, self.stdin, self.same, self.pairs, self.reports = name, program, command, stdin, same, pairs, reports
        self.files = {path: data if isinstance(data, bytes) else data.encode() for path, data in (files or {}).items()}
        self.environment = environment or {}
        statuses = documented()
        words = ["certs", *command] if program == "drawbridge-certs" else command
        self.statuses = statuses.get(" ".join(words[:2])) or statuses[words[0]]

    def wrong_files(self, folder, before, clean, after, said):
        """What is left that is neither as before nor as a run without faults leaves it. An old file that cannot be put back may stay under the
        name that is said."""
        kept = {path for path in after if path.endswith(".old") and path in said and after[path] in before.values()}
        after = {path: what for path, what in after.items() if path not in kept}
        for path in sorted(set(before) | set(clean) | set(after)):
            known = [before.get(path), clean.get(path)]
            if path not in after:
                if path in before:
                    yield f"{path} is gone"
            elif path not in before and path not in clean:
                yield f"{path} is left behind"
            elif path in self.reports and is_json(after[path][1]):
                continue
            elif after[path] not in known and (self.same or after[path][0] not in [mode for mode, _ in filter(None, known)] or not after[path][1].endswith(b"-----\n")):
                yield f"{path} is neither old nor new: mode {after[path][0]:o}, {len(after[path][1])} bytes"
        for certificate, key in self.pairs:
            if certificate in after and key in after and not kept:
                try:
                    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(os.path.join(folder, certificate), os.path.join(folder, key))
                except ssl.SSLError as error:
                    yield f"{certificate} and {key}: {error}"


def cluster():
    """For the program in kubectl's place."""
    stored = {"creationTimestamp": "2026-01-01T00:00:00Z", "resourceVersion": "77", "uid": "25cd632a-4cc3-459d-b962-ad22b833bd5c"}
    driver = {"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": dict(stored, name="disk.acme.dev"), "spec": {"fsGroupPolicy": "Files"}}
    return json.dumps({"version": "1.35", "api_versions": ["storage.k8s.io/v1", "v1"], "resources": {"csidrivers.v1.storage.k8s.io": [driver]}})


def scenes(certs):
    """All of them. `certs`: files of a CA and of a certificate, ca.crt and so on."""
    bad, good, gpus = read("manifests", "bad.yaml"), read("manifests", "good.yaml"), read("manifests", "devices", "gpus.yaml")
    claim = {name: read("manifests", "match", name) for name in ("model.yaml", "gpus.yaml", "rule.yaml", "first.yaml")}
    fleet = {name: read("manifests", "allocate", name) for name in ("fleet.yaml", "large.yaml")}
    refused = read("reviews", "106-create-v1-csidriver.json").replace(b'"fsGroupPolicy":"File"', b'"fsGroupPolicy":"\\u0046ile "')
    log = b"".join(line for line in read("reviews", "audit.log").splitlines(True)[1:7] if b"csidrivers" in line)
    one_thread = ["-j", "1"]
    return [
        Scene("lint", ["lint", *one_thread, "bad.yaml", "good.yaml"], {"bad.yaml": bad, "good.yaml": good}),
        Scene("lint of standard input", ["lint", "-"], stdin=bad),
        Scene("lint of a folder", ["lint", *one_thread, "."], {"a/bad.yaml": bad, "b/good.yaml": good, ".gitignore": "ignored.yaml\n", "ignored.yaml": bad,
                                                              ".drawbridge.yaml": "apiVersion: drawbridge.dev/v1alpha1\nkind: Configuration\n"}),
        Scene("lint with a report", ["lint", *one_thread, "--format", "sarif=report.sarif", "--format", "html", "bad.yaml"], {"bad.yaml": bad, "report.sarif": "{}\n"}, reports=["report.sarif"]),
        Scene("lint with a new report", ["lint", *one_thread, "--format", "json=report.json", "bad.yaml"], {"bad.yaml": bad}, reports=["report.json"]),
        *(Scene(f"lint --format {name}", ["lint", *one_thread, "--format", name, "bad.yaml"], {"bad.yaml": bad}, same=name != "policy-report")  # it has the time
          for name in ("json", "github", "gitlab", "junit", "tap", "markdown", "policy-report")),
        Scene("lint that writes a baseline", ["lint", *one_thread, "--write-baseline", "base.json", "bad.yaml"], {"bad.yaml": bad, "base.json": "{}\n"}),
        Scene("lint --fix", ["lint", *one_thread, "--fix", "driver.yaml", "other.yaml"], {"driver.yaml": DRIVER, "other.yaml": DRIVER.replace("disk", "other")}),
        Scene("lint in two threads", ["lint", "-j", "2", "bad.yaml", "good.yaml", "driver.yaml"], {"bad.yaml": bad, "good.yaml": good, "driver.yaml": DRIVER}),
        Scene("lint of older objects", ["lint", *one_thread, "--old", "old.yaml", "bad.yaml"], {"old.yaml": good, "bad.yaml": bad}),
        Scene("scan", ["scan", "--kubectl", KUBECTL], {"known.json": cluster(), "calls": ""}, environment={"FAKE_KUBECTL": "known.json"}),
        Scene("review", ["review", "--format", "json", "denied.json"], {"denied.json": refused}),
        Scene("review as text", ["review", "--format", "text", "denied.json"], {"denied.json": refused}),
        Scene("review of standard input", ["review", "-"], stdin=refused),
        Scene("review of an audit log", ["review", "--audit-log", "audit.log"], {"audit.log": log}),
        Scene("review of an audit log as JSON", ["review", "--audit-log", "--format", "json", "audit.log"], {"audit.log": log}),
        Scene("upgrade --fix", ["upgrade", "--from", "1.34", "--to", "1.37", "--fix", "claim.yaml", "class.yaml"], {"claim.yaml": OLD_CLAIM, "class.yaml": OLD_CLASS}),
        Scene("cel eval", ["cel", "eval", "--devices", "gpus.yaml", 'device.attributes["gpu.acme.dev"].model.matches("^a1")'], {"gpus.yaml": gpus}),
        Scene("cel check", ["cel", "check", 'device.attributes["gpu.acme.dev"].model == 1', "true"]),
        Scene("match", ["match", *list(claim)[:3]], claim),
        Scene("match as JSON", ["match", "--format", "json", *list(claim)[:3]], claim),
        Scene("allocate as JSON", ["allocate", *one_thread, "--output", "json", *claim], claim),
        Scene("allocate", ["allocate", *one_thread, *fleet], fleet),
        Scene("allocate as YAML", ["allocate", *one_thread, "--output", "yaml", *claim], claim),
        Scene("explain", ["explain", "csidriver.spec"]),
        Scene("explain cel", ["explain", "cel", "matches"]),
        Scene("lsp", ["lsp"], stdin=session()),
        Scene("config check", ["config", "check", "drawbridge.yaml"], {"drawbridge.yaml": "apiVersion: drawbridge.dev/v1alpha1\nkind: Configuration\nmode: deny\n"}),
        Scene("manifests", ["manifests", "--certs", "certs", "--kubernetes-version", "1.35"], {"certs/" + name: data for name, data in certs.items()}),
        Scene("manifests that make certificates", ["manifests", "--certs", "certs"], same=False, pairs=[("certs/ca.crt", "certs/ca.key"), ("certs/tls.crt", "certs/tls.key")]),
        Scene("certs init", ["init", "--dir", "certs", "--service", "drawbridge.ns"], same=False, pairs=[("certs/ca.crt", "certs/ca.key")], program="drawbridge-certs"),
        Scene("certs init --force", ["init", "--dir", ".", "--force"], certs, same=False, pairs=[("ca.crt", "ca.key")], program="drawbridge-certs"),
        Scene("certs issue", ["issue", "--dir", ".", "--host", "localhost", "--force"], certs, same=False, pairs=[("tls.crt", "tls.key")], program="drawbridge-certs"),
        Scene("certs rotate", ["rotate", "--dir", "."], certs, same=False, pairs=[("ca.crt", "ca.key"), ("tls.crt", "tls.key")], program="drawbridge-certs"),
        Scene("certs check", ["check", "--cert", "tls.crt", "--key", "tls.key", "--ca", "ca.crt", "--host", "localhost"], certs, program="drawbridge-certs"),
        Scene("certs check of what is refused", ["check", "--format", "json", "--cert", "tls.crt", "--ca", "ca.crt", "--host", "other"], certs, program="drawbridge-certs"),
        Scene("certs show", ["show", "ca.crt", "tls.crt"], certs, program="drawbridge-certs"),
        Scene("certs show as JSON", ["show", "--format", "json", "tls.crt", "tls.key"], certs, program="drawbridge-certs"),
    ]
