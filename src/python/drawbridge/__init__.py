"""Validates Kubernetes storage and device objects as a Kubernetes API server does.

    import drawbridge

    report = drawbridge.validate(text_or_dict_or_model)
    drawbridge.assert_valid(text_or_dict_or_model)  # in tests

rules(), kinds() and constraints() list what is checked.
"""
from ._library import MAX_BYTES, version as _version
from ._report import Finding, LimitError, Other, Report, Severity, ValidationError
from ._tables import Constraint, Kind, Rule, kinds, rules
from ._validate import Context, assert_valid, constraints, validate

__version__ = _version()
"""The version of the library, which is the package's."""

__all__ = [
    "MAX_BYTES", "Constraint", "Context", "Finding", "Kind", "LimitError", "Other", "Report", "Rule", "Severity", "ValidationError",
    "assert_valid", "constraints", "kinds", "rules", "validate",
]
