#!/usr/bin/env python3
"""The page of `drawbridge lint --format html` in headless Chromium: at the width of a phone, a tablet and a screen, light and dark, with many
findings and with none. Nothing may be cut off, unreadable or loaded from elsewhere, and what is unticked goes away without JavaScript.
Needs Chromium, so it is run by `make test-page`.

    test_report.py BUILD [SCREENSHOT.png]

With SCREENSHOT.png it keeps the picture of the whole page at 1280 pixels.
"""
import os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from appearance import SIZES, check
from chromium import Browser
from tap import Tap

MANIFESTS = os.path.join(HERE, "..", "manifests")
GOOD = """apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata:
  name: csi.acme.dev
"""
# A name that no window has room for, and a long line around the place of a finding.
WIDE = "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata:\n  name: " + "a" * 300 + "\nprovisioner: csi.acme.dev\nreclaimPolicy: Forever # " + "long " * 100 + "\n"

SHOWN = "[...document.querySelectorAll('article')].filter(node => getComputedStyle(node).display !== 'none').map(node => node.className)"


def report(build, folder, name, paths):
    path = os.path.join(folder, name)
    subprocess.run([os.path.join(build, "drawbridge"), "lint", "--templates", "error", f"--format=html={path}", *paths], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=60)
    return "file://" + path


def test_sizes(tap, browser, url, text):
    for width, height in SIZES:
        for dark in (False, True):
            check(tap, browser, url, width, height, dark, text)


def test_filters(tap, browser, url):
    browser.open(url, 1280, 900)
    before = browser.ask(SHOWN)
    severities = {words.split()[0] for words in before}
    tap.ok({"error", "warning"} <= severities, "there are errors and warnings", severities)
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.ask("document.querySelector('#f-error').click()")
    after = browser.ask(SHOWN)
    tap.equal(after, [words for words in before if not words.startswith("error")], "without errors, all others are there")
    browser.ask("document.querySelector('#f-error').click()")
    tap.equal(browser.ask(SHOWN), before, "ticked again, all are there")
    browser.ask("document.querySelector('#f-enum').click()")
    tap.equal(browser.ask(SHOWN), [words for words in before if "r-enum" not in words.split()], "without one rule, all others are there")
    browser.call("Emulation.setScriptExecutionDisabled", value=False)


def test_marks(tap, browser, url):
    """Each finding is shown in its source."""
    browser.open(url, 1280, 900)
    tap.equal(browser.ask("[...document.querySelectorAll('article')].filter(node => !node.querySelector('pre mark')).length"), 0, "each finding is marked in its lines")


def main(build, picture=None):
    tap = Tap()
    browser = Browser()
    with tempfile.TemporaryDirectory() as folder:
        try:
            texts = {"good.yaml": GOOD, "wide.yaml": WIDE}
            for name, text in texts.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            many = report(build, folder, "many.html", [os.path.join(MANIFESTS, "gpu.yaml"), os.path.join(MANIFESTS, "bad.yaml"), os.path.join(folder, "wide.yaml")])
            none = report(build, folder, "none.html", [os.path.join(folder, "good.yaml")])
            test_sizes(tap, browser, none, "nothing found")
            test_sizes(tap, browser, many, "findings")
            test_filters(tap, browser, many)
            test_marks(tap, browser, report(build, folder, "gpu.html", [os.path.join(MANIFESTS, "gpu.yaml")]))
            if picture:
                browser.open(many, 1280, 900)
                browser.screenshot(picture, True)
        finally:
            browser.close()
    return tap.done()


sys.exit(main(*sys.argv[1:]))
