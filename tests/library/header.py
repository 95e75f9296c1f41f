"""What src/drawbridge.h declares, for tests."""
import os, re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PATH = os.path.join(ROOT, "src", "drawbridge.h")


def text():
    with open(PATH, encoding="utf-8") as file:
        return file.read()


def version():
    return re.search(r'^#define DRAWBRIDGE_VERSION "(.*)"', text(), re.M)[1]


def abi():
    """The number in the shared library's name: MAJOR, or 0.MINOR before 1.0."""
    return re.match(r"0\.\d+|\d+", version())[0]


def without_comments():
    return re.sub(r"/\*.*?\*/", "", text(), flags=re.S)


def functions(source=None):
    """The declarations of functions, without attributes, each on one line."""
    source = without_comments() if source is None else source
    source = re.sub(r"DRAWBRIDGE_API|DRAWBRIDGE_MUST_USE|^#[^\n]*", "", source, flags=re.M)
    found = re.findall(r"^ *\w[^;{}]*\bdrawbridge_\w+\([^;]*;", source, re.M)
    return sorted(" ".join(line.split()).replace(" ;", ";") for line in found)


def function_names():
    return sorted(re.search(r"\b(drawbridge_\w+)\(", line)[1] for line in functions())


def callbacks():
    """The types of functions that callers pass in."""
    return sorted(" ".join(line.split()) for line in re.findall(r"^typedef [^;]*;", without_comments(), re.M))


def structures():
    """(name, names of members), in their order."""
    for name, body in re.findall(r"^struct (\w+) \{\n(.*?)^\};", without_comments(), re.M | re.S):
        members = []
        for declaration in body.split(";"):
            pointer = re.search(r"\(\*(\w+)\)", declaration)
            members += [pointer[1]] if pointer else re.findall(r"(\w+)\s*(?=,|$)", declaration.strip())
        yield name, members


def constants():
    """Names of the values of all enums, and of numbers that are macros."""
    enums = re.findall(r"^ +(DRAWBRIDGE_\w+) = ", without_comments(), re.M)
    return enums + re.findall(r"^#define (DRAWBRIDGE_MAX_\w+) ", without_comments(), re.M)
