#!/usr/bin/env python3
"""Reviews as large as API servers send them: etcd takes 1.5 MiB of an object, an update carries two, and Go writes <, > and & as six
bytes. And larger ones; memory beside many of both.

    test_large.py BUILD
"""
import concurrent.futures, copy, json, os, re, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from client import CREATE, Server, chunked, exchange, metric_reaches, request
from tap import Tap

MIB = 1 << 20
LIMIT = 20 * MIB
VALUES = 655360
STORAGE_CLASS = {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "fast"},
                 "provisioner": "disk.csi.acme.dev"}
CLAIM = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "c", "namespace": "n", "uid": "u-1"},
         "spec": {"devices": {"requests": [
             {"name": "r", "exactly": {"deviceClassName": "gpu.acme.dev", "allocationMode": "ExactCount", "count": 1}}]}}}
ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def go_json(value):
    """As encoding/json writes it, HTML-safe."""
    return re.sub("[<>&]", lambda match: ESCAPES[match.group()], json.dumps(value, separators=(",", ":"))).encode()


def review(new, old=None, subresource=""):
    group, version = new["apiVersion"].split("/")
    meta = new["metadata"]
    request_of = {"uid": "u", "kind": {"group": group, "version": version, "kind": new["kind"]}, "subResource": subresource,
                  "name": meta["name"], "namespace": meta.get("namespace", ""), "operation": "UPDATE" if old else "CREATE",
                  "object": new, "oldObject": old}
    return go_json({"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": request_of})


def changed(old, **fields):
    new = copy.deepcopy(old)
    new["metadata"]["labels"] = {"a": "b"}
    return {**new, **fields}


def storage_class(size):
    """A legal one of so many bytes: nothing bounds mount options."""
    return {**STORAGE_CLASS, "mountOptions": ["<>&" * 1000] * (size // 3000)}


def claim(size):
    """The same, with opaque parameters as large as they may be, and what a manager has written down of such fields."""
    opaque = {"driver": "gpu.acme.dev", "parameters": {"a": "<" * 10000}}
    spec = {"devices": {**CLAIM["spec"]["devices"], "config": [{"requests": ["r"], "opaque": opaque}] * 32}}
    fields = {"f:spec": {"f:" + "&" * (size - 330000): {}}}
    managed = [{"manager": "m", "operation": "Update", "apiVersion": CLAIM["apiVersion"], "fieldsType": "FieldsV1", "fieldsV1": fields}]
    return {**CLAIM, "metadata": {**CLAIM["metadata"], "managedFields": managed}, "spec": spec}


def allocated(old):
    result = {"request": "r", "driver": "gpu.acme.dev", "pool": "p", "device": "d"}
    return {**old, "status": {"allocation": {"devices": {"results": [result]}}}}


def rows():
    for size in 700000, 1400000:
        old = storage_class(size)
        yield f"a StorageClass of {size:,} bytes, another label", review(changed(old), old), True
        yield f"a StorageClass of {size:,} bytes, another policy", review(changed(old, reclaimPolicy="Retain"), old), False
        old = claim(size)
        yield f"a ResourceClaim of {size:,} bytes, its status", review(allocated(old), old, "status"), True
        yield f"a ResourceClaim of {size:,} bytes, another class", review(changed(old, spec=CLAIM["spec"]), old), False


def run(build, body):
    """What `drawbridge review` says of it: (exit status, the response or the complaint)"""
    command = [os.path.join(build, "drawbridge"), "review", "--kubernetes-version", "1.35", "-"]
    done = subprocess.run(command, input=body, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, json.loads(done.stdout)["response"] if done.stdout else done.stderr.decode()


def test_legal(tap, build, server):
    for what, body, good in rows():
        status, _, answer = server.ask(body)
        response = json.loads(answer)["response"] if status == 200 else answer
        tap.ok(status == 200 and response["allowed"] == good, f"{what}: {len(body) / 1e6:.1f} MB, {status}", str(response)[:300])
        code, said = run(build, body)
        tap.ok(code == (0 if good else 1) and said == response, f"{what}: `review` says the same", str(said)[:300])


def test_bounds(tap, build, server):
    for size, expected in (LIMIT - 1, 200), (LIMIT, 200), (LIMIT + 1, 413):
        body = CREATE.rstrip().ljust(size)
        tap.equal(server.ask(body)[0], expected, f"{size:,} bytes")
        with server.connect() as connection:
            data = request(chunked([body[at:at + MIB] for at in range(0, size, MIB)]), ["Transfer-Encoding: chunked"])
            tap.equal(exchange(connection, data)[0], expected, f"{size:,} bytes in chunks")
    long = CREATE.rstrip()[:-1] + b',"pad":"' + b"x" * LIMIT + b'"}'
    code, said = run(build, long)
    tap.ok(code == 2 and "larger than 20 MiB" in said, "`review`: more than 20 MiB", said)
    for count, expected in (VALUES - 100, 200), (VALUES, 413):
        body = review({**STORAGE_CLASS, "mountOptions": [""] * count})
        status, _, answer = server.ask(body)
        tap.ok(status == expected, f"{count:,} values and some: {status}", answer)


def peak(server):
    with open(f"/proc/{server.program.pid}/status") as file:
        return int(re.search(r"VmHWM:\s+(\d+)", file.read()).group(1)) / 1024


def hostile():
    """Reviews on which much memory goes, each of another kind."""
    driver = {"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": "a"}}
    yield review({**driver, "spec": {"tokenRequests": [{}] * 650000}})
    yield review({**driver, "metadata": {"name": "a", "labels": {f"-{i}": "_" for i in range(650000)}}})
    yield review({**driver, "spec": {"tokenRequests": [None] * 650000}})
    yield review({**driver, "spec": {"fsGroupPolicy": "@"}}).replace(b"@", b"\xff" * (LIMIT - 1000))
    yield review({**driver, "metadata": {"name": "a", "labels": {str(i): "@" for i in range(650000)}}}).replace(b"@", b"\xff" * 20)


def test_memory(tap, build):
    """One review takes as much as its arena may, at most; of many, some are validated at a time, others wait or are told to come back."""
    for body in hostile():
        server = Server(build, "--shutdown-delay", "0")
        before = peak(server)
        status = server.ask(body)[0]
        taken = peak(server) - before
        tap.ok(status in (200, 413) and taken < 20 + 160 + 16, f"{len(body) / 1e6:.1f} MB: {status}, takes {taken:.0f} MiB")
        server.stop()
    server, bodies = Server(build, "--shutdown-delay", "0"), list(hostile())
    def ask(number):
        with server.connect(timeout=120) as connection:
            return exchange(connection, request(bodies[number % len(bodies)]))[0]
    with concurrent.futures.ThreadPoolExecutor(24) as pool:
        statuses = list(pool.map(ask, range(72)))
    counts = {status: statuses.count(status) for status in sorted(set(statuses))}
    tap.ok(set(counts) <= {200, 413, 503} and 200 in counts, f"24 clients at a time: {counts}")
    tap.ok(peak(server) < 128 + 3 * 160 + 64, f"they take {peak(server):.0f} MiB")
    tap.ok(metric_reaches(server, "body_bytes_in_flight", 0) and server.ask(CREATE)[0] == 200, "and nothing is left of them")
    tap.equal(server.stop(), (0, ""), "the server ends cleanly")


def main(build):
    tap = Tap()
    server = Server(build, "--shutdown-delay", "0")
    test_legal(tap, build, server)
    test_bounds(tap, build, server)
    tap.equal(server.stop(), (0, ""), "the server ends cleanly")
    if not any(word in os.path.basename(build) for word in ("asan", "tsan", "coverage")):
        test_memory(tap, build)
    return tap.done()


sys.exit(main(sys.argv[1]))
