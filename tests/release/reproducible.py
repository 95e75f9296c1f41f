#!/usr/bin/env python3
"""Builds the last commit twice, in two folders, and compares what comes out byte by byte.

    reproducible.py
"""
import filecmp, os, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILT = ["drawbridge", "drawbridge-certs", "drawbridge-serve", "libdrawbridge.a"]


def build(folder):
    """What `make` builds of the last commit: paths by name."""
    archive = subprocess.run(["git", "-C", ROOT, "archive", "HEAD"], stdout=subprocess.PIPE, check=True).stdout
    subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
    subprocess.run(["make", "-C", folder, "-s", f"-j{os.cpu_count()}", "all"], stdout=subprocess.DEVNULL, env=dict(os.environ, CCACHE_DISABLE="1"), check=True)
    made = os.path.join(folder, "build")
    shared = sorted(name for name in os.listdir(made) if name.startswith("libdrawbridge.so"))
    return {name: os.path.join(made, name) for name in BUILT + shared}


def main():
    with tempfile.TemporaryDirectory(prefix="one-") as one, tempfile.TemporaryDirectory(prefix="another-folder-") as another:
        first, second = build(one), build(another)
        differ = [name for name in first if not filecmp.cmp(first[name], second[name], shallow=False)]
        for name in first:
            print(f"{name}: {'differs' if name in differ else 'the same bytes'}")
    print(f"{len(first) - len(differ)} passed, {len(differ)} failed")
    return bool(differ)


sys.exit(main())
