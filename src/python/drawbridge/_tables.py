"""What is checked: rules, kinds and constraints, as the library lists them."""
from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Callable, List, Optional, Tuple

from . import _library
from ._library import RawConstraint, RawKind, RawRule, library, text
from ._report import Severity


@dataclass(frozen=True)
class Rule:
    """A rule, such as "required". Rules are generic: a Constraint is one of them at a field."""

    id: str
    """As in Finding.rule."""
    reason: str
    """Kubernetes' cause type, where a constraint gives no other: "FieldValueInvalid"."""
    asks: str
    """What it asks for, a clause: "the field is set"."""


@dataclass(frozen=True)
class Kind:
    """A kind in one API version."""

    group: str
    """"storage.k8s.io"; the core group is ""."""
    version: str
    kind: str
    resource: str
    """As in URLs: "csidrivers"."""
    role: Optional[str]
    """Its rules count only with validate_as=role; None: always."""
    since: Optional[str]
    """The first version of Kubernetes that serves it, "1.34"; None: older than those known."""
    until: Optional[str]
    """The last one; None: it is still served."""
    replaced_by: Optional[str]
    """"storage.k8s.io/v1 CSIDriver", where no API server has this API version by itself any more."""
    namespaced: bool
    """Whether objects are in a namespace."""
    partial: bool
    """Whether only the fields of its constraints are checked."""
    has_rules: bool
    """Whether it has constraints. To others, objects only refer."""

    @property
    def api_version(self) -> str:
        """As in objects: "storage.k8s.io/v1"."""
        return f"{self.group}/{self.version}" if self.group else self.version


@dataclass(frozen=True)
class Constraint:
    """One rule at one field of a kind. Each field has one of the rule "type", the first one there."""

    kind: Kind
    field: str
    """"spec.drivers[].name"; {} stands for values of a map, {key} for its keys; "" is the object itself."""
    type: str
    """Of the field: "string", "list of objects"."""
    rule: str
    """Id of the rule."""
    severity: Severity
    reason: str
    """Kubernetes' cause type: "FieldValueInvalid"."""
    asks: str
    """"must be one of a, b"."""
    when: str
    """"on create, if spec.x is set"; "": always."""
    since: Optional[str]
    """The first version of Kubernetes in which it holds, "1.34"."""
    until: Optional[str]
    gate: Optional[str]
    """The feature gate that brought the field or one around it."""
    default: Optional[str]
    """Of the rule "type": what counts where the field is not set."""
    defaulted: bool
    """Whether the API server writes the default into the object."""
    values: Tuple[str, ...]
    """Texts that it names: errors of "enum" name all that are allowed."""
    members: Tuple[str, ...]
    """Names of members."""
    key: Optional[str]
    """A single member, path or key."""
    min: Optional[int]
    """Of a number, bytes or entries, included."""
    max: Optional[int]
    source: str
    """Document or file that it is from, with version."""


def _optional(raw: Optional[bytes]) -> Optional[str]:
    return None if raw is None else text(raw)


def _texts(raw: Any) -> Tuple[str, ...]:
    """Of an array that NULL ends, or NULL."""
    texts: List[str] = []
    while raw and raw[len(texts)] is not None:
        texts.append(text(raw[len(texts)]))
    return tuple(texts)


def _rule(raw: RawRule) -> Rule:
    return Rule(text(raw.id), text(raw.reason), text(raw.asks))


def _kind(raw: RawKind) -> Kind:
    return Kind(
        group=text(raw.group), version=text(raw.version), kind=text(raw.kind), resource=text(raw.resource), role=_optional(raw.role),
        since=_optional(raw.since), until=_optional(raw.until), replaced_by=_optional(raw.replaced_by), namespaced=raw.namespaced != 0,
        partial=raw.partial != 0, has_rules=raw.has_rules != 0)


def _constraint(raw: RawConstraint) -> Constraint:
    return Constraint(
        kind=_kind(raw.kind.contents), field=text(raw.field), type=text(raw.type), rule=text(raw.rule),
        severity=Severity(_library.SEVERITIES[raw.severity]), reason=text(raw.reason), asks=text(raw.asks), when=text(raw.when),
        since=_optional(raw.since), until=_optional(raw.until), gate=_optional(raw.gate), default=_optional(raw.default_value),
        defaulted=raw.defaulted != 0, values=_texts(raw.values), members=_texts(raw.members), key=_optional(raw.key),
        min=raw.min if raw.has_min else None, max=raw.max if raw.has_max else None, source=text(raw.source))


def _collect(visitor: Callable[[Callable[[Any, Any], int]], Any], convert: Callable[[Any], Any],
             each: Callable[[Any], int]) -> Tuple[int, List[Any]]:
    """The result of `each`, and what it visited. Nothing may be raised through C: it ends the visits, and is raised afterwards."""
    found: List[Any] = []
    errors: List[BaseException] = []

    def visit(raw: Any, _: Any) -> int:
        try:
            found.append(convert(raw.contents))
        except BaseException as error:
            errors.append(error)
        return len(errors)

    result = each(visitor(visit))
    if errors:
        raise errors[0]
    return result, found


@lru_cache(maxsize=None)
def rules() -> Tuple[Rule, ...]:
    """All rules. Thread-safe."""
    return tuple(_collect(_library.RuleVisitor, _rule, lambda visit: library.drawbridge_rules_each(visit, None))[1])


@lru_cache(maxsize=None)
def kinds() -> Tuple[Kind, ...]:
    """All kinds, each API version by itself, ordered by group, version and kind. Thread-safe."""
    return tuple(_collect(_library.KindVisitor, _kind, lambda visit: library.drawbridge_kinds_each(visit, None))[1])


def constraints_of(context: ctypes.c_void_p, kind: Optional[Kind]) -> Tuple[int, Tuple[Constraint, ...]]:
    """The library's result, and the constraints."""
    if kind is not None and not isinstance(kind, Kind):
        raise TypeError(f"kind is a drawbridge.Kind or None, not {type(kind).__name__}: drawbridge.kinds() has them")
    if kind is not None and kind not in kinds():
        raise ValueError(f"{kind.api_version} {kind.kind} is not one of drawbridge.kinds()")
    raw = None if kind is None else RawKind(kind.group.encode(), kind.version.encode(), kind.kind.encode(), (kind.role or "").encode())
    result, found = _collect(
        _library.ConstraintVisitor, _constraint, lambda visit: library.drawbridge_constraints_each(context, raw, visit, None))
    return result, tuple(found)
