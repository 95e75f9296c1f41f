#!/usr/bin/env python3
"""`drawbridge certs rotate`: which certificates clients take before, while and after a CA is replaced, and that nothing changes when it fails.

    test_rotate.py BUILD_DIR       prints TAP
"""
import os, re, sys
from datetime import timedelta

import forge
from test_certs import (SETUP, USAGE, begin_of, certs, end_of, extension, failing_system, folder, make_authority, mode, must, openssl, read, refuses, serial,
                        succeeds, tap, write)

NAMES = ["--service", "web.prod", "--host", "*.example.com", "--ip", "10.1.2.3"]
FILES = ["certs/ca-bundle.crt", "certs/ca.crt", "certs/ca.key", "certs/tls.crt", "certs/tls.key"]


def prepare(*init, issue=NAMES):
    """A CA, and a serving certificate from it unless told otherwise; copies of them as old.crt and old-ca.crt."""
    certs("init", *init)
    if issue:
        certs("issue", *issue)
        write("old.crt", read("certs/tls.crt"))
    write("old-ca.crt", read("certs/ca.crt"))


def takes(bundle, certificate, name="web.prod.svc"):
    status, output = openssl("verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", bundle, "-verify_hostname", name, certificate)
    return status == 0


def blocks(path):
    return re.findall(b"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n", read(path), re.S)


def subject(path):
    return must("x509", "-in", path, "-noout", "-subject", "-issuer", "-nameopt", "utf8")


# ---- what it makes ----

def test_whole():
    """From the first step to the last."""
    with folder(authority=False):
        prepare("--name", "Größe", "--days", "100", *NAMES)
        out, err = succeeds(["rotate"], "rotate")
        names = "web.prod.svc, web.prod.svc.cluster.local, web.prod, web, *.example.com, 10.1.2.3"
        end = end_of("certs/tls.crt").strftime("%Y-%m-%d %H:%M:%S UTC")
        tap.equal((out, err), ("".join(f"wrote {name}\n" for name in FILES) + f"names {names}\nvalid until {end}\n\n"
                  "Apply, in this order; each step when the one before is everywhere:\n"
                  "1. the caBundle of the webhook's configuration: certs/ca-bundle.crt, the new CA and 1 before it\n"
                  "2. the server's Secret: certs/tls.crt and certs/tls.key\n"
                  "   with 'serve --ca-dir', the CA's Secret: certs/ca.crt and certs/ca.key\n"
                  "3. 'drawbridge certs rotate --finish', then the caBundle again\n", ""), "it says what it wrote, and what to do")
        tap.equal(sorted(os.listdir("certs")), sorted(os.path.basename(name) for name in FILES), "no other file is there")
        tap.equal([mode(name) for name in FILES], ["0o644", "0o644", "0o600", "0o644", "0o600"], "modes")
        tap.equal(blocks("certs/ca-bundle.crt"), blocks("certs/ca.crt") + blocks("old-ca.crt"), "the bundle has the new CA, then the old one")
        tap.ok(serial("certs/ca.crt") != serial("old-ca.crt") and read("certs/ca.crt") != read("old-ca.crt"), "the CA is new")
        tap.equal(subject("certs/ca.crt"), subject("old-ca.crt"), "and has the same name")
        for name in "nameConstraints", "basicConstraints", "keyUsage":
            tap.equal(extension("certs/ca.crt", name), extension("old-ca.crt", name), f"the same {name}")
        tap.equal(extension("certs/tls.crt", "subjectAltName"), extension("old.crt", "subjectAltName"), "the serving certificate has the same names")
        tap.equal(end_of("certs/ca.crt") - begin_of("certs/ca.crt"), timedelta(days=3650, minutes=5), "the CA lasts ten years")
        tap.equal(end_of("certs/tls.crt") - begin_of("certs/tls.crt"), timedelta(days=365, minutes=5), "the certificate one")
        for name in "ca", "tls":
            tap.equal(must("pkey", "-in", f"certs/{name}.key", "-pubout"), must("x509", "-in", f"certs/{name}.crt", "-noout", "-pubkey"), f"key and certificate of {name} fit")
        tap.ok(takes("old-ca.crt", "old.crt") and not takes("old-ca.crt", "certs/tls.crt"), "who has the old CA takes the old certificate only")
        tap.ok(takes("certs/ca-bundle.crt", "old.crt") and takes("certs/ca-bundle.crt", "certs/tls.crt"), "who has the bundle takes both")
        out, err = succeeds(["rotate", "--finish"], "rotate --finish")
        tap.equal((out, err), ("wrote certs/ca-bundle.crt\n\nCAs taken out: 1. Apply it as the caBundle of the webhook's configuration.\n", ""), "says what it did")
        tap.equal(blocks("certs/ca-bundle.crt"), blocks("certs/ca.crt"), "the bundle has the new CA alone")
        tap.ok(takes("certs/ca-bundle.crt", "certs/tls.crt") and not takes("certs/ca-bundle.crt", "old.crt"), "who has it takes the new certificate only")
        out, _ = succeeds(["rotate", "--finish"], "once more")
        tap.ok("CAs taken out: 0" in out, "changes nothing", out)


def test_check():
    """By the rules of API servers, which `certs check` knows."""
    with folder(authority=False):
        prepare(*NAMES)
        succeeds(["rotate"], "rotate")
        for path, key in (("certs/tls.crt", ["--key", "certs/tls.key"]), ("old.crt", [])):
            out, _ = succeeds(["check", "--cert", path, *key, "--ca", "certs/ca-bundle.crt", "--service", "web.prod"], f"{path} with the bundle")
            tap.ok("an API server takes it for web.prod.svc" in out, "an API server takes it", out)
        status, out, _ = certs("check", "--cert", "certs/tls.crt", "--ca", "old-ca.crt", "--service", "web.prod")
        tap.ok(status == 1, "with the old CA alone it does not take the new one", out)


def test_kinds():
    for kind, words in ("ed25519", "ED25519"), ("rsa2048", "Public-Key: (2048 bit)"), ("rsa3072", "Public-Key: (3072 bit)"), ("p256", "prime256v1"):
        with folder(authority=False):
            certs("init", "--key-type", kind)
            certs("issue", "--host", "a", "--key-type", kind)
            succeeds(["rotate"], f"a CA of {kind}")
            for name in "ca", "tls":
                tap.ok(words in must("x509", "-in", f"certs/{name}.crt", "-noout", "-text"), f"{name} is of {kind} again")
            tap.ok(takes("certs/ca-bundle.crt", "certs/tls.crt", "a"), "and verifies")


def test_parts():
    with folder(authority=False):
        prepare(*NAMES, issue=None)
        out, _ = succeeds(["rotate", "--days", "10"], "without a serving certificate")
        tap.ok(sorted(os.listdir("certs")) == ["ca-bundle.crt", "ca.crt", "ca.key"] and "2. with 'serve --ca-dir', the CA's Secret: certs/ca.crt and certs/ca.key\n" in out, "none is made", out)
        tap.equal(end_of("certs/ca.crt") - begin_of("certs/ca.crt"), timedelta(days=10, minutes=5), "--days")
        succeeds(["rotate", "--finish"], "and finished")
    with folder(authority=False):
        prepare(*NAMES)
        os.unlink("certs/ca.key")
        succeeds(["rotate", "--server-days", "7"], "the old CA's key is not needed")
        tap.equal(end_of("certs/tls.crt") - begin_of("certs/tls.crt"), timedelta(days=7, minutes=5), "--server-days")
    with folder(authority=False):
        certs("init", "--dir", "here")
        certs("issue", "--dir", "here", "--out", "web", "--host", "a")
        succeeds(["rotate", "--dir", "here", "--out", "web"], "another folder and prefix")
        tap.equal(sorted(os.listdir("here")), ["ca-bundle.crt", "ca.crt", "ca.key", "web.crt", "web.key"], "the files are there")
        tap.ok(takes("here/ca-bundle.crt", "here/web.crt", "a"), "and good")
    with folder(authority=False):
        make_authority(end="20250102030405Z")
        out, _ = succeeds(["rotate"], "a CA that has ended")
        tap.ok("the new CA and 0 before it" in out and len(blocks("certs/ca-bundle.crt")) == 1, "is not trusted any more", out)
    with folder(authority=False):
        make_authority(algorithm=("EC", "ec_paramgen_curve:P-384"))
        succeeds(["rotate"], "a CA from elsewhere, of P-384")
        tap.ok("CN=other" in subject("certs/ca.crt").replace(" ", "") and "prime256v1" in must("x509", "-in", "certs/ca.crt", "-noout", "-text"), "keeps its name, and becomes one of P-256")


def test_several():
    with folder(authority=False):
        prepare(*NAMES)
        for number in range(2, 9):
            out, _ = succeeds(["rotate"], f"{number} CAs")
            tap.ok(f"the new CA and {number - 1} before it" in out and len(blocks("certs/ca-bundle.crt")) == number, "all of them are in the bundle", out)
        tap.ok(blocks("certs/ca-bundle.crt")[-1:] == blocks("old-ca.crt") and takes("certs/ca-bundle.crt", "old.crt"), "the first one last")
        refuses(["rotate"], SETUP, "more than 8 CAs would be trusted; end the rotations before this one with --finish")
        out, _ = succeeds(["rotate", "--finish"], "--finish")
        tap.ok("CAs taken out: 7" in out and blocks("certs/ca-bundle.crt") == blocks("certs/ca.crt"), "takes out all but the last", out)
        succeeds(["rotate"], "then there is room again")
    with folder(authority=False):
        prepare(*NAMES)
        ended = forge.certificate("ended", "ended", "p256-ended", "p256-ended", forge.basic(True), end="20210101000000Z")
        write("certs/ca-bundle.crt", read("certs/ca.crt").decode() + forge.pem(ended) + read("certs/ca.crt").decode())
        succeeds(["rotate"], "a bundle with a CA that has ended, and one twice")
        tap.equal(blocks("certs/ca-bundle.crt"), blocks("certs/ca.crt") + blocks("old-ca.crt"), "has what is of use, once")


# ---- what it refuses ----

def test_refusals():
    with folder(authority=False):
        os.mkdir("certs")
        refuses(["rotate"], SETUP, "cannot read certs/ca.crt: No such file or directory")
        refuses(["rotate", "--finish"], SETUP, "there is no certs/ca-bundle.crt, so no rotation to finish")
        prepare(*NAMES)
        for broken, words in (("certs/ca.crt", "there is no certificate in certs/ca.crt"), ("certs/tls.crt", "there is no certificate in certs/tls.crt"),
                              ("certs/ca-bundle.crt", "a certificate in certs/ca-bundle.crt cannot be read; it is damaged or cut off")):
            text = read(broken) if os.path.exists(broken) else None
            write(broken, "garbage" if text else "-----BEGIN CERTIFICATE-----\n")
            refuses(["rotate"], SETUP, words)
            write(broken, text) if text else os.unlink(broken)
        write("certs/ca.crt", read("old.crt"))
        refuses(["rotate"], SETUP, "the certificate in certs/ca.crt is not that of a CA")
        write("certs/ca.crt", read("old-ca.crt"))
        certs("init", "--dir", "elsewhere")
        certs("issue", "--dir", "elsewhere", "--host", "a")
        write("certs/tls.crt", read("elsewhere/tls.crt"))
        refuses(["rotate"], SETUP, "the certificate in certs/tls.crt is not from the CA in certs/ca.crt")
        write("certs/tls.crt", read("old.crt"))
        succeeds(["rotate"], "with the right one")
        write("certs/tls.crt", read("old.crt"))
        refuses(["rotate", "--finish"], SETUP, "the certificate in certs/tls.crt is not from the CA in certs/ca.crt", "--finish while the server still has the old certificate")
        refuses(["init", "--force"], SETUP, "certs/ca-bundle.crt is there, which would not hold this CA; 'certs rotate' makes a CA in the place of another")
        for arguments, words in ((["--finish", "--days", "1"], "--days: cannot be given with --finish"), (["--days", "0"], '--days: "0" is not a number of days.*'), (["--server-days", "x"], '--server-days: "x" is not.*'),
                                 (["--out", "ca"], '--out: "ca" is not a beginning.*'), (["--out", "ca-bundle"], '--out: "ca-bundle" is not a beginning.*'), (["x"], '"x" is not an option')):
            refuses(["rotate", *arguments], USAGE, words)
        refuses(["issue", "--out", "ca-bundle", "--host", "a"], USAGE, '--out: "ca-bundle" is not a beginning.*')
    with folder(authority=False):
        prepare()
        odd = forge.certificate("odd", forge.name("drawbridge CA"), "p256-odd", "p256-odd", forge.alternative_names("email:a@b"))
        write("certs/tls.crt", forge.pem(odd))
        refuses(["rotate"], SETUP, "the certificate in certs/tls.crt is not from the CA in certs/ca.crt", "a CA of the same name with another key")


def test_failures():
    """Whatever fails while files are written, all of them are as they were."""
    with failing_system() as shim:
        with folder(authority=False):
            prepare(*NAMES)
            for step, numbers in (("mkostemp", range(1, 6)), ("fchmod", range(1, 6)), ("write", range(1, 6)), ("fsync", range(1, 11)), ("rename", range(1, 5)), ("link", range(1, 10))):
                for number in numbers:
                    refuses(["rotate"], SETUP, "cannot write certs/[a-z-]+.(crt|key): Input/output error", f"{step} {number} fails", environment=dict(shim, FAIL_IN=step, FAIL_AT=str(number)))
            tap.ok(takes("certs/ca.crt", "certs/tls.crt"), "all is as it was")


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_") and callable(test):
            print(f"# {name}", flush=True)
            test()
    return tap.done()


sys.exit(main())
