#!/usr/bin/env python3
"""Certificates of clients: who is let in, by TLS 1.2 and 1.3, when CAs change, and what it costs to ask.

    test_clients.py BUILD
"""
import os, shlex, ssl, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "certs")]
import forge
from client import CREATE, Server, closed_within, exchange, metric_reaches, request
from tap import Tap

VERSIONS = (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3)
AUTHORITY = forge.basic(True), forge.usage(5, 6)
CLIENT = forge.extended(forge.CLIENT)


def authority(name):
    return forge.certificate(name, name, "p256-" + name, "p256-" + name, *AUTHORITY)


def pem(*certificates):
    return "".join(map(forge.pem, certificates))


class Clients:
    """Client certificates by name: files of a chain and its key."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.roots = {name: authority(name) for name in ("root", "other", "next")}
        lower = forge.certificate("lower", "root", "p256-lower", "p256-root", forge.basic(True, 0), forge.usage(5))
        server_ca = forge.certificate("server-ca", "root", "p256-server-ca", "p256-root", forge.basic(True, 0), forge.usage(5), forge.extended(forge.SERVER))
        two_names = forge.sequence(*(forge.der(0x31, forge.sequence(forge.oid("2.5.4.3"), forge.der(12, name))) for name in (b"kube-apiserver", b"kube-apiserver")))
        leaf = lambda subject="kube-apiserver", issuer="root", *extensions, key="p256-client", signer=None, **more: forge.certificate(
            subject, issuer, key, signer or "p256-" + issuer, *extensions, **more)
        self.add("good", leaf("kube-apiserver", "root", CLIENT))
        self.add("second", leaf("second", "root", CLIENT, key="ed25519"), key="ed25519")
        self.add("rsa", leaf("kube-apiserver", "root", CLIENT, key="rsa2048"), key="rsa2048")
        self.add("no usage", leaf())
        self.add("intermediate", leaf("kube-apiserver", "lower", CLIENT), lower)
        self.add("without its intermediate", leaf("kube-apiserver", "lower", CLIENT))
        self.add("intermediate for servers", leaf("kube-apiserver", "server-ca", CLIENT, signer="p256-server-ca"), server_ca)
        self.add("other", leaf("kube-apiserver", "other", CLIENT))
        self.add("next", leaf("kube-apiserver", "next", CLIENT))
        self.add("expired", leaf("kube-apiserver", "root", CLIENT, end="20210101000000Z"))
        self.add("early", leaf("kube-apiserver", "root", CLIENT, begin="20900101000000Z"))
        self.add("server", leaf("kube-apiserver", "root", forge.extended(forge.SERVER)))
        self.add("wrong signature", leaf("kube-apiserver", "root", CLIENT, damage=True))
        self.add("wrong name", leaf("somebody", "root", CLIENT))
        self.add("part of a name", leaf("kube", "root", CLIENT))
        self.add("NUL in the name", leaf(forge.name("kube-apiserver\0.evil"), "root", CLIENT))
        self.add("two names", leaf(two_names, "root", CLIENT))
        self.add("no name", leaf(forge.sequence(), "root", CLIENT))
        self.add("long chain", leaf("kube-apiserver", "root", CLIENT), *[self.roots["other"]] * 10)

    def add(self, name, *chain, key="p256-client"):
        path = os.path.join(self.folder.name, name)
        with open(path, "w") as file:
            file.write(pem(*chain))
        setattr(self, name, (path, forge.key(key)))

    def context(self, server, name, version=None):
        context = server.context()
        if version:
            context.minimum_version = context.maximum_version = version
        if name:
            context.load_cert_chain(*getattr(self, name))
        return context

    def connect(self, server, name, version=None):
        return server.connect(self.context(server, name, version))


def result_of(connection):
    """(status, text) of one review."""
    status, _, body = exchange(connection, request(CREATE))
    return status, body.decode() if status != 200 else ""


def counted(server, result):
    return server.metric(f'client_certificates_total{{result="{result}"}}')


MATRIX = [  # client, what a server that allows kube-apiserver and second finds
    (None, "none", "a client certificate is needed\n"),
    ("good", "allowed", ""),
    ("second", "allowed", ""),
    ("rsa", "allowed", ""),
    ("no usage", "allowed", ""),
    ("intermediate", "allowed", ""),
    ("without its intermediate", "untrusted", "the client certificate is not trusted\n"),
    ("intermediate for servers", "untrusted", "the client certificate is not trusted\n"),
    ("other", "untrusted", "the client certificate is not trusted\n"),
    ("expired", "untrusted", "the client certificate is not trusted\n"),
    ("early", "untrusted", "the client certificate is not trusted\n"),
    ("wrong signature", "untrusted", "the client certificate is not trusted\n"),
    ("long chain", "untrusted", "the client certificate is not trusted\n"),
    ("server", "wrong_usage", "the certificate is not for clients\n"),
    ("wrong name", "other_name", "the client's name is not allowed\n"),
    ("part of a name", "other_name", "the client's name is not allowed\n"),
    ("NUL in the name", "other_name", "the client's name is not allowed\n"),
    ("two names", "other_name", "the client's name is not allowed\n"),
    ("no name", "other_name", "the client's name is not allowed\n"),
]


def test_matrix(tap, build, clients, ca, mode):
    """In require mode others get 403 and their connection ends; in observe mode they are served. Both count."""
    server = Server(build, "--client-ca", ca, "--client-cn", "kube-apiserver", "--client-cn", "second", "--client-mode", mode, "--shutdown-delay", "0")
    refused = 0
    for version in VERSIONS:
        for name, result, text in MATRIX:
            before = counted(server, result)
            with clients.connect(server, name, version) as connection:
                expected = (403, text) if text and mode == "require" else (200, "")
                got = result_of(connection), result_of(connection) if expected[0] == 200 else closed_within(connection, 5)
            refused += expected[0] == 403
            good = got == (expected, expected if expected[0] == 200 else True) and counted(server, result) == before + (2 if expected[0] == 200 else 1)
            tap.ok(good, f"{mode}, {version.name}, {name or 'no certificate'}: {expected[0]}, counted as {result}", (got, before, counted(server, result)))
    tap.equal(server.metric('rejections_total{cause="client_certificate"}'), refused, f"{mode}: rejections")
    names = {name: server.metric(f'client_requests_total{{name="{name}"}}') for name in ("kube-apiserver", "second", "none")}
    tap.ok(names["second"] == 4 and names["kube-apiserver"] >= 14 and names["none"] >= 2, f"{mode}: requests by name: {names}")
    tap.equal(server.stop(), (0, ""), f"{mode}: it ends without a word")


def test_any_name(tap, build, clients, ca):
    server = Server(build, "--client-ca", ca, "--shutdown-delay", "0")
    for name, expected in (("good", 200), ("wrong name", 200), ("no name", 200), ("other", 403), (None, 403)):
        with clients.connect(server, name) as connection:
            tap.equal(result_of(connection)[0], expected, f"without --client-cn, {name or 'no certificate'}")
    with clients.connect(server, None) as connection:
        tap.equal(exchange(connection, request(CREATE, path="/elsewhere"))[0], 403, "nor does a client without a certificate learn which paths there are")
    tap.equal(server.status("/readyz")[0], 200, "the status port asks nobody")
    server.stop()
    plain = Server(build, "--shutdown-delay", "0")
    with clients.connect(plain, "other") as connection:
        tap.equal(result_of(connection)[0], 200, "without --client-ca nobody is asked")
    plain.stop()


def replace(path, text):
    with open(path + ".new", "w") as file:
        file.write(text)
    os.replace(path + ".new", path)


def test_reload(tap, build, clients):
    """CAs change while connections are open: each is validated again by the new ones, at its next request."""
    folder = tempfile.TemporaryDirectory()
    ca = os.path.join(folder.name, "ca.crt")
    replace(ca, pem(clients.roots["root"], clients.roots["other"]))
    server = Server(build, "--client-ca", ca, "--shutdown-delay", "0")
    reloads = lambda result: server.metric(f'reloads_total{{what="client_ca",result="{result}"}}')
    stays, goes = clients.connect(server, "good"), clients.connect(server, "other")
    tap.ok(result_of(stays)[0] == 200 and result_of(goes)[0] == 200, "two CAs, a client of each")
    replace(ca, "garbage\n")
    tap.ok(metric_reaches(server, 'reloads_total{what="client_ca",result="failure"}', 1), "bad CAs are counted")
    with clients.connect(server, "other") as connection:
        tap.equal(result_of(connection)[0], 200, "and those that were there stay in use")
    replace(ca, pem(clients.roots["root"], clients.roots["next"]))
    tap.ok(metric_reaches(server, 'reloads_total{what="client_ca",result="success"}', 1), "one goes, one comes")
    tap.equal(result_of(stays)[0], 200, "an open connection whose client is still trusted lives on")
    tap.ok(result_of(goes)[0] == 403 and closed_within(goes, 5), "one whose client is not ends at its next request")
    for name, expected in (("good", 200), ("next", 200), ("other", 403)):
        with clients.connect(server, name) as connection:
            tap.equal(result_of(connection)[0], expected, f"a new connection, {name}")
    stays.close()
    status, _ = server.stop()
    tap.ok(status == 0 and server.log.count("reload-failed") == 1 and "there is no certificate in" in server.log and server.log.count("is in use") == 1, "one line for bad CAs, one for new ones", server.log)


def test_start(tap, build, clients, ca):
    plain = Server(build, "--shutdown-delay", "0")
    command = plain.command()
    cases = [("a name without CAs", ["--client-cn", "x"], 2, "--client-cn: needs --client-ca"), ("a mode without CAs", ["--client-mode", "observe"], 2, "--client-mode: needs --client-ca"),
             ("another mode", ["--client-ca", ca, "--client-mode", "ask"], 2, '--client-mode: "ask" is not a mode; one of require, observe'),
             ("an empty name", ["--client-ca", ca, "--client-cn", ""], 2, "--client-cn: "), ("a long name", ["--client-ca", ca, "--client-cn", "x" * 65], 2, "--client-cn: "),
             ("65 names", ["--client-ca", ca] + ["--client-cn", "x"] * 65, 2, "more than 64 times"),
             ("CAs that are not there", ["--client-ca", ca + "x"], 3, "No such file"), ("a CA that is none", ["--client-ca", clients.good[0]], 3, "is not that of a CA"),
             ("no CA", ["--client-ca", clients.good[1]], 3, "there is no certificate in")]
    for name, options, expected, words in cases:
        done = subprocess.run(command + options, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        tap.ok(done.returncode == expected and words in done.stderr.decode(), f"{name}: {done.returncode}", done.stderr.decode())
    plain.stop()


def test_heavy_keys(tap, build, ca):
    """Checking one signature of an RSA key with a long exponent takes GnuTLS seconds; such clients must not get as far."""
    folder = tempfile.TemporaryDirectory()
    program, certificate = os.path.join(folder.name, "heavy"), os.path.join(folder.name, "heavy.crt")
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "gnutls"], stdout=subprocess.PIPE, check=True, text=True).stdout
    subprocess.run(["cc", "-O1", os.path.join(HERE, "heavy_client.c"), "-o", program, *shlex.split(flags)], check=True)
    server = Server(build, "--client-ca", ca, "--shutdown-delay", "0")
    def seconds():
        fields = open(f"/proc/{server.program.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    for bits, exponent in ((2048, 2000), (16384, 16000), (60000, 59000), (100000, 17)):
        numbers = forge.sequence(forge.integer((1 << bits - 1) + 12345), forge.integer((1 << exponent) - 1))
        spki = forge.sequence(forge.sequence(forge.oid("1.2.840.113549.1.1.1"), forge.NULL), forge.der(3, b"\0", numbers))
        replace(certificate, pem(forge.certificate("x", "root", "p256-client", "p256-root", CLIENT, spki=spki)))
        for version in ("TLS1.2", "TLS1.3"):
            before = seconds()
            done = subprocess.run([program, str(server.port), certificate, str(bits), f"NORMAL:-VERS-TLS-ALL:+VERS-{version}"], timeout=60)
            spent = seconds() - before
            tap.ok(done.returncode == 0 and spent < 1, f"RSA of {bits} bits, exponent of {exponent}, {version}: refused for {spent:.2f} s of processor time", done.returncode)
    server.stop()


def main(build):
    tap, clients = Tap(), Clients()
    ca = os.path.join(clients.folder.name, "ca.crt")
    replace(ca, pem(clients.roots["root"]))
    for mode in ("require", "observe"):
        test_matrix(tap, build, clients, ca, mode)
    test_any_name(tap, build, clients, ca)
    test_reload(tap, build, clients)
    test_start(tap, build, clients, ca)
    test_heavy_keys(tap, build, ca)
    return tap.done()


sys.exit(main(sys.argv[1]))
