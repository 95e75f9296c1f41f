#!/usr/bin/env python3
"""`drawbridge lint` in several threads, built with the thread sanitizer: no data race, and the same words as in one thread.

    test_lint.py BUILD
"""
import os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), "bench"), os.path.dirname(HERE)]
import lint
from tap import Tap

FILES, DUMP_BYTES, JOBS = 400, 12 << 20, "4"  # a dump that is read in pieces


def write(folder):
    for i in range(FILES):
        with open(os.path.join(folder, f"{i:03}.yaml"), "w") as file:
            file.write(lint.KINDS[i % len(lint.KINDS)] % {"i": i // 2})  # some objects are there twice
    item = lambda i: "- " + (lint.KINDS[3] % {"i": i}).replace("\n", "\n  ").rstrip() + "\n"
    count = DUMP_BYTES // len(item(0))
    with open(os.path.join(folder, "dump.yaml"), "w") as file:
        file.write("apiVersion: v1\nkind: List\nitems:\n" + "".join(item(i) for i in range(count)))


def main(build):
    tap = Tap()

    def run(jobs, *arguments):
        done = subprocess.run([os.path.join(build, "drawbridge"), "lint", "--no-config", "-j", jobs, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
        return done.returncode, done.stdout, done.stderr

    with tempfile.TemporaryDirectory() as folder:
        write(folder)
        for name, *arguments in (("many files and a dump", folder), ("findings", "--inside-configmaps", "tests/manifests"), ("a range", "--kubernetes-version", "1.35..1.37", "tests/manifests"),
                                 ("older objects", "--old", "tests/manifests", "--with", folder, "tests/manifests"), ("sarif", "--format", "sarif", "tests/manifests")):
            one, several = run("1", *arguments), run(JOBS, *arguments)
            races = several[2].count(b"WARNING: ThreadSanitizer")
            tap.ok(not races and several[0] in (0, 1, 2), f"{name}: no race", several[2].decode(errors="replace")[:4000])
            tap.ok(one == several and (one[1] or one[2]), f"{name}: the words are those of one thread", (one[0], several[0]))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
