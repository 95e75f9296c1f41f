#!/usr/bin/env python3
"""`drawbridge certs` ended by a signal at any moment: certificate and key belong together, and nothing else is left.

    test_interrupted.py BUILD
"""
import os, signal, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from tap import Tap

RUNS = 150


def public_key(*arguments):
    return subprocess.run(["openssl", *arguments], stdout=subprocess.PIPE, check=True).stdout


def main(build):
    tap = Tap()
    certs = os.path.join(build, "drawbridge-certs")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([certs, "init", "--dir", folder], check=True, stdout=subprocess.DEVNULL)
        issue = [certs, "issue", "--dir", folder, "--host", "a", "--force"]
        subprocess.run(issue, check=True, stdout=subprocess.DEVNULL)
        began = time.monotonic()
        subprocess.run(issue, check=True, stdout=subprocess.DEVNULL)
        whole = time.monotonic() - began
        ended = apart = 0
        for run in range(RUNS):
            program = subprocess.Popen(issue, stdout=subprocess.DEVNULL)
            time.sleep(whole * run / RUNS)
            program.send_signal((signal.SIGTERM, signal.SIGINT, signal.SIGHUP)[run % 3])
            ended += program.wait() < 0
            key, certificate = os.path.join(folder, "tls.key"), os.path.join(folder, "tls.crt")
            apart += public_key("pkey", "-in", key, "-pubout") != public_key("x509", "-in", certificate, "-noout", "-pubkey")
        left = sorted(set(os.listdir(folder)) - {"ca.crt", "ca.key", "tls.crt", "tls.key"})
        tap.ok(ended > 0, f"{ended} of {RUNS} runs were ended by their signal")
        tap.ok(apart == 0, f"certificate and key belong together after each ({apart} do not)")
        tap.ok(not left, f"no temporary files are left {left[:5] or ''}")
    return tap.done()


sys.exit(main(sys.argv[1]))
