#!/usr/bin/env python3
"""The conformance cases, cases/*.tsv. README.md beside this file says how a line is written.

    cases.py print [WORD]         the cases with WORD in their id as JSON, one a line:
                                  {"id", "op", "sub", "object", ["oldObject"], "expect", "expectIn"}
    cases.py add FILE.jsonl...    writes such cases into the files, in the place of those with the same id
"""
import glob, gzip, json, os, re, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from describe import describe
from notation import Reader
from versions import minor_of
import kinds

FOLDER = os.environ.get("CASES_FOLDER", os.path.join(HERE, "cases"))  # tests of these tools name a copy
HEADER = "id\tobjects\tKubernetes 1.35\tother versions"
MAIN = "1.35"
# Those whose oracle is pinned; 1.35 has its own file.
OTHERS = sorted((name.removesuffix(".mod") for name in os.listdir(os.path.join(HERE, "oracle", "versions")) if re.fullmatch(r"1\.\d+\.mod", name)), key=minor_of)
OLDER, NEWER = ([version for version in OTHERS if newer == (minor_of(version) > minor_of(MAIN))] for newer in (False, True))
OUTCOMES = ["allowed", "denied", "undecodable", "not-served", "not-asked"]
PLAIN = r"[!#-:<-\[\]-{}~]+"  # a field that needs no quotes: no space, quote, semicolon, backslash or bar
LAST_INDEX = re.compile(r"(.*\[)(0|[1-9]\d*)(\][^\[]*)")
SPAN = re.compile(r"(.*\[)(\d+)\.\.(\d+)(\].*)")


# ---- verdicts ----

def sort_key(item):
    """A key that sorts causes before unknown fields, and the numbers in a path by what they are worth."""
    parts = re.split(r"(?<=\[)(\d+)(?=\])", item[0])
    return item[1] == "unknown", [int(part) if place % 2 else part for place, part in enumerate(parts)], item[1]


def items_of(verdict):
    """{(field, reason)}, and (field, "unknown") for fields that Kubernetes drops."""
    causes = {(cause["field"], cause["reason"]) for cause in verdict.get("causes", [])}
    return causes | {(field, "unknown") for field in verdict.get("unknown", [])}


def in_version(verdict, version):
    """The verdict as far as it is kept for a version. Which fields an older one does not know yet is not: nearly all cases have some."""
    return {name: value for name, value in verdict.items() if name != "unknown" or version not in OLDER}


def same(one, other):
    return one["outcome"] == other["outcome"] and items_of(one) == items_of(other)


def item_texts(items):
    """FIELD REASON for each item. Those that differ in nothing but their last index, which counts on, are one: a[0..7] REASON."""
    spans = []  # [what is around the index, first, last, text of the first]
    for field, what in sorted(items, key=sort_key):
        plain = re.fullmatch(PLAIN, field) and ".." not in field
        index = LAST_INDEX.fullmatch(field) if plain else None
        around, number = ((index[1], index[3], what), int(index[2])) if index else (None, 0)
        if index and spans and spans[-1][0] == around and spans[-1][2] == number - 1:
            spans[-1][2] = number
        else:
            spans.append([around, number, number, f"{field if plain else json.dumps(field)} {what}"])
    return [text if first == last else f"{around[0]}{first}..{last}{around[1]} {around[2]}" for around, first, last, text in spans]


def verdict_text(verdict, main=None):
    """allowed, or denied: FIELD REASON; FIELD REASON; FIELD unknown. `...` stands for the items of the verdict of 1.35."""
    items, texts = items_of(verdict), []
    if main and items_of(main) and items_of(main) <= items:
        items, texts = items - items_of(main), ["..."]
    texts += item_texts(items)
    return verdict["outcome"] + (": " + "; ".join(texts) if texts else "")


def fields_of(text):
    """The fields that a text of a verdict stands for."""
    if text.startswith('"'):
        return [json.loads(text)]
    span = SPAN.fullmatch(text)
    return [f"{span[1]}{number}{span[4]}" for number in range(int(span[2]), int(span[3]) + 1)] if span else [text]


class CaseReader(Reader):
    """Reads the columns of a line."""

    def need(self, pattern, what):
        found = self.take(pattern)
        if not found:
            raise ValueError(f"{what} is missing at {self.text[self.at:][:80]!r}")
        return found

    def verdict(self, main=None):
        verdict, separator = {"outcome": self.need("|".join(OUTCOMES), "an outcome")[0]}, r":\s+"
        while self.take(separator):
            separator = r";\s+"
            if main and self.take(r"\.\.\.(?=[\s;]|$)"):
                verdict.update((name, list(main[name])) for name in ("causes", "unknown") if name in main)
                continue
            found = self.need(rf'("(?:[^"\\]|\\.)*"|{PLAIN})\s+(\w+)', "a field with a reason")
            for field in fields_of(found[1]):
                if found[2] == "unknown":
                    verdict.setdefault("unknown", []).append(field)
                else:
                    verdict.setdefault("causes", []).append({"field": field, "reason": found[2]})
        return verdict

    def others(self, main):
        """Verdicts by version."""
        verdicts = {}
        if self.take(r"-$"):
            return verdicts
        while True:
            span = self.need(r"(1\.\d+)(?:-(1\.\d+))?\s+", "a version")
            first, last = OTHERS.index(span[1]), OTHERS.index(span[2] or span[1])
            verdict = self.verdict(in_version(main, span[1]))
            verdicts.update((version, verdict) for version in OTHERS[first:last + 1])
            if not self.take(r"\s+\|\s+"):
                return verdicts


def others_text(verdicts, main):
    """1.32-1.33 allowed | 1.36-1.37 denied: FIELD REASON; neighbours with the same verdict share it."""
    spans = []
    for version in OTHERS:
        if version in verdicts:
            text = verdict_text(in_version(verdicts[version], version), in_version(main, version))
            if spans and spans[-1][2] == text and spans[-1][1] == OTHERS[OTHERS.index(version) - 1] and version != NEWER[0]:
                spans[-1][1] = version
            else:
                spans.append([version, version, text])
    return " | ".join(f"{first if first == last else first + '-' + last} {text}" for first, last, text in spans) or "-"


# ---- lines ----

SERVED = {(row.api_version, row.kind): (row.since, row.until) for row in kinds.rows()}


def serves(version, obj):
    """Whether that version of Kubernetes has the object's API, by rules/kinds.def, which test_oracle.py proves. Where a case says nothing of
    a version without it, it does not serve it."""
    since, until = SERVED.get((str(obj.get("apiVersion")), str(obj.get("kind"))), (0, 0))
    return since <= minor_of(version) <= (until or minor_of(version))


def read_line(line, bases):
    columns = line.split("\t")
    if len(columns) != len(HEADER.split("\t")):
        raise ValueError(f"{len(columns)} columns")
    objects, verdict, others = (CaseReader(column, bases) for column in columns[1:])
    case = {"id": columns[0], "op": "CREATE", "sub": "status" if objects.take(r"status:\s+") else "", "object": objects.object()}
    if objects.take(r"<-\s+"):
        case["op"], case["oldObject"] = "UPDATE", objects.object()
    case["expect"] = verdict.verdict()
    case["expectIn"] = {version: {"outcome": "not-served"} for version in OTHERS if not serves(version, case["object"])}
    case["expectIn"].update(others.others(case["expect"]))
    for column in (objects, verdict, others):
        column.end()
    return case


def objects_text(case, bases, any_order=False):
    text = "status: " * (case["sub"] == "status") + describe(case["object"], bases, any_order)
    return f"{text} <- {describe(case['oldObject'], bases, any_order)}" if case["op"] == "UPDATE" else text


def write_line(case, objects):
    """`objects`: how the case's objects are written."""
    others = {}
    for version, verdict in case.get("expectIn", {}).items():
        served = verdict["outcome"] != "not-served" or serves(version, case["object"])  # else it goes without saying
        if served and not same(in_version(verdict, version), in_version(case["expect"], version)):
            others[version] = verdict
    return "\t".join([case["id"], objects, verdict_text(case["expect"]), others_text(others, case["expect"])])


# ---- files ----

def read_bases():
    with open(os.path.join(FOLDER, "bases.json"), encoding="utf-8") as file:
        return json.load(file)


def path_of(kind):
    return os.path.join(FOLDER, kind.lower() + ".tsv")


def paths():
    return sorted(glob.glob(os.path.join(FOLDER, "*.tsv")))


def read_lines(path):
    """The lines of a file without its header, by id; none if there is no such file."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8", newline="\n") as file:
        return {line.split("\t")[0]: line for line in file.read().splitlines()[1:]}


def write_lines(path, lines):
    """Replaces a file as a whole."""
    with open(path + ".new", "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join([HEADER] + [lines[name] for name in sorted(lines)]) + "\n")
    os.replace(path + ".new", path)


def read(*kinds):
    """The cases, or those of some kinds."""
    bases = read_bases()
    for path in [path_of(kind) for kind in kinds] or paths():
        for name, line in read_lines(path).items():
            try:
                yield read_line(line, bases)
            except (ValueError, KeyError, IndexError, TypeError) as error:
                raise ValueError(f"{os.path.basename(path)}, {name}: {error}") from error


def newer():
    """Cases with what came with 1.36 and later: newer.jsonl.gz, one a line, with the verdicts of these versions."""
    with gzip.open(os.path.join(HERE, "newer.jsonl.gz"), "rt", encoding="utf-8") as lines:
        for line in lines:
            yield dict(json.loads(line), expect={"outcome": "not-asked"})


def write_newer(cases):
    """Replaces newer.jsonl.gz as a whole."""
    text = "".join(json.dumps({name: value for name, value in case.items() if name != "expect"}) + "\n" for case in cases)
    path = os.path.join(HERE, "newer.jsonl.gz")
    with open(path + ".new", "wb") as file:
        file.write(gzip.compress(text.encode(), 9, mtime=0))
    os.replace(path + ".new", path)


def add(cases):
    """Writes cases into their files, in the place of those with the same id."""
    bases = read_bases()
    for path in {path_of(case["object"]["kind"]) for case in cases}:
        lines = read_lines(path)
        lines.update((case["id"], write_line(case, objects_text(case, bases))) for case in cases if path_of(case["object"]["kind"]) == path)
        write_lines(path, lines)


# ---- what drawbridge is asked ----

def verdict_of(case, version):
    return in_version(case["expect"] if version == MAIN else case["expectIn"].get(version, case["expect"]), version)


def expected(case, version=MAIN):
    """The verdict that drawbridge has to give; None where there is none: not served, not asked."""
    verdict = verdict_of(case, version)
    return None if verdict["outcome"] in ("not-served", "not-asked") else verdict


def supported(*kinds):
    """The cases, or those of some kinds, whose verdict in 1.35 drawbridge can give."""
    return [case for case in read(*kinds) if expected(case)]


def main(command="", *arguments):
    if command == "print" and len(arguments) < 2:
        for case in read():
            if not arguments or arguments[0] in case["id"]:
                print(json.dumps(case, separators=(",", ":")))
    elif command == "add" and arguments:
        cases = []
        for path in arguments:
            with open(path, encoding="utf-8") as lines:
                cases += map(json.loads, lines)
        add(cases)
        print(len(cases), "cases written")
    else:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
