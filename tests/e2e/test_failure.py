#!/usr/bin/env python3
"""A webhook that is down or hangs: with failurePolicy Ignore the cluster goes on, with Fail it refuses what the webhook would validate, and nothing else.

    test_failure.py BUILD
"""
import os, signal, time

from objects import make
from suite import run

TIMEOUT = 5  # timeoutSeconds of the registration
QUICK = 2    # seconds for a call that waits for nobody


def timed(call):
    start = time.monotonic()
    answer = call()
    return answer, time.monotonic() - start


def driver(name="down.example.com"):
    return make("CSIDriver", name)


def test_ignore(tap, cluster, webhook):
    client = cluster.client
    webhook.start()
    webhook.register(failure_policy="Ignore")
    tap.ok(client.create(driver(), dry_run=True).good, "Ignore: a call goes through while the webhook is up")
    webhook.stop()
    answer, seconds = timed(lambda: client.create(driver(), dry_run=True))
    tap.ok(answer.good, "Ignore: a call goes through while it is down", answer)
    tap.ok(seconds < QUICK, f"Ignore: and at once", seconds)


def test_fail(tap, cluster, webhook):
    client = cluster.client
    webhook.start()
    webhook.register(failure_policy="Fail")
    tap.ok(client.create(driver(), dry_run=True).good, "Fail: a call goes through while the webhook is up")
    webhook.stop()
    answer, seconds = timed(lambda: client.create(driver(), dry_run=True))
    tap.ok(answer.status == 500 and 'failed calling webhook "people.drawbridge.dev"' in answer.message, "Fail: a call is refused while it is down", answer)
    tap.ok(seconds < QUICK, "Fail: and at once", seconds)
    tap.ok(client.create(make("CSINode", "node-1"), dry_run=True).good, "Fail: of a kind that only nodes and controllers write, it goes through")
    for user in "node", "scheduler", "controllers", "system-account":
        answer = client.create(driver(), dry_run=True, user=user)
        tap.ok(answer.good, f"Fail: by {user}, it goes through", answer)
    for namespace in "kube-system", "drawbridge-system":
        answer = client.create(make("ResourceClaim", "down", namespace=namespace), dry_run=True)
        tap.ok(answer.good, f"Fail: in {namespace}, it goes through", answer)
    webhook.start()
    answer = client.create(driver(), dry_run=True)
    tap.ok(answer.good, "Fail: once a replica is up again, the next call goes through", answer)


def test_emergency(tap, cluster, webhook):
    """What the documents say for an emergency."""
    client = cluster.client
    webhook.start()
    webhook.register(failure_policy="Fail")
    webhook.stop()
    status, _, errors = cluster.kubectl("delete", "validatingwebhookconfiguration", "drawbridge")
    tap.ok(status == 0, "emergency: the registration can be deleted while the webhook is down", errors)
    webhook.settle()
    tap.ok(client.create(driver(), dry_run=True).good, "emergency: then calls go through")


def test_hanging(tap, cluster, webhook):
    """A process that is stopped keeps its connections and says nothing."""
    client = cluster.client
    for policy in "Ignore", "Fail":
        webhook.start()
        webhook.register(failure_policy=policy)
        client.create(driver(), dry_run=True)
        process = webhook.replicas[0].program.pid
        os.kill(process, signal.SIGSTOP)
        answer, seconds = timed(lambda: client.create(driver(), dry_run=True))
        os.kill(process, signal.SIGCONT)
        tap.equal(answer.good, policy == "Ignore", f"{policy}: a call while it hangs")
        tap.ok(TIMEOUT - 1 < seconds < TIMEOUT + QUICK, f"{policy}: is decided after timeoutSeconds", f"{seconds} s, {answer}")


if __name__ == "__main__":
    run(test_ignore, test_fail, test_emergency, test_hanging)
