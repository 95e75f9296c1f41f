#!/usr/bin/env python3
"""The documents: links lead somewhere, transcripts are what the program prints, and the front page is short.

    test_docs.py BUILD [PATH]      only the documents with PATH in their name

A transcript is a code block with lines `$ COMMAND`. All commands of a document are run by sh in one temporary folder, which has
tests/manifests and tests/reviews; below each stands what it prints, standard output and standard error together. There, times stand for
any time, `...` for anything in a line, and a line `…` for any number of lines. Sessions of Python (`>>>`) are run by tests/python.
"""
import os, re, shutil, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from tap import Tap
import documents
from kinds import rows as all_kinds

FRONT_PAGE_BYTES = 10000
TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
GROUPS = {"core": ""}


def pattern(lines):
    """What matches the output of a command."""
    def piece(text):
        return f"(?:{TIME.pattern})".join(re.escape(part) for part in TIME.split(text))

    def whole(line):
        return r"(?:.*\n)*" if line == "…" else ".*".join(map(piece, line.split("..."))) + "\n"

    return re.compile("".join(map(whole, lines)))


def expected(lines):
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def test_transcripts(tap, path, build):
    steps = list(documents.transcripts(documents.read(path)))
    if not steps:
        return
    env = dict(os.environ, PATH=build + os.pathsep + os.environ["PATH"], LC_ALL="C.UTF-8")
    with tempfile.TemporaryDirectory() as folder:
        for name in "manifests", "reviews":
            shutil.copytree(os.path.join(documents.ROOT, "tests", name), os.path.join(folder, "tests", name))
        for number, command, lines in steps:
            done = subprocess.run(command, shell=True, cwd=folder, env=env, timeout=60,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            printed = done.stdout.decode("utf-8", "replace")
            tap.ok(pattern(expected(lines)).fullmatch(printed), f"{path}:{number}: {command}", printed)


def test_links(tap, path):
    text = documents.read(path)
    wrong = []
    for link in documents.links(text):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
        if not os.path.exists(os.path.join(documents.ROOT, target)):
            wrong.append(link)
        elif anchor and (not target.endswith(".md") or anchor not in documents.anchors(documents.read(target))):
            wrong.append(link)
    tap.ok(not wrong, f"{path}: links lead to files and headings that are there", wrong)


def test_paths(tap, path):
    """Files that are named in code, such as `tests/bench/run.py`."""
    folders = "src|rules|tests|deploy|certs"
    named = re.findall(rf"`((?:{folders})/[\w./-]*\w/?)`", documents.read(path))
    wrong = [name for name in named if not os.path.exists(os.path.join(documents.ROOT, name)) and not name.startswith("certs/")]
    tap.ok(not wrong, f"{path}: files that it names are there", wrong)


def options_of(build, command):
    """Names of the options that a command prints in its help; None: there is no such command."""
    program = os.path.join(build, "drawbridge")
    done = subprocess.run([program, *command, "--help"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return set(re.findall(r"^  (?:-\w, )?--([\w-]+)", done.stdout, re.M)) if done.returncode == 0 else None


def test_commands(tap, path, build, known):
    """What documents tell people to type has the command and the options that it names."""
    wrong = []
    for _, block in documents.code_blocks(documents.read(path)):
        for line in re.sub(r"\\\n\s*", "", "\n".join(block)).split("\n"):
            for call in re.findall(r"(?:^|[|;&] *|\$ )drawbridge +([a-z][^|;&]*)", line):
                words = call.split(" #")[0].split()
                command = tuple(words[:2] if words[0] in ("certs", "cel") else words[:1])
                if command[0] == "help" or any(not re.fullmatch("[a-z]+", word) for word in command):
                    continue
                if command not in known:
                    known[command] = options_of(build, command)
                options = {word.lstrip("[-").split("=")[0].rstrip("].") for word in words if re.match(r"\[?--\w", word)}
                if known[command] is None or options - known[command]:
                    wrong.append(line)
    tap.ok(not wrong, f"{path}: commands have the options that it names", "\n".join(wrong))


def kinds_of_program(build):
    """{(group, kind): versions} as `drawbridge explain` lists them."""
    kinds = {}
    for line in subprocess.run([os.path.join(build, "drawbridge"), "explain"], stdout=subprocess.PIPE, text=True).stdout.splitlines():
        kind, versions = re.match(r"(\w+) +(.*?)(?:, with --as .*?)?(?: \(\w+\))?$", line).groups()
        group, _, versions = versions.rpartition("/")
        kinds.setdefault((group, kind), set()).update(versions.split(", "))
    return kinds


def kinds_of_table(text):
    kinds = {}
    for group, names, versions in re.findall(r"^\| ([\w.]+) \| ([^|]+) \| (v\d[^|]*) \|$", text, re.M):
        for name in re.sub(r"\([^)]*\)", "", names).split(","):
            kinds.setdefault((GROUPS.get(group, group), re.match(r"\s*(\w+)", name)[1]), set()).update(versions.strip().split(", "))
    return kinds


def test_front_page(tap, build):
    size = os.path.getsize(os.path.join(documents.ROOT, "README.md"))
    tap.ok(size <= FRONT_PAGE_BYTES, f"README.md has {size} bytes, at most {FRONT_PAGE_BYTES}")
    known = kinds_of_program(build)
    reviewed = {(kind.group, kind.kind) for kind in all_kinds() if "KIND_UNREVIEWED" not in kind.traits}
    tap.equal(kinds_of_table(documents.read("src/cli/man/drawbridge.1.md")), known,
              "src/cli/man/drawbridge.1.md: its table has the kinds and versions of `drawbridge explain`")
    tap.equal(kinds_of_table(documents.read("README.md")), {kind: known[kind] for kind in known if kind in reviewed},
              "README.md: its table has those that are not only for manifests")


def main(build, word=""):
    tap = Tap()
    known = {}
    for path in documents.paths():
        if word not in path:
            continue
        test_links(tap, path)
        test_paths(tap, path)
        test_commands(tap, path, build, known)
        test_transcripts(tap, path, build)
    if not word:
        test_front_page(tap, build)
    return tap.done()


sys.exit(main(os.path.abspath(sys.argv[1]), *sys.argv[2:]))
