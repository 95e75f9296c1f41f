"""A good object of every kind, about which drawbridge has nothing to say, in every version that the API server serves."""
import copy, os, re, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import kinds

DRIVER = "gpu.example.com"

SPECS = {
    "DeviceClass": {"spec": {"selectors": [{"cel": {"expression": f'device.driver == "{DRIVER}"'}}]}},
    "ResourceClaim": {"spec": {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1}}]}}},
    "ResourceClaimTemplate": {"spec": {"spec": {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu"}}]}}}},
    "ResourceSlice": {"spec": {"driver": DRIVER, "pool": {"name": "pool", "generation": 1, "resourceSliceCount": 1}, "allNodes": True,
                               "devices": [{"name": "gpu-0", "attributes": {"model": {"string": "a100"}}, "capacity": {"memory": {"value": "40Gi"}}}]}},
    "DeviceTaintRule": {"spec": {"deviceSelector": {"driver": DRIVER}, "taint": {"key": "example.com/broken", "value": "yes", "effect": "NoSchedule"}}},
    "CSIDriver": {"spec": {"attachRequired": True, "podInfoOnMount": True, "fsGroupPolicy": "File", "storageCapacity": True,
                           "tokenRequests": [{"audience": "vault", "expirationSeconds": 3600}], "requiresRepublish": True, "serviceAccountTokenInSecrets": True}},
    "CSINode": {"spec": {"drivers": [{"name": "disk.example.com", "nodeID": "node-1", "topologyKeys": ["example.com/zone"], "allocatable": {"count": 8}}]}},
    "CSIStorageCapacity": {"storageClassName": "fast", "nodeTopology": {"matchLabels": {"zone": "a"}}, "capacity": "100Gi", "maximumVolumeSize": "10Gi"},
    "StorageClass": {"provisioner": "disk.example.com", "parameters": {"type": "ssd"}, "reclaimPolicy": "Delete", "volumeBindingMode": "WaitForFirstConsumer"},
    "VolumeAttachment": {"spec": {"attacher": "disk.example.com", "nodeName": "node-1", "source": {"persistentVolumeName": "pv-1"}}},
    "VolumeAttributesClass": {"driverName": "disk.example.com", "parameters": {"iops": "3000"}},
}

# What a controller writes into /status.
STATUSES = {
    "ResourceClaim": {"allocation": {"devices": {"results": [{"request": "gpu", "driver": DRIVER, "pool": "pool", "device": "gpu-0"}]}}},
    "VolumeAttachment": {"attached": True, "attachmentMetadata": {"device": "/dev/sdb"}},
    "DeviceTaintRule": {"conditions": [{"type": "EvictionInProgress", "status": "False", "reason": "Done", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}]},
}

with open(os.path.join(HERE, "go.mod"), encoding="utf-8") as modules:
    MINOR = int(re.search(r"k8s\.io/kubernetes v1\.(\d+)\.", modules.read())[1])  # of the API server
VERSIONS = kinds.versions(MINOR)
NAMESPACED = {row.kind for row in kinds.served() if row.namespaced}
# CSINode has a status since 1.37.
WRITTEN = [kind for kind in kinds.written_by("CONTROLLERS", "STATUS_WRITTEN_BY") if kind in VERSIONS and (kind != "CSINode" or MINOR >= 37)]
if set(SPECS) != set(VERSIONS) or set(STATUSES) != set(WRITTEN):
    raise SystemExit("tests/e2e/objects.py: SPECS or STATUSES are not those of the kinds in rules/kinds.def")


def make(kind, name, version=None, namespace="default", **metadata):
    """A new object of that kind; `version` is an apiVersion, the newest by default."""
    version = version or VERSIONS[kind][0]
    metadata = {"name": name, **({"namespace": namespace} if kind in NAMESPACED else {}), **metadata}
    obj = {"apiVersion": version, "kind": kind, "metadata": metadata, **copy.deepcopy(SPECS[kind])}
    if version == "resource.k8s.io/v1beta1":
        as_v1beta1(obj)
    return obj


def as_v1beta1(obj):
    """The oldest version has a request's members one level up, and a device's one level down."""
    if obj["kind"] in ("ResourceClaim", "ResourceClaimTemplate"):
        spec = obj["spec"]["spec"] if obj["kind"] == "ResourceClaimTemplate" else obj["spec"]
        for request in spec["devices"]["requests"]:
            request.update(request.pop("exactly"))
    if obj["kind"] == "ResourceSlice":
        obj["spec"]["devices"] = [{"name": device.pop("name"), "basic": device} for device in obj["spec"]["devices"]]
