#!/usr/bin/env python3
"""Claims and slices with which `drawbridge match` could take for ever or run out of memory: each is answered, or refused, in bounded time and memory.

    test_hostile_match.py BUILD
"""
import json, os, resource, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

MEMORY = 3 << 30  # of address space
SANITIZED = ("asan", "tsan", "coverage")
SLOWNESS = 20  # at most, of such a build
VERSION = "resource.k8s.io/v1"


def slices(count, devices, **more):
    return [{"apiVersion": VERSION, "kind": "ResourceSlice", "metadata": {"name": f"slice-{n}"},
             "spec": {"driver": "d.dev", "nodeName": f"node-{n}", "pool": {"name": f"pool-{n}", "generation": 1, "resourceSliceCount": 1}, **more,
                      "devices": [{"name": f"device-{i}", "attributes": {"a": {"int": i}}, **devices} for i in range(128)]}} for n in range(count)]


def claim(*expressions, requests=1, **more):
    selectors = [{"cel": {"expression": expression}} for expression in expressions]
    return {"apiVersion": VERSION, "kind": "ResourceClaim", "metadata": {"name": "claim"}, "spec": {"devices": {"requests": [
        {"name": f"r{i}", "exactly": {"deviceClassName": "class", "selectors": selectors, **more}} for i in range(requests)]}}}


CLASS = {"apiVersion": VERSION, "kind": "DeviceClass", "metadata": {"name": "class"}, "spec": {}}
NODES = [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": f"node-{n}", "labels": {"rack": str(n)}}} for n in range(2000)]
RACK = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "rack", "operator": "In", "values": [str(n) for n in range(2000)]}]}]}
TAINT = {"taints": [{"key": f"k{i}", "effect": "NoSchedule"} for i in range(1000)]}
LISTS = "[" + ",".join(str(i) for i in range(60)) + "]"
CASES = [  # name, seconds, statuses, claim, objects
    ("20,000 devices and 32 requests", 5, {0}, claim('device.attributes["d.dev"].a >= 3', requests=32), slices(157, {})),
    ("an expression that takes all that it may", 30, {1, 2}, claim(f"{LISTS}.all(x, {LISTS}.all(y, {LISTS}.all(z, x + y + z >= 0))) && false"), slices(20, {})),
    ("a thousand taints and tolerations", 20, {0, 1, 2}, claim(tolerations=[{"key": f"t{i}", "operator": "Exists"} for i in range(1000)]), slices(20, TAINT)),
    ("a thousand capacities", 20, {0, 1, 2}, claim(capacity={"requests": {f"c{i}": str(i) for i in range(1000)}}),
     slices(4, {"capacity": {f"c{i}": {"value": "9e9"} for i in range(1000)}})),
    ("nodes that are selected one by one", 30, {0, 1, 2}, claim(), slices(100, {}, nodeName=None, nodeSelector=RACK) + NODES),
    ("33 requests", 1, {1}, claim(requests=33), slices(1, {})),
    ("33 selectors", 1, {1}, claim(*["true"] * 33), slices(1, {})),
    ("5,000 claims with selectors of their own", 10, {2}, [claim(f"{i} >= 0 || device.driver == 'a'") for i in range(5000)], slices(1, {})),
    ("as many alternatives as an expression can have", 20, {1}, claim("||".join(f"device.driver=='{i:04}'" for i in range(400))), slices(2, {})),
    ("as many conjunctions", 20, {1}, claim("&&".join(["device.driver=='d.dev'"] * 400) + "&&false"), slices(2, {})),
    ("alternatives inside each other", 20, {1}, claim("(" * 100 + "device.driver=='a'" + "||device.driver=='b')" * 100), slices(2, {})),
    ("parentheses", 5, {1}, claim("!(" * 120 + "device.driver == 'd.dev'" + ")" * 120 + "&&false"), slices(1, {})),
    ("a class without a name, and slices without anything", 1, {0}, claim(), [{**CLASS, "metadata": None}, {"apiVersion": VERSION, "kind": "ResourceSlice"}] + slices(1, {})),
]


def main(build):
    tap = Tap()
    slowness = SLOWNESS if any(word in build for word in SANITIZED) else 1
    limit = None if slowness > 1 else lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with tempfile.TemporaryDirectory() as folder:
        for name, seconds, statuses, claims, objects in CASES:
            paths = [os.path.join(folder, part) for part in ("claim.json", "objects.json")]
            for path, documents in zip(paths, (claims if isinstance(claims, list) else [claims], [CLASS] + objects)):
                with open(path, "w") as file:
                    file.write("\n".join(map(json.dumps, documents)))
            for options in [], ["--format", "json"]:
                try:
                    done = subprocess.run([os.path.join(build, "drawbridge"), "match", *options, *paths], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                          timeout=seconds * slowness, preexec_fn=limit)
                    said = f"{done.returncode} {done.stderr.decode()[-200:]}"
                    good = done.returncode in statuses and (done.returncode != 2 or b"too much" in done.stderr)
                except subprocess.TimeoutExpired:
                    good, said = False, f"not in {seconds * slowness} seconds"
                tap.ok(good, f"{name}, {options[1:]}: {said}")
    return tap.done()


sys.exit(main(sys.argv[1]))
