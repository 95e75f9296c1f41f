"""libdrawbridge, as src/drawbridge.h declares it."""
from __future__ import annotations

import ctypes
import os
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int64, c_size_t, c_uint64, c_void_p
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
        ("feature_gates", c_char_p),
        ("drivers", c_void_p),
        ("suppressions", c_int),
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
        ("kubernetes_versions", POINTER(c_char_p)),
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


class CelOptions(ctypes.Structure):
    """struct drawbridge_cel_options"""

    _fields_ = [
        ("size", c_size_t),
        ("kubernetes_version", c_char_p),
        ("any_type", c_int),
    ]


class MatchOptions(ctypes.Structure):
    """struct drawbridge_match_options"""

    _fields_ = [
        ("size", c_size_t),
        ("node", c_char_p),
        ("subjects", c_char_p),
    ]


class RawError(ctypes.Structure):
    """struct drawbridge_error"""

    _fields_ = [
        ("message", c_char_p),
        ("source", c_char_p),
        ("path", c_char_p),
        ("offset", c_size_t),
        ("line", c_size_t),
        ("column", c_size_t),
    ]


class RawCelInfo(ctypes.Structure):
    """struct drawbridge_cel_info"""

    _fields_ = [
        ("verdict", c_char_p),
        ("can_evaluate", c_int),
        ("type", c_char_p),
        ("max_cost", c_uint64),
        ("hint", c_char_p),
    ]


class RawDevice(ctypes.Structure):
    """struct drawbridge_device"""

    _fields_ = [
        ("driver", c_char_p),
        ("pool", c_char_p),
        ("name", c_char_p),
        ("node", c_char_p),
        ("source", c_char_p),
    ]


class RawEvaluation(ctypes.Structure):
    """struct drawbridge_evaluation"""

    _fields_ = [
        ("value", c_char_p),
        ("type", c_char_p),
        ("match", c_int),
        ("error", POINTER(RawError)),
        ("cost", c_uint64),
    ]


class RawCandidate(ctypes.Structure):
    """struct drawbridge_candidate"""

    _fields_ = [
        ("device", POINTER(RawDevice)),
        ("reason", c_char_p),
        ("label", c_char_p),
        ("words", c_char_p),
        ("selector_of", c_char_p),
        ("selector", c_size_t),
        ("also", POINTER(c_char_p)),
    ]


class RawGroup(ctypes.Structure):
    """struct drawbridge_group"""

    _fields_ = [
        ("label", c_char_p),
        ("count", c_size_t),
    ]


class RawRequest(ctypes.Structure):
    """struct drawbridge_request"""

    _fields_ = [
        ("name", c_char_p),
        ("choice", c_char_p),
        ("class_name", c_char_p),
        ("mode", c_char_p),
        ("count", c_int64),
        ("admin_access", c_int),
        ("enough", c_int),
        ("outcome", c_char_p),
        ("words", c_char_p),
        ("matching", c_size_t),
        ("group_count", c_size_t),
        ("candidate_count", c_size_t),
        ("groups", POINTER(POINTER(RawGroup))),
        ("candidates", POINTER(POINTER(RawCandidate))),
    ]


class RawClaim(ctypes.Structure):
    """struct drawbridge_claim"""

    _fields_ = [
        ("group", c_char_p),
        ("version", c_char_p),
        ("kind", c_char_p),
        ("object_namespace", c_char_p),
        ("object_name", c_char_p),
        ("source", c_char_p),
        ("offset", c_size_t),
        ("line", c_size_t),
        ("column", c_size_t),
        ("enough", c_int),
        ("refusal", c_char_p),
        ("request_count", c_size_t),
        ("requests", POINTER(POINTER(RawRequest))),
    ]


class AllocateOptions(ctypes.Structure):
    """struct drawbridge_allocate_options"""

    _fields_ = [
        ("size", c_size_t),
        ("nodes", POINTER(c_char_p)),
        ("pods", POINTER(c_char_p)),
        ("without_pods", POINTER(c_char_p)),
        ("feature_gates", c_char_p),
        ("replicas", c_size_t),
    ]


class RawAllocatedDevice(ctypes.Structure):
    """struct drawbridge_allocated_device"""

    _fields_ = [
        ("request", c_char_p),
        ("driver", c_char_p),
        ("pool", c_char_p),
        ("name", c_char_p),
        ("share", c_char_p),
        ("admin_access", c_int),
    ]


class RawAllocatedClaim(ctypes.Structure):
    """struct drawbridge_allocated_claim"""

    _fields_ = [
        ("object_namespace", c_char_p),
        ("object_name", c_char_p),
        ("device_count", c_size_t),
        ("devices", POINTER(POINTER(RawAllocatedDevice))),
    ]


class RawDoubt(ctypes.Structure):
    """struct drawbridge_doubt"""

    _fields_ = [
        ("id", c_char_p),
        ("text", c_char_p),
    ]


class RawAllocationNode(ctypes.Structure):
    """struct drawbridge_allocation_node"""

    _fields_ = [
        ("name", c_char_p),
        ("fits", c_int),
        ("claim_count", c_size_t),
        ("claims", POINTER(POINTER(RawAllocatedClaim))),
        ("why", c_char_p),
        ("words", c_char_p),
        ("doubt_count", c_size_t),
        ("doubts", POINTER(POINTER(RawDoubt))),
        ("steps", c_uint64),
    ]


class RawSubject(ctypes.Structure):
    """struct drawbridge_subject"""

    _fields_ = [
        ("kind", c_char_p),
        ("object_namespace", c_char_p),
        ("object_name", c_char_p),
        ("pod", c_size_t),
        ("fits", c_int),
        ("why", c_char_p),
        ("problem", c_char_p),
        ("event", c_char_p),
        ("json", c_char_p),
        ("node_count", c_size_t),
        ("nodes", POINTER(POINTER(RawAllocationNode))),
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


def _declare_list(library: ctypes.CDLL, name: str, count: str, element: type) -> None:
    """The functions with the number of elements, and with one of them."""
    counting, getting = getattr(library, f"drawbridge_{count}"), getattr(library, f"drawbridge_{name}")
    counting.argtypes, counting.restype = [c_void_p], c_size_t
    getting.argtypes, getting.restype = [c_void_p, c_size_t], POINTER(element)


def _declare_expressions(library: ctypes.CDLL) -> None:
    library.drawbridge_cel_new.argtypes = [c_void_p, POINTER(CelOptions), POINTER(Text), POINTER(c_void_p)]
    library.drawbridge_cel_new.restype = c_int
    library.drawbridge_cel_info.argtypes = [c_void_p]
    library.drawbridge_cel_info.restype = POINTER(RawCelInfo)
    library.drawbridge_set_devices.argtypes = [c_void_p, POINTER(c_void_p)]
    library.drawbridge_set_devices.restype = c_int
    library.drawbridge_cel_evaluate.argtypes = [c_void_p, c_void_p, c_size_t, POINTER(POINTER(RawEvaluation))]
    library.drawbridge_cel_evaluate.restype = c_int
    library.drawbridge_evaluation_free.argtypes = [POINTER(RawEvaluation)]
    library.drawbridge_evaluation_free.restype = None
    library.drawbridge_set_match.argtypes = [c_void_p, POINTER(MatchOptions), POINTER(c_void_p)]
    library.drawbridge_set_match.restype = c_int
    library.drawbridge_match_enough.argtypes = [c_void_p]
    library.drawbridge_match_enough.restype = c_int
    _declare_list(library, "cel_error", "cel_error_count", RawError)
    _declare_list(library, "devices_device", "devices_count", RawDevice)
    _declare_list(library, "devices_error", "devices_error_count", RawError)
    _declare_list(library, "match_claim", "match_count", RawClaim)
    _declare_list(library, "match_error", "match_error_count", RawError)
    for name in ("cel", "devices", "match", "allocation"):
        function = getattr(library, f"drawbridge_{name}_free")
        function.argtypes, function.restype = [c_void_p], None


def _declare_allocations(library: ctypes.CDLL) -> None:
    library.drawbridge_set_allocate.argtypes = [c_void_p, POINTER(AllocateOptions), POINTER(c_void_p)]
    library.drawbridge_set_allocate.restype = c_int
    library.drawbridge_allocation_problem.argtypes = [c_void_p]
    library.drawbridge_allocation_problem.restype = c_char_p
    for name in ("fits", "guesses_nodes"):
        function = getattr(library, f"drawbridge_allocation_{name}")
        function.argtypes, function.restype = [c_void_p], c_int
    _declare_list(library, "allocation_subject", "allocation_count", RawSubject)
    _declare_list(library, "allocation_error", "allocation_error_count", RawError)


def _declare_drivers(library: ctypes.CDLL) -> None:
    library.drawbridge_drivers_new.argtypes = [c_void_p, POINTER(Text), POINTER(c_void_p)]
    library.drawbridge_drivers_new.restype = c_int
    library.drawbridge_drivers_error.argtypes = [c_void_p]
    library.drawbridge_drivers_error.restype = POINTER(RawError)
    library.drawbridge_drivers_free.argtypes = [c_void_p]
    library.drawbridge_drivers_free.restype = None


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
    _declare_drivers(library)
    _declare_expressions(library)
    _declare_allocations(library)
    return library


library = _load()


def text(raw: Optional[bytes]) -> str:
    """A text of the library; NULL is ""."""
    return (raw or b"").decode("utf-8", "replace")


def version() -> str:
    return text(library.drawbridge_version())


def result_text(result: int) -> str:
    return text(library.drawbridge_result_text(result))
