#!/usr/bin/env python3
"""The life of the server: start and its errors, TLS, slow and broken clients, SIGTERM.

    test_server.py BUILD
"""
import json, os, signal, socket, ssl, subprocess, sys, threading, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from client import Server, closed_within, exchange, read_answer, request, reviews
from tap import Tap

CREATE = dict(reviews(os.path.join(HERE, "..", "reviews")))["106-create-v1-csidriver.json"]


def run(command, timeout=60):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout)
    return done.returncode, done.stderr.decode().strip()


def replaced(command, option, value):
    command = list(command)
    command[command.index(option) + 1] = value
    return command


def test_start_errors(tap, server):
    """Each ends with its status and one line that says what is wrong with what."""
    good, folder = server.command(), server.folder.name
    def path(name, text=None):
        if text is not None:
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        return os.path.join(folder, name)
    certs = [os.path.join(server.build, "drawbridge"), "certs", "issue", "--dir", folder, "--host", "other", "--out", "other"]
    subprocess.run(certs, check=True, stdout=subprocess.DEVNULL)
    certificate = open(path("tls.crt")).read()
    cases = [
        ("no certificate file", replaced(good, "--cert", path("nowhere.crt")), 3, "No such file or directory"),
        ("no key file", replaced(good, "--key", path("nowhere.key")), 3, "No such file or directory"),
        ("a folder as certificate", replaced(good, "--cert", folder), 3, folder),
        ("an empty certificate", replaced(good, "--cert", path("empty.crt", "")), 3, "empty.crt"),
        ("half a certificate", replaced(good, "--cert", path("half.crt", certificate[:300])), 3, "half.crt"),
        ("a key as certificate", replaced(good, "--cert", path("tls.key")), 3, "tls.key"),
        ("a certificate as key", replaced(good, "--key", path("tls.crt")), 3, "tls.crt"),
        ("the key of another certificate", replaced(good, "--key", path("other.key")), 3, "does not belong"),
        ("a port that is taken", replaced(good, "--listen", f"127.0.0.1:{server.port}"), 3, "Address already in use"),
        ("a status port that is taken", replaced(good, "--status-listen", f"127.0.0.1:{server.port}"), 3, "Address already in use"),
        ("an address that is not ours", replaced(good, "--listen", "192.0.2.1:0"), 3, "Cannot assign requested address"),
        ("no port", replaced(good, "--listen", "127.0.0.1"), 3, "is no HOST:PORT"),
        ("a port that is no number", replaced(good, "--listen", "127.0.0.1:https"), 3, "is no HOST:PORT"),
        ("a port that is too large", replaced(good, "--listen", "127.0.0.1:65536"), 3, "is no HOST:PORT"),
        ("a bad version", replaced(good, "--kubernetes-version", "1.99"), 2, "1.99"),
        ("a bad size", good + ["--max-body", "9000000"], 2, "--max-body"),
        ("size 0", good + ["--max-body", "0"], 2, "--max-body"),
        ("a negative size", good + ["--max-body", "-1"], 2, "--max-body"),
        ("an unknown option", good + ["--frob"], 2, "--frob"),
        ("an operand", good + ["frob"], 2, "frob"),
        ("neither certificate nor key", [good[0], "serve"], 2, "--cert"),
    ]
    for name, command, status, words in cases:
        got, text = run(command)
        lines = text.splitlines() or [""]
        tap.ok(got == status and lines[0].startswith("drawbridge serve: ") and words in lines[0] and len(lines) <= 2, f"{name}: {got}, {lines[0]}")


def test_expired(tap, build):
    """A certificate that has expired is refused at the start."""
    server = Server(build)
    folder = server.folder.name
    key, csr, crt = (os.path.join(folder, name) for name in ("old.key", "old.csr", "old.crt"))
    subprocess.run(["openssl", "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", csr, "-subj", "/CN=old"], check=True, stderr=subprocess.DEVNULL)
    subprocess.run(["openssl", "x509", "-req", "-in", csr, "-signkey", key, "-days", "-1", "-out", crt], check=True, stderr=subprocess.DEVNULL)
    status, text = run(replaced(replaced(server.command(), "--cert", crt), "--key", key))
    tap.ok(status == 3 and "expired" in text, f"an expired certificate: {status}, {text}")
    server.stop()


def handshake(server, *options):
    """Whether openssl completes a handshake with these options."""
    done = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", "-servername", "localhost", "-CAfile", server.ca, "-verify_return_error", *options],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    return done.returncode == 0 and b"Verify return code: 0" in done.stdout and b"Cipher is (NONE)" not in done.stdout


def test_tls(tap, server):
    for options in (["-tls1_3"], ["-tls1_2"], ["-tls1_3", "-groups", "X25519"], ["-tls1_3", "-groups", "P-256"], ["-tls1_3", "-ciphersuites", "TLS_AES_256_GCM_SHA384"],
                    ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-GCM-SHA256"]):
        tap.ok(handshake(server, *options), "accepted: " + " ".join(options))
    for options in (["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], ["-tls1", "-cipher", "ALL:@SECLEVEL=0"], ["-tls1_3", "-groups", "ffdhe2048"], ["-tls1_3", "-groups", "ffdhe8192"],
                    ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA256"], ["-tls1_2", "-cipher", "DHE"], ["-tls1_2", "-cipher", "kRSA"], ["-tls1_3", "-ciphersuites", "TLS_CHACHA20_POLY1305_SHA256"],
                    ["-tls1_3", "-groups", "P-521"]):
        tap.ok(not handshake(server, *options), "refused: " + " ".join(options))
    with server.plain() as connection:
        connection.sendall(request(CREATE))
        tap.ok(b"HTTP" not in connection.recv(1000) and closed_within(connection, 5), "plain HTTP gets no answer")
    with server.plain() as connection:
        connection.sendall(os.urandom(10000))
        tap.ok(closed_within(connection, 15), "noise gets none either")


def trickle(connection, data, pause, end):
    """Sends byte by byte until the server ends the connection; returns after how many seconds, or None at `end`."""
    began = time.monotonic()
    connection.settimeout(pause)
    for byte in data:
        try:
            connection.sendall(bytes([byte]))
        except OSError:
            return time.monotonic() - began
        if closed_within(connection, pause):
            return time.monotonic() - began
        if time.monotonic() - began > end:
            return None
    return None


def test_deadlines(tap, server):
    """Deadlines are totals: no client keeps a connection by sending a byte now and then. All clients at once."""
    def silent():
        with server.plain() as connection:
            began = time.monotonic()
            return closed_within(connection, 40) and time.monotonic() - began
    def slow_hello():
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        client = server.context().wrap_bio(incoming, outgoing, server_hostname="localhost")
        try:
            client.do_handshake()
        except ssl.SSLWantReadError:
            pass
        with server.plain() as connection:
            return trickle(connection, outgoing.read(), 0.3, 60)
    def slow_header():
        with server.connect() as connection:
            return trickle(connection, request(b"", ["X-Slow: " + "x" * 1000]), 0.5, 60)
    def slow_body():
        with server.connect() as connection:
            connection.sendall(request(b"", [f"Content-Length: {len(CREATE)}"]))
            return trickle(connection, CREATE, 0.5, 60)
    def slow_second_request():
        with server.connect() as connection:
            assert exchange(connection, request(CREATE))[0] == 200
            connection.sendall(request(b"", [f"Content-Length: {len(CREATE)}"]))
            return trickle(connection, CREATE, 0.5, 60)
    def half_closed():
        with server.connect() as connection:
            connection.sendall(request(b"", ["Content-Length: 100"]) + b"{")
            socket.socket.shutdown(connection, socket.SHUT_WR)
            began = time.monotonic()
            return closed_within(connection, 60) and time.monotonic() - began
    bounds = {silent: (9, 13), slow_hello: (9, 21), slow_header: (9, 22), slow_body: (25, 33), slow_second_request: (25, 33), half_closed: (0, 33)}
    results = {}
    threads = [threading.Thread(target=lambda client=client: results.__setitem__(client, client())) for client in bounds]
    for thread in threads:
        thread.start()
    served = 0
    for _ in range(20):
        served += server.ask(CREATE)[0] == 200
        time.sleep(0.1)
    tap.ok(served == 20, "others are served meanwhile")
    for thread in threads:
        thread.join()
    for client, (low, high) in bounds.items():
        took = results.get(client)
        tap.ok(took is not None and took is not False and low <= took <= high, f"{client.__name__.replace('_', ' ')} client is cut off after {took if took is None else round(took, 1)} s ({low} to {high})")
    with server.connect() as connection:
        assert exchange(connection, request(CREATE))[0] == 200
        time.sleep(12)
        tap.ok(exchange(connection, request(CREATE))[0] == 200, "a connection at rest outlives the deadlines of new ones")


def test_broken_clients(tap, server):
    for _ in range(50):
        connection = server.connect()
        connection.sendall(request(b"", [f"Content-Length: {len(CREATE)}"]) + CREATE[:100])
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # reset instead of an end
        connection.close()
        plain = server.plain()
        plain.close()
    deadline = time.monotonic() + 20
    while server.metric("requests_in_flight") and time.monotonic() < deadline:
        time.sleep(0.1)
    tap.ok(server.metric("requests_in_flight") == 0 and server.metric("body_bytes_in_flight") == 0, "clients that reset leave nothing behind")
    with server.connect() as connection:
        status = exchange(connection, request(CREATE, ["X-Long: " + "x" * 100000]))[0]
        tap.ok(status in (0, 400, 413, 431), f"a header of 100,000 bytes: {status}")
    with server.connect() as connection:
        status = exchange(connection, request(CREATE, path="/validate?" + "x" * 100000))[0]
        tap.ok(status in (0, 400, 414, 431), f"a path of 100,000 bytes: {status}")
    with server.connect() as connection:
        status = exchange(connection, request(CREATE, [f"X-{i}: y" for i in range(5000)]))[0]
        tap.ok(status in (0, 400, 413, 431), f"5,000 headers: {status}")
    tap.ok(server.ask(CREATE)[0] == 200, "and the next client is served")


def test_many_idle_connections(tap, server):
    idle = [server.plain() for _ in range(1100)]
    began = time.monotonic()
    status = server.ask(CREATE)[0]
    took = time.monotonic() - began
    tap.ok(status == 200 and took < 2, f"with 1,100 idle connections a new client is served in {took:.2f} s")
    return idle


def test_drain(tap, build):
    """SIGTERM with a request half sent: it is answered, the connection ends, nobody new is let in, and the exit status is 0."""
    server = Server(build)
    half = server.connect()
    half.sendall(request(b"", [f"Content-Length: {len(CREATE)}"]) + CREATE[:100])
    time.sleep(0.3)
    server.program.send_signal(signal.SIGTERM)
    time.sleep(0.5)
    tap.ok(server.status("/readyz")[0] == 503 and server.status("/livez")[0] == 200, "/readyz fails, /livez does not")
    try:
        server.plain(timeout=2).close()
        refused = False
    except OSError:
        refused = True
    tap.ok(refused, "new connections are refused")
    tap.ok(server.program.poll() is None, "the server waits for the request in flight")
    status, headers, answer = exchange(half, CREATE[100:])
    tap.ok(status == 200 and json.loads(answer)["response"]["allowed"] and headers.get("connection", "").lower() == "close", "which is answered with Connection: close")
    began = time.monotonic()
    status, text = server.stop()
    tap.ok(status == 0 and text == "" and time.monotonic() - began < 5, f"then it ends with status {status} {text[:500]}")


def test_second_signal(tap, build):
    server = Server(build)
    half = server.connect()
    half.sendall(request(b"", ["Content-Length: 100"]) + b"{")
    time.sleep(0.3)
    began = time.monotonic()
    server.program.send_signal(signal.SIGTERM)
    time.sleep(0.3)
    status, text = server.stop()
    tap.ok(status == 0 and time.monotonic() - began < 5, f"a second signal ends the wait: status {status} {text[:500]}")


def test_interrupt(tap, build):
    server = Server(build)
    server.program.send_signal(signal.SIGINT)
    status, text = server.stop()
    tap.ok(status == 0 and text == "", "SIGINT ends it, too")


def main(build):
    tap = Tap()
    server = Server(build)
    for test in (test_start_errors, test_tls, test_broken_clients, test_deadlines):
        test(tap, server)
    idle = test_many_idle_connections(tap, server)
    began = time.monotonic()
    status, text = server.stop()
    tap.ok(status == 0 and text == "" and time.monotonic() - began < 5, f"with 1,100 connections open it ends within 5 s, status {status} {text[:2000]}")
    for connection in idle:
        connection.close()
    for test in (test_expired, test_drain, test_second_signal, test_interrupt):
        test(tap, build)
    return tap.done()


sys.exit(main(sys.argv[1]))
