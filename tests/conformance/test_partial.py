#!/usr/bin/env python3
"""A value of a wrong type does not make `drawbridge lint` say what is not so of the rest: in each object of the cases that an API server allows,
each value in turn is made one of a wrong type, and nothing else may be found that was not found before.

    test_partial.py BUILD
"""
import copy, json, os, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import cases as conformance
from tap import Tap

ROUND = 3000  # objects that are linted together
EVERY_GATE = ["--feature-gates", "AllAlpha=true,AllBeta=true"]  # as the cases are decided


def allowed_objects():
    """One of each shape: objects with the same members are broken alike."""
    seen = set()
    for case in conformance.supported():
        obj = case["object"]
        shape = json.dumps(outline(obj))
        if case["expect"]["outcome"] == "allowed" and isinstance(obj, dict) and shape not in seen:
            seen.add(shape)
            yield obj


def outline(value):
    if isinstance(value, dict):
        return {name: outline(member) for name, member in value.items()}
    return [outline(element) for element in value] if isinstance(value, list) else type(value).__name__


def places(value, way=()):
    """The ways to the values below."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, child in children:
        yield from places(child, way + (name,))
        yield way + (name,)


def broken(obj, seen):
    """The object with each value made one that has no other use: a list for scalars, a text for what contains others. Once for each place
    among the same members."""
    for way in places(obj):
        around = obj
        for name in way[:-1]:
            around = around[name]
        what = (obj["apiVersion"], obj["kind"], *("[]" if isinstance(name, int) else name for name in way), *(around if isinstance(around, dict) else ()))
        if way[0] in ("apiVersion", "kind") or what in seen:
            continue
        seen.add(what)
        other = copy.deepcopy(obj)
        around = other
        for name in way[:-1]:
            around = around[name]
        around[way[-1]] = "x" if isinstance(around[way[-1]], (dict, list)) else [[]]
        yield way, other


def lint(build, objects):
    """The findings of each object, which is a line."""
    text = "\n".join(json.dumps(obj) for obj in objects)
    done = subprocess.run([os.path.join(build, "drawbridge"), "lint", "--format", "json", "--kubernetes-version", "1.35", "--ignore", "duplicate-object", *EVERY_GATE, "-"],
                          input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    found = [[] for _ in objects]
    for line in done.stdout.splitlines()[:-1]:  # the last one is the summary
        problem = json.loads(line)
        found[problem["line"] - 1].append(problem)
    return found


def said(problems):
    return {(problem["path"], problem["rule"]) for problem in problems if problem["rule"] != "type"}


def main(build):
    tap, batch, seen, count, more, false = Tap(), [], set(), 0, 0, []
    objects = list(allowed_objects())

    def flush():
        nonlocal count, more
        together = lint(build, [each for before, way, each in batch])
        for (before, way, each), problems in zip(batch, together):
            if not any(problem["rule"] == "type" for problem in problems):
                continue  # of that value, any type is right
            count += 1
            more += bool(said(problems))
            if said(problems) - before:
                false.append((way, sorted(said(problems) - before), json.dumps(each)[:600]))
        batch.clear()

    for obj, problems in zip(objects, lint(build, objects)):
        batch.extend((said(problems), way, each) for way, each in broken(obj, seen))
        if len(batch) > ROUND:
            flush()
    flush()
    tap.ok(count > 1000 and more > 100, f"{count} broken values in {len(objects)} objects; of {more}, more is said")
    tap.ok(not false, f"nothing is found that follows from them: {len(false)} false", "\n".join(map(str, false[:8])))
    return tap.done()


sys.exit(main(os.path.abspath(sys.argv[1])))
