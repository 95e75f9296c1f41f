"""Which kind a model object is of, where its class knows but its content does not say."""
from __future__ import annotations

import re
from typing import Optional, Tuple

from ._tables import kinds

# The groups of the kinds with rules: the official client's classes do not tell them apart (kubernetes.client.V1CSIDriver). There are no
# models of what other kinds have replaced.
_KINDS = {kind.kind: kind.group for kind in kinds() if kind.has_rules and kind.replaced_by is None}

# The groups of lightkube's modules: lightkube.models.storage_v1. Only groups with rules; for others the object must say it itself. Of
# the core group, "", that is so for most kinds, too.
_GROUPS = {group.partition(".")[0] or "core": group for group in _KINDS.values()}

_LIGHTKUBE_MODULE = re.compile(r"lightkube\.models\.(\w+)_(v\d+(?:(?:alpha|beta)\d+)?)")
_CLIENT_MODULE = re.compile(r"kubernetes\w*\.(?:\w+\.)*models\.")
_CLIENT_CLASS = re.compile(r"(V\d+(?:(?:alpha|beta)\d+)?)([A-Z]\w*)")


def _api_version(group: str, version: str) -> str:
    return f"{group}/{version}" if group else version


def _item(kind: str) -> str:
    """Of a list, what is in it."""
    return kind[:-4] if kind.endswith("List") else kind


def _of_lightkube_resource(model: object) -> Optional[Tuple[str, str]]:
    resource = getattr(getattr(type(model), "_api_info", None), "resource", None)
    group, version, kind = (getattr(resource, name, None) for name in ("group", "version", "kind"))
    if isinstance(group, str) and isinstance(version, str) and isinstance(kind, str):
        return _api_version(group, version), kind
    return None


def _of_lightkube_model(model: object) -> Optional[Tuple[str, str]]:
    if not (hasattr(model, "apiVersion") and hasattr(model, "kind")):
        return None
    for parent in type(model).__mro__:
        match = _LIGHTKUBE_MODULE.fullmatch(parent.__module__)
        if match and match[1] in _GROUPS and (_GROUPS[match[1]] or _item(parent.__name__) in _KINDS):
            return _api_version(_GROUPS[match[1]], match[2]), parent.__name__
    return None


def _of_client_model(model: object) -> Optional[Tuple[str, str]]:
    if not (hasattr(model, "api_version") and hasattr(model, "kind")):
        return None
    for parent in type(model).__mro__:
        match = _CLIENT_CLASS.fullmatch(parent.__name__) if _CLIENT_MODULE.match(parent.__module__) else None
        if match:
            item = _item(match[2])
            if item in _KINDS:
                return _api_version(_KINDS[item], match[1].lower()), match[2]
    return None


def api_version_and_kind(model: object) -> Tuple[Optional[str], Optional[str]]:
    """apiVersion and kind by the model's class; (None, None) where that is not known, or it is the model of a part."""
    return _of_lightkube_resource(model) or _of_lightkube_model(model) or _of_client_model(model) or (None, None)
