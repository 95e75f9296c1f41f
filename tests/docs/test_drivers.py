#!/usr/bin/env python3
"""Files with drivers: the JSON Schema and the manual page have the members, words and limits that the program reads, and each driver of
rules/drivers/ is in the manual page of lint.

    test_drivers.py BUILD
"""
import glob, json, os, re, sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

TABLES = {"driver": "", "table": "table", "row": "row"}  # of driver_file.c: where the schema has it


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def fields(code, table):
    return re.findall(r'FIELD\("(\w+)"', re.search(rf"{table}_fields\[\] = {{(.*?)\n}};", code, re.S)[1])


def limits():
    return {name: int(number) for name, number in re.findall(r"#define (LIMIT_\w+) (\d+)u", read("src", "validate", "limits.h") + read("src", "check", "limits.h"))}


def main():
    tap, limit = Tap(), limits()
    code, schema, page = read("src", "validate", "driver_file.c"), json.loads(read("rules", "drivers", "schema.json")), read("src", "cli", "man", "drawbridge-drivers.5.md")
    shapes = {"": schema, **schema["$defs"]}
    documented = set(re.findall(r"`(\w+)`", "\n".join(re.findall(r"^(`.*)\n:", page, re.M))))
    for table, where in TABLES.items():
        tap.equal(sorted(shapes[where]["properties"]), sorted(fields(code, table)), f"the schema has the members of a {table}")
        tap.equal(sorted(set(fields(code, table)) - documented), [], f"the manual page has the members of a {table}")
    row, table = shapes["row"]["properties"], shapes["table"]["properties"]
    words = re.findall(r'\[PARAMETER_\w+\] = "(\w+)"', code)
    tap.equal(row["type"]["enum"], words, "the schema has the types")
    tap.ok(all(f"**{word}**" in page for word in words + table["of"]["enum"]), "the manual page has the types and places")
    for found, name in ((schema["properties"]["parameters"]["maxItems"], "LIMIT_PARAMETER_TABLES"), (table["rows"]["maxItems"], "LIMIT_PARAMETERS"),
                        (row["enum"]["maxItems"], "LIMIT_PARAMETER_VALUES"), (row["needs"]["maxProperties"], "LIMIT_PARAMETER_NEEDS"),
                        (row["name"]["maxLength"], "LIMIT_PARAMETER_TEXT_BYTES"), (row["pattern"]["maxLength"] + 1, "LIMIT_PARAMETER_PATTERN_BYTES")):
        tap.equal(found, limit[name], f"the schema has {name}")
        tap.ok(name == "LIMIT_PARAMETER_PATTERN_BYTES" or re.search(rf"\b{limit[name]}\b", page), f"the manual page has {name}")
    rows = "".join(read(path) for path in sorted(glob.glob(os.path.join(ROOT, "rules", "drivers", "*.c"))))
    names = re.findall(r'DRIVER_ROWS\(\s*"\*?([^"]+)"', rows)
    listed = " ".join(read("src", "cli", "man", "drawbridge-lint.1.md").split())
    tap.equal(len(names), len(re.findall(r"^DRIVER\(", read("rules", "drivers", "drivers.def"), re.M)), f"{len(names)} drivers, each in drivers.def")
    tap.equal([name for name in names if name not in listed], [], "the manual page of lint names each driver")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
