#!/usr/bin/env python3
"""Every documented constraint is validated, or says why it cannot be: proves constraints.tsv row by row, and prints the coverage.

    test_ledger.py BUILD [WORD]      only the rows with WORD in their id

A row that is validated names kind, field and rule, a case that breaks it and one that does not. `explained` in the place of the rule: nothing
can break it, but `drawbridge explain` says it; then `passing` is that line. Where neither is possible, the last column says why.

A case is

    [PREFIX: ]... OBJECT [; OBJECT]... [<- OBJECT [; OBJECT]...]

PREFIX   status: validate as an update of the status subresource; recycler: as a recycler pod template; 1.33: as that version does
OBJECT   an object of bases.json with edits, as ../notation.py has it; behind <- the older objects
"""
import csv
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from notation import Reader, write
from tap import Tap
import kinds

GATES = {sign: ["--feature-gates", f"AllAlpha={on},AllBeta={on}"] for sign, on in (("+", "true"), ("-", "false"))}
PREFIXES = {"status": ["--as-status"], "recycler": ["--as", "recycler-pod-template"]}


class Case(Reader):
    """The objects of a case, and how they are validated."""

    def __init__(self, text, bases):
        super().__init__(text, bases)
        self.prefixes = []
        while word := self.take(r"(status|recycler|\d+\.\d+[-+]?):\s+"):
            self.prefixes.append(word[1])
        self.new = self.objects()
        self.old = self.objects() if self.take(r"<-\s+") else []
        self.end()

    def objects(self):
        objects = [self.object()]
        while self.take(r";\s+"):
            objects.append(self.object())
        return objects


class Program:
    def __init__(self, build, folder):
        self.path, self.folder = os.path.join(build, "drawbridge"), folder

    def run(self, *arguments):
        return subprocess.run([self.path, *arguments], capture_output=True, text=True)

    def write(self, name, objects):
        path = os.path.join(self.folder, name)
        with open(path, "w") as out:
            out.write(write(objects[0] if len(objects) == 1 else {"apiVersion": "v1", "kind": "List", "items": objects}))
        return path

    def lint(self, case):
        command = ["lint", "--format", "json", "--templates", "error"]
        for prefix in case.prefixes:
            command += PREFIXES.get(prefix, ["--kubernetes-version", prefix.rstrip("-+")]) + GATES.get(prefix[-1], [])
        if case.old:
            command += ["--old", self.write("old.json", case.old)]
        done = self.run(*command, self.write("new.json", case.new))
        if done.returncode not in (0, 1):
            raise ValueError(done.stderr.strip())
        return [json.loads(line) for line in done.stdout.splitlines()[:-1]]

    def rules(self):
        return {json.loads(line)["rule"] for line in self.run("rules", "--format", "json").stdout.splitlines()}

    def explained(self, kind, field):
        """What explain says of the field where it is unset."""
        text = self.run("explain", kind + "." + re.sub(r"\[\]|{[a-z]*}", "", field)).stdout
        found = re.search(rf"^  {re.escape(field)} <.*\n((?:    .*\n?)*)", text, re.M)
        return [line.strip() for line in found[1].splitlines()] if found else []


def general(path):
    """A path without its indices and keys: a[3].b[x] is a[].b{}."""
    return re.sub(r"\[(\d+)\]|\[[^]]*\]", lambda match: "[]" if match[1] else "{}", path)


def concerns(problem, row):
    """Whether a problem is the row's: the same rule, at the field, at its element or key, or at what is around it."""
    if problem["rule"] != row["rule"] or (problem["rule"] not in ("served", "yaml-syntax") and problem["kind"] != row["validated_kind"]):
        return False
    field, path = row["validated_field"].replace("{key}", "{}"), general(problem["path"])
    if field.startswith(path):
        return not path or field == path or field[len(path)] in ".[{"
    return path.startswith(field) and bool(re.fullmatch(r"(\[\]|{})(\.\w+)?", path[len(field):]))


def check(program, bases, row, which):
    """What is wrong with a case of the row; "" when nothing is."""
    try:
        problems = program.lint(Case(row[which], bases))
    except (ValueError, KeyError, IndexError, TypeError) as error:
        return f"{type(error).__name__} {error}"
    hits = [problem for problem in problems if concerns(problem, row)]
    others = [problem for problem in problems if problem["severity"] == "error" and problem not in hits]
    good = bool(hits) if which == "failing" else not hits and not others
    return "" if good else "; ".join(f"{p['kind']} {p['path']} [{p['rule']}] {p['severity']}" for p in problems) or "nothing is found"


def read_rows():
    with open(os.path.join(HERE, "constraints.tsv"), newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def read_bases():
    with open(os.path.join(HERE, "bases.json")) as file:
        return json.load(file)


def main():
    build, word = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
    rows, bases = [row for row in read_rows() if word in row["id"]], read_bases()
    tap, counts = Tap(), {"validated": 0, "explained": 0, "not validated, with a reason": 0}
    with tempfile.TemporaryDirectory() as folder:
        program = Program(build, folder)
        known = program.rules() | {"served", "yaml-syntax", "json-syntax", "unknown-field", "feature-gate", "type", "required"}
        for row in rows:
            if row["rule"] == "explained":
                said = program.explained(row["validated_kind"], row["validated_field"])
                tap.ok(row["passing"] in said, f"{row['id']}: explain says {row['passing']!r} {'' if row['passing'] in said else said}")
                counts["explained"] += 1
            elif row["rule"] != "-":
                wrong = {which: check(program, bases, row, which) for which in ("passing", "failing")}
                tap.ok(row["rule"] in known and not any(wrong.values()), f"{row['id']}: {row['validated_kind']} {row['validated_field']} [{row['rule']}] {wrong if any(wrong.values()) else ''}")
                counts["validated"] += 1
            else:
                tap.ok(len(row["reason"]) > 10, f"{row['id']}: {row['reason']}")
                counts["not validated, with a reason"] += 1
    tap.ok(len({row["id"] for row in rows}) == len(rows) and (word or len(rows) == 716), f"{len(rows)} constraints, each once")
    made = {base.get("kind") for base in bases.values() if isinstance(base, dict)}
    missing = sorted({row.kind for row in kinds.rows()} - made)
    tap.ok(not missing, f"bases.json has an object of each kind in rules/kinds.def {missing or ''}")
    print(f"# coverage: {len(rows)} constraints, " + ", ".join(f"{count} {what}" for what, count in counts.items()))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
