"""The bodies that are measured: two captured reviews, slices of devices with 32 attributes each, of which a slice
may have 128, one that is heavy, and one that must be refused."""
import json, os

VALUES = [lambda i: {"string": f"value-{i}"}, lambda i: {"int": i}, lambda i: {"version": f"1.{i}.0"}]
METADATA = {"name": "node-1-gpu.acme.dev", "uid": "7f3c1d9e-0c0e-4d5b-9a55-0f9e1d5ce2a4", "resourceVersion": "1", "creationTimestamp": "2026-01-01T00:00:00Z"}
REVIEWS = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "reviews")


def attributes():
    names = [f"key{i:02}" if i % 2 == 0 else f"attr{i:02}.acme.dev/key{i:02}" for i in range(32)]
    return dict(sorted((name, VALUES[i % 3](i)) for i, name in enumerate(names)))  # Go writes maps sorted


def a_slice(devices, generation):
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": dict(METADATA, generation=generation),
            "spec": {"driver": "gpu.acme.dev", "pool": {"name": "node-1", "generation": generation, "resourceSliceCount": 1}, "nodeName": "node-1",
                     "devices": [{"name": f"gpu-{i}", "attributes": attributes()} for i in range(devices)]}}


SELECTORS = [  # of devices: what is compiled
    'device.driver == "gpu.acme.dev"',
    'device.driver == "gpu.acme.dev" && device.attributes["gpu.acme.dev"].model in ["a100", "h100"] && '
    'device.capacity["gpu.acme.dev"].memory.compareTo(quantity("40Gi")) >= 0 && device.attributes["gpu.acme.dev"].index < 8',
    'cel.bind(gpu, device.attributes["gpu.acme.dev"], has(gpu.uuid) && gpu.uuid.matches("^GPU-[0-9a-f]{8}") && ["a", "b"].exists(zone, gpu.zone == zone))',
]


DEVICE = {"name": "gpu-0", "attributes": {"model": {"string": "h100"}, "uuid": {"string": "GPU-4404041a-04cf-1ccf-9e70-f139a9b1e23c"}, "zone": {"string": "b"},
                                          "index": {"int": 3}, "driverVersion": {"version": "580.65.6"}}, "capacity": {"memory": {"value": "80Gi"}}}


def write_device(folder):
    """The device for which all selectors are true, as a list for programs that evaluate."""
    path = os.path.join(folder, "device.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump([{"name": "gpu", "driver": "gpu.acme.dev", "device": DEVICE}], file)
    return path


def write_world(folder):
    """A claim with three selectors, its class, and 128 devices that they are true for."""
    devices = [dict(DEVICE, name=f"gpu-{i}", attributes=dict(DEVICE["attributes"], index={"int": i % 8}, uuid={"string": f"GPU-{i:08x}-04cf-1ccf-9e70-f139a9b1e23c"}))
               for i in range(128)]
    the_slice = a_slice(0, 1)
    the_slice["spec"]["devices"] = devices
    device_class = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "gpu.acme.dev"}, "spec": {}}
    path = os.path.join(folder, "world.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"apiVersion": "v1", "kind": "List", "items": [a_claim(), device_class, the_slice]}, file)
    return path


def a_claim():
    """With three selectors."""
    exactly = {"deviceClassName": "gpu.acme.dev", "allocationMode": "ExactCount", "count": 1, "selectors": [{"cel": {"expression": text}} for text in SELECTORS]}
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": dict(METADATA, name="claim", namespace="default"),
            "spec": {"devices": {"requests": [{"name": "gpu", "exactly": exactly}]}}}


def review(operation, new, old=None):
    request = {"uid": "0b87dbc1-25db-44cf-bfa6-a50b16c2116e", "kind": {"group": "resource.k8s.io", "version": "v1", "kind": new["kind"]},
               "operation": operation, "object": new, "oldObject": old}
    text = json.dumps({"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": request}, separators=(",", ":"))
    return text.encode()


def captured(name):
    with open(os.path.join(REVIEWS, name), "rb") as file:
        return file.read()


def heavy():
    """A review of nearly 8 MiB that takes longer to validate than any other we know: all labels, in no
    order."""
    new = a_slice(1, 1)
    new["metadata"]["labels"] = {f"label-{i}-of-many": "a-value" for i in range(240000)}
    return review("CREATE", new)


def write(folder):
    """Returns the files' paths by name."""
    bodies = {
        "csidriver-update": captured("107-update-v1-csidriver.json"),
        "claim-create": captured("007-create-v1-resourceclaim.json"),
        "claim-selectors": review("CREATE", a_claim()),
        "slice-small": review("CREATE", a_slice(4, 1)),
        "slice-create": review("CREATE", a_slice(128, 1)),
        "slice-update": review("UPDATE", a_slice(128, 2), a_slice(128, 1)),
        "heavy": heavy(),
        "refused": review("CREATE", a_slice(1, -1)),
    }
    paths = {name: os.path.join(folder, name + ".json") for name in bodies}
    for name, body in bodies.items():
        with open(paths[name], "wb") as file:
            file.write(body)
    return paths
