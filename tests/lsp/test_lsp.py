#!/usr/bin/env python3
"""drawbridge lsp: with a real client (client.py, pygls from PyPI), and with messages as no client sends them.

    test_lsp.py BUILD
"""
import hashlib, json, os, re, select, shutil, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

REQUIREMENTS = os.path.join(HERE, "requirements.txt")
OPEN_MS, EDIT_MS = 50, 20  # of a file of 5,000 lines, in processor time of the server


class Server:
    """A session with messages made by hand."""

    def __init__(self, build, *options):
        self.process = subprocess.Popen([os.path.join(build, "drawbridge"), "lsp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, bufsize=0)
        self.number, self.unread = 0, b""

    def raw(self, data):
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def send(self, **message):
        body = json.dumps(dict(message, jsonrpc="2.0")).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def take(self, ends, until):
        """What the server printed, once `ends` says how much of it is wanted; b"" at its end, or when it says no more in time."""
        while not (size := ends(self.unread)):
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, until - time.monotonic()))
            more = os.read(self.process.stdout.fileno(), 1 << 16) if ready else b""
            if not more:
                return b""
            self.unread += more
        taken, self.unread = self.unread[:size], self.unread[size:]
        return taken

    def receive(self, seconds=20):
        until = time.monotonic() + seconds
        header = self.take(lambda text: text.find(b"\r\n\r\n") + 4 if b"\r\n\r\n" in text else 0, until)
        length = int(re.search(rb"Content-Length: (\d+)", header)[1]) if header else 0
        body = self.take(lambda text: len(text) >= length and length, until) if length else b""
        return json.loads(body) if body else None

    def request(self, method, **params):
        self.number += 1
        self.send(id=self.number, method=method, params=params)
        while message := self.receive():
            if message.get("id") == self.number:
                return message

    def notify(self, method, **params):
        self.send(method=method, params=params)

    def begin(self, **params):
        return self.request("initialize", capabilities=params.pop("capabilities", {}), **params)

    def open(self, text, uri="file:///none/a.yaml"):
        self.notify("textDocument/didOpen", textDocument={"uri": uri, "languageId": "yaml", "version": 1, "text": text})
        return self.receive()["params"]

    def end(self):
        """The exit status, and what it said on standard error."""
        try:
            _, said = self.process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return None, ""
        return self.process.returncode, said.decode()

    def seconds(self):
        """Processor time so far."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_client(tap, build):
    folder = os.path.join(os.path.abspath(build), "lsp")
    venv = os.path.join(folder, "venv")
    python, stamp = os.path.join(venv, "bin", "python"), os.path.join(venv, "stamp")
    with open(REQUIREMENTS, "rb") as file:
        key = hashlib.sha256(file.read()).hexdigest()
    if not os.path.exists(stamp) or open(stamp).read() != key:
        shutil.rmtree(venv, ignore_errors=True)
        for command in ([sys.executable, "-m", "venv", venv], [python, "-m", "pip", "install", "-q", "-r", REQUIREMENTS]):
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode:
                tap.ok(False, "the client is installed from PyPI", done.stdout)
                return
        with open(stamp, "w") as file:
            file.write(key)
    with tempfile.TemporaryDirectory() as workspace:
        done = subprocess.run([python, os.path.join(HERE, "client.py"), os.path.join(os.path.abspath(build), "drawbridge"), workspace],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
    lines = re.findall(r"^(ok|not ok) \d+ - (.*)$", done.stdout, re.M)
    for state, name in lines:
        tap.ok(state == "ok", "pygls: " + name, done.stdout)
    tap.ok(lines and done.returncode == 0, "pygls: the session comes to its end", done.stderr[-2000:])


DRIVER = "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata:\n  name: a.acme.dev\nspec:\n  fsGroupPolicy: Fil\n"


def places(published):
    return [(item["code"], *item["range"]["start"].values(), item["range"]["end"]["character"]) for item in published["diagnostics"]]


def test_encodings(tap, build):
    text = DRIVER.replace("Fil\n", "Fil # \N{GRINNING FACE}\n  \"\N{GRINNING FACE}x\": 1\n")
    for encoding, want in (("utf-16", 5), ("utf-8", 7)):
        server = Server(build)
        begun = server.begin(capabilities={"general": {"positionEncodings": ["utf-16", encoding]}})
        tap.equal(begun["result"]["capabilities"]["positionEncoding"], encoding, f"{encoding} is taken")
        tap.equal(places(server.open(text))[1][2:], (2, 2 + want), f"{encoding}: characters are counted so")
        server.request("shutdown")
        server.notify("exit")
        tap.equal(server.end()[0], 0, f"{encoding}: it ends")


def test_edits(tap, build):
    server = Server(build)
    server.begin()
    server.open(DRIVER)
    edits = [((5, 17), (5, 20), "File"), ((0, 0), (0, 0), "# \N{GRINNING FACE}\n"), ((0, 4), (1, 0), "\n"), ((99, 0), (99, 9), "  x: 1"),
             ((6, 99), (6, 0), "")]
    changes = [{"range": {"start": dict(zip(("line", "character"), start)), "end": dict(zip(("line", "character"), end))}, "text": text}
               for start, end, text in edits]
    server.notify("textDocument/didChange", textDocument={"uri": "file:///none/a.yaml", "version": 2}, contentChanges=changes)
    tap.equal(places(server.receive()["params"]), [("unknown-field", 7, 2, 3)], "edits with characters of two units, and beyond the end")
    server.notify("textDocument/didChange", textDocument={"uri": "file:///none/a.yaml", "version": 3}, contentChanges=[{"text": DRIVER}])
    tap.equal(places(server.receive()["params"]), [("enum", 5, 17, 20)], "a change of the whole text")
    server.process.stdin.close()
    tap.equal(server.process.wait(20), 1, "a client that goes away is an end with status 1")


def labels(server, line, character, uri="file:///none/a.yaml"):
    answer = server.request("textDocument/completion", textDocument={"uri": uri}, position={"line": line, "character": character})
    return [item["label"] for item in answer["result"]]


def test_completion(tap, build):
    server = Server(build)
    server.begin()
    server.open("\n")
    tap.equal(labels(server, 0, 0), ["apiVersion", "kind"], "an empty file begins with apiVersion and kind")
    server.open("apiVersion: storage.k8s.io/v1\nkind: \n", "file:///none/b.yaml")
    tap.ok("CSIDriver" in labels(server, 1, 6, "file:///none/b.yaml") and "DeviceClass" not in labels(server, 1, 6, "file:///none/b.yaml"),
           "kinds of the apiVersion that is written")
    server.open("kind: StorageClass\napiVersion: \nallowVolumeExpansion: \n", "file:///none/c.yaml")
    tap.equal(labels(server, 1, 12, "file:///none/c.yaml"), ["storage.k8s.io/v1"], "API versions of the kind that is written")
    json_text = '{"kind": "CSIDriver", "apiVersion": "storage.k8s.io/v1",\n "spec": {"fsGroupPolicy": "", "a": []}}\n'
    server.open(json_text, "file:///none/d.json")
    tap.equal(labels(server, 1, 28, "file:///none/d.json"), ["ReadWriteOnceWithFSType", "File", "None"], "values in JSON")
    server.open("apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nspec:\n  devices:\n  - name: a\n    bindsToNode: \n    \n  - \n",
                "file:///none/e.yaml")
    tap.equal(labels(server, 5, 17, "file:///none/e.yaml"), ["true", "false"], "booleans")
    tap.ok("taints" in labels(server, 6, 4, "file:///none/e.yaml") and "name" not in labels(server, 6, 4, "file:///none/e.yaml"),
           "fields of an element")
    tap.ok("name" in labels(server, 7, 4, "file:///none/e.yaml"), "fields of a new element")
    tap.equal(labels(server, 99, 0, "file:///none/nothing.yaml"), [], "nothing for a file that is not open")
    server.process.kill()
    server.end()


HOSTILE = [
    ("no header", b"hello\r\n\r\n", 1),
    ("a length that is no number", b"Content-Length: x\r\n\r\n", 1),
    ("a negative length", b"Content-Length: -1\r\n\r\n", 1),
    ("a huge length", b"Content-Length: 99999999999999\r\n\r\n", 1),
    ("a header without end", b"a" * 100000, 1),
    ("a message that is cut off", b"Content-Length: 100\r\n\r\n{", 1),
]


def test_hostile(tap, build):
    for name, data, want in HOSTILE:
        server = Server(build)
        server.raw(data)
        server.process.stdin.close()
        tap.equal(server.process.wait(20), want, f"{name}: ends with a status")
    server = Server(build)
    tap.equal(server.request("textDocument/hover")["error"]["code"], -32002, "a request before initialize is refused")
    server.raw(b"Content-Length: 3\r\n\r\n{{{")
    tap.equal(server.receive()["error"]["code"], -32700, "a message that is not JSON is refused")
    server.raw(b"Content-Length: 2\r\nContent-Type: x\r\n\r\n[]")
    tap.equal(server.receive()["error"]["code"], -32600, "a message without method is refused")
    server.begin()
    tap.equal(server.request("no/such")["error"]["code"], -32601, "an unknown method is refused")
    for method in ("textDocument/hover", "textDocument/completion", "textDocument/codeAction"):
        for params in ({}, {"textDocument": 1}, {"textDocument": {"uri": "x"}, "position": {"line": -1, "character": 1e99}}):
            tap.ok("result" in server.request(method, **params), f"{method} with {params} is answered")
    for params in ({}, {"textDocument": {"uri": "y", "text": 1}}, {"textDocument": {"uri": "x" * 100000, "text": ""}},
                   {"textDocument": {"uri": "file:///x", "text": "a: " * 100000, "version": "q"}}):
        server.notify("textDocument/didOpen", **params)
    server.notify("textDocument/didOpen", textDocument={"uri": "file:///big.yaml", "text": "x" * (9 << 20), "version": 1})
    for character in (0, 5, 2000):
        server.notify("textDocument/didOpen", textDocument={"uri": f"file:///{character}", "text": "[{\"a\": " * 3000, "version": 1})
        labels(server, 0, character, f"file:///{character}")
    tap.ok("result" in server.request("shutdown"), "after all that, it still answers")
    server.notify("exit")
    tap.equal(server.end(), (0, ""), "and ends in order")


def big_file():
    lines, number = [], 0
    while len(lines) < 5000:
        number += 1
        lines += ["---", "apiVersion: resource.k8s.io/v1", "kind: ResourceSlice", "metadata:", f"  name: node-{number}", "spec:",
                  f"  nodeName: node-{number}", "  driver: gpu.acme.dev", "  pool:", f"    name: node-{number}", "    generation: 1",
                  "    resourceSliceCount: 1", "  devices:"]
        for device in range(8):
            lines += [f"  - name: gpu-{device}", "    attributes:", "      model:", f"        string: m{number}-{device}", "      memory:",
                      f"        int: {number * device}", "    capacity:", "      memory:", f"        value: {device + 1}Gi"]
    return "\n".join(lines) + "\n"


def test_speed(tap, build):
    if os.path.basename(os.path.abspath(build)) != "build":
        return  # a sanitizer is slower
    server = Server(build)
    server.begin()
    before = server.seconds()
    server.open(big_file())
    opened = (server.seconds() - before) * 1000
    edits = 20
    for version in range(edits):
        place = {"line": 3000, "character": 0}
        server.notify("textDocument/didChange", textDocument={"uri": "file:///none/a.yaml", "version": 2 + version},
                      contentChanges=[{"range": {"start": place, "end": place}, "text": "# x\n"}])
        server.receive()
    edited = (server.seconds() - before) * 1000 / edits
    tap.ok(opened <= OPEN_MS, f"diagnostics of 5,000 lines after opening take at most {OPEN_MS} ms", opened)
    tap.ok(edited <= EDIT_MS, f"and after an edit at most {EDIT_MS} ms", edited)
    server.process.kill()
    server.end()


CONFIGURATION = "apiVersion: drawbridge.dev/v1alpha1\nkind: Configuration\n"


def test_configuration(tap, build):
    """What is in force for a file is what lint finds above it, until it is saved anew."""
    with tempfile.TemporaryDirectory() as folder:
        config, uri = os.path.join(folder, ".drawbridge.yaml"), "file://" + os.path.realpath(folder)

        def write(text):
            with open(config, "w") as file:
                file.write(CONFIGURATION + text)

        def rules(published):
            return [(item["code"], item["severity"]) for item in published["diagnostics"]]

        def open_as(name, text=DRIVER):
            return server.open(text.replace("a.acme", name + ".acme"), f"{uri}/{name}.yaml")

        def save():
            server.notify("textDocument/didSave", textDocument={"uri": f"{uri}/.drawbridge.yaml"})
        write("policies:\n- rules: [enum]\n  severity: warning\n  paths: [a.yaml]\nexclude: [left.yaml]\nignore: [recommended]\n")
        server = Server(build)
        server.begin()
        tap.ok(rules(open_as("a")) == [("enum", 2)], "lsp: a policy sets the severity")
        tap.ok(rules(open_as("b")) == [("enum", 1)], "lsp: … of the files that it is about")
        tap.ok(rules(open_as("left")) == [], "lsp: nothing is said of a file that is excluded")
        text = DRIVER.replace("Fil\n", "Fil # drawbridge: ignore[enum] ours\n")
        tap.ok(rules(open_as("c", text)) == [], "lsp: a comment suppresses a finding")
        tap.ok(rules(open_as("d", text.replace("Fil ", "File "))) == [("unused-suppression", 2)], "lsp: … and is told when it is not needed")
        write("kubernetesVersion: 1.33..1.34\nselect: [served, deprecated]\n")
        save()
        later = [server.receive() for _ in range(3)]
        tap.ok(sorted((os.path.basename(one["params"]["uri"]), rules(one["params"])) for one in later) ==
               [("a.yaml", []), ("b.yaml", []), ("d.yaml", [])], "lsp: a configuration that is saved counts for open files", later)
        claim = "apiVersion: resource.k8s.io/v1beta1\nkind: DeviceClass\nmetadata: {name: a}\nspec: {}\n"
        tap.ok(rules(server.open(claim, uri + "/e.yaml")) == [], "lsp: … with its version")
        write("kubernetesVersion: 1.0\n")
        save()
        later = [server.open(claim, uri + "/f.yaml")]
        while not later[-1]["uri"].endswith("/f.yaml"):
            later.append(server.receive()["params"])
        tap.ok(rules(later[-1])[0] == ("deprecated", 2), "lsp: defaults count where it cannot be used", later)
        server.request("shutdown")
        server.notify("exit")
        status, said = server.end()
        tap.ok(status == 0 and ".drawbridge.yaml:3:" in said and said.count("\n") <= 2, "lsp: … which is said once", said)
        server = Server(build, "--kubernetes-version", "1.34")
        server.begin()
        write("kubernetesVersion: \"1.37\"\n")
        tap.ok(("deprecated", 2) not in rules(server.open(claim, uri + "/e.yaml")), "lsp: options come before it")
        server.request("shutdown")
        server.notify("exit")
        end = server.end()
        tap.ok(end == (0, ""), "lsp: without a word", end)


def main(build):
    tap = Tap()
    test_client(tap, build)
    test_encodings(tap, build)
    test_edits(tap, build)
    test_completion(tap, build)
    test_configuration(tap, build)
    test_hostile(tap, build)
    test_speed(tap, build)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
