#!/usr/bin/env python3
"""Puts expressions that chance makes to Kubernetes' own compiler and to drawbridge's, and prints where they differ.

    diff_cel.py [--seconds N] [--seed N] BUILD

The expressions of ../cel.jsonl.gz whose grammar is right are what is changed. Class, places and words of all errors, type and worst-case cost are compared. What makes the real
compiler panic, take for ever or answer otherwise the second time is only counted: drawbridge has to answer, and to refuse what panics. The last line is
`N passed, N failed`. It needs build-oracle/cel-1.35, which `make diff-cel` builds.
"""
import argparse, collections, json, os, re, subprocess, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
CONFORMANCE = os.path.dirname(HERE)
ROOT = os.path.dirname(os.path.dirname(CONFORMANCE))
sys.path[:0] = [CONFORMANCE, os.path.dirname(CONFORMANCE)]
import mutate_cel, printers

BATCH = 500
LONGEST = 400  # bytes of an expression that is changed: longer ones only take time
SHOWN = 20
NO_ANSWER = ("panic", "slow", "unstable")


def ask_oracle(program, expressions):
    """An answer for each; the program ends where an expression takes too long, or overflows its stack: it is started again behind that."""
    answers = []
    while len(answers) < len(expressions):
        lines = "".join(json.dumps({"expression": text}) + "\n" for text in expressions[len(answers):])
        done = subprocess.run([program], input=lines.encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        found = [json.loads(line) for line in done.stdout.splitlines()]
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
    return all(without_numbers(said.get(name)) == without_numbers(answer.get(name)) for name in ("class", "errors", "type", "maxCost"))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--seconds", type=float, default=60)
    arguments.add_argument("--seed", type=int, default=None, help="to repeat a run")
    arguments.add_argument("build")
    arguments = arguments.parse_args()
    seed = arguments.seed if arguments.seed is not None else int(time.time())
    cases = printers.read_cases(os.path.join(CONFORMANCE, "cel.jsonl.gz"))
    good = [case["expression"] for case in cases if 0 < len(case["expression"]) <= LONGEST and case["class"] not in ("syntax", "panic")]
    mutator = mutate_cel.Mutator(good, seed)
    print(f"# seed {seed}", flush=True)
    failed, classes, end = 0, collections.Counter(), time.monotonic() + arguments.seconds
    while time.monotonic() < end:
        asked = [mutator.one() for _ in range(BATCH)]
        said = ask_oracle(os.path.join(ROOT, "build-oracle", "cel-1.35"), asked)
        for text, one, answer in zip(asked, said, printers.ask(arguments.build, "cel_print", [text.encode() for text in asked])):
            classes[one["class"]] += 1
            if not agrees(one, answer):
                failed += 1
                if failed <= SHOWN:
                    print(f"# {json.dumps(text)}\n#   Kubernetes {json.dumps(one)}\n#   drawbridge {json.dumps(answer)}", flush=True)
    print("# " + ", ".join(f"{count} {name}" for name, count in classes.most_common()))
    print(f"{sum(classes.values()) - failed} passed, {failed} failed")
    return 1 if failed or not classes else 0


if __name__ == "__main__":
    sys.exit(main())
