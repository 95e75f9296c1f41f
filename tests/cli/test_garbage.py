#!/usr/bin/env python3
"""`drawbridge lint` with what is no manifest, or stops being one while it is read: it says what is wrong, with the right exit status, within
seconds and some memory.

    test_garbage.py BUILD
"""
import os, random, resource, signal, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

SANITIZED = ("asan", "tsan", "coverage")
GOOD = "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata:\n  name: disk.acme.dev\nspec: {}\n"
HEAD = "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata:\n  name: fast\nprovisioner: disk.acme.dev\n"


def run(build, *paths, **more):
    """(exit status, standard error, all that was said, MiB, seconds of processors)"""
    out = tempfile.TemporaryFile("w+", errors="replace")
    err = tempfile.TemporaryFile("w+", errors="replace")
    while_it_runs = more.pop("while_it_runs", None)
    program = subprocess.Popen([os.path.join(os.path.abspath(build), "drawbridge"), "lint", "--no-config", *paths], stdout=out, stderr=err, **more)
    if while_it_runs:
        while_it_runs(program)
    _, status, usage = os.wait4(program.pid, 0)
    program.returncode = os.waitstatus_to_exitcode(status)
    out.seek(0)
    err.seek(0)
    complaint = err.read()
    return program.returncode, complaint, out.read() + complaint, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime


def texts():
    """(what, bytes, words of the message)"""
    noise = random.Random(7)
    yield "random bytes", noise.randbytes(1 << 20), "error"
    yield "random printable text", "".join(noise.choice("[]&*!|>'\"%@`:-,?# \n abc01") for _ in range(1 << 18)).encode(), "error"
    yield "a manifest, then random bytes", GOOD.encode() + b"---\n" + noise.randbytes(4096), "error"
    yield "random bytes in double braces", b"a: {{ " + noise.randbytes(64) + b" }}\n", "error"
    yield "zeros in double braces", b"a: {{ " + bytes(64) + b" }}\n", "error"
    yield "zeros", bytes(1 << 20), "error"
    yield "a manifest that ends within a character", (HEAD + "parameters: {a: é").encode()[:-1], "error"
    yield "one line of 16 MiB", HEAD.encode() + b"parameters: {a: " + b"x" * (16 << 20) + b"}\n", "an object of more than 8 MiB"
    yield "a key of 2 MiB", HEAD.encode() + b"parameters:\n  " + b"k" * (2 << 20) + b": v\n", "error"
    yield "brackets, 100,000 deep", HEAD.encode() + b"parameters: " + b"[" * 100000, "error"
    yield "mappings, 100,000 deep", HEAD.encode() + b"parameters: " + b"{a: " * 100000, "error"
    yield "sequences in JSON, 1,000,000 deep", b'{"kind":' + b"[" * 1000000, "error"
    yield "dashes, 1,000 deep", HEAD.encode() + b"parameters:\n" + b"".join(b" " * i + b"-\n" for i in range(1000)), "error"
    levels = "".join("a%d: &a%d [%s]\n" % (i, i, ", ".join(["*a%d" % (i - 1)] * 9)) for i in range(1, 12))
    yield "a bomb of aliases", ("a0: &a0 [x, x]\n" + levels + HEAD).encode(), "alias"
    texts = "".join("b%d: &b%d {%s}\n" % (i, i, ", ".join("k%d: *b%d" % (k, i - 1) for k in range(9))) for i in range(1, 12))
    yield "a bomb of mappings", ("b0: &b0 {k: x}\n" + texts + HEAD).encode(), "alias"
    yield "an alias to itself", (HEAD + "parameters: &a {b: *a}\n").encode(), "alias"
    yield "nothing but document ends", b"---\n" * (1 << 18), "nothing to validate"


def test_texts(tap, build, folder):
    slow = any(word in os.path.basename(build) for word in SANITIZED)
    path = os.path.join(folder, "garbage.yaml")
    for what, text, words in texts():
        with open(path, "wb") as file:
            file.write(text)
        status, _, said, memory, seconds = run(build, path)
        expected = 2 if "nothing" in words else 1
        tap.ok(status == expected and words in said and len(said) < 1 << 20 and (slow or (memory < 300 and seconds < 5)),
               f"{what}: status {status}, {memory:.0f} MiB, {seconds:.2f} s", said[:1000])
        with open(path, "rb") as file:
            piped = run(build, "-", stdin=file)
        tap.equal(piped[0], status, f"{what}, through standard input")


def dump(path, size):
    with open(path, "w") as file:
        other = "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: other\n"
        file.write(GOOD + other * (size // len(other)))


def test_cut_short(tap, build, folder):
    path = os.path.join(folder, "dump.yaml")
    dump(path, 48 << 20)

    def cut(program):
        until = time.monotonic() + 30
        while time.monotonic() < until:
            with open(f"/proc/{program.pid}/maps") as file:
                if "dump.yaml" in file.read():
                    break
        os.truncate(path, 4096)
    status, err, *_ = run(build, path, while_it_runs=cut)
    tap.ok(status == 2 and "a file became shorter while it was read" in err, "a large file is cut short while it is read", f"{status}: {err[:500]}")


def test_full_folder(tap, build, folder):
    """A pipe of more than stays in memory needs a copy in TMPDIR. Where files may not grow, that says what a full one says."""
    path = os.path.join(folder, "dump.yaml")
    dump(path, 48 << 20)

    def no_room():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    for what, place in (("is full", folder), ("is not there: it stays in memory", os.path.join(folder, "gone"))):
        pipe = subprocess.Popen(["cat", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        status, err, *_ = run(build, "-", "-q", stdin=pipe.stdout, env=dict(os.environ, TMPDIR=place), preexec_fn=no_room)
        pipe.stdout.close()
        pipe.wait()
        full = place == folder
        tap.ok((status == 2 and "TMPDIR says where to" in err) if full else status == 0, f"TMPDIR {what}", f"{status}: {err[:500]}")
        tap.equal([name for name in os.listdir(folder) if name.startswith("drawbridge-")], [], f"TMPDIR {what}: nothing is left behind")


def test_strange_files(tap, build, folder):
    os.mkdir(os.path.join(folder, "some"))
    with open(os.path.join(folder, "some", "good.yaml"), "w") as file:
        file.write(GOOD)
    os.symlink("loop.yaml", os.path.join(folder, "some", "loop.yaml"))
    status, err, *_ = run(build, os.path.join(folder, "some"))
    tap.ok(status == 2 and "loop.yaml: Too many levels of symbolic links" in err, "a symbolic link to itself", err)
    for path, words in (("/proc/self/mem", "/proc/self/mem: "), ("/dev/null", "nothing to validate"), (os.path.join(folder, "none.yaml"), "No such file")):
        status, err, *_ = run(build, path)
        tap.ok(status == 2 and words in err, f"{os.path.basename(path)} is no manifest", f"{status}: {err[:500]}")


def main(build):
    tap = Tap()
    for test in (test_texts, test_cut_short, test_full_folder, test_strange_files):
        with tempfile.TemporaryDirectory() as folder:
            test(tap, build, folder)
    return tap.done()


sys.exit(main(sys.argv[1]))
