#!/usr/bin/env python3
"""Small clusters with a pod that stays pending, as people meet them: `drawbridge allocate` says first what a person who knows would say, and of
which kind the "no" is.

    test_allocate_scenes.py BUILD [NAME]      with NAME: prints what it says of the scenes with that in their name
"""
import json, os, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

GROUP, DRIVER = "resource.k8s.io/v1", "gpu.acme.dev"
STEPS_MOST = 100 + 1
LARGE = 'device.capacity["gpu.acme.dev"].memory.isGreaterThan(quantity("60Gi"))'


# ---- objects ----

def made(api_version, kind, name, namespace=None, **members):
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, **({"namespace": namespace} if namespace else {})}, **members}


def node(name, **labels):
    return {**made("v1", "Node", name), "metadata": {"name": name, "labels": labels}}


def device(name, memory="80Gi", capacity=None, attributes=None, model="a100", **members):
    attributes = {"model": {"string": model}, **(attributes or {})}
    return {"name": name, "attributes": attributes, "capacity": {"memory": {"value": memory}, **(capacity or {})}, **members}


def slice_of(*devices, on="n1", pool=None, name=None, driver=DRIVER, generation=1, slices=1, **members):
    place = {"nodeName": on} if on else {}
    spec = {"driver": driver, "pool": {"name": pool or on or "shared", "generation": generation, "resourceSliceCount": slices}, **place, **members}
    return made(GROUP, "ResourceSlice", name or f"{pool or on or 'shared'}-{driver}", spec={**spec, **({"devices": list(devices)} if devices else {})})


def device_class(name=DRIVER, driver=DRIVER, **members):
    return made(GROUP, "DeviceClass", name, spec={"selectors": [{"cel": {"expression": f'device.driver == "{driver}"'}}], **members})


def request(name="gpu", select=None, kind=DRIVER, **members):
    selectors = {"selectors": [{"cel": {"expression": select}}]} if select else {}
    return {"name": name, "exactly": {"deviceClassName": kind, **selectors, **members}}


def choice(name, *asks):
    return {"name": name, "firstAvailable": [{"name": ask["name"], **ask["exactly"]} for ask in asks]}


def claim(name, *requests, constraints=(), **members):
    devices = {"requests": list(requests), **({"constraints": list(constraints)} if constraints else {})}
    return made(GROUP, "ResourceClaim", name, "ml", spec={"devices": devices}, **members)


def allocated(name, *devices, pod="train-0", pool="n1", on="n1", share=None, ask="gpu"):
    """A claim that has the devices."""
    results = [{"request": ask, "driver": DRIVER, "pool": pool, "device": device, **(share or {})} for device in devices]
    selector = {"nodeSelector": {"nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": [on]}]}]}} if on else {}
    owners = {"reservedFor": [{"resource": "pods", "name": pod, "uid": "1"}]} if pod else {}
    return claim(name, request(ask, count=len(devices)), status={"allocation": {"devices": {"results": results}, **selector}, **owners})


def pod(*claims, name="job", **spec):
    containers = [{"name": "main", "image": "registry.example.com/job", "resources": {"claims": [{"name": name} for name in claims]}}]
    return made("v1", "Pod", name, "ml", spec={"resourceClaims": [{"name": name, "resourceClaimName": name} for name in claims], "containers": containers, **spec})


def wants(*requests, constraints=()):
    """A pod with one claim."""
    return [claim("gpu", *requests, constraints=constraints), pod("gpu")]


def taint(key="gpu.acme.dev/unhealthy", effect="NoSchedule"):
    return {"key": key, "effect": effect}


def counters(**values):
    return [{"name": "card", "counters": {name: {"value": value} for name, value in values.items()}}]


def uses(**values):
    return [{"counterSet": "card", "counters": {name: {"value": value} for name, value in values.items()}}]


BASE = [node("n1", zone="a"), device_class()]
TWO = BASE + [node("n2", zone="b")]
GPU = device("gpu-0")
SHARED = device("gpu-0", allowMultipleAllocations=True)
CARD = slice_of(pool="card", name="card-counters", sharedCounters=counters(memory="40Gi"), slices=2)
PARTS = slice_of(device("part-0", consumesCounters=uses(memory="30Gi")), device("part-1", consumesCounters=uses(memory="20Gi")), pool="card", slices=2)
POLICY = {"memory": {"value": "80Gi", "requestPolicy": {"default": "10Gi", "validRange": {"min": "10Gi", "max": "20Gi"}}}}
NUMA = [device("gpu-0", attributes={"numa": {"int": 0}}), device("gpu-1", attributes={"numa": {"int": 1}})]
SAME = {"matchAttribute": "gpu.acme.dev/numa"}
ZONE_B = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "zone", "operator": "In", "values": ["b"]}]}]}

# name, objects, options, kind ("fits": it fits; "waits": no node is tried), what is said
SCENES = [
    # ---- the request ----
    ("wrong model", BASE + [slice_of(GPU)] + wants(request(select='device.attributes["gpu.acme.dev"].model == "h100"')), "", "no-match",
     ['does not match selectors[0]', 'model is "a100"', '"h100"']),
    ("too little memory", BASE + [slice_of(device("gpu-0", memory="40Gi"))] + wants(request(select=LARGE)), "", "no-match",
     ["does not match selectors[0]", "memory is 40Gi", "60Gi"]),
    ("another driver's class", BASE + [slice_of(GPU), device_class("fpga.acme.dev", "fpga.acme.dev")] + wants(request(kind="fpga.acme.dev")), "", "no-match",
     ['no device that the node sees is of class "fpga.acme.dev"']),
    ("class with a typing error", BASE + [slice_of(GPU)] + wants(request(kind="gpu.acme.de")), "", "waits",
     ["device class gpu.acme.de does not exist", 'did you mean "gpu.acme.dev"?']),
    ("missing attribute", BASE + [slice_of(GPU)] + wants(request(select='device.attributes["gpu.acme.dev"].modell == "a100"')), "", "error",
     ["no such key: modell", "on device gpu-0"]),
    ("selector that does not compile", BASE + [slice_of(GPU)] + wants(request(select='device.atributes["gpu.acme.dev"].model == "a100"')), "", "error",
     ["CEL compile error", "atributes"]),
    ("too many", BASE + [slice_of(*[device(f"gpu-{i}") for i in range(4)])] + wants(request(count=5)), "", "no-match",
     ["needs 5", "of 4 devices 4 are free"]),
    ("more than 32", BASE + [slice_of(*[device(f"gpu-{i}") for i in range(40)])] + wants(request(count=33)), "", "error", ["33", "claim limit of 32"]),
    ("all of more than 32", BASE + [slice_of(*[device(f"gpu-{i}") for i in range(40)])] + wants(request(allocationMode="All")), "", "error", ["40", "claim limit of 32"]),
    ("none of the alternatives", BASE + [slice_of(device("gpu-0", memory="40Gi"))] +
     wants(choice("gpu", request("large", select=LARGE), request("pair", count=2))), "", "no-match",
     ['"gpu/large"', '"gpu/pair"', "memory is 40Gi", "needs 2"]),
    ("admin access in a namespace without it", BASE + [slice_of(GPU), allocated("a", "gpu-0")] + wants(request(adminAccess=True)), "", "fits", ["gpu-0"]),
    # ---- in use ----
    ("all in use", BASE + [slice_of(GPU), allocated("a", "gpu-0")] + wants(request()), "", "in-use", ["1 is in use (claim ml/a of pod train-0)"]),
    ("in use, without a pod", BASE + [slice_of(GPU), allocated("a", "gpu-0", pod=None)] + wants(request()), "", "in-use", ["in use (claim ml/a, which no pod has reserved)"]),
    ("some in use, others small", BASE + [slice_of(GPU, device("gpu-1", memory="40Gi")), allocated("a", "gpu-0")] + wants(request(select=LARGE)), "", "in-use",
     ["1 is in use (claim ml/a of pod train-0)", "1 does not match"]),
    ("shared capacity used up", BASE + [slice_of(SHARED), allocated("a", "gpu-0", share={"shareID": "25cd632a-4cc3-459d-b962-ad22b833bd5c", "consumedCapacity": {"memory": "60Gi"}})] +
     wants(request(capacity={"requests": {"memory": "30Gi"}})), "", "in-use", ["too little left", "20Gi left of memory, 30Gi is asked", "claim ml/a of pod train-0"]),
    ("more of a capacity than there is", BASE + [slice_of(SHARED)] + wants(request(capacity={"requests": {"memory": "90Gi"}})), "", "no-match", ["has 80Gi of memory, 90Gi is asked"]),
    ("more than the policy lets", BASE + [slice_of(device("gpu-0", capacity=POLICY, allowMultipleAllocations=True))] +
     wants(request(capacity={"requests": {"memory": "30Gi"}})), "", "no-match", ["gpu-0", "at most 20Gi of memory", "30Gi is asked"]),
    ("a capacity that is not there", BASE + [slice_of(SHARED)] + wants(request(capacity={"requests": {"cores": "3"}})), "", "no-match", ['has no capacity "cores"']),
    ("counters of a card used up", BASE + [CARD, PARTS, allocated("a", "part-0", pool="card")] + wants(request()), "", "in-use",
     ["1 is in use (claim ml/a of pod train-0)", "part-1 needs 20Gi of counter card/memory, 10Gi are left"]),
    ("a partition larger than its card", BASE + [CARD, slice_of(device("part-0", consumesCounters=uses(memory="50Gi")), pool="card", slices=2)] + wants(request()), "", "no-room",
     ["part-0 needs 50Gi of counter card/memory, 40Gi are left"]),
    # ---- taints ----
    ("tainted device", BASE + [slice_of(device("gpu-0", taints=[taint()]))] + wants(request()), "", "no-room", ["1 is tainted gpu.acme.dev/unhealthy:NoSchedule"]),
    ("tainted by a rule", BASE + [slice_of(GPU), made("resource.k8s.io/v1beta2", "DeviceTaintRule", "maintenance",
     spec={"deviceSelector": {"driver": DRIVER}, "taint": taint("maintenance", "NoExecute")})] + wants(request()), "--feature-gates DRADeviceTaintRules=true", "no-room",
     ["1 is tainted maintenance:NoExecute", "DeviceTaintRule maintenance"]),
    ("a toleration of another taint", BASE + [slice_of(device("gpu-0", taints=[taint()]))] + wants(request(tolerations=[{"key": "other", "operator": "Exists"}])), "", "no-room", ["is tainted"]),
    ("all, and one is tainted", BASE + [slice_of(GPU, device("gpu-1", taints=[taint()]))] + wants(request(allocationMode="All")), "", "no-room", ["wants all devices", "1 is free", "1 is tainted"]),
    ("all, and one is in use", BASE + [slice_of(GPU, device("gpu-1")), allocated("a", "gpu-1")] + wants(request(allocationMode="All")), "", "in-use",
     ["wants all devices", "1 is free", "1 is in use (claim ml/a of pod train-0)"]),
    # ---- pools ----
    ("incomplete pool", BASE + [slice_of(GPU, slices=2)] + wants(request()), "", "pool-unusable", ["incomplete pool gpu.acme.dev/n1 (1 slice of 2)"]),
    ("incomplete pool, and all", BASE + [slice_of(GPU, slices=2)] + wants(request(allocationMode="All")), "", "pool-unusable", ["currently being updated", "1 slice of 2"]),
    ("old generation", BASE + [slice_of(GPU, name="old", slices=2), slice_of(GPU, name="new", generation=2, on="n2", pool="n1")] + wants(request()), "--node n1", "pool-unusable",
     ["older generation of pool gpu.acme.dev/n1"]),
    ("two devices of one name", BASE + [slice_of(GPU, name="a", slices=2), slice_of(GPU, name="b", slices=2)] + wants(request()), "", "pool-unusable",
     ["invalid pool gpu.acme.dev/n1", 'two devices or counter sets are named "gpu-0"']),
    ("a counter that is not there", BASE + [CARD, slice_of(device("part-0", consumesCounters=uses(cores="1")), pool="card", slices=2)] + wants(request()), "", "pool-unusable",
     ["invalid pool gpu.acme.dev/card", "part-0 consumes a counter that is not there"]),
    # ---- gates ----
    ("gate of partitions", BASE + [CARD, PARTS] + wants(request()), "--feature-gates DRAPartitionableDevices=false", "pool-unusable", ["without the scheduler's feature gate DRAPartitionableDevices"]),
    ("gate of bindings", BASE + [slice_of(device("gpu-0", bindingConditions=["Ready"], bindingFailureConditions=["Failed"]))] + wants(request()), "--feature-gates DRADeviceBindingConditions=false",
     "pool-unusable", ["without the scheduler's feature gate DRADeviceBindingConditions"]),
    ("gate of capacity", BASE + [slice_of(SHARED)] + wants(request(capacity={"requests": {"memory": "30Gi"}})), "--feature-gates DRAConsumableCapacity=false", "error",
     ["DRAConsumableCapacity feature is disabled"]),
    ("gate of alternatives", BASE + [slice_of(GPU)] + wants(choice("gpu", request("a"))), "--kubernetes-version 1.35 --feature-gates DRAPrioritizedList=false", "waits", ["DRAPrioritizedList feature is disabled"]),
    # ---- nodes ----
    ("on another node", TWO + [slice_of(GPU), slice_of(GPU, on="n2"), allocated("a", "gpu-0", pool="n2", on="n2")] + wants(request(count=2)), "", "other-nodes", ["needs 2", "of 1 device 1 is free"]),
    ("in another zone", TWO + [slice_of(GPU, on=None, nodeSelector=ZONE_B)] + wants(request()), "--node n1", "other-nodes", ["no device that the node sees is of class", "1 that matches is elsewhere"]),
    ("claim allocated on another node", TWO + [slice_of(GPU), slice_of(GPU, on="n2"), allocated("gpu", "gpu-0", pod=None, on="n2", pool="n2"), pod("gpu")], "--node n1", "allocated-elsewhere",
     ["claim gpu is allocated already, to devices of n2"]),
    # ---- together ----
    ("one value of two", BASE + [slice_of(*NUMA)] + wants(request("a"), request("b"), constraints=[SAME]), "", "not-together",
     ["constraints[0] of claim gpu wants one value of gpu.acme.dev/numa", "1 has 0, 1 has 1"]),
    ("different values of one", BASE + [slice_of(GPU, device("gpu-1"))] + wants(request(count=2), constraints=[{"distinctAttribute": "gpu.acme.dev/model"}]), "", "not-together",
     ["wants different values of gpu.acme.dev/model", "2 have a100"]),
    ("a constraint on an attribute that none has", BASE + [slice_of(*NUMA)] + wants(request(count=2), constraints=[{"matchAttribute": "gpu.acme.dev/socket"}]), "", "not-together",
     ["wants one value of gpu.acme.dev/socket", "2 have none"]),
    ("two requests, one device", BASE + [slice_of(GPU)] + wants(request("a"), request("b")), "", "not-together", ["they need 2 devices, and 1 that matches is free"]),
    ("two claims, one device", BASE + [slice_of(GPU), claim("a", request()), claim("b", request()), pod("a", "b")], "", "not-together", ["they need 2 devices, and 1 that matches is free"]),
    ("two requests, one large device", BASE + [slice_of(GPU, device("gpu-1", memory="40Gi"), device("gpu-2", memory="40Gi"))] + wants(request("a", select=LARGE), request("b", select=LARGE)), "", "not-together",
     ["they need 2 devices, and 1 that matches is free"]),
    ("three requests, two of them for one device", BASE + [slice_of(GPU, device("gpu-1", memory="40Gi"), device("gpu-2", memory="40Gi"))] +
     wants(request("a", select=LARGE), request("b", select=LARGE), request("c")), "", "not-together", ['requests "a", "b" need 2 devices, and 1 that matches them is free']),
    ("partitions of one card", BASE + [CARD, PARTS] + wants(request(count=2)), "", "not-together", ["shared counters", "card/memory"]),
    ("all, and one more", BASE + [slice_of(GPU, device("gpu-1"))] + wants(request("all", allocationMode="All"), request("one")), "", "not-together", ['requests "all", "one" need 3 devices, and 2 that match them are free']),
    ("claims in vain, without end", BASE + [slice_of(*[device(f"gpu-{i}") for i in range(20)])] + [claim(f"c{i}", request()) for i in range(30)] + [pod(*[f"c{i}" for i in range(30)])], "", "not-together",
     ["given up after 4000001 steps", "they need 30 devices, and 20 that match are free"]),
    ("an attribute without a value", BASE + [slice_of({**device("gpu-0"), "attributes": {"odd": {}}})] + wants(request()), "", "error", ["attribute odd: unsupported attribute value"]),
    ("gate of lists", BASE + [slice_of({**device("gpu-0"), "attributes": {"roots": {"strings": ["a", "b"]}}})] + wants(request()), "--kubernetes-version 1.36", "error",
     ["attribute roots: unsupported attribute value"]),
    ("lists without their gate, since 1.37", BASE + [slice_of({**device("gpu-0"), "attributes": {"roots": {"strings": ["a", "b"]}}})] + wants(request()), "--kubernetes-version 1.37", "fits", []),
    # ---- the pod and its claims ----
    ("claim that is being deleted", BASE + [slice_of(GPU), {**claim("gpu", request()), "metadata": {"name": "gpu", "namespace": "ml", "deletionTimestamp": "2026-01-01T00:00:00Z"}}, pod("gpu")], "", "waits",
     ['resourceclaim "gpu" is being deleted']),
    ("claim that is not given", BASE + [slice_of(GPU), pod("gpu")], "", "waits", ["could not find resource claim", "ml/gpu"]),
    ("template that is not given", BASE + [slice_of(GPU), made("v1", "Pod", "job", "ml", spec={"resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "gpu"}],
     "containers": [{"name": "main", "image": "i"}]})], "", "waits", ["could not find resource claim template", "ml/gpu"]),
    ("extended resource without a class", BASE + [slice_of(GPU), claim("gpu", request()), pod("gpu", containers=[{"name": "main", "image": "i", "resources": {"requests": {"acme.dev/gpu": "1"}}}])], "",
     "fits", ["gpu-0"]),
    ("extended resource, all in use", [node("n1"), device_class(extendedResourceName="acme.dev/gpu"), slice_of(GPU), allocated("a", "gpu-0"), made("v1", "Pod", "job", "ml", spec={"containers": [
     {"name": "main", "image": "i", "resources": {"requests": {"acme.dev/gpu": "1"}}}]})], "", "in-use", ["in use (claim ml/a of pod train-0)"]),
    ("no device at all", BASE + wants(request()), "", "no-match", ["no device that the node sees is of class"]),
]

# what --explain prints of some of them, and of SEARCHES, which fit or fail in ways that only a search shows
STEPS = {
    "wrong model": ["gpu 1 of 1: gpu.acme.dev/n1/gpu-0: no: false is selectors[0]", "gpu 1 of 1: no device is left"],
    "another driver's class": ["no: false is selectors[0] of class fpga.acme.dev"],
    "missing attribute": ["gpu-0: ends the search"],
    "too many": ["|       gpu 4 of 5: gpu.acme.dev/n1/gpu-3: taken", "|         gpu 5 of 5: no device is left", "|       gpu 4 of 5: gpu.acme.dev/n1/gpu-3: given back"],
    "none of the alternatives": ["gpu/large 1 of 1: gpu.acme.dev/n1/gpu-0: no: false", "gpu/pair 1 of 2: gpu.acme.dev/n1/gpu-0: taken"],
    "some in use, others small": ["gpu-0: no: in use", "gpu-1: no: false is selectors[0]"],
    "shared capacity used up": ["gpu-0: no: capacity memory: less is left"],
    "more than the policy lets": ["gpu-0: no: capacity memory is not given in such an amount"],
    "a capacity that is not there": ["gpu-0: no: a capacity that is asked for is missing"],
    "counters of a card used up": ["part-1: no: counter card/memory: less is left"],
    "tainted by a rule": ["gpu-0: no: taint maintenance:NoExecute"],
    "all, and one is tainted": ["gpu, all: gpu.acme.dev/n1/gpu-0: taken", "|   gpu, all: gpu.acme.dev/n1/gpu-1: no: taint", "gpu, all: gpu.acme.dev/n1/gpu-0: given back"],
    "two devices of one name": ["pool gpu.acme.dev/n1: passed over: invalid (two devices"],
    "gate of partitions": ["part-0 to part-1 (2 devices): no: consumes counters, but the scheduler's feature gate DRAPartitionableDevices is off"],
    "gate of bindings": ["gpu-0: no: bindingConditions, but the scheduler's feature gate DRADeviceBindingConditions is off"],
    "two claims, one device": ["a.gpu 1 of 1: gpu.acme.dev/n1/gpu-0: taken", "b.gpu 1 of 1: gpu.acme.dev/n1/gpu-0: no: taken already"],
    "one value of two": ["b 1 of 1: gpu.acme.dev/n1/gpu-1: no: constraints[0]"],
    "claims in vain, without end": ["steps more"],
}
SEARCHES = [
    ("more together than a claim can have", BASE + [slice_of(*[device(f"gpu-{i}") for i in range(40)])] + wants(request("a", count=20), choice("b", request("many", count=20), request("few", count=2))), "",
     ["b/many: a claim cannot have so many devices", "b/few 2 of 2: gpu.acme.dev/n1/gpu-21: taken"]),
    ("a device for another node", TWO + [slice_of({**GPU, "nodeName": "n2"}, {**device("gpu-1"), "nodeName": "n1"}, on=None, perDeviceNodeSelection=True)] + wants(request()), "--node n1",
     ["gpu-0: no: for other nodes", "gpu-1: taken"]),
    ("all, and some do not match", BASE + [slice_of(device("gpu-0", memory="40Gi"), device("gpu-1", memory="40Gi"), device("gpu-2"))] + wants(request(select=LARGE, allocationMode="All")), "",
     ["gpu, all: gpu.acme.dev/n1/gpu-0 to gpu-1 (2 devices): no: false is selectors[0]", "gpu, all: gpu.acme.dev/n1/gpu-2: taken"]),
    ("counters that are overdrawn", BASE + [CARD, slice_of(device("part-0", consumesCounters=uses(memory="50Gi")), device("part-1", consumesCounters=uses(memory="1Gi")), pool="card", slices=2),
     allocated("a", "part-0", pool="card")] + wants(request()), "", ["part-1: no: more of the pool's counters is allocated than there is"]),
    ("groups that do not go together", BASE + [CARD, slice_of(*[device(f"part-{i}", consumesCounters=[{**uses(memory="1Gi")[0], "compatibilityGroups": [group]}]) for i, group in enumerate("ab")], pool="card", slices=2)] +
     wants(request(count=2)), "--feature-gates DRADeviceCompatibilityGroups=true", ["part-1: no: compatibility groups of counter set card"]),
    ("operations that are not skipped", BASE + [slice_of(GPU, skipNodeOperations=["PrepareResources"])] + wants(request()), "--feature-gates DRADeviceCompatibilityGroups=true", ["gpu-0: no: skips operations of the node"]),
]


# ---- running ----

def allocate(build, objects, options, output):
    text = "---\n".join(json.dumps(each) + "\n" for each in objects)
    done = subprocess.run([os.path.join(build, "drawbridge"), "allocate", *options.split(), "--output", output, "-"], input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def kind_of(output):
    """The kind of "no" of the first pod, or how else it ended."""
    report = json.loads(output.splitlines()[0])
    if report["fits"]:
        return "fits"
    return report["nodes"][0]["why"]["kind"] if report.get("nodes") else "waits"


def test_steps(tap, build):
    for name, objects, options, phrases in [(name, objects, options, STEPS[name]) for name, objects, options, *_ in SCENES if name in STEPS] + SEARCHES:
        table = allocate(build, objects, options + " --explain", "table")[1]
        lines = [line for line in table.splitlines() if line.startswith("    | ")]
        missing = [phrase for phrase in phrases if not any(phrase in line for line in lines)]
        tap.ok(not missing and len(lines) <= STEPS_MOST, f"steps: {name}", f"{len(lines)} lines; not said: {missing}\n{table}")


def test_jobs(tap, build):
    """A search that is long enough for threads: nodes without a solution, but for one, and one that ends the search."""
    devices = [device(f"gpu-{i}", attributes={"numa": {"int": i % 5}}) for i in range(17)]
    fitting = [device(f"gpu-{i}", attributes={"numa": {"int": 9}}) for i in range(17)]
    names = [f"n{i:02}" for i in range(16)]
    cluster = [device_class()] + [node(name) for name in names]
    slices = {name: slice_of(*devices, on=name) for name in names}
    wanted = wants(request("a", count=4), request("b", count=6), constraints=[{**SAME, "requests": ["b"]}])
    broken = request("a", select='device.attributes["gpu.acme.dev"].numa >= 0', count=4)
    worlds = [("one node fits", {**slices, "n13": slice_of(*fitting, on="n13")}, wanted),
              ("none fits", slices, wanted),
              ("one ends the cycle", {**slices, "n11": slice_of(device("gpu-0", attributes={}), on="n11")}, wants(broken, request("b", count=6), constraints=[{**SAME, "requests": ["b"]}]))]
    for name, given, asked in worlds:
        answers = [allocate(build, cluster + list(given.values()) + asked, f"--explain --jobs {jobs}", "json") for jobs in (1, 3)]
        tap.ok(answers[0] == answers[1] and answers[0][1].count('"node":') > 11, f"threads say the same: {name}", "\n".join(out[:2000] + error for _, out, error in answers))


def main(build, wanted=None):
    tap = Tap()
    if wanted is None:
        test_steps(tap, build)
        test_jobs(tap, build)
    for name, objects, options, kind, phrases in SCENES:
        if wanted is not None and wanted not in name:
            continue
        status, table, error = allocate(build, objects, options, "table")
        output = allocate(build, objects, options, "json")[1]
        got = kind_of(output) if output else "none"
        missing = [phrase for phrase in phrases if phrase not in table]
        good = status == (kind != "fits") and got == kind and not missing
        tap.ok(good, name, f"kind {got}, wanted {kind}; not said: {missing}\n{table}{error}")
        if wanted is not None:
            print(table, end="")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
