#!/usr/bin/env python3
"""Heavy reviews beside small ones, deadlines that clients ask for, clients that go away, and an end while reviews wait.

    test_fairness.py BUILD
"""
import json, os, signal, sys, threading, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from client import CREATE, Server, exchange, metric_reaches, request
from tap import Tap


def heavy(count=640000):
    """A StorageClass with so many parameters, which takes long to validate; the review has some 10 MB."""
    parameters = ",".join(f'"{i:x}":"{i}"' for i in range(count))
    return ('{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u","kind":{"group":"storage.k8s.io","version":"v1","kind":"StorageClass"},'
            '"name":"x","operation":"CREATE","object":{"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"x"},"provisioner":"x.example.com",'
            '"parameters":{' + parameters + '}}}}').encode()


HEAVY = heavy()


class Load:
    """Clients that send one request after the other until told to stop; counts statuses."""

    def __init__(self, server, data, clients):
        self.stopping, self.statuses = threading.Event(), []
        self.threads = [threading.Thread(target=self.run, args=(server, data)) for _ in range(clients)]
        for thread in self.threads:
            thread.start()

    def run(self, server, data):
        with server.connect(timeout=60) as connection:
            while not self.stopping.is_set():
                self.statuses.append(exchange(connection, data)[0])

    def stop(self):
        self.stopping.set()
        for thread in self.threads:
            thread.join()
        return self.statuses


def test_small_beside_heavy(tap, server):
    began = time.monotonic()
    status, _, answer = server.ask(HEAVY)
    alone = time.monotonic() - began
    tap.ok(status == 200 and not json.loads(answer)["response"]["allowed"], f"a review of {len(HEAVY)} bytes is validated, in {alone * 1000:.0f} ms")
    load, times = Load(server, request(HEAVY), 2), []
    time.sleep(0.3)
    with server.connect() as connection:
        end = time.monotonic() + 4
        while time.monotonic() < end:
            began = time.monotonic()
            assert exchange(connection, request(CREATE))[0] == 200
            times.append(time.monotonic() - began)
            time.sleep(0.002)
    statuses = load.stop()
    slowest = sorted(times)[int(len(times) * 0.98)]
    tap.ok(set(statuses) == {200} and len(statuses) > 3, f"two clients had {len(statuses)} such reviews validated meanwhile")
    tap.ok(slowest < alone / 4, f"98 of 100 small reviews take at most {slowest * 1000:.1f} ms beside it")


def test_deadline(tap, server):
    """A large review that is complete when the client no longer waits for the answer is not validated."""
    before = server.metric('rejections_total{cause="deadline"}')
    data = request(HEAVY, path="/validate?timeout=1s")
    with server.connect() as connection:
        connection.sendall(data[:-1])
        time.sleep(1.5)
        status, headers, _ = exchange(connection, data[-1:])
        tap.ok(status == 503 and headers.get("retry-after") == "1", f"after 1.5 s of 1 s: {status}, Retry-After: {headers.get('retry-after')}")
        tap.ok(exchange(connection, request(CREATE))[0] == 200, "the connection is still good")
    tap.equal(server.metric('rejections_total{cause="deadline"}') - before, 1, "it is counted")


def test_timeouts(tap, server):
    """timeout= bounds the whole request, within limits; what is no timeout is 30 s."""
    def cut_after(query):
        with server.connect(timeout=60) as connection:
            connection.sendall(request(b"", ["Content-Length: 100"], path="/validate" + query) + b"{")
            began = time.monotonic()
            connection.settimeout(8)
            try:
                connection.recv(1)
            except TimeoutError:
                return None
            except OSError:
                pass
            return time.monotonic() - began
    rows = [("?timeout=2s", 3), ("?timeout=1500ms", 2.5), ("?timeout=1ms", 2), ("?timeout=0.5s", 2), ("?x=1&timeout=2s&y", 3), ("", None), ("?timeout=99s", None), ("?timeout=-1s", None),
            ("?timeout=s", None), ("?timeout=nan", None), ("?timeout=1", None), ("?timeout=1e300s", None), ("?xtimeout=2s", None)]
    took = {}
    threads = [threading.Thread(target=lambda query=query: took.__setitem__(query, cut_after(query))) for query, _ in rows]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for query, expected in rows:
        tap.ok(took[query] is None if expected is None else took[query] is not None and expected - 0.3 < took[query] < expected + 1.5, f"'{query}' is cut after {took[query]} ({expected})")


def test_gone_clients(tap, server):
    """Clients that go away while their review waits or is validated leave nothing behind."""
    connections = [server.connect() for _ in range(8)]
    for connection in connections:
        connection.sendall(request(HEAVY))
    for connection in connections:
        connection.close()
    tap.ok(metric_reaches(server, "body_bytes_in_flight", 0) and metric_reaches(server, "requests_in_flight", 0), "8 clients that go away leave nothing behind")
    tap.ok(server.ask(CREATE)[0] == 200, "and the next one is served")


def test_end_while_waiting(tap, build):
    """SIGTERM: what waits for a worker is still validated; a second one drops it."""
    for signals, statuses in ((1, {200}), (2, {0, 200, 503})):
        server, results = Server(build, "--shutdown-delay", "0"), []
        def client():
            with server.connect(timeout=60) as connection:
                results.append(exchange(connection, request(HEAVY))[0])
        threads = [threading.Thread(target=client) for _ in range(6)]
        for thread in threads:
            thread.start()
        metric_reaches(server, "requests_in_flight", 6, 2)
        began = time.monotonic()
        for _ in range(signals):
            server.program.send_signal(signal.SIGTERM)
            time.sleep(0.05)
        for thread in threads:
            thread.join()
        tap.ok(set(results) <= statuses and len(results) == 6, f"{signals} signals while 6 heavy reviews are validated: {results}")
        status = server.stop()
        tap.ok(status == (0, ""), f"it ends cleanly after {time.monotonic() - began:.1f} s: {status}")


def main(build):
    tap = Tap()
    server = Server(build)
    for test in (test_small_beside_heavy, test_deadline, test_timeouts, test_gone_clients):
        test(tap, server)
    tap.ok(server.stop() == (0, ""), "the server ends cleanly")
    test_end_while_waiting(tap, build)
    return tap.done()


sys.exit(main(sys.argv[1]))
