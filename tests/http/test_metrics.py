#!/usr/bin/env python3
"""/metrics: the format, every figure that should move when something happens, and labels that nobody outside can choose.

    test_metrics.py BUILD
"""
import concurrent.futures, json, os, re, shutil, ssl, subprocess, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from client import BROKEN, CREATE, REVIEWS, Server, exchange, metric_reaches, read_answer, request
from tap import Tap
import kinds

DRIVER = {"group": "storage.k8s.io", "version": "v1", "kind": "CSIDriver"}
OTHER = {"group": "other", "version": "other", "kind": "other"}
VERDICTS = ["allowed", "warned", "denied", "skipped", "bad", "too_large", "failed"]
LINE = re.compile(r'(?P<name>[a-z_]+)(?:\{(?P<labels>[a-z_]+="(?:[^"\\\n]|\\["\\n])*"(?:,[a-z_]+="(?:[^"\\\n]|\\["\\n])*")*)\})? (?P<value>[0-9.e+-]+)')

# Every metric, its type, and the values that its labels may have; None: any of the tables.
FAMILIES = {
    "drawbridge_build_info": ("gauge", {"version", "libmicrohttpd", "gnutls"}),
    "drawbridge_configuration_info": ("gauge", {"mode", "kubernetes_version"}),
    "drawbridge_ready": ("gauge", set()),
    "drawbridge_reviews_total": ("counter", {"operation", "group", "version", "kind", "verdict"}),
    "drawbridge_findings_total": ("counter", {"rule", "severity"}),
    "drawbridge_denials_demoted_total": ("counter", {"reason"}),
    "drawbridge_disagreements_total": ("counter", set()),
    "drawbridge_review_duration_seconds": ("histogram", {"path"}),
    "drawbridge_answers_total": ("counter", {"status"}),
    "drawbridge_rejections_total": ("counter", {"cause"}),
    "drawbridge_requests_in_flight": ("gauge", set()),
    "drawbridge_body_bytes_in_flight": ("gauge", set()),
    "drawbridge_queue_length": ("gauge", set()),
    "drawbridge_workers_busy": ("gauge", set()),
    "drawbridge_connections": ("gauge", {"port"}),
    "drawbridge_connections_expired_total": ("counter", {"port"}),
    "drawbridge_tls_handshakes_total": ("counter", set()),
    "drawbridge_tls_handshake_failures_total": ("counter", set()),
    "drawbridge_certificate_expiry_timestamp_seconds": ("gauge", {"certificate"}),
    "drawbridge_reloads_total": ("counter", {"what", "result"}),
    "drawbridge_client_certificates_total": ("counter", {"result"}),
    "drawbridge_client_requests_total": ("counter", {"name"}),
    "drawbridge_log_lines_dropped_total": ("counter", set()),
    "process_cpu_seconds_total": ("counter", set()),
    "process_resident_memory_bytes": ("gauge", set()),
    "process_virtual_memory_bytes": ("gauge", set()),
    "process_open_fds": ("gauge", set()),
    "process_max_fds": ("gauge", set()),
    "process_start_time_seconds": ("gauge", set()),
}


def scrape(server):
    return server.status("/metrics")[2].decode()


def series(text):
    """{(name, labels)}: value; the text must be in order already."""
    found = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            match = LINE.fullmatch(line)
            found[match["name"], frozenset(re.findall(r'([a-z_]+)="([^"]*)"', match["labels"] or ""))] = float(match["value"])
    return found


def known_kinds():
    return {(row.group, row.version, row.kind) for row in kinds.rows()}


def rules():
    found = set()
    for name, word in (("rules.def", "RULE"), ("formats.def", "FORMAT")):
        with open(os.path.join(ROOT, "rules", name)) as file:
            found |= set(re.findall(r"^%s\(\w+,\s*\"([^\"]*)\"" % word, file.read(), re.M))
    return found


def test_format(tap, server):
    status, headers, body = server.status("/metrics")
    tap.ok(status == 200 and headers["content-type"].startswith("text/plain; version=0.0.4"), "the type says which format it is")
    text, family, seen, wrong, order = body.decode(), None, {}, [], []
    for line in text.splitlines():
        words = line.split(" ", 3)
        if line.startswith("# HELP "):
            family = words[2]
            order.append(family)
        elif line.startswith("# TYPE "):
            seen[family] = (words[3], set())
            wrong += [line] * (words[2] != family)
        else:
            match = LINE.fullmatch(line)
            name = match and re.sub("_(bucket|sum|count)$", "", match["name"]) if match and seen[family][0] == "histogram" else match and match["name"]
            if name != family:
                wrong.append(line)
            else:
                seen[family][1].update(label for label, _ in re.findall(r'([a-z_]+)="([^"]*)"', match["labels"] or "") if label != "le")
    tap.equal(wrong, [], "each line belongs to the HELP and TYPE above it")
    tap.equal(sorted(order), sorted(set(order)), "each metric comes once")
    tap.equal(sorted(set(FAMILIES) ^ set(seen)), [], "all of them are there, and no other")
    for name, (kind, labels) in FAMILIES.items():
        tap.ok(seen.get(name, ("", set()))[0] == kind and seen[name][1] in (labels, set()), f"{name} is a {kind} with labels {sorted(labels)}", seen.get(name))
    if shutil.which("promtool"):
        done = subprocess.run(["promtool", "check", "metrics"], input=body, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        tap.ok(done.returncode == 0 and not done.stdout, "promtool has nothing to say", done.stdout.decode())
    else:
        print("# skipped: the format as promtool sees it: no promtool here; make test-deploy has it", flush=True)


def moved(server, act):
    """What changed in /metrics by act(), without what changes by itself."""
    def look():
        return {key: value for key, value in series(scrape(server)).items() if not key[0].startswith("process_")}
    before = look()
    act()
    metric_reaches(server, 'connections{port="https"}', 0, 5)
    after = look()
    return {(name, tuple(sorted(value for _, value in labels))): after[name, labels] - before.get((name, labels), 0)
            for name, labels in after if after[name, labels] != before.get((name, labels), 0)}


def key(name, *labels):
    return "drawbridge_" + name, tuple(sorted(labels))


def count(changes, name, *labels):
    return changes.get(key(name, *labels), 0)


def changed(body, **changes):
    review = json.loads(body)
    review["request"].update(changes)
    return json.dumps(review).encode()


def with_annotations(body, count):
    """The same review with so many findings: annotations with bad names."""
    review = json.loads(body)
    review["request"]["object"]["metadata"]["annotations"] = {f"-bad-{i}": "" for i in range(count)}
    return json.dumps(review).encode()


def test_reviews(tap, server):
    cases = [
        ("a good creation", CREATE, ("create", "storage.k8s.io", "v1", "CSIDriver", "allowed")),
        ("one with an error", BROKEN, ("create", "storage.k8s.io", "v1", "CSIDriver", "denied")),
        ("a good update", REVIEWS["107-update-v1-csidriver.json"], ("update", "storage.k8s.io", "v1", "CSIDriver", "allowed")),
        ("a status update", REVIEWS["123-update-v1-volumeattachment-status.json"], ("status", "storage.k8s.io", "v1", "VolumeAttachment", "allowed")),
        ("a deletion", REVIEWS["108-delete-v1-csidriver.json"], ("other", "storage.k8s.io", "v1", "CSIDriver", "skipped")),
        ("an older API version", REVIEWS["128-create-v1beta1-volumeattributesclass.json"], ("create", "storage.k8s.io", "v1beta1", "VolumeAttributesClass", "allowed")),
        ("another subresource", changed(CREATE, subResource="scale"), ("other", "storage.k8s.io", "v1", "CSIDriver", "skipped")),
        ("a kind without rules", changed(CREATE, kind={"group": "apps", "version": "v1", "kind": "Deployment"}, object={"apiVersion": "apps/v1", "kind": "Deployment"}), ("create", "other", "other", "other", "skipped")),
        ("an empty object", b"{}", ("other", "other", "other", "other", "bad")),
        ("no JSON", b"\xff", ("other", "other", "other", "other", "bad")),
        ("deep nesting", b'{"a":' * 70 + b"1" + b"}" * 70, ("other", "other", "other", "other", None)),
    ]
    for text, body, labels in cases:
        changes = moved(server, lambda: server.ask(body))
        found = {where: value for where, value in changes.items() if where[0] == "drawbridge_reviews_total"}
        if labels[-1] is None:
            labels = (*labels[:-1], "too_large" if key("reviews_total", *labels[:-1], "too_large") in found else "bad")
        tap.ok(found == {key("reviews_total", *labels): 1} and count(changes, "review_duration_seconds_count", "inline") == 1, f"{text}: {labels}", found)


def test_findings(tap, server):
    changes = moved(server, lambda: server.ask(BROKEN))
    tap.ok(count(changes, "findings_total", "enum", "error") == 1, "an error is counted by its rule", changes)
    changes = moved(server, lambda: server.ask(with_annotations(CREATE, 200)))
    errors = sum(value for where, value in changes.items() if where[0] == "drawbridge_findings_total")
    tap.ok(errors == 200, f"200 findings of one review are {errors:.0f}", changes)
    changes = moved(server, lambda: server.ask(REVIEWS["009-update-v1-resourceclaim-status.json"]))
    tap.ok(count(changes, "findings_total", "allocation", "warning") == 3 and count(changes, "reviews_total", "status", "resource.k8s.io", "v1", "ResourceClaim", "warned") == 1,
           "a warning is counted by its rule", changes)
    text = scrape(server)
    before = series(text)
    tap.ok(("drawbridge_reviews_total", frozenset({"operation": "create", **DRIVER, "verdict": "failed"}.items())) in before,
           "once an operation of a kind was seen, all its verdicts are there, so that the first failure is an increase")


def test_durations(tap, server):
    text = series(scrape(server))
    for path in ("inline", "worker"):
        buckets = sorted((float(dict(labels)["le"].replace("+Inf", "inf")), value) for (name, labels), value in text.items()
                         if name == "drawbridge_review_duration_seconds_bucket" and ("path", path) in labels)
        values = [value for _, value in buckets]
        total = text["drawbridge_review_duration_seconds_count", frozenset({("path", path)})]
        seconds = text["drawbridge_review_duration_seconds_sum", frozenset({("path", path)})]
        tap.ok(values == sorted(values) and values[-1] == total and buckets[0][0] == 0.00005 and buckets[-2][0] == 10, f"{path}: buckets from 50 us to 10 s rise to the count")
        tap.ok(0 <= seconds < 60 and (seconds > 0) == (total > 0), f"{path}: {total:.0f} reviews took {seconds:.6f} s together")


def test_answers(tap, server):
    for text, status, act in [
            ("a wrong path", 404, lambda: server.ask(CREATE, path="/nowhere")),
            ("a wrong method", 405, lambda: server.ask(b"", method="GET")),
            ("another type", 415, lambda: server.ask(CREATE, ["Content-Type: text/plain"])),
            ("a body over the limit", 413, lambda: server.ask(b"x" * 300001)),
            ("no review", 400, lambda: server.ask(b"[]")),
            ("a header over the limit", 431, lambda: server.ask(CREATE, ["X-Long: " + "x" * 100000])),
            ("a review", 200, lambda: server.ask(CREATE))]:
        changes = moved(server, act)
        found = {where[1]: value for where, value in changes.items() if where[0] == "drawbridge_answers_total"}
        tap.ok(found == {(str(status),): 1}, f"{text} is answered and counted as {status}", found)


def test_connections(tap, server):
    def handshake(version):
        context = server.context()
        context.minimum_version = context.maximum_version = version
        with server.connect(context) as connection:
            for _ in range(3):
                exchange(connection, request(CREATE))
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        changes = moved(server, lambda: handshake(version))
        tap.ok(count(changes, "tls_handshakes_total") == 1 and not count(changes, "tls_handshake_failures_total"), f"one handshake of {version.name} with three requests", changes)
    def broken():
        with server.plain() as connection:
            connection.sendall(b"GET / HTTP/1.1\r\n\r\n")
            connection.recv(100)
    changes = moved(server, broken)
    tap.ok(count(changes, "tls_handshake_failures_total") == 1 and not count(changes, "tls_handshakes_total"), "plain HTTP on the TLS port is a failure", changes)
    changes = moved(server, lambda: server.plain().close())
    tap.ok(not count(changes, "tls_handshake_failures_total"), "a connection on which nothing was sent is none", changes)
    with server.connect() as connection:
        connection.sendall(request(CREATE)[:-1])
        tap.ok(metric_reaches(server, "requests_in_flight", 1) and metric_reaches(server, 'connections{port="https"}', 1), "a request is in flight until its last byte has come")
        tap.ok(server.metric("body_bytes_in_flight") >= len(CREATE) - 1, f"with {server.metric('body_bytes_in_flight'):.0f} bytes of its body")
        connection.sendall(CREATE[-1:])
        tap.ok(read_answer(connection)[0] == 200 and metric_reaches(server, "requests_in_flight", 0), "and not afterwards")


def test_process(tap, server):
    now = {name: value for (name, labels), value in series(scrape(server)).items() if name.startswith("process_")}
    with open(f"/proc/{server.program.pid}/status") as file:
        resident = int(re.search(r"VmRSS:\s+(\d+) kB", file.read()).group(1)) * 1024
    files = len(os.listdir(f"/proc/{server.program.pid}/fd"))
    tap.ok(abs(now["process_resident_memory_bytes"] - resident) < 8 << 20, f"memory: {now['process_resident_memory_bytes']:.0f}, the system says {resident}")
    tap.ok(abs(now["process_open_fds"] - files) <= 3 and now["process_max_fds"] > files, f"files: {now['process_open_fds']:.0f} of {now['process_max_fds']:.0f}, the system says {files}")
    tap.ok(0 < time.time() - now["process_start_time_seconds"] < 600 and now["process_cpu_seconds_total"] > 0, "start and processor time")


def test_start_time(tap, server):
    looks = {re.search("^process_start_time_seconds .*", scrape(server), re.M).group() for _ in range(5)}
    tap.ok(len(looks) == 1, "the time of the start does not move", looks)


def test_certificate(tap, server):
    done = subprocess.run(["openssl", "x509", "-noout", "-enddate", "-in", os.path.join(server.folder.name, "tls.crt")], stdout=subprocess.PIPE, text=True, check=True)
    end = ssl.cert_time_to_seconds(done.stdout.strip().split("=")[1])
    tap.equal(server.metric('certificate_expiry_timestamp_seconds{certificate="serving"}'), end, "the end of our certificate")


def test_hostile_labels(tap, server):
    """Whatever is sent, the labels are those of the tables."""
    nasty = ['x"} 1\nevil_total{a="b', "\\", "\n", "é" * 50, "x" * 5000, "", "\x00", "CREATE ", "status", "other", "DELETE", "CONNECT"]
    for text in nasty:
        server.ask(changed(CREATE, operation=text))
        server.ask(changed(CREATE, subResource=text))
        server.ask(changed(CREATE, kind={"group": text, "version": text, "kind": text}))
        server.ask(changed(CREATE, kind={**DRIVER, "kind": text}))
        server.ask(changed(CREATE, uid=text))
        server.ask(CREATE, path="/validate?timeout=" + re.sub(r"[^!-~]", "%", text[:100]))
    text = scrape(server)
    known = {"operation": {"create", "update", "status", "other"}, "verdict": set(VERDICTS), "severity": {"error", "warning", "info"}, "rule": rules(),
             "status": {"200", "400", "403", "404", "405", "413", "414", "415", "431", "500", "503", "other"}}
    wrong = []
    for (name, labels), _ in series(text).items():
        given = dict(labels)
        wrong += [(name, label, value) for label, value in labels if label in known and value not in known[label]]
        if "group" in given and (given["group"], given["version"], given["kind"]) not in known_kinds() | {("other",) * 3}:
            wrong.append((name, given))
    tap.equal(wrong, [], "labels are words of the tables, whatever callers write")
    tap.ok("evil" not in text and "Deployment" not in text and len(text) < 200000, f"and nothing else of it is in the {len(text)} bytes")
    if shutil.which("promtool"):
        done = subprocess.run(["promtool", "check", "metrics"], input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        tap.ok(done.returncode == 0 and not done.stdout, "and promtool still has nothing to say", done.stdout.decode())


def test_many_threads(tap, server):
    """Nothing is lost when all threads count at once."""
    def work(_):
        with server.connect() as connection:
            return sum(exchange(connection, request(body))[0] == 200 for _ in range(100) for body in (CREATE, BROKEN))
    before = [server.total("reviews_total", verdict=verdict) for verdict in ("allowed", "denied")]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        good = sum(pool.map(work, range(8)))
    after = [server.total("reviews_total", verdict=verdict) for verdict in ("allowed", "denied")]
    tap.ok(good == 1600 and [b - a for a, b in zip(before, after)] == [800, 800], f"{good} reviews on 8 connections are all counted", (before, after))


def test_demoted(tap, build):
    server = Server(build, "--shutdown-delay", "0", version=None)
    changes = moved(server, lambda: server.ask(BROKEN))
    tap.ok(count(changes, "denials_demoted_total", "version") == 1 and count(changes, "disagreements_total") == 1, "no version: a denial becomes a warning", changes)
    tap.ok(count(changes, "reviews_total", "create", *DRIVER.values(), "warned") == 1, "and the verdict is warned")
    tap.ok(series(scrape(server)).get(("drawbridge_configuration_info", frozenset({("mode", "enforce"), ("kubernetes_version", "none")}))) == 1, "configuration_info says so")
    server.stop()
    server = Server(build, "--shutdown-delay", "0")
    review = json.loads(REVIEWS["107-update-v1-csidriver.json"])
    review["request"]["oldObject"]["spec"]["fsGroupPolicy"] = "Files"
    review["request"]["object"] = json.loads(json.dumps(review["request"]["oldObject"]))
    review["request"]["object"]["metadata"]["finalizers"] = ["acme.dev/x"]
    changes = moved(server, lambda: server.ask(json.dumps(review).encode()))
    tap.ok(count(changes, "denials_demoted_total", "ratchet") == 1 and not count(changes, "denials_demoted_total", "version"), "a finalizer of an object that was wrong before", changes)
    tap.ok(series(scrape(server)).get(("drawbridge_configuration_info", frozenset({("mode", "enforce"), ("kubernetes_version", "1.35")}))) == 1, "configuration_info says the version")
    server.stop()


def test_client_names(tap, build):
    """Names of options that are repeated, look like ours, or have what labels must escape: each is there once."""
    server = Server(build, "--shutdown-delay", "0")
    names = ["kube-apiserver", "other", "none", "kube-apiserver", 'a"b', "c\\d", "{x=\"y\"} 1"]
    command = server.command("--shutdown-delay", "0", "--client-ca", server.ca, *[word for name in names for word in ("--client-cn", name)])
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    server.status_port = int(re.search(rb"status=127\.0\.0\.1:(\d+)", program.stdout.readline()).group(1))
    text = scrape(server)
    found = re.findall(r'^drawbridge_client_requests_total\{name="((?:[^"\\]|\\.)*)"\} 0$', text, re.M)
    tap.equal([re.sub(r"\\(.)", r"\1", name) for name in found], list(dict.fromkeys(names)), "names of clients")
    tap.ok(all(line.startswith("#") or LINE.fullmatch(line) for line in text.splitlines()), "and every line can be read")
    program.terminate()
    program.wait(30)
    program.stdout.close()
    server.stop()


def test_rejected(tap, build):
    """12 bodies of 8 MiB fill what large bodies may take; the next one is refused for its bytes."""
    server = Server(build, "--shutdown-delay", "0")
    body = b'"' + b"x" * ((8 << 20) - 2)
    held = []
    for _ in range(12):
        connection = server.connect()
        connection.sendall(request(headers=[f"Content-Length: {8 << 20}"]) + body)
        held.append(connection)
    metric_reaches(server, "body_bytes_in_flight", 96 << 20)
    with server.connect() as connection:
        status = exchange(connection, request(b'"' + b"x" * ((8 << 20) - 1)))[0]
    tap.ok(status == 503 and server.metric('rejections_total{cause="bytes"}') == 1 and server.metric('answers_total{status="503"}') == 1, f"too many bytes: {status}, counted by its cause")
    for connection in held:
        connection.close()
    server.stop()


def main(build):
    tap = Tap()
    server = Server(build, "--max-body", "300000", "--shutdown-delay", "0")
    for test in (test_reviews, test_findings, test_durations, test_answers, test_connections, test_process, test_start_time, test_certificate, test_hostile_labels, test_many_threads, test_format):
        test(tap, server)
    server.stop()
    test_demoted(tap, build)
    test_client_names(tap, build)
    test_rejected(tap, build)
    return tap.done()


sys.exit(main(sys.argv[1]))
