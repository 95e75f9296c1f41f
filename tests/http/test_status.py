#!/usr/bin/env python3
"""The status port beside clients that open connections again and again, and what it takes for a request.

    test_status.py BUILD
"""
import os, resource, socket, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from attacker import CROWD, SANITIZED, Attacker
from client import Server, closed_within, exchange, read_answer
from tap import Tap

PROBES = 100  # of each attack, at least
GET = b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"

# What each of the attacker's connections sends at once, and then byte by byte.
ATTACKS = [
    ("say nothing", b"", b""),
    ("send one byte", b"G", b""),
    ("send half a header", b"GET /livez HTTP/1.1\r\nHost: x\r\n", b""),
    ("drip a header", b"GET /livez HTTP/1.1\r\n", b"X: y\r\n" * 1000),
    ("send empty lines", b"\r\n\r\n\r\n\r\n", b""),
    ("send what is no request", b"\0\n\nGET\n\n", b""),
    ("announce a body", b"POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n", b""),
    ("announce chunks", b"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n"),
    ("read no answer", b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n", b""),
]


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=30)


def probe(server, path):
    """(status, seconds)"""
    began = time.monotonic()
    status = server.status(path)[0]
    return status, time.monotonic() - began


def test_crowds(tap, server, seconds):
    """Beside 10,000 connections probes and metrics are answered at once, every time."""
    for what, first, rest in ATTACKS:
        attacker, wrong, slowest, count = Attacker(server.status_port, first, rest), [], 0, 0
        end = time.monotonic() + 60
        while (count < PROBES or not attacker.has_opened_all()) and time.monotonic() < end:
            for path in ("/livez", "/readyz", "/metrics"):
                status, took = probe(server, path)
                wrong += [status] if status != 200 else []
                slowest, count = max(slowest, took), count + 1
            time.sleep(0.005)
        tap.ok(attacker.has_opened_all(), f"{CROWD:,} connections that {what}")
        attacker.stop()
        tap.ok(not wrong and slowest < seconds, f"{count} probes meanwhile are answered within {slowest:.3f} s", wrong)


def test_nothing_is_left(tap, server):
    end = time.monotonic() + 10
    while server.metric('connections{port="status"}') > 1 and time.monotonic() < end:
        time.sleep(0.1)
    tap.ok(server.metric('connections{port="status"}') == 1, "the crowds have left no connection behind")
    ended = server.metric('connections_expired_total{port="status"}')
    tap.ok(ended > CROWD, f"those that were ended are counted: {ended:.0f}")
    memory = server.metric("resident_memory_bytes", "process_") / (1 << 20)
    tap.ok(memory < 100 or server.sanitized, f"the server has {memory:.0f} MiB")


def test_bounds(tap, server):
    """The oldest of those that say nothing is ended as soon as there are too many, and all of them after a second."""
    clients, began = [connect(server.status_port) for _ in range(3000)], time.monotonic()
    tap.ok(closed_within(clients[0], 0.3 if not server.sanitized else 3), "of 3,000 silent connections the first is ended")
    tap.ok(server.metric('connections{port="status"}') <= 2049, "2,048 are kept")
    last = closed_within(clients[-1], 5) and time.monotonic() - began
    tap.ok(0.5 < last < 5, f"the last one is ended after {last:.1f} s")
    for client in clients:
        client.close()


# What is sent in pieces, with a pause before each but the first; the status of the answer, 0: the connection ends without one.
REQUESTS = [
    ("a request in three pieces", [GET[:9], GET[9:-2], GET[-2:]], 200),
    ("lines that end in LF", [GET.replace(b"\r\n", b"\n")], 200),
    ("lines of both kinds", [GET.replace(b"\r\n", b"\n", 1)], 200),
    ("a small letter first", [b"get /livez HTTP/1.1\r\nHost: x\r\n\r\n"], 405),
    ("two requests", [GET + GET], 200),
    ("a request and noise", [GET + b"\0" * 1000], 200),
    ("no request line", [b"\r\n\r\n" + GET], 0),
    ("a NUL first", [b"\0\r\n\r\n"], 0),
    ("half a request", [GET[:-2]], 0),
    ("a header of 6,000 bytes", [GET[:-2] + b"X: " + b"y" * 6000 + b"\r\n\r\n"], 200),
    ("a header of 40,000 bytes", [GET[:-2] + b"X: " + b"y" * 40000 + b"\r\n\r\n"], (431, 413, 0)),
    ("a request line of 40,000 bytes", [b"GET /" + b"x" * 40000 + b" HTTP/1.1\r\n\r\n"], (414, 431, 0)),
    ("a POST", [b"POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"], 405),
    ("a POST with a body", [b"POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"], 405),
    ("a GET with a body", [b"GET /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"], 400),
    ("a GET with a body that does not come", [b"GET /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n"], 400),
    ("a GET in chunks", [b"GET /livez HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"], 400),
    ("no HTTP", [b"\x16\x03\x01\x02\x00\x01\x00\n\n"], 0),
]


def test_requests(tap, server):
    for what, pieces, expected in REQUESTS:
        with connect(server.status_port) as connection:
            connection.sendall(pieces[0])
            for piece in pieces[1:]:
                time.sleep(0.2)
                connection.sendall(piece)
            status = read_answer(connection)[0]
            tap.ok(status in (expected if isinstance(expected, tuple) else (expected,)), f"{what}: {status}")
    with connect(server.status_port) as connection:
        connection.sendall(GET)
        connection.shutdown(socket.SHUT_WR)
        tap.equal(read_answer(connection)[0], 200, "a client that sends nothing more")
    with connect(server.status_port) as connection:
        connection.sendall(GET[:-2])
        connection.shutdown(socket.SHUT_WR)
        tap.ok(closed_within(connection, 0.5), "one that ends in the middle of a header is ended at once")
    with connect(server.status_port) as connection:
        status, headers, _ = exchange(connection, GET)
        tap.ok(status == 200 and headers.get("connection", "").lower() == "close", "an answer says Connection: close")
        tap.ok(closed_within(connection, 5), "and ends the connection")


def test_few_descriptors(tap, build, seconds):
    """With few descriptors there are fewer places, and still one for a probe."""
    server = Server(build, "--shutdown-delay", "0", before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (280, 280)))
    clients = [connect(server.status_port) for _ in range(200)]
    status, took = probe(server, "/readyz")
    tap.ok(status == 200 and took < seconds, f"280 descriptors: behind 200 silent connections a probe is answered in {took:.3f} s")
    for client in clients:
        client.close()
    tap.equal(server.stop(), (0, ""), "it ends cleanly")


def main(build):
    tap = Tap()
    server = Server(build, "--shutdown-delay", "0")
    server.sanitized = any(word in os.path.basename(build) for word in SANITIZED)
    seconds = 5 if server.sanitized else 0.5
    test_requests(tap, server)
    test_bounds(tap, server)
    test_crowds(tap, server, seconds)
    test_nothing_is_left(tap, server)
    clients = [connect(server.status_port) for _ in range(500)]
    tap.equal(server.stop(), (0, ""), "the server ends cleanly beside 500 silent connections")
    for client in clients:
        client.close()
    test_few_descriptors(tap, build, seconds)
    return tap.done()


sys.exit(main(sys.argv[1]))
