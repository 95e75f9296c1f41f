"""A server under test, and clients of several tempers."""
import atexit, os, re, signal, socket, ssl, subprocess, tempfile, time


LOG_LINE = re.compile(r'(\{"time":")?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z')



def without_log(text):
    """What else is on standard error."""
    return "".join(line for line in text.splitlines(True) if not LOG_LINE.match(line))


class Server:
    """`drawbridge serve` on free loopback ports, with a certificate of its own."""

    def __init__(self, build, *options, version="1.35", before=None, **more):
        """`before` runs in the child before the program; `more` goes to Popen."""
        self.build, self.made = build, None
        self.folder = tempfile.TemporaryDirectory()
        self.ca = os.path.join(self.folder.name, "ca.crt")
        certs = [os.path.join(build, "drawbridge"), "certs"]
        subprocess.run(certs + ["init", "--dir", self.folder.name], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(certs + ["issue", "--dir", self.folder.name, "--host", "localhost", "--ip", "127.0.0.1"], check=True, stdout=subprocess.DEVNULL)
        self.errors = open(os.path.join(self.folder.name, "stderr"), "w+b")
        self.program = subprocess.Popen(self.command(*options, version=version), stdout=subprocess.PIPE, stderr=self.errors, preexec_fn=before, **more)
        atexit.register(self.program.kill)  # nothing outlives a test that fails; no effect on a program that has ended
        line = self.program.stdout.readline().decode()
        ready = re.fullmatch(r"listening https=127\.0\.0\.1:(\d+) status=127\.0\.0\.1:(\d+)\n", line)
        if not ready:
            raise RuntimeError("not ready: " + line + open(self.errors.name).read())
        self.port, self.status_port = int(ready.group(1)), int(ready.group(2))

    def command(self, *options, version="1.35"):
        return [os.path.join(self.build, "drawbridge"), "serve", "--listen", "127.0.0.1:0", "--status-listen", "127.0.0.1:0",
                "--cert", os.path.join(self.folder.name, "tls.crt"), "--key", os.path.join(self.folder.name, "tls.key"),
                *(["--kubernetes-version", version] if version else []), *options]

    def context(self):
        context = ssl.create_default_context(cafile=self.ca)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        return context

    def usual_context(self):
        """The same, made once: that takes as long as ten requests."""
        if not self.made:
            self.made = self.context()
        return self.made

    def connect(self, context=None, timeout=30):
        """A TLS connection whose certificate was verified."""
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=timeout)
        return (context or self.usual_context()).wrap_socket(plain, server_hostname="localhost")

    def plain(self, timeout=30):
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def ask(self, body, headers=(), path="/validate", method="POST"):
        """One request on a connection of its own: (status, headers, body)."""
        with self.connect() as connection:
            return exchange(connection, request(body, headers, path, method))

    def status(self, path, method="GET", timeout=30):
        with socket.create_connection(("127.0.0.1", self.status_port), timeout=timeout) as connection:
            return exchange(connection, f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode(), method == "HEAD")

    def metric(self, name, prefix="drawbridge_"):
        text = self.status("/metrics")[2].decode()
        return float(re.search("^" + prefix + re.escape(name) + r" (\S+)$", text, re.M).group(1))

    def total(self, name, **labels):
        """All series of a metric together that have these labels."""
        text = self.status("/metrics")[2].decode()
        series = re.findall("^drawbridge_" + re.escape(name) + r"\{(.*)\} (\S+)$", text, re.M)
        return sum(float(value) for given, value in series if set(labels.items()) <= set(re.findall(r'(\w+)="([^"]*)"', given)))

    def stop(self, timeout=40):
        """SIGTERM; returns (exit status, standard error without the log)."""
        if self.program.poll() is None:
            self.program.send_signal(signal.SIGTERM)
        try:
            status = self.program.wait(timeout)
        except subprocess.TimeoutExpired:
            self.program.kill()
            status = None
        with open(self.errors.name, "rb") as errors:
            self.log = errors.read().decode("utf-8", "replace")
        text = without_log(self.log)
        self.program.stdout.close()
        self.errors.close()
        self.folder.cleanup()
        return status, text


def metric_reaches(server, name, value, seconds=20):
    """Whether the metric gets to that value in time."""
    end = time.monotonic() + seconds
    while server.metric(name) != value and time.monotonic() < end:
        time.sleep(0.1)
    return server.metric(name) == value


def request(body=b"", headers=(), path="/validate", method="POST"):
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
    given = {header.split(":")[0].lower() for header in headers}
    if "content-type" not in given:
        lines.append("Content-Type: application/json")
    if not given & {"content-length", "transfer-encoding"}:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines + list(headers) + ["", ""]).encode("latin-1") + body


def chunked(pieces):
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def exchange(connection, data, head=False):
    """Sends `data` and reads one answer: (status, headers by lower case name, body); status 0 when there is none."""
    try:
        connection.sendall(data)
    except OSError:
        pass  # the server may answer before it has read everything
    return read_answer(connection, head)


def read_answer(connection, head=False):
    data = b""
    try:
        while b"\r\n\r\n" not in data:
            piece = connection.recv(65536)
            if not piece:
                return 0, {}, data
            data += piece
        top, body = data.split(b"\r\n\r\n", 1)
        lines = top.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines[1:])}
        length = 0 if head else int(headers.get("content-length", "0"))
        while len(body) < length:
            piece = connection.recv(65536)
            if not piece:
                break
            body += piece
        return int(lines[0].split()[1]), headers, body
    except OSError:
        return 0, {}, data


def closed_within(connection, seconds):
    """Whether the server ends the connection within that time."""
    end = time.monotonic() + seconds
    try:
        while True:
            connection.settimeout(max(0.001, end - time.monotonic()))
            if not connection.recv(65536):
                return True
    except TimeoutError:
        return False
    except OSError:
        return True  # reset


class FalseClock:
    """A clock that can be put forward for a program that is started in this environment; `every`: the monotonic one, too."""

    def __init__(self, every=False):
        self.folder = tempfile.TemporaryDirectory()
        self.file, library = os.path.join(self.folder.name, "clock"), os.path.join(self.folder.name, "clock.so")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "clock.c")
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", source, "-o", library], check=True)
        self.environment = dict(os.environ, LD_PRELOAD=library, CLOCK_FILE=self.file, **({"CLOCK_ALL": "1"} if every else {}))
        self.environment["ASAN_OPTIONS"] = self.environment.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"

    def later(self, seconds):
        with open(self.file + ".new", "w") as file:
            file.write(str(seconds))
        os.replace(self.file + ".new", self.file)


def reviews(folder):
    for name in sorted(os.listdir(folder)):
        if name.endswith(".json"):
            with open(os.path.join(folder, name), "rb") as file:
                yield name, file.read()


REVIEWS = dict(reviews(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "reviews")))  # by file name
CREATE = REVIEWS["106-create-v1-csidriver.json"]
BROKEN = CREATE.replace(b'"fsGroupPolicy":"File"', b'"fsGroupPolicy":"Files"')  # an error
