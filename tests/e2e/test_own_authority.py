#!/usr/bin/env python3
"""Replicas that issue their own certificates with a mounted CA for the Service's names only: the API server trusts them, and the CA can change under calls.

    test_own_authority.py BUILD
"""
import socket, ssl

from stream import Stream
from suite import run
from test_reload import becomes, served
from webhook import NAME, NAMESPACE, OwnAuthority

CALLS = 200


def trusted(replica, ca):
    """Whether a client with that CA alone trusts what the replica shows."""
    context = ssl.create_default_context(cadata=ca.decode())
    try:
        with socket.create_connection(("127.0.0.1", replica.port), 10) as plain, context.wrap_socket(plain, server_hostname=f"{NAME}.{NAMESPACE}.svc"):
            return True
    except ssl.SSLCertVerificationError:
        return False


def test_calls(tap, cluster, webhook):
    webhook.start(replicas=2)
    webhook.register(failure_policy="Fail")
    one, other = map(served, webhook.replicas)
    tap.ok(one != other, "each replica has a certificate of its own")
    with Stream(cluster.client) as stream:
        stream.wait_for(CALLS)
    stream.none_lost(tap, "certificates that replicas issued")


def test_rotation(tap, cluster, webhook):
    authority = webhook.authority
    webhook.start(replicas=2)
    webhook.register(failure_policy="Fail")
    with Stream(cluster.client) as stream:
        old = authority.read("ca.crt")
        authority.certs("rotate")
        new = authority.read("ca.crt")
        webhook.register(failure_policy="Fail")
        stream.wait_for(CALLS)
        tap.ok(trusted(webhook.replicas[0], old) and not trusted(webhook.replicas[0], new), "the replicas still use the old CA")
        authority.publish()
        for replica in webhook.replicas:
            tap.ok(becomes(lambda: trusted(replica, new), True), "a replica issues with the new CA", replica.said())
        stream.wait_for(CALLS)
        authority.certs("rotate", "--finish")
        webhook.register(failure_policy="Fail")
        stream.wait_for(CALLS)
    stream.none_lost(tap, "a new CA in the replicas")


if __name__ == "__main__":
    run(test_calls, test_rotation, authority=OwnAuthority)
