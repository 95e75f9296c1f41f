#!/usr/bin/env python3
"""Packs the kubectl plugin for krew: an archive of the programs and completion, and the plugin's manifest with its digest.

    build.py [--url URL] BUILD FOLDER

Writes FOLDER/drawbridge-VERSION-linux-ARCH.tar.gz and FOLDER/drawbridge.yaml. URL is the folder from which people will get the archive.
The same files give the same archive. `kubectl krew install --manifest=FOLDER/drawbridge.yaml --archive=FOLDER/drawbridge-….tar.gz` tries it.
"""
import argparse, gzip, hashlib, io, os, platform, re, subprocess, tarfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}  # as krew names them
MANIFEST = """\
apiVersion: krew.googlecontainertools.github.com/v1alpha2
kind: Plugin
metadata:
  name: drawbridge
spec:
  version: v{version}
  homepage: {url}
  shortDescription: Validate storage and device objects
  description: |
    Validates StorageClasses, CSIDrivers, ResourceClaims, ResourceSlices and
    other objects of storage.k8s.io and resource.k8s.io as an API server of a
    chosen version does, explains their rules, and says which devices fit a
    claim. It needs no cluster.
  caveats: |
    The programs need the libraries cJSON, PCRE2 and libyaml of the system.
    kubectl drawbridge serve and certs also need libmicrohttpd, GnuTLS and OpenSSL.
  platforms:
  - selector:
      matchLabels:
        os: linux
        arch: {architecture}
    uri: {url}/{archive}
    sha256: {digest}
    bin: drawbridge
"""


def add(archive, name, data, mode):
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(data), mode
    archive.addfile(info, io.BytesIO(data))


def pack(build):
    """The archive: programs beside each other, as drawbridge looks for the others in its own folder."""
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as file, tarfile.open(fileobj=file, mode="w") as archive:
        for folder, name, mode in ((build, "drawbridge", 0o755), (build, "drawbridge-certs", 0o755), (build, "drawbridge-serve", 0o755),
                                   (HERE, "kubectl_complete-drawbridge", 0o755), (ROOT, "LICENSE", 0o644)):
            with open(os.path.join(folder, name), "rb") as data:
                add(archive, name, data.read(), mode)
    return packed.getvalue()


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--url", default="https://drawbridge.example.com/releases")
    arguments.add_argument("build", help="folder with the programs")
    arguments.add_argument("folder", help="where to write")
    arguments = arguments.parse_args()
    said = subprocess.run([os.path.join(arguments.build, "drawbridge"), "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    version = re.fullmatch(r"drawbridge (\S+)\n", said)[1]
    architecture = ARCHITECTURES.get(platform.machine(), platform.machine())
    name, data = f"drawbridge-{version}-linux-{architecture}.tar.gz", pack(arguments.build)
    os.makedirs(arguments.folder, exist_ok=True)
    with open(os.path.join(arguments.folder, name), "wb") as file:
        file.write(data)
    with open(os.path.join(arguments.folder, "drawbridge.yaml"), "w", encoding="utf-8") as file:
        file.write(MANIFEST.format(version=version, url=arguments.url, architecture=architecture, archive=name,
                                   digest=hashlib.sha256(data).hexdigest()))


main()
