#!/usr/bin/env python3
"""Tests `drawbridge certs` from outside: what it writes, validated by the openssl command, and what it refuses.

    test_certs.py BUILD_DIR        prints TAP

TEST_WRAPPER is put in front of every run, such as "valgrind -q --leak-check=full --error-exitcode=99".
"""
import base64, contextlib, ctypes, os, pty, re, resource, select, shlex, shutil, signal, stat, subprocess, sys, tempfile, time
from datetime import datetime, timedelta, timezone

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from tap import Tap

USAGE, SETUP = 2, 3
SECONDS = 60  # of one run; a hundredth of it without valgrind

tap = Tap()
build = os.path.abspath(sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__))
wrapper = shlex.split(os.environ.get("TEST_WRAPPER", ""))


# ---- running things ----

def certs(*arguments, before=None, environment=None, stdout=subprocess.PIPE):
    """Runs drawbridge-certs. `before` runs in the child; returns (status, stdout, stderr), status None if it did not end."""
    try:
        done = subprocess.run(wrapper + [build + "/drawbridge-certs", *arguments], stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
                              preexec_fn=before, env=dict(os.environ, **(environment or {})), timeout=SECONDS, restore_signals=before is None)
    except subprocess.TimeoutExpired:
        return None, "", "timed out\n"
    return done.returncode, (done.stdout or b"").decode(), done.stderr.decode("utf-8", "backslashreplace")


def openssl(*arguments, data=None):
    done = subprocess.run(["openssl", *arguments], input=data, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def must(*arguments, data=None):
    """An openssl command that prepares a test."""
    status, output = openssl(*arguments, data=data)
    if status:
        raise RuntimeError(f"openssl {' '.join(arguments)}: {output}")
    return output


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())


def snapshot(directory):
    """Every name below with its mode and bytes: what must not change."""
    found = {}
    for folder, folders, files in os.walk(directory):
        for name in folders + files:
            path = os.path.join(folder, name)
            status = os.lstat(path)
            found[path] = (status.st_mode, read(path) if stat.S_ISREG(status.st_mode) and os.access(path, os.R_OK) else None)
    return found


def mode(path):
    return oct(stat.S_IMODE(os.stat(path).st_mode))


@contextlib.contextmanager
def folder(authority=True):
    """An empty working directory, with a CA in certs/ unless told otherwise."""
    home = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="certs-") as path:
        os.chdir(path)
        try:
            if authority:
                shutil.copytree(prepared, "certs")
            yield path
        finally:
            os.chdir(home)


def succeeds(arguments, text, **options):
    status, out, err = certs(*arguments, **options)
    tap.ok(status == 0, text, f"status {status}\n{out}{err}")
    return out, err


def refuses(arguments, status, message, text=None, **options):
    """The run ends with that status and one message (a regular expression, without the command), says nothing else, and changes no file."""
    command = " " + arguments[0] if arguments[0] in ("init", "issue", "rotate") else ""
    message = f"drawbridge certs{command}: {message}"
    before = snapshot(".")
    got, out, err = certs(*arguments, **options)
    line = err.split("\n")[0]
    said = re.fullmatch(message, line) is not None and out == "" and len(err.splitlines()) == (2 if status == USAGE else 1)
    label = text or " ".join(argument if len(argument) < 40 else argument[:37] + "..." for argument in arguments)
    tap.ok(got == status and said, f"refused: {label!a}", f"status {got}, want {status}\nmessage {err!r}\nwant    {message!r}\noutput {out!r}")
    tap.ok(snapshot(".") == before, f"nothing changed: {label!a}", sorted(set(snapshot(".")) ^ set(before)))


# ---- certificates that drawbridge would not make ----

CONFIG = """
[ca]
default_ca = it
[it]
database = {folder}/index
new_certs_dir = {folder}
rand_serial = yes
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = optional
[authority]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign
subjectKeyIdentifier = hash
[server]
basicConstraints = critical,CA:FALSE
subjectKeyIdentifier = hash
[no_sign]
basicConstraints = critical,CA:TRUE
keyUsage = critical,cRLSign
subjectKeyIdentifier = hash
[nameless]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign
subjectKeyIdentifier = none
"""


def make_authority(begin="20240102030405Z", end="20990102030405Z", extensions="authority", algorithm=("EC", "ec_paramgen_curve:P-256")):
    """certs/ca.crt and certs/ca.key, self-signed, with these dates."""
    os.makedirs("certs", exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        write(work + "/index", "")
        write(work + "/config", CONFIG.format(folder=work))
        must("genpkey", "-algorithm", algorithm[0], *(["-pkeyopt", algorithm[1]] if algorithm[1] else []), "-out", "certs/ca.key")
        must("req", "-new", "-key", "certs/ca.key", "-subj", "/CN=other", "-out", work + "/request")
        must("ca", "-config", work + "/config", "-batch", "-notext", "-selfsign", "-keyfile", "certs/ca.key", "-in", work + "/request",
             "-startdate", begin, "-enddate", end, "-extensions", extensions, "-out", "certs/ca.crt")


def end_of(path):
    text = must("x509", "-in", path, "-noout", "-enddate").strip().split("=")[1]
    return datetime.strptime(text, "%b %d %H:%M:%S %Y GMT").replace(tzinfo=timezone.utc)


def begin_of(path):
    text = must("x509", "-in", path, "-noout", "-startdate").strip().split("=")[1]
    return datetime.strptime(text, "%b %d %H:%M:%S %Y GMT").replace(tzinfo=timezone.utc)


def extension(path, name):
    """[first line, second line] of an extension as openssl prints it, without spaces around."""
    lines = must("x509", "-in", path, "-noout", "-ext", name).splitlines()
    return [line.strip() for line in lines] if lines and "No extensions" not in lines[0] else []


def serial(path):
    return int(must("x509", "-in", path, "-noout", "-serial").strip().split("=")[1], 16)


def verifies(path, *more, authority="certs/ca.crt"):
    return openssl("verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", authority, *more, path)


ISSUE = ["issue", "--service", "web.prod"]


# ---- what is made ----

def test_help():
    for arguments, words in (["--help"], ["init", "issue", "show", "check"]), (["init", "--help"], ["--name", "--key-type", "--days", "--force"]), \
                            (["issue", "-h"], ["--service", "--host", "--ip", "--key-type", "--out"]):
        out, err = succeeds(arguments, f"{arguments} succeeds")
        tap.ok(all(word in out for word in words) and err == "", f"{arguments} shows its options", out + err)
    status, out, err = certs()
    tap.ok(status == USAGE and out == "" and "init" in err, "without a command the help goes to stderr", err)
    done = subprocess.run([build + "/drawbridge", "certs", "issue", "--help"], stdout=subprocess.PIPE, timeout=SECONDS)
    tap.ok(done.returncode == 0 and b"Usage: drawbridge certs issue" in done.stdout, "drawbridge hands over to drawbridge-certs", done.stdout)


def test_init():
    with folder(authority=False):
        out, err = succeeds(["init"], "init")
        tap.equal((out, err), ("wrote certs/ca.crt\nwrote certs/ca.key\n", ""), "init says what it wrote")
        tap.equal((mode("certs"), mode("certs/ca.crt"), mode("certs/ca.key")), ("0o700", "0o644", "0o600"), "modes of directory, certificate, key")
        tap.equal(sorted(os.listdir("certs")), ["ca.crt", "ca.key"], "nothing else is left")
        tap.equal(extension("certs/ca.crt", "basicConstraints"), ["X509v3 Basic Constraints: critical", "CA:TRUE, pathlen:0"],
                  "basic constraints of the CA")
        tap.equal(extension("certs/ca.crt", "keyUsage"), ["X509v3 Key Usage: critical", "Certificate Sign, CRL Sign"], "key usage of the CA")
        tap.equal(len(extension("certs/ca.crt", "subjectKeyIdentifier")), 2, "the CA has a subject key identifier")
        text = must("x509", "-in", "certs/ca.crt", "-noout", "-text")
        tap.ok("Version: 3" in text and "prime256v1" in text and text.count("ecdsa-with-SHA256") == 2, "X.509 version 3, P-256, SHA-256", text)
        tap.ok("Subject: CN = drawbridge CA\n" in text and "Issuer: CN = drawbridge CA\n" in text, "default name", text)
        tap.ok(timedelta(days=3649) < end_of("certs/ca.crt") - datetime.now(timezone.utc) <= timedelta(days=3650), "ten years less a little")
        tap.equal(end_of("certs/ca.crt") - begin_of("certs/ca.crt"), timedelta(days=3650, minutes=5), "it begins five minutes ago")
        key = read("certs/ca.key")
        tap.ok(key.startswith(b"-----BEGIN PRIVATE KEY-----\n") and key.endswith(b"-----END PRIVATE KEY-----\n"), "the key is PKCS#8, not encrypted")
        tap.equal(must("pkey", "-in", "certs/ca.key", "-pubout"), must("x509", "-in", "certs/ca.crt", "-noout", "-pubkey"), "key and certificate fit")
        status, output = openssl("verify", "-x509_strict", "-CAfile", "certs/ca.crt", "certs/ca.crt")
        tap.ok(status == 0, "the CA verifies itself", output)
    with folder(authority=False):
        succeeds(["init", "--dir", "here/", "--name", "Größe 測試", "--days", "36500"], "init with every option")
        subject = must("x509", "-in", "here/ca.crt", "-noout", "-subject", "-nameopt", "utf8,-esc_msb")
        tap.ok("Größe 測試" in subject, "names may be any text", subject)
        tap.ok(end_of("here/ca.crt").year >= 2120, "a hundred years", end_of("here/ca.crt"))
        succeeds(["init", "--dir", "there", "--name", "ü" * 64], "a name of 64 characters, 128 bytes")


def test_constraints():
    """A CA for some names, and what it may issue for. Clients of Go and OpenSSL refuse the same, as name constraints are for them to apply."""
    constraints = lambda path: must("x509", "-in", path, "-noout", "-ext", "nameConstraints").split()
    with folder(authority=False):
        succeeds(["init", "--service", "web.prod", "--host", "*.example.com", "--ip", "10.1.2.3", "--ip", "::1"], "init with names")
        tap.equal(" ".join(constraints("certs/ca.crt")), "X509v3 Name Constraints: critical Permitted: DNS:web.prod.svc DNS:web.prod.svc.cluster.local DNS:web.prod DNS:web "
                  "DNS:example.com IP:10.1.2.3/255.255.255.255 IP:0:0:0:0:0:0:0:1/FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF", "name constraints of the CA")
        succeeds(["issue", "--service", "web.prod", "--host", "*.example.com", "--host", "a.web", "--ip", "10.1.2.3", "--ip", "::1"], "it issues for these, and what is below them")
        for asked in (["-verify_hostname", "web.prod.svc"], ["-verify_hostname", "a.example.com"], ["-verify_ip", "10.1.2.3"], ["-verify_ip", "::1"]):
            status, output = verifies("certs/tls.crt", *asked)
            tap.ok(status == 0, f"it verifies: {asked[1]}", output)
        for option, name in (("--host", "other"), ("--host", "prod.svc"), ("--host", "*.com"), ("--host", "eweb"), ("--ip", "10.1.2.4"), ("--ip", "::2"), ("--service", "web.other")):
            refuses(["issue", "--host", "web", option, name, "--out", "other"], SETUP, "the name constraints of the CA do not let it issue for " + re.escape(name) + r"(\.svc)?")
    with folder(authority=False):
        succeeds(["init", "--service", "web.prod"], "init without an address")
        tap.ok("Excluded: IP:0.0.0.0/0.0.0.0 IP:0:0:0:0:0:0:0:0/0:0:0:0:0:0:0:0" in " ".join(constraints("certs/ca.crt")), "excludes all addresses", constraints("certs/ca.crt"))
        refuses(["issue", "--host", "web", "--ip", "127.0.0.1"], SETUP, "the name constraints of the CA do not let it issue for 127.0.0.1")
    with folder(authority=False):
        succeeds(["init", "--ip", "10.1.2.3"], "init with an address alone")
        tap.ok(" ".join(constraints("certs/ca.crt")).endswith("Excluded: DNS:"), "excludes all host names", constraints("certs/ca.crt"))
        succeeds(["issue", "--ip", "10.1.2.3"], "it issues for the address")
        status, output = verifies("certs/tls.crt", "-verify_ip", "10.1.2.3")
        tap.ok(status == 0, "which verifies", output)
        refuses(["issue", "--host", "web", "--out", "other"], SETUP, "the name constraints of the CA do not let it issue for web")
        refuses(["init", "--host", "a b", "--dir", "other"], USAGE, "--host: \"a b\" is not a DNS name.*")


def test_issue():
    with folder():
        started = datetime.now(timezone.utc).replace(microsecond=0)
        out, err = succeeds(["issue", "--service", "web.prod", "--host", "*.Example.COM", "--host", "a.b", "--ip", "10.1.2.3", "--ip", "0:0::1",
                             "--service", "db.prod"], "issue")
        names = ["web.prod.svc", "web.prod.svc.cluster.local", "web.prod", "web", "db.prod.svc", "db.prod.svc.cluster.local", "db.prod", "db",
                 "*.example.com", "a.b", "10.1.2.3", "::1"]
        end = end_of("certs/tls.crt").strftime("%Y-%m-%d %H:%M:%S UTC")
        tap.equal((out, err), (f"wrote certs/tls.crt\nwrote certs/tls.key\nnames {', '.join(names)}\nvalid until {end}\n", ""),
                  "issue says what it made")
        tap.equal((mode("certs/tls.crt"), mode("certs/tls.key")), ("0o644", "0o600"), "modes of certificate and key")
        tap.equal(sorted(os.listdir("certs")), ["ca.crt", "ca.key", "tls.crt", "tls.key"], "nothing else is left")
        for name in ("web.prod.svc", "web.prod.svc.cluster.local", "web.prod", "web", "db", "a.b", "x.example.com"):
            status, output = verifies("certs/tls.crt", "-verify_hostname", name)
            tap.ok(status == 0, f"verifies for {name}", output)
        for address in ("10.1.2.3", "::1"):
            status, output = verifies("certs/tls.crt", "-verify_ip", address)
            tap.ok(status == 0, f"verifies for {address}", output)
        tap.ok(verifies("certs/tls.crt", "-verify_hostname", "other.prod.svc")[0] != 0, "not for another name")
        tap.equal(extension("certs/tls.crt", "subjectAltName"), ["X509v3 Subject Alternative Name:", ", ".join(
            [f"DNS:{name}" for name in names[:10]] + ["IP Address:10.1.2.3", "IP Address:0:0:0:0:0:0:0:1"])], "alternative names, in order")
        tap.equal(extension("certs/tls.crt", "basicConstraints"), ["X509v3 Basic Constraints: critical", "CA:FALSE"], "basic constraints")
        tap.equal(extension("certs/tls.crt", "keyUsage"), ["X509v3 Key Usage: critical", "Digital Signature"], "key usage")
        tap.equal(extension("certs/tls.crt", "extendedKeyUsage"), ["X509v3 Extended Key Usage:", "TLS Web Server Authentication"], "extended key usage")
        tap.equal(extension("certs/tls.crt", "authorityKeyIdentifier")[1], extension("certs/ca.crt", "subjectKeyIdentifier")[1],
                  "it names the CA's key")
        tap.equal(len(extension("certs/tls.crt", "subjectKeyIdentifier")), 2, "subject key identifier")
        text = must("x509", "-in", "certs/tls.crt", "-noout", "-text")
        tap.ok("Version: 3" in text and "prime256v1" in text and text.count("ecdsa-with-SHA256") == 2, "X.509 version 3, P-256, SHA-256", text)
        tap.ok("Subject: CN = web.prod.svc\n" in text, "the first name is the subject", text)
        tap.equal(end_of("certs/tls.crt") - begin_of("certs/tls.crt"), timedelta(days=365, minutes=5), "a year, begun five minutes ago")
        tap.ok(timedelta(0) <= begin_of("certs/tls.crt") + timedelta(minutes=5) - started <= timedelta(seconds=SECONDS), "the time is UTC")
        tap.equal(must("pkey", "-in", "certs/tls.key", "-pubout"), must("x509", "-in", "certs/tls.crt", "-noout", "-pubkey"), "key and certificate fit")
        tap.ok(b"BEGIN PRIVATE KEY" in read("certs/tls.key") and read("certs/tls.crt").count(b"BEGIN") == 1, "one certificate, one PKCS#8 key")


def test_repeated():
    with folder():
        found = []
        for number in range(8):
            certs("issue", "--host", "a", "--out", f"n{number}")
            found.append(serial(f"certs/n{number}.crt"))
        tap.ok(all(1 << 158 <= number < 1 << 159 for number in found) and len(set(found)) == 8, "serials: 159 bits, positive, all different", found)
        tap.equal(len({read(f"certs/n{number}.key") for number in range(8)}), 8, "every key is new")
        out, _ = succeeds(["issue", "--host", "web", "--service", "web.prod", "--host=WEB", "--ip", "::1", "--ip", "0::1"],
                          "the same name several times")
        tap.ok("names web.prod.svc, web.prod.svc.cluster.local, web.prod, web, ::1\n" in out, "is in the certificate once", out)
        many = [argument for number in range(100) for argument in ("--host", f"h{number}.example.com")]
        succeeds(["issue", "--out", "many", *many], "100 names")
        tap.equal(extension("certs/many.crt", "subjectAltName")[1].count("DNS:"), 100, "all 100 are there")
        refuses(["issue", "--out", "more", *many, "--ip", "1.2.3.4"], USAGE, "more than 100 names for one certificate", "101 names")
        refuses(["issue", "--out", "more", *["--host", "a"] * 101], USAGE, "--host: is given more than 100 times", "one name 101 times")
        services = [argument for number in range(34) for argument in ("--service", f"s{number}.n")]
        refuses(["issue", "--out", "more", *services], USAGE, "--service: more than 100 names for one certificate", "34 services")


def test_common_name():
    with folder():
        long = "a" * 30 + "." + "b" * 34
        succeeds(["issue", "--host", long[:64]], "a name of 64 characters")
        tap.ok(f"CN = {long[:64]}" in must("x509", "-in", "certs/tls.crt", "-noout", "-subject"), "is the subject")
        tap.equal(extension("certs/tls.crt", "subjectAltName")[0], "X509v3 Subject Alternative Name:", "alternative names are not critical")
        succeeds(["issue", "--host", long, "--force"], "a name of 65 characters")
        tap.equal(must("x509", "-in", "certs/tls.crt", "-noout", "-subject").strip(), "subject=", "leaves the subject empty")
        tap.equal(extension("certs/tls.crt", "subjectAltName")[0], "X509v3 Subject Alternative Name: critical", "and makes alternative names critical")
        status, output = verifies("certs/tls.crt", "-verify_hostname", long)
        tap.ok(status == 0, "it verifies", output)
        longest = ".".join(["a" * 63] * 3 + ["b" * 61])
        succeeds(["issue", "--host", longest, "--out", "longest"], "a name of 253 bytes")
        tap.equal(verifies("certs/longest.crt", "-verify_hostname", longest)[0], 0, "it verifies")
        succeeds(["issue", "--service", "a" * 63 + "." + "b" * 63, "--out", "service"], "the longest service")
        tap.equal(verifies("certs/service.crt", "-verify_hostname", "a" * 63 + "." + "b" * 63 + ".svc.cluster.local")[0], 0, "it verifies")
        succeeds(["issue", "--ip", "192.0.2.7", "--out", "ip"], "an address alone")
        tap.equal(verifies("certs/ip.crt", "-verify_ip", "192.0.2.7")[0], 0, "it verifies")


def test_validity():
    with folder(authority=False):
        certs("init", "--days", "10")
        out, err = succeeds(ISSUE, "a leaf that would outlive its CA")
        end = end_of("certs/ca.crt")
        tap.equal(end_of("certs/tls.crt"), end, "ends with it")
        spoken = end.strftime("%Y-%m-%d %H:%M:%S UTC")
        tap.equal(err, f"drawbridge certs issue: the certificate ends with its CA on {spoken}, earlier than asked for\n", "and that is said")
        tap.ok(out.endswith(f"valid until {spoken}\n"), "stdout has the real end", out)
        out, err = succeeds([*ISSUE, "--days", "9", "--out", "short"], "a shorter one")
        tap.ok(err == "" and end_of("certs/short.crt") < end, "is not cut", err)
        succeeds([*ISSUE, "--days", "1", "--out", "one"], "one day")


def test_other_authorities():
    for algorithm in ("RSA", "rsa_keygen_bits:2048"), ("EC", "ec_paramgen_curve:P-384"), ("ED25519", None), ("ED448", None):
        with folder(authority=False):
            make_authority(algorithm=algorithm)
            succeeds(ISSUE, f"a CA of another kind signs: {algorithm[0]}")
            tap.equal(verifies("certs/tls.crt", "-verify_hostname", "web.prod.svc")[0], 0, "it verifies")
    with folder():
        text = must("x509", "-in", "certs/ca.crt", "-text")
        write("certs/ca.crt", text + text)
        write("certs/ca.key", must("ec", "-in", "certs/ca.key"))
        succeeds(ISSUE, "words between the blocks, several certificates, a key in the older format")
        write("certs/ca.key", must("ecparam", "-name", "P-256") + read("certs/ca.key").decode())
        succeeds([*ISSUE, "--force"], "parameters in front of the key")
        write("certs/ca.crt", read("certs/ca.key") + read("certs/ca.crt"))
        shutil.copy("certs/ca.crt", "certs/ca.key")
        succeeds([*ISSUE, "--force"], "key and certificate in one file")


# ---- files ----

def test_no_overwriting():
    for existing in "ca.crt", "ca.key":
        with folder(authority=False):
            os.mkdir("certs")
            write("certs/" + existing, "mine")
            refuses(["init"], SETUP, f"certs/{existing} exists already; only --force replaces it", f"init over {existing}")
            succeeds(["init", "--force"], f"init --force over {existing}")
            tap.equal((mode("certs/ca.crt"), mode("certs/ca.key"), len(os.listdir("certs"))), ("0o644", "0o600", 2),
                      "with the right modes, and no more files")
    for existing in "tls.crt", "tls.key":
        with folder():
            write("certs/" + existing, "mine")
            os.chmod("certs/" + existing, 0o666)
            refuses(ISSUE, SETUP, f"certs/{existing} exists already; only --force replaces it", f"issue over {existing}")
            succeeds([*ISSUE, "--force"], f"issue --force over {existing}")
            tap.equal((mode("certs/tls.crt"), mode("certs/tls.key"), len(os.listdir("certs"))), ("0o644", "0o600", 4),
                      "with the right modes, and no more files")
    with folder():
        os.symlink("elsewhere", "certs/tls.key")
        refuses(ISSUE, SETUP, "certs/tls.key exists already; .*", "a symbolic link to nothing is in the way")
        refuses([*ISSUE, "--force"], SETUP, "cannot replace certs/tls.key: it is not a regular file", "it is not replaced either")
    with folder():
        os.mkdir("certs/tls.key")
        refuses([*ISSUE, "--force"], SETUP, "cannot replace certs/tls.key: it is not a regular file", "nor is a directory")
    with folder():
        refuses(["issue", "--host", "a", "--out", "ca", "--force"], USAGE, '--out: "ca" is not a beginning of file names: .*')


def test_umask():
    for umask in 0, 0o777, 0o077:
        with folder(authority=False):
            succeeds(["init"], f"init with umask {umask:o}", before=lambda: os.umask(umask))
            succeeds(ISSUE, f"issue with umask {umask:o}", before=lambda: os.umask(umask))
            got = [mode(name) for name in ("certs", "certs/ca.crt", "certs/ca.key", "certs/tls.crt", "certs/tls.key")]
            tap.equal(got, ["0o700", "0o644", "0o600", "0o644", "0o600"], f"modes with umask {umask:o}")


def test_obstacles():
    with folder(authority=False):
        write("file", "x")
        refuses(["init", "--dir", "file"], SETUP, "cannot write file/ca.crt: Not a directory", "a file where the directory should be")
        refuses(["init", "--dir", "file/below"], SETUP, "cannot make the directory file/below: Not a directory")
        refuses(["init", "--dir", "a/b"], SETUP, "cannot make the directory a/b: No such file or directory")
        refuses(["issue", "--dir", "file", "--host", "a"], SETUP, "cannot read file/ca.crt: Not a directory")
        refuses(["issue", "--host", "a"], SETUP, "cannot read certs/ca.crt: No such file or directory", "no CA")
        refuses(["init", "--dir", "x" * 300], SETUP, "cannot make the directory x{42}...x{86}: File name too long", "long messages lose their middle")
        refuses(["init", "--dir", "/proc/self/certs"], SETUP, "cannot make the directory /proc/self/certs: .*")
        refuses(["init", "--dir", "/proc"], SETUP, "cannot write /proc/ca.crt: .*", "a directory that takes no files")
        refuses(["init", "--dir", "d/" * 2047], USAGE, "the path .* is too long", "too long for a path")
    with folder(authority=False):
        small = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))  # a key fits, a certificate does not; SIGXFSZ stays ignored
        refuses(["init"], SETUP, "cannot write certs/ca.crt: File too large", "the disk is full", before=small)
        tap.equal(os.listdir("."), [], "the directory that was made is removed")
    with folder():
        refuses([*ISSUE, "--out", "x" * 200 + "ü"], USAGE, '--out: ".*" is not a beginning of file names: .*')
        refuses([*ISSUE, "--out", "測" * 90], SETUP, "cannot write .*: File name too long", "a prefix too long for the file system")
        status, out, err = certs(*ISSUE, stdout=os.open("/dev/full", os.O_WRONLY))
        tap.ok(status == 4 and "cannot write to standard output: No space left" in err, "standard output is full", (status, err))


SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* Whether call number FAIL_AT of the function FAIL_IN is due. */
static int due(const char *name, int *count)
{
    const char *in = getenv("FAIL_IN"), *at = getenv("FAIL_AT");
    return in && at && !strcmp(in, name) && ++*count == atoi(at);
}
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAILING(name, call) static int count; if (due(#name, &count)) { errno = EIO; return -1; } return REAL(name) call

int link(const char *from, const char *to)
{
    static int count, races;
    if (due("race", &races)) { /* somebody else was faster */
        int descriptor = open(to, O_WRONLY | O_CREAT | O_EXCL, 0600);
        if (descriptor >= 0) { if (write(descriptor, "theirs", 6) != 6) abort(); close(descriptor); }
    }
    if (due("link", &count)) { errno = EIO; return -1; }
    return REAL(link)(from, to);
}
int rename(const char *from, const char *to) { FAILING(rename, (from, to)); }
int fsync(int descriptor) { FAILING(fsync, (descriptor)); }
int fchmod(int descriptor, mode_t mode) { FAILING(fchmod, (descriptor, mode)); }
int mkostemp(char *name, int flags) { FAILING(mkostemp, (name, flags)); }
ssize_t write(int descriptor, const void *data, size_t size)
{
    static int count;
    if (due("write", &count)) { errno = EIO; return -1; }
    return REAL(write)(descriptor, data, getenv("SHORT") && size > 7 ? 7 : size); /* short writes are no failures */
}
"""


@contextlib.contextmanager
def failing_system():
    """The environment in which a program's system fails, as FAIL_IN and FAIL_AT say. Needs a C compiler; the build did, too."""
    with tempfile.TemporaryDirectory() as work:
        write(work + "/shim.c", SHIM)
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-o", work + "/shim.so", work + "/shim.c", "-ldl"], check=True)
        sanitizer = os.environ.get("ASAN_OPTIONS", "")
        yield {"LD_PRELOAD": work + "/shim.so", "ASAN_OPTIONS": sanitizer + (":" if sanitizer else "") + "verify_asan_link_order=0"}


def test_failures():
    """Lets the system fail at each step."""
    with failing_system() as shim:
        steps = ["mkostemp", "fchmod", "write", "fsync", "link"]
        for step, number in [(step, number) for step in steps for number in (1, 2)]:
            failing = dict(shim, FAIL_IN=step, FAIL_AT=str(number))
            file = "ca.crt" if number == 1 else "ca.key"
            with folder(authority=False):
                refuses(["init"], SETUP, f"cannot write certs/{file}: Input/output error", f"init: {step} {number} fails", environment=failing)
            file = "tls.crt" if number == 1 else "tls.key"
            with folder():
                refuses(ISSUE, SETUP, f"cannot write certs/{file}: Input/output error", f"issue: {step} {number} fails", environment=failing)
        for step, number in [(step, number) for step in steps + ["rename"] for number in (1, 2)] + [("link", 3), ("link", 4)]:
            failing = dict(shim, FAIL_IN=step, FAIL_AT=str(number))
            with folder():
                certs(*ISSUE)
                refuses([*ISSUE, "--force"], SETUP, "cannot write certs/tls.(crt|key): Input/output error",
                        f"--force: {step} {number} fails", environment=failing)
        for number in 1, 2:
            with folder():
                status, out, err = certs(*ISSUE, environment=dict(shim, FAIL_IN="race", FAIL_AT=str(number)))
                name = "certs/tls.crt" if number == 1 else "certs/tls.key"
                tap.ok(status == SETUP and f"{name} exists already" in err, f"somebody makes {name} at the same time", (status, err))
                tap.equal((read(name), sorted(os.listdir("certs"))), (b"theirs", ["ca.crt", "ca.key", name[6:]]), "it stays, and nothing of ours does")
        with folder():
            succeeds(ISSUE, "short writes", environment=dict(shim, SHORT="1"))
            tap.equal(verifies("certs/tls.crt")[0], 0, "are continued")


# ---- a CA that cannot be used ----

def test_dates():
    with folder(authority=False):
        make_authority(end="20250102030405Z")
        refuses(ISSUE, SETUP, r"the certificate in certs/ca.crt expired on 2025-01-02 03:04:05 UTC", "an expired CA")
    with folder(authority=False):
        make_authority(begin="20980102030405Z")
        refuses(ISSUE, SETUP, r"the certificate in certs/ca.crt is not valid before 2098-01-02 03:04:05 UTC", "a CA of the future")


def test_not_a_ca():
    for extensions, why in ("server", "is not that of a CA"), ("no_sign", "is not that of a CA"), ("nameless", "has no subject key identifier"):
        with folder(authority=False):
            make_authority(extensions=extensions)
            refuses(ISSUE, SETUP, f"the certificate in certs/ca.crt {why}", f"a certificate with extensions [{extensions}]")
    with folder():
        certs(*ISSUE)
        for kind in "crt", "key":
            os.replace(f"certs/tls.{kind}", f"certs/ca.{kind}")
        refuses(ISSUE, SETUP, "the certificate in certs/ca.crt is not that of a CA", "a serving certificate as a CA")


def damaged_key(pem):
    """Another private part beside the same public part."""
    der = bytearray(base64.b64decode("".join(pem.decode().splitlines()[1:-1])))
    at = der.index(b"\x04\x20") + 2
    der[at + 20] ^= 1
    text = base64.b64encode(der).decode()
    return "-----BEGIN PRIVATE KEY-----\n" + "\n".join(text[i:i + 64] for i in range(0, len(text), 64)) + "\n-----END PRIVATE KEY-----\n"


def test_keys():
    mismatch = "the key in certs/ca.key does not belong to the certificate in certs/ca.crt"
    for algorithm in ("EC", "ec_paramgen_curve:P-256"), ("RSA", "rsa_keygen_bits:2048"), ("ED25519", None):
        with folder():
            must("genpkey", "-algorithm", algorithm[0], *(["-pkeyopt", algorithm[1]] if algorithm[1] else []), "-out", "certs/ca.key")
            refuses(ISSUE, SETUP, mismatch, f"the key of another certificate, {algorithm[0]}")
    bad = "the key in certs/ca.key cannot be read; it is damaged, cut off or of an unknown kind"
    with folder():
        key = read("certs/ca.key")
        write("certs/ca.key", damaged_key(key))
        refuses(ISSUE, SETUP, "the key in certs/ca.key is damaged: it does not sign for the certificate in certs/ca.crt",
                "a key that is damaged where nobody looks")
        for cut in 40, 100, len(key) - 15, len(key) - 30:
            write("certs/ca.key", key[:cut])
            refuses(ISSUE, SETUP, bad, f"a key cut off after {cut} bytes")
        write("certs/ca.key", key.replace(b"MIG", b"!!!"))
        refuses(ISSUE, SETUP, bad, "a key that is not base64")
        write("certs/ca.key", "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n")
        refuses(ISSUE, SETUP, bad, "an empty key")
    missing = "there is no private key in certs/ca.key"
    for content, text in (b"", "an empty key file"), (b"hello\n", "words for a key"), (None, "a certificate for a key"):
        with folder():
            write("certs/ca.key", read("certs/ca.crt") if content is None else content)
            refuses(ISSUE, SETUP, missing, text)


def on_a_terminal(arguments):
    """Runs with a controlling terminal, on which OpenSSL would ask. Returns (status, what was shown); status None: it waited."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvp((wrapper + [build + "/drawbridge-certs"])[0], wrapper + [build + "/drawbridge-certs", *arguments])
    shown, limit = b"", time.monotonic() + SECONDS
    with contextlib.suppress(OSError):  # EIO at the end
        while time.monotonic() < limit and b"Enter" not in shown and select.select([terminal], [], [], SECONDS)[0]:
            data = os.read(terminal, 4096)
            if not data:
                break
            shown += data
    asked = b"Enter" in shown or time.monotonic() >= limit
    if asked:
        os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    os.close(terminal)
    return None if asked else os.waitstatus_to_exitcode(status), shown.decode("utf-8", "replace")


def test_passwords():
    message = "the key in certs/ca.key is protected by a password; it must be stored without one"
    for command, text in (["pkcs8", "-topk8", "-passout", "pass:secret"], "PKCS#8"), (["ec", "-aes256", "-passout", "pass:secret"], "the older format"):
        with folder():
            write("certs/ca.key", must(*command, "-in", "certs/ca.key"))
            refuses(ISSUE, SETUP, message, f"a key with a password, {text}")
            status, shown = on_a_terminal(ISSUE)
            tap.ok(status == SETUP and message in shown, "nothing is asked on the terminal", (status, shown))


def test_certificate_files():
    bad = "a certificate in certs/ca.crt cannot be read; it is damaged or cut off"
    with folder():
        good = read("certs/ca.crt")
        middle = len(good) // 2
        der = base64.b64decode(b"".join(good.splitlines()[1:-1]))
        longer = b"-----BEGIN CERTIFICATE-----\n" + base64.encodebytes(der + b"\0\0") + b"-----END CERTIFICATE-----\n"
        header = b"Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00000000000000000000000000000000\n\n"
        for content, text in (good[:middle], "in the middle"), (good[:-10], "in its last line"), (good[:-30], "before its last line"), \
                (longer, "by bytes behind it"), (good.replace(b"-----\n", b"-----\n" + header, 1), "by being encrypted"), \
                (good + good[:15], "in the first line of a second one"), (good + good[:27], "after the first line of a second one"), \
                (good + good[:middle], "in a second one"), (good[:100] + b"!" + good[101:], "by a wrong character"), \
                (good + good.replace(b"MII", b"MIJ", 1), "in the length of a second one"):
            write("certs/ca.crt", content)
            refuses(ISSUE, SETUP, bad, f"a certificate damaged {text}")
        none = "there is no certificate in certs/ca.crt"
        for content, text in (b"", "an empty file"), (b"hello\n", "words"), (read("certs/ca.key"), "a key"):
            write("certs/ca.crt", content)
            refuses(ISSUE, SETUP, none, f"{text} for a certificate")
        write("certs/ca.crt", der)
        refuses(ISSUE, SETUP, "certs/ca.crt is not PEM text", "DER for a certificate")
        write("certs/ca.crt", good + b"\n" * ((1 << 20) - len(good)))
        succeeds([*ISSUE, "--force"], "exactly 1 MiB")
        write("certs/ca.crt", good + b"\n" * ((1 << 20) - len(good) + 1))
        refuses([*ISSUE, "--force"], SETUP, "cannot read certs/ca.crt: larger than 1 MiB", "one byte more")
        write("certs/ca.crt", (good * 2000)[:len(good) * ((1 << 20) // len(good))])
        write("certs/ca.key", read("certs/ca.crt")[:(1 << 20) - 1000] + b"\n" + read("certs/ca.key"))
        started = time.monotonic()
        refuses([*ISSUE, "--force"], SETUP, "the key in certs/ca.key cannot .*", "a cut certificate, far in front of the key")
        tap.ok(time.monotonic() - started < (SECONDS if wrapper else 20), "1 MiB of certificates takes no long time", time.monotonic() - started)


def test_file_kinds():
    for name in "ca.crt", "ca.key":
        with folder():
            os.remove("certs/" + name)
            refuses(ISSUE, SETUP, f"cannot read certs/{name}: No such file or directory", f"{name} is missing")
            os.mkdir("certs/" + name)
            refuses(ISSUE, SETUP, f"cannot read certs/{name}: it is a directory", f"{name} is a directory")
            os.rmdir("certs/" + name)
            os.mkfifo("certs/" + name)
            refuses(ISSUE, SETUP, f"cannot read certs/{name}: it is not a regular file", f"{name} is a FIFO")
            os.remove("certs/" + name)
            os.symlink(name, "certs/" + name)
            refuses(ISSUE, SETUP, f"cannot read certs/{name}: Too many levels of symbolic links", f"{name} is a loop")


def give_up_rights():
    """Leaves root no more than the mode bits say, whatever directory the program is in: without CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""
    for capability in 1, 2:
        if os.getuid() == 0 and ctypes.CDLL(None, use_errno=True).prctl(24, capability, 0, 0, 0):  # PR_CAPBSET_DROP
            raise OSError(ctypes.get_errno(), "PR_CAPBSET_DROP")


def test_no_permission():
    with folder() as path:
        os.chmod("certs/ca.key", 0)
        refuses(ISSUE, SETUP, "cannot read certs/ca.key: Permission denied", "a key that may not be read", before=give_up_rights)
        os.chmod("certs/ca.key", 0o644)
        os.chmod("certs", 0o555)
        refuses(ISSUE, SETUP, "cannot write certs/tls.crt: Permission denied", "a directory that may not be written", before=give_up_rights)
        os.chmod(path, 0o555)
        refuses(["init", "--dir", "new"], SETUP, "cannot make the directory new: Permission denied", before=give_up_rights)
        os.chmod(path, 0o755)
        os.chmod("certs", 0o755)


# ---- usage ----

def test_usage():
    unknown = [
        (["frobnicate"], '"frobnicate" is not a command'),
        (["\x1b[2J"], r'"\\x1b\[2J" is not a command'),
        (["init", "--bogus"], '"--bogus" is not an option'),
        (["issue", "--name", "a"], '"--name" is not an option'),
        (["init", "--dir"], "--dir: needs a value"),
        (["init", "extra"], '"extra" is not an option'),
        (["issue", "--host", "a", "extra\n"], r'"extra\\x0a" is not an option'),
        (["issue"], "no name given: --service, --host or --ip is needed"),
        (["init", "--dir", ""], '--dir: "" is not a path in UTF-8 without control characters'),
        (["init", "--dir", "a\nb"], r'--dir: "a\\x0ab" is not a path .*'),
        (["issue", "--dir", "a\u202eb", "--host", "a"], r'--dir: "a\\u202eb" is not a path .*'),
        (["init", "--name", ""], '--name: "" is not 1 to 64 characters .*'),
        (["init", "--name", "a" * 65], '--name: "a{65}" is not 1 to 64 characters .*'),
        (["init", "--name", "a\x7f"], r'--name: "a\\x7f" is not 1 to 64 characters .*'),
        (["init", "--name", b"\xff\xfe"], r'--name: "\\xff\\xfe" is not 1 to 64 characters .*'),
    ]
    days = [([command, *more, f"--days={value}"], f'--days: "{re.escape(value)}" is not a number of days from 1 to 36500')
            for command, more in (("init", []), ("issue", ["--host", "a"]))
            for value in ("0", "36501", "-1", "+1", "", "x", "1x", "1.5", " 1", "0x10", "99999999999999999999")]
    prefixes = [(["issue", "--host", "a", "--out", value], '--out: ".*" is not a beginning of file names: .*')
                for value in ("", "a/b", "/a", ".hidden", "..", "a\tb", "a" * 201)]
    services = [(["issue", "--service", value], '--service: ".*" is not NAME.NAMESPACE: .*')
                for value in ("", ".", "web", "web.", ".prod", "a.b.c", "Web.prod", "web.Prod", "-a.b", "a-.b", "a.-b", "a.b-", "a_b.c", "a.b ",
                              "a" * 64 + ".b", "a." + "b" * 64, "ä.b", "*.b", "a.b\n")]
    hosts = [(["issue", "--host", value], '--host: ".*" is not a DNS name: labels of .*')
             for value in ("", ".", "a.", ".a", "a..b", "-a", "a-", "a_b", "a b", "*", "*.", "*a.b", "a.*", "a.*.b", "*.*.a", "ä.de", "a" * 64, "a\n",
                           "a,DNS:b", "a/b")]
    hosts += [(["issue", "--host", value], '--host: ".*" is not a DNS name but an address, .*') for value in ("10.0.0.1", "::1", "fe80::1")]
    hosts += [(["issue", "--host", ".".join(["a" * 63] * 3 + ["b" * 62])], '--host: ".*" is not a DNS name: it has more than 253 characters')]
    hosts += [(["issue", "--host", "a", "--host", "b_", "--host", "c"], '--host: "b_" is not a DNS name: .*')]
    hosts += [(["issue", "--host", "\x01" * 10000], r'--host: "(\\x01){42}\.\.\.(\\x01)+.*')]
    addresses = [(["issue", "--ip", value], '--ip: ".*" is not an IPv4 or IPv6 address')
                 for value in ("", "1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.4 ", "01.2.3.4", "1.2.3.4/24", ":::", "::1%lo",
                               "[::1]", "g::1", "localhost", "1:2:3:4:5:6:7:8:9")]
    with folder():
        for arguments, message in unknown + days + prefixes + services + hosts + addresses:
            refuses(arguments, USAGE, message, str(arguments)[:70])


def main():
    global prepared
    with tempfile.TemporaryDirectory(prefix="certs-") as work:
        prepared = work + "/prepared"
        if certs("init", "--dir", prepared)[0] != 0:
            print("Bail out! init makes no CA")
            return 1
        for name, test in list(globals().items()):
            if name.startswith("test_"):
                print(f"# {name}", flush=True)
                test()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
