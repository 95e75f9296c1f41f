"""The bodies that are measured: captured reviews, a claim with selectors, slices like those of real drivers, one review that is heavy, and
one that must be refused."""
import json, os

import slices

METADATA = {"name": "node-1-gpu.acme.dev", "uid": "7f3c1d9e-0c0e-4d5b-9a55-0f9e1d5ce2a4", "resourceVersion": "1", "creationTimestamp": "2026-01-01T00:00:00Z"}
REVIEWS = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "reviews")


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
    the_slice = slices.make(slices.gpu, 0)
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
    new = slices.make(slices.gpu, 1)
    new["metadata"]["labels"] = {f"label-{i}-of-many": "a-value" for i in range(240000)}
    return review("CREATE", new)


def update(old):
    return review("UPDATE", slices.changed(old), old)


def engine():
    """What is measured without transport, by name."""
    kinds = {"gpu": (slices.gpu, 128), "mig": (slices.part, 128), "nic": (slices.nic, 128), "cpu": (slices.cpu, 128), "counters": (slices.counted_part, 64),
             "unlike": (slices.unlike, 128)}
    made = {name: slices.make(*kind) for name, kind in kinds.items()}
    gpu8 = slices.make(slices.gpu, 8)
    return {"csidriver-update": captured("107-update-v1-csidriver.json"), "claim-create": captured("007-create-v1-resourceclaim.json"),
            "claim-selectors": review("CREATE", a_claim()), "gpu8-create": review("CREATE", gpu8), "gpu8-update": update(gpu8),
            **{name + "-create": review("CREATE", one) for name, one in made.items()},
            **{name + "-update": update(made[name]) for name in ("gpu", "nic", "counters", "unlike")}}


def write(folder):
    """Returns the files' paths by name."""
    bodies = dict(engine(), heavy=heavy(), refused=review("CREATE", slices.make(slices.gpu, 1, generation=-1)))
    paths = {name: os.path.join(folder, name + ".json") for name in bodies}
    for name, body in bodies.items():
        with open(paths[name], "wb") as file:
            file.write(body)
    return paths
