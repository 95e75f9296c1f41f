#!/usr/bin/env python3
"""`drawbridge lint` with garbage and with carets: whatever it is handed, it ends soon, with the right status and a message; and the
character that a caret names is the one to change.

    test_lint.py BUILD
"""
import json, os, random, resource, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

SECONDS = 20 if os.path.basename(sys.argv[1].rstrip("/")) == "build" else 200  # sanitizers take their time
MEMORY = 512 << 20
DRIVER = "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata:\n  name: disk.csi.acme.dev\n"


def lint(build, folder, *arguments, text=None):
    """(status, problems, standard error, seconds, MiB) of a run in the folder."""
    began = time.monotonic()
    done = subprocess.run([os.path.join(build, "drawbridge"), "lint", "--format", "json", *arguments], cwd=folder, input=text,
                          stdin=subprocess.DEVNULL if text is None else None, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines() if not line.startswith(b'{"summary":')], done.stderr.decode(), time.monotonic() - began


def bomb(levels, width):
    lines = ["a0: &a0 [x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * width)}]" for n in range(1, levels)]
    return DRIVER + "spec:\n  " + "\n  ".join(lines) + "\n"


def hostile_texts():
    dice = random.Random(11)
    good = DRIVER + "spec: {attachRequired: true}\n"
    yield "nothing", b"", {2}
    yield "random bytes", dice.randbytes(1 << 20), {1, 2}
    yield "random printable text", "".join(dice.choice("{}[]:,-&*!|>'\"%@`#? \n\tab01") for _ in range(1 << 18)).encode(), {1, 2}
    yield "NUL bytes", b"\0" * (1 << 20), {1}
    yield "a line of 8 MB", (good + "x: " + "y" * 8000000).encode(), {1}
    yield "an object of 9 MB", (good + "x: " + "y" * 9000000).encode(), {1}
    yield "a List of nothing", b"apiVersion: v1\nkind: List\nitems:\n" + b"- {}\n" * 1000000, {2}
    yield "a List of aliases", (DRIVER + "spec: &a {b: [" + "1, " * 1000 + "]}\n---\napiVersion: v1\nkind: List\nx: &a {b: [" + "1, " * 1000 + "]}\nitems:\n" + "- *a\n" * 100000).encode(), {1}
    yield "a key of 1 MB", (good + "y" * 1000000 + ": 1").encode(), {1}
    yield "a million braces", b"{" * 1000000, {1}
    yield "a million brackets in YAML", b"- [" + b"[" * 1000000, {1}
    yield "a million dashes", b"- " * 1000000, {1}
    yield "an alias bomb", bomb(12, 10).encode(), {1}
    yield "a wide alias bomb", bomb(4, 400).encode(), {1}
    yield "merges of merges", (DRIVER + "spec: &s\n" + "".join(f"  k{n}: 1\n" for n in range(3000)) + "x:\n" + "  - <<: *s\n" * 3000).encode(), {1}
    yield "400,000 documents", b"---\na: 1\n" * 400000, {2}
    yield "200,000 broken documents", b"---\na: [\n" * 200000, {1}
    yield "20,000 objects with mistakes", (b"---\n" + (DRIVER + "spec: {fsGroupPolicy: x}\n").encode()) * 20000, {1}
    yield "many mistakes on one line", (DRIVER + "spec: {tokenRequests: [" + "{audience: a}, " * 50000 + "]}\n").encode(), {1}
    yield "100,000 unknown fields", (DRIVER + "spec:\n" + "".join(f"  x{n}: 1\n" for n in range(100000))).encode(), {1}
    yield "the same key again and again", (DRIVER + "spec:\n" + "  a: 1\n" * 100000).encode(), {1}
    yield "UTF-16", b"\xff\xfe" + good.encode("utf-16-le"), {0, 1, 2}
    yield "invalid UTF-8", good.encode() + b"# \xff\xfe\n", {1}


def test_hostile(tap, build):
    with tempfile.TemporaryDirectory() as folder:
        for name, text, statuses in hostile_texts():
            for suffix in ".yaml", ".json":
                path = os.path.join(folder, "text" + suffix)
                with open(path, "wb") as file:
                    file.write(text)
                status, problems, err, took = lint(build, folder, "text" + suffix)
                tap.ok(status in statuses and (status != 2 or err) and (status != 1 or problems) and len(problems) <= 10000,
                       f"{name}{suffix}: status {status}, {len(problems)} problems, {took:.1f} s {err[:100]!r}")
                os.remove(path)


def test_cut_off(tap, build):
    """Every beginning of a file ends with a status that it documents, and syntax errors lie inside the text."""
    with open(os.path.join(HERE, "..", "manifests", "bad.yaml"), "rb") as file:
        yaml = file.read()
    with open(os.path.join(HERE, "..", "manifests", "tree", "deep", "csinode.json"), "rb") as file:
        texts = {"bad.yaml": yaml, "csinode.json": file.read()}
    for name, text in texts.items():
        wrong = []
        for length in range(len(text)):
            status, problems, err, _ = lint(build, None, "-", text=text[:length])
            if status not in (0, 1, 2) or any(problem["offset"] > length for problem in problems) or (status == 1) != any(problem["severity"] == "error" for problem in problems):
                wrong.append((length, status, problems))
        tap.ok(not wrong, f"{name}, cut off anywhere {wrong[:2] or ''}")


def test_files(tap, build):
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "many"))
        for number in range(300):
            with open(os.path.join(folder, "many", f"{number}.yaml"), "w") as file:
                file.write(DRIVER + "spec: {}\n")
        os.mkfifo(os.path.join(folder, "many", "fifo.yaml"))
        os.symlink(".", os.path.join(folder, "many", "loop"))
        os.symlink("0.yaml", os.path.join(folder, "many", "again.yaml"))
        status, problems, err, took = lint(build, folder, "--ignore", "duplicate-object", "many")
        tap.ok(status == 0 and not problems and took < SECONDS / 2, f"a directory with a FIFO and a link to itself: status {status} {err!r}")
        os.symlink("nowhere", os.path.join(folder, "many", "dangling.yaml"))
        status, _, err, _ = lint(build, folder, "many")
        tap.ok(status == 2 and "dangling.yaml: No such file" in err, f"a link to nothing {err!r}")
        deep = os.path.join(folder, *["d"] * 100)
        os.makedirs(deep)
        status, _, err, _ = lint(build, folder, "d")
        tap.ok(status == 2 and "nested too deeply" in err, f"deep directories {err[-100:]!r}")
        status, problems, err, _ = lint(build, folder, "a\x1b[31m\nb")
        tap.ok(status == 2 and "a\\u001b[31m\\nb" in err, f"a file name cannot write to the terminal {err!r}")
        status, _, err, _ = lint(build, folder, "--old", "nowhere", "many/0.yaml")
        tap.ok(status == 2 and "nowhere: No such file" in err, "--old that is not there")
        locked = os.path.join(folder, "locked")
        os.mkdir(locked, 0)
        if os.getuid():
            status, _, err, _ = lint(build, folder, "locked")
            tap.ok(status == 2 and "Permission denied" in err, "a directory without permission")
        status, _, err, _ = lint(build, folder, "many/0.yaml", "many/0.yaml")
        tap.ok(status == 0, "the same file twice")


def test_bounded_memory(tap, build):
    if os.path.basename(build) != "build":
        return
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with tempfile.TemporaryDirectory() as folder:
        for name, text, statuses in hostile_texts():
            done = subprocess.run([os.path.join(build, "drawbridge"), "lint", "-"], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS, preexec_fn=limit)
            tap.ok(done.returncode in statuses and b"memory" not in done.stderr, f"{name} in {MEMORY >> 20} MiB: status {done.returncode} {done.stderr[-100:]!r}")


def slices(count):
    """Slices of a cluster, 90 values each. The last but one has a mistake in each device."""
    attributes = {"architecture": "Hopper", "brand": "Acme", "family": "datacenter", "product": "Acme 100 80GB", "type": "gpu", "uuid": "GPU-0000-0000"}
    for number in range(count):
        name = "BAD" if number == count - 2 else "gpu"
        yield {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": f"slice-{number}", "generation": 1}, "spec": {
            "devices": [{"attributes": {key: {"string": value} for key, value in attributes.items()}, "capacity": {"memory": {"value": "80Gi"}},
                         "name": f"{name}-{device}"} for device in range(4)],
            "driver": "gpu.acme.dev", "nodeName": f"node-{number}", "pool": {"generation": 1, "name": f"node-{number}", "resourceSliceCount": 1}}}


def block_style(value, indent):
    """A dict as lines of YAML."""
    for key, member in value.items():
        if isinstance(member, dict):
            yield f"{indent}{key}:"
            yield from block_style(member, indent + "  ")
        elif isinstance(member, list):
            yield f"{indent}{key}:"
            for element in member:
                first, *others = block_style(element, indent + "  ")
                yield f"{indent}- {first.lstrip()}"
                yield from others
        else:
            yield f"{indent}{key}: {member}"


def test_dumps(tap, build):
    """A dump as `kubectl get resourceslices -o json` or `-o yaml` makes it is a List, whose kind comes last, of more bytes and values than one
    object may have. What is wrong in it is found where it is."""
    limit = (lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))) if os.path.basename(build) == "build" else None
    json_text = json.dumps({"apiVersion": "v1", "items": list(slices(4000)), "kind": "List", "metadata": {"resourceVersion": ""}}, indent=4)
    yaml_text = "\n".join(["apiVersion: v1", *block_style({"items": list(slices(4000))}, ""), "kind: List", "metadata:", '  resourceVersion: ""', ""])
    tap.ok(len(json_text) > 8 << 20 and yaml_text.count("\n") > 262144, f"dumps of {len(json_text):,} and {len(yaml_text):,} bytes")
    for suffix, text in (".json", json_text), (".yaml", yaml_text):
        with tempfile.NamedTemporaryFile("w", suffix=suffix) as file:
            file.write(text)
            file.flush()
            began = time.monotonic()
            done = subprocess.run([os.path.join(build, "drawbridge"), "lint", file.name], capture_output=True, text=True, timeout=SECONDS, preexec_fn=limit)
            found = [line.split(": ") for line in done.stdout.splitlines() if line.startswith(file.name)]
            places = [number for number, line in enumerate(text.split("\n"), 1) if "BAD-" in line]
            tap.ok(done.returncode == 1 and "4 errors, 0 warnings in 4000 objects" in done.stderr and len(found) == len(places) == 4, f"{suffix}: {done.stderr.strip()[-100:]!r}")
            tap.ok(all(one[0].startswith(f"{file.name}:{line}:") and one[3] == f"spec.devices[{device}].name" for device, (one, line) in enumerate(zip(found, places))),
                   f"{suffix}: the mistakes are where they are, in {time.monotonic() - began:.1f} s {found[:1]}")


def test_carets(tap, build):
    """Changing the character at the caret changes what is found there."""
    with open(os.path.join(HERE, "..", "manifests", "bad.yaml"), encoding="utf-8") as file:
        text = file.read()
    _, problems, _, _ = lint(build, None, "-", text=text.encode())
    lines = text.split("\n")
    for problem in problems:
        line, column = problem["line"] - 1, problem["column"] - 1
        before = "\n".join(lines[:line] + [lines[line][:column]])
        tap.ok(len(before.encode()) == problem["offset"], f"{problem['path']}: offset {problem['offset']} is at {line + 1}:{column + 1}")
        if problem["rule"] in ("required", "recommended"):
            continue
        edited = list(lines)
        edited[line] = lines[line][:column] + "Q" + lines[line][column + 1:]
        _, others, _, _ = lint(build, None, "-", text="\n".join(edited).encode())
        same = [other for other in others if all(other[key] == problem[key] for key in ("path", "message", "line", "column"))]
        tap.ok(not same, f"{problem['path']}: the caret is on what is wrong {same[:1] or ''}")


def main(build):
    tap = Tap()
    test_hostile(tap, build)
    test_cut_off(tap, build)
    test_files(tap, build)
    test_bounded_memory(tap, build)
    test_dumps(tap, build)
    test_carets(tap, build)
    return tap.done()


sys.exit(main(os.path.abspath(sys.argv[1])))
