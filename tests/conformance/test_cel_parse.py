#!/usr/bin/env python3
"""Reads CEL expressions with tests/cel_parse_print and compares with what Kubernetes' own compiler makes of them: every error with its place and words, or
the tree with the place of every node.

    test_cel_parse.py BUILD [CASES]

cel_parse.jsonl.gz, or CASES in the same form, compressed or not: one case a line, {"expression", "errors" or "tree"}, in the form of cel_parse_print.c;
but errors have only the first line of their words, and entries of maps and messages no places, as the compiler does not tell them. Expressions of
selectors, and what chance makes of them: parts dropped, doubled, exchanged; and tokens in no order. google/cel-go v0.26.0, set up as Kubernetes
1.35.4 does, was asked for each. One test a case.
"""
import gzip, json, os, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

NESTED = 10000  # lists inside each other in the tree of a deep expression


def read_cases(path):
    with open(path, "rb") as file:
        data = file.read()
    return [json.loads(line) for line in (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).splitlines()]


def ask(build, texts):
    """What cel_parse_print says of each text."""
    done = subprocess.run([os.path.join(build, "tests", "cel_parse_print")], input=b"".join(b"%d:%s\n" % (len(text), text) for text in texts),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    if done.returncode or done.stderr or len(answers) != len(texts):
        sys.exit(f"cel_parse_print: status {done.returncode}, {len(answers)} answers to {len(texts)} texts\n{done.stderr.decode()}")
    return answers


def comparable(node):
    """A node as the cases have it."""
    if not isinstance(node, list) or not node:
        return node
    if node[0] == "double":
        return node[:2] + [float.fromhex(node[2]).hex()]
    if node[0] in ("map", "message"):
        return node[:-1] + [[[comparable(part) for part in entry[:3]] for entry in node[-1]]]
    return [comparable(part) for part in node]


def seen(answer):
    if "tree" in answer:
        return {"tree": comparable(answer["tree"])}
    if "errors" in answer:
        return {"errors": [[place, words.split("\n")[0]] for place, words in answer["errors"]]}
    return answer


def main(build, path=os.path.join(HERE, "cel_parse.jsonl.gz")):
    tap = Tap()
    sys.setrecursionlimit(NESTED)
    cases = read_cases(path)
    tap.ok(len(cases) > 0, "there are cases")
    for case, answer in zip(cases, ask(build, [case["expression"].encode() for case in cases])):
        expected = {name: case[name] for name in ("tree", "errors") if name in case}
        what = "is read" if "tree" in case else f"has {len(case['errors'])} errors"
        tap.ok(seen(answer) == expected, f"{ascii(case['expression'])[1:61]} {what}", f"{json.dumps(case)}\n{json.dumps(answer)}")
    return tap.done()


sys.exit(main(*sys.argv[1:]))
