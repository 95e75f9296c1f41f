#!/usr/bin/env python3
"""SARIF against the schema of the standard, which an npm package has; both are kept below BUILD.

    test_sarif.py BUILD

Without npm nothing is checked. The first run needs npm's registry and PyPI.
"""
import hashlib, json, os, shutil, subprocess, sys, tarfile, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

REQUIREMENTS = os.path.join(HERE, "requirements.txt")
PACKAGE, MEMBER = "@microsoft/jest-sarif@1.0.0-beta.0", "package/lib/schemas/sarif-2.1.0-rtm.5.json"
VALIDATE = """
import json, jsonschema, sys
schema, report = (json.load(open(path)) for path in sys.argv[1:])
validator = jsonschema.validators.validator_for(schema)(schema, format_checker=jsonschema.FormatChecker())
for error in list(validator.iter_errors(report))[:5]:
    print(list(error.absolute_path), error.message[:300])
"""


def prepare(folder):
    """The interpreter with jsonschema, and the schema."""
    python, schema, stamp = (os.path.join(folder, name) for name in ("venv/bin/python", "schema.json", "stamp"))
    with open(REQUIREMENTS, "rb") as file:
        key = hashlib.sha256(file.read() + PACKAGE.encode()).hexdigest()
    if os.path.exists(stamp) and open(stamp).read() == key:
        return python, schema
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    subprocess.run([sys.executable, "-m", "venv", os.path.join(folder, "venv")], check=True, capture_output=True)
    subprocess.run([python, "-m", "pip", "install", "-q", "-r", REQUIREMENTS], check=True, capture_output=True)
    packed = subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=folder, check=True, capture_output=True, text=True).stdout.split()[-1]
    with tarfile.open(os.path.join(folder, packed)) as archive, open(schema, "wb") as file:
        file.write(archive.extractfile(MEMBER).read())
    with open(stamp, "w") as file:
        file.write(key)
    return python, schema


def check(tap, build, tools, name, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.sarif")
        subprocess.run([os.path.join(build, "drawbridge"), *arguments[:1], "--format", f"sarif={path}", *arguments[1:]], capture_output=True)
        results = json.load(open(path))["runs"][0]["results"]
        done = subprocess.run([tools[0], "-c", VALIDATE, tools[1], path], capture_output=True, text=True)
        tap.ok(results and done.returncode == 0 and not done.stdout, f"{name}: SARIF as its schema has it", done.stdout + done.stderr)


def main(build):
    tap = Tap()
    if not shutil.which("npm"):
        print("1..0 # SKIP npm is not installed")
        return 0
    try:
        tools = prepare(os.path.join(build, "sarif"))
    except (subprocess.CalledProcessError, OSError) as error:
        tap.ok(False, "the schema and its validator are fetched", getattr(error, "stderr", error))
        return tap.done()
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "a.yaml"), "w") as file:
            file.write("apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: a.acme.dev}\nspec: {fsGroupPolicy: Files} # drawbridge: ignore[enum] known\n")
        check(tap, build, tools, "a suppressed finding", "lint", os.path.join(folder, "a.yaml"))
    os.chdir(os.path.join(HERE, "..", "manifests"))
    check(tap, build, tools, "everything", "lint", "--inside-configmaps", ".")
    check(tap, build, tools, "a range of versions", "lint", "--kubernetes-version", "1.31..1.37", "bad.yaml", "mistakes")
    check(tap, build, tools, "an upgrade", "upgrade", "--from", "1.33", "--to", "1.37", ".")
    return tap.done()


sys.exit(main(os.path.abspath(sys.argv[1])))
