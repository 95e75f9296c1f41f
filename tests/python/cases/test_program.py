"""The program that the package brings along: the command `drawbridge`, and `python -m drawbridge`."""
import importlib.metadata
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import drawbridge
import pytest

PACKAGE = Path(drawbridge.__file__).parent
SCRIPT = [str(Path(sys.executable).parent / "drawbridge")]
MODULE = [sys.executable, "-m", "drawbridge"]
GOOD = "{apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: a}, spec: {}}"
BAD = GOOD.replace("name: a", "name: A")


def environment(**more):
    """Without what a sanitizer has loaded into this Python: the programs are built without."""
    return dict({name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}, **more)


def run(*command, text="", **more):
    return subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(), timeout=60, **more)


@pytest.mark.parametrize("command", [SCRIPT, MODULE], ids=["script", "module"])
def test_statuses_and_streams(command):
    done = run(*command, "--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"drawbridge {drawbridge.__version__}\n", "")
    done = run(*command, "lint", "-", text=BAD)
    assert done.returncode == 1 and "[dns-subdomain]" in done.stdout and "1 error" in done.stderr
    assert run(*command, "lint", "-", text=GOOD).returncode == 0
    assert run(*command, "lint", "--no-such-option").returncode == 2


@pytest.mark.parametrize("command", ["serve", "certs", "manifests"])
def test_programs_beside(command):
    done = run(*SCRIPT, command, "--help")
    assert done.returncode == 0 and f"drawbridge {command}" in done.stdout


def test_signals():
    """The program is the process: it ends by the signal, and a closed pipe is what it is without Python."""
    waiting = subprocess.Popen([*SCRIPT, "lint", "-"], stdin=subprocess.PIPE, env=environment())
    while os.path.basename(os.readlink(f"/proc/{waiting.pid}/exe")) != "drawbridge":
        assert waiting.poll() is None
    with open(f"/proc/{waiting.pid}/status") as status:
        ignored = int(next(line for line in status if line.startswith("SigIgn")).split()[1], 16)
    assert not ignored & 1 << signal.SIGPIPE - 1 and not ignored & 1 << signal.SIGXFSZ - 1
    waiting.send_signal(signal.SIGTERM)
    assert waiting.wait(60) == -signal.SIGTERM
    waiting.stdin.close()


@pytest.fixture
def copied(tmp_path):
    """A copy of the package, to be broken."""
    shutil.copytree(PACKAGE, tmp_path / "drawbridge")
    return tmp_path


def test_left_out(copied):
    (copied / "drawbridge" / "bin" / "drawbridge-serve").unlink()
    done = run(*MODULE, "serve", "--help", cwd=copied)
    assert done.returncode == 2 and done.stderr.startswith("drawbridge serve: this package was built without drawbridge-serve")
    assert "apt-get install libssl-dev libmicrohttpd-dev libgnutls28-dev" in done.stderr
    assert run(*MODULE, "certs", "--help", cwd=copied).returncode == 0


def test_missing_libraries(copied):
    """As on a machine where they are not installed: the program asks for one of another name."""
    program = copied / "drawbridge" / "bin" / "drawbridge-serve"
    program.write_bytes(program.read_bytes().replace(b"libmicrohttpd.so", b"libmicrohttpq.so"))
    done = run(*MODULE, "serve", "--help", cwd=copied)
    assert done.returncode == 2 and done.stderr.startswith("drawbridge serve: libraries are missing: libmicrohttpq.so")
    assert "apt-get install libssl3 libmicrohttpd12 libgnutls30" in done.stderr


def test_no_program(copied):
    (copied / "drawbridge" / "bin" / "drawbridge").unlink()
    done = run(*MODULE, "lint", cwd=copied)
    assert done.returncode == 4 and done.stderr.startswith("drawbridge: cannot run ") and "No such file" in done.stderr


def test_entry_point():
    scripts = [entry.value for entry in importlib.metadata.distribution("drawbridge-k8s").entry_points if entry.group == "console_scripts"]
    assert scripts == ["drawbridge.__main__:main"]
