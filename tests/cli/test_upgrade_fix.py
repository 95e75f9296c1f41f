#!/usr/bin/env python3
"""`drawbridge upgrade --fix`: objects of the conformance cases in old API versions, written in many ways, become objects of v1, and every comment
is still there.

    test_upgrade_fix.py BUILD
"""
import copy, json, os, random, re, stat, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path[:0] = [ROOT, os.path.join(ROOT, "conformance")]
import cases
from tap import Tap

MOVED = {"deviceClassName", "selectors", "allocationMode", "count", "adminAccess", "tolerations", "capacity", "derivedAttributes"}


# ---- what v1 has ----

def below_exactly(spec):
    requests = spec.get("devices", {}).get("requests") if isinstance(spec.get("devices"), dict) else None
    for request in filter(None, requests or []):
        moved = {key: request.pop(key) for key in list(request) if key in MOVED}
        if moved:
            request["exactly"] = moved


def as_v1(obj):
    obj = copy.deepcopy(obj)
    old, obj["apiVersion"] = obj["apiVersion"], "resource.k8s.io/v1"
    spec = obj.get("spec") or {}
    if old.endswith("/v1beta1") and obj["kind"] == "ResourceClaim":
        below_exactly(spec)
    if old.endswith("/v1beta1") and obj["kind"] == "ResourceClaimTemplate":
        below_exactly(spec.get("spec") or {})
    if old.endswith("/v1beta1") and obj["kind"] == "ResourceSlice":
        for device in filter(None, spec.get("devices") or []):
            device.update(device.pop("basic", None) or {})
    return obj


# ---- texts ----

class Writer:
    """YAML in one of many styles, with comments wherever it may have some."""

    def __init__(self, seed, comments=True):
        self.dice, self.comments, self.count = random.Random(seed), comments, 0

    def comment(self):
        self.count += 1
        return f"# note {self.count}."

    def maybe(self, chance=0.2):
        return self.comments and self.dice.random() < chance

    def key(self, name):
        plain = re.fullmatch(r"[a-zA-Z][a-zA-Z]*", name) and name not in ("y", "n", "yes", "no", "on", "off", "true", "false", "null")
        return name if plain and self.dice.random() < 0.8 else json.dumps(name)

    def scalar(self, value, column):
        if isinstance(value, str) and re.fullmatch(r"[a-z]+( [a-z]+)+", value) and self.dice.random() < 0.5:
            return "|-\n" + " " * (column + 2) + value
        return json.dumps(value)

    def braces(self, value):
        gap = self.dice.choice(["", " "])
        if isinstance(value, dict):
            return "{" + gap + ", ".join(f"{self.key(key)}: {self.braces(item)}" for key, item in value.items()) + gap + "}"
        if isinstance(value, list):
            return "[" + ", ".join(map(self.braces, value)) + "]"
        return json.dumps(value)

    def value(self, value, column):
        """What follows a colon or a dash: on its line, or in lines of its own."""
        if not isinstance(value, (dict, list)) or not value:
            text = self.scalar(value, column)
            return " " + text + (" " + self.comment() if "|" not in text and self.maybe(0.1) else "") + "\n"
        if self.dice.random() < 0.15:
            return " " + self.braces(value) + (" " + self.comment() if self.maybe() else "") + "\n"
        head = (" " + self.comment() if self.maybe() else "") + "\n"
        if isinstance(value, list):
            return head + self.list(value, column + self.dice.choice([0, 2]))
        return head + self.object(value, column + self.dice.choice([1, 2, 2, 4]))

    def above(self, column):
        return "".join(" " * column + self.comment() + "\n" for _ in range(self.dice.choice([1, 1, 2])) if self.maybe())

    def object(self, value, column, first=None):
        lines = ""
        for index, (key, item) in enumerate(value.items()):
            start = first if first is not None and not index else self.above(column) + " " * column
            lines += start + self.key(key) + ":" + self.value(item, column)
            lines += "\n" if self.maybe(0.05) else ""
        return lines

    def list(self, value, column):
        lines = ""
        for item in value:
            lines += self.above(column) + " " * column + "-"
            if isinstance(item, dict) and item and self.dice.random() < 0.8:
                gap = self.dice.choice([" ", " ", "   "])
                lines += self.object(item, column + 1 + len(gap), gap)
            else:
                lines += self.value(item, column)
        return lines


def shuffled(value, dice):
    """Members of requests and devices in another order."""
    if isinstance(value, dict):
        keys = list(value)
        if dice.random() < 0.3:
            dice.shuffle(keys)
        return {key: shuffled(value[key], dice) for key in keys}
    return [shuffled(item, dice) for item in value] if isinstance(value, list) else value


def texts(obj, number):
    """Pairs of a suffix and a text."""
    dice = random.Random(number)
    mixed = shuffled(obj, dice)
    writer = Writer(number)
    text = writer.object(mixed, 0)
    yield ".yaml", text
    style = number % 4
    if style == 0:
        yield ".json", json.dumps(mixed)
    elif style == 1:
        yield ".json", json.dumps(mixed, indent=dice.choice([2, 4])) + "\n"
    elif style == 2:
        yield ".yaml", text.replace("\n", "\r\n")
    else:
        yield ".yaml", f"# first\n---\n{text.rstrip()}\n--- # second\nkind: ConfigMap\napiVersion: v1\ndata: {{a: &a b, c: *a}}"


def is_sound(obj):
    """Whether Python's JSON means what Kubernetes' means: no repeated members, no lone surrogates."""
    text = json.dumps(obj)
    return "\\ud" not in text and len(text) < 100000


def read_back(build, folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        done = subprocess.run([os.path.join(build, "tests", "yaml_print")], stdin=file, stdout=subprocess.PIPE, check=True)
    values = [json.loads(line.split(" ", 1)[1]) for line in done.stdout.decode().splitlines()]
    return [value for value in values if value is not None]


def fix(build, folder, *arguments, user=None):
    return subprocess.run([os.path.join(build, "drawbridge"), "upgrade", "--from", "1.34", "--fix", *arguments], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=600, user=user)


# ---- tests ----

def notes_of(text):
    return sorted(re.findall(r"# (?:note \d+\.|first|second)", text))


def test_cases(tap, build, folder):
    wanted = {}
    for number, case in enumerate(cases.read("resourceclaim", "resourceclaimtemplate", "resourceslice")):
        obj = case["object"]
        if obj["apiVersion"] == "resource.k8s.io/v1" or number % 3 or not is_sound(obj):
            continue
        for variant, (suffix, text) in enumerate(texts(obj, number)):
            name = f"{case['id']}-{variant}{suffix}"
            wanted[name] = (obj, text)
            with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as file:
                file.write(text)
    done = fix(build, folder, ".")
    refused = set(re.findall(r"^drawbridge upgrade: \./(.*?):\d+:\d+: ", done.stderr.decode(), re.M))
    reasons = sorted(set(re.findall(r": not rewritten: (.*)$|: (nothing is written.*)$", done.stderr.decode(), re.M)))
    known = {"it has a field that the new version does not have", "nothing but null would move to another place",
             "a value has a wrong type", "it has a field that only the newer API version has"}
    tap.ok({reason for reason, _ in reasons} <= known and not any(whole for _, whole in reasons), "what is refused", reasons)
    wrong = []
    for name, (obj, text) in wanted.items():
        with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
            after = file.read()
        first = read_back(build, folder, name)[0]
        if first != (obj if name in refused else as_v1(obj)) or notes_of(after) != notes_of(text) or ("\r\n" in text) != ("\r\n" in after):
            wrong.append(name)
    tap.ok(len(wanted) > 800 and len(refused) < len(wanted) / 10, f"{len(wanted)} files, {len(refused)} refused")
    tap.ok(not wrong, "the objects are those of v1, and every comment is still there", wrong[:20])
    again = fix(build, folder, ".")
    tap.equal(again.stdout, b"", "a second run rewrites nothing")


def test_diff(tap, build, folder):
    """What --diff prints is what patch makes."""
    names = []
    for number, case in enumerate(cases.read("resourceclaim", "resourceslice")):
        if case["object"]["apiVersion"].endswith("v1beta1") and is_sound(case["object"]) and number % 5 == 0:
            names.append(f"{len(names)}.yaml")
            with open(os.path.join(folder, names[-1]), "w", encoding="utf-8", newline="") as file:
                file.write(next(texts(case["object"], number))[1])
    before = {name: open(os.path.join(folder, name), encoding="utf-8").read() for name in names}
    diff = fix(build, folder, "--diff", *names).stdout
    tap.ok(all(open(os.path.join(folder, name), encoding="utf-8").read() == before[name] for name in names), "--diff writes nothing")
    fix(build, folder, *names)
    after = {name: open(os.path.join(folder, name), encoding="utf-8").read() for name in names}
    patched = {name: apply_diff(before[name], part) for name, part in parts_of(diff.decode())}
    tap.ok(len(patched) > 50 and all(patched.get(name, before[name]) == after[name] for name in names), f"{len(patched)} diffs make the new files")


def parts_of(diff):
    for part in re.split(r"^(?=--- .*\n\+\+\+ )", diff, flags=re.M)[1:]:
        yield re.match(r"--- (.*)\n", part).group(1), part


def apply_diff(text, part):
    lines, out, at = text.splitlines(True), [], 0
    for head, body in re.findall(r"^@@ -(.*?) @@\n((?:[-+ \\].*\n?)*)", part, re.M):
        start, count, fresh_start, fresh_count = (int(number or 1) for number in re.fullmatch(r"(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))?", head).groups())
        out += lines[at:start - 1]
        at = start - 1
        if len(out) + 1 != fresh_start:
            return None
        old = [line[1:] for line in body.splitlines(True) if line[0] in " -"]
        fresh = [line[1:] for line in body.splitlines(True) if line[0] in " +"]
        if lines[at:at + len(old)] != old or len(old) != count or len(fresh) != fresh_count:
            return None
        out += fresh
        at += len(old)
    return "".join(out + lines[at:])


CLAIM = "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaim\nmetadata: {name: a}\nspec:\n  devices:\n    requests:\n    - name: r\n"


def test_files(tap, build, folder):
    path, link = os.path.join(folder, "claim.yaml"), os.path.join(folder, "link.yaml")
    with open(path, "w") as file:
        file.write(CLAIM + "      deviceClassName: a.b")
    os.chmod(path, 0o640)
    os.symlink("claim.yaml", link)
    done = fix(build, folder, "link.yaml")
    tap.equal((done.returncode, done.stdout.decode()), (0, "link.yaml: 1 object rewritten\n"), "a link is followed")
    tap.ok(os.path.islink(link) and stat.S_IMODE(os.stat(path).st_mode) == 0o640, "the link stays a link, and the file keeps its mode")
    with open(path) as file:
        tap.equal(file.read(), CLAIM.replace("beta1", "") + "      exactly:\n        deviceClassName: a.b", "a file without an end of line stays so")
    tap.equal(sorted(os.listdir(folder)), ["claim.yaml", "link.yaml"], "nothing is left beside the file")


def test_rights(tap, build, folder):
    """Who may not write the file does not replace it, even where the folder may be written. Root may write everything."""
    user = 65534 if os.geteuid() == 0 else None
    path = os.path.join(folder, "claim.yaml")
    with open(path, "w") as file:
        file.write(CLAIM)
    os.chmod(path, 0o444)
    os.chmod(folder, 0o777)
    done = fix(build, folder, "claim.yaml", user=user)
    said = "drawbridge upgrade: claim.yaml: cannot be written: Permission denied\n0 objects in 0 files rewritten\n"
    tap.equal((done.returncode, done.stdout, done.stderr.decode()), (3, b"", said), "a file that may not be written")
    with open(path) as file:
        tap.equal((file.read(), os.listdir(folder)), (CLAIM, ["claim.yaml"]), "stays as it is")


def main():
    build = os.path.abspath(sys.argv[1])
    tap = Tap()
    for test in (test_cases, test_diff, test_files, test_rights):
        with tempfile.TemporaryDirectory() as folder:
            test(tap, build, folder)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
