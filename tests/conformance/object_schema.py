"""What the tables say of the kinds, for programs that make objects: fields and types, and the constraints at each of them.

Of `build/tests/rows_print` and `drawbridge rules --format json`; the samples of formats are those of rules/formats.def.
"""
import json, os, re, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
import kinds as tables

STEP = re.compile(r"([^.\[\]{}]+)|(\[\])|(\{key\})|(\{\})")
FORMAT = re.compile(r'^FORMAT\(\w+,\s+"([^"]+)",\s+"((?:\\.|[^"\\])*)",\s+"((?:\\.|[^"\\])*)"', re.M)


class Node:
    """A value's type, what is in it, and its constraints as (rule, arguments)."""

    def __init__(self, type_text, gate="", since=0, until=0):
        text = type_text.lstrip("*")
        inner = text[2:] if text[:2] in ("[]", "{}") else None
        self.type = {"[]": "list", "{}": "map"}.get(text[:2], text)
        self.of = Node(inner) if inner is not None else None
        self.gate, self.since, self.until = gate, since, until
        self.fields, self.constraints, self.key_constraints = {}, [], []

    def child(self, step):
        """What is in a value of this type, at a name or index; None where nothing is known."""
        return self.of if self.of else self.fields.get(step)

    def arguments(self, rule):
        """Those of each constraint of a rule."""
        return [arguments for name, arguments in self.constraints if name == rule]

    def shape(self):
        """What tells whether two types have the same members."""
        return (self.type, self.of.shape()) if self.of else (self.type, frozenset((name, field.shape()) for name, field in self.fields.items()))


class Kind:
    """An API version of a kind."""

    def __init__(self, name, resource, since, until):
        self.api_version, self.kind = name.split(" ")
        self.namespaced = any(row.namespaced for row in tables.rows() if (row.api_version, row.kind) == (self.api_version, self.kind))
        self.has_status = resource.endswith("/status")
        self.since, self.until, self.root = since, until, Node("object")

    def served(self, minor):
        return self.since <= minor <= (self.until or minor)


def steps(path):
    """a.b[].c{}.d{key} as its steps."""
    return [found[0] for found in STEP.finditer(path)]


def node_at(root, path):
    """(the node at a path, whether it is about the keys there), or (None, False)."""
    node, keys = root, False
    for step in steps(path):
        if step == "{key}":
            keys = True
        elif node:
            node = node.of if step in ("[]", "{}") else node.fields.get(step)
    return node, keys


def add_field(root, path, type_text, gate, since, until):
    *outer, name = steps(path)
    node = root
    for step in outer:
        node = node.of if step in ("[]", "{}") else node.fields[step]
    node.fields[name] = Node(type_text, gate, since, until)


def read_kinds(build):
    """({(apiVersion, kind): Kind}, [gates])"""
    lines = subprocess.run([os.path.join(build, "tests", "rows_print")], stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
    kinds, gates = {}, []
    for name, path, type_text, gate, since, until in (line.split("\t") for line in lines):
        key = tuple(name.split(" "))
        if name == "gate":
            gates.append(path)
        elif path == ".":
            kinds[key] = Kind(name, type_text, int(since), int(until))
        else:
            add_field(kinds[key].root, path, type_text, gate, int(since), int(until))
    add_constraints(build, kinds)
    return kinds, gates


def add_constraints(build, kinds):
    """Those of any version: what is a limit in one is worth trying in all."""
    done = subprocess.run([os.path.join(build, "drawbridge"), "rules", "--format", "json"], stdout=subprocess.PIPE, check=True)
    for row in map(json.loads, done.stdout.splitlines()):
        for version in row["versions"]:
            kind = kinds.get((f"{row['group']}/{version}", row["kind"]))
            node, keys = node_at(kind.root, row["field"]) if kind and row["severity"] == "error" else (None, False)
            if node and row["rule"] != "type":
                (node.key_constraints if keys else node.constraints).append((row["rule"], row["args"]))


def format_samples():
    """{rule: [a good text, a bad one]}"""
    with open(os.path.join(ROOT, "rules", "formats.def"), encoding="utf-8") as file:
        return {rule: [sample.encode().decode("unicode_escape") for sample in samples] for rule, *samples in FORMAT.findall(file.read())}
