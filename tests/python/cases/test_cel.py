"""Expressions: compiled, and evaluated on devices."""
import gc
import pickle
import threading

import drawbridge
import pytest
from drawbridge import _cel, _devices, _library

GPU = {
    "driver": "gpu.acme.dev", "pool": "pool-a", "name": "gpu-0", "node": "node-a",
    "attributes": {"model": {"string": "a100"}, "cores": {"int": 7}, "ecc": {"bool": True}, "firmware": {"version": "1.2.3"}},
    "capacity": {"memory": {"value": "40Gi"}},
}
SLICES = """
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: a}
spec:
  driver: gpu.acme.dev
  allNodes: true
  pool: {name: pool-a, generation: 1, resourceSliceCount: 1}
  devices:
  - {name: gpu-0, attributes: {cores: {int: 7}}}
  - {name: gpu-1}
"""
CORES = 'device.attributes["gpu.acme.dev"].cores > 3'


def value(expression, device=GPU):
    return drawbridge.cel(expression, any_type=True).evaluate(device).value


def test_good():
    expression = drawbridge.cel(CORES)
    assert expression.ok and expression.verdict == "good" and expression.errors == () and expression.hint is None
    assert expression.type == "bool" and 0 < expression.cost < 100 and expression.text == CORES
    assert repr(expression) == "<Expression: good>"


@pytest.mark.parametrize("text, verdict, shown, hint", [
    ("device.drivr == 'x'", "check", "1:7: undefined field 'drivr'", "did you mean driver?"),
    ("'é' ==\n foo", "check", "2:2: undeclared reference to 'foo' (in container '')", None),
    ("device.driver", "result-type", "must evaluate to bool or the unknown type, not string", None),
    ("true" + " " * 10240, "too-long", "longer than 10240 bytes", None),
    ("'\ud800'", "syntax", "the expression is not UTF-8", None),
])
def test_refused(text, verdict, shown, hint):
    expression = drawbridge.cel(text)
    assert not expression.ok and expression.verdict == verdict and str(expression.errors[0]) == shown and expression.type == ""
    assert hint is None or expression.hint == hint
    with pytest.raises(ValueError, match="cannot be evaluated"):
        expression.evaluate(GPU)


def test_too_costly_is_evaluated():
    loop = "device.attributes.all({}, {})"
    text = "a + b + c + d != ''"
    for name in "dcba":
        text = loop.format(name, text)
    expression = drawbridge.cel(text)
    assert expression.verdict == "too-costly" and "exceeds cost limit" in expression.errors[0].message and expression.cost > 1_000_000
    assert expression.evaluate(GPU).match


@pytest.mark.parametrize("text, expected", [
    ("device.driver", "gpu.acme.dev"), ('device.attributes["gpu.acme.dev"]', {"model": "a100", "cores": 7, "ecc": True, "firmware": "1.2.3"}),
    ('device.capacity["gpu.acme.dev"].memory', "40Gi"), ("[dyn(1.5), dyn(-1), dyn(18446744073709551615u)]", [1.5, -1, 2 ** 64 - 1]), ("'\\u0000\"é'", '\0"é'),
    ("null", None), ("{'a': {1: [true]}}", {"a": {"1": [True]}}), ("b'abc'", "YWJj"), ("optional.none()", None), ("1.0", 1.0),
])
def test_values(text, expected):
    found = value(text)
    assert found == expected and type(found) is type(expected)


def test_evaluation():
    evaluation = drawbridge.cel(CORES).evaluate(GPU)
    assert evaluation.match and evaluation.value is True and evaluation.type == "bool" and evaluation.error is None and evaluation.cost > 0
    assert evaluation and str(evaluation) == "gpu.acme.dev/pool-a/gpu-0: true"
    assert evaluation.device == drawbridge.Device("gpu.acme.dev", "pool-a", "gpu-0", "node-a")
    assert pickle.loads(pickle.dumps(evaluation)) == evaluation


def test_an_evaluation_that_fails():
    first, second = drawbridge.cel(CORES).evaluate_all(SLICES)
    assert first and not second and second.value is None and second.type == ""
    assert str(second.error) == "1:34: no such key: cores" and second.error.offset == 33
    assert str(second) == "gpu.acme.dev/pool-a/gpu-1: error: 1:34: no such key: cores"


def test_no_boolean():
    text = 'device.attributes["gpu.acme.dev"].cores'
    assert value(text) == 7
    assert "could not be converted to bool" in drawbridge.cel(text).evaluate(GPU).error.message


# ---- devices ----

def test_sorts_of_devices():
    every = drawbridge.cel("true").evaluate_all([GPU, SLICES, {"name": "x", "basic": {"attributes": {}}}], driver="other.dev")
    assert [str(each.device) for each in every] == [
        "gpu.acme.dev/pool-a/gpu-0", "gpu.acme.dev/pool-a/gpu-0", "gpu.acme.dev/pool-a/gpu-1", "other.dev//x"]
    assert drawbridge.cel("true").evaluate_all([]) == ()
    assert GPU["driver"] == "gpu.acme.dev"  # it is as it was


def test_models():
    models = pytest.importorskip("lightkube.models.resource_v1")
    device = models.Device(name="gpu-0", attributes={"cores": models.DeviceAttribute(int_=8)} if hasattr(models.DeviceAttribute, "int_") else {})
    assert drawbridge.cel("device.driver == 'gpu.acme.dev'").evaluate(device, driver="gpu.acme.dev")


@pytest.mark.parametrize("device, error, words", [
    ({"name": "gpu-0"}, ValueError, "device: a device by itself has no driver"),
    (SLICES, ValueError, "device: 2 devices where one is wanted"),
    ("{}", ValueError, "device: 0 devices where one is wanted"),
    ([], ValueError, "0 devices"), (5, TypeError, "device: int cannot be validated"), (None, TypeError, "device"),
    ([[GPU]], TypeError, r"device\[0\]: list cannot be validated"),
    ("a: [", ValueError, "device, line 1: "),
    (dict(GPU, attributes=7), ValueError, r"device, line 1: spec\.devices\[0\]\.attributes"),
    ({"kind": "ResourceSlice"}, ValueError, "no apiVersion"),
])
def test_wrong_devices(device, error, words):
    with pytest.raises(error, match=words):
        drawbridge.cel("true").evaluate(device)


def test_wrong_arguments():
    with pytest.raises(TypeError, match="expression is text, not int"):
        drawbridge.cel(5)
    with pytest.raises(ValueError, match="no Kubernetes version"):
        drawbridge.cel("true", kubernetes_version="1.20")
    with pytest.raises(TypeError, match="driver is text or None"):
        drawbridge.cel("true").evaluate(GPU, driver=5)
    huge = "[1,1,1,1,1,1,1,1,1,1]"
    for name in "abcdefg":
        huge = f"cel.bind({name}, {huge}, [{','.join([name] * 10)}])"
    with pytest.raises(drawbridge.LimitError):
        drawbridge.cel(huge, any_type=True).evaluate(GPU)


# ---- memory and threads ----

class Counting:
    """The library, with what was made and not freed."""

    def __init__(self, library):
        self.library, self.live = library, 0

    def __getattr__(self, name):
        function = getattr(self.library, name)
        change = {"drawbridge_set_new": 1, "drawbridge_set_free": -1, "drawbridge_set_devices": 1, "drawbridge_devices_free": -1,
                  "drawbridge_cel_evaluate": 1, "drawbridge_evaluation_free": -1, "drawbridge_cel_new": 1}.get(name, 0)

        def call(*arguments):
            result = function(*arguments)
            self.live += change if change < 0 or result == _library.OK else 0
            return result
        return call if change else function


def test_everything_is_freed(monkeypatch):
    counting = Counting(_library.library)
    monkeypatch.setattr(_cel, "library", counting)
    monkeypatch.setattr(_devices, "library", counting)
    expression = drawbridge.cel(CORES)
    expression.evaluate_all([GPU, SLICES])
    for wrong in ("a: [", SLICES):
        with pytest.raises(ValueError):
            expression.evaluate(wrong)
    monkeypatch.setattr(_cel, "_evaluation", lambda device, raw: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        expression.evaluate(GPU)
    assert counting.live == 1  # the expression


def test_an_expression_outlives_its_context():
    expression = drawbridge.Context().cel(CORES)
    gc.collect()
    assert expression.evaluate(GPU)


def test_threads():
    expression, wrong = drawbridge.cel(CORES), []

    def work():
        for _ in range(50):
            if [evaluation.match for evaluation in expression.evaluate_all(SLICES)] != [True, False]:
                wrong.append(1)
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
