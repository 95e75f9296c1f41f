#!/usr/bin/env python3
"""Documents, comments and help texts name the versions of Kubernetes that src/schema/rule.h knows, wherever they name the oldest and the
newest one, or the default.

    test_versions.py BUILD
    test_versions.py --write       brings them up to date, and what transcripts say of objects that were validated as the old default
"""
import os, re, sys

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
ROOT = os.path.dirname(TESTS)
sys.path.insert(0, TESTS)
import versions
from tap import Tap

TEXTS = (".md", ".txt", ".py", ".h", ".yaml")
FOLDERS = ["deploy", "src", os.path.join("tests", "cli"), os.path.join("tests", "python"), os.path.join("tests", "docs")]
LEFT_OUT = {os.path.join("src", "CHANGELOG.md"), os.path.join("src", "schema", "rule.h"), os.path.join("tests", "docs", "test_versions.py")}
MARKS = r"[\"'*`]*"
# (what, pattern of the text before the number and of the number, the number)
CHECKED = [
    ("the newest version", rf"(\b1\.{versions.OLDEST}{MARKS}\s+to\s+{MARKS}1\.)(\d+)", versions.NEWEST),
    ("the default version", rf"(\b(?:[Dd]efault(?:\s+is|:)?\s+|DEFAULT_VERSION = |NULL: ){MARKS}1\.)(\d+)", versions.DEFAULT),
]
# What programs print of the default, by the end of the file's name; transcripts prove it, so only --write looks for it.
PRINTED = {".md": r"((?:\bas(?: Kubernetes)?|from Kubernetes 1\.\d+ to) 1\.)(\d+)\b(?!\.)", ".txt": r"(\bas(?: Kubernetes)? 1\.)(\d+)\b(?!\.)"}


def files():
    yield "README.md"
    for folder in FOLDERS:
        for path, folders, names in os.walk(os.path.join(ROOT, folder)):
            folders[:] = [name for name in folders if not name.startswith((".", "__")) and name != "build"]
            yield from (os.path.relpath(os.path.join(path, name), ROOT) for name in sorted(names) if name.endswith(TEXTS))


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def write():
    texts = {path: read(path) for path in files() if path not in LEFT_OUT}
    old = {found for text in texts.values() for _, found in re.findall(CHECKED[1][1], text)} - {str(versions.DEFAULT)}
    for path, text in texts.items():
        new = text
        for _, pattern, minor in CHECKED:
            new = re.sub(pattern, lambda match, minor=minor: f"{match[1]}{minor}", new)
        printed = PRINTED.get(os.path.splitext(path)[1])
        if old and printed:
            new = re.sub(printed, lambda match: f"{match[1]}{versions.DEFAULT}" if match[2] in old else match[0], new)
        if new != text:
            with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
                file.write(new)
            print(path)


def main(argument):
    if argument == "--write":
        return write()
    tap, found = Tap(), 0
    for path in files():
        if path in LEFT_OUT:
            continue
        text = read(path)
        for what, pattern, minor in CHECKED:
            numbers = [int(number) for _, number in re.findall(pattern, text)]
            found += len(numbers)
            if numbers:
                tap.ok(set(numbers) == {minor}, f"{path} names {what}", f"1.{minor}, not 1.{min(numbers)} to 1.{max(numbers)}: test_versions.py --write")
    tap.ok(found > 30, f"{found} places name versions")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
