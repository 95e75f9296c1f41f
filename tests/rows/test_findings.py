#!/usr/bin/env python3
"""What no verdict of an API server says: findings.tsv has cases for gates, advice and rules among objects, and all that lint finds.

    test_findings.py BUILD [WORD]      only the cases with WORD in their id

A line is `id <TAB> case <TAB> findings`. Cases are written as in ../ledger (the head of test_ledger.py): objects of its bases.json with
edits. Findings are `[KIND ]PATH RULE` in any order, with the kind where it is not that of the first object; `-`: nothing.
"""
import csv, os, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "ledger")]
from tap import Tap
from test_ledger import Case, Program, read_bases


def read_lines():
    with open(os.path.join(HERE, "findings.tsv"), newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def text_of(problem, kind):
    return (problem["kind"] + " ") * (problem["kind"] != kind) + f"{problem['path'] or '.'} {problem['rule']}"


def main(build, word=""):
    tap, bases, lines = Tap(), read_bases(), read_lines()
    with tempfile.TemporaryDirectory() as folder:
        program = Program(build, folder)
        for line in lines:
            if word in line["id"]:
                case = Case(line["case"], bases)
                found = sorted(text_of(problem, case.new[0]["kind"]) for problem in program.lint(case))
                tap.equal("; ".join(found) or "-", "; ".join(sorted(line["findings"].split("; "))), line["id"])
    ids = [line["id"] for line in lines]
    tap.ok(ids == sorted(set(ids)), "the lines are sorted, each id once")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), *sys.argv[2:]))
