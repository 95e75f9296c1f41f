#!/usr/bin/env python3
"""Certificates, CAs and configuration change while calls go on, as kubelet exchanges mounted files: none is lost, and what is wrong changes nothing.

    test_reload.py BUILD
"""
import base64, ssl, time

from objects import make
from stream import Stream
from suite import run
from test_policies import DENY_ADVICE, against_advice
from webhook import NAME, NAMESPACE

RELOAD_SECONDS = 30
CALLS = 200  # between two steps


def becomes(ask, wanted):
    """Whether it gets there in time."""
    end = time.monotonic() + RELOAD_SECONDS
    while ask() != wanted:
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def served(replica):
    return ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate(("127.0.0.1", replica.port), timeout=10))


def certificate(text):
    """The first certificate of a PEM file."""
    return ssl.PEM_cert_to_DER_cert(text[:text.index(b"-----END CERTIFICATE-----") + 26].decode())


def publish(tap, webhook, text):
    """Mounts the certificate in the authority's folder, and waits until all replicas show it."""
    webhook.authority.publish()
    wanted = certificate(webhook.authority.read("tls.crt"))
    for replica in webhook.replicas:
        tap.ok(becomes(lambda: served(replica), wanted), text, replica.said())


def connect_anew(webhook):
    """Another caBundle, if only by an empty line, makes the API server open new connections."""
    def change(entry):
        config = entry["clientConfig"]
        config["caBundle"] = base64.b64encode(base64.b64decode(config["caBundle"]) + b"\n").decode()
    webhook.register(failure_policy="Fail", change=change)


def reloads(replica, what, result):
    return replica.metrics().get(("reloads_total", frozenset({("what", what), ("result", result)})), 0)


def test_leaf(tap, cluster, webhook):
    webhook.start(replicas=2)
    webhook.register(failure_policy="Fail")
    with Stream(cluster.client) as stream:
        stream.wait_for(CALLS)
        old = served(webhook.replicas[0])
        webhook.authority.issue()
        publish(tap, webhook, "leaf: a replica shows the new certificate")
        tap.ok(served(webhook.replicas[0]) != old, "leaf: which is another one")
        stream.wait_for(CALLS)
        connect_anew(webhook)
        stream.wait_for(CALLS)
    stream.none_lost(tap, "a new serving certificate")


def test_bad_files(tap, cluster, webhook):
    """A certificate with the key of another one."""
    webhook.start()
    webhook.register(failure_policy="Fail")
    replica, authority = webhook.replicas[0], webhook.authority
    old = served(replica)
    with Stream(cluster.client) as stream:
        key = authority.read("tls.key")
        authority.issue()
        authority.mount.write({"tls.crt": authority.read("tls.crt"), "tls.key": key})
        tap.ok(becomes(lambda: reloads(replica, "certificate", "failure"), 1), "bad files: they are counted", replica.said())
        tap.ok(served(replica) == old, "bad files: the old certificate is still shown")
        stream.wait_for(CALLS)
        publish(tap, webhook, "bad files: the next good ones are taken")
        stream.wait_for(CALLS)
    stream.none_lost(tap, "bad files, then good ones")
    tap.ok("certificate" in replica.said(), "bad files: the log says so", replica.said())


def test_authority(tap, cluster, webhook):
    """A new CA: first both are in the caBundle, then the certificate changes, then the old CA goes."""
    authority = webhook.authority
    webhook.start(replicas=2)
    webhook.register(failure_policy="Fail")
    with Stream(cluster.client) as stream:
        stream.wait_for(CALLS)
        old = authority.read("ca.crt")
        authority.certs("rotate")
        webhook.register(failure_policy="Fail")
        stream.wait_for(CALLS)
        publish(tap, webhook, "CA: a replica shows a certificate of the new CA")
        stream.wait_for(CALLS)
        authority.certs("rotate", "--finish")
        webhook.register(failure_policy="Fail")
        stream.wait_for(CALLS)
    stream.none_lost(tap, "a new CA")
    tap.ok(authority.read("ca.crt") != old, "CA: it is another one")
    new = authority.read("ca-bundle.crt")
    authority.write("ca-bundle.crt", old)
    webhook.register(failure_policy="Fail")
    webhook.start()  # the API server still has connections from the time of the old caBundle
    answer = cluster.client.create(make("CSIDriver", "old.example.com"), dry_run=True)
    tap.ok(answer.status == 500 and "x509" in answer.message, "CA: the API server does look at it: with the old one alone, calls fail", answer)
    authority.write("ca-bundle.crt", new)


def test_configuration(tap, cluster, webhook):
    client = cluster.client
    webhook.start(configuration={"mode": "enforce"})
    webhook.register(failure_policy="Fail")
    ask = lambda: client.create(against_advice(), dry_run=True).status
    replica = webhook.replicas[0]
    with Stream(client) as stream:
        tap.equal(ask(), 201, "configuration: at first it only warns")
        webhook.configure(DENY_ADVICE)
        tap.ok(becomes(ask, 422), "configuration: with the new one it is denied", replica.said())
        webhook.configure({"mode": "sometimes"})
        tap.ok(becomes(lambda: reloads(replica, "configuration", "failure"), 1), "configuration: a wrong one is counted", replica.said())
        tap.equal(ask(), 422, "configuration: and leaves the old one in force")
        webhook.configure({"mode": "enforce"})
        tap.ok(becomes(ask, 201), "configuration: the next good one is taken", replica.said())
        stream.wait_for(CALLS)
    stream.none_lost(tap, "three configurations, one of them wrong")


if __name__ == "__main__":
    run(test_leaf, test_bad_files, test_authority, test_configuration)
