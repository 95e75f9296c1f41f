#!/usr/bin/env python3
"""The serving certificate is replaced while the server runs: in every way in which files are, with files that do not do, under load.

    test_reload.py BUILD
"""
import concurrent.futures, os, shutil, signal, ssl, subprocess, sys, tempfile, threading, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "certs")]
import forge
from client import CREATE, Server, exchange, request
from tap import Tap

SOON = 4        # seconds in which a change is seen that inotify tells of: 0.2, and what a sanitizer takes; less than the 5 of a poll
PATIENCE = 6    # seconds that files which do not fit together may take, LIMIT_WATCH_PATIENCE_MS
forging = threading.Lock()


# ---- certificates ----

ROOT = forge.certificate("root", "root", "p256-root", "p256-root", forge.basic(True), forge.usage(5, 6))


def leaf(serial, key="p256-leaf", issuer="root", signer="p256-root", **more):
    """Certificate and key, PEM. The serial number tells certificates apart."""
    with forging:
        made = forge.certificate("localhost", issuer, key, signer, forge.basic(False), forge.usage(0), forge.extended(forge.SERVER),
                                 forge.alternative_names("localhost", "IP:127.0.0.1"), serial=serial, **more)
        return forge.pem(made), open(forge.key(key)).read()


def context():
    made = ssl.create_default_context(cadata=forge.pem(ROOT))
    made.minimum_version = ssl.TLSVersion.TLSv1_2
    return made


def serial_of(connection):
    return int(connection.getpeercert()["serialNumber"], 16)


# ---- a server and its files ----

def write(path, text):
    with open(path, "w") as file:
        file.write(text)


class Case:
    """A server with a certificate of number 1 in a folder of its own, and what was found."""

    def __init__(self, build, way="overwrite"):
        self.folder = tempfile.mkdtemp(prefix="reload-")
        self.results, self.told = [], 0
        self.replace = getattr(self, way)
        self.replace(*leaf(1))
        self.server = Server(build, "--cert", self.path("tls.crt"), "--key", self.path("tls.key"), "--shutdown-delay", "0")

    def path(self, name):
        return os.path.join(self.folder, "now" if self.replace == self.folder_link and name.startswith("tls.") else "", name)

    def ok(self, condition, text, detail=None):
        self.results.append((condition, text, detail))
        return condition

    def overwrite(self, certificate, key):
        write(self.path("tls.crt"), certificate)
        write(self.path("tls.key"), key)

    def rename(self, certificate, key):
        for name, text in (("tls.crt", certificate), ("tls.key", key)):
            write(self.path(name + ".new"), text)
            os.replace(self.path(name + ".new"), self.path(name))

    def kubelet(self, certificate, key):
        """As a kubelet mounts a Secret: the files are links through ..data, which is replaced by rename; the old folder goes."""
        old = os.readlink(self.path("..data")) if os.path.islink(self.path("..data")) else None
        new = tempfile.mkdtemp(prefix="..", dir=self.folder)
        for name, text in (("tls.crt", certificate), ("tls.key", key)):
            write(os.path.join(new, name), text)
            if not old:
                os.symlink("..data/" + name, self.path(name))
        os.symlink(os.path.basename(new), self.path("..data_tmp"))
        os.replace(self.path("..data_tmp"), self.path("..data"))
        if old:
            shutil.rmtree(self.path(old))

    def elsewhere(self, certificate, key):
        """The files are links into another folder, in which they are replaced."""
        os.makedirs(self.path("else/where"), exist_ok=True)
        for name, text in (("tls.crt", certificate), ("tls.key", key)):
            write(self.path("else/where/" + name), text)
            if not os.path.islink(self.path(name)):
                os.symlink("else/where/" + name, self.path(name))

    def folder_link(self, certificate, key):
        """The folder is a link to one of several."""
        new = tempfile.mkdtemp(dir=self.folder)
        write(os.path.join(new, "tls.crt"), certificate)
        write(os.path.join(new, "tls.key"), key)
        os.symlink(os.path.basename(new), self.path("next"))
        os.replace(self.path("next"), os.path.join(self.folder, "now"))

    def shown(self, trust=None):
        with self.server.connect(trust or context()) as connection:
            return serial_of(connection)

    def shows(self, serial, seconds=SOON):
        """Whether new connections get that certificate in time."""
        end = time.monotonic() + seconds
        while self.shown() != serial and time.monotonic() < end:
            time.sleep(0.05)
        return self.shown() == serial

    def errors(self):
        with open(self.server.errors.name, encoding="utf-8") as file:
            return file.read()

    def complaints(self):
        return [line for line in self.errors().splitlines() if "reload-failed" in line]

    def complains(self, words, seconds=PATIENCE + SOON):
        """Whether one line more, and no other, says that old files stay in use."""
        self.told += 1
        end = time.monotonic() + seconds
        while len(self.complaints()) < self.told and time.monotonic() < end:
            time.sleep(0.1)
        return len(self.complaints()) == self.told and words in self.complaints()[-1]

    def done(self):
        status, errors = self.server.stop()
        self.ok(status == 0, f"it ends with status {status}", errors)
        shutil.rmtree(self.folder)
        return self.results


class Caller(threading.Thread):
    """A client that asks on one connection all the time."""

    def __init__(self, server):
        super().__init__()
        self.connection = server.connect(context())
        self.stopping, self.asked, self.lost = threading.Event(), 0, 0
        self.start()

    def run(self):
        while not self.stopping.is_set():
            status, _, _ = exchange(self.connection, request(CREATE))
            self.asked += 1
            self.lost += status != 200
            if status != 200:
                return
            time.sleep(0.005)

    def end(self):
        self.stopping.set()
        self.join()
        serial = serial_of(self.connection)
        self.connection.close()
        return serial


# ---- cases ----

def case_replaced(build, way):
    case = Case(build, way)
    caller = Caller(case.server)
    for serial in (2, 3, 4):
        case.replace(*leaf(serial, f"p256-leaf{serial}"))
        case.ok(case.shows(serial), f"{way}: new connections get certificate {serial}", case.errors())
    case.ok(caller.end() == 1 and caller.asked > 20 and not caller.lost, f"{way}: a connection lives through it, {caller.asked} requests, {caller.lost} lost")
    case.ok(not case.complaints(), f"{way}: no complaint", case.errors())
    return case.done()


def case_pause(build, first):
    """One file a while before the other."""
    case = Case(build)
    caller = Caller(case.server)
    texts = dict(zip(("tls.crt", "tls.key"), leaf(2, "p256-other")))
    second = {"tls.crt": "tls.key", "tls.key": "tls.crt"}[first]
    write(case.path(first), texts[first])
    time.sleep(2)
    case.ok(case.shown() == 1 and not case.complaints(), f"{first} first: the old certificate stays, and nobody complains", case.errors())
    write(case.path(second), texts[second])
    case.ok(case.shows(2), f"{first} first: with {second} there is the new one", case.errors())
    write(case.path(first), dict(zip(("tls.crt", "tls.key"), leaf(3, "p256-third")))[first])
    case.ok(case.complains("does not belong to"), f"{first} alone: a complaint when {second} does not come", case.errors())
    write(case.path(second), dict(zip(("tls.crt", "tls.key"), leaf(3, "p256-third")))[second])
    case.ok(case.shows(3), f"{first} alone: it is never too late for {second}", case.errors())
    case.ok(caller.end() == 1 and not caller.lost, f"{first} first: {caller.asked} requests on an open connection, {caller.lost} lost")
    return case.done()


def case_bad(build):
    """What cannot be used keeps what was there, and is told once."""
    case = Case(build)
    caller = Caller(case.server)
    good = leaf(2)
    write(case.path("tls.crt"), "garbage\n")
    case.ok(case.complains("there is no certificate in"), "garbage is told", case.errors())
    write(case.path("tls.crt"), "garbage\n")
    time.sleep(1)
    case.ok(len(case.complaints()) == 1 and case.shown() == 1, "the same garbage again is not", case.errors())
    write(case.path("tls.crt"), good[0][:200])
    case.ok(case.complains("damaged or cut off"), "other garbage is", case.errors())
    os.unlink(case.path("tls.crt"))
    case.ok(case.complains("No such file"), "and a file that is gone", case.errors())
    case.ok(case.shown() == 1, "the old certificate is in use all the time")
    case.overwrite(*good)
    case.ok(case.shows(2), "good files end it", case.errors())
    case.overwrite(*leaf(3, begin="20200101000000Z", end="20210101000000Z"))
    case.ok(case.complains("expired on"), "one that has ended is not taken", case.errors())
    case.overwrite(good[0] * 17, good[1])
    case.ok(case.complains("more than 16 certificates"), "nor a chain of 17", case.errors())
    case.ok(case.shown() == 2, "which leaves the last good one")
    case.overwrite(*good)
    time.sleep(1)
    case.ok(len(case.complaints()) == case.told and case.server.metric('reloads_total{what="certificate",result="failure"}') == case.told, "going back to what is in use is nothing to tell", case.errors())
    case.ok(caller.end() == 1 and not caller.lost, f"bad files: {caller.asked} requests on an open connection, {caller.lost} lost")
    return case.done()


def case_chains(build):
    """Chains, types of keys, both versions of TLS."""
    case = Case(build)
    with forging:
        upper = forge.certificate("upper", "root", "p256-upper", "p256-root", forge.basic(True), forge.usage(5))
        lower = forge.certificate("lower", "upper", "p256-lower", "p256-upper", forge.basic(True), forge.usage(5))
    certificate, key = leaf(2, "p256-leaf", "lower", "p256-lower")
    case.overwrite(certificate + forge.pem(lower) + forge.pem(upper), key)
    case.ok(case.shows(2), "a chain of three is verified by who has the root", case.errors())
    shown = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{case.server.port}", "-servername", "localhost", "-showcerts"], stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60).stdout.decode()
    order = [line.split("=")[-1].strip() for line in shown.splitlines() if " s:" in line]
    case.ok(order == ["localhost", "lower", "upper"], f"all of it is sent, in its order: {order}")
    for serial, key in enumerate(("rsa2048", "p384", "ed25519", "rsa3072", "p256-again"), 3):
        case.overwrite(*leaf(serial, key))
        case.ok(case.shows(serial), f"a key of {key}", case.errors())
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            only = context()
            only.minimum_version = only.maximum_version = version
            with case.server.connect(only) as connection:
                case.ok(serial_of(connection) == serial and exchange(connection, request(CREATE))[0] == 200, f"a key of {key}: {connection.version()}")
    return case.done()


def case_looks(build):
    """What inotify does not tell of: the folder is a link. SIGHUP has it seen at once, otherwise it takes a few seconds."""
    case = Case(build, "folder_link")
    case.replace(*leaf(2))
    began = time.monotonic()
    case.server.program.send_signal(signal.SIGHUP)
    case.ok(case.shows(2, 2), f"after SIGHUP it is seen within {time.monotonic() - began:.1f} s", case.errors())
    for _ in range(50):
        case.server.program.send_signal(signal.SIGHUP)
    time.sleep(0.3)
    case.replace(*leaf(3))
    case.ok(case.shows(3, 5 + SOON), "without a signal at the next poll", case.errors())
    case.ok(case.errors().count("in use, until") == 2, "and told once each", case.errors())
    return case.done()


def case_storm(build):
    """Handshakes all the time while certificates change all the time."""
    case = Case(build)
    stop, lock, counts = threading.Event(), threading.Lock(), {"handshakes": 0, "failed": 0}
    seen = set()
    def client():
        trust = context()
        while not stop.is_set():
            try:
                with case.server.connect(trust) as connection:
                    serial, status = serial_of(connection), exchange(connection, request(CREATE))[0]
            except OSError:
                serial, status = 0, 0
            with lock:
                counts["handshakes"] += 1
                counts["failed"] += status != 200
                seen.add(serial)
    threads = [threading.Thread(target=client) for _ in range(4)]
    for thread in threads:
        thread.start()
    prepared = [leaf(serial, f"p256-storm{serial % 3}") for serial in range(2, 14)]
    for pair in prepared:
        case.rename(*pair)
        time.sleep(0.3)
    stop.set()
    for thread in threads:
        thread.join()
    case.ok(counts["handshakes"] > 50 and not counts["failed"] and len(seen) > 3, f"4 clients while 12 certificates come and go: {counts}, {len(seen)} seen", case.errors())
    case.ok(case.shows(13), "the last one stays", case.errors())
    return case.done()


def main(build):
    tap = Tap()
    for name in ("p256-root", "p256-upper", "p256-lower", "rsa2048", "rsa3072"):
        forge.key(name)
    cases = [(case_replaced, way) for way in ("overwrite", "rename", "kubelet", "elsewhere")]
    cases += [(case_pause, "tls.crt"), (case_pause, "tls.key"), (case_bad,), (case_chains,), (case_looks,)]
    with concurrent.futures.ThreadPoolExecutor(5) as pool:
        running = [pool.submit(function, build, *arguments) for function, *arguments in cases]
        for result in (line for case in running for line in case.result()):
            tap.ok(*result)
    for result in case_storm(build):
        tap.ok(*result)
    return tap.done()


sys.exit(main(sys.argv[1]))
