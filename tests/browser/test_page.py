#!/usr/bin/env python3
"""The status page in headless Chromium: at the width of a phone and of a screen, light and dark, empty and after real traffic. Nothing may
be cut off, unreadable or loaded from elsewhere. Needs Chromium, so it is run by `make test-page`.

    test_page.py BUILD [SCREENSHOT.png]

With SCREENSHOT.png it keeps the picture of the whole page at 1280 pixels.
"""
import os, re, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "http"), os.path.dirname(HERE)]
from appearance import SIZES, check
from chromium import Browser
from client import Server, request, exchange, reviews
from tap import Tap

REVIEWS = dict(reviews(os.path.join(HERE, "..", "reviews")))
CREATE = REVIEWS["106-create-v1-csidriver.json"]
BROKEN = CREATE.replace(b'"fsGroupPolicy":"File"', b'"fsGroupPolicy":"Files"')
# What the bars look like: how many colours, whether each stands on the ground line, and the drawing's size.
CHART = """
(() => {
  const svg = document.querySelector('.plot svg'), frame = svg.getBoundingClientRect();
  const rects = [...svg.querySelectorAll('rect')].map(node => [node.getBoundingClientRect(), getComputedStyle(node).fill]);
  return {width: frame.width, height: frame.height, colours: new Set(rects.map(pair => pair[1])).size, rects: rects.length,
          lowest: Math.max(...rects.map(pair => pair[0].bottom)) - frame.bottom, highest: Math.min(...rects.map(pair => pair[0].top)) - frame.top,
          right: frame.right - Math.max(...rects.map(pair => pair[0].right)), labels: [...document.querySelectorAll('.y span')].map(node => node.textContent)};
})()"""

# Where the numbers of a column end, and the word above them: at one edge.
COLUMNS = """
[...document.querySelectorAll('table')].map(table => {
  const edges = {};
  for (const row of table.rows)
    [...row.cells].forEach((cell, i) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      if (cell.classList.contains('n') && range.getBoundingClientRect().width && !cell.querySelector('.pill')) (edges[i] ||= new Set()).add(Math.round(range.getBoundingClientRect().right));
    });
  return Math.max(0, ...Object.values(edges).map(set => set.size));
})"""


def test_empty(tap, browser, server):
    url = f"http://127.0.0.1:{server.status_port}/"
    for width, height in SIZES:
        check(tap, browser, url, width, height, False, "empty")
    tap.ok(browser.ask("document.querySelector('.plot')") is None and "manifests" in browser.ask("document.querySelector('.chart').innerText"), "empty: words in place of a chart")
    tap.ok(browser.ask("getComputedStyle(document.querySelector('main')).display") == "grid", "the style counts, so its hash in the policy is right")


def padded(body):
    """The same with much that has to be looked at, so that it is among the slowest: the longest names of kinds must fit, too."""
    return body.replace(b'"metadata":{', b'"metadata":{"finalizers":[' + b",".join(b'"acme.dev/%d"' % i for i in range(20000)) + b"],", 1)


def send(server):
    long = [REVIEWS[name] for name in REVIEWS if re.search("create-v1.*(volumeattributesclass|csistoragecapacity)", name)]
    with server.connect() as connection:
        for body in [*REVIEWS.values(), *[BROKEN] * 12, *[padded(body) for body in long * 4]]:
            if exchange(connection, request(body))[0] != 200:
                raise SystemExit("a review was not answered")
    server.ask(b"{}")


def test_traffic(tap, browser, server):
    url = f"http://127.0.0.1:{server.status_port}/"
    for width, height in SIZES:
        for dark in (False, True):
            check(tap, browser, url, width, height, dark, "traffic")
        chart = browser.ask(CHART)
        tap.ok(chart["rects"] == chart["colours"] == 5 and abs(chart["lowest"]) <= 2 and chart["highest"] >= 0 and chart["width"] > 0.6 * width * 0.8 and 100 < chart["height"] < 300,
               f"{width} pixels: five parts of a bar, in five colours, standing on the ground", chart)
        tap.ok(chart["right"] < chart["width"] / 60 and len(chart["labels"]) == 3 and chart["labels"][2] == "0", f"{width} pixels: at the right end, with labels {chart['labels']}")
        tap.ok(max(browser.ask(COLUMNS)) == 1, f"{width} pixels: numbers of a column end at one edge")
    tap.ok(browser.ask("document.querySelectorAll('.rules tbody tr').length") >= 2 and browser.ask("document.querySelectorAll('.slow tbody tr').length") == 10, "rules and slow reviews are there")


def test_refresh(tap, browser, server):
    """The page comes again by itself; without scripts."""
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(f"http://127.0.0.1:{server.status_port}/", 1280, 900)
    tap.ok("Reviews" in browser.ask("document.body.innerText") and browser.ask("document.querySelector('meta[http-equiv=refresh]').content") == "30", "without JavaScript it is the same page")
    browser.call("Emulation.setScriptExecutionDisabled", value=False)


def main(build, picture=None):
    tap = Tap()
    browser = Browser()
    server = Server(build, "--shutdown-delay", "0")
    try:
        test_empty(tap, browser, server)
        send(server)
        test_traffic(tap, browser, server)
        test_refresh(tap, browser, server)
        if picture:
            browser.screenshot(picture, True)
    finally:
        browser.close()
        server.stop()
    return tap.done()


sys.exit(main(*sys.argv[1:]))
