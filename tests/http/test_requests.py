#!/usr/bin/env python3
"""Requests to a real server over verified TLS: the design's table of answers, row by row.

    test_requests.py BUILD
"""
import json, os, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "conformance")]
import cases as conformance
from client import BROKEN, CREATE, REVIEWS, Server, chunked, closed_within, exchange, metric_reaches, read_answer, request
from tap import Tap

MAX_BODY = 65536
UPDATE = REVIEWS["107-update-v1-csidriver.json"]


def case_review(case):
    group, version = case["object"]["apiVersion"].split("/")
    return json.dumps({"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": {
        "uid": case["id"], "kind": {"group": group, "version": version, "kind": case["object"]["kind"]}, "operation": case["op"], "object": case["object"]}}).encode()


def test_the_same_as_review(tap, server):
    """Captured reviews and created cases get the same bytes from the webhook and from `drawbridge review`."""
    cases = [case for case in conformance.supported() if case["op"] == "CREATE" and case["object"]["apiVersion"].startswith("storage.k8s.io/")]
    bodies = [body for body in list(REVIEWS.values()) + [case_review(case) for case in cases] if len(body) <= MAX_BODY]
    done = subprocess.run([os.path.join(server.build, "drawbridge"), "review", "--kubernetes-version", "1.35", "-"], input=b"\n".join(bodies), stdout=subprocess.PIPE)
    lines = done.stdout.splitlines()
    tap.ok(len(lines) == len(bodies), f"{len(bodies)} reviews")
    same = 0
    with server.connect() as connection:
        for body, line in zip(bodies, lines):
            status, headers, answer = exchange(connection, request(body))
            same += status == 200 and answer == line and headers["content-type"] == "application/json"
    tap.ok(same == len(bodies), f"{same} of them answered alike over one connection")


def test_verdicts(tap, server):
    status, _, answer = server.ask(CREATE)
    response = json.loads(answer)["response"]
    tap.ok(status == 200 and response == {"uid": json.loads(CREATE)["request"]["uid"], "allowed": True}, "allowed")
    status, _, answer = server.ask(BROKEN)
    response = json.loads(answer)["response"]
    tap.ok(status == 200 and response["allowed"] is False and response["status"]["code"] == 422, "denied with HTTP status 200")
    deleting = UPDATE.replace(b'"fsGroupPolicy":"File"', b'"fsGroupPolicy":"Files"', 1).replace(b'"oldObject":{"kind":"CSIDriver","apiVersion":"storage.k8s.io/v1","metadata":{', b'"oldObject":{"kind":"CSIDriver","apiVersion":"storage.k8s.io/v1","metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z",')
    response = json.loads(server.ask(deleting)[2])["response"]
    tap.ok(response["allowed"] is True and "fsGroupPolicy" in response["warnings"][0], "an object that is being deleted is not held up")


def test_routes(tap, server):
    for method in ("GET", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW"):
        status, headers, _ = server.ask(b"", method=method)
        tap.ok(status == 405 and headers["allow"] == "POST", f"{method} /validate is 405")
    for path in ("/", "/validate/", "/Validate", "/validate/x", "//validate", "/metrics", "/livez", "/validate%00x", "/valid%61te", "/validate%3Fx", "https://localhost", "https://validate"):
        tap.ok(server.ask(CREATE, path=path)[0] == 404, f"POST {path} is 404")
    for path in ("/validate?timeout=10s", "/validate?", "https://localhost/validate", "http://localhost:8443/validate?timeout=10s", "HTTPS://[::1]:1/validate"):
        tap.ok(server.ask(CREATE, path=path)[0] == 200, f"POST {path} is good")
    for kind in ("text/plain", "application/jsonx", "application/yaml", "", "application/x-www-form-urlencoded", "multipart/form-data", "application/json x", "application/json, application/json"):
        tap.ok(server.ask(CREATE, [f"Content-Type: {kind}"])[0] == 415, f"Content-Type '{kind}' is 415")
    for kind in ("application/json", "Application/JSON", "application/json; charset=utf-8", "application/json;charset=utf-8", "application/json ; charset=utf-8"):
        tap.ok(server.ask(CREATE, [f"Content-Type: {kind}"])[0] == 200, f"Content-Type '{kind}' is good")
    for kinds in (["application/json"] * 2, ["application/json", "text/plain"]):
        tap.ok(server.ask(CREATE, [f"Content-Type: {kind}" for kind in kinds])[0] == 415, f"two Content-Types are 415: {', '.join(kinds)}")
    tap.ok(server.ask(CREATE, ["X-Long: " + "x" * 20000, "X-Empty:", "X-Tight:x", "X-Wide: \t  x  ", "Cookie: a=b; c=d"])[0] == 200, "a long header, odd spaces and cookies are good")


def test_bad_bodies(tap, server):
    bodies = {
        "nothing": b"", "white space": b"  \n", "no JSON": b"hello", "half a review": CREATE[:-20], "two reviews": CREATE + CREATE, "an array": b"[]", "null": b"null",
        "another version": CREATE.replace(b"admission.k8s.io/v1\"", b"admission.k8s.io/v1beta1\""), "no uid": CREATE.replace(b'"uid":"', b'"xid":"', 1), "NUL": b"\0" * 100,
        "no object": CREATE.replace(b'"object":', b'"abject":'), "another kind": CREATE.replace(b'"object":{"kind":"CSIDriver"', b'"object":{"kind":"CSINode"'),
    }
    for name, body in bodies.items():
        status, headers, text = server.ask(body)
        tap.ok(status == 400 and headers["content-type"].startswith("text/plain") and text.startswith(b"byte ") and b'"allowed"' not in text, f"{name} is 400: {text.decode().strip()}")
    deep = CREATE.replace(b'"options":', b'"deep":' + b"[" * 10001 + b"]" * 10001 + b',"options":')
    tap.ok(server.ask(deep)[0] == 413, "nesting over the limit is 413, not a verdict")


def test_sizes(tap, server):
    def padded(size):
        return CREATE.rstrip() + b" " * (size - len(CREATE.rstrip()))
    for size, expected in ((MAX_BODY - 1, 200), (MAX_BODY, 200), (MAX_BODY + 1, 413), (50 * MAX_BODY, 413)):
        tap.ok(server.ask(padded(size))[0] == expected, f"{size} bytes with Content-Length: {expected}")
        body = chunked([padded(size)[i:i + 5000] for i in range(0, size, 5000)])
        tap.ok(server.ask(body, ["Transfer-Encoding: chunked"])[0] == expected, f"{size} bytes in chunks: {expected}")
    with server.connect() as connection:
        status, headers, _ = exchange(connection, request(b"", ["Content-Length: 99999999999"]))
        tap.ok(status == 413 and closed_within(connection, 5), "a huge Content-Length is refused before the body comes")
    body = chunked([CREATE[i:i + 1] for i in range(len(CREATE))])
    tap.ok(server.ask(body, ["Transfer-Encoding: chunked"])[0] == 200, "chunks of one byte")


def test_framing(tap, server):
    """What two programs could read in two ways is refused, and what stands behind it is not taken for a request."""
    smuggled = request(CREATE)
    cases = {
        "Content-Length and Transfer-Encoding": ([f"Content-Length: {len(CREATE)}", "Transfer-Encoding: chunked"], chunked([CREATE])),
        "two Content-Lengths": ([f"Content-Length: {len(CREATE)}", "Content-Length: 5"], CREATE),
        "two equal Content-Lengths": ([f"Content-Length: {len(CREATE)}"] * 2, CREATE),
        "Transfer-Encoding gzip": (["Transfer-Encoding: gzip"], CREATE),
        "Transfer-Encoding gzip, chunked": (["Transfer-Encoding: gzip, chunked"], chunked([CREATE])),
        "Transfer-Encoding twice": (["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], chunked([CREATE])),
        "Transfer-Encoding identity": (["Transfer-Encoding: identity"], CREATE),
        "signed Content-Length": ([f"Content-Length: +{len(CREATE)}"], CREATE),
        "negative Content-Length": (["Content-Length: -1"], CREATE),
        "Content-Length list": (["Content-Length: 5, 5"], CREATE),
        "hexadecimal Content-Length": (["Content-Length: 0x10"], CREATE),
        "chunk size that is no number": (["Transfer-Encoding: chunked"], b"zz\r\n" + CREATE),
    }
    for name, (headers, body) in cases.items():
        with server.connect() as connection:
            status, answer, text = exchange(connection, request(body, headers) + smuggled)
            rest = read_answer(connection)
            tap.ok(status in (400, 413) and rest[0] != 200 and b'"allowed"' not in text + rest[2], f"{name}: {status}, and the connection ends")


def test_malformed_headers(tap, server):
    """Headers that the library passes on, but that another program may read in another way."""
    length = f"Content-Length: {len(CREATE)}"
    def head(*lines, end="\r\n"):
        return (end.join(["POST /validate HTTP/1.1", "Host: localhost", "Content-Type: application/json", *lines]) + end + end).encode("latin-1")
    cases = {
        "a space before the colon of Content-Length": head(f"Content-Length : {len(CREATE)}"),
        "a space before the colon of another": head(length, "X-Other : 1"),
        "a tab before the colon": head(f"Content-Length\t: {len(CREATE)}"),
        "Transfer-Encoding with a space beside Content-Length": head(length, "Transfer-Encoding : chunked"),
        "a name with a bracket": head(length, "X(Other): 1"),
        "a name with a byte above 127": head(length, "X-\xe9: 1"),
        "an empty name": head(length, ": 1"),
        "a folded Content-Length": head("Content-Length:", f" {len(CREATE)}"),
        "a folded line behind Content-Length": head(length, " 0"),
        "a folded line behind another": head("X-Other: 1", "\t2", length),
        "a folded first line": b"POST /validate HTTP/1.1\r\n " + head(length).split(b"\r\n", 1)[1],
        "a folded Transfer-Encoding beside Content-Length": head(length, "X-Other: 1", " Transfer-Encoding: chunked"),
        "NUL in a value": head(length, "X-Other: a\0b"),
        "NUL behind Content-Length": head(length + "\0" + "0"),
        "NUL in a name": head(length, "X-Ot\0her: 1"),
        "NUL in the target": head(length).replace(b"/validate", b"/validate\0x"),
        "NUL in the query": head(length).replace(b"/validate", b"/validate?timeout=10s\0x"),
        "CR in a value": head(length, "X-Other: a\rb"),
        "lone LF everywhere": head(length, end="\n"),
        "lone LF behind the request line": head(length).replace(b"HTTP/1.1\r\n", b"HTTP/1.1\n"),
        "lone LF in the middle": head(length).replace(b"localhost\r\n", b"localhost\n"),
        "lone LF at the end": head(length)[:-4] + b"\n\r\n",
        "lone LF for the empty line": head(length)[:-2] + b"\n",
        "neither Content-Length nor Transfer-Encoding": head(),
        "no Host": head(length).replace(b"Host: localhost\r\n", b""),
        "two of Host": head(length, "Host: localhost"),
    }
    for name, top in cases.items():
        with server.connect() as connection:
            status, headers, text = exchange(connection, top + CREATE + request(CREATE))
            tap.ok(status == 400 and closed_within(connection, 5) and b'"allowed"' not in text, f"{name}: {status}, and the connection ends")
    tap.ok(server.ask(b"", method="GET", headers=["Content-Length: 0"])[0] == 405, "what is well-formed is validated by its method")


def test_one_connection(tap, server):
    with server.connect() as connection:
        answers = [exchange(connection, request(body))[0] for body in [CREATE, BROKEN, b"{", CREATE]]
        tap.ok(answers == [200, 200, 400, 200], "requests one after the other, a bad one among them")
    with server.connect() as connection:
        connection.sendall(request(CREATE) * 5)
        answers = [read_answer_in_order(connection) for _ in range(5)]
        tap.ok(answers == [200] * 5, "five requests at once")
    with server.connect() as connection:
        connection.sendall(request(b"", [f"Content-Length: {len(CREATE)}", "Expect: 100-continue"]))
        first = connection.recv(25)
        tap.ok(first.startswith(b"HTTP/1.1 100") and exchange(connection, CREATE)[0] == 200, "Expect: 100-continue")


def read_answer_in_order(connection):
    """Reads exactly one answer, byte by byte in the header, so that the next one stays in the connection."""
    top = b""
    while not top.endswith(b"\r\n\r\n"):
        piece = connection.recv(1)
        if not piece:
            return 0
        top += piece
    length = int([line for line in top.decode().split("\r\n") if line.lower().startswith("content-length")][0].split(":")[1])
    while length:
        length -= len(connection.recv(length))
    return int(top.split()[1])


def test_status_port(tap, server):
    tap.ok(server.status("/livez")[::2] == (200, b"ok\n"), "/livez")
    tap.ok(server.status("/readyz")[::2] == (200, b"ok\n"), "/readyz")
    tap.ok(server.status("/livez", "HEAD")[0] == 200, "HEAD /livez")
    tap.ok(server.status("/index.html")[0] == 404 and server.status("/validate")[0] == 404, "nothing else")
    tap.ok(server.status("/livez", "POST")[0] == 405, "POST /livez is 405")
    before = server.total("reviews_total", verdict="denied"), server.metric('answers_total{status="200"}'), server.metric('answers_total{status="413"}')
    server.ask(BROKEN)
    server.ask(b"x" * (MAX_BODY + 1))
    after = server.total("reviews_total", verdict="denied"), server.metric('answers_total{status="200"}'), server.metric('answers_total{status="413"}')
    tap.ok([b - a for a, b in zip(before, after)] == [1, 1, 1], "/metrics counts reviews and answers")
    before = server.metric('answers_total{status="431"}')
    server.ask(CREATE, ["X-Long: " + "x" * 100000])
    tap.ok(metric_reaches(server, 'answers_total{status="431"}', before + 1), "/metrics counts what the library refuses by itself (431)")
    with server.connect() as connection:
        exchange(connection, request(CREATE))
        tap.ok(metric_reaches(server, 'connections{port="https"}', 1) and server.metric('connections{port="status"}') == 1, "/metrics counts connections by port")
    tap.ok(server.status("/livez%00x")[0] == 404 and server.status("/livez?x=y")[0] == 200, "paths on the status port are taken as they are spelled")
    tap.ok(metric_reaches(server, "body_bytes_in_flight", 0) and metric_reaches(server, "requests_in_flight", 0), "nothing is in flight now")


def test_without_version(tap, build):
    """No --kubernetes-version: nothing is denied, everything is counted."""
    server = Server(build, version=None)
    response = json.loads(server.ask(BROKEN)[2])["response"]
    tap.ok(response["allowed"] is True and response["warnings"][0].startswith("spec.fsGroupPolicy: ") and "status" not in response, "a warning in place of a denial")
    tap.ok(server.metric("disagreements_total") == 1, "counted as a disagreement")
    tap.ok(server.stop() == (0, ""), "ends cleanly")


def main(build):
    tap = Tap()
    server = Server(build, "--max-body", str(MAX_BODY))
    for test in (test_the_same_as_review, test_verdicts, test_routes, test_bad_bodies, test_sizes, test_framing, test_malformed_headers, test_one_connection, test_status_port):
        test(tap, server)
    status, text = server.stop()
    tap.ok(status == 0 and text == "", f"the server ends with status {status} and says nothing: {text[:2000]}")
    test_without_version(tap, build)
    return tap.done()


sys.exit(main(sys.argv[1]))
