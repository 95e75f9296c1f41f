#!/usr/bin/env python3
"""The conformance cases put to a real API server, with the webhook behind it: its verdict is that of `drawbridge review`, and what it allows the webhook
allows, too.

    test_conformance.py BUILD

Creates are server-side dry runs. For an update the old object is stored first, and its status, and the new one is a dry run. What cannot be asked so
is left out and counted: old objects that today's API server refuses, names and namespaces that cannot stand in a URL, metadata that an API server
writes itself before it validates.
"""
import os, re, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "conformance"))
import api
import cases as conformance
from suite import BUILD, run
from test_review import agrees, validate

DNS_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
LEAST_ASKED = 2500  # of more than 3,000
ADMIN_ACCESS = {"resource.kubernetes.io/admin-access": "true"}  # in the cases, namespaces allow it


def named(case):
    """(name, namespace) for the URL, or None where they cannot stand there."""
    def of(obj):
        metadata = obj.get("metadata") if isinstance(obj.get("metadata"), dict) else {}
        return metadata.get("name"), metadata.get("namespace")
    name, namespace = of(case.get("oldObject") or case["object"])
    good = namespace is None or isinstance(namespace, str) and DNS_LABEL.fullmatch(namespace or "default")
    if case["op"] == "UPDATE":  # an API server fills in a namespace that is missing
        good = good and isinstance(name, str) and re.fullmatch(r"[-.a-z0-9]+", name) and of(case["object"]) == (name, namespace) and (namespace or not api.RESOURCES[case["object"]["kind"]][2])
    return (name, namespace or "default") if good else None


# Set by API servers, whatever the request says; managed fields that they cannot read are dropped.
SYSTEM_METADATA = {"uid", "deletionTimestamp", "deletionGracePeriodSeconds", "managedFields"}


def sets_system_metadata(case):
    objects = [case["object"], case.get("oldObject") or {}]
    return any(isinstance(obj.get("metadata"), dict) and SYSTEM_METADATA & obj["metadata"].keys() for obj in objects)


def verdict(answer):
    """The answer in the terms of a case, or None if it is none about the object."""
    if answer.good:
        return {"outcome": "allowed"}
    if answer.status == 422:
        return {"outcome": "denied", "causes": [{"field": field, "reason": reason} for field, reason in answer.causes()]}
    return {"outcome": "undecodable"} if answer.status == 400 else None


def ask_update(client, case, old, place):
    """The answer to the update, or None if the old object cannot be stored."""
    answer = client.call("POST", api.path(place, name=False), old)
    if not answer.good:
        return None
    try:
        if old.get("status") is not None:
            answer = client.update(dict(answer.body, status=old["status"]), sub="status")
            if not answer.good:
                return None
        metadata = case["object"].get("metadata")
        if isinstance(metadata, dict) and not metadata.get("resourceVersion"):
            metadata["resourceVersion"] = answer.body["metadata"]["resourceVersion"]
        return client.call("PUT", api.path(place, sub=case["sub"], dry_run=True), case["object"])
    finally:
        client.remove(place)


def ask(client, case):
    name, namespace = named(case)
    place = {"apiVersion": case["object"]["apiVersion"], "kind": case["object"]["kind"], "metadata": {"name": name, "namespace": namespace}}
    if case["op"] == "CREATE":
        return client.call("POST", api.path(place, name=False, dry_run=True), case["object"])
    return ask_update(client, case, case["oldObject"], place)


def test_cases(tap, cluster, webhook):
    client = cluster.client
    webhook.start()
    webhook.register(failure_policy="Fail", controllers=True)
    all_cases = conformance.supported()
    possible = [case for case in all_cases if named(case) and not sets_system_metadata(case)]
    for namespace in sorted({named(case)[1] for case in possible}):
        client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace, "labels": ADMIN_ACCESS}})
    asked = {"CREATE": 0, "UPDATE": 0}
    responses = validate(BUILD, "1.35", possible)
    for case, response in zip(possible, responses):
        answer = ask(client, case)
        if answer is not None:
            asked[case["op"]] += 1
            said = verdict(answer)
            text = f"{case['id']}: {case['op'].lower()} of a {case['object']['kind']} is {said['outcome'] if said else answer.status}, and drawbridge agrees"
            good = said and agrees(case, said, response)
            tap.ok(good, text, None if good else f"API server: {answer}\ndrawbridge: {response}")
    tap.ok(sum(asked.values()) >= LEAST_ASKED, f"at least {LEAST_ASKED} cases could be asked")
    print(f"# measured: {asked['CREATE']} creates and {asked['UPDATE']} updates of {len(all_cases)} cases")
    tap.ok(webhook.reviews(verdict="allowed") + webhook.reviews(verdict="warned") > LEAST_ASKED // 2, "the webhook has seen what the API server allowed")
    tap.equal(webhook.reviews(verdict="denied"), 0, "the webhook denied nothing that the API server allows")


if __name__ == "__main__":
    run(test_cases)
