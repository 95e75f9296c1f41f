#!/usr/bin/env python3
"""Which lines of src and rules the tests have reached: `make coverage` builds with --coverage, runs the suites, and calls this.

    coverage.py BUILD

Writes BUILD/unreached.txt, each line as FILE:LINE: TEXT, and if gcovr is installed, HTML in BUILD/coverage/. Prints the files with the most
such lines, and as its last line the sum. Lines of headers count where any file that includes them reaches them.
"""
import gzip, json, os, shutil, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHOWN = 10  # files


def object_folders(build):
    for folder, _, names in os.walk(os.path.join(build, "obj")):
        notes = [os.path.join(folder, name) for name in names if name.endswith(".gcno")]
        if notes:
            yield notes


def counts(build):
    """How often each line with code ran: {file: {line: count}}. gcov reads what was compiled, so files that no test has run count, too."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for notes in object_folders(build):
            subprocess.run(["gcov", "--json-format", "--preserve-paths", *notes], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
            for name in os.listdir(folder):
                with gzip.open(os.path.join(folder, name)) as file:
                    for entry in json.load(file)["files"]:
                        add(found, entry)
                os.unlink(os.path.join(folder, name))
    return found


def add(found, entry):
    path = os.path.relpath(os.path.join(ROOT, entry["file"]), ROOT)
    if not path.startswith(("src/", "rules/")):
        return
    lines = found.setdefault(path, {})
    for line in entry["lines"]:
        lines[line["line_number"]] = lines.get(line["line_number"], 0) + line["count"]


def write_unreached(build, found):
    """Returns the number of unreached lines of each file."""
    missing = {}
    with open(os.path.join(build, "unreached.txt"), "w", encoding="utf-8") as out:
        for path in sorted(found):
            with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                text = file.read().split("\n")
            unreached = [number for number in sorted(found[path]) if not found[path][number] and number <= len(text)]
            missing[path] = len(unreached)
            for number in unreached:
                out.write(f"{path}:{number}: {text[number - 1].strip()}\n")
    return missing


def write_html(build):
    if not shutil.which("gcovr"):
        return
    folder = os.path.join(build, "coverage")
    os.makedirs(folder, exist_ok=True)
    subprocess.run(["gcovr", "--root", ROOT, "--filter", "src/", "--filter", "rules/", "--html-details", os.path.join(folder, "index.html"), build], check=True)
    print(f"coverage: {folder}/index.html")


def main(build):
    found = counts(os.path.abspath(build))
    missing = write_unreached(build, found)
    for path in sorted(missing, key=missing.get, reverse=True)[:SHOWN]:
        if missing[path]:
            print(f"{missing[path]:6} of {len(found[path]):5} lines not reached: {path}")
    write_html(build)
    total, unreached = sum(map(len, found.values())), sum(missing.values())
    print(f"coverage: {total - unreached} of {total} lines of src and rules reached ({100 * (total - unreached) / max(total, 1):.1f} %); {build}/unreached.txt lists the others")


main(sys.argv[1])
