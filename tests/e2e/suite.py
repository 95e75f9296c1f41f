"""What every suite here does: a cluster, the webhook in it, and its tests one after the other."""
import os, sys, traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from cluster import Cluster
from tap import Tap
from webhook import Authority, Webhook

BUILD = os.path.abspath(sys.argv[1])


def run(*tests, authority=Authority):
    """Each test is a function of (tap, cluster, webhook). One that ends by an exception has failed; the next one runs all the same. Exits."""
    tap = Tap()
    with Cluster(BUILD) as cluster:
        webhook = Webhook(BUILD, cluster, authority)
        try:
            for test in tests:
                try:
                    test(tap, cluster, webhook)
                except Exception:
                    tap.ok(False, f"{test.__name__} comes to its end", traceback.format_exc() + "".join(one.said() for one in webhook.replicas))
        finally:
            webhook.close()
    sys.exit(tap.done())
