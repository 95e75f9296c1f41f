#!/usr/bin/env python3
"""The webhook at work: starts `drawbridge serve`, posts reviews that a real API server sent, as they are and broken on purpose,
prints each verdict, and stops the server again.

    demo.py BUILD
"""
import http.client, json, os, signal, ssl, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CERTS = os.path.join("certs", "demo")  # its own authority, which nothing else trusts; everything in it may be replaced
REVIEWS = os.path.join(ROOT, "tests", "reviews")

# What is posted: a captured review, what is changed in it, and the change (text in the body, what takes its place, how often).
POSTS = [
    ("106-create-v1-csidriver.json", "as it was captured", None),
    ("106-create-v1-csidriver.json", "with an fsGroupPolicy that does not exist, and the same audience twice",
     [('"fsGroupPolicy":"File"', '"fsGroupPolicy":"Files"', 1), ('{"audience":""}', '{"audience":"vault"}', 1)]),
    ("107-update-v1-csidriver.json", "as it was captured", None),
    ("107-update-v1-csidriver.json", "that changes attachRequired", [('"attachRequired":true', '"attachRequired":false', 1)]),
    ("109-create-v1-csinode.json", "with node ids taken out", [('"nodeID":', '"nodeId":', -1)]),
    ("116-update-v1-storageclass.json", "that changes the reclaim policy and the parameters", [('"reclaimPolicy":"', '"reclaimPolicy":"Not', 1), ('"parameters":{"', '"parameters":{"x-', 1)]),
    ("112-create-v1-csistoragecapacity.json", "as it was captured", None),
    ("112-create-v1-csistoragecapacity.json", "with a negative capacity and an upper case class", [('"capacity":"', '"capacity":"-', 1), ('"storageClassName":"', '"storageClassName":"S', 1)]),
    ("121-create-v1-volumeattachment.json", "as it was captured", None),
    ("125-create-v1-volumeattributesclass.json", "without a driver", [('"driverName":', '"driver":', 1)]),
    ("125-create-v1-volumeattributesclass.json", "with a list where an object belongs", [('"parameters":{', '"parameters":[],"other":{', 1)]),
    ("017-create-v1-resourceslice.json", "as it was captured", None),
    ("017-create-v1-resourceslice.json", "with a default that its range does not allow, an attribute of two types, and a device twice",
     [('"default":"1Gi"', '"default":"17Gi"', 1), ('"model":{"string":"a100"}', '"model":{"string":"a100","int":1}', 1), ('"name":"gpu-1"', '"name":"gpu-0"', 1)]),
]


def say(text=""):
    print(text, flush=True)


def read_review(name, changes):
    with open(os.path.join(REVIEWS, name), encoding="utf-8") as file:
        body = file.read()
    for old, new, count in changes or []:
        if old not in body:
            raise SystemExit(f"{name} does not hold {old}")
        body = body.replace(old, new, count)
    return body


def certs(build, *arguments):
    say("  $ drawbridge certs " + " ".join(arguments))
    done = subprocess.run([os.path.join(build, "drawbridge"), "certs", *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    for line in done.stdout.splitlines():
        say("    " + line)
    if done.returncode:
        raise SystemExit(done.returncode)


def make_certificates(build):
    say("A certificate authority, and a certificate for this machine's loopback:")
    certs(build, "init", "--dir", CERTS, "--name", "drawbridge-demo", "--force")
    certs(build, "issue", "--dir", CERTS, "--service", "drawbridge.drawbridge-system", "--host", "localhost", "--ip", "127.0.0.1", "--force")


def start(build):
    say("\nThe webhook:")
    options = ["--listen", "127.0.0.1:0", "--status-listen", "127.0.0.1:0", "--cert", os.path.join(CERTS, "tls.crt"), "--key", os.path.join(CERTS, "tls.key"),
               "--kubernetes-version", "1.35", "--shutdown-delay", "0"]
    say("  $ drawbridge serve " + " ".join(options))
    log = tempfile.TemporaryFile("w+")
    server = subprocess.Popen([os.path.join(build, "drawbridge"), "serve", *options], cwd=ROOT, stdout=subprocess.PIPE, stderr=log, text=True)
    line = server.stdout.readline().strip()
    if not line.startswith("listening "):
        status = server.wait()
        log.seek(0)
        sys.stderr.write(log.read())
        raise SystemExit(status or 1)
    say("    " + line)
    return server, int(line.split()[1].rsplit(":", 1)[1])


def post(connection, body):
    connection.request("POST", "/validate", body=body, headers={"Content-Type": "application/json"})
    answer = connection.getresponse()
    text = answer.read()
    if answer.status != 200:
        raise SystemExit(f"HTTP status {answer.status}: {text!r}")
    return json.loads(text)["response"]


def show(name, what, body, response):
    request = json.loads(body)["request"]
    if response["uid"] != request["uid"]:
        raise SystemExit("the answer is to another review")
    say(f"\n  {request['operation']} {request['kind']['kind']} {request['name']}, {what}")
    say("    allowed" if response["allowed"] else "    denied")
    for cause in response.get("status", {}).get("details", {}).get("causes", []):
        say(f"      * {cause['field']}: {cause['message']}")
    for warning in response.get("warnings", []):
        say(f"      warning: {warning}")


def main(build):
    make_certificates(build)
    server, port = start(build)
    try:
        say("\nReviews that kube-apiserver 1.35 sent, posted over HTTPS with the certificate verified:")
        context = ssl.create_default_context(cafile=os.path.join(ROOT, CERTS, "ca.crt"))
        connection = http.client.HTTPSConnection("localhost", port, context=context, timeout=30)
        allowed = 0
        for name, what, changes in POSTS:
            body = read_review(name, changes)
            response = post(connection, body)
            show(name, what, body, response)
            expected = changes is None
            if response["allowed"] is not expected:
                raise SystemExit(f"{name} should be {'allowed' if expected else 'denied'}")
            allowed += response["allowed"]
        connection.close()
    finally:
        server.send_signal(signal.SIGTERM)
        status = server.wait(timeout=40)
    say(f"\n{allowed} allowed, {len(POSTS) - allowed} denied; the server ended on SIGTERM with status {status}.")
    return status


sys.exit(main(os.path.abspath(sys.argv[1])))
