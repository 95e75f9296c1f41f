#!/usr/bin/env python3
"""Where `drawbridge lint` says that something is wrong: the caret covers exactly the value, or the name that a reader looks for.

    test_places.py BUILD
"""
import os, re, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap
from scalars import WRONG, layouts

SLICE = """apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: a}
spec:
  driver: gpu.acme.dev
  nodeName: node-1
  pool: {name: p, generation: 1, resourceSliceCount: 1}
"""

# What is linted, and for each path the line of the place and what its caret covers.
NAMES = [
    ("missing in the object", "kind: StorageClass\napiVersion: storage.k8s.io/v1\nmetadata: {name: a}\n", {"provisioner": (1, "kind")}),
    ("missing in JSON", '{"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass",\n "metadata": {"name": "a"}}', {"provisioner": (1, '"kind"')}),
    ("an object that is not there", "apiVersion: storage.k8s.io/v1\nkind: CSINode\nmetadata: {name: a}\n", {"spec": (2, "kind")}),
    ("an object that is null", "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata:\nspec: {attachRequired: true}\n", {"metadata.name": (3, "metadata")}),
    ("an object in quotes", SLICE.replace("pool: {name: p, ", '"po\\x6fl": {'), {"spec.pool.name": (7, '"po\\x6fl"')}),
    ("an object in single quotes", SLICE.replace("pool: {name: p, ", "'pool': {"), {"spec.pool.name": (7, "'pool'")}),
    ("an explicit key", SLICE.replace("pool: {name: p, ", "? pool\n  : {"), {"spec.pool.name": (7, "pool")}),
    ("a whole list", "apiVersion: resource.k8s.io/v1\nkind: DeviceTaintRule\nmetadata: {name: a}\nspec:\n  taint: {key: a.b/c, effect: NoExecute}\n"
                     "  deviceSelector: {}\n", {"spec.deviceSelector": (6, "deviceSelector")}),
    ("a list without elements", "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: a}\nprovisioner: a.b\nallowedTopologies:\n"
                                "- matchLabelExpressions: [{key: a, values: []}]\n",
     {"allowedTopologies[0].matchLabelExpressions[0].values": (6, "values")}),
    ("a list that is null", "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: a}\nprovisioner: a.b\nallowedTopologies:\n"
                            "- matchLabelExpressions: [{key: a, values: ~}]\n",
     {"allowedTopologies[0].matchLabelExpressions[0].values": (6, "values")}),
    ("an element", SLICE + "  devices:\n  - attributes: {}\n  - &b\n    capacity: {}\n  - {}\n  - <<: *b\n",
     {"spec.devices[0].name": (9, "attributes"), "spec.devices[1].name": (11, "capacity"), "spec.devices[2].name": (12, "{}")}),
    ("an element of flat devices", SLICE.replace("k8s.io/v1", "k8s.io/v1beta1") + "  devices:\n  - basic: {attributes: {}}\n", {"spec.devices[0].name": (9, "b")}),
    ("an annotation", "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: a, annotations: {storageclass.kubernetes.io/is-default: 'true'}}\n"
                      "provisioner: a.b\n", {"metadata.annotations[storageclass.kubernetes.io/is-default]": (3, "'true'")}),
    ("the key of a map", '{"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "a", "labels": {"a/b\\u002fc": "x"}}, "provisioner": "a.b"}',
     {"metadata.labels": (1, '"a/b\\u002fc"')}),
    ("a name in quotes", "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: a}\nspec: {\"attachR\\x65quird\": true}\n",
     {'spec.attachRequird': (4, '"attachR\\x65quird"')}),
    ("a wrong type", "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: a}\nspec:\n  tokenRequests: {audience: a}\n", {"spec.tokenRequests": (5, "tokenRequests")}),
    ("no apiVersion", "metadata: {name: a}\nkind: StorageClass\nprovisioner: a.b\n", {"apiVersion": (2, "kind")}),
    ("no kind", "apiVersion: storage.k8s.io/v1\nmetadata: {name: a}\n", {"kind": (1, "apiVersion")}),
]


def found(build, text, *arguments):
    """(path, line, covered by the caret, offset of the line's part) of each finding."""
    done = subprocess.run([os.path.join(build, "drawbridge"), "lint", *arguments, "-"], input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    places, lines = [], done.stdout.decode().split("\n")
    for number, line in enumerate(lines):
        match = re.match(r"-:(\d+):(\d+): (?:error|warning|info): (?:[A-Z]\w*(?: \S+)?: )?(?:(\S+): )?", line)
        if match:
            caret = re.match(r"^      \| *(\^~*)$", lines[number + 2])
            row, column = int(match[1]), int(match[2])
            source = text.split("\n")[row - 1]
            places.append((match[3], row, source[column - 1:column - 1 + len(caret[1])], column))
    return places


def test_names(tap, build):
    for what, text, wanted in NAMES:
        places = found(build, text)
        for path, place in wanted.items():
            at = {(line, covered) for named, line, covered, _ in places if named == path}
            tap.equal(at, {place}, f"{what}: {path}")


def test_scalars(tap, build):
    """However an expression is written, the caret covers the name that is wrong in it."""
    count, wrong = 0, []
    for out in layouts(7, 400):
        text = out.text.encode()
        start, covered = text[:out.start].decode(), text[out.start:out.end].decode()
        places = [place for place in found(build, out.text) if place[0] == "spec.selectors[0].cel.expression"]
        count += 1
        if places != [("spec.selectors[0].cel.expression", start.count("\n") + 1, covered, len(start) - start.rfind("\n"))]:
            wrong.append((places, covered, out.text))
    tap.ok(count == 400 and not wrong, f"{WRONG} in {count} expressions: {len(wrong)} at a wrong place", wrong[:1])


def main(build):
    tap = Tap()
    test_names(tap, build)
    test_scalars(tap, build)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
