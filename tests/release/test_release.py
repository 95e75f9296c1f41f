#!/usr/bin/env python3
"""What must agree before a release: the version, which stands in src/drawbridge.h, wherever else it is written, and the binary interface
of the library with tests/library/abi.txt.

    test_release.py BUILD
"""
import ctypes, difflib, os, re, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "library")]
from tap import Tap
import abi, header

ROOT = header.ROOT

# Where the version is written by hand: file, what it is there, and how it stands there.
PLACES = [
    ("src/CHANGELOG.md", "the newest release", r"\A(?:.*\n)*?## \[(\d.*?)\] - \d{4}-\d\d-\d\d$"),
    ("deploy/Dockerfile", "the image's label", r'image\.version="(.*)"'),
    ("deploy/helm/drawbridge/Chart.yaml", "the chart's version", r"^version: (.*)$"),
    ("deploy/helm/drawbridge/Chart.yaml", "appVersion", r"^appVersion: (.*)$"),
    ("deploy/kustomize/base/drawbridge.yaml", "the image's tag", r'image: "drawbridge:(.*)"'),
    ("deploy/kustomize/example/kustomization.yaml", "the image's tag", r"newTag: (.*)$"),
]
# Names of images, programs and files with a version, in any file.
NAMED = re.compile(r"(?:\bdrawbridge[: -]|build/image:|libdrawbridge\.so\.)v?(\d+\.\d+\.\d+)\b")
TEXTS = (".md", ".txt", ".yaml", ".yml", ".py", ".c", ".h", ".toml", "Dockerfile", "Makefile", ".tpl", ".json")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def texts():
    """The files of the repository that people write."""
    left_out = re.compile(r"^(build|build-[^/]*|\.git)(/|$)|(^|/)(__pycache__|conformance|reviews)(/|$)")
    for folder, folders, names in os.walk(ROOT):
        here = os.path.relpath(folder, ROOT)
        folders[:] = [name for name in folders if not left_out.search(os.path.normpath(os.path.join(here, name)))]
        yield from (os.path.normpath(os.path.join(here, name)) for name in names if name.endswith(TEXTS))


def test_header(tap, version):
    text = header.text()
    numbers = [re.search(rf"^#define DRAWBRIDGE_VERSION_{part} (\d+)$", text, re.M)[1] for part in ("MAJOR", "MINOR", "PATCH")]
    tap.equal(".".join(numbers), version, "src/drawbridge.h: DRAWBRIDGE_VERSION is made of its three numbers")
    tap.equal(set(re.findall(r'"(\d+\.\d+\.\d+)"', text)), {version}, "src/drawbridge.h: no other version stands in it")
    tap.equal(re.search(r"^DRAWBRIDGE_(\S+) \{", read("src/library/exports.map"), re.M)[1], header.abi(), "src/library/exports.map: the ABI of that version")


def test_written(tap, version):
    for path, what, pattern in PLACES:
        tap.equal(set(re.findall(pattern, read(path), re.M)), {version}, f"{path}: {what}")
    wrong = {(path, found) for path in sorted(texts()) for found in NAMED.findall(read(path)) if found != version}
    tap.ok(not wrong, "images, programs and files have that version wherever they are named", wrong)
    tap.ok('dynamic = ["version"]' in read("src/python/pyproject.toml"), "the Python package takes the version from the header")


def test_built(tap, build, version):
    tap.equal(output(os.path.join(build, "drawbridge"), "--version"), f"drawbridge {version}", "the program says the version")
    tap.ok(os.path.isfile(os.path.join(build, f"libdrawbridge.so.{version}")), "the shared library has it in its name")
    if not os.path.basename(build).partition("-")[2]:  # a sanitizer's library does not load into this Python
        library = ctypes.CDLL(os.path.join(build, "libdrawbridge.so"))
        library.drawbridge_version.restype = ctypes.c_char_p
        tap.equal(library.drawbridge_version().decode(), version, "the library says it")


def test_interface(tap, build):
    tap.ok(read("tests/library/abi.txt").startswith(abi.HEAD), "tests/library/abi.txt: how to update it")
    want, got = [line for line in read("tests/library/abi.txt").splitlines() if not line.startswith("#")], abi.lines(build)
    tap.ok(len(got) > 140, "there is something to compare", got)
    tap.equal(got[0], f"name libdrawbridge.so.{header.abi()}", "the name of the shared library is that of its ABI")
    changes = difflib.unified_diff(want, got, "tests/library/abi.txt", "built", n=0, lineterm="")
    tap.ok(want == got, "the binary interface is that of tests/library/abi.txt, whose head says what to do otherwise", "\n".join(changes))
    names = {line.split()[1] for line in got if line.startswith("symbol ")}
    tap.equal(names, set(header.function_names()), "the library exports what the header declares, and nothing else")


def main(build):
    tap = Tap()
    version = header.version()
    test_header(tap, version)
    test_written(tap, version)
    test_built(tap, build, version)
    test_interface(tap, build)
    waiting = re.search(r"^## \[Unreleased\]\n+((?:(?!## ).*\n)*)", read("src/CHANGELOG.md"), re.M)
    if waiting and waiting[1].strip():
        print("# measured: src/CHANGELOG.md has unreleased changes; they need a version, and its number here, before they are released")
    return tap.done()


sys.exit(main(os.path.abspath(sys.argv[1])))
