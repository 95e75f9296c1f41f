"""Makes a case smaller that shows something, for as long as it still shows it: members and elements are taken away, texts and lists are cut, the older
object is made like the new one. Some steps are tried at once, since the programs that are asked answer many cases nearly as fast as one.
"""
import time

from notation import copied, write

TOGETHER = 40
KEPT = {("kind",), ("apiVersion",), ("metadata",), ("metadata", "name")}  # without them it is another request
OBJECTS = ("object", "oldObject")


def paths(value, path=()):
    """Of all members and elements, outer ones before inner ones."""
    steps = list(value) if isinstance(value, dict) else range(len(value) - 1, -1, -1) if isinstance(value, list) else ()
    for step in steps:
        yield path + (step,)
        yield from paths(value[step], path + (step,))


def at(value, path):
    for step in path:
        value = value[step]
    return value


def has(value, path):
    try:
        at(value, path)
        return True
    except (KeyError, IndexError, TypeError):
        return False


def take(holder, step):
    del holder[step]


def put(value):
    def change(holder, step):
        holder[step] = copied(value)
    return change


def keep_part(first, last):
    """Of a list, map or text, this part."""
    def change(holder, step):
        value = holder[step]
        holder[step] = dict(list(value.items())[first:last]) if isinstance(value, dict) else value[first:last]
    return change


def edit(names, path, change):
    """A step: the change where the objects of these names have the path."""
    def step(case):
        made = copied(case)
        for name in names:
            if has(made[name], path):
                change(at(made[name], path[:-1]), path[-1])
        return made
    return step


def without_old(case):
    return {name: value for name, value in dict(case, op="CREATE", sub="").items() if name != "oldObject"}


def steps_at(case, names, path):
    """(bytes that it may save, step) at one place, which is in the objects of these names."""
    value = at(case[names[0]], path)
    size = len(write(value))
    if len(names) == 2 and at(case["object"], path) != at(case["oldObject"], path):
        yield size, edit(["oldObject"], path, put(value))
        yield size, edit(["object"], path, put(at(case["oldObject"], path)))
    if path in KEPT:
        return
    yield size * len(names), edit(names, path, take)
    if len(names) == 2:
        yield from ((size, edit([name], path, take)) for name in names)
    if isinstance(value, (list, dict)) and len(value) > 3 or isinstance(value, str) and len(value) > 8:
        half = len(value) // 2
        yield size // 2, edit(names, path, keep_part(0, half))
        yield size // 2, edit(names, path, keep_part(half, len(value)))


def steps(case):
    """All, those that save most first: what is in both objects goes from both, or from one."""
    there = [name for name in OBJECTS if name in case]
    found = [(len(write(case)), without_old)] if len(there) == 2 else []
    done = set()
    for name in there:
        for path in paths(case[name]):
            if path not in done:
                done.add(path)
                found += steps_at(case, [other for other in there if has(case[other], path)], path)
    return [step for _, step in sorted(found, key=lambda pair: -pair[0])]


def cost(case):
    """Smaller is better: bytes, and what differs between the objects."""
    return len(write(case)) + (len(write(case["object"])) if case.get("oldObject", case["object"]) != case["object"] else 0)


def smaller(case, shows):
    """The first step that can be taken, or None."""
    waiting = steps(case)
    for first in range(0, len(waiting), TOGETHER):
        tried = [made for made in (step(case) for step in waiting[first:first + TOGETHER]) if cost(made) < cost(case)]
        found = next((made for made, good in zip(tried, shows(tried)) if good), None)
        if found:
            return found
    return None


def shrink(case, shows, seconds):
    """The smallest case that was found in time. `shows(cases)` says of each case whether it shows what this one does."""
    end, found = time.monotonic() + seconds, case
    while found and time.monotonic() < end:
        case, found = found, smaller(found, shows)
    return found or case
