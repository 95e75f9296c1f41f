#!/usr/bin/env python3
"""allocate_worlds.py [FOLDER]: worlds on which schedulers spend time. Writes them into the folder, for bench_allocate; or prints them,
one a line, for `drawbridge allocate --worlds` and the oracle's -bench. Their names say what is in them."""
import json
import os
import sys

DRIVER = "gpu.acme.dev"
GATES = ["DRAAdminAccess", "DRAConsumableCapacity", "DRADeviceBindingConditions", "DRADeviceTaints", "DRAPartitionableDevices",
         "DRAPrioritizedList", "DRAResourceClaimDeviceStatus"]
CARDS = 8
PARTITIONS = ((1, 1), (2, 2), (4, 4))  # of a card: how many take which part of it
MEMORY = 80
RESOURCE = "resource.k8s.io/"
KINDS = (("nodes", "Node", ""), ("slices", "ResourceSlice", RESOURCE), ("classes", "DeviceClass", RESOURCE), ("claims", "ResourceClaim", RESOURCE))


def selector(expression):
    return {"cel": {"expression": expression}}


def a_device(index, memory):
    return {"name": f"dev-{index:03}", "attributes": {"model": {"string": "h100"}, "index": {"int": index}, "driverVersion": {"version": "1.10.0"}},
            "capacity": {"memory": {"value": f"{memory}Gi"}}}


def a_slice(node, devices, suffix="", count=1, **more):
    return {"metadata": {"name": f"{node}-gpu{suffix}"},
            "spec": {"driver": DRIVER, "nodeName": node, "pool": {"name": node, "generation": 1, "resourceSliceCount": count}, "devices": devices, **more}}


def partitioned(node):
    """Cards of which partitions take parts."""
    devices = []
    for card in range(CARDS):
        for many, part in PARTITIONS:
            for _ in range(many):
                memory = MEMORY // part
                consumed = {"counterSet": f"card-{card}", "counters": {"memory": {"value": f"{memory}Gi"}, "slots": {"value": str(4 // part)}}}
                devices.append(dict(a_device(len(devices), memory), consumesCounters=[consumed]))
    sets = [{"name": f"card-{card}", "counters": {"memory": {"value": f"{MEMORY}Gi"}, "slots": {"value": "4"}}} for card in range(CARDS)]
    return [a_slice(node, devices, count=2), a_slice(node, [], suffix="-counters", count=2, sharedCounters=sets)]


def a_world(name, nodes, slices_of, count, expression):
    names = [f"node-{i:04}" for i in range(nodes)]
    exactly = {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": count, "selectors": [selector(expression)]}
    claim = {"metadata": {"name": "claim", "namespace": "default"}, "spec": {"devices": {"requests": [{"name": "gpu", "exactly": exactly}]}}}
    device_class = {"metadata": {"name": "gpu"}, "spec": {"selectors": [selector(f"device.driver == '{DRIVER}'")]}}
    return {"id": name, "features": GATES, "nodes": [{"metadata": {"name": node, "labels": {"kubernetes.io/hostname": node}}} for node in names],
            "claims": [claim], "classes": [device_class], "slices": [a for node in names for a in slices_of(node)]}


def objects(world, member, kind, group):
    return [dict(apiVersion=group + "v1", kind=kind, **one) for one in world[member]]


def main():
    def of(count):
        return lambda node: [a_slice(node, [a_device(i, MEMORY) for i in range(count)])]
    worlds = (
        a_world("8 devices, 100 nodes", 100, of(8), 1, f"device.attributes['{DRIVER}'].model == 'h100'"),
        a_world("128 devices, 1,000 nodes, only the last one matches", 1000, of(128), 1, f"device.attributes['{DRIVER}'].index == 127"),
        a_world("8 cards in 7 partitions, 100 nodes", 100, partitioned, CARDS, f"device.capacity['{DRIVER}'].memory.compareTo(quantity('20Gi')) <= 0"),
        a_world("8 cards in 7 partitions, 100 nodes, one card too few", 100, partitioned, CARDS + 1, f"device.capacity['{DRIVER}'].memory.compareTo(quantity('80Gi')) == 0"),
    )
    for number, world in enumerate(worlds):
        if len(sys.argv) == 1:
            print(json.dumps(world, separators=(",", ":")))
            continue
        with open(os.path.join(sys.argv[1], f"world-{number}.json"), "w", encoding="utf-8") as file:
            json.dump({"apiVersion": "v1", "kind": "List", "items": [a for kind in KINDS for a in objects(world, *kind)]}, file)


main()
