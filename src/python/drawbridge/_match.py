"""Claims matched with the devices of slices."""
from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Iterator, List, Optional, Tuple

from . import _library
from ._devices import Device, device_of, new_set, raise_unreadable
from ._failure import raise_failure
from ._library import RawCandidate, RawClaim, RawRequest, library, text
from ._objects import sources_of
from ._report import counted

_SHOWN = 3  # devices of a group in str()


@dataclass(frozen=True)
class Candidate:
    """One device and one request. `str()` gives the device and why it is not for the request."""

    device: Device
    reason: str
    """"match"; or "old-generation", "other-node", "selector-false", "selector-fails", "capacity", "pool-incomplete", "pool-invalid",
    "taint"."""
    label: str
    """The reason in two or three words: "wrong model", "tainted"."""
    words: str
    """All that keeps it out, with values; "" where it matches."""
    selector: Optional[Tuple[str, int]]
    """Where a selector decides: "class" or "request", and its index in the list there."""
    also: Tuple[str, ...]
    """Further reasons."""

    @property
    def match(self) -> bool:
        """Whether it fits."""
        return self.reason == "match"

    def __str__(self) -> str:
        return f"{self.device}: {self.words}" if self.words else str(self.device)


@dataclass(frozen=True)
class Request:
    """A request of a claim, or one of those in firstAvailable."""

    name: str
    """"": that of a DeviceClass, which is matched as a request for one of its devices."""
    choice: Optional[str]
    """Of one in firstAvailable: its name."""
    class_name: str
    mode: str
    """"ExactCount" or "All"."""
    count: Optional[int]
    """How many devices it asks for; None with "All"."""
    admin_access: bool
    enough: bool
    """Whether there are enough devices."""
    outcome: str
    """"enough", "too-few", "too-few-on-a-node", "not-all", "selector-fails", "selector-refused", "class-missing" or "mode-unknown"; after the
    last three, nothing is known of devices."""
    words: str
    """The outcome, for people."""
    matching: int
    """Devices that match."""
    groups: Tuple[Tuple[str, int], ...]
    """How many devices have the same label: those that match first, then the largest group."""
    devices: Tuple[Candidate, ...]
    """Every device, in the scheduler's order."""

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        wanted = "all devices" if self.count is None else counted(self.count, "device")
        name = f'request "{self.name}"' + (f', choice "{self.choice}"' if self.choice is not None else "") + ": " if self.name else ""
        yield f'{name}{wanted} of class "{self.class_name}": {self.words}'
        if self.devices:
            counts = ["none matches"] * (not self.matching) + [f"{count:,} {label}" for label, count in self.groups]
            yield f"  {counted(len(self.devices), 'device')}: " + ", ".join(counts)
        for label, count in self.groups:
            yield f"  {label}"
            yield from (f"    {candidate}" for candidate in [each for each in self.devices if each.label == label][:_SHOWN])
            if count > _SHOWN:
                yield f"    and {count - _SHOWN:,} more"


@dataclass(frozen=True)
class Claim:
    """A ResourceClaim, ResourceClaimTemplate or DeviceClass."""

    group: str
    version: str
    kind: str
    namespace: str
    name: str
    line: int
    """Where it begins, in the text that was given. Of objects: the number of the object in the list, from 1."""
    enough: bool
    """Whether every request has enough devices, or one of those to choose from has."""
    refusal: Optional[str]
    """Why there are no requests: the API server does not take it."""
    requests: Tuple[Request, ...]

    def __bool__(self) -> bool:
        return self.enough

    def __str__(self) -> str:
        head = f'{self.kind} "{self.name}"' + (f": {self.refusal}" if self.refusal else "")
        return "\n".join([head, *("  " + line for request in self.requests for line in request._lines())])


@dataclass(frozen=True)
class Match:
    """What `drawbridge.match` gives: true (`if match:`) where every claim has enough devices. `print` shows all, and at most three devices
    of a kind."""

    claims: Tuple[Claim, ...]

    @property
    def requests(self) -> Tuple[Request, ...]:
        """Those of all claims."""
        return tuple(request for claim in self.claims for request in claim.requests)

    def __bool__(self) -> bool:
        return all(claim.enough for claim in self.claims)

    def __str__(self) -> str:
        return "\n".join(str(claim) for claim in self.claims)


def _texts(raw: Any) -> Tuple[str, ...]:
    """Of an array that NULL ends."""
    texts: List[str] = []
    while raw[len(texts)] is not None:
        texts.append(text(raw[len(texts)]))
    return tuple(texts)


def _candidate(raw: RawCandidate) -> Candidate:
    return Candidate(
        device=device_of(raw.device.contents), reason=text(raw.reason), label=text(raw.label), words=text(raw.words),
        selector=None if raw.selector_of is None else (text(raw.selector_of), raw.selector), also=_texts(raw.also))


def _request(raw: RawRequest) -> Request:
    groups = (raw.groups[index].contents for index in range(raw.group_count))
    return Request(
        name=text(raw.name), choice=None if raw.choice is None else text(raw.choice), class_name=text(raw.class_name), mode=text(raw.mode),
        count=None if text(raw.mode) == "All" else raw.count, admin_access=raw.admin_access != 0, enough=raw.enough != 0,
        outcome=text(raw.outcome), words=text(raw.words), matching=raw.matching,
        groups=tuple((text(group.label), group.count) for group in groups),
        devices=tuple(_candidate(raw.candidates[index].contents) for index in range(raw.candidate_count)))


def _claim(raw: RawClaim) -> Claim:
    return Claim(
        group=text(raw.group), version=text(raw.version), kind=text(raw.kind), namespace=text(raw.object_namespace),
        name=text(raw.object_name), line=raw.line, enough=raw.enough != 0, refusal=None if raw.refusal is None else text(raw.refusal),
        requests=tuple(_request(raw.requests[index].contents) for index in range(raw.request_count)))


def _match(handle: ctypes.c_void_p) -> Match:
    raise_unreadable(library.drawbridge_match_error_count(handle), lambda index: library.drawbridge_match_error(handle, index))
    count: int = library.drawbridge_match_count(handle)
    if not count:
        raise ValueError("claim: no ResourceClaim, ResourceClaimTemplate or DeviceClass is in it")
    return Match(tuple(_claim(library.drawbridge_match_claim(handle, index).contents) for index in range(count)))


def _node_bytes(node: Optional[str]) -> Optional[bytes]:
    if node is None:
        return None
    if not isinstance(node, str):
        raise TypeError(f"node is the name of a node or None, not {type(node).__name__}")
    if not node or "\0" in node:
        raise ValueError(f"node {node!r} is no name of a node")
    return node.encode("utf-8", "replace")


def match_claims(context: ctypes.c_void_p, claim: object, slices: object, classes: object, node: Optional[str],
                 kubernetes_version: str) -> Match:
    """As `drawbridge.match`."""
    options = _library.MatchOptions(ctypes.sizeof(_library.MatchOptions), _node_bytes(node), b"claim")
    given = (("claim", claim), ("slices", slices), ("classes", classes))
    texts = [
        (name, source.text) for name, value in given if value is not None or name == "claim" for source in sources_of(value, name)]
    with new_set(context, kubernetes_version, texts) as objects:
        handle = ctypes.c_void_p()
        raise_failure(library.drawbridge_set_match(objects, options, ctypes.byref(handle)), kubernetes_version)
        try:
            return _match(handle)
        finally:
            library.drawbridge_match_free(handle)
