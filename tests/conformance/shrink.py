"""Makes a case smaller that shows something, for as long as it still shows it: members and elements are taken away, texts are cut, the older object is
made like the new one. All steps that can be taken are tried at once, since the programs that are asked answer many cases as fast as one.
"""
import copy

from notation import write

MOST_ROUNDS = 60
MOST_STEPS = 600  # that are tried in a round
KEPT = {("kind",), ("apiVersion",), ("metadata",), ("metadata", "name")}  # without them it is another request
OBJECTS = ("object", "oldObject")


def paths(value, path=()):
    """Of all members and elements, the last ones first: outer ones before inner ones."""
    steps = list(value) if isinstance(value, dict) else range(len(value) - 1, -1, -1) if isinstance(value, list) else ()
    for step in steps:
        yield path + (step,)
        yield from paths(value[step], path + (step,))


def at(value, path):
    """The value at a path, or KeyError, IndexError, TypeError."""
    for step in path:
        value = value[step]
    return value


def has(value, path):
    try:
        at(value, path)
        return True
    except (KeyError, IndexError, TypeError):
        return False


def edited(case, names, path, change):
    """A copy in which the change was made to what holds the place, in each object that has it."""
    made = dict(case, **{name: copy.deepcopy(case[name]) for name in names})
    for name in names:
        if has(made[name], path):
            change(at(made[name], path[:-1]), path[-1])
    return made


def take(holder, step):
    del holder[step]


def put(value):
    def change(holder, step):
        holder[step] = copy.deepcopy(value)
    return change


def keep_part(first, last):
    """Of a list or map, these elements."""
    def change(holder, step):
        value = holder[step]
        holder[step] = dict(list(value.items())[first:last]) if isinstance(value, dict) else value[first:last]
    return change


def steps_at(case, names, path, value):
    """The cases that are smaller at one place."""
    if path not in KEPT:
        yield edited(case, names, path, take)
        if "oldObject" in case and has(case["object"], path) and has(case["oldObject"], path) and at(case["object"], path) != at(case["oldObject"], path):
            yield edited(case, ["oldObject"], path, put(at(case["object"], path)))
            yield edited(case, ["object"], path, put(at(case["oldObject"], path)))
    if isinstance(value, (list, dict)) and len(value) > 3 or isinstance(value, str) and len(value) > 8 and path not in KEPT:
        half = len(value) // 2
        yield edited(case, names, path, keep_part(0, half))
        yield edited(case, names, path, keep_part(half, len(value)))


def steps(case):
    """Smaller cases: what is in both objects goes from both, or from one."""
    there = [name for name in OBJECTS if name in case]
    if len(there) == 2:
        yield {name: value for name, value in dict(case, op="CREATE", sub="").items() if name != "oldObject"}
        yield dict(case, oldObject=copy.deepcopy(case["object"]))
    done = set()
    for name in there:
        for path in paths(case[name]):
            if path in done:
                continue
            done.add(path)
            value = at(case[name], path)
            both = [other for other in there if has(case[other], path)]
            yield from steps_at(case, both, path, value)
            if len(both) == 2:
                for other in both:
                    yield edited(case, [other], path, take) if path not in KEPT else case


def shrink(case, shows):
    """The smallest case that was found. `shows(cases)` says of each case whether it shows what this one does."""
    for _ in range(MOST_ROUNDS):
        size = len(write(case))
        smaller = [made for made in steps(case) if len(write(made)) < size or made.get("oldObject") == made["object"] != case.get("oldObject")]
        smaller.sort(key=lambda made: len(write(made)))
        found = next((made for made, good in zip(smaller[:MOST_STEPS], shows(smaller[:MOST_STEPS])) if good), None)
        if found is None:
            return case
        case = found
    return case
