#!/usr/bin/env python3
"""Writes seeds for the fuzzers into FOLDER/json, FOLDER/review, FOLDER/replay, FOLDER/yaml, FOLDER/library, FOLDER/configuration, FOLDER/match,
FOLDER/allocate, FOLDER/cel, FOLDER/cel_eval, FOLDER/cel_regexp, FOLDER/cel_values, FOLDER/http, FOLDER/formats, FOLDER/baseline and FOLDER/certificates: captured reviews, reviews, audit logs and objects made of the cases, the texts of the YAML cases, the sets of
objects of the ledger, configurations, claims with devices, clusters that allocate, CEL expressions of the conformance cases, the texts of unit tests, requests, values of formats, a
baseline, and certificates.

    make_corpus.py FOLDER
"""
import base64, glob, gzip, json, os, re, sys

HERE = os.path.dirname(os.path.abspath(__file__))


sys.path[:0] = [*(os.path.join(HERE, "..", folder) for folder in ("certs", "ledger", "conformance", "cli")), os.path.join(HERE, "..")]
import cases as conformance
import kinds
import printers
import test_allocate_scenes
import test_decoding
import test_ledger
import verdicts


WORLD = ("id", "features", "variant", "nodes", "classes", "slices", "taintRules", "claims", "allocatedClaims", "pods")  # what a world is made of
RESOURCES = {row.kind: row.resource for row in kinds.rows()}


def write(folder, name, data):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def audit_log(case):
    """The events of a case: its old object is created, then comes its write."""
    group, version = case["object"]["apiVersion"].split("/")
    reference = {"resource": RESOURCES[case["object"]["kind"]], "name": "a", "apiGroup": group, "apiVersion": version}
    head = {"kind": "Event", "apiVersion": "audit.k8s.io/v1", "stage": "ResponseComplete"}
    events = [dict(head, verb="create", objectRef=reference, responseStatus={"code": 201}, requestObject=case["oldObject"], responseObject=case["oldObject"])] if case.get("oldObject") else []
    events.append(dict(head, verb="create" if case["op"] == "CREATE" else "update", objectRef=dict(reference, subresource=case["sub"]), responseStatus={"code": 200}, requestObject=case["object"]))
    return "\n".join(json.dumps(event, separators=(",", ":")) for event in events)


def write_requests(folder):
    """Whole requests, in both ways to send a body, and such as are refused."""
    review = min((open(path, "rb").read() for path in glob.glob(os.path.join(HERE, "..", "reviews", "*.json"))), key=len)
    head = b"POST /validate?timeout=10s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    plain = head + b"Content-Length: %d\r\n\r\n" % len(review) + review
    chunks = head + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % len(review) + review + b"\r\n0\r\n\r\n"
    for number, text in enumerate([plain, chunks, plain + chunks, head + b"\r\n", head + b"Content-Length: 5\r\n\r\n{}", b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n",
                                   head + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}", head + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}"]):
        write(os.path.join(folder, "http"), str(number), bytes([number]) + text)


def write_certificates(folder):
    """Good and bad certificates of the tests of `certs check`, as DER with the CA's, and as PEM text."""
    for number, case in enumerate(verdicts.CASES):
        if "8200" in str(case.changes) or case.crowd:
            continue  # they take long
        leaf, root = (verdicts.part(name, case.changes.get(name, {})) for name in (case.served[0], case.roots[0]))
        write(os.path.join(folder, "certificates"), f"der-{number}", b"\0" + len(leaf).to_bytes(2, "big") + leaf + root)
        write(os.path.join(folder, "certificates"), f"pem-{number}", b"\1" + "".join(case.build()).encode())


def write_formats(folder):
    """The values in the table of formats."""
    with open(os.path.join(HERE, "..", "..", "rules", "formats.def"), encoding="utf-8") as file:
        for number, text in enumerate(re.findall(r'"((?:[^"\\]|\\.)*)"', file.read())):
            write(os.path.join(folder, "formats"), str(number), text.encode())


def main(folder):
    write_requests(folder)
    write_certificates(folder)
    write_formats(folder)
    entry = {"file": "a.yaml", "object": "StorageClass a", "path": "metadata.name", "rule": "dns-subdomain", "message": "m", "count": 2}
    write(os.path.join(folder, "baseline"), "0", json.dumps({"apiVersion": "drawbridge.dev/v1alpha1", "kind": "Baseline", "findings": [entry, dict(entry, path="parameters")]}).encode())
    for path in glob.glob(os.path.join(HERE, "..", "reviews", "*.json")):
        with open(path, "rb") as file:
            review = file.read()
        write(os.path.join(folder, "review"), os.path.basename(path), b"\4" + review)
        write(os.path.join(folder, "json"), os.path.basename(path), json.dumps(json.loads(review)["request"]["object"]).encode())
    for case in conformance.read():
        if len(json.dumps(case)) > 8192:
            continue  # larger ones only slow the fuzzers down
        group, version = case["object"]["apiVersion"].split("/")
        request = {"uid": "u", "kind": {"group": group, "version": version, "kind": case["object"]["kind"]}, "operation": case["op"],
                   "subResource": case["sub"], "object": case["object"], "oldObject": case.get("oldObject")}
        review = {"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": request}
        write(os.path.join(folder, "review"), case["id"], b"\4" + json.dumps(review, separators=(",", ":")).encode())
        write(os.path.join(folder, "replay"), case["id"], b"\4" + audit_log(case).encode())
        texts = [json.dumps(case[name], indent=1).encode() for name in ("object", "oldObject") if case.get(name)]
        write(os.path.join(folder, "library"), case["id"], (b"\x80" if case["sub"] else b"\0") + b"\xff".join(texts))
    for number, case in enumerate(test_decoding.read_cases(os.path.join(HERE, "..", "conformance", "decoding.txt"))):
        write(os.path.join(folder, "review"), f"decoding-{number}", b"\4" + test_decoding.review(case, "u").encode())
    with gzip.open(os.path.join(HERE, "..", "conformance", "yaml.jsonl.gz"), "rt") as lines:
        for case in map(json.loads, lines):
            text = base64.b64decode(case["yamlBase64"]) if "yamlBase64" in case else case["yaml"].encode("utf-8", "surrogatepass")
            write(os.path.join(folder, "yaml"), case["id"], text)
    bases = test_ledger.read_bases()
    for row in test_ledger.read_rows():
        if row["failing"] != "-":
            case = test_ledger.Case(row["failing"], bases)
            texts = ["\n".join(map(test_ledger.write, objects)).encode() for objects in (case.new, case.old) if objects]
            write(os.path.join(folder, "library"), row["id"], (b"\x80" if "status" in case.prefixes else b"\0") + b"\xff".join(texts))
    for path in glob.glob(os.path.join(HERE, "..", "manifests", "**", "*.yaml"), recursive=True):
        with open(path, "rb") as file:
            write(os.path.join(folder, "library"), os.path.basename(path), b"\0" + file.read())
    folder_of_claims = os.path.join(HERE, "..", "manifests", "match")
    worlds = ["gpus", "pools", "shared", "lists", "nodes", "rule"]
    for name in sorted(os.listdir(folder_of_claims)):
        for number, world in enumerate(worlds):
            texts = []
            for path in name, world + ".yaml":
                with open(os.path.join(folder_of_claims, path), "rb") as file:
                    texts.append(file.read())
            write(os.path.join(folder, "match"), f"{name}-{world}", bytes([number + 4 * len(name) % 12]) + b"---\n".join(texts))
            write(os.path.join(folder, "library"), f"match-{name}-{world}", b"\0" + b"---\n".join(texts))

    for number, (name, objects, *_) in enumerate(test_allocate_scenes.SCENES):
        write(os.path.join(folder, "allocate"), f"scene-{number}", bytes([number * 2 % 18]) + "---\n".join(json.dumps(each) + "\n" for each in objects).encode())
    for worlds in "allocate", "allocate_pods":
        for number, world in enumerate(printers.read_cases(os.path.join(HERE, "..", "conformance", f"{worlds}.jsonl.gz"))):
            parts = {key: value for key, value in world.items() if key in WORLD}
            text = json.dumps(parts, separators=(",", ":")).encode()
            if len(text) < 8192:
                write(os.path.join(folder, "allocate"), f"{worlds}-{number}", bytes([(number * 2 + 1) % 18]) + text)

    head = "apiVersion: drawbridge.dev/v1alpha1\nkind: Configuration\n"
    configurations = [
        head + "kubernetesVersion: '1.35'\nmode: warn\n",
        head + "policies:\n- namespaces: [team-a, 'dev-*']\n  kinds: [ResourceClaim]\n  rules: ['*']\n  fields: [spec.devices.requests, metadata.name]\n  mode: enforce\n- mode: audit\n",
        json.dumps({"apiVersion": "drawbridge.dev/v1alpha1", "kind": "Configuration", "policies": [{"rules": ["enum"], "mode": "warn", "fields": ["parameters"]}]}),
    ]
    for number, text in enumerate(configurations):
        write(os.path.join(folder, "configuration"), str(number), text.encode())
    for number, case in enumerate(printers.read_cases(os.path.join(HERE, "..", "conformance", "cel.jsonl.gz"))):
        if number % 7 == 0 or case["class"] == "panic":  # a part is enough to begin with
            write(os.path.join(folder, "cel"), str(number), case["expression"].encode())
        if "eval" in case and len(case["expression"]) < 400 and number % 4 == 0:
            write(os.path.join(folder, "cel_eval"), str(number), case["expression"].encode())
    with open(os.path.join(HERE, "..", "unit", "cel_regexp_cases.h"), encoding="utf-8") as file:
        for number, line in enumerate(file):
            texts = [re.sub(rb"\\([0-7]{3}|.)", lambda escape: bytes([int(escape[1], 8)]) if len(escape[1]) == 3 else escape[1], text)
                     for text in re.findall(rb'BYTES\("((?:[^"\\]|\\.)*)"\)', line.encode())]
            if texts:
                write(os.path.join(folder, "cel_regexp"), str(number), b"\1" + texts[0] + b"\0" + b"".join(texts[1:]))
    for name in ("quantity", "semver", "ip", "url"):
        with open(os.path.join(HERE, "..", "unit", f"test_{name}.c"), encoding="utf-8") as file:
            for number, texts in enumerate(re.findall(r'\{ "([^"\\]*)", "?([^",]*)', file.read())):
                write(os.path.join(folder, "cel_values"), f"{name}{number}", "\0".join(texts).encode())


main(sys.argv[1])
