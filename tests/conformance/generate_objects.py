"""Objects and updates of objects that chance makes, for a comparison with Kubernetes: good ones, with a few changes that may break them.

They begin as objects of the conformance cases, in any version of the API with the same shape, or as ones made of the tables alone. A change puts
something else in one place: a value that another case has there, one at a limit or beyond, of a format's edge, of a wrong type; it takes away,
repeats, adds, copies from another place. In an update the older object has changes, too, so that an API server excuses some.
"""
import gzip, json, os, random, re

import object_schema
from notation import copied

HERE = os.path.dirname(os.path.abspath(__file__))
MOST_BYTES = 100_000  # of an object: larger ones only take time
DEEPEST = 8
NAMESPACE = re.compile("[a-z0-9]{1,63}")
KEPT_VALUES = 400     # that cases have at one place
CALLED_MATCHES = re.compile(r"(?<![.\w])matches\s*\(")  # since 1.37 it costs as text.matches() by estimate; drawbridge does not know that yet
MOST_ADDED = 520      # elements that a limit asks for

WORDS = ["", "a", "b", "x", "gpu", "gpu-0", "default", "node-1", "A", "Gpu", "a.b", "a_b", "a-", "-a", ".a", "a.", "a..b", "a/b", "a/b/c", "/a", "a/", "/", "//",
         "acme.dev", "acme.dev/a", "ACME.dev/A", "acme.dev/A_1", "gpu.acme.dev", "gpu.acme.dev/model", "kubernetes.io/a", "k8s.io/a", "x.K8s.io/a", "1", "0", "1a",
         "é", "a\u00e9b", "\u212a8s.io/a", "K\u0130", "\U0001f600", "\u017f", "a b", " a", "a ", "a\n", "\t", "\u0000", "\ufeff", "\u2028", "%", "a%", "..", ".", "*",
         "true", "null", "a,b", "a:b", "cpu", "memory", "hugepages-2Mi", "kubernetes.io", "requests.cpu", "NoSchedule", "Exists", "In", "<", "\"", "\\", "[x]"]
LENGTHS = [31, 32, 33, 62, 63, 64, 65, 127, 128, 129, 252, 253, 254, 255, 256, 257, 315, 316, 317, 512, 1023, 1024, 1025, 2048, 2049]
NUMBERS = [0, 1, 2, -1, 3, 7, 8, 9, 10, 16, 17, 32, 33, 60, 64, 100, 127, 128, 255, 256, 600, 1000, 3600, 65535, 2**31 - 1, 2**31, -2**31, -2**31 - 1, 2**32,
           2**53, 2**53 + 1, 2**63 - 1, 2**63, -2**63, 2**64, 1e3, 1.5, -0.0, 1e19]
QUANTITIES = ["0", "1", "2", "10", "100m", "1500m", "1Ki", "1Gi", "2Gi", "40Gi", "80Gi", "-1", "-1Gi", "1.5", "0.5Gi", "1e3", "1E3", "1n", "1u", "999999999999", "8Ei", "1E",
              "9223372036854775807", "9223372036854775808", "12345678901234567890123", "+1", "1.", ".5", "01", "1e-9", "1e-10", "0.1n", "", "a", "1 Gi", "1gi", "1K", 1, 0, -1, 1.5, 1e3]
TIMES = ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05+02:00", "2026-01-02T03:04:05.123Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1969-12-31T23:59:59Z", "",
         "2026-02-30T00:00:00Z", "2026-01-02", "2026-01-02t03:04:05z", "2026-01-02T24:00:00Z", "2026-01-02T03:04:60Z", "0000-01-01T00:00:00Z", None]
VERSIONS = ["1.2.3", "0.0.0", "1.2.3-rc.1", "1.2.3+b5", "1.2.3-01", "01.2.3", "1.2", "v1.2.3", "1.2.3-", "18446744073709551615.0.0", "18446744073709551616.0.0",
            "1.2.3-" + "a" * 58, "1.2.3-" + "a" * 59, "99999999999999999999.0.0", "1.2.3-a..b", "1.2.3-\u00e9"]
NETWORKS = ["10.0.0.0/8", "10.0.0.1/24", "10.0.0.01/24", "10.0.0.1", "10.0.0.1/33", "::1/128", "2001:db8::1/64", "2001:DB8::1/64", "::ffff:10.0.0.1/96", "::/0",
            "fe80::1%eth0/64", "10.0.0.1/024", "1.2.3/8", "2001:db8:0:0:0:0:0:1/64", "::ffff:10.0.0.1/120"]
EXPRESSIONS = ["true", "false", "1", "device", "device.driver == \"gpu.acme.dev\"", "device.attributes[\"gpu.acme.dev\"].model == \"a\"", "device.nosuch", "", " ", "(",
               "device.capacity[\"gpu.acme.dev\"].memory.compareTo(quantity(\"1Gi\")) > 0", "device.allowMultipleAllocations == true", "[1, 2].all(x, x > 0)",
               "device.attributes.exists(d, device.attributes[d].exists(a, a == \"model\"))", "semver(\"1.2.3\").major() == 1", "\"\u00e9\" == \"e\"",
               "[1,2,3,4].all(a, [1,2,3,4].all(b, [1,2,3,4].all(c, [1,2,3,4].all(d, [1,2,3,4].all(e, a+b+c+d+e > 0)))))",
               "device.attributes[\"gpu.acme.dev\"].model.matches(\"[a-z\")", "device.attributes[\"a.b\"].x.includes(1)", "'model' in device.attributes['gpu.acme.dev']",
               "device.attributes.all(d, device.attributes[d].all(a, device.attributes.all(e, e == d)))"]
TEXTS_OF = {"quantity": QUANTITIES, "time": TIMES}
FORMATS = {"semver": VERSIONS, "interface-cidr": NETWORKS, "sloppy-cidr": NETWORKS, "expression": EXPRESSIONS,
           "uuid": ["0f8fad5b-d9cb-469f-a165-70867728950e", "0F8FAD5B-D9CB-469F-A165-70867728950E", "0f8fad5bd9cb469fa16570867728950e", "{0f8fad5b-d9cb-469f-a165-70867728950e}"],
           "group-version": ["v1", "apps/v1", "a/b/c", "/v1", "apps/"], "pool-name": ["a/b", "a//b", "/a", "a/", "A/b", "a/" + "b" * 251, "a/" + "b" * 252]}
WRONG = [None, True, False, 0, 1, -1, 1.5, "", "a", "1", "true", [], {}, [1], ["a"], [None], {"a": 1}, {"": None}, [[]], [{}], "2026-01-02T03:04:05Z"]
OTHER_NAMES = ["nosuch", "Name", "NAME", "spec", "name ", "", "\u017fpec", "\u00e9", "metadata", "status", "basic", "exactly"]
KINDS_RARE = {"metadata": 0.25, "kind": 0.02, "apiVersion": 0.02}  # places of the root that are the same in all kinds


def read_corpus():
    """Objects that cases have: [(object, older object or None, whether it goes to the status)]."""
    import cases
    pairs = [(case["object"], case.get("oldObject"), case["sub"] == "status") for case in (*cases.read(), *cases.newer())]
    folder = os.path.join(os.path.dirname(HERE), "reviews")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            requests = [review["request"] for review in map(json.loads, file) if "request" in review]
        pairs += [(request.get("object"), request.get("oldObject"), request.get("subResource") == "status") for request in requests]
    return [pair for pair in pairs if pair[0] and len(json.dumps(pair[0])) < MOST_BYTES // 4]


def read_expressions(minor):
    """Those of the cases that Kubernetes answers in time."""
    with gzip.open(os.path.join(HERE, "cel.jsonl.gz"), "rt", encoding="utf-8") as lines:
        good = [case["expression"] for case in map(json.loads, lines) if len(case["expression"]) < 300 and case["class"] not in ("panic", "slow", "unstable")]
    return [text for text in good if minor < 37 or not CALLED_MATCHES.search(text)]


class Place:
    """A value in an object: what holds it, its name or index there, its type (None: unknown)."""
    __slots__ = ("holder", "step", "node", "path")

    def __init__(self, holder, step, node, path):
        self.holder, self.step, self.node, self.path = holder, step, node, path

    value = property(lambda self: self.holder[self.step])


def places(value, node, path=()):
    """All in an object, itself not."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in steps:
        below = node.child(step) if node else None
        name = "[]" if isinstance(value, list) else "{}" if node and node.type == "map" else step
        yield Place(value, step, below, path + (name,))
        yield from places(inner, below, path + (name,))


def is_stored(old, kind):
    """Whether an API server has such an object at all: what it writes into metadata itself, or takes from the request's path, is right. It is made so
    where that is simple."""
    metadata = old.get("metadata")
    if not isinstance(metadata, dict) or not isinstance(metadata.get("name"), str) or not metadata["name"]:
        return False
    if not kind.namespaced:
        metadata.pop("namespace", None)
    elif not NAMESPACE.fullmatch(str(metadata.get("namespace", "a"))):
        metadata["namespace"] = "default"
    if not isinstance(metadata.get("generation", 1), int) or metadata.get("generation", 1) < 0:
        del metadata["generation"]
    return True


def follows(obj, old):
    """Whether a request can hold both: the new one has a name, too. Its namespace becomes that of the request, as that of the older one is."""
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    if not isinstance(metadata, dict) or not isinstance(metadata.get("name"), str) or not metadata["name"]:
        return False
    metadata.pop("namespace", None)
    if "namespace" in old["metadata"]:
        metadata["namespace"] = old["metadata"]["namespace"]
    return True


class Generator:
    """Of one version of Kubernetes."""

    def __init__(self, build, minor, seed):
        self.chance, self.minor = random.Random(seed), minor
        everything, self.gates = object_schema.read_kinds(build)
        self.kinds = {key: kind for key, kind in everything.items() if kind.served(minor)}
        self.samples, self.expressions = object_schema.format_samples(), read_expressions(minor)
        self.seen, self.pairs = {}, {}
        self.alike = {}
        for key, kind in everything.items():
            for other in self.kinds.values():
                if other.kind == kind.kind and other.root.shape() == kind.root.shape():
                    self.alike.setdefault(key, []).append(other)
        for new, old, status in read_corpus():
            key = (new.get("apiVersion"), new.get("kind"))
            if key not in self.alike:
                continue
            self.remember(new, everything[key])
            for kind in self.alike[key]:
                self.pairs.setdefault((kind.api_version, kind.kind), []).append((new, old, status))
        self.changes = [(12, self.put_seen), (12, self.put_made), (4, self.put_wrong), (3, self.put_empty), (6, self.take), (5, self.repeat), (6, self.fill),
                        (6, self.copy_other), (8, self.tweak), (2, self.add_unknown), (10, self.add_field), (2, self.move), (2, self.rename)]

    def remember(self, obj, kind):
        """The values that cases have at each place; not all of them where they are many."""
        for place in places(obj, kind.root):
            values = self.seen.setdefault((kind.kind, place.path), [])
            if len(values) < KEPT_VALUES and len(json.dumps(place.value)) < 5000:
                values.append(place.value)

    def one(self, choices):
        return choices[int(self.chance.random() * len(choices))]

    def happens(self, probability):
        return self.chance.random() < probability

    # ---- values that the tables tell ----

    def long(self, length):
        """A text of a length, mostly of one that is right otherwise."""
        pattern = self.one(["a", "a", "a", "a1", "ab.c", "a-b", "A", "acme.dev/" + "a" * 8, "\u00e9", "/"])
        text = (pattern * (length // len(pattern) + 1))[:length]
        return text if self.happens(0.2) else text.rstrip(".-/") + "a" * (length - len(text.rstrip(".-/")))

    def text(self, constraints, depth=0):
        """One that the constraints are about."""
        pool = []
        for rule, arguments in constraints:
            if rule in FORMATS:
                pool += [self.one(FORMATS[rule])] * 3
            if rule in self.samples:
                pool += self.samples[rule]
            if "values" in arguments:
                pool += arguments["values"] + [self.one(arguments["values"])] * 4
            if "max" in arguments:
                pool += [self.long(max(0, min(arguments["max"], 12_000) + self.one([-1, 0, 1]))) for _ in range(2)]
            if rule == "expression" and self.happens(0.7):
                return self.expression()
        if not pool or self.happens(0.25):
            pool.append(self.one(WORDS) if self.happens(0.85) else self.long(self.one(LENGTHS)))
        return self.one(pool)

    def expression(self):
        text = self.one(self.expressions)
        if self.happens(0.1):
            text = " && ".join([f"({text})"] * self.one([2, 3, 10, 40]))
        elif self.happens(0.1):
            text += " " * max(0, 10240 - len(text.encode()) + self.one([-1, 0, 1]))
        return text

    def number(self, node):
        limits = [arguments[name] for _, arguments in node.constraints for name in ("min", "max") if name in arguments]
        if limits and self.happens(0.6):
            return self.one(limits) + self.one([-1, 0, 0, 1])
        return self.one(NUMBERS)

    def members_of(self, node):
        """The names of the fields that a made object has: those required, and some; of a union one, or none or two."""
        names = {name for name, field in node.fields.items() if field.arguments("required") or self.happens(0.35)}
        for rule, arguments in node.constraints:
            if rule in ("exactly-one-of", "at-most-one-of") and self.happens(0.8) and arguments.get("members"):
                names -= set(arguments["members"])
                names.add(self.one(arguments["members"]))
        return [name for name in node.fields if name in names]

    def make(self, node, depth=0):
        """A value, good in most of what it has."""
        if node is None or depth > DEEPEST:
            return copied(self.one(WRONG))
        if node.type == "object":
            return {name: self.make(node.fields[name], depth + 1) for name in self.members_of(node)}
        if node.type == "list":
            return [self.make(node.of, depth + 1) for _ in range(self.one([0, 1, 1, 1, 2, 2, 3]))]
        if node.type == "map":
            return {self.text(node.key_constraints): self.make(node.of, depth + 1) for _ in range(self.one([0, 1, 1, 2, 3]))}
        if node.type == "boolean":
            return self.happens(0.5)
        if node.type in ("int32", "int64"):
            return self.number(node)
        if node.type in TEXTS_OF:
            return self.one(TEXTS_OF[node.type][:12] if self.happens(0.7) else TEXTS_OF[node.type])
        return self.text(node.constraints) if node.type == "string" else copied(self.one([{"a": 1}, {}, {"kind": "A", "apiVersion": "b/v1"}, *WRONG]))

    # ---- changes of one place ----

    def put_seen(self, place, kind):
        values = self.seen.get((kind.kind, place.path))
        if values:
            place.holder[place.step] = copied(self.one(values))

    def put_made(self, place, kind):
        place.holder[place.step] = self.make(place.node)

    def put_wrong(self, place, kind):
        place.holder[place.step] = copied(self.one(WRONG))

    def put_empty(self, place, kind):
        empty = {dict: {}, list: [], str: "", int: 0, bool: False}.get(type(place.value))
        place.holder[place.step] = empty if self.happens(0.6) else None

    def take(self, place, kind):
        del place.holder[place.step]

    def repeat(self, place, kind):
        """An element again, as it is or a little changed."""
        if isinstance(place.holder, list):
            again = copied(place.value)
            place.holder.insert(self.one(range(len(place.holder) + 1)), again)
            inner = list(places(again, place.node, place.path))
            if inner and self.happens(0.5):
                self.change(self.one(inner), kind)

    def fill(self, place, kind):
        """A list or map up to a limit, one less or one more; of elements that differ in their names."""
        value, node = place.value, place.node
        if not isinstance(value, (list, dict)) or not node or not node.of:
            return
        limits = [arguments["max"] for rule, arguments in node.constraints if "max" in arguments and rule != "total-bytes"]
        wanted = max(0, min(MOST_ADDED, (self.one(limits) if limits else self.one([2, 8, 16, 32, 64, 128])) + self.one([-1, 0, 0, 1, 1])))
        sample = self.one(list(value.values() if isinstance(value, dict) else value)) if value else self.make(node.of)
        if isinstance(value, list):
            value += [self.numbered(sample, len(value) + i) for i in range(wanted - len(value))]
        else:
            value.update((f"n{i}", copied(sample)) for i in range(wanted - len(value)))

    def numbered(self, sample, number):
        """A copy with other names, unless chance has it."""
        if isinstance(sample, str):
            return f"{sample}{number}" if "/" in sample or number % 2 else f"n{number}"
        sample = copied(sample)
        if isinstance(sample, dict):
            for name in ("name", "key", "uid", "device", "type", "driver", "nodeID"):
                if isinstance(sample.get(name), str):
                    sample[name] = f"n{number}"
                    break
        return sample

    def copy_other(self, place, kind):
        """What stands elsewhere in the object: names that refer to others, values that are equal."""
        alike = [other for other in self.around if type(other.value) is type(place.value) and (other.node and place.node and other.node.type == place.node.type)]
        if alike:
            place.holder[place.step] = copied(self.one(alike).value)

    def tweak(self, place, kind):
        """A text or number that is a little different."""
        value = place.value
        if isinstance(value, str):
            at = self.one(range(len(value) + 1))
            end = min(len(value), at + self.one([0, 0, 1, 1, 3]))
            place.holder[place.step] = value[:at] + self.one(["", "a", "1", ".", "-", "/", "_", "A", "\u00e9", " ", "\n", "0"]) + value[end:]
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            place.holder[place.step] = value + self.one([-1, 1, 0.5, 1000])
        elif isinstance(value, bool):
            place.holder[place.step] = not value

    def add_unknown(self, place, kind):
        if isinstance(place.value, dict):
            place.value[self.one(OTHER_NAMES)] = copied(self.one(WRONG))

    def add_field(self, place, kind):
        """A field that the object does not have."""
        if isinstance(place.value, dict) and place.node:
            if place.node.type == "map":
                place.value[self.text(place.node.key_constraints)] = self.make(place.node.of)
                return
            missing = [name for name in place.node.fields if name not in place.value]
            if missing:
                name = self.one(missing)
                values = self.seen.get((kind.kind, place.path + (name,)))
                place.value[name] = copied(self.one(values)) if values and self.happens(0.5) else self.make(place.node.fields[name])
        elif isinstance(place.value, list) and place.node and place.node.of:
            place.value.append(self.make(place.node.of))

    def move(self, place, kind):
        if isinstance(place.value, list):
            self.chance.shuffle(place.value)

    def rename(self, place, kind):
        """A key of a map, or by mistake a field."""
        if isinstance(place.holder, dict) and len(place.path) > 1:
            node = None if not place.path or place.path[-1] != "{}" else place.node
            name = self.text([]) if node is None or self.happens(0.5) else self.one([place.step + "x", place.step.upper(), "acme.dev/" + place.step, place.step[:-1]])
            place.holder[name] = place.holder.pop(place.step)

    def change(self, place, kind):
        total = sum(weight for weight, _ in self.changes)
        at = self.chance.random() * total
        for weight, change in self.changes:
            at -= weight
            if at < 0:
                return change(place, kind)

    def changed(self, obj, kind, count, within=None):
        """A copy with that many changes; `within`: most of them in that member."""
        obj = copied(obj)
        for _ in range(count):
            self.around = [place for place in places(obj, kind.root) if place.path[0] not in KINDS_RARE or self.happens(KINDS_RARE[place.path[0]])]
            inside = [place for place in self.around if place.path[0] == within] if within and self.happens(0.9) else []
            if inside or self.around:
                self.change(self.one(inside or self.around), kind)
        return obj

    # ---- cases ----

    def case(self, name):
        """As `ask.py` puts it to Kubernetes. None where chance made one that is too large."""
        kind = self.one(list(self.kinds.values()))
        new, old, status = self.begin(kind)
        if kind.has_status and self.happens(0.2):
            status = True
        made = {"id": name, "op": "CREATE", "sub": "", "object": None}
        within = "status" if status else None
        counts = [1, 1, 1, 2, 2, 3, 5]
        if old is None and not status and self.happens(0.7):
            made["object"] = self.changed(new, kind, self.one(counts))
        else:
            made.update(op="UPDATE", sub="status" if status else "")
            base = old if old is not None and self.happens(0.5) else new
            old = self.changed(base, kind, self.one([0, 0, 0, 0, 1, 1, 2]), within)
            made["object"] = self.changed(new if self.happens(0.2) else old, kind, self.one(counts if self.happens(0.9) else [0]), within)
            made["oldObject"] = old
            if not self.same_kind(old, kind) or not is_stored(old, kind):
                return None
            if not follows(made["object"], old):
                return None
        fits = self.same_kind(made["object"], kind) and len(json.dumps(made)) < 2 * MOST_BYTES
        return made if fits else None

    def same_kind(self, obj, kind):
        """Requests whose objects are of another kind, or no objects, do not reach validation."""
        return isinstance(obj, dict) and obj.get("kind") == kind.kind and obj.get("apiVersion") == kind.api_version

    def begin(self, kind):
        """(object, older one or None, whether it goes to the status) of a case, or one of the tables alone."""
        pairs = self.pairs.get((kind.api_version, kind.kind))
        head = {"apiVersion": kind.api_version, "kind": kind.kind}
        if not pairs or self.happens(0.05):
            return {**self.make(kind.root), **head, "metadata": {"name": "a", "namespace": "default"}}, None, False
        new, old, status = self.one(pairs)
        return {**new, **head}, old and {**old, **head}, status

