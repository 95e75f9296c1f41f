"""Builds libdrawbridge.so and the programs with the Makefile of the surrounding tree and bundles them. Everything that is made on the way
is in a temporary folder: the source tree stays as it is."""
import atexit
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.errors import PlatformError

ROOT = Path(__file__).resolve().parents[2]
HEADER = ROOT / "src" / "drawbridge.h"

# What is included, what for, and the Debian package that has it.
HEADERS = [
    ("stdlib.h", "the C library's headers", "libc6-dev"),
    ("pcre2.h", "PCRE2's headers", "libpcre2-dev"),
    ("yaml.h", "libyaml's headers", "libyaml-dev"),
    ("cjson/cJSON.h", "cJSON's headers", "libcjson-dev"),
]

# The programs beside `drawbridge`, and what they include: one whose headers are not there is left out, and `drawbridge serve` says so.
PROGRAMS_BESIDE = [
    ("drawbridge-certs", ["openssl/evp.h"]),
    ("drawbridge-serve", ["openssl/evp.h", "microhttpd.h", "gnutls/gnutls.h"]),
]


def compiler():
    return shlex.split(os.environ.get("CC") or "cc")


def compiles(header):
    source = f"#define PCRE2_CODE_UNIT_WIDTH 8\n#include <{header}>\n"
    command = [*compiler(), "-fsyntax-only", "-x", "c", "-"]
    return subprocess.run(command, input=source, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def check_tools():
    """Says everything that is missing at once, with the names of the packages."""
    missing = []
    if not shutil.which("make"):
        missing.append(("make", "make"))
    if shutil.which(compiler()[0]):
        missing += [(words, package) for header, words, package in HEADERS if not compiles(header)]
    else:
        missing.append((f"a C compiler ({compiler()[0]})", "gcc"))
        missing += [(words, package) for _, words, package in HEADERS]
    if missing:
        raise PlatformError(
            f"drawbridge cannot be built; what is missing: {', '.join(words for words, _ in missing)}. "
            f"On Debian: apt-get install {' '.join(package for _, package in missing)}")


def version():
    """The library's version is the package's."""
    if not HEADER.is_file():
        raise PlatformError(
            f"there is no {HEADER}: the package is built inside of drawbridge's source tree, because it builds the library from it. "
            "Take the whole tree and run: pip install ./src/python")
    return re.search(r'^#define DRAWBRIDGE_VERSION "(.*)"', HEADER.read_text(), re.M).group(1)


def what_to_build(build):
    """What make makes, with its name in the package."""
    programs = ["drawbridge", *(name for name, headers in PROGRAMS_BESIDE if all(map(compiles, headers)))]
    return {f"{build}/libdrawbridge.so.{version()}": "libdrawbridge.so", **{f"{build}/{name}": f"bin/{name}" for name in programs}}


def build_into(package):
    check_tools()
    # Neither a surrounding make nor settings meant for it may change what is built: always the release.
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEFILES")}
    with tempfile.TemporaryDirectory(prefix="drawbridge-") as build:
        files = what_to_build(build)
        settings = ["CONFIG=release", "CI=", f"BUILD={build}"]
        command = ["make", "-C", str(ROOT), "--no-print-directory", "-s", f"-j{os.cpu_count() or 1}", *settings, *files]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        if done.returncode:
            print(done.stdout)
            raise PlatformError(f"drawbridge cannot be built: {shlex.join(command)} failed; what it said is above")
        for made, name in files.items():
            target = package / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(made, target)
            target.chmod(0o755)


class BuildPackage(build_py):
    """The package's files, with the library and the programs beside them."""

    def run(self):
        if getattr(self, "editable_mode", False):
            raise PlatformError(
                "drawbridge cannot be installed editable: its library and programs would have to lie in the source tree. "
                "Use pip install ./src/python")
        super().run()
        build_into(Path(self.build_lib) / "drawbridge")


class PlatformWheel(bdist_wheel):
    """For this platform, and for every Python 3: the library is loaded with ctypes and knows nothing of CPython."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class PlatformDistribution(Distribution):
    def has_ext_modules(self):
        return True


def temporary_folder():
    folder = tempfile.mkdtemp(prefix="drawbridge-python-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


FOLDER = temporary_folder()

setup(
    version=version(),
    distclass=PlatformDistribution,
    cmdclass={"build_py": BuildPackage, "bdist_wheel": PlatformWheel},
    options={
        "build": {"build_base": os.path.join(FOLDER, "build")},
        "egg_info": {"egg_base": FOLDER},
        "bdist_wheel": {"bdist_dir": os.path.join(FOLDER, "wheel")},
    },
)
