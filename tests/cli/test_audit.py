#!/usr/bin/env python3
"""`drawbridge review --audit-log` on large and hostile logs: memory stays bounded, nothing is lost, and it ends soon.

    test_audit.py BUILD [MIB]      MIB: of the large log, 60 without it
"""
import json, os, random, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

SANITIZED = ("asan", "tsan", "coverage", "proof")
SHARE = 0.05  # of the events that are writes of kinds with rules


def event(verb, group, resource, user, code, version="v1", **more):
    """One event, with `more` of its members, as API servers write it."""
    reference = {"resource": resource, "apiGroup": group, "apiVersion": version}
    reference.update({name: more.pop(name) for name in ("name", "namespace") if name in more})
    return {"kind": "Event", "apiVersion": "audit.k8s.io/v1", "level": "RequestResponse", "auditID": "a", "stage": "ResponseComplete",
            "requestURI": f"/apis/{group}/{version}/{resource}", "verb": verb, "user": {"username": user, "groups": ["system:authenticated"]},
            "sourceIPs": ["10.0.0.1"], "userAgent": "test", "objectRef": reference, "responseStatus": {"metadata": {}, "code": code}, **more}


def line(value):
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def slice_of(node, version, device):
    devices = [{"name": f"gpu-{i}", "attributes": {"model": {"string": "A100"}, "index": {"int": i}}, "capacity": {"memory": {"value": "80Gi"}}} for i in range(8)]
    devices[3]["name"] = device
    return {"kind": "ResourceSlice", "apiVersion": "resource.k8s.io/v1",
            "metadata": {"name": f"node-{node}", "uid": f"u-{node}", "resourceVersion": str(version) if version else ""},
            "spec": {"driver": "gpu.example.com", "nodeName": f"node-{node}", "pool": {"name": f"node-{node}", "generation": 1, "resourceSliceCount": 1}, "devices": devices}}


def slice_event(node, before, now, device):
    return event("update" if before else "create", "resource.k8s.io", "resourceslices", f"system:node:node-{node}", 200 if before else 201, name=f"node-{node}",
                 requestObject=slice_of(node, before, device), responseObject=slice_of(node, now, device))


def others():
    pod = {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "p", "managedFields": [{"fieldsV1": {f"f:{i}": {} for i in range(60)}}]},
           "spec": {"containers": [{"name": f"c{i}", "env": [{"name": f"E{j}", "value": 'a "quoted" value\n'} for j in range(20)]} for i in range(3)]}}
    return [line(event("update", "", "pods", "system:node:a", 200, namespace="n", name="p", requestObject=pod, responseObject=pod)),
            line(event("update", "coordination.k8s.io", "leases", "system:node:a", 200, namespace="n", name="a")),
            line(event("get", "storage.k8s.io", "csinodes", "system:node:a", 200, name="a"))]


def write_log(path, size):
    """A log of that size, with what must be counted."""
    dice, versions, rest = random.Random(5), {}, others()
    expected = {"events": 0, "validated": 0, "denied": 0, "withoutOldObject": 0}
    with open(path, "wb") as log:
        while log.tell() < size:
            expected["events"] += 1
            if dice.random() >= SHARE:
                log.write(dice.choice(rest))
                continue
            node, bad = dice.randrange(500), dice.random() < 0.1
            before, now = versions.get(node), expected["events"]
            log.write(line(slice_event(node, before, now, "GPU" if bad else "gpu-x")))
            versions[node] = now
            expected["validated"] += 1
            expected["denied"] += bad
    return expected


def run(build, path):
    """(summary, records, standard error, status, seconds, peak memory in MiB)"""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.monotonic()
        program = subprocess.Popen([os.path.join(build, "drawbridge"), "review", "--audit-log", "--format", "json", path], stdout=out, stderr=err)
        _, status, usage = os.wait4(program.pid, 0)
        took = time.monotonic() - began
        lines = [json.loads(text) for text in (out.seek(0) or out.read()).splitlines()]
        return lines[-1]["summary"], lines[:-1], (err.seek(0) or err.read()).decode(), os.waitstatus_to_exitcode(status), took, usage.ru_maxrss >> 10


def test_large(tap, build, folder, size):
    path = os.path.join(folder, "large.log")
    expected = write_log(path, size)
    summary, records, said, status, took, memory = run(build, path)
    counted = {name: summary[name] for name in ("events", "validated", "withoutOldObject")}
    counted["denied"] = summary["denied"]["allowed"]
    tap.ok(counted == expected and len(records) == expected["denied"] and status == 1 and not said, f"every event of a log of {size >> 20} MiB is counted", (counted, expected))
    if not any(word in build for word in SANITIZED):
        tap.ok(memory < 100, f"in {memory} MiB of memory")
        tap.ok(took < 1 + size / (100 << 20), f"at {(size >> 20) / took:.0f} MB a second: {took:.2f} s")


def test_long_lines(tap, build, folder):
    """A line of just under 20 MiB is read, a longer one is passed over; what follows them is read."""
    path = os.path.join(folder, "long.log")
    good = line(slice_event(1, None, 1, "gpu-x"))
    wide = slice_event(2, None, 1, "gpu-x")
    wide["requestObject"]["metadata"]["annotations"] = {"a": ""}
    room = (20 << 20) - len(line(wide)) + 1
    head, tail = line(wide).split(b'"a":""')
    for more, unreadable in (0, 0), (1, 1), (200 << 20, 1):
        with open(path, "wb") as log:  # piece by piece: a program that is forked counts this one's memory as its own
            log.write(good + head + b'"a":"')
            for at in range(0, room + more, 1 << 16):
                log.write(b"x" * min(1 << 16, room + more - at))
            log.write(b'"' + tail + good)
        summary, _, said, status, took, memory = run(build, path)
        tap.ok(summary["unreadable"] == unreadable and summary["events"] == 3 - unreadable and status == (2 if unreadable else 1),
               f"a line of 20 MiB and {more} bytes more: {took:.2f} s", (summary, said))
        tap.ok(not unreadable or said == f"{path}:2:1: the line is longer than 20 MiB\n", "and it is said where", said)
        tap.ok(memory < 200 or any(word in build for word in SANITIZED), f"in {memory} MiB of memory")


def test_many(tap, build, folder):
    """More users and more objects than are kept."""
    path = os.path.join(folder, "many.log")
    count = 12000
    with open(path, "wb") as log:
        for node in range(count):
            log.write(line(slice_event(node, None, 1, "GPU")))
    summary, _, _, status, took, memory = run(build, path)
    tap.ok(len(summary["users"]) == 10000 and summary["others"]["allowed"] == count - 10000 and status == 1, f"{count} users: {took:.2f} s", summary.get("others"))
    large = "x" * (100 << 10)
    with open(path, "wb") as log:
        for round in range(2):
            for node in range(1000):
                written = slice_event(node, round, round + 1, "gpu-x")
                written["responseObject"]["metadata"]["annotations"] = {"a": large}
                log.write(line(written))
            for node in range(900, 1000) if not round else ():
                log.write(line(slice_event(node, 1, 1, "gpu-x")))
    summary, _, _, status, took, memory = run(build, path)
    tap.ok(0 < summary["withoutOldObject"] <= 1000 and summary["validated"] == 2100 and status == 0, "objects that do not fit are forgotten", summary)
    tap.ok(memory < 200 or any(word in build for word in SANITIZED), f"in {memory} MiB of memory, {took:.2f} s")


def test_hostile(tap, build, folder):
    path = os.path.join(folder, "hostile.log")
    texts = {
        "a million open brackets": b"[" * 1000000,
        "a million objects in each other": b'{"requestObject":' * 1000000,
        "an object of a million lists": b'{"kind":"Event","apiVersion":"audit.k8s.io/v1","requestObject":[' + b"[]," * 1000000 + b"[]]}",
        "a list of a million numbers": b'{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[' + b"1," * 1000000 + b"1]}",
        "300,000 broken lines": b"{\n" * 300000,
        "NUL bytes": b"\0" * 1000000,
        "no line ends": b"x" * (40 << 20),
    }
    good = line(slice_event(1, None, 1, "gpu-x"))
    for name, text in texts.items():
        with open(path, "wb") as log:
            log.write(text + b"\n" + good)
        summary, _, said, status, took, memory = run(build, path)
        tap.ok(summary["validated"] == 1 and status in (0, 2) and took < 30 and said.count("\n") <= 101, f"{name}: {took:.2f} s, {memory} MiB, status {status}", said[:300])


def main(build, size="60"):
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        test_large(tap, build, folder, int(size) << 20)
        test_long_lines(tap, build, folder)
        test_many(tap, build, folder)
        test_hostile(tap, build, folder)
    return tap.done()


sys.exit(main(*sys.argv[1:]))
