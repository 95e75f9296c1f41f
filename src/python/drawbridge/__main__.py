"""The command `drawbridge`, and `python -m drawbridge`: becomes the program of that name, which the package brings along."""
from __future__ import annotations

import os
import signal
import sys
from typing import List, NoReturn

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin")
USAGE, FAILED = 2, 4  # the program's own exit statuses

# Commands of programs of their own, and what these need, in Debian's words: to be built, and to run.
_CERTS = ("drawbridge-certs", "libssl-dev", "libssl3")
BESIDE = {
    "serve": ("drawbridge-serve", "libssl-dev libmicrohttpd-dev libgnutls28-dev", "libssl3 libmicrohttpd12 libgnutls30"),
    "certs": _CERTS,
    "manifests": _CERTS,
}


def _missing_libraries(program: str) -> List[str]:
    """Shared libraries that the program needs and that are not there. Asks the loader, which runs nothing then."""
    import subprocess
    try:
        listing = subprocess.run([program], env=dict(os.environ, LD_TRACE_LOADED_OBJECTS="1"), stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace", check=False).stdout
    except OSError:
        return []  # what is wrong is said when it runs
    return [line.split()[0] for line in listing.splitlines() if line.endswith("=> not found")]


def _check_program(command: str) -> None:
    name, to_build, to_run = BESIDE[command]
    program = os.path.join(FOLDER, name)
    if not os.path.exists(program):
        _fail(command, f"this package was built without {name}, as headers were missing; on Debian: apt-get install {to_build}, "
              "and install the package again", USAGE)
    missing = _missing_libraries(program)
    if missing:
        _fail(command, f"libraries are missing: {', '.join(missing)}; on Debian: apt-get install {to_run}", USAGE)


def _fail(command: str, words: str, status: int) -> NoReturn:
    print(f"drawbridge{' ' if command else ''}{command}: {words}", file=sys.stderr)
    sys.exit(status)


def main() -> NoReturn:
    """Does not return: the program takes this process over, with its arguments, signals and streams."""
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    if command in BESIDE:
        _check_program(command)
    for name in ("SIGPIPE", "SIGXFSZ"):  # which Python ignores, and its children would, too
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    program = os.path.join(FOLDER, "drawbridge")
    try:
        os.execv(program, ["drawbridge", *sys.argv[1:]])
    except (OSError, ValueError) as error:
        _fail("", f"cannot run {program}: {error}", FAILED)


if __name__ == "__main__":
    main()
