#!/usr/bin/env python3
"""The examples of rules, rules/examples/*.md: every rule has one, the bad object breaks that rule and no other, the good one does not.

    test_examples.py BUILD [RULE...]      without names, all

A page has `## RULE`, a text with **Fix:**, and a block of lines for the bad (-) and the good (+) object, and for what was there before an
update (!); a blank stands for all of them. After the block's word diff come options of lint, and also=RULE for a rule that the bad object
breaks, too: such fields are always refused, or both rules go together. --old alone updates the good object, --as-status gives it its status.
`<N times TEXT>` stands for a long value.
"""
import glob, json, os, re, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

CONDITIONS = {"in-tree-plugin"}  # rules that rows only ask by: no finding has them


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def rules():
    return [id for name, row in (("rules.def", "RULE"), ("formats.def", "FORMAT"))
            for id in re.findall(rf'^{row}\(\w+,\s*"([^"]+)"', read("rules", name), re.M)]


class Example:
    def __init__(self, id, text):
        self.id = id
        self.prose, block, rest = text.partition("\n```diff")
        words, _, lines = rest.partition("\n")
        self.lines = lines.partition("\n```\n")[0].split("\n") if block else []
        self.also = {word[5:] for word in words.split() if word.startswith("also=")}
        self.options = [word for word in words.split() if not word.startswith("also=") and word != "--old"]
        self.update = "--old" in words.split() or "--as-status" in self.options or any(line.startswith("!") for line in self.lines)

    def text(self, sign):
        return "\n".join(line[1:] for line in self.lines if line[:1] in (" ", sign)) + "\n"

    def before(self):
        if any(line.startswith("!") for line in self.lines):
            return self.text("!")
        return self.text("+").partition("status:")[0] if "--as-status" in self.options else self.text("+")


def examples():
    for path in sorted(glob.glob(os.path.join(ROOT, "rules", "examples", "*.md"))):
        for part in re.split(r"^## ", read(path), flags=re.M)[1:]:
            id, _, text = part.partition("\n")
            yield Example(id, text)


def whole(text):
    return re.sub(r"<(\d+) times ([^>]*)>", lambda found: found[2] * int(found[1]), text)


def lint(build, folder, example, sign):
    """The rules of all findings, and what was said of it."""
    ending = "json" if example.lines[0].lstrip(" -+").startswith("{") else "yaml"
    command = [os.path.join(build, "drawbridge"), "lint", "--format", "json"] + example.options
    for name, text in ("object", example.text(sign)), ("before", example.before()):
        with open(os.path.join(folder, f"{name}.{ending}"), "w", encoding="utf-8") as file:
            file.write(whole(text))
    command += ["--old", f"before.{ending}"] if example.update else []
    done = subprocess.run(command + [f"object.{ending}"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
    found = {json.loads(line).get("rule") for line in done.stdout.splitlines()} - {None}
    return found, f"status {done.returncode}\n{done.stdout}{done.stderr}"


def test_example(tap, build, folder, example):
    if not example.lines:
        tap.ok(example.id in CONDITIONS, f"{example.id} has a bad and a good object")
        return
    found, said = lint(build, folder, example, "-")
    tap.ok(found == {example.id} | example.also, f"{example.id}: the bad object breaks it", said)
    found, said = lint(build, folder, example, "+")
    tap.ok(found <= example.also - {example.id}, f"{example.id}: the good object does not", said)


def test_explained(tap, build, example):
    done = subprocess.run([os.path.join(build, "drawbridge"), "explain", example.id], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    objects = [("Bad", example.text("-")), ("Good", example.text("+"))] if example.lines else []
    wanted = ["\n" + example.prose.strip().replace("*", "") + "\n"] + [
        f"\n{heading}:\n\n" + re.sub(r"^", "  ", text.rstrip("\n"), flags=re.M) + "\n\n" for heading, text in objects]
    missing = [text for text in wanted if text not in done.stdout]
    good = done.returncode == 0 and not missing and done.stdout.startswith(f"{example.id}: ") and ("Fix: " in done.stdout or not objects)
    tap.ok(good, f"{example.id} is explained", "\n".join(missing) + done.stdout + done.stderr)


def main(build, names):
    tap, known = Tap(), list(examples())
    ids = [example.id for example in known]
    tap.equal(sorted(ids), sorted(rules()), "every rule has one example, and no other has")
    with tempfile.TemporaryDirectory() as folder:
        for example in known:
            if not names or example.id in names:
                test_example(tap, build, folder, example)
                test_explained(tap, build, example)
    return tap.done()


sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2:]))
