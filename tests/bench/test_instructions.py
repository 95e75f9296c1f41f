#!/usr/bin/env python3
"""No review takes 5 % more instructions than instructions.tsv says. Another compiler makes other code: then only that there is no more than
twice as much of it is tested, and said.

    test_instructions.py BUILD
"""
import os, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import engine
from tap import Tap

MOST = 1.05
MOST_OF_OTHERS = 2


def main(build):
    tap = Tap()
    kept_compiler, kept = engine.read_kept()
    same = engine.compiler() == kept_compiler
    if not same:
        print(f"# skipped: the exact comparison, as the counts are those of {kept_compiler}, and this is {engine.compiler()}")
    counted = engine.count(build)
    tap.equal(sorted(counted), sorted(kept), "instructions.tsv has all reviews")
    for name in sorted(set(counted) & set(kept)):
        now, before = counted[name][1], kept[name]
        tap.ok(now <= before * (MOST if same else MOST_OF_OTHERS), f"{name}: {now} instructions, kept are {before}",
               f"{100 * (now / before - 1):.1f} % more. If that is meant: python3 tests/bench/engine.py --keep build")
        if now < before / MOST:
            print(f"# measured: {name}: {100 * (1 - now / before):.1f} % fewer instructions than kept")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
