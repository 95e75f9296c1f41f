"""Reviews that chance changes: lists multiplied, elements left out or put in, values changed, members repeated, moved, left out, or made up;
creations that become updates. What is large in them is alike, so that fast paths find much to pass over, and now and then something is not."""
import glob, json, os, random, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "bench")]
import cases, slices
from test_review import review as review_of

LEAVES = [None, "", "x", "a b", "X" * 70, 0, 1, -1, 2147483648, 12345678901234567890, 1.5, True, False, [], "1Gi", "12.5", "-1", "1e3", "1.2.3", "01.2", "acme.dev/x", "a/b/c",
          "2026-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "NoSchedule", "\u00e9", "quote\"d", "\u2028"]


class Members(list):
    """An object: pairs of names and values, perhaps with the same name twice."""


def read(text):
    return json.loads(text, object_pairs_hook=Members)


def write(value, choose):
    """As Go writes it; now and then with white space."""
    space = choose.choice(["", "", "", "", "", "", " ", "\t "]) if isinstance(value, list) and choose.random() < 0.02 else ""
    if isinstance(value, Members):
        return "{" + space + ("," + space).join(json.dumps(name) + ":" + space + write(inner, choose) for name, inner in value) + space + "}"
    if isinstance(value, list):
        return "[" + ("," + space).join(write(inner, choose) for inner in value) + space + "]"
    return json.dumps(value, ensure_ascii=choose.random() < 0.5)


def member(members, name):
    return next((value for key, value in reversed(members) if key == name), None)


def put(members, name, value):
    members[:] = [(key, value if key == name else old) for key, old in members]
    if all(key != name for key, _ in members):
        members.append((name, value))


def copied(value):
    if isinstance(value, Members):
        return Members((name, copied(inner)) for name, inner in value)
    return [copied(inner) for inner in value] if isinstance(value, list) else value


def containers(value, found):
    """All objects and lists in a value, itself included."""
    if isinstance(value, list):
        found.append(value)
        for inner in value:
            containers(inner[1] if isinstance(value, Members) else inner, found)
    return found


def change_leaf(choose, container):
    i = choose.randrange(len(container))
    old = container[i][1] if isinstance(container, Members) else container[i]
    new = not old if isinstance(old, bool) and choose.random() < 0.6 else choose.choice(LEAVES)
    if isinstance(old, str) and choose.random() < 0.5:
        new = choose.choice([old + "x", old[:-1], old.upper(), old[::-1]])
    elif isinstance(old, list) and choose.random() < 0.9:
        return
    container[i] = (container[i][0], new) if isinstance(container, Members) else new


def multiply(choose, container):
    """A list becomes many of the same; most are changed a little."""
    if isinstance(container, Members):
        return
    many = [copied(choose.choice(container)) for _ in range(choose.randint(2, 7))]
    for element in many:
        inside = [inner for inner in containers(element, []) if inner]
        for name in ("name", "key", "driver", "counterSet"):
            if isinstance(element, Members) and isinstance(member(element, name), str) and choose.random() < 0.8:
                put(element, name, f"{member(element, name)[:40]}-{choose.randrange(10)}")
        if inside and choose.random() < 0.4:
            change_leaf(choose, choose.choice([inside[0], choose.choice(inside)]))
    container[:] = many


def repeat(choose, container):
    again = copied(choose.choice(container))
    container.insert(choose.randint(0, len(container)), again)
    inside = containers(again[1] if isinstance(container, Members) else again, [])
    if inside and inside[0] and choose.random() < 0.5:
        change_leaf(choose, inside[0])


def leave_out(choose, container):
    del container[choose.randrange(len(container))]


def move(choose, container):
    choose.shuffle(container)


def make_up(choose, container):
    if isinstance(container, Members):
        container.insert(choose.randint(0, len(container)), (choose.choice(["unknown", "a", "zz.acme.dev/k", "nodeName", "allNodes", "string", "name"]), choose.choice(LEAVES)))


CHANGES = [change_leaf] * 4 + [multiply] * 4 + [repeat, leave_out, move, make_up]


def change(choose, value, times):
    for _ in range(times):
        inside = [container for container in containers(value, []) if container]
        if inside:
            choose.choice(CHANGES)(choose, choose.choice(inside))


def full(number):
    """A device with everything that rows compare; every second one breaks a rule that updates do not check again."""
    at_most = "80Gi" if number % 2 else "800Gi"
    return {"name": f"full-{number}", "attributes": {"model": {"string": "x"}, "resource.kubernetes.io/numaNode": {"int": number}},
            "capacity": {"memory": {"value": "80Gi", "requestPolicy": {"default": "10Gi", "validRange": {"min": "10Gi", "max": at_most, "step": "10Gi"}}},
                         "slots": {"value": "8", "requestPolicy": {"default": "1", "validValues": ["1", "2", "4"]}}},
            "consumesCounters": [{"counterSet": "set", "counters": {"memory": {"value": "1Gi"}}, "compatibilityGroups": ["a", "b"]}],
            "nodeName": "n", "taints": [{"key": "a.b/c", "value": "v", "effect": "NoExecute" if number % 2 else "Never"}], "bindsToNode": True,
            "bindingConditions": ["ready"], "bindingFailureConditions": ["failed"], "allowMultipleAllocations": True,
            "nodeAllocatableResources": {"cpu": {"mapping": {"capacityKey": "slots", "capacityMultiplier": "1"}}}}


def slices_of(kind):
    if kind is not full:
        return [slices.make(kind, 4)]
    one = dict(slices.make(slices.gpu, 0))
    spec = dict(one["spec"], devices=[full(i) for i in range(4)], perDeviceNodeSelection=True)
    del spec["nodeName"]
    return [dict(one, spec=spec), dict(one, spec=dict(spec, sharedCounters=[{"name": "set", "counters": {"memory": {"value": "80Gi"}}}]))]


def older(one):
    """A slice in v1beta1: what a device is stands in `basic`."""
    one = json.loads(json.dumps(one))
    one["apiVersion"] = "resource.k8s.io/v1beta1"
    one["spec"]["devices"] = [{"name": device.pop("name"), "basic": device} for device in one["spec"]["devices"]]
    return one


def review_of_slice(new, old):
    group, version = new["apiVersion"].split("/")
    request = {"uid": "u", "kind": {"group": group, "version": version, "kind": "ResourceSlice"}, "operation": "UPDATE" if old else "CREATE",
               "object": new, "oldObject": old}
    return json.dumps({"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": request})


def with_copies(old):
    """The same with a new device after each, of which only the name differs: what an update excuses in one it does not in the other."""
    devices = [copy for device in old["spec"]["devices"] for copy in (device, dict(device, name="new-" + device["name"]))]
    return dict(old, spec=dict(old["spec"], devices=devices))


def bases():
    for path in sorted(glob.glob(os.path.join(os.path.dirname(HERE), "reviews", "*.json"))):
        with open(path, encoding="utf-8") as file:
            yield file.read()
    for kind in [*slices.DRIVERS, full, full, full]:
        for one in [version for new in slices_of(kind) for version in (new, older(new))]:
            yield review_of_slice(one, None)
            yield review_of_slice(with_copies(one), one)


def mutants(seed, count):
    """So many reviews, each a line."""
    choose, texts, known = random.Random(seed), list(bases()), list(cases.read())
    for _ in range(count):
        review = read(choose.choice(texts) if choose.random() < 0.6 else json.dumps(review_of(choose.choice(known))))
        request = member(review, "request")
        new, old = member(request, "object"), member(request, "oldObject")
        if new and (not old or choose.random() < 0.3):
            change(choose, new, choose.randint(0, 3))
            if choose.random() < 0.5:
                old = copied(new)
                put(request, "oldObject", old)
                put(request, "operation", "UPDATE")
        for one in (new, old):
            if one:
                change(choose, one, choose.choice([0, 0, 1, 1, 2, 3]))
        if choose.random() < 0.02:
            change(choose, review, 1)
        yield write(review, choose)
