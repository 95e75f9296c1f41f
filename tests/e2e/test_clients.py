#!/usr/bin/env python3
"""An API server that shows a client certificate to the webhook: `serve --client-ca` tells it from others.

    test_clients.py BUILD
"""
from objects import make
from suite import run


def calls(webhook, name):
    return sum(number for (metric, labels), number in webhook.replicas[0].metrics().items()
               if metric == "client_requests_total" and ("name", name) in labels)


def ask(cluster):
    return cluster.client.create(make("CSIDriver", "client.example.com"), dry_run=True)


def test_known(tap, cluster, webhook):
    webhook.start("--client-ca", cluster.path("callers.crt"), "--client-cn", "kube-apiserver")
    webhook.register(failure_policy="Fail")
    answer = ask(cluster)
    tap.ok(answer.good, "the API server is known by its certificate", answer)
    tap.ok(calls(webhook, "kube-apiserver") >= 1, "and counted by its name")


def test_other_name(tap, cluster, webhook):
    webhook.start("--client-ca", cluster.path("callers.crt"), "--client-cn", "somebody-else")
    webhook.register(failure_policy="Fail")
    answer = ask(cluster)
    tap.ok(answer.status == 500 and "failed calling webhook" in answer.message, "an API server of another name is refused", answer)
    tap.equal(webhook.reviews(verdict="allowed"), 0, "and its review is not validated")


def test_other_authority(tap, cluster, webhook):
    for mode, good in ("require", False), ("observe", True):
        webhook.start("--client-ca", cluster.path("ca.crt"), "--client-mode", mode)
        webhook.register(failure_policy="Fail")
        answer = ask(cluster)
        tap.equal(answer.good, good, f"{mode}: an API server with a certificate of another CA is {'served' if good else 'refused'}")


if __name__ == "__main__":
    run(test_known, test_other_name, test_other_authority)
