#!/usr/bin/env python3
"""Many clients at once: the budget for bodies, handshakes that do not go on, scarce connections. The status port is in test_status.py.

    test_crowds.py BUILD
"""
import os, resource, socket, ssl, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from attacker import CROWD, SANITIZED, Attacker
from client import CREATE, FalseClock, Server, closed_within, exchange, metric_reaches, request
from tap import Tap

MIB = 1 << 20


def close_all(connections):
    for connection in connections:
        connection.close()


def test_announced_bodies(tap, server):
    """What is announced takes no room, only what is sent."""
    clients = [server.connect() for _ in range(40)]
    for connection in clients:
        connection.sendall(request(b"", [f"Content-Length: {8 * MIB}"]))
    tap.ok(metric_reaches(server, "requests_in_flight", 40) and server.metric("body_bytes_in_flight") == 0, "40 announced bodies of 8 MiB take no room")
    for connection in clients:
        connection.sendall(b" ")
    time.sleep(0.5)
    tap.ok(server.metric("body_bytes_in_flight") <= 40 * 65536, f"with one byte each they take {server.metric('body_bytes_in_flight'):.0f} bytes")
    tap.ok(server.ask(CREATE)[0] == 200, "others are served")
    close_all(clients)
    tap.ok(metric_reaches(server, "body_bytes_in_flight", 0), "and nothing is left of them")


def test_full_budget(tap, server):
    """Large bodies fill their share: small ones still get through, another large one is told to come back, and takes no room meanwhile."""
    clients = [server.connect() for _ in range(12)]
    for connection in clients:
        connection.sendall(request(b"", [f"Content-Length: {8 * MIB}"]) + b" " * (8 * MIB - 1))
    tap.ok(metric_reaches(server, "body_bytes_in_flight", 96 * MIB), f"12 large bodies take {server.metric('body_bytes_in_flight') / MIB:.0f} MiB")
    with server.connect() as more:
        more.sendall(request(b"", [f"Content-Length: {MIB}"]) + b" " * (MIB - 1))
        time.sleep(0.5)
        tap.ok(server.metric("body_bytes_in_flight") == 96 * MIB, "another one takes nothing once it is refused")
        status, headers, _ = exchange(more, b" ")
        tap.ok(status == 503 and headers.get("retry-after") == "1", f"it is told to come back: {status}, Retry-After: {headers.get('retry-after')}")
    padded = CREATE.rstrip() + b" " * (200 * 1024)
    tap.ok(server.ask(CREATE)[0] == 200 and server.ask(padded)[0] == 200, "small ones are served")
    close_all(clients)
    tap.ok(metric_reaches(server, "body_bytes_in_flight", 0), "and nothing is left")


def test_largest_bodies(tap, server):
    """Four of the largest fit into the share of large ones; a fifth is told to come back, whatever it announced."""
    size = 20 * MIB
    clients = [server.connect() for _ in range(4)]
    for connection in clients:
        connection.sendall(request(b"", [f"Content-Length: {size}"]) + b" " * (size - 1))
    held = metric_reaches(server, "body_bytes_in_flight", 4 * size)
    tap.ok(held, f"4 bodies of 20 MiB take {server.metric('body_bytes_in_flight') / MIB:.0f} MiB")
    with server.connect() as more:
        status, headers, _ = exchange(more, request(b" " * size))
        tap.ok(status == 503 and headers.get("retry-after") == "1", f"a fifth is told to come back: {status}")
    tap.ok(server.ask(CREATE)[0] == 200, "small ones are served")
    close_all(clients)
    tap.ok(metric_reaches(server, "body_bytes_in_flight", 0), "and nothing is left")


def test_endless_chunks(tap, server):
    """A body in chunks that is too large takes no room from then on."""
    with server.connect() as connection:
        connection.sendall(request(b"", ["Transfer-Encoding: chunked"]) + b"%x\r\n" % (21 * MIB) + b" " * (21 * MIB) + b"\r\n")
        tap.ok(metric_reaches(server, "body_bytes_in_flight", 0, 5) and server.metric("requests_in_flight") == 1, "chunks beyond the limit take no room")
        tap.ok(exchange(connection, b"0\r\n\r\n")[0] == 413, "and get 413")


def client_hello(server):
    hello, session = ssl.MemoryBIO(), None
    try:
        session = server.usual_context().wrap_bio(ssl.MemoryBIO(), hello, server_hostname="localhost")
        session.do_handshake()
    except ssl.SSLWantReadError:
        return hello.read()


def test_silent_handshakes(tap, server):
    """Clients that stop in the middle of a handshake take no processor, and nothing from others; those that are slow get through it."""
    hello, clients = client_hello(server), []
    for piece in (hello, hello[:100], hello[:1], b""):
        for _ in range(50):
            clients.append(server.plain())
            clients[-1].sendall(piece)
    time.sleep(0.5)
    before = server.metric("cpu_seconds_total", "process_")
    time.sleep(2)
    took = server.metric("cpu_seconds_total", "process_") - before
    tap.ok(took < 0.5, f"200 such clients take {took:.2f} s of the processor in 2 s")
    tap.ok(server.ask(CREATE)[0] == 200, "others are served")
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        tap.equal(ask_slowly(server, version), 200, f"a client that sends its handshake byte by byte is served, {version.name}")
    close_all(clients)
    tap.ok(metric_reaches(server, 'connections{port="https"}', 0), "those that go away leave nothing behind")


def ask_slowly(server, version):
    """One request on a connection whose handshake comes in small pieces."""
    context = server.context()
    context.minimum_version = context.maximum_version = version
    received, sent = ssl.MemoryBIO(), ssl.MemoryBIO()
    session = context.wrap_bio(received, sent, server_hostname="localhost")
    with server.plain() as plain:
        while True:
            try:
                session.do_handshake()
                break
            except ssl.SSLWantReadError:
                send_slowly(plain, sent.read())
                received.write(plain.recv(65536))
        send_slowly(plain, sent.read())
        session.write(request(CREATE))
        plain.sendall(sent.read())
        while True:
            try:
                return int(session.read(65536).split()[1])
            except ssl.SSLWantReadError:
                received.write(plain.recv(65536))


def send_slowly(plain, data):
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for at in range(len(data)):
        plain.sendall(data[at:at + 1])
        time.sleep(0.001)


def test_end_with_silent_handshakes(tap, build):
    """They do not hold up the end, whether it is a signal or two."""
    for signals in (1, 2):
        server = Server(build, "--shutdown-delay", "0")
        clients = [server.plain() for _ in range(50)]
        for connection in clients:
            connection.sendall(client_hello(server))
        time.sleep(0.2)
        began = time.monotonic()
        for _ in range(signals):
            server.program.terminate()
            time.sleep(0.05)
        status = server.stop()
        tap.ok(status == (0, "") and time.monotonic() - began < 5, f"{signals} signals: it ends after {time.monotonic() - began:.1f} s: {status}")
        close_all(clients)


def test_scarce_connections(tap, build):
    """Above three quarters of the connections, those at rest are ended early, as far as needed."""
    server = Server(build, before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (272, 272)))
    name = 'connections{port="https"}'
    clients = [server.connect() for _ in range(90)]
    for connection in clients:
        assert exchange(connection, request(CREATE))[0] == 200
    tap.ok(server.metric(name) == 90, "90 connections of about 100 are at rest")
    time.sleep(15)
    left = server.metric(name)
    tap.ok(70 <= left <= 82, f"after 15 s {left:.0f} are left")
    close_all(clients)
    tap.ok(server.stop() == (0, ""), "it ends cleanly")


def review(server):
    """A review on a connection of its own: (status, seconds)."""
    began = time.monotonic()
    status = server.ask(CREATE)[0]
    return status, time.monotonic() - began


def test_attacks(tap, server, seconds):
    """Beside 10,000 connections that are opened again and again, a review on a new connection, one on an old one and a probe are answered."""
    hello = client_hello(server)
    old = server.connect()
    for what, first, rest in (("say nothing", b"", b""), ("send half a ClientHello", hello[:100], b""),
                              ("drip a ClientHello", hello[:50], hello[50:]), ("send what is no TLS", b"GET / HTTP/1.1\r\n\r\n", b"")):
        attacker, wrong, slowest, slowest_probe, count = Attacker(server.port, first, rest), [], 0, 0, 0
        end = time.monotonic() + 60
        while (count < 50 or not attacker.has_opened_all()) and time.monotonic() < end:
            status, took = review(server)
            wrong += [status] if status != 200 else []
            began = time.monotonic()
            wrong += [status for status in (exchange(old, request(CREATE))[0],) if status != 200]
            slowest, began = max(slowest, took, time.monotonic() - began), time.monotonic()
            wrong += [status for status in (server.status("/readyz")[0],) if status != 200]
            slowest_probe, count = max(slowest_probe, time.monotonic() - began), count + 1
            time.sleep(0.005)
        tap.ok(attacker.has_opened_all(), f"{CROWD:,} connections that {what}")
        attacker.stop()
        tap.ok(not wrong and slowest < seconds and slowest_probe < seconds / 2,
               f"{count} reviews meanwhile are answered within {slowest:.3f} s, probes within {slowest_probe:.3f} s", wrong)
    old.close()
    tap.ok(metric_reaches(server, 'connections{port="https"}', 0), "the crowds have left no connection behind")


def half_hello(server):
    client = server.plain()
    client.sendall(client_hello(server))
    return client


def half_request(server):
    client = server.connect()
    client.sendall(request(b"", ["Content-Length: 10"]) + b"{")
    return client


def asked(server):
    client = server.connect()
    assert exchange(client, request(CREATE))[0] == 200
    return client


def test_full_house(tap, build):
    """When all places are taken, a newcomer gets the one that has been quiet for longest; a client that uses its own keeps it."""
    for what, begin, pause in (("send a ClientHello and no more", half_hello, 0), ("finish a handshake and ask nothing", lambda server: server.connect(), 0),
                               ("send half a request", half_request, 1.2), ("ask once", asked, 0)):
        server = Server(build, "--shutdown-delay", "0", before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (272, 272)))
        places = 100
        old, clients, slowest, statuses = asked(server), [], 0, []
        for _ in range(3):
            clients += [begin(server) for _ in range(places // 2)]
            time.sleep(pause)
            statuses += [exchange(old, request(CREATE))[0]]
            status, took = review(server)
            statuses, slowest = statuses + [status], max(slowest, took)
        tap.ok(statuses == [200] * 6 and slowest < 1, f"{len(clients)} clients that {what}: others are served within {slowest:.3f} s", statuses)
        tap.ok(closed_within(clients[0], 3), "the first of them has lost its place")
        close_all(clients)
        old.close()
        tap.equal(server.stop(), (0, ""), "it ends cleanly")


def ends(connection):
    """Whether the answer to a review ends the connection."""
    status, headers, _ = exchange(connection, request(CREATE))
    assert status == 200
    return headers.get("connection", "").lower() == "close"


def test_spent(tap, build):
    """A connection ends after many requests, or some minutes, with an answer that says so: not all at once, and not earlier."""
    clock = FalseClock(every=True)
    server = Server(build, "--shutdown-delay", "0", env=clock.environment)
    with server.connect() as connection:
        count = next(count for count in range(1, 20000) if ends(connection))
        tap.ok(12288 <= count <= 16384 and closed_within(connection, 5), f"a connection ends with its request {count:,}")
    clients, ended = [server.connect() for _ in range(40)], []
    for seconds in (0, 100, 200, 262, 301):
        clock.later(seconds)
        now = [client for client in clients if ends(client)]
        clients = [client for client in clients if client not in now]
        ended.append(len(now))
    tap.ok(ended[:3] == [0, 0, 0] and 0 < ended[3] < 40 and not clients, f"of 40 connections {ended[3]} end after 262 s, all after 301 s", ended)
    tap.equal(server.stop(), (0, ""), "it ends cleanly")


def main(build):
    tap = Tap()
    server = Server(build)
    for test in (test_announced_bodies, test_full_budget, test_largest_bodies, test_endless_chunks, test_silent_handshakes):
        test(tap, server)
    test_attacks(tap, server, 10 if any(word in os.path.basename(build) for word in SANITIZED) else 1)
    tap.ok(server.stop() == (0, ""), "the server ends cleanly")
    test_end_with_silent_handshakes(tap, build)
    test_scarce_connections(tap, build)
    test_full_house(tap, build)
    test_spent(tap, build)
    return tap.done()


sys.exit(main(sys.argv[1]))
