#!/usr/bin/env python3
"""The binary interface of libdrawbridge: what a program that was built with it relies on, a line for each thing.

    abi.py BUILD > tests/library/abi.txt

Layouts are those of 64-bit Linux. tests/release compares the list with tests/library/abi.txt.
"""
import os, re, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import header

LIST = os.path.join(header.ROOT, "tests", "library", "abi.txt")
HEAD = """\
# The binary interface of libdrawbridge, on 64-bit Linux. A test compares it (`make release-check`).
#
# Lines may be added without harm: functions, values of enums, members at the end of structures that only the library makes, and of
# struct drawbridge_options. Whatever else changes breaks programs that are built: raise the minor version (from 1.0 on the major one) in
# src/drawbridge.h and src/library/exports.map, which renames the shared library. In both cases:
#
#     make && python3 tests/library/abi.py build > tests/library/abi.txt
"""


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def symbols(library):
    """With the version that the library's map gives them."""
    for line in output("nm", "-D", "--defined-only", library).splitlines():
        name = line.split()[-1]
        if name.startswith("drawbridge_"):
            yield "symbol " + name.replace("@@", " ")


def layout():
    """Sizes, offsets and values, as the compiler has them."""
    lines = [f'printf("constant {name} %llu\\n", (unsigned long long){name});' for name in header.constants()]
    for name, members in header.structures():
        kind = f"struct {name}"
        lines.append(f'printf("{kind} %zu\\n", sizeof({kind}));')
        lines += [f'printf("{kind} %zu %zu {member}\\n", offsetof({kind}, {member}), sizeof(({kind} *)0)->{member});' for member in members]
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "layout.c"), os.path.join(folder, "layout")
        with open(source, "w") as file:
            file.write('#include "drawbridge.h"\n#include <stdio.h>\nint main(void)\n{\n' + "\n".join(lines) + "\nreturn 0;\n}\n")
        subprocess.run(["cc", "-std=c99", "-I", os.path.dirname(header.PATH), source, "-o", program], check=True)
        return output(program).splitlines()


def lines(build):
    library = os.path.join(build, "libdrawbridge.so")
    name = re.search(r"SONAME +(\S+)", output("objdump", "-p", library))[1]
    declared = [f"function {line}" for line in header.functions()] + [f"callback {line}" for line in header.callbacks()]
    return [f"name {name}", *sorted(symbols(library)), *declared, *layout()]


if __name__ == "__main__":
    sys.stdout.write(HEAD + "".join(line + "\n" for line in lines(os.path.abspath(sys.argv[1]))))
