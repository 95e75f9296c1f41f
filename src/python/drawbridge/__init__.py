"""Validates Kubernetes storage and device objects as a Kubernetes API server does.

    import drawbridge

    report = drawbridge.validate(text_or_dict_or_model)
    drawbridge.assert_valid(text_or_dict_or_model)  # in tests

    drawbridge.cel("device.driver == 'gpu.acme.dev'").evaluate(device)  # a selector
    print(drawbridge.match(claim, slices, classes))                     # which devices fit, and why others do not
    print(drawbridge.allocate(objects))                         # where pods and claims fit, and why not elsewhere

rules(), kinds() and constraints() list what is checked.
"""
from ._allocate import AllocatedDevice, Allocation, AllocationNode, Subject
from ._cel import CelError, Evaluation, Expression
from ._devices import Device
from ._library import MAX_BYTES, version as _version
from ._match import Candidate, Claim, Match, Request
from ._report import Finding, LimitError, Other, Report, Severity, ValidationError
from ._tables import Constraint, Kind, Rule, kinds, rules
from ._validate import Context, allocate, assert_valid, cel, constraints, match, validate

__version__ = _version()
"""The version of the library, which is the package's."""

__all__ = [
    "MAX_BYTES", "AllocatedDevice", "Allocation", "AllocationNode", "Candidate", "CelError", "Claim", "Constraint", "Context",
    "Device", "Evaluation", "Expression", "Finding", "Kind", "LimitError", "Match", "Other", "Report", "Request", "Rule",
    "Severity", "Subject", "ValidationError", "allocate", "assert_valid", "cel", "constraints", "kinds", "match", "rules",
    "validate",
]
