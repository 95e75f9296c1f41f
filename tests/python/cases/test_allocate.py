"""Pods and claims on the nodes of a cluster."""
import copy, json, pickle
from pathlib import Path

import drawbridge
import pytest

FOLDER = Path(__file__).resolve().parents[2] / "manifests" / "allocate"
FLEET, LARGE, SERVE = FOLDER / "fleet.yaml", FOLDER / "large.yaml", FOLDER / "serve.yaml"
EXAMPLES = [
    {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-a"}},
    {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "gpu.acme.dev"}, "spec": {}},
    {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "a"}, "spec": {"driver": "gpu.acme.dev", "nodeName": "node-a", "pool": {"name": "pool-a", "generation": 1, "resourceSliceCount": 1}, "devices": [{"name": "gpu-0"}, {"name": "gpu-1", "allowMultipleAllocations": True, "capacity": {"memory": {"value": "80Gi"}}}]}},
    {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "one", "namespace": "ml"}, "spec": {"devices": {"requests": [{"name": "any", "firstAvailable": [{"name": "two", "deviceClassName": "gpu.acme.dev", "count": 2}]}]}}},
]


def test_fits():
    """What the page of the command shows: without the pod that has the large device."""
    allocation = drawbridge.allocate([FLEET, LARGE], without_pods="ml/train-0")
    subject, = allocation.subjects
    good, bad = subject.nodes
    assert allocation and allocation.fits and not allocation.guesses_nodes and subject and subject.why is None
    assert (subject.kind, subject.namespace, subject.name, subject.pod, subject.problem, subject.event) == ("Pod", "ml", "large", None, None, None)
    assert good and good.name == "node-1" and good.why is None and good.words == "" and good.steps > 0 and good.doubts == ()
    device, = good.devices
    assert str(device) == "gpu.acme.dev/node-1/gpu-1" and (device.claim, device.request) == ("large-gpu", "gpu")
    assert device.share is None and not device.admin_access
    assert not bad and bad.why == "pool-unusable" and "incomplete pool gpu.acme.dev/node-2" in bad.words and bad.devices == ()
    assert json.loads(subject.json)["nodes"][0]["allocations"][0]["allocation"]["devices"]["results"][0]["device"] == "gpu-1"
    assert pickle.loads(pickle.dumps(allocation)) == allocation


def test_print():
    assert str(drawbridge.allocate([FLEET, LARGE])).splitlines() == [
        "Pod ml/large: fits on no node",
        '  node-1: no: request "gpu" needs 1; of 3 devices 1 is in use (claim ml/training of pod train-0), 1 does not match selectors[0]: '
        'device.capacity["gpu.acme.dev"].memory is 40Gi, the selector asks for >= 80Gi, 1 is tainted gpu.acme.dev/unhealthy:NoSchedule',
        '  node-2: no: request "gpu" needs 1; of 1 device 1 is in the incomplete pool gpu.acme.dev/node-2 (1 slice of 2)',
        "  the scheduler says: 0/2 nodes are available: 2 cannot allocate all claims. still not schedulable"]
    assert str(drawbridge.allocate([FLEET, LARGE], without_pods=["train-0"], node="node-1")).splitlines() == [
        "Pod ml/large: fits on 1 of 1 node", "  node-1: gpu = gpu.acme.dev/node-1/gpu-1"]


def test_nodes_that_say_the_same():
    nodes = [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": f"n{index}"}} for index in range(6)]
    lines = str(drawbridge.allocate([*EXAMPLES, *nodes])).splitlines()
    assert lines[0].endswith(": fits on 1 of 7 nodes") and any(line.startswith("  n0, n1, n2 and 3 more: no: ") for line in lines)


def test_copies():
    allocation = drawbridge.allocate([FLEET, SERVE])
    assert not allocation and [(subject.pod, subject.fits) for subject in allocation.subjects] == [(1, True), (2, False)]
    assert allocation.subjects[1].why and allocation.subjects[1].event.startswith("0/2 nodes are available: ")
    assert drawbridge.allocate([FLEET, SERVE], replicas=1, pods="deployment/ml/serve")


def test_alternatives():
    """Shares, and names of alternatives; objects instead of files."""
    allocation = drawbridge.allocate(EXAMPLES)
    node, = allocation.subjects[0].nodes
    assert [(device.request, device.name, device.share) for device in node.devices] == [("any/two", "gpu-0", None), ("any/two", "gpu-1", "share-0")]
    assert node._says() == "any/two = gpu.acme.dev/pool-a/gpu-0, gpu.acme.dev/pool-a/gpu-1"


def test_gates():
    """Without its gate no device is shared."""
    allocation = drawbridge.allocate(EXAMPLES, feature_gates={"DRAConsumableCapacity": False})
    assert [device.share for device in allocation.subjects[0].nodes[0].devices] == [None, None]
    with pytest.raises(ValueError, match="feature_gates"):
        drawbridge.allocate(EXAMPLES, feature_gates="DRAConsumableCapacity")


def test_guessed_nodes():
    allocation = drawbridge.allocate([each for each in EXAMPLES if each["kind"] != "Node"])
    assert allocation and allocation.guesses_nodes


def test_unreadable():
    broken = copy.deepcopy(EXAMPLES)
    broken[-1]["spec"] = 1
    with pytest.raises(ValueError, match="objects, line"):
        drawbridge.allocate(broken)


@pytest.mark.parametrize("error, words, options", [
    (TypeError, "node is a name", {"node": 1}),
    (TypeError, "pods has names", {"pods": [1]}),
    (TypeError, "pods is a name", {"pods": b"one"}),
    (TypeError, "replicas is a number", {"replicas": "2"}),
    (TypeError, "replicas is a number", {"replicas": True}),
    (ValueError, "1 to 10,000", {"replicas": 0}),
    (ValueError, "1 to 10,000", {"replicas": 10_001}),
    (ValueError, "is no name", {"node": ""}),
    (ValueError, "is no name", {"pods": "a\0b"}),
    (ValueError, "1 to 1,000 names", {"pods": []}),
    (ValueError, "1 to 1,000 names", {"pods": ["one"] * 1001}),
    (ValueError, "no node is named: other", {"node": "other"}),
    (ValueError, "nothing that waits for devices is named: other", {"pods": "other"}),
    (ValueError, "no such pod is given: other", {"without_pods": "other"}),
    (ValueError, "kubernetes_version", {"kubernetes_version": "1.34"}),
    (ValueError, "kubernetes_version", {"kubernetes_version": "1.36..1.37"}),
])
def test_wrong_arguments(error, words, options):
    with pytest.raises(error, match=words):
        drawbridge.allocate(EXAMPLES, **options)


def test_nothing():
    with pytest.raises(ValueError, match="nothing to allocate"):
        drawbridge.allocate(FLEET)
    with pytest.raises(ValueError, match="no node: "):
        drawbridge.allocate(LARGE)


def test_context():
    assert drawbridge.Context().allocate(EXAMPLES, kubernetes_version="1.36") == drawbridge.allocate(EXAMPLES, kubernetes_version="v1.36.2")


# ---- an example: does the chart still fit the fleet? ----

def test_chart_fits_fleet():
    """As CI of a chart does it: what it renders, and a dump of the fleet."""
    manifests = SERVE.read_text()  # subprocess.run(["helm", "template", "chart"], ...).stdout
    allocation = drawbridge.allocate({"fleet.yaml": FLEET.read_text(), "chart": manifests}, without_pods="ml/train-0")
    assert allocation, f"\n{allocation}"
