#!/usr/bin/env python3
"""Lets one allocation after the other fail in the real program, `drawbridge review`, `lint`, `match` and `allocate`: it ends with a message or goes on, it never
crashes, and it never lets pass what is bad. Sanitizers bring their own allocator, so not under those.

    test_memory.py BUILD
"""
import os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

SHIM = r"""
#include <stdlib.h>
#include <unistd.h>
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
static long left = -1;                          /* allocations until the one that fails; 0: it has failed */
static int for_ever;
__attribute__((constructor)) static void begin(void)
{
    const char *n = getenv("FAIL_AT");
    for_ever = getenv("FAIL_FOR_EVER") != NULL;
    left = n ? atol(n) : -1;
}
static int fails(void)
{
    if (left < 0)
        return 0;
    if (left == 0)
        return for_ever;
    return --left == 0;
}
void *malloc(size_t n) { return fails() ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t m) { return fails() ? NULL : __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { return fails() ? NULL : __libc_realloc(p, n); }
"""


def is_good(done):
    """Denied or found as it should be, or an error that says so; nothing bad ever passes."""
    said = done.stdout.decode()
    if done.returncode == 1:
        return '"allowed":false' in said or said.startswith("denied") or "fsGroupPolicy" in said or '"enough":false' in said or "no device matches" in said or "fits on no node" in said or '"fits":false' in said
    return done.returncode == 2 and done.stderr and "allowed" not in said.replace('"then":"allowed"', "")


def break_each(tap, build, shim, command, forever):
    statuses, n = {}, 0
    while True:
        n += 1
        env = dict(os.environ, LD_PRELOAD=shim, FAIL_AT=str(n), **({"FAIL_FOR_EVER": "1"} if forever else {}))
        done = subprocess.run([os.path.join(build, "drawbridge"), *command], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        statuses[done.returncode] = statuses.get(done.returncode, 0) + 1
        if not is_good(done):
            tap.ok(False, f"{command}, allocation {n}: status {done.returncode}, {done.stdout[:200]!r}, {done.stderr[:200]!r}")
        if done.returncode == 1 and n > 300 or n > 2000:
            break
    tap.ok(set(statuses) == {1, 2} and statuses[2] > 5 and n < 2000, f"{command[:3]}, {'all allocations from the n-th on' if forever else 'the n-th allocation'}: statuses {statuses}")


def main(build):
    tap = Tap()
    if os.path.basename(build) != "build":
        return tap.done()
    with tempfile.TemporaryDirectory() as folder:
        source, shim, bad = (os.path.join(folder, name) for name in ("shim.c", "shim.so", "bad.json"))
        with open(source, "w") as file:
            file.write(SHIM)
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", source, "-o", shim], check=True)
        with open(os.path.join(HERE, "..", "reviews", "106-create-v1-csidriver.json")) as file:
            text = file.read().replace('"fsGroupPolicy":"File"', '"fsGroupPolicy":"\\u0046ile "')
        with open(bad, "w") as file:
            file.write(text)
        log = os.path.join(folder, "audit.log")  # with an update that was refused for its fsGroupPolicy
        with open(os.path.join(HERE, "..", "reviews", "audit.log")) as whole, open(log, "w") as part:
            part.writelines(line for line in whole.readlines()[1:7] if "csidrivers" in line)
        claim = [os.path.join(HERE, "..", "manifests", "match", name) for name in ("model.yaml", "gpus.yaml", "rule.yaml")]
        both = [os.path.join(HERE, "..", "manifests", "match", "first.yaml"), *claim]  # one fits, one does not
        yaml = os.path.join(HERE, "..", "manifests", "bad.yaml")
        for command in (["review", "--format", "json", bad], ["review", "--format", "text", bad], ["review", "--audit-log", log], ["review", "--audit-log", "--format", "json", log],
                        ["lint", yaml], ["lint", "--format", "json", yaml], *(["lint", "--format", name, yaml] for name in ("sarif", "github", "gitlab", "junit", "tap", "markdown", "html", "policy-report")),  ["lint", "--old", yaml, yaml],
                        ["match", *claim], ["match", "--format", "json", *claim], ["allocate", *claim], ["allocate", "--output", "json", *both], ["allocate", "--output", "yaml", *both]):
            if command[0] == "lint":
                command[1:1] = ["-j", "1"]  # the C library ends a process that has no memory for a thread's stack
            for forever in False, True:
                break_each(tap, build, shim, command, forever)
    return tap.done()


sys.exit(main(sys.argv[1]))
