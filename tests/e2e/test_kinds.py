#!/usr/bin/env python3
"""Create, update, status update, dry run and delete of every kind in every served version: all go through, and the webhook has seen them as they were sent.

    test_kinds.py BUILD
"""
from objects import STATUSES, VERSIONS, make
from suite import run


def seen(webhook, obj, operation):
    group, version = obj["apiVersion"].split("/")
    return webhook.reviews(operation=operation, group=group, version=version, kind=obj["kind"], verdict="allowed")


def goes_through(tap, webhook, obj, operation, call, text):
    """One call of the API server that the webhook must see once and allow without a warning."""
    before = seen(webhook, obj, operation)
    answer = call()
    tap.ok(answer.good, text, answer)
    tap.equal(seen(webhook, obj, operation) - before, 1, text + ": the webhook sees it once, in this version, and allows it")
    return answer


def test_life(tap, cluster, webhook):
    """From create to delete."""
    client = cluster.client
    webhook.start()
    webhook.register(failure_policy="Fail", controllers=True)
    for kind, versions in VERSIONS.items():
        for version in versions:
            what = f"{kind} {version}"
            obj = make(kind, "life", version)
            goes_through(tap, webhook, obj, "create", lambda: client.create(obj, dry_run=True), f"{what}: create, dry run")
            tap.equal(client.get(obj).status, 404, f"{what}: a dry run stores nothing")
            stored = goes_through(tap, webhook, obj, "create", lambda: client.create(obj), f"{what}: create").body
            stored["metadata"]["labels"] = {"step": "update"}
            goes_through(tap, webhook, obj, "update", lambda: client.update(stored, dry_run=True), f"{what}: update, dry run")
            stored = goes_through(tap, webhook, obj, "update", lambda: client.update(stored), f"{what}: update").body
            if kind in STATUSES:
                stored["status"] = STATUSES[kind]
                stored = goes_through(tap, webhook, obj, "status", lambda: client.update(stored, sub="status"), f"{what}: status update").body
                tap.ok(stored.get("status"), f"{what}: the status is stored")
            answer = client.remove(obj)
            tap.ok(answer.good, f"{what}: delete", answer)
            tap.equal(client.get(obj).status, 404, f"{what}: it is gone")


if __name__ == "__main__":
    run(test_life)
