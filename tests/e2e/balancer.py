"""A TCP balancer, in the place of kube-proxy: new connections go in turn to the replicas whose /readyz says so; those that are open stay."""
import http.client, selectors, socket, struct, threading

READY_EVERY = 0.1       # seconds between two looks at a replica
READY_SECONDS = 2.0     # for one look
CONNECT_SECONDS = 5.0
PIECE = 65536


class Balancer:
    """Listens until `close`. `backends` are (HTTPS port, status port) on 127.0.0.1, in the order of `replace`."""

    def __init__(self, address, port):
        self.listener = socket.create_server((address, port), backlog=1024)
        self.address, self.port = self.listener.getsockname()[:2]
        self.lock = threading.Lock()
        self.backends, self.ready, self.turn = [], [], 0
        self.accepted = self.refused = 0
        self.stopping = threading.Event()
        for work in self.accept, self.look:
            threading.Thread(target=work, daemon=True).start()

    def replace(self, backends):
        """From now on these, once they are ready."""
        with self.lock:
            self.backends = list(backends)
            self.ready = [one for one in self.ready if one in self.backends]
        self.look_once()

    def look(self):
        while not self.stopping.wait(READY_EVERY):
            self.look_once()

    def look_once(self):
        with self.lock:
            backends = list(self.backends)
        ready = [one for one in backends if is_ready(one[1])]
        with self.lock:
            self.ready = [one for one in ready if one in self.backends]

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return  # closed
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def choose(self):
        """The ready replicas, the next one first."""
        with self.lock:
            self.turn += 1
            first = self.turn % len(self.ready) if self.ready else 0
            return self.ready[first:] + self.ready[:first]

    def serve(self, client):
        for port, _ in self.choose():
            try:
                server = socket.create_connection(("127.0.0.1", port), CONNECT_SECONDS)
            except OSError:
                continue  # it has ended since the last look
            with self.lock:
                self.accepted += 1
            return splice(client, server)
        with self.lock:
            self.refused += 1
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset, as where no pod is behind a Service
        client.close()

    def close(self):
        self.stopping.set()
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


def is_ready(status_port):
    connection = http.client.HTTPConnection("127.0.0.1", status_port, timeout=READY_SECONDS)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def splice(client, server):
    """Carries bytes both ways; the end of one direction is the end of that direction on the other side."""
    other = {client: server, server: client}
    with selectors.DefaultSelector() as selector:
        for one in other:
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            one.settimeout(CONNECT_SECONDS * 6)
            selector.register(one, selectors.EVENT_READ)
        try:
            while selector.get_map():
                for key, _ in selector.select():
                    data = key.fileobj.recv(PIECE)
                    if data:
                        other[key.fileobj].sendall(data)
                    else:
                        selector.unregister(key.fileobj)
                        other[key.fileobj].shutdown(socket.SHUT_WR)
        except OSError:
            pass  # one side is gone, so the other goes, too
    client.close()
    server.close()
