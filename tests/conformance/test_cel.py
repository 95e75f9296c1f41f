#!/usr/bin/env python3
"""Compiles CEL expressions of device selectors with tests/cel_print and compares with what Kubernetes' own compiler says: class, every error with its
place and words, or type and worst-case cost. Evaluates them on the devices of cel_devices.json and compares with what Kubernetes' own evaluator says:
true, false or an error, and the cost.

    test_cel.py BUILD [CASES]

cel.jsonl.gz, or CASES in the same form, compressed or not: one case a line, {"expression", "class", ...}, as oracle/cel prints it (google/cel-go
v0.26.0, set up as Kubernetes 1.35.4 does). Generated and adversarial expressions, those of real drivers, what chance makes of them, and what
generate_cel.py makes. Where that
compiler panics, any refusal is right that is no error of grammar or types of its own. One test a case.
"""
import json, os, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import printers
from tap import Tap


def agrees(case, answer):
    if case["class"] == "panic":
        return answer.get("class", "ok") != "ok"
    return all(case.get(name) == answer.get(name) for name in ("class", "errors", "type", "maxCost")) and printers.evaluates_alike(case, answer)


def main(build, path=os.path.join(HERE, "cel.jsonl.gz")):
    tap = Tap()
    cases = printers.read_cases(path)
    tap.ok(len(cases) > 0, "there are cases")
    for case, answer in zip(cases, printers.ask(build, "cel_print", [case["expression"].encode() for case in cases], "35",
                                               os.path.join(HERE, "cel_devices.json"))):
        tap.ok(agrees(case, answer), f"{ascii(case['expression'])[1:61]} is {case['class']}", f"{json.dumps(case)}\n{json.dumps(answer)}")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
