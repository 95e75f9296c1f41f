"""Sets of objects in the library, and the devices in them."""
from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from . import _library
from ._failure import raise_failure, version_bytes
from ._kinds import api_version_and_kind
from ._library import RawDevice, RawError, library, text
from ._objects import plain_of, sources_of


@dataclass(frozen=True)
class Device:
    """A device of a ResourceSlice. `str()` gives `driver/pool/name`."""

    driver: str
    pool: str
    name: str
    node: str
    """spec.nodeName of the slice; "" where it has none."""

    def __str__(self) -> str:
        return f"{self.driver}/{self.pool}/{self.name}"


def device_of(raw: RawDevice) -> Device:
    return Device(text(raw.driver), text(raw.pool), text(raw.name), text(raw.node))


# ---- sets ----

@contextmanager
def new_set(context: ctypes.c_void_p, kubernetes_version: str, texts: List[Tuple[str, bytes]]) -> Iterator[ctypes.c_void_p]:
    """A set with these texts, by name."""
    handle = ctypes.c_void_p()
    options = _library.Options(ctypes.sizeof(_library.Options), version_bytes(kubernetes_version))
    raise_failure(library.drawbridge_set_new(context, options, ctypes.byref(handle)), kubernetes_version)
    try:
        for name, data in texts:
            raise_failure(library.drawbridge_set_add(handle, name.encode(), _library.Text(data, len(data))), kubernetes_version)
        yield handle
    finally:
        library.drawbridge_set_free(handle)


def _words(raw: RawError) -> str:
    path = f"{text(raw.path)}: " if raw.path else ""
    return f"{text(raw.source)}, line {raw.line}: {path}{text(raw.message)}"


def raise_unreadable(count: int, error_at: Callable[[int], Any]) -> None:
    """What cannot be read is a ValueError, so that nothing is missing unnoticed."""
    shown = [_words(error_at(index).contents) for index in range(min(count, 3))]
    if count > len(shown):
        shown.append(f"and {count - len(shown):,} more")
    if shown:
        raise ValueError("; ".join(shown))


@contextmanager
def devices_of(context: ctypes.c_void_p, kubernetes_version: str,
               texts: List[Tuple[str, bytes]]) -> Iterator[Tuple[ctypes.c_void_p, List[Device]]]:
    """The devices of slices, and who they are."""
    with new_set(context, kubernetes_version, texts) as handle:
        devices = ctypes.c_void_p()
        raise_failure(library.drawbridge_set_devices(handle, ctypes.byref(devices)), kubernetes_version)
        try:
            raise_unreadable(library.drawbridge_devices_error_count(devices), lambda index: library.drawbridge_devices_error(devices, index))
            count: int = library.drawbridge_devices_count(devices)
            yield devices, [device_of(library.drawbridge_devices_device(devices, index).contents) for index in range(count)]
        finally:
            library.drawbridge_devices_free(devices)


# ---- devices that are given by themselves ----

def _is_object(value: Any) -> bool:
    if isinstance(value, Mapping):
        return "apiVersion" in value or "kind" in value
    return api_version_and_kind(value) != (None, None) or bool(getattr(value, "apiVersion", None))


def _slice_around(value: Any, name: str, driver: Optional[str]) -> bytes:
    """A slice with that device alone."""
    device: Dict[str, Any] = plain_of(value, name, "a device")
    driver = device.pop("driver", None) or driver
    pool, node = device.pop("pool", ""), device.pop("node", None)
    if not driver or not isinstance(driver, str):
        raise ValueError(f"{name}: a device by itself has no driver: add \"driver\", or pass driver=")
    spec = {"driver": driver, "nodeName": node, "pool": {"name": pool, "generation": 1, "resourceSliceCount": 1}, "devices": [device]}
    version = "v1beta1" if "basic" in device else "v1"
    whole = {"apiVersion": f"resource.k8s.io/{version}", "kind": "ResourceSlice", "metadata": {"name": "slice"}, "spec": spec}
    return json.dumps(whole, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def _text_of(value: object, name: str, driver: Optional[str]) -> Tuple[str, bytes]:
    if isinstance(value, (str, bytes, bytearray, memoryview, os.PathLike)) or _is_object(value):
        return name, sources_of(value, name)[0].text
    return name, _slice_around(value, name, driver)


def texts_of_devices(value: object, name: str, driver: Optional[str]) -> List[Tuple[str, bytes]]:
    """The texts of slices, of which `value` has or is devices, with their names."""
    if driver is not None and not isinstance(driver, str):
        raise TypeError(f"driver is text or None, not {type(driver).__name__}")
    if isinstance(value, (list, tuple)):
        return [_text_of(element, f"{name}[{index}]", driver) for index, element in enumerate(value)]
    return [_text_of(value, name, driver)]
