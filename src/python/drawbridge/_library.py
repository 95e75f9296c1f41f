"""libdrawbridge, as src/drawbridge.h declares it."""
from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, c_char_p, c_int, c_size_t, c_void_p

OK, NO_MEMORY, LIMIT, BAD_VERSION, BAD_OPTION, INTERNAL = range(6)  # enum drawbridge_result
SEVERITIES = ("error", "warning", "info")  # enum drawbridge_severity
UNKNOWN_FIELDS = {"error": 0, "warn": 1, "ignore": 2}  # enum drawbridge_unknown_fields
MAX_BYTES = 8 << 20  # DRAWBRIDGE_MAX_BYTES


class Options(ctypes.Structure):
    """struct drawbridge_options"""

    _fields_ = [
        ("size", c_size_t),
        ("kubernetes_version", c_char_p),
        ("unknown_fields", c_int),
        ("as_status", c_int),
        ("judge_as", c_char_p),
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


def _load() -> ctypes.CDLL:
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libdrawbridge.so")
    try:
        library = ctypes.CDLL(path)  # the GIL is released in every call
    except OSError as error:
        raise ImportError(f"drawbridge's library cannot be loaded: {error}. It needs PCRE2 and libyaml; on Debian: apt-get install libpcre2-8-0 libyaml-0-2") from error
    library.drawbridge_version.argtypes = []
    library.drawbridge_version.restype = c_char_p
    library.drawbridge_result_text.argtypes = [c_int]
    library.drawbridge_result_text.restype = c_char_p
    library.drawbridge_context_new.argtypes = [c_void_p, POINTER(c_void_p)]
    library.drawbridge_context_new.restype = c_int
    library.drawbridge_context_free.argtypes = [c_void_p]
    library.drawbridge_context_free.restype = None
    library.drawbridge_validate.argtypes = [c_void_p, POINTER(Options), c_char_p, c_size_t, c_char_p, c_size_t, POINTER(c_void_p)]
    library.drawbridge_validate.restype = c_int
    library.drawbridge_set_new.argtypes = [c_void_p, POINTER(Options), POINTER(c_void_p)]
    library.drawbridge_set_new.restype = c_int
    library.drawbridge_set_free.argtypes = [c_void_p]
    library.drawbridge_set_free.restype = None
    for name in ("add", "add_old"):
        function = getattr(library, "drawbridge_set_" + name)
        function.argtypes = [c_void_p, c_char_p, c_char_p, c_size_t]
        function.restype = c_int
    library.drawbridge_set_validate.argtypes = [c_void_p, POINTER(c_void_p)]
    library.drawbridge_set_validate.restype = c_int
    library.drawbridge_report_finding.argtypes = [c_void_p, c_size_t]
    library.drawbridge_report_finding.restype = POINTER(RawFinding)
    for name in ("count", "errors", "warnings", "infos", "judged", "skipped", "updates", "no_objects"):
        function = getattr(library, "drawbridge_report_" + name)
        function.argtypes = [c_void_p]
        function.restype = c_size_t
    library.drawbridge_report_free.argtypes = [c_void_p]
    library.drawbridge_report_free.restype = None
    return library


library = _load()


def version() -> str:
    text: bytes = library.drawbridge_version()
    return text.decode()


def result_text(result: int) -> str:
    text: bytes = library.drawbridge_result_text(result)
    return text.decode()
