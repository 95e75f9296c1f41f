#!/usr/bin/env python3
"""Which requests the API server sends to the webhook, and which it does not: rules, conditions and selectors of the registration. Proved by the webhook's own
count of reviews.

    test_scope.py BUILD
"""
from objects import STATUSES, VERSIONS, kinds, make
from objects import NAMESPACED as ALL_NAMESPACED
from suite import run
from webhook import require

# Kinds that the API server serves.
PEOPLE, CONTROLLERS = ([kind for kind in kinds.written_by(who) if kind in VERSIONS] for who in ("PEOPLE", "CONTROLLERS"))
NAMESPACED = [kind for kind in ALL_NAMESPACED if kind in VERSIONS]
CLUSTER_SCOPED = [kind for kind in PEOPLE if kind not in NAMESPACED]
SYSTEM = ["node", "scheduler", "controllers", "system-account"]
NAMES = {"node": "a node", "scheduler": "the scheduler", "controllers": "the controller manager", "system-account": "a service account of kube-system",
         "account": "another service account", "person": "a person"}


class Counter:
    """Calls that must go through, and how often each reaches the webhook."""

    def __init__(self, tap, webhook, prefix):
        self.tap, self.webhook, self.prefix = tap, webhook, prefix

    def expect(self, reviews, text, call):
        before = self.webhook.reviews()
        answer = call()
        got = self.webhook.reviews() - before
        words = "reaches the webhook" if reviews else "does not reach the webhook"
        self.tap.ok(answer.good and got == reviews, f"{self.prefix}: {text} {words}", f"{got} reviews, {answer}")
        return answer


def start(tap, webhook, prefix, controllers):
    webhook.start()
    webhook.register(failure_policy="Fail", controllers=controllers)
    return Counter(tap, webhook, prefix)


def store(client, kind, name="stored", **metadata):
    """Stores an object, by whom the webhook does not matter; returns it as it is."""
    obj = make(kind, name, **metadata)
    client.remove(obj)
    return require(client.create(obj)).body


def status_update(client, kind):
    stored = store(client, kind)
    stored["status"] = STATUSES[kind]
    return lambda: client.update(stored, sub="status")


def test_people(tap, cluster, webhook):
    """The entry that is always there."""
    client = cluster.client
    counter = start(tap, webhook, "one entry", controllers=False)
    for kind in PEOPLE:
        counter.expect(1, f"a {kind} by a person", lambda: client.create(make(kind, "scope"), dry_run=True, user="person"))
    for kind in CONTROLLERS:
        counter.expect(0, f"a {kind}", lambda: client.create(make(kind, "scope"), dry_run=True))
    for kind in STATUSES:
        counter.expect(0, f"a status update of a {kind}", status_update(client, kind))
    for kind in CLUSTER_SCOPED:
        for user in SYSTEM:
            counter.expect(0, f"a {kind} by {NAMES[user]}", lambda: client.create(make(kind, "scope"), dry_run=True, user=user))
        counter.expect(1, f"a {kind} by {NAMES['account']}", lambda: client.create(make(kind, "scope"), dry_run=True, user="account"))
    counter.expect(1, "a ResourceClaim by the controller manager", lambda: client.create(make("ResourceClaim", "scope"), dry_run=True, user="controllers"))
    stored = store(client, "CSIDriver")
    counter.expect(0, "a deletion", lambda: client.delete(stored))
    counter.expect(0, "an object of another kind", lambda: client.create({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "scope", "namespace": "default"}}, dry_run=True))


def test_controllers(tap, cluster, webhook):
    """With the second entry, which is off unless asked for."""
    client = cluster.client
    counter = start(tap, webhook, "two entries", controllers=True)
    for kind in PEOPLE + CONTROLLERS:
        counter.expect(1, f"a {kind}", lambda: client.create(make(kind, "scope"), dry_run=True, user="person"))
    for kind in STATUSES:
        counter.expect(1, f"a status update of a {kind}", status_update(client, kind))


def test_namespaces(tap, cluster, webhook):
    client = cluster.client
    counter = start(tap, webhook, "namespaces", controllers=True)
    for kind in sorted(NAMESPACED):
        for namespace, reviews in ("default", 1), ("kube-system", 0), ("drawbridge-system", 0):
            obj = make(kind, "scope", namespace=namespace)
            counter.expect(reviews, f"a {kind} in {namespace}", lambda: client.create(obj, dry_run=True, user="person"))


def test_finalizers(tap, cluster, webhook):
    client = cluster.client
    counter = start(tap, webhook, "finalizers", controllers=True)
    for kind in PEOPLE + CONTROLLERS:
        stored = store(client, kind, name="finalized", finalizers=["example.com/one", "example.com/two"])
        change = {"metadata": {"finalizers": ["example.com/one"]}}
        counter.expect(0, f"an update that only takes a finalizer off a {kind}", lambda: client.patch(stored, change, user="person"))
        change = {"metadata": {"finalizers": ["example.com/one", "example.com/new"]}}
        counter.expect(0, f"an update that only puts one on a {kind}", lambda: client.patch(stored, change, user="person"))
        change = {"metadata": {"finalizers": ["example.com/one"], "labels": {"and": "more"}}}
        counter.expect(1, f"an update of finalizers and a label of a {kind}", lambda: client.patch(stored, change, user="person"))
        require(client.delete(stored))
        counter.expect(0, f"the last finalizer of a {kind} that is being deleted", lambda: client.patch(stored, {"metadata": {"finalizers": None}}, user="person"))
        tap.equal(client.get(stored).status, 404, f"finalizers: the {kind} is gone")


def test_large_finalizer(tap, cluster, webhook):
    """The condition has a budget of CEL cost: the largest slice must not exceed it, or with failurePolicy Fail it would never go away."""
    client = cluster.client
    counter = start(tap, webhook, "the largest slice", controllers=True)
    obj = make("ResourceSlice", "large", finalizers=["example.com/one"])
    obj["spec"]["devices"] = [{"name": f"gpu-{device}", "attributes": {f"attribute_{number}": {"string": "x" * 64} for number in range(32)}} for device in range(128)]
    require(client.create(obj))
    counter.expect(1, "an update of its labels", lambda: client.patch(obj, {"metadata": {"labels": {"a": "b"}}}, user="person"))
    counter.expect(0, "an update of its finalizers", lambda: client.patch(obj, {"metadata": {"finalizers": None}}, user="person"))


if __name__ == "__main__":
    run(test_people, test_controllers, test_namespaces, test_finalizers, test_large_finalizer)
