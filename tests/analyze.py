#!/usr/bin/env python3
"""Looks at the sources with gcc's analyzer and with cppcheck, and fails for what is not among the known warnings, tests/analyze.known,
whose head says what is known of them. About five minutes of two processors.

    analyze.py [--write]

--write makes the known warnings those of now, for review.
"""
import collections, concurrent.futures, glob, os, re, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
KNOWN = os.path.join(HERE, "analyze.known")
HEAD = """# Known warnings of `make analyze`: tool, file, kind, how often. Those of gcc were looked at one by one, and none is a mistake; those of
# cppcheck by kind, with samples of each. Both tools forget, across a call, what was checked before it (dereference,
# uninitialized); take a struct that owns memory for a leak, or parts that are ended in turn for a double free; and cppcheck does not expand the
# tables that are made of macros and .def files (syntaxError, unknownMacro), nor read numbers such as 0x1p63 (incorrectLogicOperator).
"""
GCC = ["gcc", "-std=gnu11", "-D_GNU_SOURCE", "-Isrc", "-I.", "-O1", "-fanalyzer", "-include", "src/base/banned.h", '-DHELP_FOLDER="build/help"', "-c", "-o", "/dev/null"]
CPPCHECK = ["cppcheck", "-q", "--std=c11", "-D_GNU_SOURCE", "-Isrc", "-I.", "--enable=warning,portability,performance", "--suppress=missingInclude",
            "--template={file}: {id}"]


def sources():
    return sorted(path for folder in ("src/*/*.c", "rules/*.c", "rules/*/*.c") for path in glob.glob(folder, root_dir=ROOT))


def gcc(path):
    done = subprocess.run([*GCC, path], cwd=ROOT, stderr=subprocess.PIPE, text=True)
    found = [("gcc", re.sub(r"\A\./", "", match[1]), match[2]) for match in re.finditer(r"^([^:\s]+):\d+:\d+: warning: .*\[-Wanalyzer-([a-z-]+)\]$", done.stderr, re.M)]
    return found + ([("gcc", path, "does-not-compile")] if done.returncode else [])


def cppcheck(path):
    done = subprocess.run([*CPPCHECK, path], cwd=ROOT, stderr=subprocess.PIPE, text=True)
    return [("cppcheck", *match) for match in re.findall(r"^([^:\s]+): (\w+)$", done.stderr, re.M)]


def known():
    with open(KNOWN, encoding="utf-8") as file:
        rows = [line.split() for line in file if line.strip() and not line.startswith("#")]
    return collections.Counter({tuple(row[:3]): int(row[3]) for row in rows})


def main():
    paths = sources()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [warnings for tool in (gcc, cppcheck) for warnings in pool.map(tool, paths)]
    counts = collections.Counter(warning for warnings in found for warning in warnings)
    if "--write" in sys.argv[1:]:
        with open(KNOWN, "w", encoding="utf-8") as file:
            file.write(HEAD + "".join(f"{' '.join(warning)} {count}\n" for warning, count in sorted(counts.items())))
        return 0
    more = counts - known()
    for (tool, path, kind), count in sorted(more.items()):
        print(f"{tool}: {path}: {count} more of {kind}")
    files = {path for _, path, _ in more}
    print(f"{len(paths) - len(files)} passed, {len(files)} failed")
    return bool(more)


sys.exit(main())
