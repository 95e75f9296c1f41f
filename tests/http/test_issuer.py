#!/usr/bin/env python3
"""A server that issues its own certificate with a CA's key: who takes it, when a new one comes, what becomes of it when the CA changes.

    test_issuer.py BUILD
"""
import os, re, shutil, ssl, subprocess, sys, tempfile, time
from datetime import datetime, timedelta, timezone

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "certs")]
import forge
from client import CREATE, FalseClock, Server, exchange, metric_reaches, request
from tap import Tap

NAMES = ["--service", "drawbridge.drawbridge-system", "--host", "localhost", "--ip", "127.0.0.1"]
SOON = 8  # seconds in which a change is seen


def certs(build, *arguments):
    subprocess.run([os.path.join(build, "drawbridge"), "certs", *arguments], check=True, stdout=subprocess.DEVNULL)


class Issuer(Server):
    """`drawbridge serve --ca-dir`. `fill` makes the CA in self.place."""

    def __init__(self, build, fill, *options, names=NAMES, **more):
        self.place = tempfile.mkdtemp(prefix="issuer-")
        fill(self.place)
        self.own = ["--ca-dir", self.place, *names, *options]
        super().__init__(build, **more)

    def command(self, *options, **more):
        command = super().command(*options, **more)
        for name in "--cert", "--key":
            at = command.index(name)
            del command[at:at + 2]
        return command + self.own + ["--shutdown-delay", "0"]

    def trust(self, path=None):
        context = ssl.create_default_context(cafile=path or os.path.join(self.place, "ca.crt"))
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        return context

    def errors_text(self):
        with open(self.errors.name, encoding="utf-8") as file:
            return file.read()


def time_of(text):
    return datetime.strptime(text, "%b %d %H:%M:%S %Y GMT").replace(tzinfo=timezone.utc)


def shown(server, context=None):
    """What the server shows to a client that verified it."""
    with server.connect(context or server.trust()) as connection:
        return connection.getpeercert()


def shows_another(server, serial, context, seconds=SOON):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            found = shown(server, context)
            if found["serialNumber"] != serial:
                return found
        except ssl.SSLError:
            pass
        time.sleep(0.05)
    return None


# ---- certificates ----

def test_certificate(tap, build):
    server = Issuer(build, lambda place: certs(build, "init", "--dir", place, *NAMES))
    found = shown(server)
    begins, ends, now = time_of(found["notBefore"]), time_of(found["notAfter"]), datetime.now(timezone.utc)
    tap.ok(ends - begins == timedelta(hours=24, minutes=5) and timedelta(minutes=4) < now - begins < timedelta(minutes=7), f"it lasts 24 hours, and begins 5 minutes ago: {begins}, {ends}")
    tap.equal([value for _, value in found["subjectAltName"]], ["drawbridge.drawbridge-system.svc", "drawbridge.drawbridge-system.svc.cluster.local",
              "drawbridge.drawbridge-system", "drawbridge", "localhost", "127.0.0.1"], "its names")
    text = subprocess.run(["openssl", "x509", "-noout", "-text", "-inform", "DER"], input=server.connect(server.trust()).getpeercert(True), stdout=subprocess.PIPE, check=True).stdout.decode()
    tap.ok("prime256v1" in text and "TLS Web Server Authentication" in text and "CA:FALSE" in text and "Digital Signature" in text, "P-256, for servers only", text)
    tap.equal(server.metric('certificate_expiry_timestamp_seconds{certificate="serving"}'), ends.timestamp(), "the metric of its end")
    ca = time_of(subprocess.run(["openssl", "x509", "-in", os.path.join(server.place, "ca.crt"), "-noout", "-enddate"], stdout=subprocess.PIPE, check=True, text=True).stdout.strip().split("=")[1])
    tap.equal(server.metric('certificate_expiry_timestamp_seconds{certificate="ca"}'), ca.timestamp(), "and of that of its CA")
    with server.connect(server.trust()) as connection:
        tap.equal(exchange(connection, request(CREATE))[0], 200, "a client that has the CA is answered")
    second = Issuer(build, lambda place: [certs(build, "init", "--dir", place)], "--cert-hours", "1")
    tap.equal(time_of(shown(second)["notAfter"]) - time_of(shown(second)["notBefore"]), timedelta(hours=1, minutes=5), "--cert-hours 1")
    tap.ok(shown(second)["serialNumber"] == shown(second)["serialNumber"] != found["serialNumber"], "one certificate for all connections, another in each server")
    tap.equal((server.stop(), second.stop()), ((0, ""), (0, "")), "they end without a word")


def test_folders(tap, build):
    """A mounted Secret; a Secret as cert-manager fills it; a CA that another one signed."""
    def secret(place):
        certs(build, "init", "--dir", place, *NAMES)
        for name, other in (("ca.crt", "tls.crt"), ("ca.key", "tls.key")):
            os.rename(os.path.join(place, name), os.path.join(place, other))
    server = Issuer(build, secret)
    tap.ok(shown(server, server.trust(os.path.join(server.place, "tls.crt"))), "a CA in tls.crt and tls.key")
    server.stop()
    root = forge.certificate("root", "root", "p256-root", "p256-root", forge.basic(True), forge.usage(5), forge.extension("2.5.29.14", forge.der(4, b"root")))
    lower = forge.certificate("lower", "root", "p256-lower", "p256-root", forge.basic(True, 0), forge.usage(5), forge.extension("2.5.29.14", forge.der(4, b"lower")),
                              forge.constraints(["localhost", "NET:127.0.0.0/8"]))
    def signed(place):
        for name, text in (("ca.crt", forge.pem(root)), ("tls.crt", forge.pem(lower)), ("tls.key", open(forge.key("p256-lower")).read())):
            with open(os.path.join(place, name), "w") as file:
                file.write(text)
    server = Issuer(build, signed, names=["--host", "localhost", "--ip", "127.0.0.1"])
    tap.ok(shown(server), "a CA that ca.crt signed: who has that one verifies the chain")
    server.stop()
    def beside(place):
        certs(build, "init", "--dir", place)
        certs(build, "issue", "--dir", place, "--host", "elsewhere")
    server = Issuer(build, beside)
    tap.ok(shown(server), "a folder that has a server's certificate, too")
    server.stop()
    server = Issuer(build, lambda place: certs(build, "init", "--dir", place, "--days", "1"), "--cert-hours", "720")
    ca = subprocess.run(["openssl", "x509", "-in", os.path.join(server.place, "ca.crt"), "-noout", "-enddate"], stdout=subprocess.PIPE, check=True, text=True).stdout.strip().split("=")[1]
    tap.equal(shown(server)["notAfter"], ca, "a certificate ends with its CA at the latest")
    server.stop()
    for kind in ("ed25519", "rsa2048"):
        server = Issuer(build, lambda place: certs(build, "init", "--dir", place, "--key-type", kind, *NAMES))
        tap.ok(shown(server), f"a CA with a key of {kind}")
        server.stop()
    server = Issuer(build, lambda place: certs(build, "init", "--dir", place, "--ip", "127.0.0.1"), names=["--ip", "127.0.0.1"])
    context = server.trust()
    with context.wrap_socket(server.plain(), server_hostname="127.0.0.1") as connection:
        tap.ok(connection.getpeercert(), "a CA and a certificate for an address alone")
    server.stop()


# ---- changes ----

def test_new_authority(tap, build):
    server = Issuer(build, lambda place: certs(build, "init", "--dir", place, *NAMES))
    first = shown(server)["serialNumber"]
    kept = server.connect(server.trust())
    certs(build, "init", "--dir", server.place, "--force", *NAMES)
    found = shows_another(server, first, server.trust())
    tap.ok(found, "a new CA: the next certificate is from it", server.errors_text())
    tap.equal(exchange(kept, request(CREATE))[0], 200, "open connections go on")
    with open(os.path.join(server.place, "ca.key"), "w") as file:
        file.write("garbage")
    tap.ok(metric_reaches(server, 'reloads_total{what="certificate",result="failure"}', 1), "a key that is none is counted")
    tap.ok(found and shown(server)["serialNumber"] == found["serialNumber"], "and the certificate stays")
    certs(build, "init", "--dir", server.place, "--force", "--host", "elsewhere")
    tap.ok(metric_reaches(server, 'reloads_total{what="certificate",result="failure"}', 2), "so is a CA that may not issue for us")
    tap.ok("do not let it issue for drawbridge.drawbridge-system.svc" in server.errors_text(), "which is said", server.errors_text())
    certs(build, "init", "--dir", server.place, "--force", *NAMES)
    tap.ok(shows_another(server, found and found["serialNumber"], server.trust()), "the next good CA is taken", server.errors_text())
    tap.equal(exchange(kept, request(CREATE))[0], 200, "open connections still go on")
    server.stop()


def test_rotation(tap, build):
    """`certs rotate` step by step, as its output says: no client, whether it has the old caBundle or the new one, is ever left without trust."""
    home = tempfile.mkdtemp(prefix="rotation-")
    path = lambda name: os.path.join(home, name)
    certs(build, "init", "--dir", home, *NAMES)
    def apply(place):
        for name in ("ca.key", "ca.crt"):
            shutil.copy(path(name), os.path.join(place, name + ".new"))
            os.replace(os.path.join(place, name + ".new"), os.path.join(place, name))
    server = Issuer(build, apply)
    old = server.trust(path("ca.crt"))
    kept, first = server.connect(old), shown(server, old)["serialNumber"]
    certs(build, "rotate", "--dir", home)
    both = server.trust(path("ca-bundle.crt"))
    tap.equal((shown(server, old)["serialNumber"], shown(server, both)["serialNumber"]), (first, first), "before the server has the new CA, old and new clients are served")
    apply(server.place)
    tap.ok(shows_another(server, first, both), "with the new CA, clients with the new bundle go on", server.errors_text())
    certs(build, "rotate", "--dir", home, "--finish")
    tap.ok(shown(server, server.trust(path("ca-bundle.crt"))), "so do they when the old CA is gone")
    try:
        shown(server, old)
        tap.ok(False, "who stayed with the old CA is left behind")
    except ssl.SSLCertVerificationError:
        tap.ok(True, "who stayed with the old CA is left behind")
    tap.equal(exchange(kept, request(CREATE))[0], 200, "but for connections that are open")
    tap.ok("reload-failed" not in server.errors_text(), "nothing was told that would not do", server.errors_text())
    server.stop()
    shutil.rmtree(home)


class Clock:
    """A server whose clock can be put forward. Clients verify what it shows at its time."""

    def __init__(self, build, *options, days="30"):
        self.clock = FalseClock()
        self.later(0)
        self.server = Issuer(build, lambda place: certs(build, "init", "--dir", place, "--days", days, *NAMES), *options, env=self.clock.environment)

    def later(self, hours):
        self.offset = int(hours * 3600)
        self.clock.later(self.offset)

    def verified(self):
        """(serial, end) of what a client takes at the server's time; None when it does not."""
        now = int(time.time()) + self.offset
        done = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{self.server.port}", "-servername", "localhost", "-verify_hostname", "localhost", "-CAfile",
                               os.path.join(self.server.place, "ca.crt"), "-verify_return_error", "-attime", str(now)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=60)
        if done.returncode:
            return None
        text = subprocess.run(["openssl", "x509", "-noout", "-serial", "-enddate"], input=done.stdout, stdout=subprocess.PIPE, check=True).stdout.decode()
        return re.search("serial=(.*)", text).group(1), time_of(re.search("notAfter=(.*)", text).group(1)).timestamp()

    def renews(self, old, seconds=SOON):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.verified()
            if found and found[0] != old[0]:
                return found
            time.sleep(0.2)
        return None


def test_renewal(tap, build):
    clock = Clock(build)
    server, first = clock.server, clock.verified()
    tap.ok(first, "a first certificate", server.errors_text())
    clock.later(15.8)
    time.sleep(6)  # more than one look
    tap.equal(clock.verified(), first, "after 15.8 of 24 hours it is still in use")
    clock.later(16.1)
    second = clock.renews(first)
    tap.ok(second and 23.9 * 3600 < second[1] - time.time() - clock.offset <= 24 * 3600, "after 16.1 hours there is a new one for 24 hours", server.errors_text())
    tap.equal(server.metric('certificate_expiry_timestamp_seconds{certificate="serving"}'), second and second[1], "which the metric says")
    os.rename(os.path.join(server.place, "ca.key"), os.path.join(server.place, "away"))
    clock.later(34)
    tap.ok(metric_reaches(server, 'reloads_total{what="certificate",result="failure"}', 1), "a CA that is gone when it is needed is counted", server.errors_text())
    tap.ok(clock.verified() == second and server.errors_text().count("reload-failed") == 1, "told once, and the certificate stays", server.errors_text())
    clock.later(37)
    warned = time.monotonic() + SOON
    while "the certificate ends on" not in server.errors_text() and time.monotonic() < warned:
        time.sleep(0.2)
    tap.ok("the certificate ends on" in server.errors_text(), "when a fifth of its life is left there is a warning", server.errors_text())
    os.rename(os.path.join(server.place, "away"), os.path.join(server.place, "ca.key"))
    third = clock.renews(second)
    tap.ok(third and third[1] > second[1], "when the CA is back there is a new one at once", server.errors_text())
    server.stop()


def test_clock_back(tap, build):
    """Issued while the clock was wrong: clients would not take it for a long time."""
    clock = Clock(build, days="3650")
    first = clock.verified() or ("", 0)
    clock.later(1000)
    first = clock.renews(first)
    tap.ok(first, "a clock that is weeks fast")
    clock.later(0)
    second = clock.renews(first or ("", 0))
    tap.ok(second and second[1] < time.time() + 24 * 3600 + 60, "put right, it gets a certificate that is valid now", clock.server.errors_text())
    clock.server.stop()


# ---- options ----

def test_start(tap, build):
    plain = Server(build, "--shutdown-delay", "0")
    whole = plain.command()
    bare = [word for at, word in enumerate(whole) if word not in ("--cert", "--key") and whole[at - 1] not in ("--cert", "--key")]
    place, narrow = tempfile.TemporaryDirectory(), tempfile.TemporaryDirectory()
    certs(build, "init", "--dir", place.name)
    certs(build, "init", "--dir", narrow.name, "--service", "web.prod")
    own = bare + ["--ca-dir", place.name]
    cases = [("neither", bare, 2, "--cert and --key are needed, or --ca-dir"), ("both", whole + ["--ca-dir", place.name, "--host", "a"], 2, "--cert: cannot be given with --ca-dir"),
             ("no name", own, 2, "needs a name to issue for"), ("a name without a CA", whole + ["--host", "a"], 2, "--host: needs --ca-dir"),
             ("hours without a CA", whole + ["--cert-hours", "1"], 2, "--cert-hours: needs --ca-dir"), ("0 hours", own + ["--host", "a", "--cert-hours", "0"], 2, "from 1 to 720"),
             ("721 hours", own + ["--host", "a", "--cert-hours", "721"], 2, "from 1 to 720"), ("half an hour", own + ["--host", "a", "--cert-hours", "0.5"], 2, "from 1 to 720"),
             ("a service that is none", own + ["--service", "web"], 2, "is not NAME.NAMESPACE"), ("101 names", own + ["--host", "a"] * 101, 2, "more than 100 times"),
             ("a folder without a CA", bare + ["--ca-dir", plain.folder.name + "/x", "--host", "a"], 3, "No such file"),
             ("a server's certificate instead of a CA", bare + ["--ca-dir", place.name + "/server", "--host", "a"], 3, "is not that of a CA"),
             ("a name that the CA may not issue for", bare + ["--ca-dir", narrow.name, "--host", "web.prod"] + ["--host", "other.prod"], 3, "do not let it issue for other.prod"),
             ("an address that the CA may not issue for", bare + ["--ca-dir", narrow.name, "--ip", "127.0.0.1"], 3, "do not let it issue for 127.0.0.1")]
    certs(build, "issue", "--dir", place.name, "--host", "a")
    os.mkdir(place.name + "/server")
    for name in ("tls.crt", "tls.key"):
        os.rename(os.path.join(place.name, name), os.path.join(place.name, "server", name))
    for name, command, expected, words in cases:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        tap.ok(done.returncode == expected and words in done.stderr.decode(), f"{name}: {done.returncode}", done.stderr.decode())
    plain.stop()


def main(build):
    tap = Tap()
    for test in (test_certificate, test_folders, test_new_authority, test_rotation, test_renewal, test_clock_back, test_start):
        test(tap, build)
    return tap.done()


sys.exit(main(sys.argv[1]))
