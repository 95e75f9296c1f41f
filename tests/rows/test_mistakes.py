#!/usr/bin/env python3
"""What is said of mistakes that people make: tests/manifests/mistakes holds one file each, list.tsv what an API server and lint say of it.

    test_mistakes.py BUILD [WORD]      only the files with WORD in their name

A line of list.tsv is `file <TAB> server <TAB> findings <TAB> mistake <TAB> source`. The server (1.37.1, every gate on) `refuses` the
file, `takes` it, or serves no such API version (`serves not`). Findings are `SEVERITY [KIND ]PATH RULE` in any order, the kind where it is
not that of the first object; `-`: nothing. What is refused has an error, what is taken has none, and hardly anything passes in silence.
"""
import csv, glob, json, os, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
MISTAKES = os.path.join(os.path.dirname(HERE), "manifests", "mistakes")
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

MOST_SILENT = 8  # that are taken, and of which nothing is said


def read_lines():
    with open(os.path.join(MISTAKES, "list.tsv"), newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def first_kind(path):
    with open(path, encoding="utf-8") as lines:
        return next(line.split(":")[1].strip() for line in lines if line.startswith("kind:"))


def lint(build, path):
    """The findings, as list.tsv has them."""
    done = subprocess.run([os.path.join(build, "drawbridge"), "lint", "--format", "json", path], capture_output=True, text=True)
    found, kind = [json.loads(line) for line in done.stdout.splitlines()[:-1]], first_kind(path)
    return sorted(f"{one['severity']} {(one['kind'] + ' ') * (one['kind'] != kind)}{one['path'] or '.'} {one['rule']}" for one in found)


def main(build, word=""):
    tap, lines = Tap(), read_lines()
    for line in lines:
        if word not in line["file"]:
            continue
        said = lint(build, os.path.join(MISTAKES, line["file"] + ".yaml"))
        tap.equal("; ".join(said) or "-", "; ".join(sorted(line["findings"].split("; "))), line["file"])
        wrong = any(one.startswith("error ") for one in said)
        tap.equal(wrong, line["server"] != "takes", f"{line['file']}: an error where an API server does not take it")
    files = sorted(os.path.splitext(os.path.basename(path))[0] for path in glob.glob(os.path.join(MISTAKES, "*.yaml")))
    tap.equal([line["file"] for line in lines], files, "the lines are sorted, and each file has one")
    silent = [line["file"] for line in lines if line["findings"] == "-"]
    tap.ok(len(silent) <= MOST_SILENT, f"at most {MOST_SILENT} of {len(lines)} pass in silence: {' '.join(silent) or 'none does'}")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), *sys.argv[2:]))
