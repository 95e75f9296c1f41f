#!/usr/bin/env python3
"""Puts the objects of the cases before `drawbridge lint`, as JSON and as YAML, and compares with the verdicts of a real
API server: created ones as they are, updates with --old, updates of a status as objects that were stored.

    test_lint.py BUILD [CASES.jsonl...]        without files, those of cases/
"""
import json, os, re, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import cases as conformance
from notation import write
from tap import Tap


def read_cases(files):
    if not files:
        yield from conformance.supported()
    for path in files:
        with open(path, encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def yaml(value, indent=0):
    """A value in block style; strings in double quotes, as JSON writes them. Surrogates stay escaped, so such cases are left out."""
    pad = "  " * indent
    if isinstance(value, dict) and value:
        return "".join("\n" + pad + json.dumps(key) + ":" + yaml(item, indent + 1) for key, item in value.items())
    if isinstance(value, list) and value:
        return "".join("\n" + pad + "-" + yaml(item, indent + 1) for item in value)
    return " " + json.dumps(value)


EVERY_GATE = ["--feature-gates", "AllAlpha=true,AllBeta=true"] # as the cases are decided


def lint(build, options, folder):
    """Problems by the number of the file."""
    command = [os.path.join(build, "drawbridge"), "lint", "--format", "json", "--templates", "error", "--kubernetes-version", "1.35", *EVERY_GATE, *options, "new"]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    found = {}
    for line in done.stdout.splitlines()[:-1]:
        problem = json.loads(line)
        found.setdefault(int(os.path.basename(problem["file"]).split(".")[0]), []).append(problem)
    return found


def save(folder, name, suffix, texts):
    os.mkdir(os.path.join(folder, name))
    for number, text in enumerate(texts):
        with open(os.path.join(folder, name, f"{number:05}{suffix}"), "w", encoding="utf-8") as file:
            file.write(text)


def as_written(path, obj):
    """The path of a cause, as the user wrote the object: the API server names v1's places, and misspells one."""
    if obj["apiVersion"].endswith("/v1beta1"):
        path = re.sub(r"(requests\[[^]]*\])\.exactly\b", r"\1", path)
    return path.replace("spec.attachedRequired", "spec.attachRequired")


def without_basic(problem, obj):
    return re.sub(r"(devices\[[^]]*\])\.basic\b", r"\1", problem["path"]) if obj["apiVersion"].endswith("/v1beta1") else problem["path"]


def agrees(case, problems):
    """As conformance/README.md of the cases has it: every expected path, and no others but unknown fields."""
    expected = case["expect"]
    errors = {without_basic(problem, case["object"]) for problem in problems if problem["severity"] == "error" and problem["rule"] != "unknown-field"}
    unknown = {problem["path"] for problem in problems if problem["rule"] == "unknown-field"}
    if unknown != set(expected.get("unknown", [])) and expected["outcome"] != "undecodable":
        return False
    if expected["outcome"] == "allowed":
        return not errors
    if expected["outcome"] == "undecodable":
        return bool(errors)
    return errors == {as_written(cause["field"], case["object"]) for cause in expected["causes"]}


def report(tap, case, problems, what):
    good = agrees(case, problems)
    tap.ok(good, f"{case['id']} {what}" + ("" if good else json.dumps([case["expect"], problems])))


def compare_created(tap, build, cases, suffix, write):
    created = [case for case in cases if case["op"] == "CREATE"]
    with tempfile.TemporaryDirectory() as folder:
        save(folder, "new", suffix, [write(case["object"]) for case in created])
        found = lint(build, [], folder)
    for number, case in enumerate(created):
        report(tap, case, found.get(number, []), f"created, {suffix}")


def identity(obj):
    metadata = obj.get("metadata") if isinstance(obj.get("metadata"), dict) else {}
    return metadata.get("name"), metadata.get("namespace")


def compare_updated(tap, build, cases):
    """Objects are paired by name, so each pair has a run of its own."""
    for case in cases:
        if case["op"] != "UPDATE" or not identity(case["object"])[0] or identity(case["object"]) != identity(case["oldObject"]):
            continue
        if any(cause["field"] == "metadata.namespace" for cause in case["expect"].get("causes", [])):
            continue  # about a namespace that the request brings, not the file
        with tempfile.TemporaryDirectory() as folder:
            save(folder, "new", ".yaml", [yaml(case["object"])])
            save(folder, "old", ".json", [json.dumps(case["oldObject"])])
            found = lint(build, ["--old", "old"] + ["--as-status"] * (case["sub"] == "status"), folder)
        report(tap, case, found.get(0, []), "updated")


def stored(obj):
    metadata = {**obj["metadata"], "uid": "e0ffb4b4", "creationTimestamp": "2026-01-02T03:04:05Z"}
    return {**obj, "metadata": metadata}


def compare_stored(tap, build, cases):
    """Objects as an API server gives them, with a status that it has accepted or refused: without an older object, what an older status would
    have excused counts, and nothing is known of what may not change."""
    updated = [case for case in cases if case["sub"] == "status" and case["expect"]["outcome"] in ("allowed", "denied") and
               isinstance(case["oldObject"].get("status") or {}, dict) and not (case["oldObject"].get("status") or {}).get("allocation")]
    with tempfile.TemporaryDirectory() as folder:
        save(folder, "new", ".json", [write(stored(case["object"])) for case in updated])
        found = lint(build, [], folder)
    for number, case in enumerate(updated):
        errors = {problem["path"] for problem in found.get(number, []) if problem["severity"] == "error" and problem["rule"] != "unknown-field" and problem["path"].startswith("status")}
        expected = {cause["field"] for cause in case["expect"].get("causes", []) if cause["field"].startswith("status")}
        tap.ok(errors == expected, f"{case['id']} stored" + ("" if errors == expected else json.dumps([sorted(expected), sorted(errors)])))
    tap.ok(len(updated) > 30, f"{len(updated)} statuses of stored objects")


def main(build, files):
    tap = Tap()
    cases = list(read_cases(files))
    compare_created(tap, build, cases, ".json", write)  # without spaces, which would count as bytes of JSON
    compare_created(tap, build, cases, ".yaml", yaml)
    compare_updated(tap, build, cases)
    compare_stored(tap, build, cases)
    return tap.done()


sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2:]))
