#!/usr/bin/env python3
"""The case files are as README.md says, so that they can be read, searched and compared; and what is written in them is exactly an object.

    test_cases.py BUILD
"""
import os, re, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import cases
from describe import describe
from notation import Reader, read, write
from tap import Tap

WRONG = (ValueError, KeyError, IndexError, TypeError)  # what a wrong line ends in
SAMPLE = 25  # every so many cases, the objects are described anew

BASES = {"claim": {"apiVersion": "g/v1", "kind": "Claim", "spec": {"list": ["a", "b", "c"], "count": 1, "on": True}}}
OBJECTS = [  # (words, the object's spec)
    ("claim", '{"list":["a","b","c"],"count":1,"on":true}'),
    ("claim spec.count=2 spec.on=-", '{"list":["a","b","c"],"count":2}'),
    ("claim spec.count=true", '{"list":["a","b","c"],"count":true,"on":true}'),
    ("claim spec.count=1.0", '{"list":["a","b","c"],"count":1.0,"on":true}'),
    ("claim spec.list[1]=-", '{"list":["a","c"],"count":1,"on":true}'),
    ("claim spec.list[3]=\"d\"", '{"list":["a","b","c","d"],"count":1,"on":true}'),
    ("claim spec.list+=[\"x%d\"]*2..9", '{"list":["a","b","c","x2","x3","x4","x5","x6","x7","x8","x9"],"count":1,"on":true}'),
    ("claim spec.list=[\"x%d\"]*12", '{"list":["x0","x1","x2","x3","x4","x5","x6","x7","x8","x9","x10","x11"],"count":1,"on":true}'),
    ("claim spec.list=[\"first\"]+[\"x%d\"]*1..5", '{"list":["first","x1","x2","x3","x4","x5"],"count":1,"on":true}'),
    ("claim spec[\"a.b/c \\\"d\\\"\"]={\"k%d\":[]}*4",
     '{"list":["a","b","c"],"count":1,"on":true,"a.b/c \\"d\\"":{"k0":[],"k1":[],"k2":[],"k3":[]}}'),
    ("claim spec.count=\"yes && \"*9+\"yes\"", '{"list":["a","b","c"],"count":"' + "yes && " * 9 + 'yes","on":true}'),
    ("claim spec.count={\"a\":1,\"a\":null}", '{"list":["a","b","c"],"count":{"a":1,"a":null},"on":true}'),
    ("claim spec={\"count\":1,\"on\":true,\"list\":[]}", '{"count":1,"on":true,"list":[]}'),
]
NO_OBJECTS = ["", "nothing", "claim spec.count", "claim spec.count=", "claim spec.count=1x", "claim spec.list[9]=1", "claim spec.none=-",
              "claim spec.count={\"a\":1,\"a\":2} spec.count.a=3"]
VERDICTS = [  # (text, items)
    ("allowed", set()),
    ("denied: a.b Required; a[2..4].c Invalid", {("a.b", "Required"), ("a[2].c", "Invalid"), ("a[3].c", "Invalid"), ("a[4].c", "Invalid")}),
    ('denied: "a b[1]; c" Invalid; d unknown', {("a b[1]; c", "Invalid"), ("d", "unknown")}),
    ('denied: "a[1..2]" Invalid', {("a[1..2]", "Invalid")}),
    ("denied: a[9..11] Invalid", {("a[9]", "Invalid"), ("a[10]", "Invalid"), ("a[11]", "Invalid")}),
]
NO_VERDICTS = ["", "denied:", "denied: a", "refused: a Invalid", "allowed; a unknown", "denied: a b Invalid"]


def refuses(call):
    """Whether a call fails as a wrong line does, and not otherwise."""
    try:
        call()
    except WRONG:
        return True
    return False


def test_words(tap):
    for words, spec in OBJECTS:
        wanted = write(dict(BASES["claim"], spec=read(spec)))
        reader = Reader(words, BASES)
        tap.equal(write(reader.object()), wanted, f"{words} is read")
        tap.equal(describe(read(wanted), BASES), words, f"{words} is written")
    tap.equal(write(Reader("claim/v2", BASES).object()["apiVersion"]), '"g/v2"', "another version of the API")
    for words in NO_OBJECTS:
        reader = Reader(words, BASES)
        tap.ok(refuses(lambda: (reader.object(), reader.end())), f"{words!r} is refused")


def read_verdict(text, main=None):
    reader = cases.CaseReader(text, {})
    verdict = reader.verdict(main)
    reader.end()
    return verdict


def test_verdicts(tap):
    for text, items in VERDICTS:
        tap.equal(cases.items_of(read_verdict(text)), items, f"{text} is read")
        tap.equal(cases.verdict_text(read_verdict(text)), text, f"{text} is written")
    for text in NO_VERDICTS:
        tap.ok(refuses(lambda: read_verdict(text)), f"{text!r} is refused")
    main = read_verdict("denied: a Invalid; b unknown")
    text = "1.32-1.33 denied: ...; c Required | 1.36 allowed | 1.37 denied: ...; c Required"
    others = cases.CaseReader(text, {}).others(main)
    older, newer = {("a", "Invalid"), ("c", "Required")}, {("a", "Invalid"), ("b", "unknown"), ("c", "Required")}
    tap.equal(cases.items_of(others["1.32"]), older, "... of an older version stands for the causes of 1.35")
    tap.equal(cases.items_of(others["1.37"]), newer, "... of a newer one for its unknown fields, too")
    tap.equal(cases.others_text(others, main), text, "both are written")


def test_files(tap):
    bases, ids, used = cases.read_bases(), {}, set()
    tap.equal(list(bases), sorted(bases), "bases are sorted")
    for path in cases.paths():
        name = os.path.basename(path)
        with open(path, encoding="utf-8", newline="\n") as file:
            header, *lines = file.read().split("\n")
        tap.equal(header, cases.HEADER, f"{name}: the header")
        tap.ok(lines[-1] == "" and lines[:-1] == sorted(lines[:-1], key=lambda line: line.split("\t")[0]), f"{name} is sorted by id")
        for line in lines[:-1]:
            try:
                case = cases.read_line(line, bases)
            except WRONG as error:
                tap.ok(False, f"{name}: {line.split(chr(9))[0]}", error)
                continue
            used.update(match[1] for match in re.finditer(r"(?:^|<- |: )([a-z0-9-]+)", line.split("\t")[1]))
            wrong = [text for text, bad in [
                (f"the id is in {ids.get(case['id'])}, too", case["id"] in ids),
                (f"its place is {os.path.basename(cases.path_of(case['object']['kind']))}", cases.path_of(case["object"]["kind"]) != path),
                ("1.35 was not asked (make oracle ALL=1)", case["expect"]["outcome"] == "not-asked"),
                (f"its verdicts are written {cases.write_line(case, '...')}", cases.write_line(case, line.split("\t")[1]) != line)] if bad]
            tap.ok(not wrong, f"{name}: {case['id']}", "; ".join(wrong))
            ids[case["id"]] = name
    tap.equal(sorted(set(bases) - used), [], "each base is used")


def test_exact(tap):
    """What describe writes is the object, the order of members included."""
    bases = cases.read_bases()
    for case in list(cases.read())[::SAMPLE]:
        for obj in filter(None, (case["object"], case.get("oldObject"))):
            tap.equal(write(Reader(describe(obj, bases), bases).object()), write(obj), f"{case['id']} is written exactly")


def main():
    tap = Tap()
    test_words(tap)
    test_verdicts(tap)
    test_files(tap)
    test_exact(tap)
    return tap.done()


sys.exit(main())
