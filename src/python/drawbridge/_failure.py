"""What the library's results are in Python."""
from __future__ import annotations

from typing import Optional

from . import _library
from ._report import LimitError

DEFAULT_VERSION = "1.37"


def version_bytes(kubernetes_version: str) -> bytes:
    """An option of the library. Raises TypeError or ValueError."""
    if not isinstance(kubernetes_version, str):
        raise TypeError(f"kubernetes_version is text, such as {DEFAULT_VERSION!r}, not {type(kubernetes_version).__name__}")
    version = kubernetes_version.encode("utf-8", "replace")
    if b"\0" in version:
        raise _bad_version(kubernetes_version)
    return version


def _bad_version(version: str) -> ValueError:
    return ValueError(f"kubernetes_version {version!r}: {_library.result_text(_library.BAD_VERSION)}")


def bad_role(role: Optional[str]) -> ValueError:
    return ValueError(f"validate_as {role!r}: there is no such role")


def bad_gates(gates: str) -> ValueError:
    return ValueError(f"feature_gates {gates!r}: not as kube-apiserver's --feature-gates, or no API server of that version starts so")


def raise_failure(result: int, kubernetes_version: str, validate_as: Optional[str] = None, gates: Optional[str] = None) -> None:
    if result == _library.OK:
        return
    if result == _library.NO_MEMORY:
        raise MemoryError("drawbridge: " + _library.result_text(result))
    if result == _library.LIMIT:
        raise LimitError(_library.result_text(result))
    if result == _library.BAD_VERSION:
        raise _bad_version(kubernetes_version)
    if result == _library.BAD_OPTION and gates:  # before the role
        raise bad_gates(gates)
    if result == _library.BAD_OPTION and validate_as is not None:  # the other options were checked before
        raise bad_role(validate_as)
    if result == _library.BAD_OPTION:
        raise ValueError(_library.result_text(result))
    raise RuntimeError("drawbridge: " + _library.result_text(result))
