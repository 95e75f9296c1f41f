"""CEL expressions of device selectors: compiled, and evaluated on devices."""
from __future__ import annotations

import ctypes
import json
import weakref
from dataclasses import dataclass
from typing import Any, List, Optional, Tuple

from . import _library
from ._devices import Device, devices_of, texts_of_devices
from ._failure import raise_failure, version_bytes
from ._library import RawError, RawEvaluation, library, text


@dataclass(frozen=True)
class CelError:
    """What is wrong with an expression, or why an evaluation failed. `str()` gives `line:column: message`."""

    message: str
    """In the words of cel-go and Kubernetes."""
    line: int
    """From 1; 0: it has no place."""
    column: int
    """From 1, in characters; 0: the whole expression."""
    offset: int
    """Bytes from the start of the expression, in UTF-8."""

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.message}" if self.line else self.message


@dataclass(frozen=True)
class Evaluation:
    """What an expression is on a device. It is true (`if evaluation:`) where the device matches."""

    device: Device
    value: Any
    """A bool, number, text, list, dict or None. What JSON does not have is text: versions, quantities, times, addresses."""
    type: str
    """Of the value, as type() in CEL gives it: "bool", "kubernetes.Quantity"; "" where there is none."""
    match: bool
    """Whether the value is true."""
    error: Optional[CelError]
    """Why there is no value. A scheduler gives up the whole claim then."""
    cost: int
    """What Kubernetes counts."""

    def __bool__(self) -> bool:
        return self.match

    def __str__(self) -> str:
        return f"{self.device}: " + (f"error: {self.error}" if self.error else json.dumps(self.value, ensure_ascii=False))


def _error(raw: RawError) -> CelError:
    return CelError(text(raw.message), raw.line, raw.column, raw.offset)


def _evaluation(device: Device, raw: RawEvaluation) -> Evaluation:
    return Evaluation(
        device=device, value=None if raw.value is None else json.loads(text(raw.value)), type=text(raw.type), match=raw.match != 0,
        error=_error(raw.error.contents) if raw.error else None, cost=raw.cost)


class Expression:
    """A compiled expression, which never changes and which any number of threads may use. `drawbridge.cel` makes it."""

    def __init__(self, context: ctypes.c_void_p, owner: object, expression: str, any_type: bool, kubernetes_version: str) -> None:
        if not isinstance(expression, str):
            raise TypeError(f"expression is text, not {type(expression).__name__}")
        options = _library.CelOptions(ctypes.sizeof(_library.CelOptions), version_bytes(kubernetes_version), int(bool(any_type)))
        handle, data = ctypes.c_void_p(), expression.encode("utf-8", "surrogatepass")
        result = library.drawbridge_cel_new(context, options, _library.Text(data, len(data)), ctypes.byref(handle))
        raise_failure(result, kubernetes_version)
        weakref.finalize(self, library.drawbridge_cel_free, handle).atexit = False  # threads may still be at work then
        info = library.drawbridge_cel_info(handle).contents
        count: int = library.drawbridge_cel_error_count(handle)
        self._handle, self._context, self._owner, self._version = handle, context, owner, kubernetes_version
        self._can_evaluate = info.can_evaluate != 0
        self.text = expression
        """The expression."""
        self.verdict: str = text(info.verdict)
        """"good"; or why the API server refuses it: "too-long", "syntax", "check" (a name, type or literal), "result-type", "too-costly",
        "too-complex"."""
        self.errors: Tuple[CelError, ...] = tuple(_error(library.drawbridge_cel_error(handle, index).contents) for index in range(count))
        """Why it is refused, in the order of their places; at most 100."""
        self.type: str = text(info.type)
        """Of the result, as cel-go writes it: "bool"; "" if it cannot be evaluated."""
        self.cost: int = info.max_cost
        """The most that an evaluation may cost, by estimate; the API server takes 1,000,000."""
        self.hint: Optional[str] = None if info.hint is None else text(info.hint)
        """What was perhaps meant."""

    @property
    def ok(self) -> bool:
        """Whether the API server takes it."""
        return self.verdict == "good"

    def __repr__(self) -> str:
        return f"<Expression: {self.verdict}>"

    def evaluate(self, device: object, *, driver: Optional[str] = None) -> Evaluation:
        """Evaluates it on one device, as the scheduler does.

        device: a dict as in spec.devices of a ResourceSlice of v1, or a model of it, with the "driver" that publishes it, or with
            `driver`; also with "pool" and "node", if wanted. Or a ResourceSlice with one device, as all that
            `drawbridge.validate` takes.
        driver: of a device that does not say it.

        Returns an Evaluation, also where the evaluation fails. Raises

        TypeError: device or driver is no such thing.
        ValueError: the expression has errors, except that it is "too-costly"; device has no driver, or not exactly one device; it cannot be
            read: text that does not parse, a value of a wrong type; and as `drawbridge.validate`.
        LimitError (a ValueError): the value has more than 8 MiB in JSON, or more than 64 lists and dicts inside each other; and as
            `drawbridge.validate`.
        MemoryError: there is no memory.

        Thread-safe, and does not hold the GIL while it evaluates. An evaluation takes at most 128 MiB, and about a second.
        """
        found = self._evaluate(device, "device", driver, only_one=True)
        return found[0]

    def evaluate_all(self, devices: object, *, driver: Optional[str] = None) -> Tuple[Evaluation, ...]:
        """Evaluates it on every device of what `evaluate` takes, or of a list of that, in their order. Errors are those of `evaluate`."""
        return tuple(self._evaluate(devices, "devices", driver, only_one=False))

    def _evaluate(self, value: object, name: str, driver: Optional[str], only_one: bool) -> List[Evaluation]:
        if not self._can_evaluate:
            raise ValueError("the expression cannot be evaluated: " + "; ".join(str(error) for error in self.errors))
        with devices_of(self._context, self._version, texts_of_devices(value, name, driver)) as (handle, devices):
            if only_one and len(devices) != 1:
                raise ValueError(f"{name}: {len(devices):,} devices where one is wanted; evaluate_all() takes any number")
            return [self._evaluate_at(handle, index, device) for index, device in enumerate(devices)]

    def _evaluate_at(self, devices: ctypes.c_void_p, index: int, device: Device) -> Evaluation:
        raw = ctypes.POINTER(RawEvaluation)()
        raise_failure(library.drawbridge_cel_evaluate(self._handle, devices, index, ctypes.byref(raw)), self._version)
        try:
            return _evaluation(device, raw.contents)
        finally:
            library.drawbridge_evaluation_free(raw)
