#!/usr/bin/env python3
"""Reads small YAML and JSON files with tests/yaml_print and compares with what Kubernetes makes of them.

    test_yaml.py BUILD [CASES]

yaml.jsonl.gz, or CASES in the same form, compressed or not: one case a line, {"id", "yaml" or "yamlBase64", "documents" or "documentsText" or "error",
["refuse"], ["libyaml"], ["unstable"]}; what k8s.io/apimachinery v0.35.4 and sigs.k8s.io/yaml v1.6.0 made of the text. One test a case. `refuse`: Kubernetes
takes it, but a reader must not, and has to name the reason. `libyaml` "refuses" or "differs": refusing is good enough.
"""
import base64, gzip, json, os, re, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

REASONS = {  # what a message must say to name the reason
    "duplicate key": r"duplicate key|repeated member name",
    "two keys meet in one member name": r"two keys of this object give the same member name|repeated member name",
    "text after the document is lost": r"text after the document is lost",
    "nesting over 64": r"nesting over 64|nested too deep",
    "U+0000 in a string": r"U\+0000 in a string",
    "invalid UTF-8": r"invalid UTF-8|not valid UTF-8|not UTF-8",
    "lone surrogate": r"half of a surrogate pair",
}


def read_cases(path):
    with open(path, "rb") as file:
        data = file.read()
    return [json.loads(line) for line in (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode().splitlines()]


def equal(got, want, from_json):
    """The same JSON value: integers exactly, other numbers as doubles. Kubernetes' JSON decoder makes a double of integers beyond int64."""
    if isinstance(want, dict):
        return isinstance(got, dict) and got.keys() == want.keys() and all(equal(got[key], want[key], from_json) for key in want)
    if isinstance(want, list):
        return isinstance(got, list) and len(got) == len(want) and all(equal(one, two, from_json) for one, two in zip(got, want))
    if isinstance(want, bool) or want is None or isinstance(want, str):
        return type(got) is type(want) and got == want
    if isinstance(got, bool) or not isinstance(got, (int, float)):
        return False
    if isinstance(got, int) and isinstance(want, int) and not (from_json and abs(want) >= 2**63 - 1):
        return got == want
    return float(got) == float(want)


class Answer:
    """What yaml_print said."""
    def __init__(self, build, text):
        done = subprocess.run([os.path.join(build, "tests", "yaml_print")], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        lines = done.stdout.decode("utf-8").split("\n")[:-1]
        pairs = [line.split(" ", 1) for line in lines if not line.startswith("error ")]
        self.documents = [(json.loads(value), kind == "json") for kind, value in pairs]
        self.error = next((line for line in lines if line.startswith("error ")), None)
        self.sane = not done.stderr and done.returncode == (self.error is not None) and self.well_placed(len(text))
        self.output = done.stdout.decode("utf-8") + done.stderr.decode("utf-8", "replace")

    def well_placed(self, length):
        return self.error is None or re.fullmatch(r"error \d+ (yaml-syntax|json-syntax|limit) \S.*", self.error) and int(self.error.split()[1]) <= length

    def gives(self, documents):
        return self.error is None and self.has(documents)

    def has(self, documents):
        return len(self.documents) == len(documents) and all(equal(got, want, from_json) for (got, from_json), want in zip(self.documents, documents))


def passes(case, answer):
    refused = answer.error is not None
    if case.get("error"):
        before = case.get("documentsBeforeError")
        return refused and (before is None or answer.has(before))
    if "refuse" in case:
        lenient = case.get("libyaml") in ("refuses", "differs")
        return refused and (lenient or re.search(REASONS.get(case["refuse"], re.escape(case["refuse"])), answer.error))
    if case.get("libyaml") in ("refuses", "differs") and refused:
        return True
    documents = json.loads(case["documentsText"]) if "documentsText" in case else case["documents"]
    return answer.gives(documents) or any(answer.gives(documents) for documents in case.get("unstable", []))


def main(build, path=os.path.join(HERE, "yaml.jsonl.gz")):
    tap = Tap()
    cases = read_cases(path)
    tap.ok(len(cases) > 0, "there are cases")
    for case in cases:
        text = base64.b64decode(case["yamlBase64"]) if "yamlBase64" in case else case["yaml"].encode("utf-8", "surrogatepass")
        answer = Answer(build, text)
        what = "an error" if case.get("error") else f"refused: {case['refuse']}" if "refuse" in case else "read"
        tap.ok(answer.sane and passes(case, answer), f"{case['id']} is {what}", f"{json.dumps(case)[:2000]}\n{answer.output}")
    return tap.done()


sys.exit(main(*sys.argv[1:]))
