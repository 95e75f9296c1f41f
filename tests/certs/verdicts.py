"""Chains that are good or wrong, and what `drawbridge certs check` must say of each.

Whether an API server refuses one was measured with crypto/tls and crypto/x509 of Go 1.26.8 (the caBundle as RootCAs, the service's
name as ServerName) against `openssl s_server`; `refused` has that. "server": the API server takes it, but GnuTLS, and so
`drawbridge serve`, ends the handshake. The expected problems are ours.
"""
from forge import *

CERTIFICATE = "2.5.29."
PARTS = {
    "ca":     dict(subject="ca", issuer="ca", holder="p256-ca", signer="p256-ca", extensions=[basic(True), usage(5, 6)]),
    "middle": dict(subject="middle", issuer="ca", holder="p256-middle", signer="p256-ca", extensions=[basic(True), usage(5, 6)]),
    "lower":  dict(subject="lower", issuer="middle", holder="p256-lower", signer="p256-middle", extensions=[basic(True), usage(5, 6)]),
    "twin":   dict(subject="ca", issuer="ca", holder="p256-twin", signer="p256-twin", extensions=[basic(True), usage(5, 6)]),
    "other":  dict(subject="other", issuer="other", holder="p256-other", signer="p256-other", extensions=[basic(True), usage(5, 6)]),
    "leaf":   dict(subject="leaf", issuer="ca", holder="p256-leaf", signer="p256-ca",
                   extensions=[basic(False), usage(0), extended(SERVER), alternative_names("web.prod.svc")]),
}
BELOW = dict(issuer="middle", signer="p256-middle")


def part(name, changes):
    """The certificate of that name as DER. Changes: `add` and `instead` are extensions behind, or in place of, the usual ones; `drop` are
    numbers of those to leave out."""
    values = dict(PARTS[name], **changes)
    extensions = values.pop("instead", None) or values.pop("extensions")
    values.pop("extensions", None)
    drop = [oid(CERTIFICATE + str(number)) for number in values.pop("drop", ())]
    extensions = [one for one in extensions if not any(number in one[:14] for number in drop)] + list(values.pop("add", ()))
    return certificate(values.pop("subject"), values.pop("issuer"), values.pop("holder"), values.pop("signer"), *extensions, **values)


class Case:
    def __init__(self, text, refused, problems="", served="leaf", roots="ca", service="web.prod", host=None, ip=None, key=None, crowd=0, **changes):
        self.text, self.refused, self.problems = text, refused, sorted(problems.split())
        self.served, self.roots, self.service, self.host, self.ip, self.crowd = served.split(), roots.split(), service, host, ip, crowd
        self.changes = changes
        self.key = key or changes.get(self.served[0], {}).get("holder", PARTS[self.served[0]]["holder"])

    def build(self):
        """(chain, roots) as PEM text."""
        made = {name: part(name, self.changes.get(name, {})) for name in dict.fromkeys(self.served + self.roots)}
        crowd = [part("twin", dict(serial=number, damage=True)) for number in range(self.crowd)]
        return "".join(pem(made[name]) for name in self.served), "".join(pem(one) for one in crowd + [made[name] for name in self.roots])

    def arguments(self):
        """The names that are asked for."""
        return [word for option, value in (("--service", self.service), ("--host", self.host), ("--ip", self.ip)) if value for word in (option, value)]


def san(*names, **more):
    return dict(drop=[17], add=[alternative_names(*names, **more)])


def rsa(bits):
    return dict(holder=f"rsa{bits}")


def by_rsa(bits, digest="sha256"):
    return dict(leaf=dict(signer=f"rsa{bits}-ca", digest=digest), ca=dict(holder=f"rsa{bits}-ca", signer=f"rsa{bits}-ca", digest="sha256"))


def limited(name, *permitted, excluded=()):
    return dict(middle=dict(add=[constraints(permitted, excluded)]), leaf=dict(BELOW, **san(*name)), served="leaf middle")


CHAIN = dict(served="leaf middle", leaf=BELOW)

CASES = [
    # ---- good ones ----
    Case("a leaf and its CA", False),
    Case("a leaf, an intermediate and its CA", False, **CHAIN),
    Case("three steps", False, served="leaf lower middle", leaf=dict(issuer="lower", signer="p256-lower")),
    Case("the CA behind the leaf", False, served="leaf ca"),
    Case("self-signed, and its own CA", False, roots="leaf", leaf=dict(issuer="leaf", signer="p256-leaf")),
    Case("its own CA, although another signed it with SHA-1", False, roots="leaf", leaf=dict(digest="sha1")),
    Case("several CAs", False, roots="other twin ca"),
    Case("an intermediate as the CA", False, roots="middle", leaf=BELOW),
    Case("a CA of version 1", False, ca=dict(version=1, instead=[], extensions=[])),
    Case("no extensions but names", False, leaf=dict(drop=[15, 19, 37])),
    Case("any extended key usage", False, leaf=dict(drop=[37], add=[extended(ANY)])),
    Case("client and server", False, leaf=dict(drop=[37], add=[extended(CLIENT, SERVER)])),
    Case("a leaf that is a CA", False, leaf=dict(drop=[19], add=[basic(True)])),
    Case("names in capitals", False, leaf=san("WEB.Prod.SVC")),
    Case("a star", False, leaf=san("*.prod.svc")),
    Case("an empty subject", False, leaf=dict(subject=None, **san("web.prod.svc", critical=True))),
    Case("serial number 0", False, leaf=dict(serial=0)),
    Case("a serial number of 21 bytes", False, leaf=dict(serial=1 << 164)),
    Case("an unknown extension that is not critical", False, leaf=dict(add=[extension("1.2.3.4", NULL)])),
    Case("path length 0 with nothing between", False, ca=dict(drop=[19], add=[basic(True, 0)])),
    Case("an underscore in another name", False, leaf=san("a_b", "web.prod.svc")),
    Case("the longest validity", False, leaf=dict(end="99991231235959Z")),
    # ---- the names ----
    Case("only a common name", True, "no-names", leaf=dict(subject="web.prod.svc", drop=[17])),
    Case("only an email address", True, "no-names", leaf=san("email:a@b.c")),
    Case("another name", True, "wrong-name", leaf=san("web.other.svc")),
    Case("only the short name", True, "wrong-name", leaf=san("web.prod", "web")),
    Case("a star for two labels", True, "wrong-name", leaf=san("*.svc")),
    Case("a star within a label", True, "wrong-name", leaf=san("w*.prod.svc")),
    Case("a dot at the end", True, "wrong-name", leaf=san("web.prod.svc.")),
    Case("an empty label", True, "wrong-name", leaf=san("web..prod.svc", ".prod.svc", "")),
    Case("a NUL behind the name", True, "wrong-name", leaf=san("web.prod.svc\0")),
    Case("an address", False, service=None, ip="10.0.0.1", leaf=san("IP:10.0.0.1")),
    Case("an address of version 6", False, service=None, ip="::1", leaf=san("IP:::1")),
    Case("an address in the form of version 6", False, service=None, ip="::ffff:10.0.0.1", leaf=san("IP:10.0.0.1")),
    Case("another address", True, "wrong-name", service=None, ip="10.0.0.1", leaf=san("IP:10.0.0.2")),
    Case("an address as a name", True, "address-as-name wrong-name", service=None, ip="10.0.0.1", leaf=san("10.0.0.1")),
    Case("an address as a name beside a good one", False, "address-as-name address-as-name", leaf=san("web.prod.svc", "10.0.0.1", "::1")),
    Case("an address of five bytes", True, "malformed", leaf=san("web.prod.svc", der(0x87, b"12345"))),
    Case("a name that is not ASCII", True, "malformed", leaf=san("web.prod.svc", "\xe4.de")),
    Case("names that are no sequence", True, "malformed no-names", leaf=dict(drop=[17], add=[extension("2.5.29.17", b"\x30\x05\x82")])),
    # ---- dates ----
    Case("expired", True, "expired", leaf=dict(end="20200102000000Z")),
    Case("not yet valid", True, "not-yet-valid", leaf=dict(begin="20980101000000Z")),
    Case("an expired CA", True, "expired", ca=dict(end="20200102000000Z")),
    Case("an expired intermediate", True, "expired", middle=dict(end="20200102000000Z"), **CHAIN),
    Case("a CA of the future", True, "not-yet-valid", ca=dict(begin="20980101000000Z")),
    Case("an expired certificate that nobody needs", False, "loose-order", served="leaf other", other=dict(end="20200102000000Z")),
    Case("dates without seconds", False, leaf=dict(begin="raw:2001010000Z")),
    Case("dates in another zone", False, leaf=dict(begin="raw:200101000000+0100", end="raw:490101000000-0100")),
    Case("expired in another zone", True, "expired", leaf=dict(end="raw:200102000000+0100")),
    Case("a date without a zone", True, "malformed", leaf=dict(begin="raw:200101000000")),
    Case("a month that is none", True, "malformed", leaf=dict(begin="raw:201301000000Z")),
    Case("the thirtieth of February", True, "malformed", leaf=dict(begin="raw:200230000000Z")),
    Case("a date with fractions", True, "malformed", leaf=dict(begin="gen:20200101000000.5Z")),
    Case("a long date without seconds", True, "malformed", leaf=dict(begin="gen:202001010000Z")),
    Case("a long date in another zone", False, leaf=dict(begin="gen:20200101000000+0100")),
    # ---- keys and signatures ----
    Case("Ed25519", False, leaf=dict(holder="ed25519-leaf")),
    Case("RSA 2048", False, leaf=rsa(2048)),
    Case("RSA 1024", False, leaf=rsa(1024)),
    Case("RSA 1023", True, "key-size", leaf=rsa(1023)),
    Case("RSA 8193", True, "key-size", key="none", leaf=dict(spki=public("fake8193"))),
    Case("RSA 8192", False, key="none", leaf=dict(spki=public("fake8192"))),
    Case("an intermediate with RSA 8193, which nobody needs", True, "key-size loose-order", served="leaf other", other=dict(spki=public("fake8193"))),
    Case("P-384", False, leaf=dict(holder="p384-leaf")),
    Case("P-224", True, "key-type", leaf=dict(holder="p224-leaf")),
    Case("P-521", False, "key-curve", leaf=dict(holder="p521-leaf")),
    Case("secp256k1", True, "malformed", leaf=dict(holder="k256-leaf")),
    Case("Ed448", True, "key-type", leaf=dict(holder="ed448-leaf")),
    Case("RSA-PSS as the kind of key", True, "key-type", leaf=dict(holder="pss-leaf")),
    Case("an RSA key without parameters", True, "malformed", leaf=dict(holder="rsa2048", spki=
         sequence(sequence(oid(RSA + "1")), public("rsa2048")[public("rsa2048").index(NULL) + 2:]))),
    Case("signed with RSA 2048", False, **by_rsa(2048)),
    Case("signed with RSA 1024", False, **by_rsa(1024)),
    Case("signed with RSA 1023", True, "key-size", **by_rsa(1023)),
    Case("signed with RSA and SHA-512", False, **by_rsa(2048, "sha512")),
    Case("signed with RSA and SHA-1", True, "weak-signature", **by_rsa(2048, "sha1")),
    Case("signed with RSA and MD5", True, "weak-signature", **by_rsa(2048, "md5")),
    Case("signed with RSA and SHA-224", True, "signature-algorithm", **by_rsa(2048, "sha224")),
    Case("signed with PSS", False, **by_rsa(2048, "pss32")),
    Case("signed with PSS and a short salt", True, "signature-algorithm", **by_rsa(2048, "pss20")),
    Case("signed with ECDSA and SHA-1", True, "weak-signature", leaf=dict(digest="sha1")),
    Case("signed with ECDSA and SHA-224", True, "signature-algorithm", leaf=dict(digest="sha224")),
    Case("signed with Ed25519", False, leaf=dict(signer="ed25519-ca"), ca=dict(holder="ed25519-ca", signer="ed25519-ca")),
    Case("signed with Ed448", True, "key-type", leaf=dict(signer="ed448-ca"), ca=dict(holder="ed448-ca", signer="ed448-ca")),
    Case("an intermediate signed with SHA-1", True, "weak-signature", middle=dict(digest="sha1"), **CHAIN),
    Case("a CA that signed itself with SHA-1", False, ca=dict(digest="sha1")),
    Case("a damaged signature", True, "bad-signature", leaf=dict(damage=True)),
    Case("another key", True, "key-mismatch", key="p256-other"),
    # ---- usages ----
    Case("for clients only", True, "extended-key-usage", leaf=dict(drop=[37], add=[extended(CLIENT)])),
    Case("for an unknown use", True, "extended-key-usage", leaf=dict(drop=[37], add=[extended("1.2.3.4")])),
    Case("a CA for clients only", True, "extended-key-usage", ca=dict(add=[extended(CLIENT)])),
    Case("an intermediate for clients only", True, "extended-key-usage", middle=dict(add=[extended(CLIENT)]), **CHAIN),
    Case("a CA for servers", False, ca=dict(add=[extended(SERVER)])),
    Case("a key usage without digitalSignature", "server", "key-usage", leaf=dict(drop=[15], add=[usage(2)])),
    Case("a key usage without bits", False, leaf=dict(drop=[15], add=[usage()]), ca=dict(drop=[15], add=[usage()])),
    # ---- CAs ----
    Case("a CA without basic constraints", True, "not-a-ca", ca=dict(drop=[19])),
    Case("a CA that says it is none", True, "not-a-ca", ca=dict(drop=[19], add=[basic(False)])),
    Case("an intermediate that says it is none", True, "not-a-ca", middle=dict(drop=[19], add=[basic(False)]), **CHAIN),
    Case("an intermediate of version 1", True, "not-a-ca", middle=dict(version=1, instead=[], extensions=[]), **CHAIN),
    Case("a CA without keyCertSign", True, "no-cert-sign", ca=dict(drop=[15], add=[usage(6)])),
    Case("an intermediate without keyCertSign", True, "no-cert-sign", middle=dict(drop=[15], add=[usage(0)]), **CHAIN),
    Case("a CA without any key usage", False, ca=dict(drop=[15])),
    Case("path length 0 with one between", True, "path-length", ca=dict(drop=[19], add=[basic(True, 0)]), **CHAIN),
    Case("path length 1 with one between", False, ca=dict(drop=[19], add=[basic(True, 1)]), **CHAIN),
    Case("path length of an intermediate", True, "path-length", served="leaf lower middle", leaf=dict(issuer="lower", signer="p256-lower"),
         middle=dict(drop=[19], add=[basic(True, 0)])),
    Case("a negative path length", True, "malformed", served="leaf middle", leaf=BELOW, middle=dict(drop=[19], add=[basic(True, -1)])),
    # ---- chains ----
    Case("another CA", True, "incomplete-chain", roots="other"),
    Case("a CA of the same name", True, "bad-signature", roots="twin"),
    Case("an intermediate is missing", True, "incomplete-chain", leaf=BELOW),
    Case("another certificate instead of the intermediate", True, "incomplete-chain loose-order", served="leaf other", leaf=BELOW),
    Case("self-signed, with another CA", True, "incomplete-chain", leaf=dict(issuer="leaf", signer="p256-leaf")),
    Case("the intermediate first", True, "key-usage no-names order loose-order", served="middle leaf",
         leaf=BELOW, key="p256-leaf"),
    Case("intermediates in the wrong order", False, "loose-order loose-order", served="leaf middle lower", leaf=dict(issuer="lower", signer="p256-lower")),
    Case("an issuer in other letters", True, "incomplete-chain", leaf=dict(issuer="CA")),
    Case("an issuer in another kind of string", True, "incomplete-chain", leaf=dict(issuer=name("ca", 19))),
    # ---- name constraints ----
    Case("permitted", False, **limited(["web.prod.svc"], "prod.svc")),
    Case("permitted below", False, **limited(["web.prod.svc"], ".svc")),
    Case("permitted in capitals", False, **limited(["web.prod.svc"], "PROD.svc")),
    Case("permitted all", False, **limited(["web.prod.svc"], "")),
    Case("not permitted", True, "name-constraints", **limited(["web.prod.svc"], "other.svc")),
    Case("not permitted: half a label", True, "name-constraints", **limited(["web.prod.svc"], "rod.svc")),
    Case("not permitted: the name itself", True, "name-constraints", **limited(["web.prod.svc"], ".web.prod.svc")),
    Case("another name is not permitted", True, "name-constraints", **limited(["web.prod.svc", "example.com"], "prod.svc")),
    Case("excluded", True, "name-constraints", **limited(["web.prod.svc"], excluded=["prod.svc"])),
    Case("another is excluded", False, **limited(["web.prod.svc"], excluded=["db.prod.svc"])),
    Case("a star that could be excluded", True, "name-constraints", **limited(["*.prod.svc"], excluded=["db.prod.svc"])),
    Case("a star over what is excluded", False, **limited(["*.prod.svc"], excluded=["a.db.prod.svc"])),
    Case("only addresses are limited", False, **limited(["web.prod.svc"], "NET:10.0.0.0/8")),
    Case("a permitted address", False, **limited(["web.prod.svc", "IP:10.1.2.3"], "NET:10.0.0.0/8")),
    Case("an address that is not permitted", True, "name-constraints", **limited(["web.prod.svc", "IP:11.1.2.3"], "NET:10.0.0.0/8")),
    Case("an address of the other version", True, "name-constraints", **limited(["web.prod.svc", "IP:::1"], "NET:10.0.0.0/8")),
    Case("an excluded address", True, "name-constraints", **limited(["web.prod.svc", "IP:::1"], excluded=["NET:::/0"])),
    Case("a permitted mail domain", False, **limited(["web.prod.svc", "email:a@b.c"], "email:b.c")),
    Case("a mail domain that is not permitted", True, "name-constraints", **limited(["web.prod.svc", "email:a@x.c"], "email:b.c")),
    Case("a permitted mailbox", False, **limited(["web.prod.svc", "email:a@B.c"], "email:a@b.c")),
    Case("a URI that is not permitted", True, "name-constraints", **limited(["web.prod.svc", "URI:https://u@a.com:1/b"], "URI:b.com")),
    Case("a permitted URI", False, **limited(["web.prod.svc", "URI:https://u@a.b.com:1/b"], "URI:.b.com")),
    Case("a URI with an address", True, "name-constraints", **limited(["web.prod.svc", "URI:https://10.0.0.1/b"], "prod.svc")),
    Case("constraints of the CA itself", True, "name-constraints", ca=dict(add=[constraints(["other.svc"])])),
    Case("constraints on directory names", True, "critical-extension", **limited(["web.prod.svc"], "dir:a")),
    Case("empty constraints", True, "malformed", **limited(["web.prod.svc"])),
    Case("a mask with a hole", True, "malformed", **limited(["web.prod.svc"], der(0x87, b"\x0a\0\0\0\xff\0\xff\0"))),
    # ---- extensions ----
    Case("an unknown critical extension", True, "critical-extension", leaf=dict(add=[extension("1.2.3.4", NULL, True)])),
    Case("an unknown critical extension of the CA", True, "critical-extension", ca=dict(add=[extension("1.2.3.4", NULL, True)])),
    Case("an unknown critical extension of an intermediate", True, "critical-extension", middle=dict(add=[extension("1.2.3.4", NULL, True)]), **CHAIN),
    Case("an extension twice", True, "malformed", leaf=dict(add=[usage(0)])),
    Case("a critical subject key identifier", True, "malformed", leaf=dict(add=[extension("2.5.29.14", der(4, b"1234"), True)])),
    Case("a critical authority key identifier", True, "malformed", leaf=dict(add=[extension("2.5.29.35", sequence(der(0x80, b"1234")), True)])),
    Case("another authority key identifier", False, leaf=dict(add=[extension("2.5.29.35", sequence(der(0x80, b"1234")))]),
         ca=dict(add=[extension("2.5.29.14", der(4, b"5678"))])),
    Case("extensions in version 1", True, "no-names", leaf=dict(version=1)),
    Case("an explicit policy is asked for", True, "policies", middle=dict(add=[extension("2.5.29.36", sequence(der(0x80, b"\0")), True)]), **CHAIN),
    Case("an explicit policy that is there", False, middle=dict(add=[extension("2.5.29.36", sequence(der(0x80, b"\0")), True),
         extension("2.5.29.32", sequence(sequence(oid("1.2.3"))))]), served="leaf middle", leaf=dict(BELOW, add=[extension("2.5.29.32", sequence(sequence(oid("1.2.3"))))])),
    # ---- what Go's parser refuses ----
    Case("a negative serial number", True, "malformed", leaf=dict(serial=-5)),
    Case("a negative serial number of the CA", True, "ca-skipped incomplete-chain", ca=dict(serial=-5)),
    Case("a negative serial number of another CA", False, "ca-skipped", roots="other ca", other=dict(serial=-5)),
    Case("a negative serial number in the chain", True, "loose-order malformed", served="leaf other", other=dict(serial=-5)),
    Case("version 4", True, "malformed no-names", leaf=dict(version=4)),
    Case("two signature algorithms", True, "bad-signature malformed", leaf=dict(inner=algorithm("p256", "sha384"))),
    Case("a subject with a forbidden character", True, "malformed", leaf=dict(subject=name("a@b", 19))),
    Case("a subject with a star", False, leaf=dict(subject=name("*.a&b", 19))),
    Case("a subject of an unknown kind of string", True, "malformed", leaf=dict(subject=name("\0\0\0a", 28))),
    Case("a subject in T61", False, leaf=dict(subject=name("\xe4", 20))),
    # ---- limits ----
    Case("ninety-nine CAs of the same name in front of the right one", False, crowd=99),
    Case("a hundred of them", True, "bad-signature too-complicated", crowd=100),
    Case("the same CA two hundred times in front of the right one", False, roots="twin " * 200 + "ca"),
    # ---- several at once ----
    Case("three things at once", True, "expired extended-key-usage wrong-name", leaf=dict(end="20200102000000Z", drop=[17, 37],
         add=[extended(CLIENT), alternative_names("a.b")])),
]
