#!/usr/bin/env python3
"""Writes a container image as an OCI image layout, without a container engine: the programs, the shared libraries that they load, and
nothing that runs beside them.

    build.py BUILD OUT            the layout in folder OUT; prints the manifest's digest
    build.py --root BUILD OUT     only the image's files below OUT, for a Dockerfile

The same programs and libraries give the same bytes: times are SOURCE_DATE_EPOCH, or that of the commit.
"""
import gzip, hashlib, io, json, os, re, shutil, subprocess, sys, tarfile, tempfile, time

import sbom

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = ["drawbridge", "drawbridge-certs", "drawbridge-serve"]
USER = 65532  # as other images without a distribution have it
FOLDERS = [("dev", 0o755), ("etc", 0o755), ("etc/drawbridge", 0o755), ("proc", 0o755), ("sys", 0o755), ("tmp", 0o1777)]
LINKS = [("bin", "usr/bin"), ("lib", "usr/lib"), ("lib64", "usr/lib64")]
FILES = {
    "etc/passwd": f"root:x:0:0:root:/:/none\nnonroot:x:{USER}:{USER}:nonroot:/:/none\n",
    "etc/group": f"root:x:0:\nnonroot:x:{USER}:\n",
}


def output(*command):
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def git(*arguments):
    """What git says, or "" where there is no repository, or no git."""
    if not shutil.which("git"):
        return ""
    done = subprocess.run(["git", *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def facts():
    with open(os.path.join(ROOT, "src", "drawbridge.h"), encoding="utf-8") as header:
        version = re.search(r'^#define DRAWBRIDGE_VERSION "(.*)"', header.read(), re.M).group(1)
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or git("log", "-1", "--format=%ct") or 0)
    revision = git("rev-parse", "HEAD")
    if revision and git("status", "--porcelain", "--untracked-files=no"):
        revision += "-dirty"
    return {"version": version, "seconds": seconds, "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds)), "revision": revision,
            "architecture": output("dpkg", "--print-architecture")}


# ---- files: a dictionary of (mode, content) by path; a str is where a link points ----

def stripped(program):
    """Without debug information, and without the build id, which depends on the folder of the build."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "program")
        subprocess.run(["strip", "--strip-all", "--remove-section=.note.gnu.build-id", "-o", copy, program], check=True)
        with open(copy, "rb") as file:
            return file.read()


def library_paths(programs):
    """Where each shared library is, by its path in the image; the loader is one of them."""
    paths = {}
    for program in programs:
        for line in output("ldd", program).splitlines():
            match = re.search(r"(/\S+) \(0x", line)
            if match:
                folder, name = os.path.split(match.group(1))
                folder = folder if folder.startswith("/usr/") else "/usr" + folder
                paths[folder[1:] + "/" + name] = os.path.realpath(match.group(1))
            elif "not found" in line:
                raise SystemExit(f"{program}: {line.strip()}")
    return paths


def read(path):
    with open(path, "rb") as file:
        return file.read()


def program_files(build):
    files = {"usr/bin/" + name: (0o755, stripped(os.path.join(build, name))) for name in PROGRAMS}
    files["usr/share/doc/drawbridge/LICENSE"] = (0o644, read(os.path.join(ROOT, "LICENSE")))
    return files


def library_files(libraries, packages):
    """Libraries, their licences, and what scanners look for to tell their versions."""
    files = {path: (0o755, read(source)) for path, source in libraries.items()}
    for path, content in FILES.items():
        files[path] = (0o644, content.encode())
    for path in "etc/os-release", "etc/debian_version":
        files[path] = (0o644, read("/" + path))
    for package in packages.values():
        files[f"var/lib/dpkg/status.d/{package['name']}"] = (0o644, (package["stanza"] + "\n").encode())
        files[f"usr/share/doc/{package['name']}/copyright"] = (0o644, package["copyright"].encode())
        for name in re.findall(r"/usr/share/common-licenses/([\w.-]*\w)", package["copyright"]):
            if os.path.isfile(f"/usr/share/common-licenses/{name}"):
                files[f"usr/share/common-licenses/{name}"] = (0o644, read(f"/usr/share/common-licenses/{name}"))
    return files


def with_folders(files, folders=(), links=()):
    """Adds the folders above everything."""
    entries = {path: (mode, None) for path, mode in folders}
    entries.update({path: (0o777, target) for path, target in links})
    entries.update(files)
    for path in list(entries):
        while "/" in path:
            path = path.rsplit("/", 1)[0]
            entries.setdefault(path, (0o755, None))
    return dict(sorted(entries.items()))


# ---- the layout ----

def tar(entries, seconds):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path, (mode, content) in entries.items():
            info = tarfile.TarInfo(path)
            info.mode, info.mtime = mode, seconds
            if content is None:
                info.type = tarfile.DIRTYPE
            elif isinstance(content, str):
                info.type, info.linkname = tarfile.SYMTYPE, content
            else:
                info.size = len(content)
            archive.addfile(info, io.BytesIO(content) if isinstance(content, bytes) else None)
    return buffer.getvalue()


class Layout:
    def __init__(self, folder):
        self.folder = folder
        os.makedirs(os.path.join(folder, "blobs", "sha256"))
        self.write("oci-layout", {"imageLayoutVersion": "1.0.0"})

    def write(self, name, value):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(value if isinstance(value, str) else json.dumps(value, sort_keys=True) + "\n")

    def blob(self, kind, content):
        """Returns the descriptor."""
        if not isinstance(content, bytes):
            content = json.dumps(content, sort_keys=True).encode()
        digest = hashlib.sha256(content).hexdigest()
        with open(os.path.join(self.folder, "blobs", "sha256", digest), "wb") as file:
            file.write(content)
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": "sha256:" + digest, "size": len(content)}


def labels(about):
    values = {"title": "drawbridge", "description": "Validates Kubernetes storage and device objects as the API server does", "version": about["version"],
              "created": about["created"], "licenses": "Apache-2.0", "revision": about["revision"]}
    return {"org.opencontainers.image." + name: value for name, value in values.items() if value}


def image_config(about, layers):
    """`layers`: (diff id, what it is) of each."""
    return {
        "architecture": about["architecture"], "os": "linux", "created": about["created"],
        "config": {"User": f"{USER}:{USER}", "Entrypoint": ["/usr/bin/drawbridge"], "Cmd": ["--help"], "WorkingDir": "/", "Env": ["PATH=/usr/bin"],
                   "ExposedPorts": {"8443/tcp": {}, "8080/tcp": {}}, "StopSignal": "SIGTERM", "Labels": labels(about)},
        "rootfs": {"type": "layers", "diff_ids": [diff for diff, _ in layers]},
        "history": [{"created": about["created"], "created_by": text} for _, text in layers],
    }


def write_layout(folder, about, parts):
    """`parts`: (entries, what it is) of each layer, the one that changes least first."""
    layout, descriptors, layers = Layout(folder), [], []
    for entries, text in parts:
        plain = tar(entries, about["seconds"])
        layers.append(("sha256:" + hashlib.sha256(plain).hexdigest(), text))
        descriptors.append(layout.blob("layer.v1.tar+gzip", gzip.compress(plain, 9, mtime=0)))
    config = layout.blob("config.v1+json", image_config(about, layers))
    manifest = layout.blob("manifest.v1+json", {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": config,
                                                "layers": descriptors, "annotations": labels(about)})
    manifest["annotations"] = {"org.opencontainers.image.ref.name": about["version"]}
    manifest["platform"] = {"architecture": about["architecture"], "os": "linux"}
    layout.write("index.json", {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [manifest]})
    return layout, manifest["digest"]


def write_root(folder, entries):
    os.makedirs(folder, exist_ok=True)
    for path, (mode, content) in entries.items():
        target = os.path.join(folder, path)
        if isinstance(content, str):
            os.symlink(content, target)
            continue
        if content is None:
            os.makedirs(target, exist_ok=True)
        else:
            with open(target, "wb") as file:
                file.write(content)
        os.chmod(target, mode)


def main(arguments):
    only_root = arguments[:1] == ["--root"]
    if len(arguments) != 2 + only_root:
        raise SystemExit(__doc__.strip())
    build, out = arguments[-2:]
    about = facts()
    programs = program_files(build)
    libraries = library_paths([os.path.join(build, name) for name in PROGRAMS])
    packages = sbom.packages(libraries)
    base = library_files(libraries, packages)
    document = json.dumps(sbom.document(about, packages, {**base, **programs}), indent=1, sort_keys=True) + "\n"
    programs["usr/share/sbom/drawbridge.spdx.json"] = (0o644, document.encode())
    parts = [(with_folders(base, FOLDERS, LINKS), "shared libraries of Debian packages"), (with_folders(programs), "drawbridge " + about["version"])]
    if os.path.exists(out):
        shutil.rmtree(out)
    if only_root:
        for entries, _ in parts:
            write_root(out, entries)
        return
    layout, digest = write_layout(out, about, parts)
    layout.write("sbom.spdx.json", document)
    print(digest)


if __name__ == "__main__":
    main(sys.argv[1:])
