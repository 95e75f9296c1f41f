#!/usr/bin/env python3
"""The tables have every field of every storage and device kind that Kubernetes serves, in each version: of its type, behind its gate, and a
pointer where Go has one. api.tsv says what Kubernetes has; see api.py.

    test_api.py BUILD
"""
import os, re, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import api
from tap import Tap

RULE_H = os.path.join(HERE, "..", "..", "src", "schema", "rule.h")
# What differs on purpose: kind, path and difference, and why.
EXCEPTIONS = [
    (r"(resource\.k8s\.io/v1alpha3 (DeviceClass|ResourceClaim|ResourceClaimTemplate|ResourceSlice)|storage\.k8s\.io/v1alpha1 \w+) \. unknown to the tables",
     "alpha versions that ended: lint names those that replace them, by lifecycle.def"),
    (r"\S+ (DeviceTaintRule|CSINode) \. is (devicetaintrules|csinodes), in the tables \2/status",
     "the status came later than the kind, and an API server without it sends no update of it"),
    (r"\S+ ResourceClaim status\.devices\[\]\.data is anything, in the tables \*anything", "no pointer in 1.32, where nothing asks whether it is set"),
    (r"resource\.k8s\.io/v1beta1 ResourceClaim(Template)? \S+\.requests\[\]\.(adminAccess|firstAvailable) needs \w+, in the tables none",
     "it is converted to v1 before, whose rows have the gate"),
    (r"\S+ ResourceSlice spec\.devices\[\]\.basic\.nodeSelector needs no gate, in the tables DRAPartitionableDevices$",
     "the comment of v1beta1 forgot the gate that v1 names, and that drops both"),
    (r"\S+ ResourceClaim status\.allocation\.(allocationTimestamp|devices\.results\[\]\.tolerations) needs \S+, in the tables none",
     "the scheduler fills it in with the gate on; without it, no code of the API server drops it"),
    (r"storage\.k8s\.io/v1 CSIDriver spec\.storageCapacity needs CSIStorageCapacity, in the tables none", "a gate that is gone since 1.27"),
    (r"storage\.k8s\.io/v1 VolumeAttachment \S+\.volumeAttributesClassName needs VolumeAttributesClass, in the tables none",
     "the API server of a VolumeAttachment drops nothing of an inline volume"),
    (r"gate (DRAResourceClaimGranularStatusAuthorization|DRASchedulerFilterTimeout|DRAWorkloadResourceClaims|GenericWorkload|NodeDeclaredFeatures) unknown to the tables",
     "the gate concerns no field of the kinds"),
    (r"gate VolumeAttributesClass unknown to the tables", "the gate concerns persistent volumes and their claims"),
]


def newest_minor():
    with open(RULE_H, encoding="utf-8") as file:
        return int(re.search(r"MINOR_NEWEST = (\d+)", file.read())[1])


def span(minors):
    return f" in 1.{minors[0]} to 1.{minors[-1]}" if minors else ""


def main(build):
    tap, used = Tap(), set()
    versions, rows = api.load()
    newest = newest_minor()
    tap.ok(newest in versions, f"api.tsv has 1.{newest}", "tests/conformance/api.py read VERSION")
    known = [minor for minor in versions if minor <= newest]
    tap.equal(known, list(range(32, newest + 1)), "and each version before it")
    found = api.differences(build, known)
    for (kind, path, what), minors in sorted(found.items()):
        text = f"{kind} {path} {what}"
        reasons = [reason for pattern, reason in EXCEPTIONS if re.match(pattern, text)]
        used.update(reasons)
        tap.ok(reasons, text + span(minors))
    for kind, path in sorted({(row.kind, row.path) for row in rows} - {key[:2] for key in found}):
        tap.ok(True, f"{kind} {path}")
    for pattern, reason in EXCEPTIONS:
        tap.ok(reason in used, f"the exception is needed: {reason}")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
