"""A client that opens connections again and again, and what it sends on them."""
import os, resource, select, signal, socket, time

CROWD = 10000
SANITIZED = ("asan", "tsan", "coverage", "valgrind")


class Attacker:
    """A process that opens connections again and again, as many at once as it may have descriptors. It leaves the processor to
    others, as if it were on another machine."""

    def __init__(self, port, first, rest):
        self.all, (self.report, report) = False, os.pipe()
        self.process = os.fork()
        if self.process == 0:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            try:
                os.nice(19)
                self.attack(port, first, rest, report)
            finally:
                os._exit(1)
        os.close(report)

    @staticmethod
    def attack(port, first, rest, report):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        keep, held, opened = min(hard - 100, CROWD), [], 0
        while True:
            if len(held) == keep:
                held.pop(0).close()
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # a port is free again at once
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.setblocking(False)
            held.append(connection)
            connection.connect_ex(("127.0.0.1", port))
            poll = select.poll()
            poll.register(connection, select.POLLOUT)
            poll.poll(100)
            for data in (first, rest[:1], rest and held[opened * 7 % len(held)] and rest[1:2]):
                try:
                    data and connection.send(data)
                except OSError:
                    pass
            if first[:1].isalpha() and first.endswith(b"\r\n\r\n"):
                time.sleep(0.0005)  # each is answered: more than 2,000 a second would only show how fast that goes
            opened += 1
            if opened == CROWD:
                os.write(report, b"!")

    def has_opened_all(self):
        self.all = self.all or (bool(select.select([self.report], [], [], 0)[0]) and os.read(self.report, 1) == b"!")
        return self.all

    def stop(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.report)
