#!/usr/bin/env python3
"""Reads texts with tests/quantity_print and compares with what Kubernetes makes of them: whether they are quantities, their exact value, thousandths, the
int64 of both ways of holding them, the order of neighbours and sums.

    test_quantity.py BUILD [CASES]

quantity.jsonl.gz, or CASES in the same form, compressed or not: one case a line, {"text" or "base64" or "json", "refused" or the members that
quantity_print.c tells of, ["string"], ["limit"]}; what k8s.io/apimachinery v0.35.4 (pkg/api/resource) said; make_quantity/ made them. milli and int64Big
are left out where they are value and int64. order and sum count the quantities before, so the cases go in as they stand. `string`: the same number as
Kubernetes writes it. `limit`: refused because of the limits that drawbridge(1) documents; Kubernetes was not asked. `json`: as it stands in an object, which
goes through `drawbridge lint`; `yaml`: "read" or "refused", when it stands in YAML. One test a case.
"""
import base64, gzip, json, os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

OBJECT = '{"apiVersion":"storage.k8s.io/v1","kind":"CSIStorageCapacity","metadata":{"name":"a","namespace":"b"},"storageClassName":"c","capacity":%s}'
YAML = "apiVersion: storage.k8s.io/v1\nkind: CSIStorageCapacity\nmetadata: {name: a, namespace: b}\nstorageClassName: c\ncapacity: %s\n"


def read_cases(path):
    with open(path, "rb") as file:
        data = file.read()
    return [json.loads(line) for line in (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).splitlines()]


def text_of(case):
    return base64.b64decode(case["base64"]) if "base64" in case else case["text"].encode()


def ask(build, texts):
    """What quantity_print says of each text."""
    done = subprocess.run([os.path.join(build, "tests", "quantity_print")], input=b"".join(b"%d:%s\n" % (len(text), text) for text in texts),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    if done.returncode or done.stderr or len(answers) != len(texts):
        sys.exit(f"quantity_print: status {done.returncode}, {len(answers)} answers to {len(texts)} texts\n{done.stderr.decode()}")
    return answers


def expected(case):
    if "refused" in case:
        return {"refused": True}
    names = ("value", "big", "int64", "order", "sum")
    return {"milli": case.get("milli", case["value"]), "int64Big": case.get("int64Big", case["int64"]), **{name: case[name] for name in names if name in case}}


def agrees(case, answer):
    if case.get("limit"):
        return answer.get("refused") in ("is too long for a quantity", "has an exponent that is too large")
    return expected(case) == ({"refused": bool(answer["refused"])} if "refused" in answer else answer)


def test_texts(tap, build, cases):
    for case, answer in zip(cases, ask(build, [text_of(case) for case in cases])):
        what = "too much" if "limit" in case else "no quantity" if "refused" in case else case["value"][:60]
        tap.ok(agrees(case, answer), f"{ascii(text_of(case))[1:60]} is {what}", f"{json.dumps(case)}\n{json.dumps(answer)}")


def test_written_texts(tap, build, cases):
    for case, answer in zip(cases, ask(build, [case["string"].encode() for case in cases])):
        tap.ok(answer.get("value") == case["value"], f"{case['string'][:60]} is {case['value'][:60]}", f"{json.dumps(case)}\n{json.dumps(answer)}")


def problems(build, texts, suffix):
    """What lint finds in objects, a file each: pairs of the file's number and the problem."""
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(texts):
            with open(os.path.join(folder, f"{number}{suffix}"), "w", encoding="utf-8") as file:
                file.write(text)
        done = subprocess.run([os.path.join(build, "drawbridge"), "lint", "--format", "json", "--ignore", "duplicate-object", folder], stdout=subprocess.PIPE, timeout=120)
    found = [json.loads(line) for line in done.stdout.splitlines()[:-1]]
    return [(int(os.path.basename(problem["file"])[:-len(suffix)]), problem) for problem in found]


def numbers(found, path, rule):
    return {number for number, problem in found if (problem["path"], problem["rule"]) == (path, rule)}


def test_json(tap, build, cases):
    found = problems(build, [OBJECT % case["json"] for case in cases], ".json")
    refused, negative = (numbers(found, "capacity", rule) for rule in ("type", "range"))
    tap.ok(len(found) == len(refused) + len(negative), "nothing else is wrong with the objects", found)
    for number, case in enumerate(cases):
        is_below = not case.get("refused") and case["value"].startswith("-")
        tap.ok((number in refused) == case.get("refused", False) and (number in negative) == is_below, f"{ascii(case['json'])[1:-1]} in an object", json.dumps(case))
    plain = [case for case in cases if "refused" not in case and case["json"] != "null"]
    for case, answer in zip(plain, ask(build, [case["json"].strip('"').encode() for case in plain])):
        answer = {name: value for name, value in answer.items() if name not in ("order", "sum")}
        tap.ok(agrees(case, answer), f"{ascii(case['json'])[1:-1]} is {case['value']}", f"{json.dumps(case)}\n{json.dumps(answer)}")


def test_yaml(tap, build, cases):
    found = problems(build, [YAML % case["json"] for case in cases], ".yaml")
    refused = numbers(found, "capacity", "type")
    tap.ok(len(found) == len(refused), "nothing else is wrong with the objects in YAML", found)
    for number, case in enumerate(cases):
        tap.ok((number in refused) == (case["yaml"] == "refused"), f"{ascii(case['json'])[1:-1]} in YAML is {case['yaml']}", json.dumps(case))


def main(build, path=os.path.join(HERE, "quantity.jsonl.gz")):
    tap = Tap()
    cases = read_cases(path)
    tap.ok(len(cases) > 0, "there are cases")
    test_texts(tap, build, [case for case in cases if "json" not in case])
    test_written_texts(tap, build, [case for case in cases if "string" in case])
    test_json(tap, build, [case for case in cases if "json" in case])
    test_yaml(tap, build, [case for case in cases if "yaml" in case])
    return tap.done()


sys.exit(main(*sys.argv[1:]))
