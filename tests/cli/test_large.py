#!/usr/bin/env python3
"""`drawbridge lint` with dumps that are read in pieces: the findings are where they are in the file, objects far apart are compared, memory
is bounded, and what cannot be cut is read whole.

    test_large.py BUILD
"""
import json, os, re, subprocess, sys, tempfile
from xml.etree import ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

SANITIZED = ("asan", "tsan", "coverage")
SLICES = 9500
BAD, WARNED, CLASH = (5, 4001, 9499), 7000, (10, 9000)  # slices with an error, with a finding in a text of two bytes a character, of one pool


def name(i):
    return "é-%d" % i if i == WARNED else "Bad_%d" % i if i in BAD else "node-%d" % i


def devices(i):
    return [f"gpu-{i}-{d}" for d in range(8)] + (["twin"] if i in CLASH else [])


def slice_of(i):
    pool = "shared" if i in CLASH else f"pool-{i}"
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": name(i)},
            "spec": {"devices": [{"attributes": {"model": {"string": f"a: \"quoted\" {{[*&x {d}"}}, "name": d} for d in devices(i)], "driver": "gpu.acme.dev",
                     "nodeName": f"node-{i}", "pool": {"generation": 1, "name": pool, "resourceSliceCount": 2 if i in CLASH else 1}}}


def yaml_of(i, before="- ", indent="  "):
    one = slice_of(i)
    spec = one["spec"]
    lines = ["apiVersion: resource.k8s.io/v1", "kind: ResourceSlice", "metadata:", f"  name: {name(i)}", "spec:", "  devices:"]
    for device in spec["devices"]:
        lines += ["  - attributes:", "      model:", "        string: " + json.dumps(device["attributes"]["model"]["string"]), f"    name: {device['name']}"]
    lines += ["  driver: gpu.acme.dev", f"  nodeName: {spec['nodeName']}", "  pool:", "    generation: 1", f"    name: {spec['pool']['name']}",
              f"    resourceSliceCount: {spec['pool']['resourceSliceCount']}"]
    return before + ("\n" + indent).join(lines) + "\n"


def texts():
    items, rest = [slice_of(i) for i in range(SLICES)], {"kind": "List", "metadata": {"resourceVersion": ""}}
    yaml = "".join(map(yaml_of, range(SLICES)))
    yield "a List in YAML", ".yaml", "apiVersion: v1\nitems:\n" + yaml + 'kind: List\nmetadata:\n  resourceVersion: ""\n'
    yield "a List in YAML, its items last", ".yaml", "---\nkind: ResourceSliceList\napiVersion: resource.k8s.io/v1\nitems:\n" + yaml
    yield "two Lists and documents in YAML", ".yaml", ("apiVersion: v1\nkind: ConfigMap\n---\nkind: List\napiVersion: v1\nitems:\n" + "".join(map(yaml_of, range(6000))) +
                                                      "---\napiVersion: v1\nitems:\n" + "".join(map(yaml_of, range(6000, SLICES))) + "kind: List\n---\nkind: X\n")
    yield "documents in YAML", ".yaml", "---\n" + "---\n".join(yaml_of(i, "", "") for i in range(SLICES))
    yield "a List in JSON", ".json", json.dumps({"apiVersion": "v1", "items": items, **rest}, indent=4, ensure_ascii=False)
    yield "a List in JSON in one line", ".json", json.dumps({"kind": "ResourceSliceList", "items": items, "apiVersion": "resource.k8s.io/v1"}, ensure_ascii=False)
    yield "objects in JSON", ".json", "\n".join(json.dumps(one, ensure_ascii=False) for one in items)
    yield "a List in YAML with an alias", ".yaml", ("apiVersion: v1\nitems:\n" + yaml.replace("nodeName: node-3\n", "nodeName: &n node-3\n") +
                                                    yaml_of(SLICES).replace(f"nodeName: node-{SLICES}", "nodeName: *n") + "kind: List\n")
    yield "a List in YAML in brackets", ".yaml", "apiVersion: v1\nkind: List\nitems: [\n" + ",\n".join(json.dumps(one, ensure_ascii=False) for one in items) + "]\n"


def lint(build, *arguments, **more):
    done = subprocess.run(["/usr/bin/env", "-C", more.pop("folder", "/"), os.path.join(os.path.abspath(build), "drawbridge"), "lint", *arguments], capture_output=True, timeout=300, **more)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def place_is_right(text, problem):
    data = text[:problem["offset"]]
    line = data.count(b"\n") + 1
    column = len(data[data.rfind(b"\n") + 1:].decode()) + 1
    return (line, column) == (problem["line"], problem["column"])


def test_places(tap, build, folder):
    for what, suffix, text in texts():
        data = text.encode()
        with open(os.path.join(folder, "dump" + suffix), "wb") as file:
            file.write(data)
        status, out, err = lint(build, "--format", "json", "dump" + suffix, folder=folder)
        problems = [json.loads(line) for line in out.splitlines()[:-1]]
        bad = [p for p in problems if p["severity"] == "error"]
        tap.ok(len(data) > 8 << 20 and status == 1 and "not compared" not in err, f"{what}: {len(data) >> 20} MiB are one set", err)
        tap.ok([p["name"] for p in bad] == [name(i) for i in range(SLICES) if i in BAD or i == WARNED], f"{what}: each error once, in order", bad[:9])
        shown = [data[p["offset"]:].lstrip(b'"').startswith(p["name"].encode()) for p in bad]
        tap.ok(all(shown), f"{what}: offsets are of the file", bad[:3])
        clashes = [p for p in problems if "other" in p]
        tap.ok({p["name"] for p in clashes} == {name(CLASH[1])} and all(p["other"]["name"] == name(CLASH[0]) for p in clashes), f"{what}: slices of one pool clash", clashes[:3])
        places = problems + [p["other"] for p in clashes]
        tap.ok(places and all(place_is_right(data, p) for p in places), f"{what}: lines and columns are of the file", places[:3])
        sarif = json.loads(lint(build, "--format", "sarif", "dump" + suffix, folder=folder)[1])["runs"][0]["results"]
        offsets = [one["locations"][0]["physicalLocation"]["region"]["byteOffset"] for one in sarif]
        tap.equal(offsets, [p["offset"] for p in problems], f"{what}: so are offsets in SARIF")
        if what in ("documents in YAML", "objects in JSON"):
            suites = ElementTree.fromstring(lint(build, "--format", "junit", "dump" + suffix, "dump" + suffix, folder=folder)[1])
            tap.equal([(suite.get("name"), len(suite)) for suite in suites], [("dump" + suffix, 2 * SLICES)], f"{what}: pieces of a file are one suite")
        again = lint(build, "-j", "1", "--format", "json", "dump" + suffix, folder=folder)
        tap.ok(again[:2] == (status, out), f"{what}: one thread says the same")
        with open(os.path.join(folder, "dump" + suffix), "rb") as file:
            piped = lint(build, "--format", "json", "-", input=file.read())
        tap.ok(piped[1].replace('"file":"-"', f'"file":"dump{suffix}"') == out, f"{what}: a pipe says the same", piped[2])


def peak(build, path, *options):
    """(exit status, standard error, MiB)"""
    program = subprocess.Popen([os.path.join(build, "drawbridge"), "lint", *options, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    _, err = program.stdout.read(), program.stderr.read()
    _, status, usage = os.wait4(program.pid, 0)
    program.returncode = os.waitstatus_to_exitcode(status)
    return program.returncode, err, usage.ru_maxrss / 1024


def test_memory(tap, build, folder):
    """More than one set: 260 MiB of JSON, and one document that cannot be cut."""
    slow = any(word in os.path.basename(build) for word in SANITIZED)
    path = os.path.join(folder, "dump.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"apiVersion": "v1", "items": [')
        for i in range(140 if slow else 70000):
            one = slice_of(SLICES + i)
            one["metadata"]["annotations"] = {"text": "x" * 2500}
            file.write("," * bool(i) + json.dumps(one))
        file.write('], "kind": "List"}')
    for options in ([], ["--kubernetes-version", "1.36..1.37"]):
        status, err, memory = peak(build, path, *options)
        tap.ok(status == 0 and (slow or (err.count("objects are not compared with all others") == 1 and memory < 300)), f"a dump of any size takes less than 300 MiB {options}: {memory:.0f} MiB", err)
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "%s"}}' % ("x" * (33 << 20)))
    status, err, _ = peak(build, path)
    tap.ok(status == 1 and "more than 32 MiB are read as one document" in err, "what cannot be cut is read as one, which is said", err)
    with open(path, "a", encoding="utf-8") as file:
        file.truncate(33 << 20)
    status, err, _ = peak(build, path)
    tap.ok(status == 1 and "1 error" in err, "a text that is cut off ends in an error", err)


def claim_of(i):
    expression = f"device.driver == 'gpu.acme.dev' && device.attributes['gpu.acme.dev'].model == 'x {i % 7}'"
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": f"c-{i}"},
            "spec": {"devices": {"requests": [{"name": "a", "exactly": {"deviceClassName": "gpu", "selectors": [{"cel": {"expression": expression}}]}}]}}}


def attachment_of(i):
    return {"apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttachment", "metadata": {"name": f"a-{i}"}, "spec": {"attacher": "Bad_!", "nodeName": "n", "source": {"persistentVolumeName": "p"}}}


def test_kinds_of_memory(tap, build, folder):
    """What takes most beside the objects: values of devices for selectors with their indexes, and findings of several versions."""
    slow = any(word in os.path.basename(build) for word in SANITIZED)
    for what, make, count, options in (("devices", lambda i: claim_of(i) if i % 400 == 1 else slice_of(SLICES + i), 70000, []),
                                       ("findings", attachment_of, 300000, ["--kubernetes-version", "1.33..1.37"])):
        path = os.path.join(folder, "dump.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write('{"apiVersion": "v1", "items": [' + ",".join(json.dumps(make(i)) for i in range(count // 500 if slow else count)) + '], "kind": "List"}')
        status, err, memory = peak(build, path, *options)
        tap.ok(status in (0, 1) and memory < (1000 if slow else 300), f"{what} of a dump of {os.path.getsize(path) >> 20} MiB: {memory:.0f} MiB", err[-500:])


def main(build):
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        test_kinds_of_memory(tap, build, folder)
    with tempfile.TemporaryDirectory() as folder:
        test_memory(tap, build, folder)
    with tempfile.TemporaryDirectory() as folder:
        test_places(tap, build, folder)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
