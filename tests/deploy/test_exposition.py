#!/usr/bin/env python3
"""/metrics of a server that had every kind of review and refusal, as promtool sees it.

    test_exposition.py BUILD
"""
import json, os, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), "http"), os.path.dirname(HERE)]
from client import Server, reviews
from tap import Tap


def check(tap, server, text):
    body = server.status("/metrics")[2]
    done = subprocess.run(["promtool", "check", "metrics"], input=body, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    tap.ok(done.returncode == 0 and not done.stdout and body.count(b"# TYPE ") > 25, f"{text}: promtool has nothing to say", done.stdout.decode())
    return body


def main(build):
    tap = Tap()
    server = Server(build, "--shutdown-delay", "0", version=None)
    check(tap, server, "nothing has come yet")
    for name, body in reviews(os.path.join(HERE, "..", "reviews")):
        review = json.loads(body)
        server.ask(body)
        for key in ("operation", "subResource", "uid"):
            server.ask(json.dumps({**review, "request": {**review["request"], key: 'x"} 1\nevil 2\n'}}).encode())
        if review["request"].get("object"):
            review["request"]["object"]["metadata"]["name"] = "Not A Name"
            server.ask(json.dumps(review).encode())
    server.ask(b"", path='/x"}')
    body = check(tap, server, "every review, good and bad")
    tap.ok(b"evil" not in body and body.count(b"drawbridge_reviews_total{") > 100, f"{len(body)} bytes, and nothing of what callers write")
    server.stop()
    return tap.done()


sys.exit(main(sys.argv[1]))
