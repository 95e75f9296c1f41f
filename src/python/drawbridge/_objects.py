"""From what people have in hand to the texts that the library reads: text and files as they are, objects as JSON, one object a line."""
from __future__ import annotations

import datetime
import enum
import json
import math
import os
from collections.abc import Mapping
from typing import Any, Dict, List, NamedTuple, NoReturn, Optional, Sequence, Set, Tuple

from ._kinds import api_version_and_kind
from ._library import MAX_BYTES
from ._report import LimitError

_MAX_DEPTH = 64  # of objects, as the library reads them; far from Python's own limit, too
_MAX_OBJECT_BYTES = 8 << 20  # of JSON, as the library reads an object of a List
_MAX_INTEGER_BITS = 13_000  # Python refuses to write integers of more than 4,300 digits, which are 14,284 bits

_NO_OBJECTS = (str, bytes, bytearray, int, float, list, tuple, datetime.date, enum.Enum)  # though some can be converted

Identity = Tuple[str, str, str, str]


class Source(NamedTuple):
    text: bytes
    identities: Optional[Set[Identity]]
    """Group, kind, namespace and name of each object; None for text and lists, which are not read here."""
    name: str = ""


class _Converter:
    """Makes objects of what JSON has. Keeps where it is, for messages, and how much it has made of all."""

    def __init__(self) -> None:
        self.name = ""
        self.path: List[str] = []
        self.above: Set[int] = set()  # ids of what is being converted
        self.bytes = 0  # of JSON, at least
        self.begun = 0  # of them, before the object that is being converted

    def location(self) -> str:
        path = "".join(self.path).lstrip(".")
        return f"{self.name} at {path}" if path else self.name

    def wrong_type(self, value: object, advice: str) -> NoReturn:
        raise TypeError(f"{self.location()}: {type(value).__name__} cannot be validated: {advice}")

    def wrong_value(self, words: str) -> NoReturn:
        raise ValueError(f"{self.location()}: {words}")

    def spend(self, count: int) -> None:
        """Ends what would become too large before it is: the same list can be in a list many times."""
        self.bytes += count
        if self.bytes - self.begun > _MAX_OBJECT_BYTES:
            raise LimitError(f"{self.location()}: more than 8 MiB of JSON in one object")
        if self.bytes > MAX_BYTES:
            raise LimitError(f"{self.location()}: more than 256 MiB of JSON")

    def convert(self, value: Any) -> Any:
        if isinstance(value, enum.Enum):
            value = value.value
        if value is None or isinstance(value, (bool, str, int, float)):
            return self.scalar(value)
        if isinstance(value, (datetime.datetime, datetime.date)):
            return self.time(value)
        if id(value) in self.above:
            self.wrong_value("it contains itself")
        if len(self.above) == _MAX_DEPTH:
            raise LimitError(f"{self.name}: nested more than {_MAX_DEPTH} levels deep")
        self.above.add(id(value))
        self.spend(2)
        if isinstance(value, Mapping):
            plain: Any = self.mapping(value)
        elif isinstance(value, (list, tuple)):
            plain = self.sequence(value)
        else:
            plain = self.model(value)
        self.above.remove(id(value))
        return plain

    def scalar(self, value: Any) -> Any:
        if isinstance(value, float) and not math.isfinite(value):
            self.wrong_value(f"{value} is no JSON number")
        if isinstance(value, int) and value.bit_length() > _MAX_INTEGER_BITS:
            raise LimitError(f"{self.location()}: an integer of more than {_MAX_INTEGER_BITS:,} bits")
        if isinstance(value, str):
            self.check_text(value)
            self.spend(len(value))
        self.spend(2)
        return value

    def check_text(self, text: str) -> None:
        if "\0" in text:
            self.wrong_value("U+0000 in text, which no Kubernetes object can hold")
        try:
            text.encode()
        except UnicodeEncodeError as error:
            self.wrong_value(f"half of a surrogate pair, U+{ord(text[error.start]):04X}, is no character")

    def time(self, value: datetime.date) -> str:
        """RFC 3339, in UTC. A date without time is what YAML readers make of 2024-01-31, which is text for Kubernetes."""
        self.spend(12)
        if not isinstance(value, datetime.datetime):
            return value.isoformat()
        if value.utcoffset() is None:
            self.wrong_value(f"{value!r} has no time zone: say which, as in datetime.now(timezone.utc)")
        try:
            return value.astimezone(datetime.timezone.utc).replace(tzinfo=None).isoformat() + "Z"
        except OverflowError:
            self.wrong_value(f"{value!r} is not in the years 1 to 9999 of UTC")

    def mapping(self, value: Mapping[Any, Any]) -> Dict[str, Any]:
        plain: Dict[str, Any] = {}
        for key, member in value.items():
            if isinstance(key, enum.Enum):
                key = key.value
            if not isinstance(key, str):
                self.wrong_type(key, f"keys are text; this one is {key!r:.100}")
            self.check_text(key)
            self.spend(len(key) + 3)
            self.path.append("." + key)
            plain[key] = self.convert(member)
            self.path.pop()
        return plain

    def sequence(self, value: Any) -> List[Any]:
        plain = []
        is_items = self.path == [".items"]  # of a List, perhaps
        for index, element in enumerate(value):
            if is_items:
                self.begun = self.bytes
            self.path.append(f"[{index}]")
            plain.append(self.convert(element))
            self.path.pop()
        return plain

    def model(self, value: Any) -> Any:
        names = getattr(type(value), "attribute_map", None)
        if isinstance(names, Mapping):  # the official client, whose to_dict() has the names of Python
            members = {there: getattr(value, here) for here, there in names.items()}
            plain = self.mapping({name: member for name, member in members.items() if member is not None})
        elif not isinstance(value, type) and callable(getattr(value, "to_dict", None)):  # lightkube, avionix, and others
            members = value.to_dict()
            if not isinstance(members, Mapping):
                self.wrong_type(value, "its to_dict() gives no dict")
            plain = self.mapping(members)
        else:
            self.wrong_type(value, _advice(value))
        return plain


def _advice(value: object) -> str:
    if isinstance(value, os.PathLike) or callable(getattr(value, "read", None)):
        return "pass the text in it, not the file"
    if isinstance(value, (set, frozenset)):
        return "sets have no order; use a list"
    if isinstance(value, (bytes, bytearray)):
        return "JSON has no bytes; use text, in base64 where Kubernetes wants that"
    if type(value).__name__ == "Decimal":
        return "use text, as in '1.5', or a number"
    if isinstance(value, type):
        return "this is a class; make an object of it"
    return "use a dict, a list, text, a number, a bool, None, a datetime, or a model with to_dict()"


def _fill_in(model: object, plain: Dict[str, Any], name: str) -> None:
    """What the object is, where only its class says it. Nothing may be skipped because that is missing."""
    if not (plain.get("apiVersion") and plain.get("kind")):
        for key, known in zip(("apiVersion", "kind"), api_version_and_kind(model)):
            if known and not plain.get(key):
                plain[key] = known
    for key in ("apiVersion", "kind"):
        if not (isinstance(plain.get(key), str) and plain[key]):
            raise ValueError(f"{name}: {type(model).__name__} has no {key}: nobody can say what it is to be validated as")


def _identity(plain: Dict[str, Any]) -> Identity:
    metadata = plain.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    namespace, name = str(metadata.get("namespace") or "default"), str(metadata.get("name") or "")
    return plain["apiVersion"].rpartition("/")[0], plain["kind"], namespace, name


def _plain(converter: _Converter, value: object, name: str, what: str) -> Dict[str, Any]:
    converter.name = name
    converter.begun = converter.bytes
    if value is None or isinstance(value, _NO_OBJECTS) and not isinstance(value, Mapping):
        converter.wrong_type(value, f"{what} is a dict or a model with to_dict()")
    try:
        plain = converter.convert(value)
    except RecursionError:
        raise LimitError(f"{name}: nested too deeply, or it contains itself") from None
    assert isinstance(plain, dict)
    return plain


def _plain_object(converter: _Converter, value: object, name: str) -> Dict[str, Any]:
    plain = _plain(converter, value, name, "an object")
    _fill_in(value, plain, name)
    return plain


def plain_of(value: object, name: str, what: str) -> Dict[str, Any]:
    """A dict or model that is no object, but a part of one: as JSON has it. Errors are those of `sources_of`."""
    return _plain(_Converter(), value, name, what)


_TEXTS = (str, bytes, bytearray, memoryview)
_FILE_SUFFIXES = (".yaml", ".yml", ".json")


def _is_name_of_file(text: str) -> bool:
    """Text of one line without any member cannot be an object, so it may well be a path."""
    if not text.strip() or any(part in text for part in ("\n", "{", ": ")):
        return False
    return text.lower().endswith(_FILE_SUFFIXES) or os.path.exists(text)


def _source_of_text(value: Any, name: str) -> Source:
    if not isinstance(value, str):
        return Source(bytes(value), None)
    if _is_name_of_file(value):
        raise ValueError(f"{name}: {value!r:.200} is the name of a file, not the text in it: pass pathlib.Path({value!r:.200})")
    try:
        return Source(value.encode(), None)
    except UnicodeEncodeError as error:
        raise ValueError(f"{name}: half of a surrogate pair at character {error.start} is no character") from None


def _source_of_file(value: os.PathLike[Any], name: str) -> Source:
    path = os.fsdecode(value)
    if os.path.isdir(path):
        raise IsADirectoryError(f"{name}: {path!r} is a folder: pass its files, such as list(pathlib.Path({path!r}).rglob('*.yaml'))")
    with open(path, "rb") as file:
        text = file.read(MAX_BYTES + 1)
    if len(text) > MAX_BYTES:
        raise LimitError(f"{name}: {path!r} has more than 256 MiB")
    return Source(text, None, path)


def _source_of_objects(values: Sequence[object], names: List[str]) -> Source:
    """One object a line. The line of a path, which is a source of its own, is empty: lines are the numbers of elements in the list."""
    converter = _Converter()
    objects: List[Dict[str, Any]] = []
    lines = []
    for value, name in zip(values, names):
        if isinstance(value, os.PathLike):
            lines.append("")
            continue
        objects.append(_plain_object(converter, value, name))
        lines.append(json.dumps(objects[-1], ensure_ascii=False, allow_nan=False, separators=(",", ":")))
    lists = any(each["kind"].endswith("List") for each in objects)
    return Source("\n".join(lines).encode(), None if lists else {_identity(each) for each in objects})


def _is_named_texts(value: object) -> bool:
    """{name: text}; whatever has one of the members that make an object is none."""
    return (isinstance(value, Mapping) and len(value) > 0 and not ("apiVersion" in value or "kind" in value)
            and all(isinstance(key, str) and isinstance(text, _TEXTS) for key, text in value.items()))


def sources_of(value: Any, name: str) -> List[Source]:
    """The texts of `value`, which messages call `name`. TypeError, ValueError and LimitError say what cannot be validated, and where;
    OSError says which file cannot be read."""
    if isinstance(value, _TEXTS):
        return [_source_of_text(value, name)]
    if isinstance(value, os.PathLike):
        return [_source_of_file(value, name)]
    if _is_named_texts(value):
        return [_source_of_text(text, f"{name}[{key!r:.200}]")._replace(name=key) for key, text in value.items()]
    if not isinstance(value, (list, tuple)):
        return [_source_of_objects([value], [name])]
    files = [_source_of_file(each, f"{name}[{index}]") for index, each in enumerate(value) if isinstance(each, os.PathLike)]
    if files and len(files) == len(value):
        return files
    return [_source_of_objects(value, [f"{name}[{index}]" for index in range(len(value))]), *files]
