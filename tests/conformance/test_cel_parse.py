#!/usr/bin/env python3
"""Reads CEL expressions with tests/cel_parse_print and compares with what Kubernetes' own parser makes of them: the tree with the place of every node.
Errors are test_cel.py's.

    test_cel_parse.py BUILD [CASES]

cel_parse.jsonl.gz, or CASES in the same form, compressed or not: one case a line, {"expression", "tree"}, in the form of cel_parse_print.c; but entries of
maps and messages have no places, as the parser does not tell them. Expressions of selectors, and what chance makes of them: parts dropped, doubled,
exchanged. google/cel-go v0.26.0, set up as Kubernetes 1.35.4 does, was asked for each. One test a case.
"""
import json, os, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import printers
from tap import Tap

NESTED = 10000  # lists inside each other in the tree of a deep expression


def comparable(node):
    """A node as the cases have it."""
    if not isinstance(node, list) or not node:
        return node
    if node[0] == "double":
        return node[:2] + [float.fromhex(node[2]).hex()]
    if node[0] in ("map", "message"):
        return node[:-1] + [[[comparable(part) for part in entry[:3]] for entry in node[-1]]]
    return [comparable(part) for part in node]


def main(build, path=os.path.join(HERE, "cel_parse.jsonl.gz")):
    tap = Tap()
    sys.setrecursionlimit(NESTED)
    cases = printers.read_cases(path)
    tap.ok(len(cases) > 0, "there are cases")
    for case, answer in zip(cases, printers.ask(build, "cel_parse_print", [case["expression"].encode() for case in cases])):
        tap.ok(comparable(answer.get("tree")) == case["tree"], f"{ascii(case['expression'])[1:61]} is read", f"{json.dumps(case)}\n{json.dumps(answer)}")
    return tap.done()


sys.exit(main(*sys.argv[1:]))
