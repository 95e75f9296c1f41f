#!/usr/bin/env python3
"""Reviews of up to 20 MiB on which a careless program takes for ever, runs out of memory, or falls over. Each is answered within
seconds, whatever the answer is.

    test_hostile.py BUILD
"""
import os, re, select, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

SIZE = (20 << 20) - 4096
VALUES = 655360 - 100
SANITIZED = ("asan", "tsan", "coverage")


def review(kind, rest, operation="CREATE", old=None, before=""):
    head = '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u","kind":{"group":"storage.k8s.io","version":"v1","kind":"%s"},"operation":"%s",%s' % (kind, operation, before)
    obj = '{"kind":"%s","apiVersion":"storage.k8s.io/v1",%s}'
    return head + '"object":' + obj % (kind, rest) + (',"oldObject":' + obj % (kind, old) if old else "") + "}}"


def many(piece, size=SIZE, values=1):
    """As many of piece(i) as fit into `size` bytes and, of `values` values each, into what a review may hold."""
    out, length = [], 0
    for i in range(VALUES // values):
        text = piece(i)
        length += len(text) + 1
        if length > size:
            break
        out.append(text)
    return ",".join(out)


def cases():
    meta = '"metadata":{"name":"a"}'
    yield "bad labels", review("CSIDriver", '"metadata":{"name":"a","labels":{%s}}' % many(lambda i: '"-%d":"_"' % i))
    yield "labels that differ late", review("CSIDriver", '"metadata":{"name":"a","labels":{%s}}' % many(lambda i: '"%s%d":""' % ("x" * 4000, i)))
    yield "bad modes", review("CSIDriver", meta + ',"spec":{"volumeLifecycleModes":[%s]}' % many(lambda i: '"%d"' % i))
    yield "modes that are no texts", review("CSIDriver", meta + ',"spec":{"volumeLifecycleModes":[%s]}' % many(lambda i: "0"))
    yield "finalizers", review("CSIDriver", '"metadata":{"name":"a","finalizers":[%s]}' % many(lambda i: '"a/b"'))
    yield "new finalizers", review("CSIDriver", '"metadata":{"name":"a","finalizers":[%s]}' % many(lambda i: '"a/%d"' % i, values=2), "UPDATE",
                                   '"metadata":{"name":"a","deletionTimestamp":"2026-01-01T00:00:00Z","finalizers":[%s]}' % many(lambda i: '"b/%d"' % i, values=2))
    yield "owners", review("CSIDriver", '"metadata":{"name":"a","ownerReferences":[%s]}' % many(lambda i: '{"controller":true}', values=2))
    yield "managed fields", review("CSIDriver", '"metadata":{"name":"a","managedFields":[%s]}' % many(lambda i: '{"fieldsV1":{"f:x":{}}}', values=2))
    yield "a deep managed field", review("CSIDriver", '"metadata":{"name":"a","managedFields":[{"operation":"Update","fieldsV1":%s1%s}]}' % ('{"a":' * 9000, "}" * 9000))
    yield "one large string", review("CSIDriver", meta + ',"spec":{"fsGroupPolicy":"%s"}' % ("x" * SIZE))
    yield "one large string of escapes", review("CSIDriver", meta + ',"spec":{"fsGroupPolicy":"%s"}' % ("\\u0041" * (SIZE // 6)))
    yield "one large string of lone surrogates", review("CSIDriver", meta + ',"spec":{"fsGroupPolicy":"%s"}' % ("\\ud800" * (SIZE // 6)))
    yield "one large key", review("CSIDriver", '"metadata":{"name":"a","labels":{"%s":""}}' % ("/" * SIZE))
    yield "a large name", review("CSIDriver", '"metadata":{"name":"%s"}' % ("a-." * (SIZE // 3)))
    yield "a large generateName", review("CSIDriver", '"metadata":{"generateName":"%s-"}' % ("a." * (SIZE // 2)))
    yield "a large driver name", review("CSINode", meta + ',"spec":{"drivers":[{"name":"%s"}]}' % ("a-" * (SIZE // 2)))
    yield "a large manager", review("CSIDriver", '"metadata":{"name":"a","managedFields":[{"manager":"%s"}]}' % ("\u00e9" * (SIZE // 2)))
    yield "equal audiences", review("CSIDriver", meta + ',"spec":{"tokenRequests":[%s]}' % many(lambda i: "{}"))
    yield "different audiences", review("CSIDriver", meta + ',"spec":{"tokenRequests":[%s]}' % many(lambda i: '{"audience":"%d"}' % i, values=2))
    yield "nulls", review("CSIDriver", meta + ',"spec":{"tokenRequests":[%s]}' % many(lambda i: "null"))
    drivers = many(lambda i: '{"name":"d","nodeID":"%d"}' % i, SIZE // 2, values=6)
    yield "twin drivers, old and new", review("CSINode", meta + ',"spec":{"drivers":[%s]}' % drivers, "UPDATE", meta + ',"spec":{"drivers":[%s]}' % drivers)
    yield "topology keys", review("CSINode", meta + ',"spec":{"drivers":[{"topologyKeys":[%s]}]}' % many(lambda i: '""'))
    yield "topology terms", review("StorageClass", meta + ',"allowedTopologies":[%s]' % many(lambda i: '{"matchLabelExpressions":[{"key":"k","values":["%d"]}]}' % i, values=6))
    yield "empty topology terms", review("StorageClass", meta + ',"allowedTopologies":[%s]' % many(lambda i: "{}"))
    yield "one term of many values", review("StorageClass", meta + ',"allowedTopologies":[{"matchLabelExpressions":[{"key":"k","values":[%s]}]}]' % many(lambda i: '"%d"' % (i % 7)))
    yield "one term of many keys", review("StorageClass", meta + ',"allowedTopologies":[{"matchLabelExpressions":[%s]}]' % many(lambda i: '{"key":"k"}', values=2))
    yield "parameters", review("StorageClass", meta + ',"parameters":{%s}' % many(lambda i: '"%d":""' % i, values=2), "UPDATE", meta + ',"parameters":{%s}' % many(lambda i: '"%d":"x"' % i, values=2))
    yield "a selector, invalid before", review("CSIStorageCapacity", '"metadata":{"name":"a","namespace":"n"},"nodeTopology":{"matchLabels":{%s}}' % many(lambda i: '"%d":"_"' % i, values=2), "UPDATE",
                                               '"metadata":{"name":"a","namespace":"n"},"nodeTopology":{"matchLabels":{%s}}' % many(lambda i: '"%d":"_"' % i, values=2))
    yield "a quantity of many digits", review("CSIStorageCapacity", meta + ',"capacity":"%s"' % ("9" * SIZE))
    yield "a number of many digits", review("CSIDriver", meta + ',"spec":{"nodeAllocatableUpdatePeriodSeconds":%s}' % ("9" * SIZE))
    yield "a quantity with a huge exponent", review("CSIStorageCapacity", meta + ',"capacity":"1e99999999999"')
    yield "repeated objects", review("CSIDriver", many(lambda i: '"metadata":{"name":"a"}', values=2))
    yield "repeated lists", review("CSIDriver", meta + "," + many(lambda i: '"spec":{"tokenRequests":[{},{}]}', values=4))
    yield "repeated maps", review("CSIDriver", meta + "," + many(lambda i: '"metadata":{"labels":{"a":"","b":""}}', values=4))
    yield "repeated plain members", review("CSIDriver", meta + "," + many(lambda i: '"kind":"CSIDriver"'))
    yield "unknown members", review("CSIDriver", meta + "," + many(lambda i: '"x%d":1' % i))
    yield "request.object again and again", review("CSIDriver", meta, before=many(lambda i: '"object":{}') + ",")
    yield "unknown members around the object", review("CSIDriver", meta, before=many(lambda i: '"x":1') + ",")
    yield "too many values", review("CSIDriver", '"metadata":{"finalizers":[%s]}' % ",".join(['""'] * (1 << 20)))
    yield "skipped values", review("CSIDriver", meta + ',"x":[%s]' % ",".join("0" * (SIZE // 2 - 1000)))
    yield "skipped brackets", review("CSIDriver", meta + ',"x":[%s]' % ",".join(["[]"] * (SIZE // 3 - 1000)))


ALLOWED = {"finalizers", "a deep managed field", "different audiences", "repeated objects", "repeated maps", "repeated plain members", "unknown members",
           "unknown members around the object", "skipped values", "skipped brackets"}
REFUSED = {"request.object again and again", "too many values"}  # all others are denied


def peak(program):
    """MiB. What wait4 tells counts our own memory, too, as the program began as a copy of us."""
    with open(f"/proc/{program.pid}/status") as file:
        return int(re.search(r"VmHWM:\s+(\d+)", file.read()).group(1)) / 1024


def run(build, text):
    """(exit status, lines of standard output, processor seconds, peak memory in MiB)"""
    command = [os.path.join(build, "drawbridge"), "review", "-"]
    program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    program.stdin.write(text.encode())
    program.stdin.flush()
    select.select([program.stdout, program.stderr], [], [])  # there is an answer or a complaint, and the program waits for more
    memory = peak(program)
    program.stdin.close()
    out = program.stdout.read()
    _, status, usage = os.wait4(program.pid, 0)
    program.returncode = os.waitstatus_to_exitcode(status)
    return program.returncode, out.splitlines(), usage.ru_utime + usage.ru_stime, memory


def main(build):
    tap = Tap()
    slow = any(word in os.path.basename(build) for word in SANITIZED)
    for name, text in cases():
        assert len(text.encode()) <= 20 << 20, name
        status, lines, seconds, memory = run(build, text)
        expected = 0 if name in ALLOWED else 2 if name in REFUSED else 1
        tap.ok(status == expected and len(lines) == (status < 2) and seconds < (30 if slow else 2) and (slow or memory < 160),
               f"{name}: status {status}, {seconds:.2f} s, {memory:.0f} MiB")
    return tap.done()


sys.exit(main(sys.argv[1]))
