"""Certificates built byte by byte, so that they can be wrong in any way. Keys and signatures come from the openssl command."""
import base64, functools, ipaddress, subprocess, tempfile, os

FOLDER = tempfile.TemporaryDirectory(prefix="forge-")


# ---- DER ----

def der(tag, *parts):
    body = b"".join(parts)
    size = len(body)
    if size < 128:
        return bytes([tag, size]) + body
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + body


def integer(value):
    return der(2, value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True))


def oid(text):
    first, second, *rest = (int(part) for part in text.split("."))
    body = b""
    for number in [first * 40 + second] + rest:
        part = [number & 127]
        while number := number >> 7:
            part.append(128 | number & 127)
        body += bytes(reversed(part))
    return der(6, body)


def sequence(*parts):
    return der(0x30, *parts)


def bits(*numbers):
    """A BIT STRING with these bits set, as short as DER has it."""
    if not numbers:
        return der(3, b"\0")
    value = sum(1 << (15 - number) for number in numbers).to_bytes(2, "big").rstrip(b"\0")
    unused = (value[-1] & -value[-1]).bit_length() - 1
    return der(3, bytes([unused]), value)


NULL = b"\x05\0"
TRUE = b"\1\1\xff"


def name(text, kind=12):
    """A distinguished name with a common name; kind is the tag of its string."""
    if text is None:
        return sequence()
    return sequence(der(0x31, sequence(oid("2.5.4.3"), der(kind, text.encode("latin-1") if kind != 12 else text.encode()))))


# ---- extensions ----

def extension(number, value, critical=False):
    return sequence(oid(number), TRUE if critical else b"", der(4, value))


def alternative_names(*names, critical=False):
    """Names as "a.b", "IP:1.2.3.4", "email:a@b", "URI:https://a", "dir:a"; or bytes: a GeneralName."""
    return extension("2.5.29.17", sequence(*map(general_name, names)), critical)


def general_name(text):
    if isinstance(text, bytes):
        return text
    kind, _, value = text.partition(":")
    if kind == "IP":
        return der(0x87, ipaddress.ip_address(value).packed)
    if kind == "NET":
        network = ipaddress.ip_network(value)
        return der(0x87, network.network_address.packed + network.netmask.packed)
    tags = {"email": 0x81, "URI": 0x86}
    if kind == "dir":
        return der(0xA4, name(value))
    return der(tags[kind], value.encode()) if kind in tags and value else der(0x82, text.encode("latin-1"))


def basic(authority, length=None, critical=True):
    return extension("2.5.29.19", sequence(TRUE if authority else b"", integer(length) if length is not None else b""), critical)


def usage(*numbers):
    return extension("2.5.29.15", bits(*numbers), True)


SERVER, CLIENT, ANY = "1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2", "2.5.29.37.0"


def extended(*numbers):
    return extension("2.5.29.37", sequence(*map(oid, numbers)))


def constraints(permitted=(), excluded=()):
    def subtrees(tag, names):
        return der(tag, *(sequence(general_name(one)) for one in names)) if names else b""
    return extension("2.5.29.30", sequence(subtrees(0xA0, permitted), subtrees(0xA1, excluded)), True)


# ---- keys ----

def openssl(*arguments, data=None):
    return subprocess.run(["openssl", *arguments], input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout


OPTIONS = {"p224": ("EC", "ec_paramgen_curve:P-224"), "p256": ("EC", "ec_paramgen_curve:P-256"), "p384": ("EC", "ec_paramgen_curve:P-384"),
           "p521": ("EC", "ec_paramgen_curve:P-521"), "k256": ("EC", "ec_paramgen_curve:secp256k1"), "ed25519": ("ED25519", None),
           "ed448": ("ED448", None), "pss": ("RSA-PSS", "rsa_keygen_bits:2048"), "dsa": None}


@functools.lru_cache(None)
def key(which):
    """The file of a key: "p256-leaf", "rsa2048", … the word behind the hyphen tells keys of a kind apart."""
    kind = which.split("-")[0]
    path = os.path.join(FOLDER.name, which + ".key")
    algorithm, option = OPTIONS.get(kind) or ("RSA", "rsa_keygen_bits:" + kind[3:])
    openssl("genpkey", "-algorithm", algorithm, *(["-pkeyopt", option] if option else []), "-out", path)
    return path


@functools.lru_cache(None)
def public(which):
    """SubjectPublicKeyInfo. "fake8200" is a modulus of so many bits that nobody has the key of."""
    if which.startswith("fake"):
        modulus = (1 << int(which[4:]) - 1) + 1
        return sequence(sequence(oid("1.2.840.113549.1.1.1"), NULL), der(3, b"\0", sequence(integer(modulus), integer(65537))))
    return openssl("pkey", "-in", key(which), "-pubout", "-outform", "DER")


RSA, ECDSA = "1.2.840.113549.1.1.", "1.2.840.10045.4."
ALGORITHMS = {("rsa", "md5"): RSA + "4", ("rsa", "sha1"): RSA + "5", ("rsa", "sha224"): RSA + "14", ("rsa", "sha256"): RSA + "11",
              ("rsa", "sha384"): RSA + "12", ("rsa", "sha512"): RSA + "13", ("ec", "sha1"): ECDSA + "1", ("ec", "sha224"): ECDSA + "3.1",
              ("ec", "sha256"): ECDSA + "3.2", ("ec", "sha384"): ECDSA + "3.3", ("ec", "sha512"): ECDSA + "3.4"}


def pss(digest, salt):
    number = {"sha256": "2.16.840.1.101.3.4.2.1", "sha384": "2.16.840.1.101.3.4.2.2"}[digest]
    hash_ = sequence(oid(number), NULL)
    mask = sequence(oid(RSA + "8"), hash_)
    return sequence(oid(RSA + "10"), sequence(der(0xA0, hash_), der(0xA1, mask), der(0xA2, integer(salt))))


def algorithm(which, digest):
    if which.startswith("ed"):
        return sequence(oid("1.3.101.112" if which.startswith("ed25519") else "1.3.101.113"))
    if digest.startswith("pss"):
        return pss("sha256", int(digest[3:]))
    family = "rsa" if which.startswith("rsa") else "ec"
    return sequence(oid(ALGORITHMS[family, digest]), NULL if family == "rsa" else b"")


@functools.lru_cache(None)
def sign(which, digest, data):
    if which.startswith("ed"):
        path = os.path.join(FOLDER.name, "data")
        with open(path, "wb") as file:
            file.write(data)
        return openssl("pkeyutl", "-sign", "-rawin", "-inkey", key(which), "-in", path)
    if digest.startswith("pss"):
        return openssl("dgst", "-sha256", "-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:" + digest[3:], "-sign", key(which), data=data)
    return openssl("dgst", "-" + digest, "-sign", key(which), data=data)


# ---- certificates ----

def time(text):
    """YYYYMMDDHHMMSSZ, as UTCTime where RFC 5280 wants that; "raw:…" is UTCTime as it stands, "gen:…" GeneralizedTime."""
    if text[3] == ":":
        return der(23 if text.startswith("raw:") else 24, text[4:].encode())
    return der(23, text[2:].encode()) if text < "2050" else der(24, text.encode())


def certificate(subject, issuer, holder, signer, *extensions, serial=0x1234, version=3, begin="20200101000000Z", end="20990101000000Z", digest="sha256",
                inner=None, spki=None, damage=False):
    """subject and issuer: text or DER; holder and signer: keys; spki instead of the holder's; inner: the algorithm inside, if another;
    damage: no good signature."""
    outer = algorithm(signer, digest)
    body = sequence(der(0xA0, integer(version - 1)) if version != 1 else b"", integer(serial), inner or outer,
                    issuer if isinstance(issuer, bytes) else name(issuer), sequence(time(begin), time(end)),
                    subject if isinstance(subject, bytes) else name(subject), spki or public(holder),
                    der(0xA3, sequence(*extensions)) if extensions else b"")
    return sequence(body, outer, der(3, b"\0", sign(signer, digest, b"something else" if damage else body)))


def pem(data, label="CERTIFICATE"):
    text = base64.b64encode(data).decode()
    return f"-----BEGIN {label}-----\n" + "".join(text[i:i + 64] + "\n" for i in range(0, len(text), 64)) + f"-----END {label}-----\n"
