#!/usr/bin/env python3
"""The layers: who may include whom, what the engine may not know, what no file may hold.

    test_layout.py BUILD
"""
import os, re, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

LAYERS = ["base", "doc", "value", "cel", "check", "review", "lint", "library", "pki", "serve", "cli"]  # each may include those before it
RULES_MAY_INCLUDE = {"check/shape.h", "check/cross.h", "check/kind.h", "rules/tables.h", "rules/kinds.def", "rules/lifecycle.def", "rules/gates.def"}
ONLY_KIND_TABLE = {"check/kind.h", "rules/kinds.def", "rules/lifecycle.def", "rules/gates.def"}
ENGINE = ["base", "doc", "value", "check"]
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
            elif header == "drawbridge.h":
                good = layer in ("library", "cli")
            else:
                good = folder in LAYERS and LAYERS.index(folder) <= LAYERS.index(layer)
            if not good:
                wrong.append(header)
        tap.ok(layer in LAYERS and not wrong, f"{path} includes nothing from below {wrong or ''}")
    for path in sorted(sources("rules")):
        allowed = RULES_MAY_INCLUDE if path == "rules/kinds.c" else RULES_MAY_INCLUDE - ONLY_KIND_TABLE
        wrong = [header for header in includes(path) if header not in allowed]
        tap.ok(not wrong, f"{path} includes what tables may {wrong or ''}")


def test_engine_knows_no_kind(tap):
    names = re.findall(r'^KIND\("[^"]*",\s*"[^"]*",\s*"([^"]*)",\s*"([^"]*)",\s*(\w+)', read("rules/kinds.def"), re.M)
    words = {word for row in names for word in row} | {"storage.k8s.io", "resource.k8s.io"}
    words.remove("nodes")  # documents are made of nodes
    tap.ok(len(words) > 10, "there are kinds")
    for path in sorted(sources(*(os.path.join("src", layer) for layer in ENGINE))):
        text = read(path)
        found = sorted(word for word in words if re.search(r"\b" + re.escape(word) + r"\b", text))
        tap.ok(not found, f"{path} names no kind {found or ''}")


def test_programs(tap, build):
    """Judging files must not pay for the server's libraries."""
    needed = subprocess.run(["ldd", os.path.join(build, "drawbridge")], stdout=subprocess.PIPE, text=True).stdout
    tap.ok("libpcre2" in needed and not SERVER_LIBRARIES.search(needed), "drawbridge loads no library of the server")


def test_files(tap):
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout.split()
    for path in tracked or [os.path.relpath(os.path.join(folder, name), ROOT) for folder, _, names in os.walk(os.path.join(ROOT, "src")) for name in names]:
        if path.endswith((".gz", ".png")) or not os.path.isfile(os.path.join(ROOT, path)):
            continue
        text = read(path)
        tap.ok(not re.search(r"(^|[^\w.\-/])/(home|root|work)/\w", text), f"{path} holds no path of a machine")
        if path.startswith("src/"):
            tap.ok(text.count("\n") <= 700, f"{path} has at most 700 lines")


def main(build):
    tap = Tap()
    test_includes(tap)
    test_engine_knows_no_kind(tap)
    test_programs(tap, build)
    test_files(tap)
    return tap.done()


sys.exit(main(sys.argv[1]))
