#!/usr/bin/env python3
"""The life of the server: start and its errors, TLS, slow and broken clients. Its end is in test_drain.py.

    test_server.py BUILD
"""
import os, re, resource, signal, socket, ssl, subprocess, sys, tempfile, threading, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from client import CREATE, Server, closed_within, exchange, request, without_log
from tap import Tap


def run(command, timeout=60):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout)
    return done.returncode, without_log(done.stderr.decode()).strip()


def replaced(command, option, value):
    command = list(command)
    command[command.index(option) + 1] = value
    return command


def free_port():
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        return holder.getsockname()[1]


def own_ports(command, port, status_port):
    return replaced(replaced(command, "--listen", f"127.0.0.1:{port}"), "--status-listen", f"127.0.0.1:{status_port}")


def test_check(tap, build, server):
    """What serve would start with is good; the ports are tried, and free again afterwards."""
    ports = free_port(), free_port()
    command = own_ports(server.command(), *ports)
    own = ["--ca-dir", server.folder.name, "--host", "localhost", "--cert-hours", "1"]
    commands = [("a certificate", command), ("a CA", command[:command.index("--cert")] + own), ("CAs of clients", command + ["--client-ca", server.ca])]
    for name, checked in commands:
        done = subprocess.run(checked + ["--check"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        tap.ok(done.returncode == 0 and done.stdout.startswith(b"good: ") and not done.stderr, f"--check: {name}", done)
        program = subprocess.Popen(checked + ["--shutdown-delay", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        ready = f"listening https=127.0.0.1:{ports[0]} status=127.0.0.1:{ports[1]}\n"
        tap.equal(program.stdout.readline().decode(), ready, f"{name}: and serve starts on these ports")
        beside = run(checked + ["--check"])
        tap.ok(beside[0] == 3 and "Address already in use" in beside[1], f"{name}: beside it, the ports are taken: {beside}")
        program.terminate()
        program.wait(30)
        program.stdout.close()


def test_start_errors(tap, server):
    """Each ends with its status and one line that says what is wrong with what. --check says the same."""
    good, folder = server.command(), server.folder.name
    def path(name, text=None):
        if text is not None:
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        return os.path.join(folder, name)
    certs = [os.path.join(server.build, "drawbridge"), "certs", "issue", "--dir", folder, "--host", "other", "--out", "other"]
    subprocess.run(certs, check=True, stdout=subprocess.DEVNULL)
    certificate, fifo, free = open(path("tls.crt")).read(), path("fifo"), free_port()
    own = [good[0], "serve", "--listen", "127.0.0.1:0", "--status-listen", "127.0.0.1:0"]
    os.mkfifo(fifo)
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
        ("no port", replaced(good, "--listen", "127.0.0.1"), 2, "is not HOST:PORT"),
        ("a port that is no number", replaced(good, "--listen", "127.0.0.1:https"), 2, "is not HOST:PORT"),
        ("a port that is too large", replaced(good, "--listen", "127.0.0.1:65536"), 2, "is not HOST:PORT"),
        ("a status port without host and colon", replaced(good, "--status-listen", "8080"), 2, "is not HOST:PORT"),
        ("an address with an escape sequence", replaced(good, "--listen", "127.0.0.1\033[31m"), 2, "127.0.0.1\\x1b[31m"),
        ("a host that does not resolve", replaced(good, "--listen", "no-such-host.invalid:0"), 3, "no-such-host.invalid"),
        ("an operand with an escape sequence", good + ["\033[31m"], 2, "\\x1b[31m"),
        ("an unknown option with an escape sequence", good + ["--\033[31m"], 2, "\\x1b[31m"),
        ("a very long operand", good + ["x" * 2000], 2, "xxx...xxx"),
        ("a negative delay", good + ["--shutdown-delay", "-1"], 2, "--shutdown-delay"),
        ("a delay over the limit", good + ["--shutdown-delay", "61"], 2, "--shutdown-delay"),
        ("a bad version", replaced(good, "--kubernetes-version", "1.99"), 2, "1.99"),
        ("a bad size", good + ["--max-body", "20971521"], 2, "--max-body"),
        ("size 0", good + ["--max-body", "0"], 2, "--max-body"),
        ("a negative size", good + ["--max-body", "-1"], 2, "--max-body"),
        ("an unknown option", good + ["--frob"], 2, "--frob"),
        ("an operand", good + ["frob"], 2, "frob"),
        ("neither certificate nor key", [good[0], "serve"], 2, "--cert"),
        ("a certificate without a key", [good[0], "serve", "--cert", path("tls.crt")], 2, "--key"),
        ("one port for both", own_ports(good, free, free), 3, "Address already in use"),
        ("every address beside one of them", replaced(good, "--listen", f":{server.port}"), 3, "Address already in use"),
        ("a port of a reserved address", replaced(good, "--listen", f"240.0.0.1:{free}"), 3, "Cannot assign requested address"),
        ("no CAs of clients", good + ["--client-ca", path("nowhere.crt")], 3, "No such file or directory"),
        ("CAs of clients that are none", good + ["--client-ca", path("tls.key")], 3, "tls.key"),
        ("a client without CAs", good + ["--client-cn", "x"], 2, "--client-ca"),
        ("a CA beside a certificate", good + ["--ca-dir", folder, "--host", "x"], 2, "--ca-dir"),
        ("a folder without a CA", own + ["--ca-dir", "/nowhere", "--host", "x"], 3, "/nowhere"),
        ("a CA without names", own + ["--ca-dir", folder], 2, "--ca-dir: needs a name"),
        ("a name without a CA", good + ["--host", "x"], 2, "--ca-dir"),
        ("a bad lifetime", own + ["--ca-dir", folder, "--host", "x", "--cert-hours", "721"], 2, "--cert-hours"),
        ("no configuration", good + ["--config", path("nowhere.yaml")], 3, "No such file or directory"),
        ("a wrong configuration", good + ["--config", path("wrong.yaml", "kind: Pod\n")], 3, "wrong.yaml"),
        ("a configuration that is a FIFO", good + ["--config", fifo], 3, "must be a regular file"),
        ("a certificate that is a FIFO", replaced(good, "--cert", fifo), 3, "fifo"),
        ("a bad log format", good + ["--log-format", "xml"], 2, "--log-format"),
        ("a bad mode", good + ["--mode", "deny"], 2, "--mode"),
    ]
    for name, command, status, words in cases:
        got, text = run(command)
        lines = text.splitlines() or [""]
        tap.ok(got == status and lines[0].startswith("drawbridge serve: ") and words in lines[0] and len(lines) <= 2, f"{name}: {got}, {lines[0]}")
        checked = run(command + ["--check"])
        tap.equal(checked, (got, text), f"{name}: --check says the same")


def test_without_rights(tap, build):
    """A user who may not: files, ports and threads."""
    server = Server(build, "--shutdown-delay", "0")
    good = server.command()
    def nobody(threads=None):
        def become():
            if threads:
                resource.setrlimit(resource.RLIMIT_NPROC, (threads, threads))
            if os.getuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
        return become
    def both(name, command, words, become):
        done, checked = [subprocess.run(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60, preexec_fn=become)
                         for line in (command, command + ["--check"])]
        tap.ok(done.returncode == 3 and words in done.stderr.decode(), f"{name}: {done.returncode}, {done.stderr.decode().strip()}")
        tap.equal((checked.returncode, checked.stderr), (done.returncode, done.stderr), f"{name}: --check says the same")
    os.chmod(server.folder.name, 0o755)
    os.chmod(os.path.join(server.folder.name, "tls.key"), 0)
    if os.getuid() == 0:
        both("a key that may not be read", good, "Permission denied", nobody())
        os.chmod(os.path.join(server.folder.name, "tls.key"), 0o644)
        both("too few threads", good, "a thread", nobody(2))
        if open("/proc/sys/net/ipv4/ip_unprivileged_port_start").read().strip() == "1024":
            both("a port that is not for everybody", replaced(good, "--status-listen", "127.0.0.1:1023"), "Permission denied", nobody())
    server.stop()


def test_streams(tap, server):
    """Standard streams that are closed or cannot be written."""
    for options in [], ["--check"]:
        with open("/dev/full", "w") as full:
            done = subprocess.run(server.command() + options, stdout=full, stderr=subprocess.PIPE, timeout=60)
        said = done.stderr.decode().strip()
        tap.ok(done.returncode == 4 and "standard output" in said, f"a line that cannot be written {options}: {done.returncode}, {said}")
    ports = [free_port(), free_port()]
    command = replaced(replaced(server.command(), "--listen", f"127.0.0.1:{ports[0]}"), "--status-listen", f"127.0.0.1:{ports[1]}")
    program = subprocess.Popen(["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *command])
    end = time.monotonic() + 20
    ready = False
    while not ready and time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", ports[1]), timeout=5).close()
            ready = True
        except OSError:
            time.sleep(0.05)
    streams = [os.readlink(f"/proc/{program.pid}/fd/{number}") for number in range(3)]
    tap.ok(streams == ["/dev/null"] * 3, f"standard streams that are closed become {streams}")
    program.send_signal(signal.SIGTERM)
    tap.ok(program.wait(30) == 0, "and the server runs and ends as ever")


def test_descriptors(tap, build):
    """Few file descriptors: a clear message, or fewer connections; never a thread that spins."""
    def limit(number):
        return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (number, number))
    server = Server(build, before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (100, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
    soft = re.search(r"Max open files\s+(\d+)", open(f"/proc/{server.program.pid}/limits").read()).group(1)
    tap.ok(int(soft) > 4096, f"the soft limit is raised to {soft}")
    command = server.command()
    for number in (40, 100, 150):
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60, preexec_fn=limit(number))
        tap.ok(done.returncode == 3 and b"RLIMIT_NOFILE" in done.stderr, f"{number} files: {done.returncode}, {done.stderr.decode().strip()}")
        checked = subprocess.run(command + ["--check"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=limit(number))
        tap.equal((checked.returncode, checked.stderr), (done.returncode, done.stderr), f"{number} files: --check says the same")
    server.stop()
    inherited = [os.open("/dev/null", os.O_RDONLY) for _ in range(60)]
    server = Server(build, before=limit(312), pass_fds=inherited)
    for descriptor in inherited:
        os.close(descriptor)
    flood = [server.plain() for _ in range(300)]
    time.sleep(1)
    def ticks():
        fields = open(f"/proc/{server.program.pid}/stat").read().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])
    before = ticks()
    time.sleep(2)
    spent = (ticks() - before) / os.sysconf("SC_CLK_TCK")
    tap.ok(spent < 0.5, f"300 clients, 312 files of which 60 are inherited: {spent:.2f} s of processor time in 2 s")
    tap.ok(server.status("/livez")[0] == 200, "/livez answers meanwhile")
    for connection in flood:
        connection.close()
    tap.ok(server.ask(CREATE)[0] == 200, "and a client is served afterwards")
    tap.ok(server.stop()[0] == 0, "and it ends cleanly")


def test_process(tap, build):
    """Signals that must not end it, and processors that are not ours."""
    def tasks(server):
        return len(os.listdir(f"/proc/{server.program.pid}/task"))
    server = Server(build, "--shutdown-delay", "0")
    for number in (signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2):
        server.program.send_signal(number)
    time.sleep(0.3)
    tap.ok(server.program.poll() is None and server.ask(CREATE)[0] == 200, "SIGHUP, SIGUSR1 and SIGUSR2 do not end it")
    allowed = os.sched_getaffinity(0)
    one = Server(build, "--shutdown-delay", "0", before=lambda: os.sched_setaffinity(0, {min(allowed)}))
    tap.ok(tasks(one) < tasks(server) or len(allowed) == 1, f"{tasks(one)} threads on one processor, {tasks(server)} on {len(allowed)}")
    server.stop()
    one.stop()


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


def test_keys_and_names(tap, build):
    """A key that clients cannot use is refused; a certificate that only API servers refuse is served with a warning."""
    openssl = lambda *arguments: subprocess.run(["openssl", *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    san, good = ["-addext", "subjectAltName=DNS:x"], ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
    rows = [(["ED448"], san, 3, "of a type that clients cannot use"), (["RSA-PSS", "-pkeyopt", "rsa_keygen_bits:2048"], san, 3, "of a type"),
            (["EC", "-pkeyopt", "ec_paramgen_curve:P-521"], san, 3, "of a type"), (["RSA", "-pkeyopt", "rsa_keygen_bits:1024"], san, 3, "at least 2048 bits"),
            (good, [], 0, "no subjectAltName"), (good, san + ["-addext", "extendedKeyUsage=clientAuth"], 0, "not for servers"),
            (["ED25519"], san, 0, ""), (["EC", "-pkeyopt", "ec_paramgen_curve:P-384"], san, 0, ""), (["RSA", "-pkeyopt", "rsa_keygen_bits:2048"], san, 0, "")]
    with tempfile.TemporaryDirectory() as folder:
        key, certificate = os.path.join(folder, "key"), os.path.join(folder, "certificate")
        for algorithm, extensions, expected, message in rows:
            openssl("genpkey", "-algorithm", *algorithm, "-out", key)
            openssl("req", "-x509", "-new", "-key", key, "-subj", "/CN=x", "-days", "9", *extensions, "-out", certificate)
            program = subprocess.Popen([os.path.join(build, "drawbridge"), "serve", "--listen", "127.0.0.1:0", "--status-listen", "127.0.0.1:0", "--cert", certificate,
                                        "--key", key, "--shutdown-delay", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if program.stdout.readline():
                program.terminate()
            text = without_log(program.communicate(timeout=30)[1])
            tap.ok(program.returncode == expected and (message in text if message else not text), f"{algorithm[0]} {message}: {program.returncode} {text!r}")


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
        tap.ok(closed_within(connection, 20), "noise gets none either")


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
    def slow_start():
        with server.connect(timeout=60) as connection:
            connection.sendall(request(b"", [f"Content-Length: {len(CREATE)}"]) + CREATE[:100])
            began = time.monotonic()
            time.sleep(12)
            tap.ok(exchange(connection, CREATE[100:])[0] == 200, "a pause of 12 s in the first body is no reason to give up")
            return time.monotonic() - began
    def refused():
        with server.connect() as connection:
            assert exchange(connection, request(b"{"))[0] == 400
            began = time.monotonic()
            return closed_within(connection, 60) and time.monotonic() - began
    def status_idle():
        with socket.create_connection(("127.0.0.1", server.status_port), timeout=30) as connection:
            began = time.monotonic()
            return closed_within(connection, 60) and time.monotonic() - began
    def status_slow_header():
        with socket.create_connection(("127.0.0.1", server.status_port), timeout=30) as connection:
            return trickle(connection, b"GET /livez HTTP/1.1\r\nX: " + b"x" * 1000, 0.5, 60)
    bounds = {slow_start: (12, 14), refused: (9, 13), status_idle: (0.7, 3), status_slow_header: (0.7, 3), silent: (14, 18), slow_hello: (14, 18), slow_header: (9, 27), slow_body: (25, 34), slow_second_request: (25, 34), half_closed: (0, 34)}
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


def main(build):
    tap = Tap()
    server = Server(build)
    test_check(tap, build, server)
    for test in (test_start_errors, test_streams, test_tls, test_broken_clients, test_deadlines):
        test(tap, server)
    idle = test_many_idle_connections(tap, server)
    began = time.monotonic()
    status, text = server.stop()
    tap.ok(status == 0 and text == "" and time.monotonic() - began < 5, f"with 1,100 connections open it ends within 5 s, status {status} {text[:2000]}")
    for connection in idle:
        connection.close()
    for test in (test_without_rights, test_expired, test_keys_and_names, test_descriptors, test_process):
        test(tap, build)
    return tap.done()


sys.exit(main(sys.argv[1]))
