#!/usr/bin/env python3
"""The log on standard error: its lines, what must not be in them, and what happens when there are too many or nobody reads them.

    test_logs.py BUILD
"""
import fcntl, json, os, re, signal, socket, subprocess, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from client import BROKEN, CREATE, LOG_LINE, REVIEWS, Server, exchange, metric_reaches, request
from tap import Tap

MARK = "Marker7Q"
EVENTS = {"started", "ready", "draining", "stopped", "denied", "demoted", "refused", "slow", "failed", "left-out", "reloaded", "reload-failed", "certificate-ends"}
TEXT_LINE = re.compile(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (info|warning|error) ([a-z-]+)((?: [a-z_-]+=(?:[^\s"=]+|"(?:[^"\\]|\\.)*"))*)')


def events(log):
    """The lines of a log in JSON as objects."""
    return [json.loads(line) for line in log.splitlines() if LOG_LINE.match(line)]


def fields(line):
    return dict(re.findall(r' ([a-z_-]+)=([^\s"=]+|"(?:[^"\\]|\\.)*")', line))


def marked(body):
    """A review in which every text that a caller may choose holds the marker, and every number is one that can be found again."""
    review = json.loads(body)
    def mark(node):
        if isinstance(node, dict):
            return {key: mark(value) for key, value in node.items()}
        if isinstance(node, list):
            return [mark(item) for item in node]
        return node + MARK if isinstance(node, str) else node
    request_ = review["request"]
    request_["name"] = request_["namespace"] = MARK
    request_["userInfo"] = {"username": MARK, "groups": [MARK], "extra": {MARK: [MARK]}}
    for which in ("object", "oldObject"):
        if request_.get(which):
            kind, version = request_[which]["kind"], request_[which]["apiVersion"]
            request_[which] = mark(request_[which])
            request_[which].update(kind=kind, apiVersion=version)
            request_[which]["metadata"].update(name=MARK, labels={MARK: MARK}, annotations={MARK: MARK})
            request_[which].setdefault("spec", {})[MARK] = MARK
    return json.dumps(review).encode()


def test_life(tap, build):
    for form in ("text", "json"):
        server = Server(build, "--log-format", form, "--shutdown-delay", "0")
        port, status_port = server.port, server.status_port
        server.ask(BROKEN)
        server.ask(CREATE)
        server.ask(b"x", path="/nowhere")
        status, rest = server.stop()
        lines = server.log.splitlines()
        tap.ok(status == 0 and rest == "", f"{form}: nothing but log lines, status {status}", rest)
        if form == "text":
            matches = [TEXT_LINE.fullmatch(line) for line in lines]
            tap.ok(all(matches), "text: each line is a time, a level, an event and fields", [line for line, match in zip(lines, matches) if not match])
            words, ready = [match.group(2) for match in matches if match], fields(lines[1])
        else:
            parsed = events(server.log)
            words, ready = [event["msg"] for event in parsed], parsed[1]
            tap.ok(all({"time", "level", "msg"} <= set(event) for event in parsed), "json: each line has time, level and msg")
        tap.equal(words, ["started", "ready", "denied", "refused", "draining", "stopped"], f"{form}: the life of the server, a denial and a refusal in order")
        tap.ok(ready["https"] == f"127.0.0.1:{port}" and ready["status"] == f"127.0.0.1:{status_port}", f"{form}: its addresses", ready)


def test_denied(tap, build):
    server = Server(build, "--log-format", "json", "--shutdown-delay", "0")
    server.ask(BROKEN)
    server.ask(REVIEWS["009-update-v1-resourceclaim-status.json"])
    server.ask(b"{}")
    server.stop()
    lines = events(server.log)
    denied = [event for event in lines if event["msg"] == "denied"]
    want = {"level": "info", "uid": json.loads(BROKEN)["request"]["uid"], "operation": "create", "group": "storage.k8s.io", "version": "v1", "kind": "CSIDriver",
            "verdict": "denied", "rules": "enum", "errors": 1, "warnings": 0, "bytes": len(BROKEN), "path": "inline"}
    tap.ok(len(denied) == 1 and {key: denied[0].get(key) for key in want} == want and float(denied[0]["ms"]) > 0, "a denial says who asked, for what kind, which rules and how long", denied)
    tap.equal([(event["msg"], event.get("status")) for event in lines[3:-2]], [("refused", 400)], "what is no review is refused; warnings alone are no event")
    server = Server(build, "--log-format", "json", "--shutdown-delay", "0", version=None)
    server.ask(BROKEN)
    server.stop()
    demoted = [event for event in events(server.log) if event["msg"] == "demoted"]
    tap.ok(len(demoted) == 1 and demoted[0]["reason"] == "version" and demoted[0]["verdict"] == "warned", "a denial that became a warning says why", demoted)


def test_objects(tap, build):
    """With --log-objects, namespace and name are there, cut and escaped."""
    claim = json.loads(REVIEWS["009-update-v1-resourceclaim-status.json"])
    claim["request"]["object"]["status"]["devices"] = [{"driver": "x", "pool": "y", "device": "-"}]
    odd = dict(json.loads(BROKEN))
    odd["request"].update(name="a\n\u202e" + "b" * 1000)
    server = Server(build, "--log-format", "json", "--log-objects", "--shutdown-delay", "0")
    for body in (BROKEN, json.dumps(claim).encode(), json.dumps(odd).encode()):
        server.ask(body)
    server.stop()
    denied = [event for event in events(server.log) if event["msg"] == "denied"]
    want = [(None, json.loads(BROKEN)["request"]["name"]), (claim["request"]["namespace"], claim["request"]["name"]), (None, ("a\n\u202e" + "b" * 1000).encode()[:253].decode())]
    tap.equal([(event.get("namespace"), event.get("name")) for event in denied], want, "namespace and name of the object")
    tap.ok("\u202e" not in server.log, "they are escaped", server.log)


def test_many_rules(tap, build):
    """A line names a bounded number of rules."""
    review = json.loads(REVIEWS["017-create-v1-resourceslice.json"])
    server = Server(build, "--log-format", "json", "--shutdown-delay", "0")
    spec = review["request"]["object"]["spec"]
    spec["devices"] = spec["devices"] * 2 + [{"name": "Bad Name"}, {"name": ""}]
    spec["pool"] = {"name": "-bad-", "generation": -1, "resourceSliceCount": 0}
    spec.update(driver="Bad Driver", nodeName="x", allNodes=True)
    review["request"]["object"]["metadata"].update(name="Bad Name", labels={"-": "-" * 100}, annotations={"-": ""}, finalizers=["-"], ownerReferences=[{}])
    server.ask(json.dumps(review).encode())
    server.stop()
    denied = [event for event in events(server.log) if event["msg"] == "denied"]
    rules = denied[0]["rules"].split(",") if denied else []
    tap.ok(rules and len(rules) == len(set(rules)) and len(rules) <= 9 and (len(rules) < 9 or rules[-1] == "..."), f"{denied and denied[0]['errors']} errors, rules {','.join(rules)}")


def test_nothing_leaks(tap, build):
    """No name, namespace, value, user or field of any object is in the log, whatever happens to the review."""
    for form in ("text", "json"):
        for version in ("1.35", None):
            server = Server(build, "--log-format", form, "--shutdown-delay", "0", version=version)
            answers = []
            for body in list(REVIEWS.values())[::1 if version and form == "text" else 6]:
                answers.append(server.ask(marked(body))[2])
                server.ask(marked(body).replace(b'"spec"', b'"spec' + MARK.encode() + b'"'))
                server.ask(marked(body)[:-20])
                server.ask(marked(body), path="/" + MARK)
                server.ask(marked(body), ["X-" + MARK + ": " + MARK])
                server.ask(marked(body), ["Content-Type: text/" + MARK])
                server.ask(b"", method=MARK.upper())
            server.ask(json.dumps({"kind": MARK, "apiVersion": MARK}).encode())
            server.ask(json.dumps({"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": {"uid": "u", "operation": MARK, "kind": {"group": MARK, "version": MARK, "kind": MARK},
                       "object": {"kind": MARK, "apiVersion": MARK + "/" + MARK}}}).encode())
            server.stop()
            seen = sum(MARK.encode() in answer for answer in answers)
            tap.ok(seen > 0 and MARK.lower() not in server.log.lower() and len(server.log.splitlines()) > 20,
                   f"{form}, version {version}: {seen} answers quote the marker, {len(server.log.splitlines())} lines of the log do not", [line for line in server.log.splitlines() if MARK.lower() in line.lower()][:3])


def test_hostile_uid(tap, build):
    """The one thing that callers choose, the uid: cut, escaped, and never the end of a line."""
    uids = ["a\nb", 'a"b', "a\\b", "\x1b[31m", "\u202ertl", "\u2028", "x" * 256, "é" * 100, "\U0001F600" * 20, "\x7f", "=", " ", "a b=c"]
    for form in ("text", "json"):
        server = Server(build, "--log-format", form, "--shutdown-delay", "0")
        for uid in uids:
            review = json.loads(BROKEN)
            review["request"]["uid"] = uid
            server.ask(json.dumps(review).encode())
        server.stop()
        lines = server.log.splitlines()
        bad = [line for line in server.log.split("\n") if re.search(r"[\x00-\x1f\x7f-\x9f\u202e\u2028]", line)]
        denied = [line for line in lines if " denied " in line or '"msg":"denied"' in line]
        tap.ok(len(denied) == len(uids) and not bad, f"{form}: {len(denied)} denials, a line each, no control character", bad)
        if form == "json":
            got = [event["uid"] for event in events(server.log) if event["msg"] == "denied"]
            tap.ok(all(have == uid or (len(have.encode()) <= 67 + 4 and uid.startswith(have.rstrip("\ufffd")[:10])) for have, uid in zip(got, uids)), "json: they read as they were, or cut", list(zip(got, uids)))
        else:
            tap.ok(all(TEXT_LINE.fullmatch(line) for line in lines), "text: and each line can be taken apart", [line for line in lines if not TEXT_LINE.fullmatch(line)])


def test_flood(tap, build):
    """Thousands of denials: some hundred lines, and one that says how many are missing; the metric agrees."""
    server = Server(build, "--log-format", "json", "--shutdown-delay", "0")
    data, count = request(BROKEN), 0
    with server.connect() as connection:
        for count in range(1, 5001):
            if exchange(connection, data)[0] != 200:
                break
    time.sleep(0.5)
    dropped = server.metric("log_lines_dropped_total")
    server.stop()
    lines = events(server.log)
    denied = sum(event["msg"] == "denied" for event in lines)
    left_out = sum(event.get("denied", 0) for event in lines if event["msg"] == "left-out")
    tap.ok(200 <= denied <= 800, f"{count} denials make {denied} lines")
    tap.ok(denied + left_out == count and dropped == left_out, f"and lines that say {left_out} were left out; the metric says {dropped:.0f}")


def test_unread_pipe(tap, build):
    """Nobody reads standard error: requests are answered as quickly as ever, and the server ends in time."""
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    os.set_blocking(writer, False)
    while True:
        try:
            os.write(writer, b"x" * 4096)  # full before the server starts
        except BlockingIOError:
            break
    os.set_blocking(writer, True)
    server = Server(build, "--log-format", "json", "--shutdown-delay", "0")  # for its certificate
    program = subprocess.Popen(server.command("--log-format", "json", "--shutdown-delay", "0"), stdout=subprocess.PIPE, stderr=writer)
    os.close(writer)
    ready = re.match(rb"listening https=127\.0\.0\.1:(\d+) status=127\.0\.0\.1:(\d+)", program.stdout.readline())
    slowest, count, until = 0, 0, time.monotonic() + 14  # then 200 + 14 * 20 denials have come through: more than wait
    good = True
    while good and time.monotonic() < until:
        stuck = socket.create_connection(("127.0.0.1", int(ready.group(1))))
        with server.context().wrap_socket(stuck, server_hostname="localhost") as connection:
            for _ in range(2000):  # a connection has some 12,000 requests at least
                count += 2
                began = time.monotonic()
                good = good and exchange(connection, request(BROKEN))[0] == 200 and exchange(connection, request(b"{}"))[0] == 400
                slowest = max(slowest, time.monotonic() - began)
                if not good or time.monotonic() >= until:
                    break
    tap.ok(good and slowest < 1, f"{count} requests while nobody reads the log; the slowest two took {slowest * 1000:.0f} ms")
    began = time.monotonic()
    program.send_signal(signal.SIGTERM)
    status = program.wait(30)
    took = time.monotonic() - began
    tap.ok(status == 0 and took < 4, f"and it ends with status {status} after {took:.1f} s")
    os.close(reader)
    program.stdout.close()
    server.stop()


def test_reader_goes(tap, build):
    """The reader goes away, and comes no more: no harm. One that comes late gets whole lines."""
    server = Server(build, "--log-format", "json", "--shutdown-delay", "0")
    reader, writer = os.pipe()
    program = subprocess.Popen(server.command("--shutdown-delay", "0"), stdout=subprocess.PIPE, stderr=writer)
    os.close(writer)
    ready = re.match(rb"listening https=127\.0\.0\.1:(\d+)", program.stdout.readline())
    os.close(reader)
    with server.context().wrap_socket(socket.create_connection(("127.0.0.1", int(ready.group(1)))), server_hostname="localhost") as connection:
        good = all(exchange(connection, request(BROKEN))[0] == 200 for _ in range(50))
    program.send_signal(signal.SIGTERM)
    tap.ok(good and program.wait(30) == 0, "a log whose reader went away")
    program.stdout.close()
    reader, writer = os.pipe()
    program = subprocess.Popen(server.command("--log-format", "json", "--shutdown-delay", "0"), stdout=subprocess.PIPE, stderr=writer)
    os.close(writer)
    ready = re.match(rb"listening https=127\.0\.0\.1:(\d+)", program.stdout.readline())
    with server.context().wrap_socket(socket.create_connection(("127.0.0.1", int(ready.group(1)))), server_hostname="localhost") as connection:
        for _ in range(600):
            exchange(connection, request(BROKEN))
            exchange(connection, request(b"{}"))
    program.send_signal(signal.SIGTERM)
    with os.fdopen(reader, "rb") as late:
        text = late.read().decode()
    tap.ok(program.wait(30) == 0 and {event["msg"] for event in events(text)} <= EVENTS and text.endswith("\n") and '"stopped"' in "".join(text.splitlines()[-2:]), f"a late reader gets {len(text.splitlines())} whole lines, the last ones say stopped, and how many are missing")
    program.stdout.close()
    server.stop()


def test_lost(tap, build):
    """Lines that cannot be written, as the disk is full or the reader went away, are counted."""
    server = Server(build, "--shutdown-delay", "0")  # for its certificate
    reader, broken = os.pipe()
    os.close(reader)
    for name, descriptor in (("a full disk", os.open("/dev/full", os.O_WRONLY)), ("a reader that went away", broken)):
        program = subprocess.Popen(server.command("--shutdown-delay", "0"), stdout=subprocess.PIPE, stderr=descriptor)
        os.close(descriptor)
        ready = re.match(rb"listening https=127\.0\.0\.1:(\d+) status=127\.0\.0\.1:(\d+)", program.stdout.readline())
        with server.context().wrap_socket(socket.create_connection(("127.0.0.1", int(ready.group(1)))), server_hostname="localhost") as connection:
            good = all(exchange(connection, request(BROKEN))[0] == 200 for _ in range(50))
        server.status_port = int(ready.group(2))
        counted = metric_reaches(server, "log_lines_dropped_total", 52)
        tap.ok(good and counted, f"{name}: 50 denials, started and ready are lost, and counted", server.metric("log_lines_dropped_total"))
        program.send_signal(signal.SIGTERM)
        tap.equal(program.wait(30), 0, f"{name}: the server ends well")
        program.stdout.close()
    server.stop()


def test_sockets(tap, build):
    """Standard error that is a socket, as under systemd."""
    server = Server(build, "--shutdown-delay", "0")
    ours, theirs = socket.socketpair()
    program = subprocess.Popen(server.command("--shutdown-delay", "0"), stdout=subprocess.PIPE, stderr=theirs.fileno())
    theirs.close()
    program.stdout.readline()
    program.send_signal(signal.SIGTERM)
    text = b"".join(iter(lambda: ours.recv(65536), b"")).decode()
    tap.ok(program.wait(30) == 0 and [line.split()[2] for line in text.splitlines()] == ["started", "ready", "draining", "stopped"], "a socket gets the same lines", text)
    ours.close()
    program.stdout.close()
    server.stop()


def test_certificate(tap, build):
    """A certificate that ends soon is told of at the start."""
    server = Server(build, "--shutdown-delay", "0")
    folder = server.folder.name
    subprocess.run([os.path.join(build, "drawbridge"), "certs", "issue", "--dir", folder, "--host", "localhost", "--days", "365", "--out", "new", "--force"], check=True, stdout=subprocess.DEVNULL)
    def lines(begin, end):
        """As of a serving certificate that is valid from `begin` to `end`, in seconds from now."""
        stamp = lambda seconds: time.strftime("%Y%m%d%H%M%SZ", time.gmtime(time.time() + seconds))
        name = os.path.join(folder, "short")
        subprocess.run(["openssl", "req", "-new", "-key", os.path.join(folder, "tls.key"), "-subj", "/CN=localhost", "-out", name + ".csr"], check=True, stderr=subprocess.DEVNULL)
        with open(name + ".cnf", "w") as file:
            file.write(f"[ca]\ndefault_ca=a\n[a]\ndatabase={name}.db\nserial={name}.srl\nnew_certs_dir={folder}\ndefault_md=sha256\npolicy=p\nx509_extensions=x\n"
                       "[p]\ncommonName=supplied\n[x]\nsubjectAltName=DNS:localhost\nextendedKeyUsage=serverAuth\n")
        open(name + ".db", "w").close()
        with open(name + ".srl", "w") as file:
            file.write("77\n")
        subprocess.run(["openssl", "ca", "-batch", "-notext", "-config", name + ".cnf", "-in", name + ".csr", "-out", name + ".crt", "-cert", os.path.join(folder, "ca.crt"),
                        "-keyfile", os.path.join(folder, "ca.key"), "-startdate", stamp(begin), "-enddate", stamp(end)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        command = server.command("--log-format", "json", "--shutdown-delay", "0")
        command[command.index("--cert") + 1] = name + ".crt"
        program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        program.stdout.readline()
        time.sleep(1.5)
        program.send_signal(signal.SIGTERM)
        text = program.communicate(timeout=30)[1].decode()
        return [event for event in events(text) if event["msg"] == "certificate-ends"]
    day = 86400
    soon, later = lines(-80 * day, 39 * day // 2), lines(-60 * day, 40 * day)
    tap.ok(len(soon) == 1 and soon[0]["what"] == "certificate" and "in 19 days" in soon[0]["reason"], "19 of 99 days are left: a warning", soon)
    tap.equal(later, [], "40 of 100 days are left: none")
    server.stop()


def main(build):
    tap = Tap()
    for test in (test_life, test_denied, test_objects, test_many_rules, test_nothing_leaks, test_hostile_uid, test_flood, test_unread_pipe, test_reader_goes, test_lost, test_sockets, test_certificate):
        test(tap, build)
    return tap.done()


sys.exit(main(sys.argv[1]))
