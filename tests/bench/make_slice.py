#!/usr/bin/env python3
"""Writes AdmissionReviews of the largest slice that there can be, 128 devices with 32 attributes each: its creation (143 KB) and its update.

    make_slice.py FOLDER
"""
import json, os, sys

VALUES = [lambda i: {"string": f"value-{i}"}, lambda i: {"int": i}, lambda i: {"version": f"1.{i}.0"}]


def attributes():
    names = [f"key{i:02}" if i % 2 == 0 else f"attr{i:02}.acme.dev/key{i:02}" for i in range(32)]
    return dict(sorted((name, VALUES[i % 3](i)) for i, name in enumerate(names)))  # Go writes maps sorted


def review(operation, generation):
    def a_slice(number):
        return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "node-1-gpu.acme.dev"},
                "spec": {"driver": "gpu.acme.dev", "pool": {"name": "node-1", "generation": number, "resourceSliceCount": 1}, "nodeName": "node-1",
                         "devices": [{"name": f"gpu-{i}", "attributes": attributes()} for i in range(128)]}}
    request = {"uid": "0b87dbc1-25db-44cf-bfa6-a50b16c2116e", "kind": {"group": "resource.k8s.io", "version": "v1", "kind": "ResourceSlice"},
               "operation": operation, "object": a_slice(generation), "oldObject": a_slice(1) if operation == "UPDATE" else None}
    return {"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": request}


for name, operation, generation in (("slice-create", "CREATE", 1), ("slice-update", "UPDATE", 2)):
    with open(os.path.join(sys.argv[1], name + ".json"), "w") as file:
        json.dump(review(operation, generation), file, separators=(",", ":"))
