"""What the tests of this folder share: programs, the command's output, objects."""
import json, os, shutil, subprocess, sys, tempfile

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DEPLOY = os.path.join(ROOT, "deploy")
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap  # noqa: F401, for the tests

GO_PROGRAMS = os.path.join(ROOT, "build-deploy", "bin")           # made by `make test-deploy` where there is a Go
E2E_PROGRAMS = os.path.join(ROOT, "build-e2e", "bin")             # made by `make e2e`


def find(name):
    """The path of a program, or None."""
    for folder in GO_PROGRAMS, E2E_PROGRAMS:
        if os.access(os.path.join(folder, name), os.X_OK):
            return os.path.join(folder, name)
    return shutil.which(name)


def missing(what, tests):
    """What is not there is said, not passed over: run.py repeats the line. No test is counted."""
    print(f"# skipped: {tests}: no {what} here", flush=True)


def needed(name, tests, what=None):
    """The path of a program; or None, after it was said which tests it is missing for."""
    program = find(name)
    if not program:
        missing(what or name, tests)
    return program


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300, **options)


def manifests(build, *options, folder=None):
    """The objects that `drawbridge manifests` prints, in a folder of their own unless one is given."""
    with tempfile.TemporaryDirectory() as own:
        done = run([os.path.join(build, "drawbridge"), "manifests", *options], cwd=folder or own)
    if done.returncode:
        raise SystemExit(f"drawbridge manifests {' '.join(options)}: {done.stderr}")
    return objects(done.stdout)


def objects(text):
    return [item for item in yaml.safe_load_all(text) if item is not None]


def identity(item):
    return item["kind"], item["metadata"].get("namespace", ""), item["metadata"]["name"]


def by_identity(items):
    return {identity(item): item for item in items}


def pretty(value):
    return json.dumps(value, indent=1, sort_keys=True)


def run_through(command):
    """Its output is ours. Returns its exit status."""
    sys.stdout.flush()
    return subprocess.run(command, timeout=600).returncode
