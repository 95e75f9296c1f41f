"""libdrawbridge, as src/drawbridge.h declares it."""
from __future__ import annotations

import ctypes
import os
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int64, c_size_t, c_void_p
from typing import Optional

OK, NO_MEMORY, LIMIT, BAD_VERSION, BAD_OPTION, INTERNAL, BAD_ARGUMENT = range(7)  # enum drawbridge_result
SEVERITIES = ("error", "warning", "info")  # enum drawbridge_severity
UNKNOWN_FIELDS = {"error": 0, "warn": 1, "ignore": 2}  # enum drawbridge_unknown_fields
MAX_BYTES = 256 << 20  # DRAWBRIDGE_MAX_BYTES


class Text(ctypes.Structure):
    """struct drawbridge_text"""

    _fields_ = [("data", c_char_p), ("length", c_size_t)]


class Options(ctypes.Structure):
    """struct drawbridge_options"""

    _fields_ = [
        ("size", c_size_t),
        ("kubernetes_version", c_char_p),
        ("unknown_fields", c_int),
        ("as_status", c_int),
        ("validate_as", c_char_p),
    ]


class RawOther(ctypes.Structure):
    """struct drawbridge_other"""

    _fields_ = [
        ("source", c_char_p),
        ("offset", c_size_t),
        ("size", c_size_t),
        ("line", c_size_t),
        ("column", c_size_t),
        ("group", c_char_p),
        ("version", c_char_p),
        ("kind", c_char_p),
        ("object_namespace", c_char_p),
        ("object_name", c_char_p),
    ]


class RawFinding(ctypes.Structure):
    """struct drawbridge_finding"""

    _fields_ = [
        ("severity", c_int),
        ("in_old", c_int),
        ("rule", c_char_p),
        ("reason", c_char_p),
        ("path", c_char_p),
        ("message", c_char_p),
        ("hint", c_char_p),
        ("offset", c_size_t),
        ("size", c_size_t),
        ("line", c_size_t),
        ("column", c_size_t),
        ("group", c_char_p),
        ("version", c_char_p),
        ("kind", c_char_p),
        ("object_namespace", c_char_p),
        ("object_name", c_char_p),
        ("source", c_char_p),
        ("other", POINTER(RawOther)),
    ]


class RawRule(ctypes.Structure):
    """struct drawbridge_rule"""

    _fields_ = [("id", c_char_p), ("reason", c_char_p), ("asks", c_char_p)]


class RawKind(ctypes.Structure):
    """struct drawbridge_kind"""

    _fields_ = [
        ("group", c_char_p),
        ("version", c_char_p),
        ("kind", c_char_p),
        ("role", c_char_p),
        ("resource", c_char_p),
        ("since", c_char_p),
        ("until", c_char_p),
        ("replaced_by", c_char_p),
        ("namespaced", c_int),
        ("partial", c_int),
        ("has_rules", c_int),
    ]


class RawConstraint(ctypes.Structure):
    """struct drawbridge_constraint"""

    _fields_ = [
        ("kind", POINTER(RawKind)),
        ("field", c_char_p),
        ("type", c_char_p),
        ("rule", c_char_p),
        ("severity", c_int),
        ("reason", c_char_p),
        ("asks", c_char_p),
        ("when", c_char_p),
        ("since", c_char_p),
        ("until", c_char_p),
        ("gate", c_char_p),
        ("default_value", c_char_p),
        ("defaulted", c_int),
        ("values", POINTER(c_char_p)),
        ("members", POINTER(c_char_p)),
        ("key", c_char_p),
        ("has_min", c_int),
        ("has_max", c_int),
        ("min", c_int64),
        ("max", c_int64),
        ("source", c_char_p),
    ]


RuleVisitor = CFUNCTYPE(c_int, POINTER(RawRule), c_void_p)
KindVisitor = CFUNCTYPE(c_int, POINTER(RawKind), c_void_p)
ConstraintVisitor = CFUNCTYPE(c_int, POINTER(RawConstraint), c_void_p)


def _declare_tables(library: ctypes.CDLL) -> None:
    library.drawbridge_rules_each.argtypes = [RuleVisitor, c_void_p]
    library.drawbridge_rules_each.restype = c_int
    library.drawbridge_kinds_each.argtypes = [KindVisitor, c_void_p]
    library.drawbridge_kinds_each.restype = c_int
    library.drawbridge_constraints_each.argtypes = [c_void_p, POINTER(RawKind), ConstraintVisitor, c_void_p]
    library.drawbridge_constraints_each.restype = c_int


def _load() -> ctypes.CDLL:
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libdrawbridge.so")
    try:
        library = ctypes.CDLL(path)  # the GIL is released in every call
    except OSError as error:
        raise ImportError(
            f"drawbridge's library cannot be loaded: {error}. It needs PCRE2 and libyaml; "
            "on Debian: apt-get install libpcre2-8-0 libyaml-0-2") from error
    library.drawbridge_version.argtypes = []
    library.drawbridge_version.restype = c_char_p
    library.drawbridge_result_text.argtypes = [c_int]
    library.drawbridge_result_text.restype = c_char_p
    library.drawbridge_context_new.argtypes = [c_void_p, POINTER(c_void_p)]
    library.drawbridge_context_new.restype = c_int
    library.drawbridge_context_free.argtypes = [c_void_p]
    library.drawbridge_context_free.restype = None
    library.drawbridge_validate.argtypes = [c_void_p, POINTER(Options), POINTER(Text), POINTER(Text), POINTER(c_void_p)]
    library.drawbridge_validate.restype = c_int
    library.drawbridge_set_new.argtypes = [c_void_p, POINTER(Options), POINTER(c_void_p)]
    library.drawbridge_set_new.restype = c_int
    library.drawbridge_set_free.argtypes = [c_void_p]
    library.drawbridge_set_free.restype = None
    for name in ("add", "add_old"):
        function = getattr(library, "drawbridge_set_" + name)
        function.argtypes = [c_void_p, c_char_p, POINTER(Text)]
        function.restype = c_int
    library.drawbridge_set_validate.argtypes = [c_void_p, POINTER(c_void_p)]
    library.drawbridge_set_validate.restype = c_int
    library.drawbridge_report_finding.argtypes = [c_void_p, c_size_t]
    library.drawbridge_report_finding.restype = POINTER(RawFinding)
    for name in ("count", "errors", "warnings", "infos", "validated", "skipped", "updates", "no_objects"):
        function = getattr(library, "drawbridge_report_" + name)
        function.argtypes = [c_void_p]
        function.restype = c_size_t
    library.drawbridge_report_free.argtypes = [c_void_p]
    library.drawbridge_report_free.restype = None
    _declare_tables(library)
    return library


library = _load()


def text(raw: Optional[bytes]) -> str:
    """A text of the library; NULL is ""."""
    return (raw or b"").decode("utf-8", "replace")


def version() -> str:
    return text(library.drawbridge_version())


def result_text(result: int) -> str:
    return text(library.drawbridge_result_text(result))
