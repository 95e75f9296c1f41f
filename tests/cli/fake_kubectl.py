#!/usr/bin/env -S python3 -IS
"""Answers as kubectl does, by the JSON file that FAKE_KUBECTL names:

    {"version": "1.35", "api_versions": ["v1", ...], "resources": {"csidrivers.v1.storage.k8s.io": ANSWER}}

ANSWER is a list of objects; or {"error": "..."}, {"text": "..."}, {"hang": true}, {"bytes": N}, {"flood": N} for standard error. What has none
is an empty List. Each call is added to the file "calls" beside that file; "calls.pid" is who hangs.
"""
import json, os, sys, time

FORBIDDEN = ('Error from server (Forbidden): {0} is forbidden: User "system:serviceaccount:drawbridge-scan:drawbridge-scan" cannot list resource "{0}" '
             'in API group "resource.k8s.io" at the cluster scope: ' + "a reason of an authorizer, " * 4)


def fail(text):
    for _ in range(100):
        print("E1123 07:00:00.000000 1 memcache.go:265] a line before", file=sys.stderr)
    print(text, file=sys.stderr)
    sys.exit(1)


def answer(known, arguments):
    if arguments[:2] == ["get", "--raw"]:
        major, minor = known["version"].split(".")
        return json.dumps({"emulationMajor": "0", "emulationMinor": "0", "gitVersion": "v0", "major": major, "minor": minor}, indent=2)
    if arguments == ["api-versions"]:
        return "\n".join(known["api_versions"]) + "\n"
    found = known["resources"].get(arguments[1], [])
    if isinstance(found, list):
        return json.dumps({"apiVersion": "v1", "items": found, "kind": "List", "metadata": {"resourceVersion": ""}}, indent=4) + "\n"
    if "flood" in found:
        sys.stderr.write("x" * found["flood"])
    if "flood" in found or "hang" in found:
        with open(os.path.join(os.path.dirname(os.environ["FAKE_KUBECTL"]), "calls.pid"), "w") as file:
            file.write(str(os.getpid()))
        time.sleep(600)
    if "bytes" in found:
        for _ in range(found["bytes"] // 1000000):
            sys.stdout.write(" " * 1000000)
    if "error" in found:
        fail(FORBIDDEN.format(arguments[1]) if found["error"] == "forbidden" else found["error"])
    return found.get("text", "")


with open(os.environ["FAKE_KUBECTL"]) as file:
    KNOWN = json.load(file)
with open(os.path.join(os.path.dirname(os.environ["FAKE_KUBECTL"]), "calls"), "a") as file:
    file.write(json.dumps(sys.argv[1:]) + "\n")
GIVEN = sys.argv[1:]
while GIVEN and GIVEN[0] in ("--context", "--kubeconfig"):
    if GIVEN[1] == "none":
        fail("The connection to the server localhost:8080 was refused - did you specify the right host or port?")
    GIVEN = GIVEN[2:]
sys.stdout.write(answer(KNOWN, GIVEN))
