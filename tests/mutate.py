#!/usr/bin/env python3
"""Changes rows of the tables one at a time, and says which changes no test notices.

    mutate.py [--count N] [--seed S] [--file PATTERN] FOLDER

A change is one that somebody could make by mistake: a check is left out, a number of a limit is one more or one less, SINCE or UNTIL is a
version off, a check has no condition, or no STOP, a field is no POINTER. N of them are chosen by chance, from rules/ or the files that the
pattern names. Each is built in FOLDER, a copy of the tree, and suites run one after the other until one fails. The last line is
`N noticed, N survived`; the exit status is 1 if anything survived. What does not compile does not count.
"""
import argparse, fnmatch, os, random, re, shutil, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
# The quickest first; each asks build/drawbridge only.
SUITES = [["rows/test_findings.py"], ["ledger/test_ledger.py"], ["conformance/test_review.py"],
          ["cli/test_transcripts.py", "documented.txt", "lint.txt", "mistakes.txt", "newer.txt", "together.txt", "workloads.txt"], ["conformance/test_lint.py"]]
SECONDS = 600  # for a build, or a suite
CHECK = re.compile(r"\b(REQUIRED|FORMAT|IMMUTABLE|UNIQUE|ENUM|ONE_OF|AT_LEAST|UP_TO_ITEMS|MAX_ITEMS|MAX_BYTES|FORBIDDEN|RANGE|NON_EMPTY|CALL)\(")
LIMIT = re.compile(r"\b(AT_LEAST|AT_MOST|UP_TO_ITEMS|MAX_ITEMS|MAX_ITEMS_CONTINUE|MAX_BYTES|MAX_LENGTH|RANGE|WITHIN)\([^()]*?(\d+)")
VERSION = re.compile(r"\b(SINCE|UNTIL)\((\d+)\)")
WORD = re.compile(r",\s*(STOP|POINTER)\b")
CONDITION = re.compile(r",\s*IF\(")


def end_of_call(text, start):
    """The offset after the parenthesis that closes the one at or after start."""
    depth = 0
    for at in range(text.index("(", start), len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if not depth:
            return at + 1
    return len(text)


def changes_of(text):
    """(from, to, replacement, words) of each change that could be made."""
    for match in CHECK.finditer(text):
        end = end_of_call(text, match.start())
        if text[end:end + 1] == ",":
            yield match.start(), end + 1, "", f"without {match.group(1)}"
        elif text[:match.start()].rstrip().endswith(","):
            yield text[:match.start()].rstrip().rindex(","), end, "", f"without {match.group(1)}"
    for match in LIMIT.finditer(text):
        for by in (-1, 1):
            number = int(match.group(2)) + by
            yield match.start(2), match.end(2), str(number), f"{match.group(1)} {match.group(2)} is {number}"
    for match in VERSION.finditer(text):
        for by in (-1, 1):
            number = int(match.group(2)) + by
            yield match.start(2), match.end(2), str(number), f"{match.group(1)}({match.group(2)}) is {number}"
    for match in WORD.finditer(text):
        yield match.start(), match.end(), "", f"without {match.group(1)}"
    for match in CONDITION.finditer(text):
        yield match.start(), end_of_call(text, match.end() - 1), "", "without its condition"


def copy_tree(folder):
    """The files that git tracks, as they are now."""
    names = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")
    for name in filter(None, names):
        source, target = os.path.join(ROOT, name), os.path.join(folder, name)
        if not os.path.isfile(source):
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target) or os.stat(target).st_mtime < os.stat(source).st_mtime or os.stat(target).st_size != os.stat(source).st_size:
            shutil.copy2(source, target)


def build(folder):
    done = subprocess.run(["make", "-s", "-j2", "CFLAGS=-O1", "build/drawbridge"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=SECONDS)
    return done.returncode == 0, done.stderr.decode("utf-8", "replace")


def noticed_by(folder):
    """The suite that fails; None: none does."""
    for suite, *names in SUITES:
        try:
            done = subprocess.run([sys.executable, os.path.join(folder, "tests", suite), os.path.join(folder, "build"), *names], cwd=folder,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return suite
        if done.returncode:
            return suite
    return None


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--count", type=int, default=20)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--file", default="rules/*/*.c", help="which tables, as a pattern")
    arguments.add_argument("folder")
    given = arguments.parse_args()
    folder = os.path.abspath(given.folder)
    copy_tree(folder)
    paths = sorted(os.path.relpath(os.path.join(base, name), folder) for base, _, names in os.walk(os.path.join(folder, "rules")) for name in names)
    every = []
    for path in fnmatch.filter(paths, given.file):
        with open(os.path.join(folder, path), encoding="utf-8") as file:
            text = file.read()
        every += [(path, text, change) for change in changes_of(text)]
    good, errors = build(folder)
    if not good:
        sys.exit("mutate.py: the tree does not build:\n" + errors)
    failing = noticed_by(folder)
    if failing:
        sys.exit(f"mutate.py: {failing} fails without any change")
    noticed = survived = 0
    for path, text, (start, end, replacement, words) in random.Random(given.seed).sample(every, min(given.count, len(every))):
        place = f"{path}:{text.count(chr(10), 0, start) + 1}: {words}"
        whole = os.path.join(folder, path)
        try:
            with open(whole, "w", encoding="utf-8") as file:
                file.write(text[:start] + replacement + text[end:])
            good, _ = build(folder)
            suite = noticed_by(folder) if good else "the compiler"
        finally:
            with open(whole, "w", encoding="utf-8") as file:
                file.write(text)
        if good:
            noticed, survived = noticed + (suite is not None), survived + (suite is None)
        print(f"{'SURVIVED' if suite is None else 'noticed '} {place}" + (f" ({suite})" if suite else ""), flush=True)
    print(f"{noticed} noticed, {survived} survived")
    return survived != 0


sys.exit(main())
