#!/usr/bin/env python3
"""What is found in a device does not depend on the devices beside it: a slice of many is validated as slices of one are, device by device.
The walk takes short cuts where a device is like the one before.

    test_alike.py BUILD
"""
import json, os, random, re, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

SLICES, DEVICES = 400, 8
VALUES = [{"string": "x"}, {"string": "x" * 64}, {"string": "x" * 65}, {"int": 1}, {"int": -9}, {"bool": True}, {"bool": False}, {"version": "1.2.3"}, {"string": "y"}, {"version": "x"}, {},
          {"string": "x", "int": 1}, {"string": None}, None, {"version": "1.2.3", "unknown": 1}, {"unknown": 1}, {"string": ""}]
CAPACITIES = [{"value": "1"}, {"value": "16Gi"}, {"value": "-1"}, {}, {"value": "1", "requestPolicy": {"default": "1"}}, None]
TAINTS = [{"key": "a", "effect": "NoSchedule"}, {"key": "a", "effect": "None"}, {"key": "a.b/c", "value": "v", "effect": "NoExecute"}, {"effect": "NoSchedule"}, {"key": "_", "effect": "NoSchedule"}]
GOOD_NAMES = ["model", "acme.dev/model", "uuid", "index", "a_b", "x" * 32]
NAMES = GOOD_NAMES + ["-", "a/b/c", "x" * 33, "", "1a", "acme.dev/1a", "gpu.acme.dev/model"]


def devices(choose):
    """Most are like the one before but for a member or two."""
    def entries(values, most):
        return {name: choose.choice(values) for name in choose.sample(GOOD_NAMES, choose.randint(0, most))}
    model = {"attributes": entries(VALUES[:2] + VALUES[3:8], 6), "capacity": entries(CAPACITIES[:2], 3)}
    for number in range(DEVICES):
        device = json.loads(json.dumps(model))
        for _ in range(choose.choice([0, 0, 0, 1, 2])):
            what, values = choose.choice([("attributes", VALUES), ("capacity", CAPACITIES)])
            if device[what] and choose.random() < 0.6:
                device[what][choose.choice(list(device[what]))] = choose.choice(values)
            else:
                device[what][choose.choice(NAMES)] = choose.choice(values)
        device["taints"] = choose.sample(TAINTS, choose.choice([0, 0, 0, 0, 1, 2]))
        device["name"] = f"gpu-{number}"
        yield device


def review(found):
    new = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "a"},
           "spec": {"driver": "gpu.acme.dev", "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1}, "nodeName": "n", "devices": found}}
    return json.dumps({"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1",
                       "request": {"uid": "u", "kind": {"group": "resource.k8s.io", "version": "v1", "kind": "ResourceSlice"}, "operation": "CREATE", "object": new}})


def findings(response):
    """By device: causes and warnings, without the device's number."""
    by_device = {}
    body = json.loads(response)["response"]
    texts = [f"{cause['field']}: {cause['message']}" for cause in body.get("status", {}).get("details", {}).get("causes", [])] + body.get("warnings", [])
    for text in texts:
        number = re.match(r"spec\.devices\[(\d+)\]", text)
        by_device.setdefault(int(number.group(1)) if number else -1, []).append(re.sub(r"^spec\.devices\[\d+\]", "", text))
    return by_device


def main(build):
    tap, choose = Tap(), random.Random(20261121)
    slices = [list(devices(choose)) for _ in range(SLICES)]
    lines = [review(found) for found in slices] + [review([device]) for found in slices for device in found]
    for version in ("1.35", "1.36"):
        done = subprocess.run([os.path.join(build, "drawbridge"), "review", "--kubernetes-version", version, "-"], input="\n".join(lines), stdout=subprocess.PIPE, text=True)
        answers = [findings(line) for line in done.stdout.splitlines()]
        different, found = [], 0
        for i in range(SLICES if len(answers) == len(lines) else 0):
            alone = {number: answers[SLICES + i * DEVICES + number].get(0) for number in range(DEVICES)}
            alone = {number: what for number, what in alone.items() if what}
            found += len(alone)
            if alone != answers[i]:
                different.append(f"{lines[i]}\nalone    {alone}\ntogether {answers[i]}")
        tap.ok(len(answers) == len(lines) and SLICES < found < SLICES * DEVICES / 2, f"{version}: {len(lines)} slices are answered, with findings in {found} devices")
        tap.ok(not different, f"{version}: each device is validated as it is alone", different and different[0])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
