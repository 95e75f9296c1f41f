#!/usr/bin/env python3
"""Runs the command transcripts *.txt of this folder and compares what is printed.

    test_transcripts.py BUILD [NAME.txt...]      without names, all

A transcript is a terminal session, run in a temporary folder that holds copies of tests/reviews and tests/manifests:

    $ COMMAND           run by sh; `drawbridge` is the program under test
    text                standard output
    ! text              standard error
    ? N                 exit status; 0 when not given
    # text              a remark

`...` in an expected line stands for anything.
"""
import glob, os, shutil, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap
from transcript import matches


def parse(path):
    """Yields (line number, command, stdout lines, stderr lines, status)."""
    step = None
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.rstrip("\n")
            if line.startswith("$ "):
                if step:
                    yield step
                step = [number, line[2:], [], [], 0]
            elif line.startswith("#") or not step:
                continue
            elif line.startswith("? "):
                step[4] = int(line[2:])
            elif line.startswith("! "):
                step[3].append(line[2:])
            else:
                step[2].append(line)
    if step:
        yield step


def main(build, names):
    tap = Tap()
    for path in sorted(glob.glob(os.path.join(HERE, "*.txt")) if not names else (os.path.join(HERE, name) for name in names)):
        with tempfile.TemporaryDirectory() as folder:
            for name in "reviews", "manifests":
                shutil.copytree(os.path.join(HERE, "..", name), os.path.join(folder, name))
            env = dict(os.environ, PATH=build + os.pathsep + os.environ["PATH"])
            for number, command, out, err, status in parse(path):
                done = subprocess.run(command, shell=True, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
                actual_out, actual_err = done.stdout.decode().splitlines(), done.stderr.decode().splitlines()
                good = matches(out, actual_out) and matches(err, actual_err) and done.returncode == status
                if not tap.ok(good, f"{os.path.basename(path)}:{number}: {command}"):
                    print("\n".join(["# stdout:"] + ["#   " + line for line in actual_out] + ["# stderr:"] + ["#   " + line for line in actual_err] + [f"# status {done.returncode}"]))
    return tap.done()


sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2:]))
