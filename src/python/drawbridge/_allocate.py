"""Pods and claims, tried on the nodes of a cluster."""
from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Union

from . import _library
from ._devices import new_set, raise_unreadable
from ._failure import raise_failure
from ._library import RawAllocatedClaim, RawAllocationNode, RawSubject, library, text
from ._objects import sources_of
from ._report import counted

Names = Union[str, Iterable[str]]

_MAX_NAMES = 1000  # of an option, as the library takes them
_MAX_REPLICAS = 10_000
_SHOWN = 3  # nodes that say the same, in str()


@dataclass(frozen=True)
class AllocatedDevice:
    """A device that a claim gets. `str()` gives `driver/pool/name`."""

    claim: str
    """The claim's name; of one that would be made of a template, a name for it."""
    request: str
    """For which request; of one in firstAvailable `request/choice`."""
    driver: str
    pool: str
    name: str
    share: Optional[str]
    """"share-0", "share-1", …, where the device is shared: Kubernetes draws them by chance."""
    admin_access: bool
    """It stays free for others."""

    def __str__(self) -> str:
        return f"{self.driver}/{self.pool}/{self.name}"


@dataclass(frozen=True)
class AllocationNode:
    """What a node says to a pod or claim."""

    name: str
    fits: bool
    devices: Tuple[AllocatedDevice, ...]
    """What the claims get there, where it fits."""
    why: Optional[str]
    """Where it does not: "no-match", "other-nodes", "allocated-elsewhere", "in-use", "pool-unusable", "no-room", "not-together" or
    "error"."""
    words: str
    """Why not, for people."""
    doubts: Tuple[Tuple[str, str], ...]
    """What makes the answer uncertain, by id: how a release may answer otherwise."""
    steps: int
    """Of the search."""

    def __bool__(self) -> bool:
        return self.fits

    def _says(self) -> str:
        if not self.fits:
            return f"no: {self.words}"
        by_request: Dict[Tuple[str, str], List[str]] = {}
        for device in self.devices:
            by_request.setdefault((device.claim, device.request), []).append(str(device))
        with_claim = len({claim for claim, _ in by_request}) > 1
        found = (f"{claim + '.' if with_claim else ''}{request} = {', '.join(devices)}" for (claim, request), devices in by_request.items())
        return "; ".join(found) or "no more devices are needed"


@dataclass(frozen=True)
class Subject:
    """A pod, one of the pods of a workload, or a claim or template by itself."""

    kind: str
    namespace: str
    name: str
    pod: Optional[int]
    """Which one of a workload's pods, from 1; None: there is one."""
    fits: bool
    """Somewhere, or it needs no devices."""
    why: Optional[str]
    """Of all nodes together: as that of AllocationNode."""
    problem: Optional[str]
    """Why no node was tried, in the scheduler's words: a claim of the pod is not given."""
    event: Optional[str]
    """What the scheduler says about a pod that does not fit."""
    nodes: Tuple[AllocationNode, ...]
    """Those that were tried: where several pods or claims are allocated, up to the first on which it fits."""
    json: str
    """All of it as `drawbridge allocate --output json` prints it, with the status.allocation of claims."""

    def __bool__(self) -> bool:
        return self.fits

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _headline(self) -> str:
        if self.problem is not None:
            return f"must wait: {self.problem}"
        if not self.nodes:
            return "needs no devices"
        return f"fits on {sum(node.fits for node in self.nodes)} of {counted(len(self.nodes), 'node')}" if self.fits else "fits on no node"

    def _lines(self) -> Iterator[str]:
        name = f"{self.namespace}/{self.name}" if self.namespace else self.name
        yield f"{self.kind} {name}{'' if self.pod is None else f', pod {self.pod}'}: {self._headline()}"
        same: Dict[str, List[AllocationNode]] = {}
        for node in self.nodes:
            same.setdefault(f"{node.name}: {node._says()}" if node.fits else node._says(), []).append(node)
        for nodes in same.values():
            more = f" and {len(nodes) - _SHOWN:,} more" if len(nodes) > _SHOWN else ""
            yield f"  {', '.join(node.name for node in nodes[:_SHOWN])}{more}: {nodes[0]._says()}"
            yield from (f"    ! {words} ({doubt})" for doubt, words in nodes[0].doubts)
        if not self.fits and self.event is not None and self.problem is None:
            yield f"  the scheduler says: {self.event}"


@dataclass(frozen=True)
class Allocation:
    """What `drawbridge.allocate` gives: true (`if allocation:`) where everything fits somewhere. `print` shows it as a table."""

    subjects: Tuple[Subject, ...]
    guesses_nodes: bool
    """No Node is given: nodes are those that slices name, and what slices ask of labels counts as fulfilled."""

    @property
    def fits(self) -> bool:
        """Whether everything fits somewhere."""
        return all(subject.fits for subject in self.subjects)

    def __bool__(self) -> bool:
        return self.fits

    def __str__(self) -> str:
        return "\n".join(str(subject) for subject in self.subjects)


# ---- from the library ----

def _devices(raw: RawAllocatedClaim) -> Iterator[AllocatedDevice]:
    for index in range(raw.device_count):
        device = raw.devices[index].contents
        yield AllocatedDevice(
            claim=text(raw.object_name), request=text(device.request), driver=text(device.driver), pool=text(device.pool),
            name=text(device.name), share=_optional(device.share), admin_access=device.admin_access != 0)


def _optional(raw: Optional[bytes]) -> Optional[str]:
    return None if raw is None else text(raw)


def _node(raw: RawAllocationNode) -> AllocationNode:
    doubts = (raw.doubts[index].contents for index in range(raw.doubt_count))
    return AllocationNode(
        name=text(raw.name), fits=raw.fits != 0, why=_optional(raw.why), words=text(raw.words), steps=raw.steps,
        devices=tuple(device for index in range(raw.claim_count) for device in _devices(raw.claims[index].contents)),
        doubts=tuple((text(doubt.id), text(doubt.text)) for doubt in doubts))


def _subject(raw: RawSubject) -> Subject:
    return Subject(
        kind=text(raw.kind), namespace=text(raw.object_namespace), name=text(raw.object_name), pod=raw.pod or None, fits=raw.fits != 0,
        why=_optional(raw.why), problem=_optional(raw.problem), event=_optional(raw.event), json=text(raw.json),
        nodes=tuple(_node(raw.nodes[index].contents) for index in range(raw.node_count)))


def _allocation(handle: ctypes.c_void_p) -> Allocation:
    raise_unreadable(
        library.drawbridge_allocation_error_count(handle), lambda index: library.drawbridge_allocation_error(handle, index))
    problem = library.drawbridge_allocation_problem(handle)
    if problem is not None:
        raise ValueError(text(problem))
    count: int = library.drawbridge_allocation_count(handle)
    return Allocation(
        tuple(_subject(library.drawbridge_allocation_subject(handle, index).contents) for index in range(count)),
        library.drawbridge_allocation_guesses_nodes(handle) != 0)


# ---- to the library ----

def _name_list(names: Optional[Names], what: str) -> Any:
    """An array that NULL ends; None: there is none."""
    if names is None:
        return None
    if not isinstance(names, (str, Iterable)) or isinstance(names, (bytes, bytearray, Mapping)):
        raise TypeError(f"{what} is a name, a list of names or None, not {type(names).__name__}")
    wanted = [names] if isinstance(names, str) else list(names)
    for each in wanted:
        if not isinstance(each, str):
            raise TypeError(f"{what} has names, not {type(each).__name__}")
        if not each or "\0" in each:
            raise ValueError(f"{what}: {each!r:.100} is no name")
    if not wanted or len(wanted) > _MAX_NAMES:
        raise ValueError(f"{what} has 1 to {_MAX_NAMES:,} names, not {len(wanted):,}")
    return (ctypes.c_char_p * (len(wanted) + 1))(*(each.encode("utf-8", "replace") for each in wanted), None)


def _count(replicas: Optional[int]) -> int:
    if replicas is None:
        return 0
    if not isinstance(replicas, int) or isinstance(replicas, bool):
        raise TypeError(f"replicas is a number or None, not {type(replicas).__name__}")
    if not 1 <= replicas <= _MAX_REPLICAS:
        raise ValueError(f"replicas is a number from 1 to {_MAX_REPLICAS:,}")
    return replicas


def allocate_all(context: ctypes.c_void_p, objects: object, node: Optional[Names], pods: Optional[Names], without_pods: Optional[Names],
                 replicas: Optional[int], gates: str, kubernetes_version: str) -> Allocation:
    """As `drawbridge.allocate`; gates are text."""
    options = _library.AllocateOptions(
        ctypes.sizeof(_library.AllocateOptions), _name_list(node, "node"), _name_list(pods, "pods"),
        _name_list(without_pods, "without_pods"), gates.encode("utf-8", "replace") or None, _count(replicas))
    texts = [("objects", source.text) for source in sources_of(objects, "objects")]
    with new_set(context, kubernetes_version, texts) as made:
        handle = ctypes.c_void_p()
        raise_failure(library.drawbridge_set_allocate(made, options, ctypes.byref(handle)), kubernetes_version, gates=gates)
        try:
            return _allocation(handle)
        finally:
            library.drawbridge_allocation_free(handle)
