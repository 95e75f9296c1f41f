"""The package itself: what it declares, how it is built, its types."""
import ctypes
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import drawbridge
import pytest
from drawbridge import _kinds, _library

ROOT = Path(__file__).resolve().parents[3]
HEADER = (ROOT / "src" / "drawbridge.h").read_text()
C_TYPES = {
    "int": ctypes.c_int, "int64_t": ctypes.c_int64, "uint64_t": ctypes.c_uint64, "size_t": ctypes.c_size_t,
    "const char *": ctypes.c_char_p,
    "const char *const *": ctypes.POINTER(ctypes.c_char_p),
    "enum drawbridge_severity": ctypes.c_int, "enum drawbridge_unknown_fields": ctypes.c_int,
    "const struct drawbridge_drivers *": ctypes.c_void_p,
    "const struct drawbridge_other *": ctypes.POINTER(_library.RawOther),
    "const struct drawbridge_kind *": ctypes.POINTER(_library.RawKind),
    "const struct drawbridge_error *": ctypes.POINTER(_library.RawError),
    "const struct drawbridge_device *": ctypes.POINTER(_library.RawDevice),
    "const struct drawbridge_group *const *": ctypes.POINTER(ctypes.POINTER(_library.RawGroup)),
    "const struct drawbridge_candidate *const *": ctypes.POINTER(ctypes.POINTER(_library.RawCandidate)),
    "const struct drawbridge_request *const *": ctypes.POINTER(ctypes.POINTER(_library.RawRequest)),
    "const struct drawbridge_allocated_device *const *": ctypes.POINTER(ctypes.POINTER(_library.RawAllocatedDevice)),
    "const struct drawbridge_allocated_claim *const *": ctypes.POINTER(ctypes.POINTER(_library.RawAllocatedClaim)),
    "const struct drawbridge_doubt *const *": ctypes.POINTER(ctypes.POINTER(_library.RawDoubt)),
    "const struct drawbridge_allocation_node *const *": ctypes.POINTER(ctypes.POINTER(_library.RawAllocationNode)),
}
STRUCTURES = [
    ("drawbridge_text", _library.Text), ("drawbridge_options", _library.Options), ("drawbridge_finding", _library.RawFinding),
    ("drawbridge_other", _library.RawOther), ("drawbridge_rule", _library.RawRule), ("drawbridge_kind", _library.RawKind),
    ("drawbridge_constraint", _library.RawConstraint), ("drawbridge_error", _library.RawError),
    ("drawbridge_cel_options", _library.CelOptions), ("drawbridge_cel_info", _library.RawCelInfo), ("drawbridge_device", _library.RawDevice),
    ("drawbridge_evaluation", _library.RawEvaluation), ("drawbridge_match_options", _library.MatchOptions),
    ("drawbridge_candidate", _library.RawCandidate), ("drawbridge_group", _library.RawGroup), ("drawbridge_request", _library.RawRequest),
    ("drawbridge_claim", _library.RawClaim), ("drawbridge_allocate_options", _library.AllocateOptions),
    ("drawbridge_allocated_device", _library.RawAllocatedDevice), ("drawbridge_allocated_claim", _library.RawAllocatedClaim),
    ("drawbridge_doubt", _library.RawDoubt), ("drawbridge_allocation_node", _library.RawAllocationNode),
    ("drawbridge_subject", _library.RawSubject),
]


def environment(**more):
    """Without what a sanitizer has loaded into this Python, which is not for compilers."""
    return dict({name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}, **more)


# ---- the same as the header ----

def c_fields(struct):
    body = re.search(r"^struct " + struct + r" \{\n(.*?)^\};", HEADER, re.M | re.S)[1]
    for kind, names in re.findall(r"^    (const (?:char|struct \w+) \*const \*|const (?:char|struct \w+) \*|enum \w+ |\w+ )(\w+(?:, \*?\w+)*);", body, re.M):
        for name in names.split(","):
            yield name.strip(" *"), C_TYPES[kind.strip()]


def test_every_structure():
    """The allocator is the library's own."""
    assert {name for name, _ in STRUCTURES} == set(re.findall(r"^struct (\w+) \{", HEADER, re.M)) - {"drawbridge_allocator"}


@pytest.mark.parametrize("struct, ours", STRUCTURES)
def test_structures(struct, ours):
    assert list(c_fields(struct)) == ours._fields_


def test_constants():
    values = dict(re.findall(r"^    DRAWBRIDGE_(\w+) = (\d+)", HEADER, re.M))
    assert len(values) == 7 + 3 + 3
    for name in ("OK", "NO_MEMORY", "LIMIT", "BAD_VERSION", "BAD_OPTION", "INTERNAL", "BAD_ARGUMENT"):
        assert getattr(_library, name) == int(values[name])
    for name in ("ERROR", "WARNING", "INFO"):
        assert _library.SEVERITIES[int(values[name])] == name.lower()
    assert _library.UNKNOWN_FIELDS == {"error": int(values["UNKNOWN_ERROR"]), "warn": int(values["UNKNOWN_WARNING"]), "ignore": int(values["UNKNOWN_IGNORE"])}
    assert "#define DRAWBRIDGE_MAX_BYTES ((size_t)256 << 20)" in HEADER and drawbridge.MAX_BYTES == 256 << 20
    assert f'#define DRAWBRIDGE_VERSION "{drawbridge.__version__}"' in HEADER


def test_functions():
    names = re.findall(r"^DRAWBRIDGE_API [^;(]*\b(drawbridge_\w+)\(", HEADER, re.M)
    assert len(names) > 20
    for name in names:
        assert getattr(_library.library, name).argtypes is not None, f"{name} is not declared"


def test_kinds():
    table = (ROOT / "rules" / "kinds.def").read_text()
    assert [(kind.group, kind.version, kind.kind, kind.resource) for kind in drawbridge.kinds()] == [
        names for names in re.findall(r'^KIND\("([^"]*)",\s*"([^"]*)",\s*"([^"]*)",\s*"([^"]*)"', table, re.M)]


def test_kinds_of_models():
    """Kinds of one name are of one group, so that a class's name is enough; modules are named after groups."""
    assert _kinds._KINDS["CSIDriver"] == "storage.k8s.io" and _kinds._KINDS["Node"] == "" and "Namespace" not in _kinds._KINDS
    assert _kinds._GROUPS == {"apps": "apps", "batch": "batch", "core": "", "groupsnapshot": "groupsnapshot.storage.k8s.io",
                               "resource": "resource.k8s.io", "snapshot": "snapshot.storage.k8s.io", "storage": "storage.k8s.io"}
    current = {(kind.kind, kind.group) for kind in drawbridge.kinds() if kind.has_rules and not kind.replaced_by}
    assert len(current) == len({name for name, _ in current})


# ---- installed and built ----

def test_installed():
    import importlib.metadata
    package = Path(drawbridge.__file__).parent
    assert Path(sys.prefix) in package.parents and ROOT / "src" not in package.parents
    assert importlib.metadata.version("drawbridge-k8s") == drawbridge.__version__
    assert (package / "py.typed").exists()


def test_import_from_another_directory(tmp_path):
    code = "import drawbridge; drawbridge.assert_valid('{apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: a}, spec: {}}')"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)


def listing(folder):
    return {str(path.relative_to(folder)): (path.stat().st_mtime_ns if path.is_file() else None) for path in folder.rglob("*")}


def copy_of_the_tree(folder):
    for name in ("src", "rules"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "Makefile", folder)
    return folder


def pip_wheel(tree, out, **more):
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "--no-index", "-w", str(out), "./src/python"]
    return subprocess.run(command, cwd=tree, env=environment(**more), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


PROGRAMS = {"drawbridge/bin/" + name for name in ("drawbridge", "drawbridge-certs", "drawbridge-serve")}


def test_wheel_of_a_copied_tree(tmp_path):
    """And nothing is left behind in it. A surrounding make, and what it hands down, change nothing."""
    tree = copy_of_the_tree(tmp_path / "tree")
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    before = listing(tree)
    done = pip_wheel(tree, tmp_path / "out", TMPDIR=str(temporary), MAKEFLAGS="CONFIG=asan", CONFIG="asan", BUILD="elsewhere", CI="1")
    assert done.returncode == 0, done.stdout
    assert listing(tree) == before
    assert list(temporary.iterdir()) == []
    wheel, = (tmp_path / "out").iterdir()
    assert re.fullmatch(rf"drawbridge_k8s-{re.escape(drawbridge.__version__)}-py3-none-linux_\w+\.whl", wheel.name)
    with zipfile.ZipFile(wheel) as opened:
        names = {name for name in opened.namelist() if ".dist-info/" not in name}
        assert b"__asan_init" not in opened.read("drawbridge/libdrawbridge.so")
        assert all(opened.getinfo(name).external_attr >> 16 & 0o111 for name in PROGRAMS)
    modules = {"drawbridge/" + path.name for path in (ROOT / "src" / "python" / "drawbridge").glob("*.py")}
    assert names == modules | PROGRAMS | {"drawbridge/py.typed", "drawbridge/libdrawbridge.so"}


def test_no_compiler(tmp_path):
    done = pip_wheel(ROOT, tmp_path, CC="no-such-compiler")
    assert done.returncode and "apt-get install gcc libc6-dev libpcre2-dev libyaml-dev libcjson-dev" in done.stdout


def test_no_headers(tmp_path):
    compiler = tmp_path / "cc"
    compiler.write_text('#!/bin/sh\n! grep -q yaml.h\n')
    compiler.chmod(0o755)
    done = pip_wheel(ROOT, tmp_path / "out", CC=str(compiler))
    assert done.returncode and "what is missing: libyaml's headers. On Debian: apt-get install libyaml-dev" in done.stdout


def test_no_tree(tmp_path):
    shutil.copytree(ROOT / "src" / "python", tmp_path / "src" / "python")
    done = pip_wheel(tmp_path, tmp_path / "out")
    assert done.returncode and "Take the whole tree and run: pip install ./src/python" in done.stdout


def test_no_libraries(tmp_path):
    """A library that cannot be loaded is an ImportError that names packages."""
    shutil.copytree(Path(drawbridge.__file__).parent, tmp_path / "drawbridge")
    (tmp_path / "drawbridge" / "libdrawbridge.so").write_bytes(b"")
    done = subprocess.run([sys.executable, "-c", "import drawbridge"], cwd=tmp_path, env=environment(PYTHONPATH=str(tmp_path)), stderr=subprocess.PIPE, text=True)
    assert "ImportError: drawbridge's library cannot be loaded" in done.stderr and "apt-get install libpcre2-8-0 libyaml-0-2" in done.stderr


# ---- types ----

USER = """\
from typing import Optional, Tuple
import drawbridge

report: drawbridge.Report = drawbridge.validate({"a": 1}, None, kubernetes_version="1.34", unknown_fields="warn", as_status=True, validate_as="recycler-pod-template")
first: drawbridge.Finding = report[0]
some: Tuple[drawbridge.Finding, ...] = report[1:]
hint: Optional[str] = first.hint
severity: drawbridge.Severity = first.severity
kinds: Tuple[drawbridge.Kind, ...] = drawbridge.kinds()
largest: Optional[int] = drawbridge.constraints(kinds[0])[0].max
rule: str = drawbridge.rules()[0].id + drawbridge.Context().constraints()[0].rule
drawbridge.Context().assert_valid([report], allow_unvalidated=True).ok
expression: drawbridge.Expression = drawbridge.cel("true", any_type=True, kubernetes_version="1.34")
evaluation: drawbridge.Evaluation = expression.evaluate({}, driver="gpu.acme.dev")
error: Optional[drawbridge.CelError] = evaluation.error
devices: Tuple[drawbridge.Device, ...] = tuple(each.device for each in expression.evaluate_all("{}"))
match: drawbridge.Match = drawbridge.match({}, "", node="node-a")
request: drawbridge.Request = match.claims[0].requests[0]
candidate: drawbridge.Candidate = request.devices[0]
"""


def mypy(tmp_path, *arguments):
    return subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), *arguments],
                          cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def test_types(tmp_path):
    pytest.importorskip("mypy")
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text(USER)
    bad.write_text(USER.replace('"warn"', '"warning"').replace("hint: Optional[str]", "hint: str"))
    done = mypy(tmp_path, "-p", "drawbridge")
    assert done.returncode == 0, done.stdout
    done = mypy(tmp_path, "good.py")
    assert done.returncode == 0, done.stdout
    done = mypy(tmp_path, "bad.py")
    assert done.returncode == 1 and "Found 2 errors" in done.stdout
