"""Validations: contexts, and the functions that share one."""
from __future__ import annotations

import ctypes
import difflib
import os
import threading
import weakref
from contextlib import contextmanager
from typing import Any, Callable, FrozenSet, Iterable, Iterator, List, Literal, Mapping, Optional, Sequence, Tuple, Union, get_args

from . import _library
from ._allocate import Allocation, Names, allocate_all
from ._cel import Expression
from ._failure import DEFAULT_VERSION, bad_gates, bad_role, raise_failure, version_bytes
from ._library import RawFinding, RawOther, library, text
from ._match import Match, match_claims
from ._objects import Source, sources_of
from ._report import FailOn, Finding, Other, Report, Severity, ValidationError
from ._tables import Constraint, Kind, constraints_of, rules

UnknownFields = Literal["error", "warn", "ignore"]
FeatureGates = Union[str, Mapping[str, bool]]
RuleIds = Union[str, Iterable[str]]
Drivers = Union[str, bytes, "os.PathLike[Any]"]


def _other(raw: RawOther) -> Other:
    return Other(
        group=text(raw.group), version=text(raw.version), kind=text(raw.kind),
        namespace=text(raw.object_namespace), name=text(raw.object_name),
        line=raw.line, column=raw.column, offset=raw.offset, size=raw.size, source=text(raw.source))


def _texts(raw: Any) -> Iterator[str]:
    """A list of texts that is ended by NULL."""
    for each in raw:
        if each is None:
            return
        yield text(each)


def _finding(raw: RawFinding) -> Finding:
    return Finding(
        severity=Severity(_library.SEVERITIES[raw.severity]),
        rule=text(raw.rule), reason=text(raw.reason), path=text(raw.path), message=text(raw.message),
        hint=None if raw.hint is None else text(raw.hint),
        line=raw.line, column=raw.column, offset=raw.offset, size=raw.size, in_old=raw.in_old != 0,
        group=text(raw.group), version=text(raw.version), kind=text(raw.kind),
        namespace=text(raw.object_namespace), name=text(raw.object_name),
        other=_other(raw.other.contents) if raw.other else None,
        kubernetes_versions=tuple(_texts(raw.kubernetes_versions)) if raw.kubernetes_versions else (),
        source=text(raw.source))


def _report(handle: ctypes.c_void_p, fail_on: FailOn) -> Report:
    count: int = library.drawbridge_report_count(handle)
    findings: List[Finding] = [_finding(library.drawbridge_report_finding(handle, index).contents) for index in range(count)]
    return Report(
        findings, library.drawbridge_report_errors(handle), library.drawbridge_report_warnings(handle),
        library.drawbridge_report_infos(handle), library.drawbridge_report_validated(handle), library.drawbridge_report_skipped(handle),
        fail_on)


def _gates_text(gates: FeatureGates) -> str:
    """As kube-apiserver's --feature-gates."""
    if isinstance(gates, str):
        text = gates
    elif isinstance(gates, Mapping):
        for name, on in gates.items():
            if not isinstance(name, str) or not isinstance(on, bool):
                raise TypeError(f"feature_gates maps names to bool, not {name!r} to {on!r}")
            if "," in name or "=" in name:
                raise bad_gates(name)
        text = ",".join(f"{name}={'true' if on else 'false'}" for name, on in gates.items())
    else:
        raise TypeError(f"feature_gates is text, a mapping of names to bool, or None, not {type(gates).__name__}")
    if "\0" in text:
        raise bad_gates(text)
    return text


def _options(kubernetes_version: str, unknown_fields: str, as_status: bool, validate_as: Optional[str], gates: str,
             suppressions: bool) -> _library.Options:
    version = version_bytes(kubernetes_version)
    if unknown_fields not in _library.UNKNOWN_FIELDS:
        raise ValueError(f'unknown_fields is "error", "warn" or "ignore", not {unknown_fields!r}')
    if validate_as is not None and not isinstance(validate_as, str):
        raise TypeError(f"validate_as is the name of a role or None, not {type(validate_as).__name__}")
    role = None if validate_as is None else validate_as.encode("utf-8", "replace")
    if role is not None and b"\0" in role:
        raise bad_role(validate_as)
    return _library.Options(ctypes.sizeof(_library.Options), version, _library.UNKNOWN_FIELDS[unknown_fields], int(bool(as_status)), role,
                            gates.encode("utf-8", "replace"), None, int(bool(suppressions)))


def _rule_ids(ids: Optional[RuleIds], name: str) -> Optional[FrozenSet[str]]:
    """The rules of `select` or `ignore`: a list of ids, or text with commas between them."""
    if ids is None:
        return None
    if not isinstance(ids, (str, Iterable)):
        raise TypeError(f"{name} has ids of rules, not {type(ids).__name__}")
    wanted = [each.strip() for each in ids.split(",")] if isinstance(ids, str) else list(ids)
    known = {rule.id for rule in rules()}
    for each in wanted:
        if not isinstance(each, str):
            raise TypeError(f"{name} has ids of rules, not {type(each).__name__}")
        if each not in known:
            near = difflib.get_close_matches(each, known, 1)
            meant = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"{name}: {each!r:.100} is no rule: drawbridge.rules() lists them{meant}")
    return frozenset(wanted)


def _selection(select: Optional[RuleIds], ignore: Optional[RuleIds]) -> Callable[[str], bool]:
    only, never = _rule_ids(select, "select"), _rule_ids(ignore, "ignore")
    return lambda rule: (only is None or rule in only) and (never is None or rule not in never)


def _check_fail_on(fail_on: str) -> None:
    if fail_on not in get_args(FailOn):
        raise ValueError(f'fail_on is "error", "warning", "info" or "never", not {fail_on!r:.100}')


def _check_pairs(new: Sequence[Source], old: Sequence[Source]) -> None:
    """An old object that belongs to nothing would be ignored, and the update validated as a creation."""
    if any(source.identities is None for source in (*new, *old)):
        return
    identities = {each for source in new for each in source.identities or ()}
    old_identities = {each for source in old for each in source.identities or ()}
    if identities and old_identities and not identities & old_identities:
        _, kind, namespace, name = sorted(old_identities - identities)[0]
        raise ValueError(
            f'old has no older object of any in obj, but {kind} "{name}" in namespace "{namespace}": '
            "updates keep group, kind, namespace and name")


def _named(sources: List[Source], name: Optional[str]) -> List[Source]:
    if name is None:
        return sources
    if not isinstance(name, str):
        raise TypeError(f"name is text or None, not {type(name).__name__}")
    if len(sources) != 1:
        raise ValueError("name is the name of one text, and obj has several")
    return [sources[0]._replace(name=name)]


def _name_bytes(source: Source) -> bytes:
    if "\0" in source.name:
        raise ValueError("U+0000 in the name of a text")
    return source.name.encode("utf-8", "replace")


@contextmanager
def _drivers_of(context: ctypes.c_void_p, drivers: Optional[Drivers]) -> Iterator[ctypes.c_void_p]:
    """What a file with the parameters of drivers says; NULL: there is none. A ValueError says what is wrong with it."""
    handle = ctypes.c_void_p()
    if drivers is None:
        yield handle
        return
    if not isinstance(drivers, (str, bytes, os.PathLike)):
        raise TypeError(f"drivers is a pathlib.Path, text or None, not {type(drivers).__name__}")
    (source,) = sources_of(drivers, "drivers")
    raise_failure(library.drawbridge_drivers_new(context, _text(source), ctypes.byref(handle)), "")
    try:
        wrong = library.drawbridge_drivers_error(handle)
        if wrong:
            error = wrong.contents
            place = f"{source.name}:{error.line}:{error.column}" if source.name else f"line {error.line}, column {error.column}"
            raise ValueError(f"drivers: {place}: {text(error.message)}")
        yield handle
    finally:
        library.drawbridge_drivers_free(handle)


def _text(source: Source) -> _library.Text:
    return _library.Text(source.text, len(source.text))


def _run(context: ctypes.c_void_p, options: _library.Options, new: Sequence[Source], old: Sequence[Source], handle: ctypes.c_void_p) -> int:
    """Sets the handle to a report, if the result is OK. One text without a name needs no set, which would copy it."""
    if len(new) == 1 and len(old) < 2 and not any(source.name for source in (*new, *old)):
        result: int = library.drawbridge_validate(context, options, _text(new[0]), _text(old[0]) if old else None, ctypes.byref(handle))
        return result
    made = ctypes.c_void_p()
    result = library.drawbridge_set_new(context, options, ctypes.byref(made))
    try:
        for add, sources in ((library.drawbridge_set_add, new), (library.drawbridge_set_add_old, old)):
            for source in sources:
                result = result or add(made, _name_bytes(source), _text(source))
        return result or library.drawbridge_set_validate(made, ctypes.byref(handle))
    finally:
        library.drawbridge_set_free(made)


class Context:
    """What validations share: compiled patterns. Any number of threads may use one at the same time. The module's functions use
    one of their own; another is of use to have its memory freed, which happens when nothing refers to it any more. Reports and
    constraints are copies, which outlive it. Raises MemoryError if there is no memory."""

    def __init__(self) -> None:
        handle = ctypes.c_void_p()
        raise_failure(library.drawbridge_context_new(None, ctypes.byref(handle)), "")
        self._handle = handle
        weakref.finalize(self, library.drawbridge_context_free, handle).atexit = False  # threads may still be at work then

    def validate(self, obj: object, old: object = None, *, kubernetes_version: str = DEFAULT_VERSION,
                 unknown_fields: UnknownFields = "error", as_status: bool = False, validate_as: Optional[str] = None,
                 feature_gates: Optional[FeatureGates] = None, select: Optional[RuleIds] = None,
                 ignore: Optional[RuleIds] = None, fail_on: FailOn = "error", name: Optional[str] = None,
                 drivers: Optional[Drivers] = None, suppressions: bool = False) -> Report:
        """As `drawbridge.validate`."""
        gates = "" if feature_gates is None else _gates_text(feature_gates)
        options = _options(kubernetes_version, unknown_fields, as_status, validate_as, gates, suppressions)
        is_selected = _selection(select, ignore)
        _check_fail_on(fail_on)
        new_sources = _named(sources_of(obj, "obj"), name)
        old_sources = [] if old is None else sources_of(old, "old")
        _check_pairs(new_sources, old_sources)
        handle = ctypes.c_void_p()
        with _drivers_of(self._handle, drivers) as options.drivers:
            raise_failure(_run(self._handle, options, new_sources, old_sources, handle), kubernetes_version, validate_as, gates)
        try:
            return _report(handle, fail_on)._selected(is_selected)
        finally:
            library.drawbridge_report_free(handle)

    def assert_valid(self, obj: object, old: object = None, *, kubernetes_version: str = DEFAULT_VERSION,
                     unknown_fields: UnknownFields = "error", as_status: bool = False, validate_as: Optional[str] = None,
                     feature_gates: Optional[FeatureGates] = None, select: Optional[RuleIds] = None, ignore: Optional[RuleIds] = None,
                     fail_on: FailOn = "error", name: Optional[str] = None,
                     drivers: Optional[Drivers] = None, suppressions: bool = False, allow_unvalidated: bool = False) -> Report:
        """As `drawbridge.assert_valid`."""
        __tracebackhide__ = True  # pytest shows the line of the test
        report = self.validate(
            obj, old, kubernetes_version=kubernetes_version, unknown_fields=unknown_fields, as_status=as_status, validate_as=validate_as,
            feature_gates=feature_gates, select=select, ignore=ignore, fail_on=fail_on, name=name, drivers=drivers,
            suppressions=suppressions)
        if report.failed:
            raise ValidationError(report)
        if not report.validated and not allow_unvalidated:
            raise ValidationError(report, _nothing_validated(obj, report))
        return report

    def cel(self, expression: str, *, any_type: bool = False, kubernetes_version: str = DEFAULT_VERSION) -> Expression:
        """As `drawbridge.cel`."""
        return Expression(self._handle, self, expression, any_type, kubernetes_version)

    def match(self, claim: object, slices: object, classes: object = None, *, node: Optional[str] = None,
              kubernetes_version: str = DEFAULT_VERSION) -> Match:
        """As `drawbridge.match`."""
        return match_claims(self._handle, claim, slices, classes, node, kubernetes_version)

    def allocate(self, objects: object, *, node: Optional[Names] = None, pods: Optional[Names] = None, without_pods: Optional[Names] = None,
                 replicas: Optional[int] = None, feature_gates: Optional[FeatureGates] = None,
                 kubernetes_version: str = DEFAULT_VERSION) -> Allocation:
        """As `drawbridge.allocate`."""
        gates = "" if feature_gates is None else _gates_text(feature_gates)
        return allocate_all(self._handle, objects, node, pods, without_pods, replicas, gates, kubernetes_version)

    def constraints(self, kind: Optional[Kind] = None) -> Tuple[Constraint, ...]:
        """As `drawbridge.constraints`."""
        result, found = constraints_of(self._handle, kind)
        raise_failure(result, "")
        return found


def _nothing_validated(obj: object, report: Report) -> str:
    words = "nothing was validated: "
    if report.skipped:
        words += "there are no rules for the kinds (or their API versions) of these objects"
    else:
        words += "there is no object with apiVersion and kind in it"
    return words + ". allow_unvalidated=True accepts that."


_lock = threading.Lock()
_shared: Optional[Context] = None


def _context() -> Context:
    global _shared
    if _shared is None:
        with _lock:
            if _shared is None:
                _shared = Context()
    return _shared


def validate(obj: object, old: object = None, *, kubernetes_version: str = DEFAULT_VERSION, unknown_fields: UnknownFields = "error",
             as_status: bool = False, validate_as: Optional[str] = None,
             feature_gates: Optional[FeatureGates] = None, select: Optional[RuleIds] = None, ignore: Optional[RuleIds] = None,
             fail_on: FailOn = "error", name: Optional[str] = None,
             drivers: Optional[Drivers] = None, suppressions: bool = False) -> Report:
    """Validates objects as a Kubernetes API server validates their creation, or, with older objects, their update.

    obj: a dict; a model of lightkube, avionix or the official client, or anything else whose to_dict() gives Kubernetes' names; a list or
        tuple of these; or text (str or bytes) of JSON or YAML, any number of documents; or a file, as pathlib.Path, or a list of them; or
        {name: text}. Names and paths come back in findings, as `source`. All are validated together. Lists (of kind List or CSIDriverList)
        are expanded. In objects, datetimes with a time zone become RFC 3339, tuples become lists, enumerations their values. Models that do
        not carry apiVersion and kind get them from their class.
    old: the same, of the objects as they are stored. Objects belong together by group, kind, namespace and name; those without
        a counterpart are validated as created.
    kubernetes_version: of the API server to validate as: "1.31" to "1.37", "v1.34.2". Or a range, "1.34..1.37": as each of them; a
        finding that is not in all of them names those that it is in.
    unknown_fields: what a field is that the kind does not have: "error", "warn", or "ignore".
    as_status: validate updates of the status subresource; without `old`, of the same object without status.
    validate_as: a role: validate objects of its kind by what the role asks of them. "recycler-pod-template": a Pod.
    feature_gates: of the API server: {"DRAConsumableCapacity": True}, or "DRAConsumableCapacity=true,AllBeta=false"; others are as that
        version has them by default. A field whose gate is off is left out, with a warning.
    suppressions: comments in texts ("# drawbridge: ignore[RULE] reason") and the annotation drawbridge.dev/ignore suppress findings, as
        for `drawbridge lint`; those that are wrong or suppress nothing are warnings.

    Returns a Report, whatever is wrong with the objects, even with text that does not parse. Raises

    TypeError: obj or old is or holds something that is no JSON: a file, a set, bytes, a Decimal, a key that is no text.
    ValueError: NaN or infinity; U+0000 in text; a datetime without time zone; an object that contains itself; an object or model without
        apiVersion and kind; old objects none of which belongs to one in obj; options that do not exist; the
        name of a file as text, where its pathlib.Path or the text in it was meant.
    OSError: a file that cannot be read.
    LimitError (a ValueError): more than 256 MiB of text or JSON in obj or old, more than 8 MiB in one object that is no text; objects that
        take more than 1 GiB of memory, findings of more than 160 MiB; objects nested more than 64 levels deep.
    MemoryError: there is no memory.

    Thread-safe, and does not hold the GIL while it validates.
    """
    return _context().validate(
        obj, old, kubernetes_version=kubernetes_version, unknown_fields=unknown_fields, as_status=as_status, validate_as=validate_as,
        feature_gates=feature_gates, select=select, ignore=ignore, fail_on=fail_on, name=name, drivers=drivers,
        suppressions=suppressions)


def assert_valid(obj: object, old: object = None, *, kubernetes_version: str = DEFAULT_VERSION, unknown_fields: UnknownFields = "error",
                 as_status: bool = False, validate_as: Optional[str] = None,
                 feature_gates: Optional[FeatureGates] = None, select: Optional[RuleIds] = None, ignore: Optional[RuleIds] = None,
                 fail_on: FailOn = "error", name: Optional[str] = None,
                 drivers: Optional[Drivers] = None, suppressions: bool = False, allow_unvalidated: bool = False) -> Report:
    """Raises ValidationError, an AssertionError that lists all findings, when `validate` finds an error, or what else `fail_on` names.

    Also when nothing was validated, because there is no object of a kind with rules, unless allow_unvalidated is set: a misspelled
    kind must not pass. Otherwise returns the Report, which may have warnings. Arguments and other exceptions are those of
    `validate`.
    """
    __tracebackhide__ = True
    return _context().assert_valid(
        obj, old, kubernetes_version=kubernetes_version, unknown_fields=unknown_fields, as_status=as_status, validate_as=validate_as,
        feature_gates=feature_gates, select=select, ignore=ignore, fail_on=fail_on, name=name, drivers=drivers,
        suppressions=suppressions, allow_unvalidated=allow_unvalidated)


def cel(expression: str, *, any_type: bool = False, kubernetes_version: str = DEFAULT_VERSION) -> Expression:
    """Compiles a CEL expression, of a device selector, as the API server does.

    expression: text of at most 10,240 bytes.
    any_type: the result may be of any type, as that of `device.attributes["gpu.acme.dev"]`; otherwise it must be true or false.
    kubernetes_version: of the API server and scheduler: "1.31" to "1.37", "v1.34.2"; no range.

    Returns an Expression, whatever is wrong with it: `errors`, `hint`. Its `evaluate` says what it is on a device. Raises TypeError if
    expression is no text, ValueError for an unknown version, MemoryError if there is no memory. Thread-safe.
    """
    return _context().cel(expression, any_type=any_type, kubernetes_version=kubernetes_version)


def match(claim: object, slices: object, classes: object = None, *, node: Optional[str] = None,
          kubernetes_version: str = DEFAULT_VERSION) -> Match:
    """Says for each request of a claim which devices fit it and why others do not, as `drawbridge match` and the scheduler do.

    claim: ResourceClaims or ResourceClaimTemplates, or if there are none, DeviceClasses: all that `drawbridge.validate` takes.
    slices: the same, of ResourceSlices.
    classes: the same, of DeviceClasses; also of DeviceTaintRules and Nodes. It does not matter in which of the three these are.
    node: only devices that can be used on the node of that name. Its labels are those of the Node, if one is given.
    kubernetes_version: match as the scheduler of that version: "1.31" to "1.37", "v1.34.2"; no range.

    Returns a Match, which is true where every request has enough devices. Each request is looked at alone; what other claims have taken
    does not count. Raises

    TypeError: an argument is no such thing.
    ValueError: claim has none; something cannot be read: text that does not parse, values of wrong types; and as `drawbridge.validate`.
    LimitError (a ValueError): too much to match in bounded time and memory; and as `drawbridge.validate`.
    MemoryError: there is no memory.

    Thread-safe, and does not hold the GIL while it matches.
    """
    return _context().match(claim, slices, classes, node=node, kubernetes_version=kubernetes_version)


def allocate(objects: object, *, node: Optional[Names] = None, pods: Optional[Names] = None, without_pods: Optional[Names] = None,
             replicas: Optional[int] = None, feature_gates: Optional[FeatureGates] = None,
             kubernetes_version: str = DEFAULT_VERSION) -> Allocation:
    """Says on which nodes pods and claims fit, with which devices, and if not, why not, as `drawbridge allocate` and the scheduler do.

    objects: all that `drawbridge.validate` takes: the cluster (Nodes, ResourceSlices, DeviceClasses, DeviceTaintRules, allocated
        ResourceClaims, Pods) and what is to be allocated: Pods that wait for devices, workloads that are manifests, or if there are none,
        ResourceClaims and ResourceClaimTemplates.
    node: only on the node of that name, or on those.
    pods: only that pod, workload, claim or template, or those: "name", "namespace/name", "kind/name" or "kind/namespace/name".
    without_pods: as if these pods were gone, with the claims that only they have.
    replicas: so many pods of each workload, or so many claims, 1 to 10,000; None: as many as they say.
    feature_gates: of the scheduler: as for `drawbridge.validate`.
    kubernetes_version: allocate as the scheduler of that version: "1.35" to "1.37", "v1.36.2"; no range.

    Returns an Allocation, which is true where everything fits. Several are placed one after the other: what one gets, the next one does
    not. Raises

    TypeError: an argument is no such thing.
    ValueError: there is nothing to allocate, or no node; node or pods name nothing that is given; something cannot be read; and as
        `drawbridge.validate`.
    LimitError (a ValueError): too much to allocate in bounded time and memory; and as `drawbridge.validate`.
    MemoryError: there is no memory.

    Thread-safe, and does not hold the GIL while it allocates.
    """
    return _context().allocate(
        objects, node=node, pods=pods, without_pods=without_pods, replicas=replicas, feature_gates=feature_gates,
        kubernetes_version=kubernetes_version)


def constraints(kind: Optional[Kind] = None) -> Tuple[Constraint, ...]:
    """All constraints, field by field, as `drawbridge rules` lists them. Those of the rule "type" list the fields.

    kind: one of `kinds()`; None: of all kinds, each API version by itself.

    Raises TypeError or ValueError if kind is none of `kinds()`, MemoryError if there is no memory. Thread-safe.
    """
    return _context().constraints(kind)
