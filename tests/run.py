#!/usr/bin/env python3
"""Runs every test suite against one build folder and adds the results up.

    run.py [--only WORD] [--folder NAME] BUILD

Suites of servers wait more than they work, so they run beside the others. Each suite is a program that prints TAP; a suite that ends without its plan, or with a bad exit status and nothing failed,
counts as one failure more. The last line is `N passed, N failed`; the exit status is 1 if anything failed.
"""
import argparse, glob, os, re, subprocess, sys, threading, time

HERE = os.path.dirname(os.path.abspath(__file__))
SUITE_SECONDS = 900  # no suite takes a tenth of that, even under a sanitizer
WAITING_AT_ONCE = 3  # suites of servers, which mostly wait
SEPARATE = ["bench", "browser", "deploy", "e2e", "threads"]  # folders whose suites need more than `make test` installs; their own targets run them by --folder


def suites(build, folder):
    if not folder:
        for program in sorted(glob.glob(os.path.join(build, "tests", "test_*"))):
            if os.access(program, os.X_OK) and not program.endswith(".d"):
                yield "unit/" + os.path.basename(program), [program]
    for script in sorted(glob.glob(os.path.join(HERE, folder or "*", "test_*.py"))):
        name = os.path.relpath(script, HERE)
        if folder or os.path.dirname(name) not in SEPARATE:
            yield name, [sys.executable, script, build]


def environment(build):
    env = dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP", LC_ALL="C.UTF-8", PYTHONDONTWRITEBYTECODE="1")
    env["ASAN_OPTIONS"] = "detect_leaks=1:detect_stack_use_after_return=1"
    env["UBSAN_OPTIONS"] = "print_stacktrace=1"
    env["TSAN_OPTIONS"] = "suppressions=" + os.path.join(HERE, "tsan.supp")
    return env


def what_failed(lines, most=200):
    """The lines, or of many the first failures with what they say, and the end."""
    if len(lines) <= most:
        return lines
    said = [line for line in lines if line.startswith(("not ok", "#"))]
    return said[:most // 2] + ["..."] + lines[-most // 2:]


def run(name, command, env):
    """Returns (passed, failed, what to print)."""
    start = time.monotonic()
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env, timeout=SUITE_SECONDS)
        output, status = done.stdout.decode("utf-8", "replace"), done.returncode
    except subprocess.TimeoutExpired as late:
        output, status = (late.stdout or b"").decode("utf-8", "replace") + "\ntimed out\n", -1
    passed = len(re.findall(r"^ok\b", output, re.M))
    failed = len(re.findall(r"^not ok\b", output, re.M))
    plan = re.search(r"^1\.\.(\d+)", output, re.M)
    broken = not plan or int(plan.group(1)) != passed + failed or (status != 0 and failed == 0)
    report = [f"{name:44} {passed:6} passed {failed + broken:4} failed  {time.monotonic() - start:6.1f} s"]
    report += [f"    {line}" for line in re.findall(r"^# ((?:coverage|measured|skipped): .*)", output, re.M)]
    if failed or broken:
        lines = output.splitlines()
        report += ["    " + line for line in what_failed([line for line in lines if not line.startswith("ok ")])]
        report.append(f"    exit status {status}" + ("" if plan else ", no plan"))
    return passed, failed + broken, "\n".join(report)


def run_all(queue, env, total, lock):
    """Takes suites from the list until it is empty; several threads may share one."""
    while True:
        with lock:
            if not queue:
                return
            name, command = queue.pop(0)
        passed, failed, report = run(name, command, env)
        with lock:
            print(report, flush=True)
            total[0] += passed
            total[1] += failed


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--only", default="", metavar="WORD", help="only suites with WORD in their name")
    arguments.add_argument("--folder", default="", metavar="NAME", help="only suites of this folder")
    arguments.add_argument("build", help="folder with the programs to test")
    arguments = arguments.parse_args()
    build = os.path.abspath(arguments.build)
    env = environment(build)
    total, lock = [0, 0], threading.Lock()
    chosen = [(name, command) for name, command in suites(build, arguments.folder) if arguments.only in name]
    waiting = [suite for suite in chosen if suite[0].startswith(("http/", "torture/test_serve"))]
    others = [suite for suite in chosen if suite not in waiting]
    threads = [threading.Thread(target=run_all, args=(queue, env, total, lock)) for queue in [waiting] * WAITING_AT_ONCE + [others]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{total[0]} passed, {total[1]} failed")
    return 1 if total[1] or not total[0] else 0


sys.exit(main())
