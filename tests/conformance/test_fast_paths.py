#!/usr/bin/env python3
"""Fast paths change no answer: a program that was built without them (-DNO_FAST_PATHS) prints the same bytes.

    test_fast_paths.py BUILD [MUTANTS SEED]

All cases as reviews in several versions, slices of devices that are much alike, captured reviews, mutants, and files through `lint`.
With a number of mutants and a seed after BUILD, only so many mutants.
"""
import glob, json, os, random, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import cases, mutants
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


def compare_mutants(tap, build, count, seed):
    """In each version a part of them, some as a webhook answers, some without feature gates."""
    options = [["--kubernetes-version", f"1.{minor}"] for minor in range(33, 38)]
    options += [["--mode", "enforce"], ["--kubernetes-version", "1.36", "--feature-gates", "AllAlpha=false,AllBeta=false"], ["--kubernetes-version", "1.33..1.37"]]
    for number, arguments in enumerate(options):
        lines = mutants.mutants(seed * len(options) + number, count // len(options))
        compare(tap, build, ["review", *arguments, "-"], "\n".join(lines) + "\n")


def check_looks(tap, build):
    """Of the devices of a slice it is known what their rows look at, and no row looks everywhere: then most need not be run again."""
    lines = {}
    for line in run(os.path.join(build, "tests", "looks_print"), []):
        lines.setdefault(line.decode().split(" ")[0], line.decode())  # v1; other versions, with the same paths, come after it
    for path in ("", ".attributes.*", ".capacity.*", ".consumesCounters[]", ".consumesCounters[].counters.*", ".taints[]"):
        line = lines.get("ResourceSlice.spec.devices[]" + path, "unknown")
        tap.ok("unknown" not in line and "always" not in line, f"what rows look at in devices[]{path} is known", line)


def main(build, count=4000, seed=None):
    tap, text = Tap(), "\n".join(reviews()) + "\n"
    compare_mutants(tap, build, count, seed or 1)
    if seed is not None:
        return tap.done()
    check_looks(tap, build)
    for version in ("1.33", "1.35", "1.36"):
        compare(tap, build, ["review", "--kubernetes-version", version, "-"], text)
    compare(tap, build, ["review", "--mode", "warn", "--format", "text", "-"], text)
    for arguments in ([], ["--as-status"], ["--kubernetes-version", "1.34"], ["--old", "tests/manifests"]):
        compare(tap, build, ["lint", "--format", "json", *arguments, "tests/manifests"])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), *map(int, sys.argv[2:])))
