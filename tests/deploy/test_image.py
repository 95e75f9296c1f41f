#!/usr/bin/env python3
"""The OCI image: its blobs, that it comes out the same twice, and its programs at work, from nothing but the unpacked layers.

    test_image.py BUILD
"""
import gzip, hashlib, http.client, io, json, os, re, shlex, shutil, signal, ssl, subprocess, sys, tarfile, tempfile

import jsonschema

import tools
from tools import Tap

BUILDER = os.path.join(tools.DEPLOY, "image", "build.py")
REVIEW = os.path.join(tools.ROOT, "tests", "reviews", "106-create-v1-csidriver.json")
USER = 65532


def build_image(build, out, **environment):
    done = tools.run([sys.executable, BUILDER, build, out], env={**os.environ, **environment})
    if done.returncode:
        raise SystemExit(f"build.py: {done.stderr}")
    return done.stdout.strip()


class Image:
    def __init__(self, folder):
        self.folder, self.bad = folder, []
        with open(os.path.join(folder, "index.json"), encoding="utf-8") as file:
            self.index = json.load(file)
        self.manifest = json.loads(self.blob(self.index["manifests"][0]))
        self.config = json.loads(self.blob(self.manifest["config"]))
        self.layers = [gzip.decompress(self.blob(layer)) for layer in self.manifest["layers"]]

    def blob(self, descriptor):
        algorithm, digest = descriptor["digest"].split(":")
        with open(os.path.join(self.folder, "blobs", algorithm, digest), "rb") as file:
            content = file.read()
        if len(content) != descriptor["size"] or hashlib.sha256(content).hexdigest() != digest:
            self.bad.append(digest)
        return content

    def unpack(self, root):
        for number, _ in enumerate(self.layers):
            self.archive(number).extractall(root, filter="fully_trusted") if hasattr(tarfile, "data_filter") else self.archive(number).extractall(root)

    def archive(self, number):
        return tarfile.open(fileobj=io.BytesIO(self.layers[number]))

    def members(self):
        return [member for number, _ in enumerate(self.layers) for member in self.archive(number).getmembers()]


def test_layout(tap, image, digest):
    with open(os.path.join(image.folder, "oci-layout"), encoding="utf-8") as file:
        tap.equal(json.load(file), {"imageLayoutVersion": "1.0.0"}, "it is an OCI layout")
    tap.equal(image.index["manifests"][0]["digest"], digest, "the digest that was printed is the manifest's")
    tap.equal(image.bad, [], "every blob has its digest and size")
    named = {image.index["manifests"][0]["digest"], image.manifest["config"]["digest"], *(layer["digest"] for layer in image.manifest["layers"])}
    tap.equal({"sha256:" + name for name in os.listdir(os.path.join(image.folder, "blobs", "sha256"))}, named, "there are no other blobs")
    tap.equal(image.config["rootfs"]["diff_ids"], ["sha256:" + hashlib.sha256(layer).hexdigest() for layer in image.layers], "diff ids are those of the layers")
    tap.equal(len(image.config["history"]), len(image.layers), "each layer has its history")


def test_config(tap, image, version):
    config = image.config["config"]
    tap.equal((config["User"], config["Entrypoint"], sorted(config["ExposedPorts"]), config["StopSignal"]),
              (f"{USER}:{USER}", ["/usr/bin/drawbridge"], ["8080/tcp", "8443/tcp"], "SIGTERM"), "user, entrypoint, ports, signal")
    labels = config["Labels"]
    tap.equal((labels["org.opencontainers.image.title"], labels["org.opencontainers.image.version"], labels["org.opencontainers.image.licenses"]),
              ("drawbridge", version, "Apache-2.0"), "labels")


def test_files(tap, image):
    members = image.members()
    tap.ok(all(member.uid == member.gid == 0 and not member.mode & 0o6000 for member in members), "everything is root's, and nothing is setuid")
    tap.ok(all(not member.mode & 0o022 or member.issym() or member.name == "tmp" for member in members), "nobody else may write")
    tap.ok(len({member.mtime for member in members}) == 1, "all times are the same")
    programs = {member.name for member in members if member.isfile() and member.name.startswith("usr/bin/")}
    tap.equal(programs, {"usr/bin/drawbridge", "usr/bin/drawbridge-certs", "usr/bin/drawbridge-serve"}, "no other program, no shell")


# What an SPDX 2.3 document must have, of what is used here.
TEXT, ID = {"type": "string", "minLength": 1}, {"type": "string", "pattern": "^SPDXRef-[A-Za-z0-9.-]+$"}
LICENCE = {"type": "string", "pattern": r"^(NOASSERTION|[A-Za-z0-9.-]+( (OR|AND) [A-Za-z0-9.-]+)*)$"}
SPDX = {
    "type": "object",
    "required": ["spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo", "packages", "files", "relationships"],
    "properties": {
        "spdxVersion": {"const": "SPDX-2.3"}, "dataLicense": {"const": "CC0-1.0"}, "SPDXID": {"const": "SPDXRef-DOCUMENT"}, "name": TEXT,
        "documentNamespace": {"type": "string", "pattern": "^https://[^#]+$"},
        "creationInfo": {"type": "object", "required": ["created", "creators"], "properties": {
            "created": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"},
            "creators": {"type": "array", "minItems": 1, "items": {"type": "string", "pattern": "^(Tool|Person|Organization): ."}}}},
        "packages": {"type": "array", "minItems": 5, "items": {
            "type": "object", "required": ["SPDXID", "name", "versionInfo", "downloadLocation", "filesAnalyzed", "licenseConcluded", "licenseDeclared", "copyrightText"],
            "properties": {"SPDXID": ID, "name": TEXT, "versionInfo": TEXT, "licenseConcluded": LICENCE, "licenseDeclared": LICENCE, "externalRefs": {
                "type": "array", "items": {"type": "object", "required": ["referenceCategory", "referenceType", "referenceLocator"], "properties": {
                    "referenceLocator": {"type": "string", "pattern": "^pkg:deb/debian/[a-z0-9.%B-]+@[^?]+[?]arch="}}}}}}},
        "files": {"type": "array", "minItems": 5, "items": {
            "type": "object", "required": ["SPDXID", "fileName", "checksums"],
            "properties": {"SPDXID": ID, "fileName": {"type": "string", "pattern": "^[.]/usr/"}}}},
        "relationships": {"type": "array", "items": {"type": "object", "required": ["spdxElementId", "relationshipType", "relatedSpdxElement"]}},
    },
}


def test_sbom(tap, image, root):
    with open(os.path.join(image.folder, "sbom.spdx.json"), encoding="utf-8") as file:
        text = file.read()
    with open(os.path.join(root, "usr/share/sbom/drawbridge.spdx.json"), encoding="utf-8") as file:
        tap.ok(file.read() == text, "the SBOM is in the image, too")
    document = json.loads(text)
    try:
        jsonschema.validate(document, SPDX)
        tap.ok(True, "it has what SPDX 2.3 asks for")
    except jsonschema.ValidationError as error:
        tap.ok(False, "it has what SPDX 2.3 asks for", error)
    ids = [item["SPDXID"] for item in document["packages"] + document["files"]]
    tap.equal(len(ids), len(set(ids)), "ids are unique")
    known = {*ids, "SPDXRef-DOCUMENT"}
    tap.ok(all({relation["spdxElementId"], relation["relatedSpdxElement"]} <= known for relation in document["relationships"]), "relationships join what is there")
    partly = [relation for relation in document["relationships"] if relation["relationshipType"] == "CONTAINS"]
    tap.equal(partly, [], "no package of which not all files are listed is said to contain some")
    sums = {item["fileName"][2:]: item["checksums"][1]["checksumValue"] for item in document["files"]}
    there = {member.name for member in image.members() if member.isfile() and (member.name.startswith("usr/bin/") or ".so" in member.name)}
    tap.equal(set(sums), there, "every program and library is listed")
    wrong = []
    for name, digest in sums.items():
        with open(os.path.join(root, name), "rb") as file:
            wrong += [] if hashlib.sha256(file.read()).hexdigest() == digest else [name]
    tap.equal(wrong, [], "with its checksum")
    folders = {item["name"] for item in document["packages"]} - {"drawbridge"}
    tap.ok(all(os.path.isfile(os.path.join(root, "usr/share/doc", name, "copyright")) for name in folders), "every package's licence is in the image")


class Chroot:
    """Runs programs of the image as a container would: its files alone, read-only, as user 65532; as root of a user namespace when
    the test is not root."""

    def __init__(self, root):
        self.root, self.as_root = root, os.getuid() == 0
        with open(os.path.join(root, "dev", "null"), "w", encoding="utf-8"):
            pass  # something to mount the device on

    def command(self, *arguments):
        where = shlex.quote(self.root)
        user = f"--userspec={USER}:{USER} --groups={USER} " if self.as_root else ""
        script = (f"mount --bind {where} {where} && mount --rbind /proc {where}/proc && mount --bind /dev/null {where}/dev/null"
                  f" && mount -o remount,ro,bind {where} && exec chroot {user}{where} {shlex.join(arguments)}")
        return ["unshare", "--mount" if self.as_root else "-rm", "sh", "-c", script]

    def works(self):
        return tools.run(self.command("/usr/bin/drawbridge", "--version"))


def make_certificates(build, root):
    folder = os.path.join(root, "etc", "drawbridge", "tls")
    program = os.path.join(build, "drawbridge")
    tools.run([program, "certs", "init", "--dir", folder])
    tools.run([program, "certs", "issue", "--dir", folder, "--host", "localhost", "--ip", "127.0.0.1"])
    for name in "", "tls.crt", "tls.key":
        if os.getuid() == 0:
            os.chown(os.path.join(folder, name), USER, USER)
    return os.path.join(folder, "ca.crt")


def post(port, authority):
    with open(REVIEW, "rb") as file:
        body = file.read()
    connection = http.client.HTTPSConnection("localhost", port, context=ssl.create_default_context(cafile=authority), timeout=20)
    connection.request("POST", "/validate", body, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, text


def owner_of(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return int(re.search(r"^Uid:\s+(\d+)", file.read(), re.M).group(1))


def test_serve(tap, build, chroot):
    authority = make_certificates(build, chroot.root)
    command = chroot.command("/usr/bin/drawbridge", "serve", "--cert", "/etc/drawbridge/tls/tls.crt", "--key", "/etc/drawbridge/tls/tls.key",
                             "--listen", "127.0.0.1:0", "--status-listen", "127.0.0.1:0", "--shutdown-delay", "0")
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # exec all the way: its pid is the server's
    try:
        line = server.stdout.readline()
        ports = re.findall(r"127\.0\.0\.1:(\d+)", line)
        if tap.ok(len(ports) == 2, "serve starts", line or server.stderr.read()):
            if chroot.as_root:
                tap.equal(owner_of(server.pid), USER, "it runs as that user")
            status, text = post(int(ports[0]), authority)
            tap.ok(status == 200 and json.loads(text)["response"]["allowed"] is True, "it answers a review over TLS", text)
    finally:
        server.send_signal(signal.SIGTERM)
        tap.equal(server.wait(timeout=40), 0, "it ends on SIGTERM")


def test_programs(tap, build, root, version):
    chroot = Chroot(root)
    first = chroot.works()
    if "unshare" in first.stderr or "mount" in first.stderr:
        tools.missing(f"right to unshare and mount ({first.stderr.splitlines()[0]})", "the image's programs at work")
        return
    tap.equal((first.returncode, first.stdout), (0, f"drawbridge {version}\n"), "drawbridge --version")
    rules = tools.run(chroot.command("/usr/bin/drawbridge", "rules"))
    tap.ok(rules.returncode == 0 and "required" in rules.stdout, "drawbridge rules", rules.stderr)
    shown = tools.run(chroot.command("/usr/bin/drawbridge", "manifests", "--without-certificates", "--only", "service"))
    tap.ok(shown.returncode == 0 and "kind: Service" in shown.stdout, "drawbridge manifests", shown.stderr)
    test_serve(tap, build, chroot)


def test_again(tap, build, folder, digest):
    again = os.path.join(folder, "again")
    tap.equal(build_image(build, again), digest, "made again, it is the same")
    copy = os.path.join(folder, "copy")
    shutil.copytree(build, copy, ignore=shutil.ignore_patterns("obj", "tests", "python", "image", "bench*"))
    tap.equal(build_image(copy, os.path.join(folder, "other")), digest, "from another folder, the same")
    tap.ok(build_image(build, again, SOURCE_DATE_EPOCH="1") != digest, "with another time, it is another")


def test_root(tap, build, folder, root):
    """What the Dockerfile copies."""
    plain = os.path.join(folder, "plain")
    tap.equal(tools.run([sys.executable, BUILDER, "--root", build, plain]).returncode, 0, "files for the Dockerfile")
    different = tools.run(["diff", "--recursive", "--no-dereference", "--brief", "--exclude=tls", "--exclude=null", plain, root]).stdout
    tap.equal(different, "", "they are those of the layers")


DOCKERFILE = os.path.join(tools.DEPLOY, "Dockerfile")


def test_dockerfile(tap, image, version):
    """It cannot be built here; what it says is compared with what the other way makes."""
    with open(DOCKERFILE, encoding="utf-8") as file:
        text = re.sub(r"\\\n\s*", "", file.read())
    final = text.split("\nFROM ")[-1]
    config = image.config["config"]
    tap.equal(re.findall(r"^USER (.*)$", final, re.M), [config["User"]], "Dockerfile: user")
    tap.equal(re.findall(r"^ENTRYPOINT (.*)$", final, re.M), [json.dumps(config["Entrypoint"])], "Dockerfile: entrypoint")
    tap.equal(re.findall(r"^CMD (.*)$", final, re.M), [json.dumps(config["Cmd"])], "Dockerfile: command")
    tap.equal(sorted(port + "/tcp" for port in re.search(r"^EXPOSE (.*)$", final, re.M).group(1).split()), sorted(config["ExposedPorts"]), "Dockerfile: ports")
    labels = dict(re.findall(r'(org\.opencontainers\.image\.\w+)="([^"]*)"', final))
    tap.equal({name: config["Labels"].get(name) for name in labels}, labels, "Dockerfile: labels")
    copied = re.findall(r"^COPY (?!--)(.*) (\S+)$", text, re.M)
    tap.ok(copied and all(os.path.exists(os.path.join(tools.ROOT, name)) for names, _ in copied for name in names.split()), "Dockerfile: what is copied is there")
    with open(os.path.join(tools.ROOT, "Makefile"), encoding="utf-8") as file:
        packages = re.search(r"^PACKAGES := (.*)\n +(.*)$", file.read().replace("\\\n", "\n"), re.M).group(0).split()
    installed = re.search(r"apt-get install(.*?)&&", text).group(1).split()
    tap.ok({word for word in installed if not word.startswith("-")} <= set(packages), "Dockerfile: installs nothing that the Makefile does not")


def test_build_stage(tap, folder, root):
    """What its build stage does, with nothing but the files that it copies: the same programs come out, from another folder."""
    with open(DOCKERFILE, encoding="utf-8") as file:
        stage = re.sub(r"\\\n\s*", "", file.read()).split("\nFROM ")[1]
    where, image = os.path.join(folder, "stage"), os.path.join(folder, "stage-image")
    for names, target in re.findall(r"^COPY (?!--)(.*) (\S+)$", stage, re.M):
        for name in names.split():
            source, to = os.path.join(tools.ROOT, name), os.path.join(where, target, "" if os.path.isdir(os.path.join(tools.ROOT, name)) else name)
            (shutil.copytree if os.path.isdir(source) else copy_file)(source, to)
    command = re.findall(r"^RUN (make .*)$", stage, re.M)[0].replace(" /image", " " + image).replace("$(nproc)", "2")
    done = subprocess.run(command, shell=True, cwd=where, env={**os.environ, "SOURCE_DATE_EPOCH": "0"}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    tap.ok(done.returncode == 0, "Dockerfile: what it copies is enough to build", done.stdout[-3000:])
    different = tools.run(["diff", "--recursive", "--brief", os.path.join(image, "usr", "bin"), os.path.join(root, "usr", "bin")])
    tap.equal((different.returncode, different.stdout), (0, ""), "Dockerfile: it makes the same programs")


def copy_file(source, target):
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copy(source, target)


def main(build):
    tap = Tap()
    version = tools.run([os.path.join(build, "drawbridge"), "--version"]).stdout.split()[1]
    with tempfile.TemporaryDirectory() as folder:
        out, root = os.path.join(folder, "image"), os.path.join(folder, "root")
        os.chmod(folder, 0o755)  # another user must get in
        digest = build_image(build, out)
        image = Image(out)
        test_layout(tap, image, digest)
        test_config(tap, image, version)
        test_files(tap, image)
        image.unpack(root)
        test_sbom(tap, image, root)
        test_programs(tap, build, root, version)
        test_root(tap, build, folder, root)
        test_again(tap, build, folder, digest)
        test_dockerfile(tap, image, version)
        test_build_stage(tap, folder, root)
    return tap.done()


sys.exit(main(os.path.abspath(sys.argv[1])))
