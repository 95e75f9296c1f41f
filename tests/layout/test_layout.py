#!/usr/bin/env python3
"""The layers: who may include whom, what the engine may not know, what no file may hold.

    test_layout.py BUILD
"""
import os, re, shutil, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

LAYERS = ["base", "doc", "value", "cel", "schema", "check", "object", "validate", "review", "match", "allocate", "lint", "library", "pki", "observe", "serve", "lsp", "cli"]  # each may include those before it
CEL_RULES_MAY_INCLUDE = re.compile(r"(base|value|cel|rules/cel)/|schema/cel\.h")  # functions of CEL know no documents
RULES_MAY_INCLUDE = {"schema/rows.h", "schema/cel.h", "check/cross.h", "check/matched.h", "cel/compile.h", "rules/tables.h", "schema/driver.h"} | {
    f"rules/cross/{name}.h" for name in ("attribute_type", "common", "lookup", "outcome", "published")}
TABLES_MAY_INCLUDE = {  # the files that expand a .def
    "rules/kinds.c": {"schema/kind.h", "rules/tables.h", "rules/kinds.def"},
    "rules/gates.c": {"schema/gate.h", "rules/gates.def"},
    "rules/lifecycle.c": {"schema/lifecycle.h", "rules/lifecycle.def"},
}
TABLE_FREE = ["base", "doc", "value", "cel", "check", "object"]  # layers that do without the tables of rules/
CIRCLES = {  # object files that may link in a circle, and why
    "an index is an expression": {"src/cel/chain", "src/cel/evaluate"},
    "rows hold rows: the walk runs operations and predicates, and KEYS and OLD_INVALID walk again":
        {"src/check/walk", "src/check/ops", "src/check/ops_list", "src/check/ops_relation", "src/check/predicate"},
}
LIMITS_TOGETHER = {"LIMIT_TOGETHER_BYTES", "LIMIT_NAME_BYTES"}  # stand in validate/, with those of which they are a part
ENGINE = ["base", "doc", "value", "schema", "check", "object"]
SERVER_LIBRARIES = re.compile(r"libmicrohttpd|libgnutls|libcrypto|libssl")


def sources(*folders):
    for folder in folders:
        for path, _, names in os.walk(os.path.join(ROOT, folder)):
            for name in names:
                if name.endswith((".c", ".h", ".def")):
                    yield os.path.relpath(os.path.join(path, name), ROOT)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def includes(path):
    return re.findall(r'^#include "([^"]+)"', read(path), re.M)


def test_includes(tap):
    for path in sorted(sources("src")):
        layer = path.split("/")[1]
        if path == "src/drawbridge.h":
            tap.ok(not includes(path), "the public header needs no other")
            continue
        wrong = []
        for header in includes(path):
            folder = header.split("/")[0]
            if folder == "rules":
                good = header.endswith(".def")
            elif header.startswith("schema/") and header.endswith(".def"):
                good = LAYERS.index("schema") <= LAYERS.index(layer)
            elif header == "drawbridge.h":
                good = layer in ("library", "cli")
            else:
                good = folder in LAYERS and LAYERS.index(folder) <= LAYERS.index(layer)
            if not good:
                wrong.append(header)
        tap.ok(layer in LAYERS and not wrong, f"{path} includes nothing from below {wrong or ''}")
    for path in sorted(sources("rules")):
        if path.startswith("rules/cel/"):
            wrong = [header for header in includes(path) if not CEL_RULES_MAY_INCLUDE.match(header)]
            tap.ok(not wrong, f"{path} includes what functions of CEL may {wrong or ''}")
            continue
        allowed = TABLES_MAY_INCLUDE.get(path, RULES_MAY_INCLUDE)
        rows = os.path.dirname(path) + "/"  # those that several tables of a folder share
        wrong = [header for header in includes(path) if header not in allowed and not (header.startswith(rows) and header.endswith(".def"))]
        tap.ok(not wrong, f"{path} includes what tables may {wrong or ''}")


def test_rows_are_short(tap):
    """No line of a table is longer than 140 characters, and a DETAIL begins its line, but for macros of one line."""
    for path in sorted(sources("rules", "src/schema")):
        lines = read(path).splitlines()
        wrong = [f"line {number}" for number, line in enumerate(lines, 1)
                 if len(line) > 140 or (re.search(r"\bDETAIL\(", line) and not re.match(r"\s*DETAIL\(|\s*#define|[ /]\*", line))]
        tap.ok(not wrong, f"{path} has short rows {wrong or ''}")


def test_engine_knows_no_kind(tap):
    names = re.findall(r'^KIND\("[^"]*",\s*"[^"]*",\s*"([^"]*)",\s*"([^"]*)",\s*(\w+)', read("rules/kinds.def"), re.M)
    words = {word for row in names for word in row} | {"storage.k8s.io", "resource.k8s.io"}
    words.remove("nodes")  # documents are made of nodes
    tap.ok(len(words) > 10, "there are kinds")
    for path in sorted(sources(*(os.path.join("src", layer) for layer in ENGINE))):
        text = read(path)
        found = sorted(word for word in words if re.search(r"\b" + re.escape(word) + r"\b", text))
        tap.ok(not found, f"{path} names no kind {found or ''}")


def object_files(build):
    """The object files of sources that exist, by the source's path without its ending."""
    return {path[:-2]: os.path.join(build, "obj", path[:-2] + ".o") for path in sources("src", "rules")
            if path.endswith(".c") and os.path.exists(os.path.join(build, "obj", path[:-2] + ".o"))}


def links(build):
    """For each object file, those that define what it needs."""
    defined, needed = {}, {}
    for name, path in object_files(build).items():
        needed[name] = set()
        for line in subprocess.run(["nm", "--format=posix", path], stdout=subprocess.PIPE, text=True).stdout.splitlines():
            symbol, kind = line.split()[:2]
            if kind == "U":
                needed[name].add(symbol)
            elif kind in "TDBRVW":
                defined[symbol] = name
    return {name: {defined[symbol] for symbol in symbols if symbol in defined} - {name} for name, symbols in needed.items()}


def circles(graph):
    """Groups of nodes that reach each other (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph[node]:
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            group = {stack.pop()}
            while node not in group:
                group.add(stack.pop())
            if len(group) > 1:
                found.append(group)
    for node in graph:
        if node not in index:
            visit(node)
    return found


def test_links(tap, build):
    graph = links(build)
    tap.ok(len(graph) > 100, "there are object files")
    for name in sorted(graph):
        if not name.startswith("src/"):
            continue
        layer = name.split("/")[1]
        wrong = sorted(other for other in graph[name] if other.startswith("src/") and LAYERS.index(other.split("/")[1]) > LAYERS.index(layer))
        if layer in TABLE_FREE:
            wrong += sorted(other for other in graph[name] if other.startswith("rules/"))
        tap.ok(not wrong, f"{name}.o links to nothing below {wrong or ''}")
    left = [group for group in circles(graph) if not any(group <= circle for circle in CIRCLES.values())]
    tap.ok(not left, f"object files link in no circle but the named ones {[sorted(group) for group in left] or ''}")


def test_programs(tap, build):
    """Validating files must not pay for the server's libraries."""
    needed = subprocess.run(["ldd", os.path.join(build, "drawbridge")], stdout=subprocess.PIPE, text=True).stdout
    tap.ok("libpcre2" in needed and not SERVER_LIBRARIES.search(needed), "drawbridge loads no library of the server")


def test_observe(tap):
    """What is observed does not depend on how reviews come in."""
    for path in sorted(sources("src/observe")):
        tap.ok(not re.search(r"^#include <(microhttpd|gnutls)", read(path), re.M), f"{path} knows neither the HTTP library nor the TLS library")


def test_limits(tap):
    """A bound is in the limits.h of the lowest layer that needs it; those of texts, arenas and files are for all layers."""
    defined, used = {}, {}
    for path in sources("src"):
        layer = path.split("/")[1]
        for name in re.findall(r"^#define (LIMIT_\w+)", read(path), re.M):
            tap.ok(name not in defined and path == f"src/{layer}/limits.h", f"{name} is defined once, in a limits.h: {path}")
            defined[name] = layer
    for path in sorted(sources("src", "rules")):
        text = re.sub(r"/\*.*?\*/|^#define LIMIT_\w+", "", read(path), flags=re.S | re.M)
        for name in re.findall(r"\bLIMIT_\w+", text):
            used.setdefault(name, set()).add(path.split("/")[1] if path.startswith("src/") else "check")
    for name, layer in sorted(defined.items()):
        lowest = min(used.get(name, []), key=LAYERS.index, default=None)
        wrong = lowest != layer and not (layer == "base" and lowest) and name not in LIMITS_TOGETHER
        tap.ok(not wrong, f"{name} of {layer} is needed there {wrong and lowest or ''}")


def compiles(compiler, banned, text):
    command = [compiler, "-std=gnu11", "-D_GNU_SOURCE", "-fsyntax-only", "-w", "-x", "c", "-include", banned, "-"]
    return subprocess.run(command, input=text, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True).returncode == 0


def test_banned(tap):
    """The compiler refuses each banned function, in every file of src/ and rules/."""
    banned = os.path.join(ROOT, "src", "base", "banned.h")
    names = [name for line in re.findall(r"^#pragma GCC poison (.*)$", read("src/base/banned.h"), re.M) for name in line.split()]
    tap.ok({"strcpy", "strcat", "sprintf", "vsprintf", "gets", "strtok", "atoi", "alloca"} <= set(names), "the usual functions are banned")
    for compiler in filter(shutil.which, ["gcc", "clang"]):
        tap.ok(compiles(compiler, banned, "int f(void) { return snprintf(NULL, 0, \"\"); }"), f"{compiler}: others are not")
        wrong = [name for name in names if compiles(compiler, banned, f"void f(void) {{ (void){name}; }}")]
        tap.ok(not wrong, f"{compiler} refuses every banned function {wrong or ''}")
    for path in ("src/base/text.c", "src/cli/lint.c", "rules/kinds.c", "rules/cross/node.c"):
        object_file = f"build/obj/{path[:-2]}.o"
        shown = subprocess.run(["make", "--no-print-directory", "-n", "-W", path, "V=1", object_file], cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout
        tap.ok("-include src/base/banned.h" in shown, f"{path} is compiled with the list of them")


PRIVATE = {  # words that were ours alone, and where they may not come back; the field's words are in src/README.md
    r"judg(e[sd]?|ing|ement)|only_errors": ".",
    r"crews?|twins?|heard|behind (it|that|the|what|this)|(is|are) told": "src rules",
    r"ASIDE|HOLDS|NO_NEW|WRITTEN|BETTER|WHENEVER|UNWANTED|ADVISED|LIFTED|SLIPS_ONLY|AMONG": "src rules tests/unit",
    r"(struct|enum) (worker|crew|run|place|model|outline|guide|memo|frame|gathering|judg\w*|quiet\w*|standard\w*)": "src rules tests",
}
WORDS_OF_OLD = {"LICENSE", "src/CHANGELOG.md", "tests/layout/test_layout.py"}  # what was, and this list
UNBOUNDED = {"library", "object", "schema"}  # layers that bound nothing of their own
LINE = 140         # characters
FUNCTION = 40      # lines of a body
FILE = 600         # lines
STYLE_SINCE = "3931bd1"  # subjects of later commits have at most SUBJECT characters
SUBJECT = 60


def tracked(*folders):
    names = subprocess.run(["git", "ls-files", "--", *folders], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.split("\n")
    return [name for name in names if name and not name.endswith((".gz", ".png")) and os.path.isfile(os.path.join(ROOT, name))]


def test_words(tap):
    for pattern, folders in PRIVATE.items():
        found = [f"{path}:{number}" for path in tracked(*folders.split()) if path not in WORDS_OF_OLD
                 for number, line in enumerate(read(path).split("\n"), 1) if re.search(rf"\b({pattern})\b", line)]
        tap.ok(not found, f"no private word {pattern} in {folders} {found[:20] or ''}")


def functions(text):
    """(line number of the head, lines of the body) of each function: a brace alone in the first column begins and ends it."""
    lines, start = text.split("\n"), None
    for number, line in enumerate(lines, 1):
        if line == "{":
            start = number
        elif line == "}" and start:
            yield start - 1, number - start - 1
            start = None


def test_size(tap):
    for path in sorted(sources("src", "rules")):
        text = read(path)
        tap.ok(text.count("\n") <= FILE, f"{path} has at most {FILE} lines")
        long = [number for number, line in enumerate(text.split("\n"), 1) if len(line) > LINE]
        tap.ok(not long, f"{path} has no line of more than {LINE} characters {long or ''}")
        if path.endswith(".c"):
            large = [head for head, lines in functions(text) if lines > FUNCTION]
            tap.ok(not large, f"{path} has no function of more than {FUNCTION} lines {large or ''}")


def test_limits_files(tap):
    for layer in sorted(set(LAYERS) & {path.split("/")[1] for path in sources("src")}):
        tap.ok(os.path.exists(os.path.join(ROOT, "src", layer, "limits.h")) or layer in UNBOUNDED, f"{layer} has its limits.h")


def test_subjects(tap):
    """Of commits since the rule exists, where there is a history that goes back so far."""
    log = subprocess.run(["git", "log", "--no-merges", "--format=%s", f"{STYLE_SINCE}..HEAD"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    long = [subject for subject in log.stdout.splitlines() if len(subject) > SUBJECT] if log.returncode == 0 else []
    tap.ok(not long, f"subjects of commits have at most {SUBJECT} characters {long or ''}")


def test_files(tap):
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout.split()
    for path in tracked or [os.path.relpath(os.path.join(folder, name), ROOT) for folder, _, names in os.walk(os.path.join(ROOT, "src")) for name in names]:
        if path.endswith((".gz", ".png")) or not os.path.isfile(os.path.join(ROOT, path)):
            continue
        tap.ok(not re.search(r"(^|[^\w.\-/])/(home(?!/argocd/)|root|work)/\w", read(path)), f"{path} holds no path of a machine")  # but those of Argo CD's containers


def main(build):
    tap = Tap()
    test_includes(tap)
    test_rows_are_short(tap)
    test_engine_knows_no_kind(tap)
    test_limits(tap)
    test_links(tap, build)
    test_programs(tap, build)
    test_observe(tap)
    test_banned(tap)
    test_files(tap)
    test_words(tap)
    test_size(tap)
    test_limits_files(tap)
    test_subjects(tap)
    return tap.done()


sys.exit(main(sys.argv[1]))
