"""The versions of Kubernetes that drawbridge knows, as src/schema/rule.h has them."""
import os, re

HEADER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src", "schema", "rule.h")

with open(HEADER, encoding="utf-8") as _file:
    _MINORS = dict(re.findall(r"#define (KNOWN_\w+) +(\d+)", _file.read()))

OLDEST, NEWEST, DEFAULT = (int(_MINORS["KNOWN_" + name]) for name in ("OLDEST", "NEWEST", "DEFAULT"))


def minor_of(version):
    """37 of 1.37 and of 1.37.1"""
    return int(version.split(".")[1])
