"""ResourceSlices like those of real drivers, as an API server writes them: members in the order of Go's types, maps sorted, managed fields.
All devices of a slice have the same attributes; some values are the same in each, some differ."""
import copy, hashlib

NODE = "gpu-node-17.cluster-a.internal"


def digits(seed, count):
    """Hexadecimal digits that look like chance, the same each time."""
    return hashlib.sha256(str(seed).encode()).hexdigest()[:count]


def uuid(seed):
    text = digits(seed, 32)
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def attributes(values, domain=""):
    """By the type of the value; a tuple holds a version."""
    kinds = {bool: "bool", int: "int", str: "string", tuple: "version"}
    named = {domain + name: value for name, value in values.items()}
    return {name: {kinds[type(named[name])]: named[name][0] if isinstance(named[name], tuple) else named[name]} for name in sorted(named)}


def place(number):
    """Where a device is, by the names that Kubernetes gives."""
    values = {"pciBusID": f"0000:{number // 16:02x}:{number % 16:02x}.0", "pcieRoot": f"pci0000:{number // 8:02x}"}
    return attributes(values, "resource.kubernetes.io/")


def amounts(values):
    return {name: {"value": values[name]} for name in sorted(values)}


def ordered(*maps):
    return dict(sorted(entry for one in maps for entry in one.items()))


CARD = {"architecture": "Hopper", "brand": "Nvidia", "cudaComputeCapability": ("9.0.0",), "cudaDriverVersion": ("13.0.0",), "driverVersion": ("580.65.6",),
        "productName": "NVIDIA H100 80GB HBM3"}


def gpu(number):
    return {"name": f"gpu-{number}", "attributes": ordered(attributes(dict(CARD, type="gpu", uuid=f"GPU-{uuid(number)}")), place(number)),
            "capacity": amounts({"memory": "81559Mi"})}


# Of a card, the parts into which it may be divided: name, memory, processors, slices of memory.
PARTS = [("1g.10gb", "9856Mi", 16, 1)] * 7 + [("2g.20gb", "20096Mi", 32, 2)] * 4 + [("3g.40gb", "40448Mi", 60, 4)] * 3


def part(number):
    card, index = divmod(number, len(PARTS))
    profile, memory, processors, slices = PARTS[index]
    values = dict(CARD, type="mig", profile=profile, parentUUID=f"GPU-{uuid(card)}", uuid=f"MIG-{uuid(number)}")
    capacity = {"copyEngines": str(slices), "decoders": str(slices), "encoders": "0", "jpegEngines": str(slices), "memory": memory,
                "multiprocessors": str(processors), "ofaEngines": "0"}
    return {"name": f"gpu-{card}-mig-{profile.replace('.', '')}-{index}", "attributes": attributes(values), "capacity": amounts(capacity)}


def counted_part(number):
    """It takes from the counters of its card; one in eight is tainted."""
    card, index = divmod(number, len(PARTS))
    _, memory, processors, slices = PARTS[index]
    taken = {"copy-engines": str(slices), "decoders": str(slices), "memory": memory, "multiprocessors": str(processors)}
    taken.update((f"memory-slice-{i}", "1") for i in range(slices))
    device = dict(part(number), consumesCounters=[{"counterSet": f"gpu-{card}-counter-set", "counters": amounts(taken)}])
    if number % 8 == 7:
        device["taints"] = [{"key": "gpu.acme.dev/unhealthy", "value": "xid-79", "effect": "NoExecute", "timeAdded": "2026-01-01T00:00:00Z"}]
    return device


def nic(number):
    """A virtual function, whose driver gives names in its own domain."""
    port, index = divmod(number, 64)
    values = {"alias": "", "ebpf": False, "encapsulation": "ether", "ifName": f"enp65s0f{port}v{index}", "ipv4": f"10.4.{port}.{index + 1}",
              "mac": ":".join(digits(number, 12)[i:i + 2] for i in range(0, 12, 2)), "mtu": 9000, "numaNode": port,
              "pciDevice": "ConnectX Family mlx5Gen Virtual Function", "pciSubsystem": "0x0058", "pciVendor": "Mellanox Technologies", "rdma": True,
              "rdmaDevice": f"mlx5_{number}", "sriov": False, "state": "up", "type": "device", "virtual": False}
    return {"name": f"pci-0000-{65 + port:02x}-{index // 8:02x}-{index % 8}", "attributes": ordered(attributes(values, "net.acme.dev/"), place(number))}


def cpu(number):
    values = {"cacheL3ID": number // 16, "coreID": number // 2, "coreType": "standard", "cpuID": number, "numaNodeID": number // 64, "socketID": number // 64}
    return {"name": f"cpudev{number:03}", "attributes": attributes(values, "cpu.acme.dev/")}


def unlike(number):
    """32 attributes, whose values no other device has."""
    values = [f"value-{digits((number, i), 8)}" if i % 3 == 0 else int(digits((number, i), 7), 16) if i % 3 == 1 else (f"{i}.{number}.{int(digits((number, i), 4), 16)}",)
              for i in range(32)]
    return {"name": f"device-{digits(number, 6)}", "attributes": attributes({f"key{i:02}": value for i, value in enumerate(values)})}


DRIVERS = {gpu: "gpu.acme.dev", part: "gpu.acme.dev", counted_part: "gpu.acme.dev", nic: "net.acme.dev", cpu: "cpu.acme.dev", unlike: "gpu.acme.dev"}


def managed(driver, time):
    fields = {"f:metadata": {"f:generateName": {}, "f:ownerReferences": {".": {}, f"k:{{\"uid\":\"{uuid('node')}\"}}": {}}},
              "f:spec": {"f:devices": {}, "f:driver": {}, "f:nodeName": {}, "f:pool": {"f:generation": {}, "f:name": {}, "f:resourceSliceCount": {}}}}
    return [{"manager": f"{driver}-kubelet-plugin", "operation": "Update", "apiVersion": "resource.k8s.io/v1", "time": time, "fieldsType": "FieldsV1", "fieldsV1": fields}]


def make(kind, count, generation=1):
    """A slice of so many devices that the function `kind` makes."""
    driver = DRIVERS[kind]
    metadata = {"name": f"{NODE}-{driver}-x7k2p", "generateName": f"{NODE}-{driver}-", "uid": uuid("slice"), "resourceVersion": "48213", "generation": generation,
                "creationTimestamp": "2026-01-01T00:00:00Z",
                "ownerReferences": [{"apiVersion": "v1", "kind": "Node", "name": NODE, "uid": uuid("node"), "controller": True}],
                "managedFields": managed(driver, "2026-01-01T00:00:00Z")}
    spec = {"driver": driver, "pool": {"name": NODE, "generation": generation, "resourceSliceCount": 1}, "nodeName": NODE, "devices": [kind(i) for i in range(count)]}
    return {"kind": "ResourceSlice", "apiVersion": "resource.k8s.io/v1", "metadata": metadata, "spec": spec}


def changed(old):
    """The same with another value of one device."""
    new = copy.deepcopy(old)
    device = new["spec"]["devices"][len(new["spec"]["devices"]) // 2]
    first = next(iter(device["attributes"]))
    device["attributes"][first] = {kind: {"string": "changed", "int": 1}[kind] for kind in device["attributes"][first]}
    new["spec"]["pool"]["generation"] = new["metadata"]["generation"] = 2
    new["metadata"]["managedFields"][0]["time"] = "2026-01-02T00:00:00Z"
    return new
