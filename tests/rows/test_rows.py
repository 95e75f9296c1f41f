#!/usr/bin/env python3
"""Every row is proved: lists the rows of the tables that no case breaks, or that none passes, and fails while there are any.

    test_rows.py BUILD [WORD]      only the rows with WORD in their kind, path or words

A program that counts (build-proof/, src/check/row_counts.h) gets the cases whose outcome other suites compare: the conformance cases in
each version that test_review.py compares, the objects of tests/ledger, findings.tsv, and the transcripts of tests/cli. Of conformance
cases only the rows of errors count: no verdict says what else was found. A row is

    a check      broken by a case, and passed by one that has the value
    a default    filled in, and not needed
    a gate       off and reported, and on, in versions beside each other
    SINCE, UNTIL a check is broken in its first (last) version, and would be in the one before (after); a field has a wrong type in the
                 one version, which the other does not see
"""
import glob, json, os, re, shutil, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
ROOT = os.path.dirname(TESTS)
sys.path[:0] = [TESTS, os.path.join(TESTS, "conformance")]
import test_review
from tap import Tap

PROOF = os.path.join(ROOT, "build-proof", "drawbridge")
SUITES = [["ledger/test_ledger.py"], ["rows/test_findings.py"],
          ["cli/test_transcripts.py", "documented.txt", "drivers.txt", "lint.txt", "mistakes.txt", "newer.txt", "policy.txt", "review.txt", "together.txt", "workloads.txt"]]
COUNT = re.compile(r" ([a-z ]+?(?: in 1\.\d+)?)=(\d+)")
ADVICE = {"error": "`make oracle CASE=…` makes one (tests/conformance/README.md)",
          "warning": "add one to tests/rows/findings.tsv", "info": "add one to tests/rows/findings.tsv"}
# What no case can show: (path, rule, what) and why.
EXCEPTIONS = {}


def read_counts(folder, rows, kept):
    """Adds the counts of a folder: {(group, kind, path, severity, words): {what: count}}, those of rows with a severity in `kept`."""
    for path in glob.glob(os.path.join(folder, "*")):
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                *row, counts = line.rstrip("\n").split("\t")
                total = rows.setdefault(tuple(row), {})
                for what, count in COUNT.findall(counts):
                    total[what] = total.get(what, 0) + int(count) * (row[3] in kept)


def count_reviews(folder):
    for version, pairs in test_review.compared():
        text = "".join(json.dumps(test_review.review(case)) + "\n" for case, _ in pairs)
        subprocess.run([PROOF, "review", "--kubernetes-version", version, *test_review.GATES.get(version, []), "-"], input=text.encode(), stdout=subprocess.DEVNULL,
                       env=dict(os.environ, ROW_COUNTS=folder), timeout=300)


def count_suites(tap, build, folder):
    """Suites that run programs, with the one that counts in its place."""
    with tempfile.TemporaryDirectory() as programs:
        for path in glob.glob(os.path.join(build, "drawbridge*")):
            shutil.copy(path, programs)
        shutil.copy(PROOF, programs)
        for suite, *names in SUITES:
            done = subprocess.run([sys.executable, os.path.join(TESTS, suite), programs, *names], capture_output=True, text=True,
                                  env=dict(os.environ, ROW_COUNTS=folder), timeout=300)
            tap.ok(done.returncode == 0, f"{suite} with the program that counts", "\n".join(re.findall("^not ok.*", done.stdout, re.M)))


def exception(row, what):
    return row[2], row[4].split(":")[0], what


def check_row(tap, row, counts):
    group, kind, path, severity, words = row
    missing = [what for what, count in counts.items() if not count and exception(row, what) not in EXCEPTIONS]
    name = f"{kind} {path} {words}"
    tap.ok(not missing, name, f"{group or 'core'} {kind}, {path}\n{severity}: {words}\nno case in which it is " + " or ".join(missing) + f": {ADVICE[severity]}")


def main(build, word=""):
    tap, rows = Tap(), {}
    with tempfile.TemporaryDirectory() as reviews, tempfile.TemporaryDirectory() as others:
        count_reviews(reviews)
        count_suites(tap, build, others)
        read_counts(reviews, rows, ["error"])
        read_counts(others, rows, ["error", "warning", "info"])
    tap.ok(len(rows) > 700, f"{len(rows)} rows")
    unproved = {exception(row, what) for row, counts in rows.items() for what, count in counts.items() if not count}
    tap.ok(unproved >= set(EXCEPTIONS), "every exception is needed", set(EXCEPTIONS) - unproved)
    for row, counts in sorted(rows.items()):
        if word in " ".join(row):
            check_row(tap, row, counts)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), *sys.argv[2:]))
