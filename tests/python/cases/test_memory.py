"""Nothing is leaked, and failures of the library become the right exceptions."""
import ctypes
import gc
import os

import drawbridge
import pytest
from drawbridge import _failure, _library, _validate

BAD = {"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": "x_"}, "spec": {f"field{i}": "x" * 100 for i in range(200)}}


DRIVERS = """\
apiVersion: drawbridge.dev/v1alpha1
kind: Driver
name: disk.csi.acme.dev
source: its manual
parameters: [{of: StorageClass, rows: [{name: type}]}]
"""


class Counting:
    """The library with every report, context, set and file of drivers counted."""

    def __init__(self, library):
        self.library, self.reports, self.contexts, self.others = library, 0, 0, 0

    def __getattr__(self, name):
        return getattr(self.library, name)

    def drawbridge_validate(self, *arguments):
        result = self.library.drawbridge_validate(*arguments)
        self.reports += result == _library.OK
        return result

    def drawbridge_set_validate(self, *arguments):
        result = self.library.drawbridge_set_validate(*arguments)
        self.reports += result == _library.OK
        return result

    def drawbridge_set_new(self, *arguments):
        self.others += 1
        return self.library.drawbridge_set_new(*arguments)

    def drawbridge_set_free(self, handle):
        self.others -= 1
        self.library.drawbridge_set_free(handle)

    def drawbridge_drivers_new(self, *arguments):
        self.others += 1
        return self.library.drawbridge_drivers_new(*arguments)

    def drawbridge_drivers_free(self, handle):
        self.others -= 1
        self.library.drawbridge_drivers_free(handle)

    def drawbridge_report_free(self, handle):
        self.reports -= 1
        self.library.drawbridge_report_free(handle)

    def drawbridge_context_new(self, *arguments):
        self.contexts += 1
        return self.library.drawbridge_context_new(*arguments)

    def drawbridge_context_free(self, handle):
        self.contexts -= 1
        self.library.drawbridge_context_free(handle)


@pytest.fixture
def counting(monkeypatch):
    counting = Counting(_library.library)
    monkeypatch.setattr(_validate, "library", counting)
    return counting


def test_everything_is_freed(counting, monkeypatch):
    context = drawbridge.Context()
    report = context.validate(BAD)
    assert report.error_count > 200 and counting.reports == 0 and counting.contexts == 1
    with pytest.raises(drawbridge.ValidationError):
        context.assert_valid(BAD)
    with pytest.raises(ValueError):
        context.validate(BAD, kubernetes_version="9")
    monkeypatch.setattr(_validate, "_finding", lambda raw: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        context.validate(BAD)
    assert counting.reports == 0
    del context
    gc.collect()
    assert counting.contexts == 0
    assert report[0].message


def test_sets_and_drivers_are_freed(counting):
    with pytest.raises(drawbridge.LimitError):
        drawbridge.validate("a: b", name="a" * 5000)
    with pytest.raises(ValueError):
        drawbridge.validate("a: b", drivers="a: b")
    with pytest.raises(ValueError):
        drawbridge.validate({"a": "a: b", "b": ""}, kubernetes_version="9", drivers=DRIVERS)
    assert drawbridge.validate({"a": "a: b", "b": ""}, "c: d", drivers=DRIVERS).error_count == 0
    assert (counting.reports, counting.others) == (0, 0)


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif("DRAWBRIDGE_SANITIZER" in os.environ, reason="sanitizers keep what is freed")
def test_memory_does_not_grow():
    """A report of BAD is some 100 KB, a context 10 KB; a leak of either would be tens of megabytes."""
    def work(times):
        for _ in range(times):
            drawbridge.validate(BAD, BAD)
            drawbridge.Context().validate("{}")
    work(100)
    before = resident()
    work(500)
    assert resident() - before < 4 << 20


@pytest.mark.parametrize("result, error", [(_library.NO_MEMORY, MemoryError), (_library.LIMIT, drawbridge.LimitError), (_library.BAD_VERSION, ValueError),
                                           (_library.BAD_OPTION, ValueError), (_library.INTERNAL, RuntimeError), (99, RuntimeError)])
def test_failures(result, error, counting, monkeypatch):
    context = drawbridge.Context()
    monkeypatch.setattr(counting, "drawbridge_validate", lambda *arguments: result, raising=False)
    with pytest.raises(error) as caught:
        context.validate(BAD)
    assert type(caught.value) is error
    monkeypatch.setattr(counting, "drawbridge_context_new", lambda *arguments: result, raising=False)
    with pytest.raises(error):
        drawbridge.Context()


def test_an_allocation_that_fails():
    """The real library, with an allocator that has no memory: a MemoryError."""
    allocate = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)(lambda size, data: None)
    release = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(lambda pointer, data: None)

    class Allocator(ctypes.Structure):
        _fields_ = [("allocate", type(allocate)), ("release", type(release)), ("data", ctypes.c_void_p)]
    allocator, handle = Allocator(allocate, release, None), ctypes.c_void_p()
    with pytest.raises(MemoryError, match="out of memory"):
        _failure.raise_failure(_library.library.drawbridge_context_new(ctypes.byref(allocator), ctypes.byref(handle)), "")


@pytest.mark.skipif("DRAWBRIDGE_SANITIZER" not in os.environ, reason="this is no sanitized build")
def test_the_sanitizer_is_at_work():
    with open("/proc/self/maps") as file:
        assert f"lib{os.environ['DRAWBRIDGE_SANITIZER']}.so" in file.read()
    with open(_library.library._name, "rb") as file:
        assert f"__{os.environ['DRAWBRIDGE_SANITIZER']}_init".encode() in file.read()
