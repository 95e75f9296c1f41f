#!/usr/bin/env python3
"""Fast paths change no answer: a program that was built without them (-DNO_FAST_PATHS) prints the same bytes.

    test_fast_paths.py BUILD

All cases as reviews in several versions, slices of devices that are much alike, captured reviews, and files through `lint`.
"""
import glob, json, os, random, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import cases
import test_alike
from tap import Tap
from test_review import review

SLOW = os.path.join(ROOT, "build-proof", "drawbridge")


def reviews():
    """Each a line."""
    for case in cases.read():
        yield json.dumps(review(case), separators=(",", ":"))
    choose = random.Random(20261122)
    for _ in range(200):
        yield test_alike.review(list(test_alike.devices(choose)))
    for path in sorted(glob.glob(os.path.join(ROOT, "tests", "reviews", "*.json"))):
        with open(path, encoding="utf-8") as file:
            yield file.read().strip()


def run(program, arguments, text=""):
    done = subprocess.run([program, *arguments], input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=ROOT, timeout=600)
    return done.stdout.splitlines()


def compare(tap, build, arguments, text=""):
    fast, slow = run(os.path.join(build, "drawbridge"), arguments, text), run(SLOW, arguments, text)
    different = [f"fast {a.decode()}\nslow {b.decode()}" for a, b in zip(fast, slow) if a != b]
    tap.ok(fast and len(fast) == len(slow) and not different, f"drawbridge {' '.join(arguments)}: {len(fast)} lines are the same", different and different[0])


def main(build):
    tap, text = Tap(), "\n".join(reviews()) + "\n"
    for version in ("1.33", "1.35", "1.36"):
        compare(tap, build, ["review", "--kubernetes-version", version, "-"], text)
    compare(tap, build, ["review", "--mode", "warn", "--format", "text", "-"], text)
    for arguments in ([], ["--as-status"], ["--kubernetes-version", "1.34"], ["--old", "tests/manifests"]):
        compare(tap, build, ["lint", "--format", "json", *arguments, "tests/manifests"])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
