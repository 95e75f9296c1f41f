#!/usr/bin/env python3
"""`drawbridge lint --fix`: mistakes are put into objects of the conformance cases, written in many ways; each file becomes what it was, byte for
byte, or stays as it is.

    test_fix.py BUILD
"""
import copy, json, os, random, re, signal, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path[:0] = [ROOT, os.path.join(ROOT, "conformance")]
import cases
from tap import Tap
from test_upgrade_fix import Writer, apply_diff, is_sound, parts_of

FREE = {"annotations", "labels", "matchLabels", "parameters", "attributes", "capacity", "config", "opaque", "allocatable", "data"}  # keys of the user
ENUMS = {"File", "None", "ReadWriteOnceWithFSType", "Immediate", "WaitForFirstConsumer", "Retain", "Delete", "Persistent", "Ephemeral", "ExactCount", "All",
         "NoSchedule", "NoExecute", "ReadWriteOnce", "ReadWriteMany", "ReadOnlyMany", "Filesystem", "Block"}
KEYWORDS = {"true", "false", "null", "yes", "no", "on", "off"}
WORDS = ["0644", "1.30", "yes", "true", "12", "1e3", "off"]  # in quotes they are texts


class Quoted(str):
    """A text in double quotes."""


class Plain(str):
    """A text as it is."""


class Styles(Writer):
    """Each text in its own quotes, the same for two objects that differ in one value."""

    def scalar(self, value, column):
        chance = self.dice.random()
        if isinstance(value, Plain):
            return str(value)
        if isinstance(value, str) and not isinstance(value, Quoted) and re.fullmatch(r"[A-Za-z]{2,}|[a-z][a-z.-]+[a-z]\.[a-z]{4,}", value) and \
                value.lower() not in KEYWORDS:
            return [value, f'"{value}"', f"'{value}'"][int(chance * 3)]
        return json.dumps(value)

    def braces(self, value):
        return self.scalar(value, 0) if not isinstance(value, (dict, list)) else super().braces(value)


class Places(Styles):
    """Each member in a style of its own, wherever it stands; objects in lines of their own, without empty lines."""

    def object(self, value, column, first=None):
        lines = ""
        for index, (key, item) in enumerate(value.items()):
            outer, self.dice, self.comments = self.dice, random.Random(key), key != "spec"
            above = self.above(column) if first is None or index else ""
            lines += (first if first is not None and not index else above + " " * column) + self.key(key) + ":" + self.value(item, column)
            self.dice, self.comments = outer, True
        return lines

    def comment(self):
        return f"# note {self.dice.randrange(1000)}."

    def value(self, value, column):
        if not isinstance(value, (dict, list)) or not value:
            return " " + self.scalar(value, column) + (" " + self.comment() if self.maybe(0.1) else "") + "\n"
        head = (" " + self.comment() if self.maybe() else "") + "\n"
        return head + (self.list(value, column + self.dice.choice([0, 2])) if isinstance(value, list) else self.object(value, column + self.dice.choice([1, 2, 4])))


# ---- mistakes ----

def places(value, path=(), free=False):
    """Every member or element below: the container, its key, whether a user names it, and how deep it is."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in pairs:
        yield value, key, free, path
        yield from places(item, path + (key,), key in FREE)


def rename(container, old, new):
    """The members in their order."""
    pairs = [(new if key == old else key, item) for key, item in container.items()]
    container.clear()
    container.update(pairs)


def wrong_case(obj, dice):
    found = [(c, k) for c, k, free, _ in places(obj) if not free and isinstance(c[k], str) and c[k] in ENUMS]
    if found:
        container, key = dice.choice(found)
        container[key] = dice.choice([str.lower, str.upper, str.swapcase])(container[key])
    return bool(found)


def wrong_quotes(obj, dice):
    found = [(c, k) for c, k, free, _ in places(obj) if not free and type(c[k]) in (bool, int)]
    if found:
        container, key = dice.choice(found)
        container[key] = Quoted(json.dumps(container[key]))
    return bool(found)


def no_quotes(obj, dice):
    container = obj["metadata"]["annotations"]
    key = dice.choice(sorted(key for key in container if isinstance(container[key], Quoted)))
    container[key] = Plain(container[key])
    return True


def wrong_name(obj, dice):
    found = [(c, k) for c, k, free, path in places(obj) if not free and path and isinstance(c, dict) and len(k) > 5 and k.isalpha()]
    if found:
        container, key = dice.choice(found)
        at = dice.randrange(1, len(key) - 1)
        swapped = key[:at] + key[at + 1] + key[at] + key[at + 2:]
        rename(container, key, dice.choice([key.lower(), swapped, key[:at] + key[at + 1:], key[0].upper() + key[1:]]))
    return bool(found)


def wrong_kind(obj, dice):
    obj["kind"] = dice.choice([str.lower, str.upper])(obj["kind"])
    return True


def old_version(obj, dice):
    """In which nothing else differs from v1."""
    found = {"DeviceClass": ["v1beta1", "v1beta2"], "ResourceClaim": ["v1beta2"], "ResourceClaimTemplate": ["v1beta2"]}.get(obj["kind"])
    if found and obj["apiVersion"] == "resource.k8s.io/v1":
        obj["apiVersion"] = "resource.k8s.io/" + dice.choice(found)
        return True
    return False


def neighbours(obj):
    """Two members of an object, one after the other, of which the first is an object."""
    for container, key, free, _ in list(places(obj)):
        if isinstance(container, dict) and not free and isinstance(container[key], dict) and container[key] and key not in FREE:
            names = list(container)
            yield container, key, names[names.index(key) + 1] if key != names[-1] else None


def too_low(obj, dice):
    """A member in the object before it."""
    found = [(c, k, n) for c, k, n in neighbours(obj) if n and n not in c[k]]
    if found:
        container, key, name = dice.choice(found)
        container[key][name] = container.pop(name)
    return bool(found)


def too_high(obj, dice):
    """The last member of an object after that object."""
    found = [(c, k) for c, k, _ in neighbours(obj) if len(c[k]) > 1 and list(c[k])[-1] not in c]
    if found:
        container, key = dice.choice(found)
        name = list(container[key])[-1]
        pairs = [pair for k, v in container.items() for pair in ([(k, v), (name, v.pop(name))] if k == key else [(k, v)])]
        container.clear()
        container.update(pairs)
    return bool(found)


def needless_spec(obj, dice):
    """What stands after the metadata, in a spec."""
    names = list(obj)
    rest = names[names.index("metadata") + 1:]
    found = rest and "spec" not in obj and "status" not in obj
    if found:
        obj["spec"] = {name: obj.pop(name) for name in rest}
    return found


MOVED = {"too_low", "too_high", "needless_spec"}
MISTAKES = [too_low, too_high, needless_spec, wrong_case, wrong_quotes, no_quotes, wrong_name, wrong_kind, old_version]


# ---- files ----

def prepared(obj, dice):
    """With annotations whose texts need their quotes."""
    obj = copy.deepcopy(obj)
    metadata = obj.get("metadata")
    if not isinstance(metadata, dict) or metadata.get("annotations") or not isinstance(obj.get("kind"), str):
        return None
    metadata["annotations"] = {f"a.b/{i}": Quoted(dice.choice(WORDS)) for i in range(dice.choice([1, 2]))}
    return obj


def write(obj, number, mistake):
    """The same styles for the same number."""
    if number % 5 == 0:
        return json.dumps(plain(obj), indent=random.Random(number).choice([None, 2])) + "\n"
    text = (Places if mistake in MOVED else Styles)(number).object(obj, 0)
    return text.replace("\n", "\r\n") if number % 5 == 1 else "# first\n---\n" + text + "--- # second\nkind: ConfigMap\napiVersion: v1\n" if number % 5 == 2 else text


def plain(value):
    """What JSON writes."""
    if isinstance(value, Plain):
        return {"yes": True, "off": False}.get(value) if value in ("yes", "off") else json.loads(value) if value != "0644" else 644
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def exact(wrong):
    """JSON cannot write such a number or boolean as YAML does."""
    return not any(isinstance(c[k], Plain) for c, k, _, _ in places(wrong))


def lint(build, folder, *arguments, **more):
    return subprocess.run([os.path.join(build, "drawbridge"), "lint", "--kubernetes-version", "1.36", *arguments], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=900, **more)


def save(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as file:
        file.write(text)


def load(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
        return file.read()


def make_files(build, folder):
    """{name: (kind of mistake, right text, wrong text)}, of objects in which nothing is to be fixed."""
    made = {}
    kinds = ["csidriver", "csinode", "storageclass", "volumeattachment", "resourceclaim", "resourceslice", "deviceclass", "resourceclaimtemplate",
             "persistentvolume", "csistoragecapacity", "volumeattributesclass"]
    for number, case in enumerate(case for case in cases.read(*kinds) for _ in range(3)):
        dice = random.Random(number)
        right = prepared(case["object"], dice) if is_sound(case["object"]) and case.get("expect", {}).get("outcome", "allowed") == "allowed" else None
        wrong = copy.deepcopy(right)
        mistake = dice.choice(MISTAKES)
        if mistake.__name__ in MOVED and "beta" in str(case["object"].get("apiVersion")):
            continue  # it would become v1, too
        if right is None or not mistake(wrong, dice) or (number % 5 == 0 and not exact(wrong)):
            continue
        texts = write(right, number, mistake.__name__), write(wrong, number, mistake.__name__)
        if texts[0] != texts[1]:
            made[f"{number}.{'json' if number % 5 == 0 else 'yaml'}"] = (mistake.__name__, *texts)
    for name, (_, right, _) in made.items():
        save(folder, name, right)
    busy = {os.path.basename(name) for name, _ in parts_of(lint(build, folder, "--diff", ".").stdout.decode())}
    for name in busy:
        os.remove(os.path.join(folder, name))
        del made[name]
    return made


def test_mistakes(tap, build, folder):
    made = make_files(build, folder)
    done = lint(build, folder, "--fix", ".")
    tap.ok(all(load(folder, name) == right for name, (_, right, _) in made.items()), "files without mistakes stay as they are")
    tap.ok(b"\n0 fixed" in b"\n" + done.stderr, "and nothing is said to be fixed", done.stderr[-200:])
    for name, (_, _, wrong) in made.items():
        save(folder, name, wrong)
    diffs = dict((os.path.basename(name), part) for name, part in parts_of(lint(build, folder, "--diff", ".").stdout.decode()))
    tap.ok(all(load(folder, name) == wrong for name, (_, _, wrong) in made.items()), "--diff writes nothing")
    lint(build, folder, "--fix", ".")
    fixed, left, other = {}, {}, []
    for name, (mistake, right, wrong) in made.items():
        after = load(folder, name)
        if after == right:
            fixed[mistake] = fixed.get(mistake, 0) + 1
        elif after == wrong:
            left[mistake] = left.get(mistake, 0) + 1
        else:
            other.append(name)
    tap.ok(not other, "a file becomes what it was before the mistake, or stays as it is", [(name, made[name][0]) for name in other[:10]])
    tap.ok(len(made) > 1000, f"{len(made)} files", len(made))
    for mistake in MISTAKES:
        good, bad = fixed.get(mistake.__name__, 0), left.get(mistake.__name__, 0)
        tap.ok(good > (3 if mistake == needless_spec else 20) and bad * 4 <= good, f"{mistake.__name__}: {good} are fixed, {bad} are left", (good, bad))
    bad_diffs = [name for name in diffs if "\r" not in made[name][1] and apply_diff(made[name][2], diffs[name]) != load(folder, name)]
    tap.ok(not bad_diffs and len(diffs) == sum(fixed.values()), "what --diff prints is what --fix writes", (bad_diffs[:5], len(diffs), sum(fixed.values())))


DRIVER = "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: a.b}\nspec: {fsGroupPolicy: file}\n"


def test_files(tap, build, folder):
    """Modes, links, long names."""
    long = "n" * 250 + ".yaml"
    for name in ("a.yaml", "b.yaml", long):
        save(folder, name, DRIVER)
    os.chmod(os.path.join(folder, "a.yaml"), 0o640)
    os.symlink("a.yaml", os.path.join(folder, "soft.yaml"))
    os.link(os.path.join(folder, "b.yaml"), os.path.join(folder, "hard.yaml"))
    done = lint(build, folder, "--fix", "soft.yaml", "hard.yaml", long)
    tap.equal(done.returncode, 0, "all are fixed")
    good = DRIVER.replace("file", "File")
    tap.ok(all(load(folder, name) == good for name in ("a.yaml", "b.yaml", "hard.yaml", long)), "through links, and with a long name")
    tap.ok(os.path.islink(os.path.join(folder, "soft.yaml")) and os.stat(os.path.join(folder, "a.yaml")).st_mode & 0o777 == 0o640, "the link and the mode stay")
    tap.equal(os.stat(os.path.join(folder, "b.yaml")).st_nlink, 2, "a file keeps both its names")
    tap.equal(len(os.listdir(folder)), 5, "nothing is left beside them")


def test_killed(tap, build, folder):
    """A file is the old one or the new one, and nothing is left beside it, whenever a signal comes."""
    big = DRIVER.replace("{name", "\n  annotations: {a.b/c: \"" + "x" * 200000 + "\"}\n  {name").replace("\n  {name: a.b}", "\n  name: a.b")
    good, states = big.replace("file", "File"), set()
    started = time.time()
    save(folder, "a.yaml", big)
    lint(build, folder, "--fix", "a.yaml")
    whole = time.time() - started
    tap.equal(load(folder, "a.yaml"), good, "a large file is fixed")
    for number in range(60):
        save(folder, "a.yaml", big)
        process = subprocess.Popen([os.path.join(build, "drawbridge"), "lint", "--fix", "a.yaml"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(whole * number / 40)
        process.send_signal(signal.SIGTERM if number % 2 else signal.SIGINT)
        process.wait()
        states.add({big: "old", good: "new"}.get(load(folder, "a.yaml"), "broken"))
    tap.ok("broken" not in states, "the file is whole", states)
    tap.equal(os.listdir(folder), ["a.yaml"], "nothing is left beside it")


def main():
    build = os.path.abspath(sys.argv[1])
    tap = Tap()
    for test in (test_mistakes, test_files, test_killed):
        with tempfile.TemporaryDirectory() as folder:
            test(tap, build, folder)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
