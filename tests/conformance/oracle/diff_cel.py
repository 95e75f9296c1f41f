#!/usr/bin/env python3
"""Puts expressions that chance makes to Kubernetes' own compiler and evaluator and to drawbridge's, and prints where they differ.

    diff_cel.py [--seconds N] [--seed N] BUILD

Half of them are made of the expressions of ../cel.jsonl.gz whose grammar is right, half by ../generate_cel.py. Class, places and words of all errors, type
and worst-case cost are compared; and for each device of ../cel_devices.json whether it matches, or that it is an error, and the cost. What makes the real
compiler panic, take for ever or answer otherwise when it is asked again (Go's maps have no order) is only counted: drawbridge has to answer, and to refuse
what panics. The last line is `N passed, N failed`. It needs build-oracle/cel-1.35, which `make diff-cel` builds.
"""
import collections, json, os, re, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
CONFORMANCE = os.path.dirname(HERE)
ROOT = os.path.dirname(os.path.dirname(CONFORMANCE))
sys.path[:0] = [CONFORMANCE, os.path.dirname(CONFORMANCE)]
import differ, generate_cel, mutate_cel, printers

BATCH = 500
LONGEST = 400  # bytes of an expression that is changed: longer ones only take time
AGAIN = 12  # times that what differs is asked again, before it counts
DEVICES = os.path.join(CONFORMANCE, "cel_devices.json")
ORACLE = os.path.join(ROOT, "build-oracle", "cel-1.35")
NOT_MADE = "FieldsEntry"  # a message that cannot be made here; no selector has it
NO_ANSWER = ("panic", "slow", "unstable")


def ask_oracle(expressions, times):
    """An answer for each; the program ends where an expression takes too long, or overflows its stack: it is started again behind that."""
    answers = []
    while len(answers) < len(expressions):
        lines = [json.dumps({"expression": text}) + "\n" for text in expressions[len(answers):]]
        found = differ.ask([ORACLE, "-devices", DEVICES, "-times", str(times)], lines, check=False)
        answers += found
        if len(answers) < len(expressions) and not (found and found[-1]["class"] == "slow"):
            answers.append({"class": "panic"})
    return answers


def without_numbers(value):
    """In words of errors, unknown types are numbered as Go's order of maps has it: otherwise the next time."""
    return [[place, re.sub(r"\b_var\d+", "_var", words)] for place, words in value] if isinstance(value, list) else value


def agrees(said, answer):
    if said["class"] in NO_ANSWER:
        return "class" in answer and (said["class"] != "panic" or answer["class"] != "ok")
    if any(without_numbers(said.get(name)) != without_numbers(answer.get(name)) for name in ("class", "errors", "type", "maxCost")):
        return False
    return printers.evaluates_alike(said, answer)


def differences(build, expressions, classes):
    """What differs, as (expression, what Kubernetes says, what drawbridge says). Counts the classes."""
    here = printers.ask(build, "cel_print", [text.encode() for text in expressions], "35", DEVICES)
    there = ask_oracle(expressions, 1)
    for said in there:
        classes[said["class"]] += 1
    suspects = [(text, answer) for text, said, answer in zip(expressions, there, here) if not agrees(said, answer)]
    asked_again = ask_oracle([text for text, answer in suspects], AGAIN) if suspects else []
    classes["differ only once"] += sum(agrees(said, answer) for (text, answer), said in zip(suspects, asked_again))
    return [(text, said, answer) for (text, answer), said in zip(suspects, asked_again) if not agrees(said, answer)]


def main():
    arguments = differ.arguments(__doc__, seconds=60).parse_args()
    cases = printers.read_cases(os.path.join(CONFORMANCE, "cel.jsonl.gz"))
    good = [case["expression"] for case in cases if 0 < len(case["expression"]) <= LONGEST and case["class"] not in ("syntax", "panic") and
            NOT_MADE not in case["expression"]]
    mutator, generator = mutate_cel.Mutator(good, arguments.seed), generate_cel.Generator(arguments.seed)
    print(f"# seed {arguments.seed}", flush=True)
    failed, asked, classes, end = 0, 0, collections.Counter(), time.monotonic() + arguments.seconds
    while time.monotonic() < end:
        expressions = [mutator.one() if i % 2 else generator.one() for i in range(BATCH)]
        asked += BATCH
        for text, said, answer in differences(arguments.build, expressions, classes):
            failed += 1
            if failed <= differ.SHOWN:
                print(f"# {json.dumps(text)}\n#   Kubernetes {json.dumps(said)}\n#   drawbridge {json.dumps(answer)}", flush=True)
    print("# " + ", ".join(f"{count} {name}" for name, count in classes.most_common()))
    return differ.sum_up(asked, failed)


if __name__ == "__main__":
    sys.exit(main())
