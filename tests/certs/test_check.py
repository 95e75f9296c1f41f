#!/usr/bin/env python3
"""Tests `drawbridge certs show` and `certs check`, and keys of all types.

    test_check.py BUILD_DIR        prints TAP

TEST_WRAPPER is put in front of every run, such as "valgrind -q --leak-check=full --error-exitcode=99".
"""
import contextlib, json, os, re, shlex, ssl, subprocess, sys, tempfile, time

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
from tap import Tap
import forge, verdicts
from forge import alternative_names, certificate, der, extension, key, name, openssl, pem, sequence
from verdicts import BELOW, part

FINE, REFUSED, USAGE, SETUP, INTERNAL = 0, 1, 2, 3, 4
SECONDS = 120  # of one run; a hundredth of it without valgrind

tap = Tap()
build = os.path.abspath(sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__))
wrapper = shlex.split(os.environ.get("TEST_WRAPPER", ""))


def certs(*arguments, environment=None, stdout=subprocess.PIPE):
    done = subprocess.run(wrapper + [build + "/drawbridge-certs", *arguments], stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
                          env=dict(os.environ, **(environment or {})), timeout=SECONDS)
    return done.returncode, (done.stdout or b"").decode(), done.stderr.decode()


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def read(path):
    with open(path) as file:
        return file.read()


@contextlib.contextmanager
def folder(**changes):
    """A working directory with a good tls.crt, tls.key and ca.crt; changes go to the parts."""
    home = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="check-") as path:
        os.chdir(path)
        try:
            write("tls.crt", pem(part("leaf", changes.get("leaf", {}))))
            write("ca.crt", pem(part("ca", changes.get("ca", {}))))
            write("tls.key", read(key("p256-leaf")))
            yield path
        finally:
            os.chdir(home)


CHECK = ["check", "--cert", "tls.crt", "--key", "tls.key", "--ca", "ca.crt", "--service", "web.prod"]


def problems(*arguments):
    """(status, the sorted names of the problems, the objects)"""
    status, out, err = certs(*arguments, "--format", "json")
    found = [json.loads(line) for line in out.splitlines()]
    return status, sorted(one["problem"] for one in found), found


def fails(arguments, status, message, text=None):
    got, out, err = certs(*arguments)
    line = err.split("\n")[0]
    tap.ok(got == status and re.fullmatch(message, line), f"refused: {text or arguments}", f"status {got}, {err!r}\n{out}")


# ---- check ----

def test_verdicts():
    with tempfile.TemporaryDirectory() as path:
        for case in verdicts.CASES:
            chain, roots = case.build()
            write(path + "/tls.crt", chain)
            write(path + "/ca.crt", roots)
            with_key = ["--key", key(case.key)] if case.key != "none" else []
            status, got, found = problems("check", "--cert", path + "/tls.crt", "--ca", path + "/ca.crt", *with_key, *case.arguments())
            tap.equal((status, got), (REFUSED if case.refused else FINE, case.problems), case.text)


def test_text():
    with folder():
        status, out, err = certs(*CHECK)
        tap.equal((status, out, err), (FINE, "tls.crt: an API server takes it for web.prod.svc, until 2099-01-01 00:00:00 UTC\n", ""), "what is fine")
        status, out, err = certs(*CHECK, "--host", "a.b", "--ip", "10.0.0.1")
        tap.equal((status, out), (REFUSED, "tls.crt: certificate 1: error: it is not valid for a.b; make it for this name, too [wrong-name]\n"
                                  "tls.crt: certificate 1: error: it is not valid for 10.0.0.1; make it for this name, too [wrong-name]\n"), "one line for each problem")
        write("tls.key", read(key("p256-other")))
        status, out, err = certs(*CHECK)
        tap.equal((status, out), (REFUSED, "tls.key: error: the key does not belong to the certificate in tls.crt; use the key that the certificate was made "
                                  "with, or issue both anew [key-mismatch]\n"), "the key of another certificate")
        status, out, err = certs("check", "--cert", "tls.crt")
        tap.equal((status, out), (FINE, "tls.crt: an API server takes it, until 2099-01-01 00:00:00 UTC (if it trusts who signed it: no --ca was given)\n"),
                  "only a certificate")
    with folder(leaf=dict(end="20200102030405Z")):
        status, got, found = problems(*CHECK)
        tap.equal(found, [dict(level="error", problem="expired", file="tls.crt", certificate=1, message="it ended on 2020-01-02 03:04:05 UTC",
                               advice="issue a new one")], "a problem as JSON")


def test_without_ca():
    alone = ["check", "--cert", "tls.crt"]
    with folder(leaf=dict(digest="sha1")):
        tap.equal(problems(*alone)[:2], (REFUSED, ["weak-signature"]), "without a CA: SHA-1")
    with folder(leaf=dict(digest="sha224")):
        tap.equal(problems(*alone)[:2], (REFUSED, ["signature-algorithm"]), "without a CA: SHA-224")
    with folder(leaf=dict(issuer="leaf", signer="p256-leaf", digest="sha1")):
        tap.equal(problems(*alone)[:2], (FINE, []), "without a CA: signed by itself, which can be its own CA")
    with folder():
        write("tls.crt", pem(part("leaf", BELOW)) + pem(part("middle", dict(drop=[15], add=[forge.usage(6)]))))
        tap.equal(problems(*alone)[:2], (REFUSED, ["no-cert-sign"]), "without a CA: the end of the chain stands in for it")


def test_days():
    def stamp(days):
        return time.strftime("%Y%m%d%H%M%SZ", time.gmtime(time.time() + days * 86400 + 3600))
    for days, arguments, expected in (31, [], []), (29, [], ["ends-soon"]), (29, ["--days", "29"], []), (29, ["--days", "30"], ["ends-soon"]):
        with folder(leaf=dict(end=stamp(days))):
            tap.equal(problems(*CHECK, *arguments)[:2], (FINE, expected), f"{days} days left, {arguments}: a warning is no refusal")
    with folder(ca=dict(end=stamp(3))):
        status, got, found = problems(*CHECK)
        tap.equal((status, got, found[0]["file"]), (FINE, ["ends-soon"], "ca.crt"), "the CA ends soon")


def test_key_files():
    with folder():
        good = read("tls.key")
        write("tls.key", openssl("pkcs8", "-topk8", "-passout", "pass:secret", "-in", "tls.key").decode())
        tap.equal(problems(*CHECK)[:2], (REFUSED, ["key-encrypted"]), "a key with a password")
        write("tls.key", openssl("ec", "-aes256", "-passout", "pass:secret", "-in", key("p256-leaf")).decode())
        tap.equal(problems(*CHECK)[:2], (REFUSED, ["key-encrypted"]), "a key with a password, the older format")
        write("tls.key", openssl("ec", "-in", key("p256-leaf")).decode())
        tap.equal(problems(*CHECK)[:2], (FINE, []), "a key in the older format")
        body = bytearray(__import__("base64").b64decode("".join(good.splitlines()[1:-1])))
        body[body.index(b"\x04\x20") + 22] ^= 1
        write("tls.key", pem(bytes(body), "PRIVATE KEY"))
        tap.equal(problems(*CHECK)[:2], (REFUSED, ["key-mismatch"]), "a key whose private part is damaged")
        write("tls.key", good[:100])
        fails(CHECK, SETUP, "drawbridge certs check: the key in tls.key cannot be read; it is damaged, cut off or of an unknown kind")
        write("tls.key", "hello\n")
        fails(CHECK, SETUP, "drawbridge certs check: there is no private key in tls.key", "words for a key")


def test_files():
    for file, option in ("tls.crt", "--cert"), ("tls.key", "--key"), ("ca.crt", "--ca"):
        with folder():
            os.remove(file)
            fails(CHECK, SETUP, f"drawbridge certs check: cannot read {file}: No such file or directory", f"{file} is missing")
            os.mkdir(file)
            fails(CHECK, SETUP, f"drawbridge certs check: cannot read {file}: it is a directory", f"{file} is a directory")
    for file in "tls.crt", "ca.crt":
        with folder():
            good = read(file)
            write(file, good[:200])
            fails(CHECK, SETUP, f"drawbridge certs check: a certificate in {file} cannot be read; it is damaged or cut off", f"{file} is cut off")
            write(file, read("tls.key"))
            fails(CHECK, SETUP, f"drawbridge certs check: there is no certificate in {file}", f"{file} is a key")
    with folder():
        write("ca.crt", read("ca.crt").replace("CERTIFICATE", "X509 CERTIFICATE"))
        tap.equal(problems(*CHECK)[:2], (REFUSED, ["ca-skipped", "incomplete-chain"]), "API servers know only BEGIN CERTIFICATE")
        status, out, err = certs("check", "--cert", "tls.crt", stdout=os.open("/dev/full", os.O_WRONLY))
        tap.ok(status == INTERNAL and "cannot write to standard output" in err, "standard output is full", (status, err))


def test_usage():
    for arguments, message in (["check"], "--cert: must be given"), (["check", "--cert", "a", "b"], '"b" is not an option'), \
            (["check", "--cert", "a", "--days", "0"], '--days: "0" is not a number of days from 1 to 36500'), \
            (["check", "--cert", "a", "--format", "xml\x1b"], r'--format: "xml\\x1b" is not a format; one of text, json'), \
            (["check", "--cert", "a", "--service", "web"], '--service: "web" is not NAME.NAMESPACE: .*'), \
            (["check", "--cert", "a", "--host", "*.web"], r'--host: "\*.web" is not a name that a client can call'), \
            (["check", "--cert", "a", "--host", "10.0.0.1"], '--host: "10.0.0.1" is not a DNS name but an address, .*'), \
            (["check", "--cert", "a", "--ip", "x"], '--ip: "x" is not an IPv4 or IPv6 address'), \
            (["show"], "no file given"), (["show", "--format", "", "a"], '--format: "" is not a format; one of text, json'):
        fails(arguments, USAGE, f"drawbridge certs {arguments[0]}: {message}")
    for command in "show", "check":
        status, out, err = certs(command, "--help")
        tap.ok(status == FINE and f"Usage: drawbridge certs {command}" in out and "Exit status" in out, f"{command} --help", out)
    for command in ["init"], ["issue", "--host", "a"]:
        fails([*command, "--key-type", "dsa"], USAGE, f'drawbridge certs {command[0]}: --key-type: "dsa" is not a type of key; one of p256, ed25519, rsa2048, rsa3072')


# ---- hostile certificates ----

def test_hostile():
    evil = "\u202e\x1b[2J\n" + "x" * 300
    with folder(leaf=dict(subject=evil, issuer=name(evil), drop=[17], add=[alternative_names("a\x1b]0;b\x07\n", "10.0.0.1")])):
        for arguments in ["show", "tls.crt"], CHECK:
            status, out, err = certs(*arguments)
            tap.ok(not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", out + err), f"{arguments[0]} escapes what a certificate holds", out + err)
            tap.ok(max(map(len, out.splitlines())) < 1200 and "x" * 260 not in out, f"{arguments[0]} cuts it", out)
        out = certs("show", "--format", "json", "tls.crt")[1]
        tap.ok(len(out.splitlines()) == 1 and "\\\\u202e" in out and "\u202e" not in json.loads(out)["subject"], "in JSON as well", out)
    many = [f"h{number}.example.com" for number in range(20000)]
    with folder(leaf=dict(drop=[17], add=[alternative_names(*many, "web.prod.svc")])):
        tap.equal(problems(*CHECK)[:2], (FINE, []), "20,000 names")
        out = certs("show", "tls.crt")[1]
        tap.ok("h99.example.com and 19901 more" in out and len(out) < 4000, "100 of them are shown", out[:3000])
    with folder():
        chain = verdicts.limited(many[:5000], *[f"p{number}" for number in range(5000)], "example.com")
        write("tls.crt", pem(part("leaf", chain["leaf"])) + pem(part("middle", chain["middle"])))
        started = time.monotonic()
        status, got, found = problems("check", "--cert", "tls.crt", "--ca", "ca.crt")
        tap.equal((status, got), (REFUSED, ["too-complicated"]), "5,000 names and 5,000 constraints")
        tap.ok(time.monotonic() - started < (SECONDS if wrapper else 10), "take no long time")
    with folder(leaf=dict(add=[extension(f"1.2.3.{number}", b"") for number in range(20000)] + [forge.usage(0)])):
        tap.equal(problems(*CHECK)[:2], (REFUSED, ["malformed"]), "20,000 extensions, one of them twice")
    with folder():
        write("tls.crt", read("tls.crt") + (pem(part("other", {})) + pem(part("twin", {}))) * 450)
        started = time.monotonic()
        status, out, err = certs(*CHECK)
        tap.ok(status == FINE and out.count("loose-order") == 64 and "\nand 836 more\n" in out, "900 certificates that nobody needs: 64 problems and a count", out[-300:])
        tap.ok(time.monotonic() - started < (SECONDS if wrapper else 10), "take no long time")


# ---- show ----

def test_show():
    with folder(leaf=dict(subject="web", serial=0x1234ab, begin="20240102030405Z", end="20250102030405Z", drop=[17],
                          add=[alternative_names("web.prod.svc", "IP:10.0.0.1", "IP:::1", "email:a@b", "URI:https://c", "dir:d")])):
        print_ = openssl("x509", "-in", "tls.crt", "-noout", "-fingerprint", "-sha256").decode().strip().split("=")[1].lower()
        status, out, err = certs("show", "tls.crt", "ca.crt", "tls.key")
        leaf, authority, key_line = re.split(r"(?=^ca\.crt|^tls\.key)", out, flags=re.M)
        tap.equal((status, err), (FINE, ""), "show")
        tap.equal(leaf, f"""tls.crt: certificate 1
  subject    CN=web
  issuer     CN=ca
  names      web.prod.svc, 10.0.0.1, ::1, email:a@b, URI:https://c, (another kind of name)
  valid      2024-01-02 03:04:05 UTC to 2025-01-02 03:04:05 UTC, ended
  key        ECDSA P-256
  signature  ecdsa-with-SHA256
  usages     digitalSignature, serverAuth
  CA         no
  serial     12:34:ab
  SHA-256    {print_}
""", "a certificate for people")
        tap.ok("names      none" in authority and "CA         yes\n" in authority and "keyCertSign, cRLSign" in authority, "a CA", authority)
        tap.equal(key_line, "tls.key: private key, ECDSA P-256\n", "a key is named, not shown")
        found = [json.loads(line) for line in certs("show", "--format", "json", "tls.crt", "tls.key")[1].splitlines()]
        days = found[0].pop("daysLeft")
        tap.ok(-20000 < days < 0, "days left are negative", days)
        tap.equal(found, [dict(file="tls.crt", certificate=1, subject="CN=web", issuer="CN=ca",
                               names=["web.prod.svc", "10.0.0.1", "::1", "email:a@b", "URI:https://c", "(another kind of name)"],
                               notBefore="2024-01-02 03:04:05 UTC", notAfter="2025-01-02 03:04:05 UTC", key="ECDSA P-256", signature="ecdsa-with-SHA256",
                               usages=["digitalSignature", "serverAuth"], authority=False, serial="12:34:ab", sha256=print_),
                          dict(file="tls.key", privateKey=1, key="ECDSA P-256", encrypted=False)], "and for programs")


def test_show_kinds():
    with folder(leaf=dict(subject=None, serial=-5, drop=[15, 37], add=[forge.extended("1.2.3.4", forge.CLIENT)]),
                ca=dict(drop=[19], add=[forge.basic(True, 3)], subject="a", holder="rsa2048")):
        out = certs("show", "tls.crt", "ca.crt")[1]
        for words in "subject    (empty)", "serial     -05", "usages     1.2.3.4, clientAuth", "CA         yes, path length 3", "key        RSA 2048 bits":
            tap.ok(words + "\n" in out, words, out)
    for kind, words in ("ed25519-leaf", "Ed25519"), ("ed448-leaf", "Ed448"), ("k256-leaf", "ECDSA secp256k1"), ("rsa2048", "RSA 2048 bits"), \
            ("pss-leaf", "RSA-PSS 2048 bits"), ("p384-leaf", "ECDSA P-384"):
        with folder(leaf=dict(holder=kind)):
            status, out, err = certs("show", "tls.crt", key(kind))
            tap.ok(status == FINE and f"  key        {words}\n" in out and f"private key, {words}\n" in out, words, out)
    with folder():
        secret = read("tls.key")
        write("tls.key", openssl("pkcs8", "-topk8", "-passout", "pass:secret", "-in", "tls.key").decode())
        write("all.pem", read("tls.crt") + secret + read("ca.crt") + openssl("ecparam", "-name", "P-256").decode() + pem(b"\x30\0", "PRIVATE KEY"))
        status, out, err = certs("show", "tls.key", "all.pem")
        lines = [line for line in out.splitlines() if not line.startswith(" ")]
        tap.equal((status, lines), (FINE, ["tls.key: private key, protected by a password", "all.pem: certificate 1", "all.pem: private key, ECDSA P-256",
                                           "all.pem: certificate 2", "all.pem: EC PARAMETERS", "all.pem: private key, cannot be read"]), "blocks of all kinds, in order")
        tap.ok(not any(line in out for line in secret.splitlines()[1:-1]), "nothing of the key is shown")
        write("empty", "hello\n")
        status, out, err = certs("show", "empty", "gone", "all.pem")
        tap.equal((status, err), (SETUP, "drawbridge certs show: there is neither a certificate nor a key in empty\n"
                                  "drawbridge certs show: cannot read gone: No such file or directory\n"), "files that cannot be read")
        tap.ok("all.pem: certificate 2" in out, "do not keep the others from being shown")


# ---- types of keys ----

def handshake(path, version):
    """One TLS handshake with drawbridge serve, verified with path/ca.crt. Returns what was agreed on."""
    server = subprocess.Popen([build + "/drawbridge-serve", "--listen", "127.0.0.1:0", "--status-listen", "127.0.0.1:0", "--cert", path + "/tls.crt",
                               "--key", path + "/tls.key"], stdout=subprocess.PIPE, text=True)
    try:
        port = int(re.search(r"https=127.0.0.1:(\d+)", server.stdout.readline()).group(1))
        context = ssl.create_default_context(cafile=path + "/ca.crt")
        context.minimum_version = context.maximum_version = version
        with __import__("socket").create_connection(("127.0.0.1", port), 20) as plain:
            with context.wrap_socket(plain, server_hostname="web.prod.svc") as connection:
                return connection.version()
    except (OSError, AttributeError) as error:
        return repr(error)
    finally:
        server.terminate()
        server.wait()
        server.stdout.close()


def test_key_types():
    kinds = {"p256": "ECDSA P-256", "ed25519": "Ed25519", "rsa2048": "RSA 2048 bits", "rsa3072": "RSA 3072 bits"}
    for authority in kinds:
        with tempfile.TemporaryDirectory() as path:
            status, out, err = certs("init", "--dir", path, "--key-type", authority)
            tap.equal((status, err), (FINE, ""), f"a CA of {authority}")
            for kind in kinds:
                status, out, err = certs("issue", "--dir", path, "--service", "web.prod", "--key-type", kind, "--force")
                shown = certs("show", path + "/tls.crt")[1]
                tap.ok(status == FINE and f"key        {kinds[kind]}\n" in shown, f"issues {kind}", err + shown)
                verified = subprocess.run(["openssl", "verify", "-x509_strict", "-purpose", "sslserver", "-verify_hostname", "web.prod.svc", "-CAfile",
                                           path + "/ca.crt", path + "/tls.crt"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                tap.equal(verified.returncode, 0, "which openssl verifies")
                tap.equal(problems("check", "--cert", path + "/tls.crt", "--key", path + "/tls.key", "--ca", path + "/ca.crt", "--service", "web.prod")[:2],
                          (FINE, []), "and check takes")
                if authority in ("p256", kind):
                    for version in ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3:
                        tap.equal(handshake(path, version), version.name.replace("_", "."), f"serve with {kind}, CA of {authority}")
    with tempfile.TemporaryDirectory() as path:
        certs("init", "--dir", path)
        tap.ok("key        ECDSA P-256\n" in certs("show", path + "/ca.crt")[1], "P-256 without the option")


def main():
    for title, test in list(globals().items()):
        if title.startswith("test_"):
            print(f"# {title}", flush=True)
            test()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
