#!/usr/bin/env python3
"""The Python package: installed with pip into an environment of its own below BUILD, and put through the cases in cases/ there.

    test_python.py BUILD

The environment is made once for a Python and requirements.txt, the package is installed again when anything that it is made of has
changed; both need PyPI, a further run needs nothing. pip installs the release library. Under a sanitizer the one of BUILD takes its
place, with the sanitizer's runtime loaded first, because Python is built without.
"""
import glob, hashlib, os, shutil, subprocess, sys, xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.dirname(HERE), os.path.join(ROOT, "tests", "docs")]
from tap import Tap
import documents

REQUIREMENTS = os.path.join(HERE, "requirements.txt")
RUNTIMES = {"asan": "libasan.so", "tsan": "libtsan.so"}
FOR_MAKE = ("CONFIG", "BUILD", "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEFILES")  # of the make that runs these tests


class Failed(Exception):
    pass


def run(*command, env=None):
    done = subprocess.run(command, env=env or environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if done.returncode:
        raise Failed(f"{' '.join(command)}\n{done.stdout}")


def environment():
    env = {name: value for name, value in os.environ.items() if name not in FOR_MAKE}
    return dict(env, PYTHONDONTWRITEBYTECODE="1", PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_NO_INPUT="1")


def digest(words, paths):
    sha = hashlib.sha256("\0".join(words).encode())
    for path in sorted(paths):
        sha.update(os.path.relpath(path, ROOT).encode() + b"\0")
        with open(path, "rb") as file:
            sha.update(file.read())
    return sha.hexdigest()


def package_inputs():
    found = [os.path.join(ROOT, "Makefile")]
    for folder in ("src", "rules"):
        for path, folders, names in os.walk(os.path.join(ROOT, folder)):
            folders[:] = [name for name in folders if name != "__pycache__"]
            found += [os.path.join(path, name) for name in names]
    return found


def stamp_says(path, key):
    if not os.path.exists(path):
        return False
    with open(path) as file:
        return file.read() == key


def write_stamp(path, key):
    with open(path, "w") as file:
        file.write(key)


def prepare(folder):
    """The environment's Python, with everything installed."""
    venv = os.path.join(folder, "venv")
    python = os.path.join(venv, "bin", "python")
    requirements, package = os.path.join(venv, "requirements.stamp"), os.path.join(venv, "package.stamp")
    key = digest([sys.version, sys.executable, venv], [REQUIREMENTS])
    if not stamp_says(requirements, key):
        shutil.rmtree(venv, ignore_errors=True)
        run(sys.executable, "-m", "venv", venv)
        run(python, "-m", "pip", "install", "-q", "-r", REQUIREMENTS, env=dict(environment(), PIP_CONSTRAINT=REQUIREMENTS))  # setuptools for avionix, too
        write_stamp(requirements, key)
    key = digest([], package_inputs())
    if not stamp_says(package, key):
        run(python, "-m", "pip", "install", "-q", "--force-reinstall", "--no-deps", os.path.join(ROOT, "src", "python"))
        write_stamp(package, key)
    return python


def sanitizer(build, python):
    """Puts the library of a sanitized build into the environment; what has to be set for it to run. Nothing in other builds."""
    config = os.path.basename(build).partition("-")[2]
    if config not in RUNTIMES:
        return {}
    library = glob.glob(os.path.join(os.path.dirname(python), "..", "lib", "python3*", "site-packages", "drawbridge", "libdrawbridge.so"))[0]
    shutil.copyfile(os.path.join(build, "libdrawbridge.so"), library)
    runtime = subprocess.run([os.environ.get("CC") or "cc", f"-print-file-name={RUNTIMES[config]}"], stdout=subprocess.PIPE, text=True).stdout.strip()
    # Python keeps much of what it allocates until it ends, so leaks are counted by test_memory.py instead.
    asan = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0:detect_stack_use_after_return=0"
    return {"LD_PRELOAD": os.path.realpath(runtime), "ASAN_OPTIONS": asan, "PYTHONMALLOC": "malloc", "DRAWBRIDGE_SANITIZER": config}


def sessions():
    """The documents with sessions of Python in them."""
    return [os.path.join(ROOT, path) for path in documents.paths() if ">>> " in documents.read(path)]


def results(tap, path):
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        name = case.get("classname").rpartition(".")[2] + ": " + case.get("name")
        bad = [part for part in case if part.tag in ("failure", "error")]
        skipped = case.find("skipped")
        tap.ok(not bad, name if skipped is None else f"{name} (skipped: {skipped.get('message')})", "\n".join(part.text or part.get("message") for part in bad))


def main(build):
    tap = Tap()
    folder = os.path.join(os.path.abspath(build), "python")
    os.makedirs(folder, exist_ok=True)
    junit = os.path.join(folder, "results.xml")
    try:
        python = prepare(folder)
        extra = sanitizer(os.path.abspath(build), python)
        tap.ok(True, "pip installs the package")
    except Failed as error:
        tap.ok(False, "pip installs the package", error)
        return tap.done()
    if os.path.exists(junit):
        os.remove(junit)
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.path.join(HERE, "pytest.ini"), "--rootdir", HERE, f"--junitxml={junit}",
               os.path.join(HERE, "cases"), *sessions()]
    done = subprocess.run(command, cwd=folder, env=dict(environment(), **extra), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if os.path.exists(junit):
        results(tap, junit)
    tap.ok(done.returncode == (1 if tap.failed else 0), "pytest ran to its end", done.stdout[-8000:])
    return tap.done()


sys.exit(main(sys.argv[1]))
