#!/usr/bin/env python3
"""Runs every fuzz target on its saved inputs, as this compiler has built it.

    test_corpora.py BUILD
"""
import glob, os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import run
from tap import Tap

SECONDS = 300  # for all inputs of a target; under a sanitizer the slowest takes a tenth of it


def main(build):
    tap = Tap()
    for path in sorted(glob.glob(os.path.join(HERE, "fuzz_*.c"))):
        name = os.path.basename(path)[len("fuzz_"):-len(".c")]
        with tempfile.TemporaryDirectory() as folder:
            run.unpack(name, folder)
            inputs = sorted(os.path.join(folder, entry) for entry in os.listdir(folder))
            done = subprocess.run([os.path.join(build, "tests", "corpus_" + name), *inputs], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS)
            ran = done.stdout.decode().splitlines()
            said = done.stderr.decode("utf-8", "replace").splitlines()
            tap.ok(inputs and done.returncode == 0 and len(ran) == len(inputs), f"fuzz_{name}: {len(inputs)} saved inputs", [*ran[-1:], *said[-20:]])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
