#!/usr/bin/env python3
"""Two replicas behind a TCP balancer that follows /readyz, restarted in turn while calls go on, with failurePolicy Fail: none is lost. Nor with many callers.

    test_replicas.py BUILD [RESTARTS]
"""
import sys

from stream import Stream
from suite import run
from webhook import DRAIN

RESTARTS = int(sys.argv[2]) if len(sys.argv) > 2 else 3
CALLS_BETWEEN = 300
CROWD = 100


def test_rolling_restart(tap, cluster, webhook):
    webhook.start(*DRAIN, replicas=2)
    webhook.register(failure_policy="Fail")
    with Stream(cluster.client) as stream:
        for number in range(RESTARTS):
            stream.wait_for(CALLS_BETWEEN)
            old = webhook.replicas[0]
            tap.equal(webhook.remove(old), 0, f"restart {number + 1}: the old replica ends with status 0")
            stream.wait_for(CALLS_BETWEEN)  # the other one is alone
            webhook.add(*DRAIN)
        stream.wait_for(CALLS_BETWEEN)
    stream.none_lost(tap, f"{RESTARTS} restarts of one of two replicas")
    tap.ok(all(replica.metrics() for replica in webhook.replicas), "both replicas live")
    tap.equal(webhook.balancer.refused, 0, "there was always a replica that is ready")


def test_surge(tap, cluster, webhook):
    """As a Deployment of one replica does it: the new one first."""
    webhook.start(*DRAIN)
    webhook.register(failure_policy="Fail")
    with Stream(cluster.client) as stream:
        stream.wait_for(CALLS_BETWEEN)
        old = webhook.replicas[0]
        webhook.add(*DRAIN)
        webhook.remove(old)
        stream.wait_for(CALLS_BETWEEN)
    stream.none_lost(tap, "a new replica in the place of the only one")


def test_crowd(tap, cluster, webhook):
    """An API server keeps 25 connections at rest: with more calls at a time, connections come and go."""
    webhook.start(replicas=2)
    webhook.register(failure_policy="Fail")
    before = webhook.balancer.accepted
    with Stream(cluster.client, threads=CROWD) as stream:
        stream.wait_for(10 * CALLS_BETWEEN)
    stream.none_lost(tap, f"{CROWD} callers at a time")
    tap.ok(webhook.balancer.accepted - before > CROWD, "more connections were made than there are callers", webhook.balancer.accepted - before)


if __name__ == "__main__":
    run(test_rolling_restart, test_surge, test_crowd)
