"""Writes an object as ../notation.py reads it: the base that is most like it, and the edits that make the difference. What is written
gives exactly the object when it is read, the order of members included.
"""
import json, re

from notation import Members, Reader, write

PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
REPEATED_TEXT = re.compile(r"(.{1,16}?)\1{7,}", re.S)
VERSION = re.compile(r"v[0-9a-z]+")
MIN_RUN = 4        # elements that are worth a repetition
MIN_SAVING = 24    # bytes that are worth an edit of its own
LONG_EDIT = 200    # bytes from which on it is tried whether the edit is shorter in several
SHORT_EDITS = 60   # bytes up to which it is not tried whether the whole value is shorter than its edits


def path_text(path):
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif PLAIN_NAME.fullmatch(step):
            text += "." * bool(text) + step
        else:
            text += f"[{json.dumps(step)}]"
    return text


def same(one, other):
    return write(one) == write(other)


# ---- values ----

def text_value(text):
    """A text: literal parts, and repetitions of short ones."""
    terms, at = [], 0
    for match in REPEATED_TEXT.finditer(text):
        terms += [json.dumps(text[at:match.start()])] * (match.start() > at)
        terms.append(f"{json.dumps(match[1])}*{len(match[0]) // len(match[1])}")
        at = match.end()
    terms += [json.dumps(text[at:])] * (at < len(text) or not terms)
    return min("+".join(terms), json.dumps(text), key=len)


def template(first, second):
    """(text with %d, the number that gives `first`), if the two differ in nothing but a digit that is one more in the second; else None."""
    if first == second and "%d" not in first:
        return first, 0
    if len(first) != len(second) or "%d" in first:
        return None
    digits = {(a, b) for a, b in zip(first, second) if a != b}
    if len(digits) != 1:
        return None
    (a, b), = digits
    if not (a.isdigit() and b.isdigit() and int(b) == int(a) + 1):
        return None
    return "".join("%d" if x != y else x for x, y in zip(first, second)), int(a)


def run_at(texts, at):
    """(how many elements from here are a repetition, its term)."""
    found = template(texts[at], texts[at + 1]) if at + 1 < len(texts) else None
    if not found:
        return 1, None
    text, number = found
    count = 2
    while at + count < len(texts) and text.replace("%d", str(number + count)) == texts[at + count]:
        count += 1
    if count < MIN_RUN:
        return 1, None
    try:
        json.loads(text)
    except ValueError:
        return 1, None  # a number that is no text cannot stand in its place
    return count, text + (f"*{count}" if number == 0 else f"*{number}..{number + count - 1}")


def container_value(value):
    """A list or an object, in which elements repeat."""
    parts = [[element] for element in value] if isinstance(value, list) else [{name: member} for name, member in value.items()]
    texts = [write(part) for part in parts]
    terms, plain, at = [], [], 0

    def flush():
        if plain:
            terms.append(plain[0][0] + ",".join(text[1:-1] for text in plain) + plain[0][-1])
            plain.clear()

    while at < len(texts):
        count, term = run_at(texts, at)
        if term:
            flush()
            terms.append(term)
        else:
            plain.append(texts[at])
        at += count
    flush()
    return min("+".join(terms), write(value), key=len) if terms else write(value)


def value_text(value):
    if isinstance(value, str):
        return text_value(value)
    if isinstance(value, (list, dict)) and not isinstance(value, Members):
        return container_value(value)
    return write(value)


def inner(value, path):
    """(path, member) for what is inside a value, outer before inner."""
    waiting = [(value, path)]
    while waiting:
        value, path = waiting.pop()
        if isinstance(value, (list, dict)) and not isinstance(value, Members):
            members = list(enumerate(value) if isinstance(value, list) else value.items())
            yield from ((path + (step,), member) for step, member in members)
            waiting += [(member, path + (step,)) for step, member in reversed(members)]


def empty_at(value, path, emptied):
    """A copy of a value, in which those of some paths are empty."""
    if path in emptied:
        return type(value)()
    if isinstance(value, Members):
        return value
    if isinstance(value, list):
        return [empty_at(element, path + (step,), emptied) for step, element in enumerate(value)]
    if isinstance(value, dict):
        return {name: empty_at(member, path + (name,), emptied) for name, member in value.items()}
    return value


def setting(path, value, sign="=", first=0):
    """The edits that set a value, or append the elements of a list after `first` others. Large repetitions in it have their own edits."""
    whole = [path_text(path) + sign + value_text(value)]
    if len(whole[0]) < LONG_EDIT:
        return whole
    emptied = {}
    for inside, member in inner(value, path):
        if isinstance(member, (str, list, dict)) and not any(inside[:len(outer)] == outer for outer in emptied):
            text = value_text(member)
            if len(path_text(inside)) + len(text) + MIN_SAVING < len(write(member)):
                emptied[inside] = text
    edits = [path_text(path) + sign + value_text(empty_at(value, path, emptied))]
    for inside, text in emptied.items():
        if first:
            inside = path + (inside[len(path)] + first,) + inside[len(path) + 1:]
        edits.append(f"{path_text(inside)}={text}")
    return min(edits, whole, key=cost)


def cost(edits):
    return sum(map(len, edits)) + len(edits)


# ---- differences ----

def object_differences(old, new, path):
    edits = []
    kept = [name for name in old if name in new]
    order = kept + [name for name in new if name not in old]
    good = next((i for i, (one, other) in enumerate(zip(order, new)) if one != other), len(order))
    moved = set(order[good:]) if order != list(new) else set()  # these come off, and are set again in their order
    for name in old:
        if name not in new or name in moved:
            edits.append(f"{path_text(path + (name,))}=-")
        else:
            edits += differences(old[name], new[name], path + (name,))
    for name in new:
        if name not in old or name in moved:
            edits += setting(path + (name,), new[name])
    return edits


def list_differences(old, new, path):
    """What is the same before and after the elements that differ stays where it is; elements are added at the end only."""
    shorter = min(len(old), len(new))
    head = next((i for i in range(shorter) if not same(old[i], new[i])), shorter)
    tail = 0
    if len(new) <= len(old):
        tail = next((i for i in range(shorter - head) if not same(old[-1 - i], new[-1 - i])), shorter - head)
    edits = [f"{path_text(path + (i,))}=-" for i in range(len(old) - tail - 1, len(new) - tail - 1, -1)]
    for i in range(head, shorter - tail):
        edits += differences(old[i], new[i], path + (i,))
    added = new[len(old):]
    if len(added) == 1:
        return edits + setting(path + (len(old),), added[0])
    return edits + (setting(path, added, "+=", len(old)) if added else [])


def differences(old, new, path=()):
    """The edits that make one value of another."""
    if same(old, new):
        return []
    edits = None
    if type(old) is type(new) is dict:
        edits = object_differences(old, new, path)
    elif type(old) is type(new) is list:
        edits = list_differences(old, new, path)
    if edits is not None and (not path or cost(edits) < SHORT_EDITS):
        return edits
    whole = setting(path, new)
    return whole if edits is None or cost(whole) < cost(edits) else edits


def base_for(obj, name, base):
    """(the base's name, the base) in the object's version of the API, if that is the base's API at all."""
    group, wanted = base["apiVersion"].split("/")[0] + "/", obj.get("apiVersion")
    if wanted != base["apiVersion"] and isinstance(wanted, str) and wanted.startswith(group) and VERSION.fullmatch(wanted[len(group):]):
        return f"{name}/{wanted[len(group):]}", dict(base, apiVersion=wanted)
    return name, base


def in_order_of(base, value):
    """The value with members and elements in the order of the base; what the base does not have comes last."""
    if isinstance(value, Members):
        return value
    if isinstance(value, dict) and isinstance(base, dict):
        names = [name for name in base if name in value] + [name for name in value if name not in base]
        return {name: in_order_of(base.get(name), value[name]) for name in names}
    if isinstance(value, list) and isinstance(base, list):
        return [in_order_of(base[i] if i < len(base) else None, element) for i, element in enumerate(value)]
    return value


def describe(obj, bases, any_order=False):
    """The shortest text for an object among the bases of its kind. `any_order`: the order of members does not matter."""
    if isinstance(obj, Members):
        raise ValueError("a name repeats among the object's own members, which edits cannot say")
    alike = [base_for(obj, name, base) for name, base in bases.items() if base["kind"] == obj.get("kind")]
    if not alike:
        raise ValueError(f"no base of kind {obj.get('kind')}")
    texts = []
    for name, base in alike:
        wanted = in_order_of(base, obj) if any_order else obj
        texts.append((" ".join([name] + differences(base, wanted)), wanted))
    text, wanted = min(texts, key=lambda pair: len(pair[0]))
    reader = Reader(text, bases)
    if write(reader.object()) != write(wanted) or reader.at != len(text):
        raise ValueError("this object cannot be written as edits: " + text[:400])
    return text
