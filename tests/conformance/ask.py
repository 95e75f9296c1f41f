#!/usr/bin/env python3
"""Asks Kubernetes what it decides, and keeps the answer as a case. `make oracle` builds what this needs and runs it.

    ask.py [--old FILE] [--op create|update|status] [--id ID] [--add] CASE
    ask.py --all

CASE is a manifest of one object, or a case in the words of README.md ('claim spec.devices.requests=[] <- claim'). Prints the verdict,
whether drawbridge agrees, and the line for the case's file; --add writes it there. --all asks for every case again and writes what has
changed; cases that were never asked for (not-asked) get their verdict. Versions whose oracle is not built are not asked.
"""
import argparse, os, re, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import cases
import test_review
from notation import read, write
from versions import minor_of

VERSIONS = sorted(cases.OTHERS + [cases.MAIN], key=minor_of)
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*")
IN_WORDS = re.compile(r"(status:\s+)?[a-z0-9-]+(/[a-z0-9]+)?(\s|$)")


class Refused(Exception):
    """The question is wrong: the text says how."""


class Oracles:
    """The programs of a folder, by version."""

    def __init__(self, folder):
        names = {version: os.path.join(folder, "oracle-" + version) for version in VERSIONS}
        self.programs = {version: path for version, path in names.items() if os.path.exists(path)}
        if not self.programs:
            raise Refused(f"no oracle in {folder}: `make oracle` builds it")

    def name(self, version):
        """With its patch version."""
        return subprocess.run([self.programs[version], "-version"], capture_output=True, text=True).stdout.strip()

    def run(self, version, text, *options):
        done = subprocess.run([self.programs[version], *options], input=text.encode(), capture_output=True)
        if done.returncode:
            raise Refused(done.stderr.decode("utf-8", "replace").strip().removeprefix("oracle: "))
        return [read(line) for line in done.stdout.decode().splitlines()]

    def decide(self, version, asked, *options):
        """The answers to cases, in their order."""
        request = lambda case: {name: case[name] for name in ("id", "op", "sub", "object", "oldObject") if name in case}
        return self.run(version, "".join(write(request(case)) + "\n" for case in asked), *options)

    def read_manifest(self, path, old, status):
        return self.run(next(iter(self.programs)), "", "-read", path, *(["-old", old] if old else []), *(["-status"] if status else []))[0]


# ---- one case ----

def read_case(arguments, oracles):
    """(the case without verdicts, its words)"""
    given, old, op = arguments.case, arguments.old, arguments.op
    if not given:
        raise Refused("CASE is missing: a manifest, or a case in the words of tests/conformance/README.md")
    if IN_WORDS.match(given) and not os.path.exists(given):
        if old or op:
            raise Refused("OLD and OP are for manifests; in words, an update is 'claim <- claim' or 'status: claim <- claim'")
        return dict(read_words(given), id=arguments.id or "ID"), given
    if op not in ("", "create", "update", "status"):
        raise Refused(f"OP is {op!r}, which is none of create, update and status")
    if op and bool(old) != (op != "create"):
        raise Refused(f"OP={op} " + ("has no older object" if old else "needs an older object: OLD=FILE"))
    for path in filter(None, (given, old)):
        if not os.path.isfile(path):
            raise Refused(f"no such file: {path}")
    return with_words(oracles.read_manifest(given, old, op == "status"), arguments.id or os.path.splitext(os.path.basename(given))[0])


def read_words(text):
    try:
        return cases.read_line("\t".join(["", text, "not-asked", "-"]), cases.read_bases())
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise Refused(f"not a case: {error}") from error


def with_words(case, name):
    """(a manifest's case, its words); the order of members does not count. Without a base for it, there are no words."""
    case.update(id=name, expect={"outcome": "not-asked"}, expectIn={})
    if not any(base["kind"] == case["object"]["kind"] for base in cases.read_bases().values()):
        return case, None
    try:
        words = cases.objects_text(case, cases.read_bases(), any_order=True)
    except ValueError as error:
        raise Refused(str(error)) from error
    return dict(read_words(words), id=name), words


def as_verdict(answer):
    """What a case keeps of an answer."""
    if answer["outcome"] == "error" or answer["outcome"] == "denied" and not answer.get("causes"):
        raise Refused("an answer that is not about the object, which no case can hold: " + answer["error"])
    verdict = {"outcome": answer["outcome"]}
    if answer.get("causes"):
        verdict["causes"] = [{"field": cause["field"], "reason": cause["reason"]} for cause in answer["causes"]]
    if answer.get("unknown"):
        verdict["unknown"] = answer["unknown"]
    return verdict


def set_verdicts(case, by_version):
    """Writes verdicts into a case. What was never asked for stays so in versions without a verdict."""
    never = case["expect"]["outcome"] == "not-asked"
    kept = {version: cases.verdict_of(case, version) for version in VERSIONS}
    if never:
        kept = {version: kept[version] if kept[version]["outcome"] == "not-served" else {"outcome": "not-asked"} for version in VERSIONS}
    kept.update(by_version)
    case["expect"] = kept.pop(cases.MAIN)
    case["expectIn"] = kept


# ---- for people ----

def print_answer(version, answer):
    print(f"Kubernetes {version}: {answer['outcome']}" + (f" ({answer['error']})" if answer.get("error") else ""))
    for cause in answer.get("causes", []):
        print(f"  {cause['field']}  {cause['reason']}\n    {cause['message']}")
    for name, what in (("unknown", "unknown, and dropped"), ("repeated", "there twice"), ("warnings", "warning")):
        for text in answer.get(name, []):
            print(f"  {text}: {what}" if name != "warnings" else f"  {what}: {text}")


def print_agreement(build, version, case):
    """Whether drawbridge decides the same."""
    expected = cases.expected(case, version)
    if not os.path.exists(os.path.join(build, "drawbridge")) or expected is None:
        return
    responses = test_review.validate(build, version, [case], stderr=subprocess.DEVNULL)
    if not responses:
        print(f"  drawbridge does not know Kubernetes {version}")
    elif test_review.agrees(case, expected, responses[0]):
        print("  drawbridge agrees")
    else:
        print("  drawbridge differs: " + ("allowed" if responses[0].get("allowed") else "denied"))
        for cause in responses[0].get("status", {}).get("details", {}).get("causes", []):
            print(f"    {cause['field']}  {cause['reason']}\n      {cause['message']}")


def print_answers(build, case, answers, oracles):
    """1.35 first; of versions that answer the same, the first."""
    printed = []
    for version in sorted(answers, key=lambda version: version != cases.MAIN):
        alike = next((other for other in printed if answers[other] == answers[version]), None)
        if alike:
            print(f"Kubernetes {oracles.name(version)}: as {oracles.name(alike)}")
        else:
            print_answer(oracles.name(version), answers[version])
            printed.append(version)
        print_agreement(build, version, case)
    missing = [version for version in VERSIONS if version not in answers]
    if missing:
        print(f"not asked: {', '.join(missing)} (VERSION=\"{' '.join(missing)}\" builds and asks them)")


def ask(arguments, oracles):
    case, words = read_case(arguments, oracles)
    answers = {version: oracles.decide(version, [case])[0] for version in oracles.programs}
    set_verdicts(case, {version: as_verdict(answer) for version, answer in answers.items()})
    print_answers(arguments.build, case, answers, oracles)
    if not words:
        kind, text = case["object"]["kind"], write(case["object"])
        raise Refused(f"no case: {os.path.relpath(cases.FOLDER)}/bases.json has no {kind} to make it from. This is the object:\n{text}")
    path, line = cases.path_of(case["object"]["kind"]), cases.write_line(case, words)
    print(f"\nthe line for {os.path.relpath(path)}{'' if arguments.add else ' (ADD=1 adds it)'}:\n{line}")
    if arguments.add:
        add(path, case["id"], words, line)


def add(path, name, words, line):
    if name == "ID" or not ID.fullmatch(name):
        raise Refused("ID=NAME has to name the case, with letters, digits, dots and dashes")
    for other in cases.paths():
        there = cases.read_lines(other).get(name)
        if there and there.split("\t")[1] != words:
            raise Refused(f"{name} is another case in {os.path.relpath(other)}: ID=NAME gives this one another name")
    lines = cases.read_lines(path)
    lines[name] = line
    cases.write_lines(path, lines)
    print("added")


# ---- all cases ----

def ask_again(oracles):
    """Asks for every case, and writes the lines that change."""
    bases, changed, count = cases.read_bases(), 0, 0
    for path in cases.paths():
        lines = cases.read_lines(path)
        asked = [cases.read_line(line, bases) for line in lines.values()]
        answers = {version: oracles.decide(version, asked) for version in oracles.programs}
        for place, case in enumerate(asked):
            try:
                set_verdicts(case, {version: as_verdict(found[place]) for version, found in answers.items()})
            except Refused as refused:
                raise Refused(f"{case['id']}: {refused}") from refused
            line = cases.write_line(case, lines[case["id"]].split("\t")[1])
            if line != lines[case["id"]]:
                print(line)
                changed += 1
            lines[case["id"]] = line
        cases.write_lines(path, lines)
        count += len(asked)
    newer, newer_changed = ask_newer(oracles)
    count, changed = count + newer, changed + newer_changed
    print(f"{count} cases asked in {', '.join(oracles.programs)}, {changed} lines changed")


def ask_newer(oracles):
    """The same for newer.jsonl.gz, in the versions that it is about: (cases, changed lines). Unknown fields are not kept there."""
    asked, changed = list(cases.newer()), set()
    for version in filter(oracles.programs.get, cases.NEWER):
        for case, answer in zip(asked, oracles.decide(version, asked), strict=True):
            verdict = as_verdict(dict(answer, unknown=[]))
            if version not in case["expectIn"] or not cases.same(case["expectIn"][version], verdict):
                case["expectIn"][version] = verdict
                changed.add(case["id"])
    if changed:
        cases.write_newer(asked)
    return len(asked), len(changed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", nargs="?", default="", metavar="CASE")
    parser.add_argument("--old", default="", metavar="FILE", help="the older object: the case is an update")
    parser.add_argument("--op", default="", metavar="OP", help="create, update or status")
    parser.add_argument("--id", default="", help="what the case is called; the file's name unless told")
    parser.add_argument("--add", action="store_true", help="write the line into the case's file")
    parser.add_argument("--all", action="store_true", help="ask for every case again")
    parser.add_argument("--oracles", default="build-oracle", metavar="FOLDER")
    parser.add_argument("--build", default="build", metavar="FOLDER", help="where drawbridge is, if it is built")
    arguments = parser.parse_args()
    try:
        oracles = Oracles(arguments.oracles)
        ask_again(oracles) if arguments.all else ask(arguments, oracles)
    except Refused as refused:
        print(f"make oracle: {refused}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
