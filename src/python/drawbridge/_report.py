"""What a validation gives back."""
from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Callable, List, Literal, Optional, Tuple, Union, overload

FailOn = Literal["error", "warning", "info", "never"]


class Severity(enum.Enum):
    """How bad a finding is."""

    ERROR = "error"
    """An API server refuses the object."""
    WARNING = "warning"
    """Documented or deprecated, but not refused."""
    INFO = "info"
    """Has no effect, or will not have one for long."""


@dataclass(frozen=True)
class Other:
    """An object with which another one clashes, and the place in it."""

    group: str
    version: str
    kind: str
    namespace: str
    name: str
    line: int
    """As of a Finding; so are the others."""
    column: int
    offset: int
    size: int
    source: str = ""


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong. `str()` gives `path: message [rule]`, and the Kubernetes versions, if it is not in all of a range."""

    severity: Severity
    rule: str
    """Id of the rule: "required", "dns-label"; "json-syntax" and "yaml-syntax" for text that does not parse."""
    reason: str
    """Kubernetes' cause type: "FieldValueInvalid"."""
    path: str
    """As Kubernetes writes it: "spec.drivers[0].name"; "" is the object itself."""
    message: str
    """In Kubernetes' form: 'Invalid value: "x": must be ...'."""
    hint: Optional[str]
    """What to write instead, where that is known."""
    line: int
    """From 1, in the text that was given. Of objects: the number of the object in the list, from 1."""
    column: int
    """From 1, in characters. Of objects: in their JSON, which nobody sees."""
    offset: int
    """Bytes from the start of the text to the value; to the name of a list or object, and of what is around it where nothing is written."""
    size: int
    """Bytes of that value or name; 0 where there is neither."""
    in_old: bool
    """Whether line, column and offset are of the older text."""
    group: str
    version: str
    kind: str
    namespace: str
    name: str
    other: Optional[Other] = None
    """The object with which this one clashes, of those that were validated together; None: nothing in particular."""
    kubernetes_versions: Tuple[str, ...] = ()
    """Of a range of versions, those in which it holds: ("1.36", "1.37"). Empty: all that were asked for."""
    source: str = ""
    """Name of the text: the path of a file, a key of {name: text}, `name`; "": it has none."""

    def __str__(self) -> str:
        versions = f" (in {', '.join(self.kubernetes_versions)})" if self.kubernetes_versions else ""
        return f"{self.path}{': ' if self.path else ''}{self.message} [{self.rule}]{versions}"


def _object_title(finding: Finding) -> str:
    """The object that a finding is about, for people."""
    if not finding.kind:
        return f"line {finding.line}, column {finding.column}"
    name = f"{finding.namespace}/{finding.name}" if finding.namespace else finding.name
    return f'{finding.kind} "{name}"' if name else finding.kind


def _printable(name: str) -> str:
    """A name of a file on one line of a terminal."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape", "surrogatepass").decode() for each in name)


def _place(finding: Finding) -> str:
    return f"{_printable(finding.source)}:{finding.line}:{finding.column}: " if finding.source else ""


def counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


class Report(Sequence[Finding]):
    """The findings of one validation, in the order of their places; a sequence that cannot be changed.

    Whether all is well is `report.ok`. A report has no truth value (`if report:` raises TypeError): as a sequence it would be
    true when something is wrong, which reads as the opposite.
    """

    def __init__(self, findings: Sequence[Finding], errors: int, warnings: int, infos: int, validated: int, skipped: int,
                 fail_on: FailOn = "error") -> None:
        self._fail_on: FailOn = fail_on
        self._findings: Tuple[Finding, ...] = tuple(findings)
        self._error_count, self._warning_count, self._info_count = errors, warnings, infos
        self._validated, self._skipped = validated, skipped

    @property
    def errors(self) -> Tuple[Finding, ...]:
        """The findings for which an API server refuses an object."""
        return tuple(finding for finding in self._findings if finding.severity is Severity.ERROR)

    @property
    def warnings(self) -> Tuple[Finding, ...]:
        """What is documented or deprecated, but not refused."""
        return tuple(finding for finding in self._findings if finding.severity is Severity.WARNING)

    @property
    def infos(self) -> Tuple[Finding, ...]:
        """What has no effect, or will not have one for long."""
        return tuple(finding for finding in self._findings if finding.severity is Severity.INFO)

    @property
    def error_count(self) -> int:
        """All errors, kept or not: at most 1,024 findings of an object and 10,000 in all are kept."""
        return self._error_count

    @property
    def warning_count(self) -> int:
        """All warnings, kept or not."""
        return self._warning_count

    @property
    def info_count(self) -> int:
        """All infos, kept or not."""
        return self._info_count

    @property
    def validated(self) -> int:
        """Objects of kinds with rules."""
        return self._validated

    @property
    def skipped(self) -> int:
        """Objects of kinds without rules, about which nothing is said."""
        return self._skipped

    @property
    def failed(self) -> bool:
        """There is a finding as bad as `fail_on` of the validation, or worse: an error, if nothing else was asked for."""
        return (self._fail_on != "never" and self._error_count > 0
                or self._fail_on in ("warning", "info") and self._warning_count > 0
                or self._fail_on == "info" and self._info_count > 0)

    @property
    def ok(self) -> bool:
        """Not failed, and something was validated. Where there may be nothing to validate, check `failed` instead."""
        return not self.failed and self._validated > 0

    def _selected(self, is_selected: Callable[[str], bool]) -> Report:
        """Without the findings of rules that are not selected. What was only counted stays counted."""
        kept = [finding for finding in self._findings if is_selected(finding.rule)]
        gone = [finding.severity for finding in self._findings if not is_selected(finding.rule)]
        return Report(
            kept, self._error_count - gone.count(Severity.ERROR), self._warning_count - gone.count(Severity.WARNING),
            self._info_count - gone.count(Severity.INFO), self._validated, self._skipped, self._fail_on)

    def __len__(self) -> int:
        return len(self._findings)

    @overload
    def __getitem__(self, index: int) -> Finding: ...
    @overload
    def __getitem__(self, index: slice) -> Tuple[Finding, ...]: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Finding, Tuple[Finding, ...]]:
        return self._findings[index]

    def __bool__(self) -> bool:
        raise TypeError("a Report is neither true nor false: use report.ok, report.errors or len(report)")

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Report) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> Tuple[object, ...]:
        return (self._findings, self._error_count, self._warning_count, self._info_count, self._validated, self._skipped, self._fail_on)

    def __repr__(self) -> str:
        return f"<Report: {self._summary()}>"

    def _summary(self) -> str:
        words = f"{counted(self._error_count, 'error')}, {counted(self._warning_count, 'warning')}, "
        words += f"{counted(self._info_count, 'info')}, " if self._info_count else ""
        words += f"{counted(self._validated, 'object')} validated"
        return words + (f", {self._skipped:,} of kinds without rules" if self._skipped else "")

    def _unlisted(self) -> List[str]:
        count = self._error_count + self._warning_count + self._info_count - len(self._findings)
        return [f"... and {count:,} more"] if count else []

    def __str__(self) -> str:
        """A line for each finding, as the linter words it, with the place in texts that have a name: `error: path: message [rule]`. Its hint
        is on a second line."""
        lines = []
        for finding in self._findings:
            lines.append(f"{_place(finding)}{finding.severity.value}: {finding}")
            if finding.hint:
                lines.append(f"  = hint: {finding.hint}")
        return "\n".join(lines + self._unlisted())

    def _describe(self) -> str:
        """Everything, object by object, for a person who reads the output of a test."""
        lines = [self._summary()]
        title = None
        for finding in self._findings:
            if _object_title(finding) != title:
                title = _object_title(finding)
                lines.append(f"  {title}:")
            lines.append(f"    {_place(finding)}{finding.severity.value}: {finding}{' (in the old object)' if finding.in_old else ''}")
            if finding.hint:
                lines.append(f"      hint: {finding.hint}")
            if finding.other:
                lines.append(f'      clashes with {finding.other.kind} "{finding.other.name}"')
        return "\n".join(lines + ["  " + words for words in self._unlisted()])


class ValidationError(AssertionError):
    """What `assert_valid` raises; the message lists all findings. `report` is the Report."""

    def __init__(self, report: Report, note: str = "") -> None:
        super().__init__(report._describe() + ("\n" + note if note else ""))
        self.report = report
        self._note = note

    def __reduce__(self) -> Tuple[Callable[[Report, str], ValidationError], Tuple[Report, str]]:
        return ValidationError, (self.report, self._note)


class LimitError(ValueError):
    """Too much. To validate: a text of more than 256 MiB, an object of more than 8 MiB, objects that take more than 1 GiB of memory,
    findings of more than 160 MiB, or objects nested too deeply. Too much to match, or a value of an expression that is too large."""
