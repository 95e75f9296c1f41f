"""Claims and the devices that fit them."""
import pickle
from pathlib import Path

import drawbridge
import pytest

FOLDER = Path(__file__).resolve().parents[2] / "manifests" / "match"
CLAIM = {
    "apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "two"},
    "spec": {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu.acme.dev", "count": 2}}]}},
}
CLASS = {
    "apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "gpu.acme.dev"},
    "spec": {"selectors": [{"cel": {"expression": "device.driver == 'gpu.acme.dev'"}}]},
}


def slices(count, node="node-a", **more):
    return {
        "apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": node},
        "spec": {"driver": "gpu.acme.dev", "nodeName": node, "pool": {"name": node, "generation": 1, "resourceSliceCount": 1},
                 "devices": [{"name": f"gpu-{index}", **more} for index in range(count)]},
    }


def read(name):
    return (FOLDER / name).read_text()


def test_enough():
    match = drawbridge.match(CLAIM, slices(2), CLASS)
    assert match and match.claims[0] and match.requests[0].enough and match.requests[0].outcome == "enough"
    assert [candidate.match for candidate in match.requests[0].devices] == [True, True]


def test_reasons():
    """What the page of the command shows."""
    match = drawbridge.match(read("memory.yaml"), read("gpus.yaml"))
    request, = match.requests
    assert not match and not request.enough and request.outcome == "too-few" and request.words == "not enough: 2 devices match; the selectors also take 1 tainted"
    assert (request.name, request.choice, request.class_name, request.mode, request.count) == ("gpu", None, "gpu.acme.dev", "ExactCount", 3)
    assert request.matching == 2 and request.groups == (("match", 2), ("wrong model", 2), ("too little memory", 1), ("tainted", 1))
    reasons = {str(candidate.device): candidate for candidate in request.devices}
    tainted, small = reasons["gpu.acme.dev/node-a/gpu-3"], reasons["gpu.acme.dev/node-a/gpu-2"]
    assert tainted.reason == "taint" and tainted.selector is None and tainted.device.node == "node-a"
    assert small.reason == "selector-false" and small.selector == ("request", 1) and small.label == "too little memory" and small.also == ()
    assert str(small) == 'gpu.acme.dev/node-a/gpu-2: device.capacity["gpu.acme.dev"].memory is 40Gi, the selector asks for >= 80Gi'
    assert pickle.loads(pickle.dumps(match)) == match


def test_print():
    words = str(drawbridge.match(read("memory.yaml"), read("gpus.yaml"))).splitlines()
    assert words[0] == 'ResourceClaim "memory"'
    assert words[1] == '  request "gpu": 3 devices of class "gpu.acme.dev": not enough: 2 devices match; the selectors also take 1 tainted'
    assert words[2] == "    6 devices: 2 match, 2 wrong model, 1 too little memory, 1 tainted"
    assert words[-1] == "      gpu.acme.dev/node-a/gpu-3: nothing tolerates its taint gpu.acme.dev/unhealthy=ecc:NoSchedule"
    words = str(drawbridge.match(CLAIM, slices(5, node="node-b"), CLASS, node="node-a"))
    assert "5 devices: none matches, 5 on other nodes" in words and "and 2 more" in words


def test_node():
    objects = [slices(1), slices(2, node="node-b")]
    assert not drawbridge.match(CLAIM, objects, CLASS, node="node-a") and drawbridge.match(CLAIM, objects, CLASS, node="node-b")
    assert drawbridge.match(CLAIM, [slices(1), slices(1, node="node-b")], CLASS).requests[0].outcome == "too-few-on-a-node"


def test_what_is_matched():
    """Only what is in the first argument; objects of the others may be anywhere."""
    assert [claim.name for claim in drawbridge.match([CLAIM, slices(2), CLASS], [dict(CLAIM, metadata={"name": "other"})]).claims] == ["two"]
    claim, = drawbridge.match(CLASS, slices(1)).claims
    assert claim.kind == "DeviceClass" and claim and claim.requests[0].name == "" and str(claim).startswith('DeviceClass "gpu.acme.dev"\n  1 device of')
    assert [claim.line for claim in drawbridge.match([CLAIM, CLAIM], slices(2), CLASS).claims] == [1, 2]


def test_choices():
    match = drawbridge.match(read("first.yaml"), read("gpus.yaml"))
    assert all(request.choice is not None for request in match.requests) and len(match.requests) > 1


def test_no_class():
    request, = drawbridge.match(CLAIM, slices(2)).requests
    assert request.outcome == "class-missing" and request.devices == () and request.groups == ()


@pytest.mark.parametrize("arguments, options, error, words", [
    ((CLASS["spec"], slices(1)), {}, ValueError, "claim: dict has no apiVersion"),
    ((slices(1), CLAIM), {}, ValueError, "claim: no ResourceClaim"),
    ((None, slices(1)), {}, TypeError, "claim: NoneType"),
    ((CLAIM, "a: ["), {}, ValueError, "slices, line 1: "),
    ((CLAIM, slices(1), dict(CLASS, spec={"selectors": 7})), {}, ValueError, r"classes, line 1: spec\.selectors: "),
    ((CLAIM, slices(1)), {"node": ""}, ValueError, "no name of a node"), ((CLAIM, slices(1)), {"node": 5}, TypeError, "node is the name"),
    ((CLAIM, slices(1)), {"kubernetes_version": "2"}, ValueError, "no Kubernetes version"),
])
def test_wrong_arguments(arguments, options, error, words):
    with pytest.raises(error, match=words):
        drawbridge.match(*arguments, **options)
