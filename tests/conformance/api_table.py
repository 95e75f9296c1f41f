#!/usr/bin/env python3
"""What Kubernetes' sources say of the storage and device kinds, beside what the tables in rules/ say: fields, types, pointers, gates.

    api_table.py read VERSION...        reads versions such as 1.37.1 with Go (make_api/) and puts them into api.tsv
    api_table.py differences BUILD      prints how the tables differ from the newest version of api.tsv

api.tsv has a line for each field: kind, path, type, feature gates, and the versions with it; its head names the versions that were read.
The path `.` is the kind itself, with its resource; `gate` lines have a gate's stages and the gates that it needs. Fields of metadata are
those of `meta/v1 ObjectMeta`.
"""
import json, os, subprocess, sys
from typing import NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from versions import minor_of

DATA = os.path.join(HERE, "api.tsv")
MODULES = [("k8s.io/api", "0."), ("k8s.io/apimachinery", "0."), ("k8s.io/kubernetes", "1.")]
METADATA = "meta/v1 ObjectMeta"


class Row(NamedTuple):
    kind: str
    path: str
    type: str  # or resource, or stages
    gates: str  # that the comments of the field name; of a gate, those that it needs


# ---- api.tsv ----

def load(path=DATA):
    """({minor: version}, {row: set of minors})"""
    if not os.path.exists(path):
        return {}, {}
    with open(path, encoding="utf-8") as file:
        head, *lines = file.read().splitlines()
    versions = {minor_of(version): version for version in head.split("\t")[-1].split()}
    rows = {}
    for line in lines:
        *columns, span = line.split("\t")
        first, last = (int(bound[2:]) if bound else None for bound in span.split("-"))
        rows[Row(*columns)] = {minor for minor in versions if (first or 0) <= minor <= (last or minor)}
    return versions, rows


def spans(minors, known):
    """The texts of the ranges: 1.33-1.35; a bound that is the first or last version known is left out."""
    known, runs = sorted(known), []
    for place, minor in enumerate(known):
        if minor in minors:
            if runs and known[place - 1] == runs[-1][1]:
                runs[-1][1] = minor
            else:
                runs.append([minor, minor])
    text = lambda minor, bound: "" if minor == bound else f"1.{minor}"
    return [f"{text(first, known[0])}-{text(last, known[-1])}" for first, last in runs]


def save(versions, rows, path=DATA):
    lines = [f"kind\tpath\ttype\tgates\t{' '.join(versions[minor] for minor in sorted(versions))}"]
    for row, minors in sorted(rows.items()):
        lines += ["\t".join([*row, span]) for span in spans(minors, versions)]
    with open(path + ".new", "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join(lines) + "\n")
    os.replace(path + ".new", path)


def read_sources(version):
    """The rows of a version, from the modules that Go's proxy has."""
    folders = []
    for module, major in MODULES:
        name = f"{module}@v{major}{version.removeprefix('1.')}"
        done = subprocess.run(["go", "mod", "download", "-json", name], capture_output=True, text=True)
        answer = json.loads(done.stdout or "{}")
        if done.returncode or "Dir" not in answer:
            raise SystemExit(f"api_table.py: {name}: {answer.get('Error', done.stderr).strip()}")
        folders.append(answer["Dir"])
    sources = sorted(os.path.join(HERE, "make_api", name) for name in os.listdir(os.path.join(HERE, "make_api")))
    done = subprocess.run(["go", "run", *sources, *folders], capture_output=True, text=True, env=dict(os.environ, GOFLAGS="-mod=mod"))
    if done.returncode:
        raise SystemExit("api_table.py: " + done.stderr.strip())
    return {Row(*line.split("\t")) for line in done.stdout.splitlines()}


def add(versions, rows, version, found):
    """Puts the rows of a version in the place of what is known of its minor."""
    minor = minor_of(version)
    for row in [row for row, minors in rows.items() if minor in minors]:
        rows[row].discard(minor)
        if not rows[row]:
            del rows[row]
    versions[minor] = version
    for row in found:
        rows.setdefault(row, set()).add(minor)
    join_gates(rows)


def join_gates(rows):
    """The stages of a gate, which grow by those of each version, are one row: that of its newest version."""
    gates = sorted((row for row in rows if row.kind == "gate"), key=lambda row: (row.path, row.gates, len(row.type)))
    for row, longer in zip(gates, gates[1:]):
        if (row.path, row.gates) == (longer.path, longer.gates) and longer.type.startswith(row.type + ","):
            rows[longer] |= rows.pop(row)


# ---- both in one version: {(kind, path): (type, gates)} ----

def theirs(rows, minor):
    fields = {(row.kind, row.path): (row.type, row.gates) for row, minors in rows.items() if minor in minors and row.kind != "gate"}
    meta = {path: rest for (kind, path), rest in fields.items() if kind == METADATA}
    found = {}
    for (kind, path), (type, gates) in fields.items():
        if kind == METADATA:
            continue
        found[kind, path] = ("object" if type == "metadata" else type, gates)
        if type == "metadata":
            found.update(((kind, f"{path}.{below}"), rest) for below, rest in meta.items())
    return found


def ours_lines(build):
    done = subprocess.run([os.path.join(build, "tests", "rows_print")], capture_output=True, text=True, check=True)
    return [line.split("\t") for line in done.stdout.splitlines()]


def ours(lines, minor):
    return {(kind, path): (type, gates) for kind, path, type, gates, since, until in lines
            if kind != "gate" and int(since) <= minor <= (int(until) or minor)}


# ---- differences ----

def above_of(path):
    """The field that holds a field: spec.devices of spec.devices[].name."""
    return path.rpartition(".")[0].rstrip("[]{}")


def all_gates(fields):
    """{(kind, path): the gates of the field and of those above it}"""
    found = {}
    for (kind, path), (_, gates) in sorted(fields.items()):  # what is above comes first
        above = found.get((kind, above_of(path)), frozenset())
        found[kind, path] = above | frozenset(filter(None, gates.split(",")))
    return found


def field_differences(lines, rows, minor):
    """(kind, path, what differs) of one version. Of a kind or field that only one side has, nothing below it; nor gates that differ above, too."""
    needs = {path: set(filter(None, gates.split(","))) for kind, path, _, gates, *_ in lines if kind == "gate"}
    theirs_all, ours_all = theirs(rows, minor), ours(lines, minor)
    their_gates, our_gates = all_gates(theirs_all), all_gates(ours_all)
    told, behind = set(), set()  # what only one side has; fields with other gates
    for key in sorted(theirs_all.keys() | ours_all.keys()):
        above = (key[0], above_of(key[1]) or ".")
        if key not in ours_all or key not in theirs_all:
            told.add(key)
            if key[1] == "." or above not in told:
                yield *key, f"unknown to Kubernetes: {ours_all[key][0]}" if key in ours_all else f"unknown to the tables: {theirs_all[key][0]}"
            continue
        if theirs_all[key][0] != ours_all[key][0]:
            yield *key, f"is {theirs_all[key][0]}, in the tables {ours_all[key][0]}"
        mine = our_gates[key]
        if not mine <= their_gates[key] <= mine.union(*(needs.get(gate, ()) for gate in mine)):
            behind.add(key)
            if above not in behind:
                yield *key, f"needs {','.join(sorted(their_gates[key])) or 'no gate'}, in the tables {','.join(sorted(mine)) or 'none'}"


def first_minors(stages, newest):
    """The words of rows_print.c for "1.34 alpha off, 1.36 beta on": when it was first alpha (or there), beta, on, GA, locked."""
    first = dict.fromkeys(["alpha", "beta", "on", "ga", "locked"], 0)
    for stage in stages.split(", "):
        version, phase, on, *more = stage.split()
        # API servers can go back by one version unless told otherwise, so what needs more comes one version later.
        since = max(minor_of(version), minor_of(more[-1]) + 1 if "if" in more else 0)
        if since <= newest:
            for word in {phase, on, *more} & set(first):
                first[word] = first[word] or since
            first["alpha"] = first["alpha"] or since
    return " ".join(f"{word} {minor}" for word, minor in first.items())


def gate_differences(lines, rows, newest):
    """(gate, what differs)"""
    mine = {path: (type, set(filter(None, gates.split(",")))) for kind, path, type, gates, *_ in lines if kind == "gate"}
    last = {}  # of each gate the row of the newest version that has it
    for row, minors in rows.items():
        known = [minor for minor in minors if minor <= newest]
        if row.kind == "gate" and known:
            last[row.path] = max(last.get(row.path, (0, row)), (max(known), row))
    for gate, (_, row) in sorted(last.items()):
        if gate not in mine:
            yield gate, f"unknown to the tables: {row.type}"
            continue
        stages, needed = first_minors(row.type, newest), set(filter(None, row.gates.split(","))) & mine.keys()
        if stages != mine[gate][0]:
            yield gate, f"is {stages}, in the tables {mine[gate][0]}"
        if needed != mine[gate][1]:
            yield gate, f"needs {','.join(sorted(needed))}, in the tables {','.join(sorted(mine[gate][1]))}"
    for gate in sorted(mine.keys() - last.keys()):
        yield gate, "unknown to Kubernetes"


def differences(build, minors=None):
    """{(kind, path, what differs): minors}; gates are of kind `gate`, and have no minors."""
    versions, rows = load()
    lines, found = ours_lines(build), {}
    for minor in sorted(minors or versions):
        for difference in field_differences(lines, rows, minor):
            found.setdefault(difference, []).append(minor)
    for gate, what in gate_differences(lines, rows, max(minors or versions)):
        found["gate", gate, what] = []
    return found


def main(command="", *arguments):
    if command == "read" and arguments:
        versions, rows = load()
        for version in arguments:
            add(versions, rows, version, read_sources(version))
        save(versions, rows)
    elif command == "differences" and len(arguments) == 1:
        for kind, path, what in differences(arguments[0], [max(load()[0])]):
            print(kind, path, what)
    else:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
