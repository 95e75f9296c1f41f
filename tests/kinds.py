"""The rows of rules/kinds.def, for tests: one for each API version of a kind."""
import os, re
from typing import NamedTuple

TABLE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "rules", "kinds.def")
ROW = re.compile(r"^KIND\((.*?)\)$(?=\nKIND\(|\n*\Z)", re.M | re.S)
ARGUMENT = re.compile(r'\w+\((?:"[^"]*"|[^()"])*\)|"[^"]*"|[^\s,"][^,"]*')
MODIFIER = re.compile(r"(\w+)\((.*)\)", re.S)


class Kind(NamedTuple):
    group: str
    version: str
    kind: str
    resource: str
    traits: frozenset
    since: int  # minor version of Kubernetes; 0: none known is older
    until: int  # 0: it is still served
    modifiers: dict  # name: what stands in its parentheses

    namespaced = property(lambda self: "NAMESPACED" in self.traits)
    whole = property(lambda self: "KIND_PARTIAL" not in self.traits)  # all fields are validated
    current = property(lambda self: "REPLACED_BY" not in self.modifiers)  # API servers serve it
    api_version = property(lambda self: f"{self.group}/{self.version}" if self.group else self.version)


def rows():
    with open(TABLE, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/\n?", "", file.read(), flags=re.S)
    found = []
    for row in ROW.findall(text):
        arguments = ARGUMENT.findall(row)
        names = [argument.strip('"') for argument in arguments[:4]]
        traits = frozenset(word.strip() for word in arguments[5].split("|"))
        found.append(Kind(*names, traits, int(arguments[6]), int(arguments[7]), dict(MODIFIER.fullmatch(argument).groups() for argument in arguments[8:])))
    return found


def served(minor=None):
    """Those that an API server has (None: of any version) and drawbridge validates wholly: what a webhook is for."""
    found = [row for row in rows() if row.whole and row.current]
    return [row for row in found if minor is None or row.since <= minor <= (row.until or minor)]


def versions(minor):
    """{kind: its API versions} of served(minor): v1, betas with the newest first, alphas."""
    found = {}
    for row in sorted(served(minor), key=lambda row: (row.version == "v1", row.version), reverse=True):
        found.setdefault(row.kind, []).append(row.api_version)
    return found


def written_by(who, modifier="WRITTEN_BY"):
    """Names of the kinds with such a modifier, in the order of the table: PEOPLE or CONTROLLERS; STATUS_WRITTEN_BY for the status."""
    return [row.kind for row in rows() if row.modifiers.get(modifier, "").startswith(who + ",")]
