#!/usr/bin/env python3
"""The end of the server: SIGTERM under load, with requests, headers and handshakes half sent, and a second signal.

    test_drain.py BUILD
"""
import json, os, resource, signal, ssl, sys, threading, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from client import CREATE, Server, closed_within, exchange, request
from tap import Tap

HEADER = request(b"", [f"Content-Length: {len(CREATE)}"])


def refused(server):
    try:
        server.plain(timeout=2).close()
        return False
    except OSError:
        return True


def ends(tap, server, within, text):
    """The server is told to end, or was, and does so in time, with status 0 and without a word."""
    began = time.monotonic()
    status = server.program.wait(60)
    took = time.monotonic() - began
    tap.ok(status == 0 and server.stop() == (0, "") and within[0] <= took <= within[1], f"{text}: status {status} after {took:.2f} s ({within[0]} to {within[1]})")


def is_close(headers):
    return headers.get("connection", "").lower() == "close"


def test_delay(tap, build):
    """While the delay runs all is served, and every answer ends its connection."""
    server = Server(build, "--shutdown-delay", "3")
    kept = [server.connect() for _ in range(4)]
    assert all(exchange(connection, request(CREATE))[0] == 200 for connection in kept)
    server.program.send_signal(signal.SIGTERM)
    time.sleep(0.3)
    tap.ok(server.status("/readyz")[0] == 503 and server.status("/livez")[0] == 200, "/readyz fails at once, /livez does not")
    for name, connection, data, expected in (("a review", kept[0], request(CREATE), 200), ("a bad review", kept[1], request(b"{"), 400),
                                             ("another path", kept[2], request(CREATE, path="/x"), 404), ("a review on a new connection", server.connect(), request(CREATE), 200)):
        status, headers, _ = exchange(connection, data)
        tap.ok(status == expected and is_close(headers) and closed_within(connection, 5), f"{name} during the delay: {status}, Connection: {headers.get('connection')}")
    tap.ok(server.program.poll() is None, "the server is still there")
    ends(tap, server, (1, 5), "it ends after the delay, whatever connections are at rest")


def test_no_request_is_lost(tap, build):
    """Clients as an API server has them: connections are kept until told otherwise, and new ones made."""
    server = Server(build, "--shutdown-delay", "2")
    stop, counts, lock = threading.Event(), {"before": 0, "after": 0, "lost": 0, "kept open": 0}, threading.Lock()
    signalled = [float("inf")]
    def client():
        connection = None
        while not stop.is_set():
            began = time.monotonic()
            try:
                connection = connection or server.connect()
                status, headers, _ = exchange(connection, request(CREATE))
            except OSError:
                status, headers = 0, {}
            late = began > signalled[0]
            with lock:
                counts["after" if late else "before"] += status == 200
                counts["lost"] += status != 200
                counts["kept open"] += late and not is_close(headers)
            if status != 200 or is_close(headers):
                connection = None
    threads = [threading.Thread(target=client) for _ in range(16)]
    for thread in threads:
        thread.start()
    time.sleep(0.7)
    server.program.send_signal(signal.SIGTERM)
    time.sleep(0.1)
    signalled[0] = time.monotonic()
    time.sleep(1.5)
    stop.set()
    for thread in threads:
        thread.join()
    tap.ok(counts["before"] and counts["after"] and not counts["lost"] and not counts["kept open"], f"16 clients: {counts}")
    ends(tap, server, (0, 5), "then it ends")


class SlowHello:
    """A client that stops in the middle of its first message."""

    def __init__(self, server):
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.client = server.context().wrap_bio(self.incoming, self.outgoing, server_hostname="localhost")
        self.plain = server.plain(timeout=10)
        try:
            self.client.do_handshake()
        except ssl.SSLWantReadError:
            pass
        hello = self.outgoing.read()
        self.plain.sendall(hello[:100])
        self.rest = hello[100:]

    def until_done(self, action):
        """Feeds the client until the action no longer asks for more, or the server ends the connection."""
        while True:
            try:
                return action()
            except ssl.SSLWantReadError:
                self.plain.sendall(self.outgoing.read())
                data = self.plain.recv(65536)
                if not data:
                    return b""
                self.incoming.write(data)

    def finish(self, data):
        """The rest of the handshake, `data`, and what comes back."""
        answer = b""
        try:
            self.plain.sendall(self.rest)
            self.until_done(self.client.do_handshake)
            self.client.write(data)
            while b"}" not in answer:
                piece = self.until_done(lambda: self.client.read(65536))
                if not piece:
                    break
                answer += piece
        except OSError as error:
            answer += str(error).encode()
        self.plain.close()
        return answer


def test_half_sent(tap, build):
    """Without a delay: what clients have begun to send is read to its end and answered."""
    server = Server(build, "--shutdown-delay", "0")
    body, header, second = server.connect(), server.connect(), server.connect()
    assert exchange(second, request(CREATE))[0] == 200
    body.sendall(HEADER + CREATE[:100])
    header.sendall(HEADER[:50])
    second.sendall(HEADER[:10])
    hello = SlowHello(server)
    idle, silent = server.connect(), server.plain()
    assert exchange(idle, request(CREATE))[0] == 200
    time.sleep(0.3)
    server.program.send_signal(signal.SIGTERM)
    time.sleep(0.5)
    tap.ok(server.status("/readyz")[0] == 503 and server.status("/livez")[0] == 200, "/readyz fails, /livez does not")
    tap.ok(refused(server), "new connections are refused")
    for name, connection, rest in (("body", body, CREATE[100:]), ("header", header, HEADER[50:] + CREATE), ("second request line", second, HEADER[10:] + CREATE)):
        time.sleep(0.3)  # time enough to end, if only what came before were waited for
        tap.ok(server.program.poll() is None, f"the server waits for half a {name}")
        status, headers, answer = exchange(connection, rest)
        tap.ok(status == 200 and json.loads(answer)["response"]["allowed"] and is_close(headers), f"which is answered, with Connection: {headers.get('connection')}")
    time.sleep(0.3)
    answer = hello.finish(HEADER + CREATE)
    tap.ok(answer.startswith(b"HTTP/1.1 200") and b"Connection: close" in answer, f"half a handshake, too: {answer[:60]!r}")
    ends(tap, server, (0, 5), "then it ends, and waits neither for a connection at rest nor for one that never said anything")


def test_never_finished(tap, build):
    """A client that goes on with its request for ever is waited for until its time is up, and not longer."""
    server = Server(build, "--shutdown-delay", "0")
    half = server.connect()
    half.sendall(request(b"", ["Content-Length: 100000"]))
    def trickle():
        try:
            while True:
                half.sendall(b" ")
                time.sleep(1)
        except OSError:
            pass
    thread = threading.Thread(target=trickle)
    thread.start()
    time.sleep(0.3)
    server.program.send_signal(signal.SIGTERM)
    ends(tap, server, (20, 25), "it waits for a body that does not end")
    thread.join()


def test_at_the_limit(tap, build):
    """Nobody holds up the end by taking all connections: neither at rest, nor with requests that trickle, nor silent."""
    for name, begin in (("at rest", lambda server: server.connect()), ("silent", lambda server: server.plain()), ("with half a request each", half_request)):
        server = Server(build, "--shutdown-delay", "1", before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (240, 240)))
        taken = [begin(server) for _ in range(90)]
        more = [server.plain() for _ in range(60)]
        time.sleep(0.5)
        server.program.send_signal(signal.SIGTERM)
        ends(tap, server, (0.9, 2), f"90 connections {name}, and 60 beyond the limit")
        for connection in taken + more:
            connection.close()


def half_request(server):
    connection = server.connect()
    connection.sendall(request(b"", ["Content-Length: 100000"]) + b"{")
    return connection


def test_second_signal(tap, build):
    for options, number, text in ((("--shutdown-delay", "60"), signal.SIGTERM, "the delay"), (("--shutdown-delay", "60"), signal.SIGINT, "the delay, by SIGINT"),
                                  (("--shutdown-delay", "0"), signal.SIGTERM, "the wait for a request")):
        server = Server(build, *options)
        half = server.connect()
        half.sendall(request(b"", ["Content-Length: 100"]) + b"{")
        time.sleep(0.3)
        server.program.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        tap.ok(server.program.poll() is None, f"the first signal begins {text}")
        server.program.send_signal(number)
        ends(tap, server, (0, 3), "a second one ends it")


def test_interrupt(tap, build):
    server = Server(build)
    server.program.send_signal(signal.SIGINT)
    ends(tap, server, (0.9, 3), "SIGINT ends it, too, after one second")


def main(build):
    tap = Tap()
    for test in (test_delay, test_no_request_is_lost, test_half_sent, test_never_finished, test_at_the_limit, test_second_signal, test_interrupt):
        test(tap, build)
    return tap.done()


sys.exit(main(sys.argv[1]))
