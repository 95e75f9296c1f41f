#!/usr/bin/env python3
"""Clusters and claims with which `drawbridge allocate` could take for ever or run out of memory: each is answered in bounded time and memory. Times are
of processors, and some five times what they take: what is quadratic is seen, and what other programs take is not.

    test_hostile_allocate.py BUILD
"""
import json, os, resource, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

MEMORY = 3 << 30  # of address space
SANITIZED = ("asan", "tsan", "coverage")
SLOWNESS = 20  # at most, of such a build
BUSY = 10  # how many times as long it takes at most, where much else runs
VERSION, DRIVER = "resource.k8s.io/v1", "d.dev"
SLOW = "[" + ",".join(map(str, range(20))) + "]"


def thing(kind, name, version=VERSION, **more):
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, **more.pop("meta", {})}, **more}


def node(name, **labels):
    return thing("Node", name, "v1", meta={"labels": labels})


def devices(count, **more):
    return [{"name": f"d{i}", **more} for i in range(count)]


def slice_of(name, listed, pool=None, count=1, counters=None, **place):
    content = {"sharedCounters": counters} if counters else {"devices": listed}
    return thing("ResourceSlice", name, spec={"driver": DRIVER, "pool": {"name": pool or name, "generation": 1, "resourceSliceCount": count}, **(place or {"allNodes": True}), **content})


def request(name="r", select=None, **more):
    selectors = {"selectors": [{"cel": {"expression": select}}]} if select else {}
    return {"name": name, "exactly": {"deviceClassName": "class", **selectors, **more}}


def claim(name, *requests, allocation=None, **more):
    return thing("ResourceClaim", name, spec={"devices": {"requests": list(requests), **more}}, **({"status": {"allocation": allocation}} if allocation else {}))


def pod(name, *claims, **container):
    return thing("Pod", name, "v1", spec={"containers": [{"name": "a", "image": "a", **container}], "resourceClaims": [{"name": f"c{i}", "resourceClaimName": one} for i, one in enumerate(claims)]})


def nodes(count):
    return [node(f"n{i}") for i in range(count)]


def on_nodes(number, listed, **more):
    return [slice_of(f"s{i}", listed, nodeName=f"n{i}", **more) for i in range(number)]


def given_up(count):
    """Claims that are allocated for a node that is not there, and pods that want them."""
    place = {"nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["gone"]}]}]}
    return [claim(f"c{i}", request(), allocation={"nodeSelector": place, "devices": {"results": [{"request": "r", "driver": DRIVER, "pool": f"s{i // 100}", "device": f"d{i % 100}"}]}})
            for i in range(count)] + [pod(f"p{i}", f"c{i}") for i in range(count)] + [slice_of(f"s{i}", devices(100), nodeName="gone") for i in range(count // 100)]


def interlocked(count, host):
    """Devices of one pool that consume counters of four sets."""
    sets = [{"name": f"set{i}", "counters": {"m": {"value": "10"}}} for i in range(4)]
    parts = [{"name": f"d{i}", "consumesCounters": [{"counterSet": f"set{i % 4}", "counters": {"m": {"value": "3"}}}]} for i in range(count)]
    return [slice_of(f"sets-{host}", None, f"pool-{host}", 2, sets, nodeName=host), slice_of(f"parts-{host}", parts, f"pool-{host}", 2, nodeName=host)]


def counters(count):
    """A node's eight sets of ten counters, as many times as nodes."""
    sets = [{"name": f"set{i}", "counters": {f"m{j}": {"value": "10"} for j in range(10)}} for i in range(8)]
    return [slice_of(f"sets{i}", None, f"p{i}", 2, sets, nodeName=f"n{i}") for i in range(count)]


PARTS = [{"name": f"d{i}", "consumesCounters": [{"counterSet": f"set{i}", "counters": {"m0": {"value": "3"}}}]} for i in range(8)]
UNIQUE = [slice_of(f"s{i}", [{"name": f"d{j}", "attributes": {f"a{k}": {"int": 1000 * i + j} for k in range(32)}} for j in range(64)]) for i in range(8)]
SAME = [{"matchAttribute": f"{DRIVER}/a{k}"} for k in range(32)]
TAINTS = [thing("DeviceTaintRule", f"r{i}", "resource.k8s.io/v1beta2", spec={"deviceSelector": {"driver": DRIVER}, "taint": {"key": "k", "value": str(i), "effect": "NoSchedule"}}) for i in range(50000)]
NEAR = [thing("DeviceClass", f"class-{i}-of-devices-with-a-name", spec={}) for i in range(3000)]
RACK = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "rack", "operator": "In", "values": ["1"]}]}]}
CASES = [  # name, seconds, statuses, words of the answer, objects
    ("50,000 taint rules for 10,000 devices", 6, {1}, "tainted", nodes(1) + on_nodes(1, devices(1)) + [slice_of(f"t{i}", devices(100), nodeName="n0") for i in range(100)] + TAINTS + [claim("c", request())]),
    ("one pool with slices for 6,000 nodes", 6, {1}, "needs 9", nodes(6000) + on_nodes(6000, devices(8), pool="p", count=6000) + [claim("c", request(count=9))]),
    ("3,000 slices for each of 3,000 nodes", 10, {0}, "fits on 3000 of 3000 nodes", nodes(3000) + [slice_of(f"s{i}", devices(1)) for i in range(3000)] + [claim("c", request())]),
    ("3,000 nodes with 80 counters each", 12, {1}, "needs 9", nodes(3000) + counters(3000) + [slice_of(f"s{i}", PARTS, f"p{i}", 2, nodeName=f"n{i}") for i in range(3000)] + [claim("c", request(count=9))]),
    ("6,000 claims that pods give up", 6, {1}, "0 of 6000 fit", nodes(1) + given_up(6000)),
    ("3,000 classes that do not exist, and 3,000 with names like theirs", 6, {1}, "0 of 3000 fit", nodes(1) + on_nodes(1, devices(1)) + NEAR
     + [claim(f"c{i}", {"name": "r", "exactly": {"deviceClassName": f"klass-{i}-of-devices-with-no-name"}}) for i in range(3000)]),
    ("devices that interlock", 25, {1}, "given up", nodes(1) + interlocked(128, "n0") + [claim("c", request(count=30))]),
    ("500 claims whose search does not end", 30, {1}, "given up after 10001 steps", nodes(1) + on_nodes(1, devices(24)) + [claim(f"c{i}", request(count=25)) for i in range(500)]),
    ("32 constraints on values that all differ", 30, {1}, "not all together", nodes(1) + UNIQUE + [claim("c", *[request(f"r{i}") for i in range(32)], constraints=SAME)]),
    ("32 requests with 8 alternatives, each for all devices", 10, {1}, "exceeds", nodes(1) + UNIQUE
     + [claim("c", *[{"name": f"r{i}", "firstAvailable": [{"name": f"s{j}", "deviceClassName": "class", "allocationMode": "All"} for j in range(8)]} for i in range(32)])]),
    ("an expression that takes long, for 8,192 devices that differ", 30, {2}, "too much", nodes(1) + [slice_of(f"u{i}", [{"name": f"d{j}", "attributes": {"a": {"int": 64 * i + j}}} for j in range(64)]) for i in range(128)]
     + [claim("c", request(select=f"{SLOW}.all(x, {SLOW}.all(y, {SLOW}.all(z, device.attributes['{DRIVER}'].a + x + y + z >= 0))) && false"))]),
    ("63 claims of a pod, of which 20 fit", 20, {1}, "they need 63 devices, and 20 that match are free", nodes(1) + on_nodes(1, devices(20)) + [claim(f"c{i}", request()) for i in range(63)] + [pod("p", *[f"c{i}" for i in range(63)])]),
    ("64 claims of a pod", 2, {1}, "more claims than can be simulated", nodes(1) + on_nodes(1, devices(20)) + [claim(f"c{i}", request()) for i in range(64)] + [pod("p", *[f"c{i}" for i in range(64)])]),
    ("a claim for 100,000 pods", 4, {0}, "1 of 1 fit", nodes(1) + on_nodes(1, devices(1)) + [{**claim("c", request(), allocation={"devices": {"results": [{"request": "r", "driver": DRIVER, "pool": "s0", "device": "d0"}]}}), "status": {
        "allocation": {"devices": {"results": [{"request": "r", "driver": DRIVER, "pool": "s0", "device": "d0"}]}}, "reservedFor": [{"resource": "pods", "name": f"q{i}", "uid": f"u{i}"} for i in range(100000)]}}, pod("p", "c")]),
    ("1,000 extended resources in a container", 2, {1}, "more containers or resources than can be simulated", nodes(1) + [thing("DeviceClass", f"k{i}", spec={"extendedResourceName": f"d.dev/r{i}"}) for i in range(1000)]
     + on_nodes(1, devices(1)) + [pod("p", resources={"limits": {f"d.dev/r{i}": "1" for i in range(1000)}})]),
    ("nodes with 10,000 labels", 6, {1}, "needs 9", [node(f"n{i}", rack="0", **{f"l{k}": "v" for k in range(10000)}) for i in range(50)] + [slice_of(f"s{i}", devices(8), nodeSelector=RACK) for i in range(50)] + [claim("c", request(count=9))]),
    ("names of a million bytes", 4, {1}, "needs 2", [node("x" * 1000000), slice_of("s", [{"name": "x" * 1000000}], "x" * 1000000, nodeName="x" * 1000000), claim("x" * 1000000, request("x" * 1000000, count=2))]),
]


def limit(seconds, sanitized):
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    if not sanitized:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def main(build):
    tap = Tap()
    slowness = SLOWNESS if any(word in build for word in SANITIZED) else 1
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "objects.json")
        for name, seconds, statuses, words, objects in CASES:
            with open(path, "w") as file:
                file.write("\n".join(map(json.dumps, [thing("DeviceClass", "class", spec={}), *objects])))
            try:
                done = subprocess.run([os.path.join(build, "drawbridge"), "allocate", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=BUSY * seconds * slowness,
                                      preexec_fn=lambda: limit(seconds * slowness, slowness > 1))
                text = (done.stdout + done.stderr).decode()
                said = f"{done.returncode} {done.stderr.decode()[-200:]} {done.stdout.decode()[:300]}"
                good = done.returncode in statuses and words in text and len(text) < 2000000 and (done.returncode != 2 or "too much" in text)
            except subprocess.TimeoutExpired:
                good, said = False, f"not in {BUSY * seconds * slowness} seconds"
            tap.ok(good, name if good else f"{name}: {said}")
    return tap.done()


sys.exit(main(sys.argv[1]))
