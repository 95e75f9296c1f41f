#!/usr/bin/env python3
"""The tables have every field of every storage and device kind that Kubernetes serves, in each version: of its type, behind its gate, and a
pointer where Go has one. api.tsv says what Kubernetes has; see api_table.py.

    test_api.py BUILD
"""
import os, re, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import api_table as api
import versions
from tap import Tap

# What differs on purpose: kind, path and difference, and why.
EXCEPTIONS = [
    (r"(resource\.k8s\.io/v1alpha3 (DeviceClass|ResourceClaim|ResourceClaimTemplate|ResourceSlice|PodSchedulingContext)|storage\.k8s\.io/v1alpha1 \w+) \. unknown to the tables",
     "alpha versions that ended: lint says what replaces them, by lifecycle.def"),
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


def reason_for(difference):
    """Why the tables differ so on purpose; None: they do not."""
    return next((reason for pattern, reason in EXCEPTIONS if re.match(pattern, " ".join(difference))), None)


def span(minors):
    return f" in 1.{minors[0]} to 1.{minors[-1]}" if minors else ""


def main(build):
    tap, used = Tap(), set()
    known, rows = api.load()
    known = [minor for minor in known if minor <= versions.NEWEST]
    tap.equal(known, list(range(versions.OLDEST, versions.NEWEST + 1)), "api.tsv has each version; `tests/conformance/api_table.py read VERSION` adds one")
    found = api.differences(build, known)
    for difference, minors in sorted(found.items()):
        reason = reason_for(difference)
        used.add(reason)
        tap.ok(reason, " ".join(difference) + span(minors))
    for kind, path in sorted({(row.kind, row.path) for row in rows} - {key[:2] for key in found}):
        tap.ok(True, f"{kind} {path}")
    for pattern, reason in EXCEPTIONS:
        tap.ok(reason in used, f"the exception is needed: {reason}")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
