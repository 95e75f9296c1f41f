#!/usr/bin/env python3
"""What the webhook's answers do to a client: denials with causes, warnings, modes, policies for namespaces, audit annotations.

    test_policies.py BUILD
"""
import json, time

from objects import make
from suite import run

# Documented, but no API server asks for it: an object that warns.
FIELD = "spec.requiresRepublish"
DENY_ADVICE = {"policies": [{"kinds": ["CSIDriver"], "rules": ["recommended"], "fields": [FIELD], "mode": "enforce"}]}


def against_advice(name="advice.example.com"):
    obj = make("CSIDriver", name)
    obj["spec"]["requiresRepublish"] = False  # with tokens, which expire
    return obj


def audited(cluster, name, wanted=1):
    """The annotations of the newest requests for an object, oldest first; waits until there are as many."""
    end = time.monotonic() + 10
    while True:
        with open(cluster.path("audit.log")) as log:
            events = [json.loads(line) for line in log if name in line]
        if len(events) >= wanted or time.monotonic() > end:
            return [event.get("annotations", {}) for event in events]
        time.sleep(0.1)


def test_should_denies(tap, cluster, webhook):
    webhook.start(configuration=DENY_ADVICE)
    webhook.register(failure_policy="Fail")
    obj = against_advice()
    answer = cluster.client.create(obj)
    tap.equal(answer.status, 422, "deny: the API server refuses what a `should` rule set to deny refuses")
    tap.ok((FIELD, "FieldValueRequired") in answer.causes() or (FIELD, "FieldValueInvalid") in answer.causes(), "deny: the client gets the cause", answer.body)
    tap.ok('admission webhook "people.drawbridge.dev" denied the request' in answer.message, "deny: and who refused it", answer)
    tap.equal(cluster.client.get(obj).status, 404, "deny: nothing is stored")
    status, _, errors = cluster.kubectl("create", "-f", "-", stdin=json.dumps(obj))
    tap.ok(status != 0 and FIELD in errors and "[recommended]" in errors, "deny: kubectl prints field and rule", errors)
    status, _, errors = cluster.kubectl("create", "--dry-run=server", "-f", "-", stdin=json.dumps(obj))
    tap.ok(status != 0 and FIELD in errors, "deny: a server-side dry run is refused, too", errors)
    status, output, errors = cluster.kubectl("create", "--dry-run=server", "-f", "-", stdin=json.dumps(make("CSIDriver", "advice.example.com")))
    tap.ok(status == 0 and "created (server dry run)" in output, "deny: a good object passes", errors)


def test_warnings(tap, cluster, webhook):
    webhook.start()
    webhook.register(failure_policy="Fail")
    answer = cluster.client.create(against_advice(), dry_run=True)
    tap.ok(answer.good and any(FIELD in warning for warning in answer.warnings), "warn: the client gets the warning with the field", answer)
    tap.ok(all(len(warning) <= 256 for warning in answer.warnings), "warn: none is cut by the API server", answer)
    status, _, errors = cluster.kubectl("create", "--dry-run=server", "-f", "-", stdin=json.dumps(against_advice()))
    tap.ok(status == 0 and "Warning: " in errors and FIELD in errors, "warn: kubectl prints it", errors)
    tap.equal(cluster.client.create(make("CSIDriver", "advice.example.com"), dry_run=True).warnings, [], "warn: a good object has none")


def test_modes(tap, cluster, webhook):
    for mode in "warn", "audit":
        webhook.start(configuration={"policies": [{"rules": ["*"], "mode": mode}]})
        webhook.register(failure_policy="Fail")
        answer = cluster.client.create(against_advice(f"{mode}.example.com"), dry_run=True)
        tap.equal((answer.good, bool(answer.warnings)), (True, mode == "warn"), f"mode {mode}: allowed, {'with' if mode == 'warn' else 'without'} warnings")
        annotations = audited(cluster, f"{mode}.example.com")[-1]
        tap.ok("recommended" in annotations.get("people.drawbridge.dev/rules", ""), f"mode {mode}: the audit log has the rules", annotations)


def test_namespaces(tap, cluster, webhook):
    for namespace in "team-a", "team-b", "dev-1":
        cluster.client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
    webhook.start(configuration={"policies": [{"namespaces": ["team-a", "dev-*"], "rules": ["*"], "mode": "enforce"}]})
    webhook.register(failure_policy="Fail")
    for namespace, denied in ("team-a", True), ("dev-1", True), ("team-b", False):
        obj = make("ResourceClaim", "namespaced", namespace=namespace)
        obj["spec"]["devices"]["requests"][0]["exactly"]["tolerations"] = [{"effect": "NoExecute"}]
        answer = cluster.client.create(obj, dry_run=True)
        tap.equal(answer.status, 422 if denied else 201, f"namespaces: in {namespace} it is {'denied' if denied else 'allowed'}")
        tap.equal(bool(answer.warnings), not denied, f"namespaces: in {namespace} it {'is no warning' if denied else 'warns'}")


def test_audit(tap, cluster, webhook):
    webhook.start(configuration=DENY_ADVICE)
    webhook.register(failure_policy="Fail")
    cluster.client.create(against_advice("audited.example.com"), dry_run=True)
    annotations = audited(cluster, "audited.example.com")[-1]
    rules = annotations.get("people.drawbridge.dev/rules", "").split(",")
    tap.ok("recommended" in rules and len(rules) == len(set(rules)), "audit: a denial has the rules, each once", annotations)
    tap.ok(int(annotations.get("people.drawbridge.dev/findings", "0")) >= 1, "audit: and how many findings", annotations)
    cluster.client.create(make("CSIDriver", "silent.example.com"), dry_run=True)
    annotations = audited(cluster, "silent.example.com")[-1]
    tap.ok(not any(name.startswith("people.drawbridge.dev/") for name in annotations), "audit: an object without findings has no annotation", annotations)


if __name__ == "__main__":
    run(test_should_denies, test_warnings, test_modes, test_namespaces, test_audit)
