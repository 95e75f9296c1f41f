#!/usr/bin/env python3
"""`drawbridge cel repl` on a terminal: completion, history and lines that are edited, where libedit is installed; and without it.

    test_repl.py BUILD
"""
import ctypes, os, pty, re, select, signal, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

ROOT = os.path.dirname(os.path.dirname(HERE))
DEVICES = os.path.join(ROOT, "tests", "manifests", "devices", "gpus.yaml")
SECONDS = 20  # until an answer must be there
COMPLETIONS = [  # what is typed before the tabulator, the line that it becomes
    ('dev', 'device'),
    ('device.dr', 'device.driver'),
    ('device.attributes["gpu', 'device.attributes["gpu.acme.dev"]'),
    ('device.attributes["resource.', 'device.attributes["resource.kubernetes.io"]'),
    ('device.capacity["', 'device.capacity["gpu.acme.dev"]'),
    ('device.attributes["gpu.acme.dev"].mo', 'device.attributes["gpu.acme.dev"].model'),
    ('device.attributes["gpu.acme.dev"].?mo', 'device.attributes["gpu.acme.dev"].?model'),
    ('device.attributes["gpu.acme.dev"]["dri', 'device.attributes["gpu.acme.dev"]["driverVersion"]'),
    ('1 == 1 && device.attributes["nic.acme.dev"].spe', '1 == 1 && device.attributes["nic.acme.dev"].speed'),
    ('device.driver.startsW', 'device.driver.startsWith('),
    ('[1].existsO', '[1].existsOne('),
    ('isSem', 'isSemver('),
    ('sets.inter', 'sets.intersects('),
    ('device.nothing', 'device.nothing'),
    ('"device.dr', '"device.dr'),
]


class Terminal:
    """The program on a terminal of its own."""

    def __init__(self, build, state, *options, **environment):
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            environment = dict(os.environ, XDG_STATE_HOME=state, TERM="dumb", LC_ALL="C.UTF-8", **environment)
            program = os.path.join(build, "drawbridge")
            os.execve(program, [program, "cel", "repl", *options], environment)
        self.text = ""

    def read(self, wanted):
        """Reads until the pattern is in what was printed since what the last call waited for; returns all of it."""
        end = time.monotonic() + SECONDS
        while not re.search(wanted, self.text) and time.monotonic() < end:
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    self.text += os.read(self.master, 65536).decode("utf-8", "replace")
                except OSError:
                    break
        found, text = re.search(wanted, self.text), self.text
        self.text = text[found.end():] if found else ""  # what came after it is for the next call
        return text

    def type(self, text):
        os.write(self.master, text.encode())

    def closed(self, seconds):
        """Whether the program ends in that time; what it prints is thrown away."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    if not os.read(self.master, 65536):
                        return True
                except OSError:
                    return True
        return False

    def end(self):
        """The exit status. What is typed while the terminal changes its mode is lost, so it is typed again."""
        end = time.monotonic() + SECONDS
        ended = False
        while not ended and time.monotonic() < end:
            self.type(":quit\n")
            ended = self.closed(1)
        if not ended:
            os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        os.close(self.master)
        return os.waitstatus_to_exitcode(status)


def has_libedit():
    try:
        ctypes.CDLL("libedit.so.2")
    except OSError:
        return False
    return True


def history(state):
    """The lines that are kept, the first first."""
    with open(os.path.join(state, "drawbridge", "cel_history"), encoding="utf-8") as file:
        lines = file.read().splitlines()[1:]  # after its head
    return [re.sub(r"\\(\d{3})", lambda code: chr(int(code[1], 8)), line) for line in lines]


def test_completion(tap, build, state):
    """Which line it became, the history says: the screen shows it in pieces."""
    terminal = Terminal(build, state, "--devices", DEVICES)
    for typed, _ in COMPLETIONS:
        terminal.read("cel> ")
        terminal.type(typed + "\t" + " // done\n")  # a comment of CEL
        terminal.read("done")
    tap.equal(terminal.end(), 0, "exit status")
    for (typed, expected), line in zip(COMPLETIONS, history(state)):
        tap.equal(line, expected + " // done", f"{typed}: completed")


def test_history(tap, build, state):
    terminal = Terminal(build, state)
    terminal.read("cel> ")
    terminal.type("40 + 2\n")
    tap.ok("42" in terminal.read("42"), "an expression is evaluated")
    terminal.end()
    terminal = Terminal(build, state)
    terminal.read("cel> ")
    terminal.type("\x10\x10\n")  # control-P: the line before the last, which was :quit
    tap.ok("42" in terminal.read(r"\n42"), "the history is there the next time")
    terminal.end()
    path = os.path.join(state, "drawbridge", "cel_history")
    tap.equal(oct(os.stat(os.path.dirname(path)).st_mode & 0o777), "0o700", "nobody else reads the history")


def test_without(tap, build, state):
    """With a library in place of libedit that is none, lines are read as they come."""
    with open(os.path.join(state, "libedit.so.2"), "w") as file:
        file.write("no library")
    terminal = Terminal(build, state, LD_LIBRARY_PATH=state)
    terminal.read("cel> ")
    terminal.type("40 + 2\n")
    tap.ok("42" in terminal.read("42"), "without libedit: an expression is evaluated")
    tap.equal(terminal.end(), 0, "without libedit: exit status")


def main(build):
    tap = Tap()
    with tempfile.TemporaryDirectory() as state:
        test_without(tap, build, state)
    if not has_libedit():
        print("# skipped: completion and history, as there is no libedit")
        return tap.done()
    for test in test_completion, test_history:
        with tempfile.TemporaryDirectory() as state:
            test(tap, build, state)
    return tap.done()


sys.exit(main(os.path.abspath(sys.argv[1])))
