#!/usr/bin/env python3
"""Lets calls of the server fail: while it starts, while it answers, and while it loads a certificate. It ends with a documented status that it gives a
reason for, or goes on; whatever is answered, a review that must be denied is never allowed; and once the fault is over, all is as before.

    test_serve.py [--seconds N] [--only WORD] BUILD

As test_torture.py: without --seconds a sample.
"""
import argparse, collections, json, os, random, re, signal, socket, ssl, subprocess, sys, tempfile, threading, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "http")]
from client import BROKEN, CREATE, Server, exchange, request, without_log
from scenes import documented
from shim import FAMILIES, NEVER, Faults, compiled
from tap import Tap

SAMPLES = {"start": 3, "reviews": 2, "new certificate": 1}  # calls of each family and error in `make test`
PATIENCE = 0.7    # seconds that a client waits while a fault is on
RECOVERY = 10     # seconds in which all is as before
LATE = 30         # seconds in which a program starts or ends
INTERRUPTED = 3   # calls in a row: a program that tries again would try for ever
BUSY = 100        # the same for calls without which a thread does not wait, as no kernel lets them fail for ever

# Who allocates, and whether the process may end when it cannot: GMP aborts, and libtasn1 writes through a null pointer.
ALLOCATING = {"drawbridge": False, "libc.so": False, "libmicrohttpd": False, "libcrypto": False, "libgnutls": True, "libtasn1": True, "libgmp": True,
              "libhogweed": True, "libnettle": True, "libp11-kit": True, "libidn2": True}
MAY_END = (-signal.SIGABRT, -signal.SIGSEGV)
LARGE = json.dumps({**json.loads(BROKEN), "padding": "x" * 50000}).encode()  # for a worker thread


def families():
    """(Family, its errors, library)."""
    for family, errors in FAMILIES.items():
        for library in ALLOCATING if family == "memory" else [""]:
            yield family, errors, library


def may_end(status, library):
    return ALLOCATING.get(library, False) and status in MAY_END


def spread(calls, sample):
    """Numbers of calls: all, or so many from the first to the last."""
    if not sample or calls <= sample:
        return range(1, calls + 1)
    return [1 + index * (calls - 1) // (sample - 1) for index in range(sample)] if sample > 1 else [(calls + 1) // 2]


def how_many(family, error):
    """How many calls fail in a row: one, and as good as all."""
    return 1, INTERRUPTED if error == "EINTR" else BUSY if family == "wait" or error == "ECONNABORTED" else None


def cases_of(calls, sample):
    """Cases (family, error, first call, calls, library). `calls`: how many there are of a family and library."""
    cases = []
    for family, errors, library in families():
        first = spread(calls[family, library], sample)
        cases += [(family, error, n, count, library) for error in errors for n in first for count in how_many(family, error)]
    random.Random(1).shuffle(cases)
    return cases


def is_wrong(status, body, must_deny):
    """Whether an answer says what it must not: all but the verdict and a failure."""
    if status == 200:
        return json.loads(body)["response"]["allowed"] == must_deny
    return status not in (0, 500, 503)


class Subject:
    """A server whose calls can be made to fail. It is started anew when it has ended."""

    def __init__(self, build, library, folder):
        self.build, self.faults, self.of_start, self.server = build, Faults(library, folder), Faults(library, folder), None
        self.ends = collections.Counter()

    def running(self):
        if self.server and self.server.program.poll() is not None:
            self.server.stop()
            self.server = None
        if not self.server:
            self.faults.clear()
            self.server = Server(self.build, "--shutdown-delay", "0", env=self.faults.environment())
        return self.server

    def ask(self, server, body):
        """(Status, body); 0: no answer, or one that is cut off."""
        try:
            with server.connect(timeout=PATIENCE) as connection:
                status, headers, data = exchange(connection, request(body))
                return (status, data) if len(data) == int(headers.get("content-length", -1)) else (0, b"")
        except OSError:
            return 0, b""

    def recovers(self, server):
        until = time.monotonic() + RECOVERY
        while time.monotonic() < until and server.program.poll() is None:
            status, body = self.ask(server, BROKEN)
            if status == 200 and not is_wrong(status, body, True) and server.status("/readyz")[0] == 200:
                return True
            time.sleep(0.05)
        return False

    def stop(self):
        return self.server.stop() if self.server else (0, "")


def reviews(subject, server):
    """Small and large ones, on connections of their own; what is wrong with their answers."""
    wrong = []
    for body, must_deny in ((BROKEN, True), (CREATE, False), (LARGE, True)):
        status, data = subject.ask(server, body)
        if is_wrong(status, data, must_deny):
            wrong.append(f"answer {status} {data[:200]!r}")
    try:
        status = server.status("/metrics", timeout=PATIENCE)[0]
        if status not in (0, 200, 500, 503):
            wrong.append(f"/metrics: {status}")
    except OSError:
        pass
    return wrong


def new_certificate(subject, server):
    """The certificate is issued again, and the server told; the old one or the new one is shown."""
    command = [os.path.join(subject.build, "drawbridge-certs"), "issue", "--dir", server.folder.name, "--host", "localhost", "--ip", "127.0.0.1", "--force"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    server.program.send_signal(signal.SIGHUP)
    time.sleep(0.3)
    return reviews(subject, server)


def play(subject, action, family, error, first, count, library):
    """One fault; how often it came, and what is wrong."""
    server = subject.running()
    subject.faults.set(family, error, first, count, library)
    wrong = action(subject, server)
    faults = subject.faults.faults
    subject.faults.clear()
    if server.program.poll() is None and not subject.recovers(server) and server.program.poll() is None:
        wrong.append("it does not recover")
        server.program.kill()
        server.program.wait()
    elif server.program.poll() is not None:
        subject.ends[library, server.program.returncode] += 1
        with open(server.errors.name, "rb") as errors:
            said = without_log(errors.read().decode("utf-8", "replace"))
        if not may_end(server.program.returncode, library):
            wrong.append(f"it ends with {server.program.returncode}: {said[-300:]!r}")
    return faults, wrong


def torture(tap, subject, name, action, sample, until):
    faults, runs, failed, calls = 0, 0, [], {}
    for family, _, library in families():
        server = subject.running()
        subject.faults.set(family, library=library)
        failed += action(subject, server)
        calls[family, library] = subject.faults.calls
        subject.faults.clear()
    cases = cases_of(calls, sample)
    for case in cases:
        if time.monotonic() > until:
            break
        made, wrong = play(subject, action, *case)
        faults, runs = faults + made, runs + 1
        failed += [f"{case}: {text}" for text in wrong]
    tap.ok(not failed, f"{name}: it never allows what must be denied, and goes on as before", "\n".join(failed[:20] + [f"{len(failed)} in all"]))
    return faults, runs, len(cases)


# ---- the start ----

def start_once(subject, command, statuses, family, error, first, count, library):
    """Starts a server with that fault: how many calls there were until it was ready, how many faults, and what is wrong."""
    faults = subject.of_start
    faults.set(family, error, first, count, library)
    wrong = []
    with tempfile.TemporaryFile() as errors, subprocess.Popen(command, env=faults.environment(), stdout=subprocess.PIPE, stderr=errors) as program:
        killer = threading.Timer(LATE, program.kill)
        killer.start()
        ready = re.fullmatch(rb"listening https=127\.0\.0\.1:(\d+) status=127\.0\.0\.1:(\d+)\n", program.stdout.readline())
        calls = faults.calls
        made = faults.faults
        faults.clear()
        if ready:
            subject.server.port, subject.server.status_port = int(ready.group(1)), int(ready.group(2))
            if not subject.recovers(subject.server):
                wrong.append("it has started, and does not answer")
            program.send_signal(signal.SIGTERM)
        status = program.wait()
        killer.cancel()
        errors.seek(0)
        said = without_log(errors.read().decode("utf-8", "replace"))
    if status not in statuses and not may_end(status, library):
        wrong.append(f"status {status}: {said[-300:]!r}")
    elif status > 0 and not said:
        wrong.append(f"status {status} without a word")
    elif ready and status > 0:
        wrong.append(f"it has started, and ends with {status}: {said[-300:]!r}")
    subject.ends[library, status] += 1
    return calls, made, wrong


def torture_start(tap, subject, sample, until):
    statuses = documented()["serve"]
    server = subject.running()
    command = server.command("--shutdown-delay", "0")
    ports, faults, runs, failed, calls = (server.port, server.status_port), 0, 0, [], {}
    for family, _, library in [*families(), ("memory", [], "")]:
        calls[family, library], _, wrong = start_once(subject, command, statuses, family, "EIO", NEVER, 1, library)
        failed += wrong
    known = sum(calls["memory", library] for library in ALLOCATING)
    tap.ok(known > 0.999 * calls["memory", ""], f"who allocates is known: {known} of {calls['memory', '']} allocations", calls)
    cases = cases_of(calls, sample)
    for case in cases:
        if time.monotonic() > until:
            break
        _, made, wrong = start_once(subject, command, statuses, *case)
        faults, runs = faults + made, runs + 1
        failed += [f"{case}: {text}" for text in wrong]
    server.port, server.status_port = ports
    tap.ok(not failed, "the start: it starts, or says why not", "\n".join(failed[:20] + [f"{len(failed)} in all"]))
    return faults, runs, len(cases)


# ---- the end of a process without memory ----

def test_end(tap, subject):
    """What drawbridge-serve(8) says of requests under way when GnuTLS lacks memory in another client's handshake."""
    server, begun = subject.running(), request(BROKEN)
    with server.connect() as answered, server.connect() as waiting:
        before = exchange(answered, begun)[0]
        waiting.sendall(begun[:-10])
        subject.faults.set("memory", "ENOMEM", 1, None, "libgmp")
        other = subject.ask(server, BROKEN)
        status = server.program.wait(LATE)
        with open(server.errors.name, "rb") as errors:
            said = without_log(errors.read().decode("utf-8", "replace"))
        tap.ok(before == 200 and status == -signal.SIGABRT and "GNU MP: Cannot allocate memory" in said, "without memory GMP ends the process", (before, status, said))
        rest = exchange(waiting, begun[-10:])
        tap.equal((other, rest), ((0, b""), (0, {}, b"")), "requests under way get no answer: their connections are closed")
    tap.ok(subject.recovers(subject.running()), "and a new process answers")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--seconds", type=float, default=0)
    arguments.add_argument("--only", default="", metavar="WORD")
    arguments.add_argument("build")
    arguments = arguments.parse_args()
    tap, build = Tap(), os.path.abspath(arguments.build)
    if os.path.basename(build) != "build":
        return tap.done()
    parts = [(name, part) for name, part in (
        ("start", lambda *rest: torture_start(tap, *rest)),
        ("reviews", lambda *rest: torture(tap, rest[0], "reviews", reviews, *rest[1:])),
        ("new certificate", lambda *rest: torture(tap, rest[0], "a new certificate", new_certificate, *rest[1:]))) if arguments.only in name]
    sums = [0, 0, 0]
    with tempfile.TemporaryDirectory() as folder:
        subject = Subject(build, compiled(folder), folder)
        for name, part in parts:
            until = time.monotonic() + (arguments.seconds / len(parts) or float("inf"))
            sums = [a + b for a, b in zip(sums, part(subject, 0 if arguments.seconds else SAMPLES[name], until))]
        if not arguments.only:
            test_end(tap, subject)
        subject.running()
        end = subject.stop()
        tap.ok(end == (0, ""), "at the end it stops as ever", end)
    print(f"# measured: {sums[0]} faults in {sums[1]} runs of {sums[2]}; ends {dict(subject.ends)}")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
