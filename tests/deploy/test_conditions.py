#!/usr/bin/env python3
"""The match conditions, evaluated by the API server's own code on objects of its own types: which entry a request is sent to.

    test_conditions.py BUILD
"""
import copy, json, os, sys, tempfile

import tools
from tools import Tap

PEOPLE, CONTROLLERS, BOTH, NONE = "people.drawbridge.dev", "controllers.drawbridge.dev", "people.drawbridge.dev controllers.drawbridge.dev", ""

CLASS = {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "provisioner": "disk.csi.acme.dev", "parameters": {"type": "fast"}, "reclaimPolicy": "Delete",
         "allowVolumeExpansion": True, "mountOptions": ["ro"],
         "metadata": {"name": "fast", "uid": "1", "resourceVersion": "7", "finalizers": ["acme.dev/a", "acme.dev/b"], "labels": {"a": "b"}, "annotations": {"c": "d"},
                      "managedFields": [{"manager": "kubectl", "operation": "Update", "apiVersion": "storage.k8s.io/v1", "fieldsType": "FieldsV1", "fieldsV1": {}}]}}
CLAIM = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "gpu", "namespace": "web", "generation": 1},
         "spec": {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1}}]}},
         "status": {"allocation": {"devices": {"results": [{"request": "gpu", "driver": "gpu.acme.dev", "pool": "node-1", "device": "gpu-0"}]}}}}
SLICE = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "node-1-gpu", "generation": 3, "finalizers": ["acme.dev/a"]},
         "spec": {"driver": "gpu.acme.dev", "nodeName": "node-1", "pool": {"name": "node-1", "generation": 1, "resourceSliceCount": 1},
                  "devices": [{"name": f"gpu-{i}", "attributes": {"model": {"string": "a100"}, "index": {"int": i}},
                               "capacity": {"memory": {"value": "80Gi"}}} for i in range(128)]}}
ANN = {"user": "ann", "groups": ["system:authenticated"]}
MASTER = {"user": "admin", "groups": ["system:masters", "system:authenticated"]}


def changed(item, **paths):
    """A copy with values set, by path with __ between the names; None takes the member out."""
    item = copy.deepcopy(item)
    for path, value in paths.items():
        *way, last = path.split("__")
        at = item
        for name in way:
            at = at.setdefault(name, {})
        at.pop(last, None)
        if value is not None:
            at[last] = value
    return item


def case(text, want, operation="CREATE", item=CLASS, old=None, who=ANN, namespace=None, subresource=""):
    if namespace is None:
        namespace = item["metadata"].get("namespace", "")
    return text, want, dict(operation=operation, object=item, old=old, namespace=namespace, subresource=subresource, **who)


def update(text, want, old, subresource="", who=ANN, **paths):
    return case(text, want, "UPDATE", changed(old, **paths), old, who, None, subresource)


def by(user, *groups):
    return {"user": user, "groups": list(groups)}


CASES = [
    case("a person creates", BOTH),
    case("an administrator creates", BOTH, who=MASTER),
    case("a user without groups", BOTH, who=by("ann")),
    case("a user without a name", BOTH, who=by("", "system:unauthenticated")),
    case("neither name nor groups", BOTH, who=by("")),
    # Of cluster-scoped objects, what the system writes goes to the second entry only.
    case("a node", CONTROLLERS, who=by("system:node:node-1", "system:nodes", "system:authenticated")),
    case("a node, by its name alone", CONTROLLERS, who=by("system:node:node-1")),
    case("a node, by its group alone", CONTROLLERS, who=by("node-1", "system:nodes")),
    case("the scheduler", CONTROLLERS, who=by("system:kube-scheduler", "system:authenticated")),
    case("the controller manager", CONTROLLERS, who=by("system:kube-controller-manager", "system:authenticated")),
    case("a service account of kube-system", CONTROLLERS, who=by("system:serviceaccount:kube-system:disk", "system:serviceaccounts", "system:serviceaccounts:kube-system")),
    case("a service account of another namespace", BOTH, who=by("system:serviceaccount:web:disk", "system:serviceaccounts", "system:serviceaccounts:web")),
    case("a user with a name that begins like a node's", BOTH, who=by("system:nodeling")),
    case("a group with a name that begins like kube-system's", BOTH, who=by("x", "system:serviceaccounts:kube-system2")),
    # Of namespaced ones everything: the selector leaves namespaces out.
    case("the controller manager makes a claim", BOTH, item=CLAIM, who=by("system:kube-controller-manager")),
    case("the scheduler says where a claim is allocated", BOTH, "UPDATE", CLAIM, changed(CLAIM, status=None), by("system:kube-scheduler"), None, "status"),
    case("a service account of kube-system makes a claim", BOTH, item=CLAIM, who=by("x", "system:serviceaccounts:kube-system")),
    # Updates that change nothing but finalizers.
    update("a finalizer is removed", NONE, CLASS, metadata__finalizers=["acme.dev/b"]),
    update("the last finalizers are removed", NONE, CLASS, metadata__finalizers=None),
    update("a finalizer is added", NONE, CLASS, metadata__finalizers=["acme.dev/a", "acme.dev/b", "acme.dev/c"]),
    update("the first finalizer is added", NONE, CLAIM, metadata__finalizers=["acme.dev/a"]),
    update("with what the API server moves", NONE, CLASS, metadata__finalizers=None, metadata__resourceVersion="8", metadata__generation=2, metadata__managedFields=None),
    update("by a node", NONE, CLASS, who=by("system:node:a", "system:nodes"), metadata__finalizers=None),
    update("of an object that is being deleted", NONE, changed(SLICE, metadata__deletionTimestamp="2026-01-02T03:04:05Z"), metadata__finalizers=None),
    update("of a slice with 128 devices", NONE, SLICE, metadata__finalizers=None),
    update("of a claim with a status", NONE, changed(CLAIM, metadata__finalizers=["acme.dev/a"]), metadata__finalizers=None),
    # Anything else beside them.
    update("and a label", BOTH, CLASS, metadata__finalizers=None, metadata__labels={"a": "c"}),
    update("and a new annotation", BOTH, CLAIM, metadata__finalizers=["acme.dev/a"], metadata__annotations={"a": "b"}),
    update("and the last annotation is removed", BOTH, CLASS, metadata__finalizers=None, metadata__annotations=None),
    update("and an owner", BOTH, CLASS, metadata__finalizers=None, metadata__ownerReferences=[{"apiVersion": "v1", "kind": "Node", "name": "a", "uid": "2"}]),
    update("and the deletion begins", BOTH, CLASS, metadata__finalizers=None, metadata__deletionTimestamp="2026-01-02T03:04:05Z"),
    update("and a field", BOTH, CLASS, metadata__finalizers=None, reclaimPolicy="Retain"),
    update("and a new field", BOTH, CLASS, metadata__finalizers=None, volumeBindingMode="Immediate"),
    update("and a field is removed", BOTH, CLASS, metadata__finalizers=None, mountOptions=None),
    update("and something deep in a slice", BOTH, SLICE, metadata__finalizers=None, spec__devices=SLICE["spec"]["devices"][:-1] + [{"name": "gpu-other"}]),
    update("and the status", BOTH, changed(CLAIM, metadata__finalizers=["acme.dev/a"]), metadata__finalizers=None, status__reservedFor=[{"resource": "pods", "name": "a", "uid": "3"}]),
    update("and the status is removed", BOTH, changed(CLAIM, metadata__finalizers=["acme.dev/a"]), metadata__finalizers=None, status=None),
    # Finalizers that stay.
    update("a field", BOTH, CLASS, reclaimPolicy="Retain"),
    update("nothing", BOTH, CLASS),
    update("a status", BOTH, CLAIM, subresource="status", status=None),
    case("a deletion, should one be sent", BOTH, "DELETE", None, CLASS, namespace=""),
]


def main(build):
    tap = Tap()
    program = tools.needed("conditions", "match conditions", "Go program 'conditions'")
    if not program:
        return tap.done()
    for policy in "Ignore", "Fail":
        [configuration] = tools.manifests(build, "--only", "webhook", "--controllers", "--without-certificates", "--failure-policy", policy)
        for entry in configuration["webhooks"]:
            del entry["clientConfig"]["caBundle"]  # a placeholder
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(configuration, file)
            file.flush()
            done = tools.run([program, file.name], input="".join(json.dumps(request) + "\n" for _, _, request in CASES))
        tap.ok(done.returncode == 0, f"the conditions compile ({policy})", done.stderr)
        for (text, want, _), got in zip(CASES, done.stdout.splitlines()):
            tap.equal(got, want, f"{policy}: {text}")
        tap.equal(len(done.stdout.splitlines()), len(CASES), f"{policy}: every case is answered")
    return tap.done()


sys.exit(main(os.path.abspath(sys.argv[1])))
