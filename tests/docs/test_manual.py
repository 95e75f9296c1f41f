#!/usr/bin/env python3
"""The manual pages: each can be rendered and opened, and says of options and exit statuses what the program says.

    test_manual.py BUILD

A page is src/cli/man/NAME.SECTION.md. Options and exit statuses are entries of definition lists: a line `**--option** *ARGUMENT*` or
`**N**`, then a line that begins with a colon. lowdown renders pages (`make man`). What needs lowdown, man or mandoc is left out where they are not.
"""
import glob, os, re, shutil, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "library")]
from tap import Tap
import documents, header

MAN = os.path.join("src", "cli", "man")
CEL = ["check", "eval", "repl"]
CERTS = ["init", "issue", "rotate", "show", "check"]
COMMANDS = {"lint": [["lint"]], "review": [["review"]], "explain": [["explain"]], "cel": [["cel", name] for name in CEL], "match": [["match"]], "allocate": [["allocate"]], "upgrade": [["upgrade"]], "scan": [["scan"]],
            "rules": [["rules"]], "version": [["version"]], "completion": [["completion"]], "lsp": [["lsp"]], "config": [["config", "check"], ["config", "schema"]], "serve": [["serve"]],
            "manifests": [["manifests"]], "certs": [["certs", name] for name in CERTS]}
SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES", "LIMITS",
            "SEE ALSO"]
OTHERS = "ca-dir as kubernetes-version color config mode version pv-recycler-pod-template-filepath-nfs".split()  # options of other commands


def run(*command, **options):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, **options)
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def without_code(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)


def headings_of(text):
    return re.findall(r"^# (.*)$", without_code(text), re.M)


def section(text, heading):
    """The text below a heading, up to the next one of its level; None: there is none."""
    found = re.search(rf"^(#+) {re.escape(heading)}\n(.*?)(?=^\1 |\Z)", without_code(text), re.M | re.S)
    return found and found[2]


def entries(text):
    """{term: definition} of a definition list, without marks."""
    found = re.findall(r"^(\S.*)\n:   (.*(?:\n    .*)*)", text or "", re.M)
    return {re.sub(r"[*`]", "", term): " ".join(re.sub(r"[*`]", "", words).split()) for term, words in found}


def said(build, command):
    """(options, exit statuses) of a command: {"--name ARGUMENT": (bounds, default)}, {number: words}."""
    _, text, _ = run(os.path.join(build, "drawbridge"), *command, "--help")
    options, _, statuses = text.partition("\nExit status:\n")
    names = {}
    for letter, name, argument, words in re.findall(r"^  (-\w, )?--([\w-]+)((?: \S+)?)  +(.*)$", options, re.M):
        bounds, default = re.search(r"(?:\((\S+ to [\d.]+))?(?:(?:, |\()default ([^()]+))?\)?$", words).groups()
        names[f"{letter}--{name}{argument.rstrip()}"] = (bounds or "", default or "")
    return names, dict(re.findall(r"^  (\d)  (.*)$", statuses, re.M))


def test_values(tap, name, options, mine):
    """Bounds and defaults are those of the program."""
    for option, (bounds, default) in sorted(options.items()):
        words = re.sub(r"(?<=\d),(?=\d{3})", "", mine.get(option, ""))
        default = re.sub(r"\d+\.\d+\.\d+$", "", default)  # the version of the program
        missing = [text for text in (bounds, default) if text and not re.search(rf"(?<![\w.]){re.escape(text)}(?!\w|\.\w)", words)]
        tap.ok(not missing, f"{name}: {option} has bounds and default", missing)


def test_options(tap, build, name, text, commands):
    whole = entries(section(text, "OPTIONS"))
    known = set()
    statuses = {}
    for command in commands:
        options, ends = said(build, command)
        mine = entries(section(text, "drawbridge " + " ".join(command))) if len(commands) > 1 else whole
        tap.equal({term for term in mine if term.startswith("-")}, set(options), f"{name}: options of {' '.join(command)}")
        test_values(tap, name, options, mine)
        known |= set(options)
        statuses.update(ends)
    tap.ok(known and len(statuses) > 1, f"{name}: the program has options and exit statuses")
    written = entries(section(text, "EXIT STATUS"))
    tap.equal(sorted(written), sorted(statuses), f"{name}: exit statuses")
    if len(commands) == 1:
        for number, words in statuses.items():
            tap.equal(written.get(number, "").rstrip(".").lower(), words.lower(), f"{name}: exit status {number}")
    options = {word for term in known for word in re.findall(r"--[\w-]+", term.split(" ")[0] + " " + term.split(", ")[-1])}
    named = set(re.findall(r"(?<![\w-])--[a-z][\w-]*", documents.prose(text)))
    unknown = named - options - {f"--{option}" for option in OTHERS}
    tap.ok(not unknown, f"{name}: options that it speaks of", unknown)


def test_statuses(tap, program):
    """The table of exit statuses: drawbridge(1) has what all commands may end with, and every command has its own words."""
    table = documents.read(os.path.join("src", "cli", "exit.def"))
    general = re.findall(r'^STATUS\(\w+, +"(.*)"\)$', table, re.M)
    written = entries(section(program, "EXIT STATUS"))
    tap.equal({number: words.rstrip(".").lower() for number, words in written.items()},
              {str(number): words.lower() for number, words in enumerate(general)}, "drawbridge.1: exit statuses")
    rows = set(re.findall(r'^EXIT\("([^"]+)",', table, re.M))
    tap.equal(rows, {" ".join(command) for commands in COMMANDS.values() for command in commands}, "every command has exit statuses")


def test_form(tap, name, text):
    headings = headings_of(text)
    standard = [heading for heading in headings if heading in SECTIONS]
    ordered = headings[:1] == ["NAME"] and headings[-1] == "SEE ALSO" and standard == sorted(standard, key=SECTIONS.index)
    tap.ok(ordered, f"{name}: sections in their order", headings)
    first = re.match(r"# NAME\n\n(\S+) - (\S.*)\n\n", text)
    tap.ok(first and first[1] == name.rpartition(".")[0], f"{name}: NAME is `{name.rpartition('.')[0]} - what it is`")
    outside = without_code(text).split("\n")
    long = [line for line in outside if len(line) > 82 and not line.startswith(("|", "<img"))]
    tap.ok(not long, f"{name}: its lines fit a terminal", "\n".join(long))
    indented = [line for before, line in zip(outside, outside[1:]) if line.startswith("    ") and not before]
    tap.ok(not indented, f"{name}: code is fenced, as the text of a definition is indented", "\n".join(indented))


def test_help(tap, build, name, text):
    page = name.rpartition(".")[0]
    topic = page.replace("drawbridge-", "")
    program = os.path.join(build, "drawbridge")
    status, printed, errors = run(program, "help", topic)
    whole = printed.startswith(f"NAME\n\n{page} - ") and printed.rstrip().endswith(")")
    tap.ok(status == 0 and not errors and whole, f"drawbridge help {topic}", printed[:200] + errors)
    tap.equal(run(program, "help", page), (0, printed, ""), f"drawbridge help {page}")
    code = "\n".join("\n".join(block) for _, block in documents.code_blocks(text))
    left = [line for line in printed.split("\n") if re.search(r"\*\*|\]\(|`|^#|^:", line) and line.strip() not in code]
    tap.ok(not left, f"drawbridge help {topic}: no marks of Markdown are left", "\n".join(left))


def render(tap, build):
    """The folder with the pages as roff; None: there is no lowdown."""
    if not shutil.which("lowdown"):
        print("# skipped: rendering manual pages, as there is no lowdown")
        return None
    config = os.path.basename(build).partition("-")[2] or "release"
    status, printed, errors = run("make", "-C", documents.ROOT, "--no-print-directory", "man", f"CONFIG={config}")
    tap.ok(status == 0, "make man", printed + errors)
    return os.path.join(build, "man")


def test_page(tap, folder, name):
    path = os.path.join(folder, name)
    with open(path, encoding="utf-8") as file:
        roff = file.read()
    page, _, number = name.rpartition(".")
    title = re.search(rf'^\.TH "{re.escape(page.upper())}" "{number}" "20\d\d-\d\d-\d\d" "drawbridge \d', roff, re.M)
    tap.ok(title, f"{name}: title, section, date, version")
    headings = headings_of(documents.read(os.path.join(MAN, name + ".md")))
    tap.equal(re.findall(r"^\.SH (.*)$", roff, re.M), headings, f"{name}: all sections are there")
    tap.ok(".sp -1v" not in roff and "<img" not in roff, f"{name}: what lowdown writes is tidied")
    if shutil.which("mandoc"):
        status, printed, errors = run("mandoc", "-Tlint", "-Wwarning", path)
        tap.ok(status == 0, f"{name}: mandoc finds nothing wrong", printed + errors)
    if shutil.which("man"):
        status, printed, errors = run("man", "-l", path, env=dict(os.environ, MANWIDTH="100", MANPAGER="cat", LC_ALL="C.UTF-8"))
        tap.ok(status == 0 and f"{page.upper()}({number})" in printed and "SEE ALSO" in printed, f"{name}: opens with man", errors)


def test_library(tap):
    page = documents.read(os.path.join(MAN, "libdrawbridge.3.md"))
    for example in "tests/library/example.c", "tests/library/match.c":
        tap.ok(documents.read(example) in page, f"libdrawbridge.3: its example is {example}")
    synopsis = section(re.sub("```c?", "", page), "SYNOPSIS")
    tap.equal(header.functions(synopsis), header.functions(), "libdrawbridge.3: its synopsis has every function as the header declares it")


def main(build):
    tap = Tap()
    paths = sorted(glob.glob(os.path.join(documents.ROOT, MAN, "*.md")))
    names = [os.path.basename(path)[:-len(".md")] for path in paths]
    folder = render(tap, build)
    tap.ok({f"drawbridge-{command}" for command in COMMANDS} <= {name.rpartition(".")[0] for name in names}, "every command has a page")
    for name in names:
        text = documents.read(os.path.join(MAN, name + ".md"))
        test_form(tap, name, text)
        test_help(tap, build, name, text)
        command = re.sub(r"^drawbridge-|\.\d$", "", name)
        if command in COMMANDS:
            test_options(tap, build, name, text, COMMANDS[command])
        if folder:
            test_page(tap, folder, name)
    listed = re.findall(r"^  (\w+) ", run(os.path.join(build, "drawbridge"), "help")[1], re.M)
    tap.equal(sorted(listed), sorted([*COMMANDS, "help"]), "drawbridge help lists every command")
    program = documents.read(os.path.join(MAN, "drawbridge.1.md"))
    tap.equal(sorted(entries(section(program, "COMMANDS"))), sorted(listed), "drawbridge.1 has every command")
    test_statuses(tap, program)
    test_library(tap)
    return tap.done()


sys.exit(main(os.path.abspath(sys.argv[1])))
