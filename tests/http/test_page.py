#!/usr/bin/env python3
"""The status page as the plain port sends it: headers, well-formed HTML, its figures, and what must not be in it. How it looks is in
../browser.

    test_page.py BUILD
"""
import base64, hashlib, json, os, re, sys, time
import xml.etree.ElementTree as tree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from client import BROKEN, CREATE, REVIEWS, Server, exchange, request
from tap import Tap

MARK = "Marker7Q"


class Page:
    """One look at the page. It is written so that an XML parser takes it, too."""

    def __init__(self, server):
        self.status, self.headers, body = server.status("/")
        self.text = body.decode()
        self.root = tree.fromstring(self.text.replace("<!DOCTYPE html>\n", ""))

    def words(self, node):
        return " ".join(" ".join(node.itertext()).split())

    def section(self, name):
        return next(node for node in self.root.iter("section") if node.get("class") == name)

    def tiles(self):
        return {tile.find("dt").text: [node.text for node in tile.findall("dd")] for tile in next(node for node in self.root.iter("dl"))}

    def legend(self):
        return {self.words(item).rsplit(" ", 1)[0]: int(item.find("b").text.replace(",", "")) for item in self.root.iter("li")}

    def rows(self, name):
        return [[self.words(cell) for cell in row.iter("td")] for row in self.section(name).iter("tr") if row.find("td") is not None]


def test_empty(tap, server):
    page = Page(server)
    tap.ok(page.status == 200 and page.headers["content-type"] == "text/html; charset=utf-8", "the page is HTML, and well-formed")
    policy = dict(part.strip().split(" ", 1) for part in page.headers["content-security-policy"].split(";"))
    digest = base64.b64encode(hashlib.sha256(page.root.find("head/style").text.encode()).digest()).decode()
    tap.equal(policy, {"default-src": "'none'", "style-src": f"'sha256-{digest}'", "base-uri": "'none'", "form-action": "'none'", "frame-ancestors": "'none'"},
              "its policy lets nothing be loaded or run, and no style count but its own")
    tap.ok((page.headers.get("x-content-type-options"), page.headers.get("referrer-policy"), page.headers.get("cache-control")) == ("nosniff", "no-referrer", "no-store"), "and it is neither guessed at, told of, nor kept")
    names = {node.tag for node in page.root.iter()}
    handlers = [name for node in page.root.iter() for name in node.attrib if name.startswith("on") or name in ("style", "src")]
    links = {node.get("href") for node in page.root.iter("a")}
    tap.ok(not names & {"script", "img", "link", "iframe", "object", "form"} and not handlers and links == {"/metrics"}, "no script, no image, nothing from elsewhere", (names, handlers, links))
    tap.ok("drawbridge manifests" in page.words(page.section("chart")) and page.section("chart").find("div") is None, "without reviews it says where they come from, instead of an empty chart")
    tap.ok(page.tiles()["Reviews"] == ["0", "last minute"] and page.tiles()["99 % took"] == ["–", "no review"], "and its figures are none", page.tiles())
    status, headers, body = server.status("/", "HEAD")
    tap.ok(status == 200 and headers["content-type"].startswith("text/html") and not body, "HEAD /")
    tap.ok(server.status("/?x=<script>")[0] == 200 and b"<script" not in server.status("/?x=<script>")[2] and server.status("/index.html")[0] == 404, "a query changes nothing, and there is no other page")


def test_figures(tap, server):
    data = [CREATE] * 7 + [BROKEN] * 3 + [REVIEWS["009-update-v1-resourceclaim-status.json"]] * 2 + [REVIEWS["108-delete-v1-csidriver.json"]]
    for body in data + [b"{}"]:
        server.ask(body)
    page = Page(server)
    tap.equal(page.legend(), {"allowed": 7, "allowed with warnings": 2, "denied": 3, "no rules for it": 1, "not a review": 1, "too large": 0, "failed": 0}, "verdicts of the last hour")
    tap.ok(page.tiles()["Reviews"][0] == "14" and page.tiles()["Denied"] == ["3", "21.4 %"] and page.tiles()["With warnings"] == ["2", "14.3 %"], "and their shares", page.tiles())
    bars = list(page.section("chart").iter("g"))
    words = [node.text for node in page.section("chart").iter("title")]
    tap.ok(len(bars) == 1 and words == ["this minute: 7 allowed 2 allowed with warnings 3 denied 1 no rules for it 1 not a review"], "one bar, which says what it is", words)
    rects = sorted((float(rect.get("y")), float(rect.get("height")), rect.get("class")) for rect in bars[0].iter("rect"))
    joined = all(abs(a[0] + a[1] - b[0]) < 0.02 for a, b in zip(rects, rects[1:]))
    tap.ok(joined and abs(rects[-1][0] + rects[-1][1] - 1000) < 0.02 and rects[0][0] >= 0 and len(rects) == 5 and abs(rects[-1][1] - 7 * 1000 / 20) < 0.02,
           "its parts lie on each other, from the ground up, in proportion", rects)
    tap.equal(page.rows("rules"), [["allocation the allocation is what the claim asks for", "0", "6"], ["enum the value is one of a list", "3", "0"]], "rules that were broken, and what they ask for")
    slow = page.rows("slow")
    times = [float(row[4].split()[0]) for row in slow if row[4].endswith(" ms")]
    tap.ok(len(slow) == 10 and times == sorted(times, reverse=True) and all(len(row) == 6 for row in slow), "the slowest ten, the slowest first", slow)
    tap.ok({row[0] for row in slow} <= {"CSIDriver v1", "ResourceClaim v1", "other"} and {row[3] for row in slow} <= {f"{len(body) / 1000:.1f} KB" for body in data} | {"2 B"}, "by kind and size", slow)
    with server.connect() as connection:
        connection.sendall(request(CREATE)[:-1])
        time.sleep(0.3)
        now = Page(server)
        tap.ok(now.rows("load")[0] == ["requests in flight", "1"] and now.tiles()["In flight"][0] == "1" and now.rows("load")[4] == ["connections of clients", "1"], "what is in flight", now.rows("load"))
    tap.ok(re.fullmatch(r"serving certificate until \d{4}-\d\d-\d\d \d\d:\d\d UTC", page.rows("ends")[0][0]) and re.fullmatch(r"36[45] d( \d+ h)?", page.rows("ends")[0][1]), "the certificate's end", page.rows("ends"))


def test_nothing_leaks(tap, server):
    """Neither names nor values nor anything that a caller chooses."""
    for body in REVIEWS.values():
        review = json.loads(body)["request"]
        review.update(name=MARK, namespace=MARK, uid=MARK, userInfo={"username": MARK})
        for which in ("object", "oldObject"):
            if review.get(which):
                review[which]["metadata"].update(name=MARK, labels={MARK: MARK}, annotations={MARK: "<script>" + MARK})
                review[which].setdefault("spec", {})[MARK] = MARK
        server.ask(json.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": review}).encode())
    server.ask(json.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": MARK, "operation": MARK, "kind": {"group": MARK, "version": MARK, "kind": MARK},
               "object": {"apiVersion": MARK + "/" + MARK, "kind": MARK}}}).encode())
    page = Page(server)
    tap.ok(MARK not in page.text and sum(page.legend().values()) > len(REVIEWS), "nothing of the objects is on the page")
    server.ask(CREATE, path="/" + MARK)
    tap.ok(MARK not in Page(server).text and len(page.text) < 60000, f"nor of paths; it has {len(page.text)} bytes")


def test_rejections(tap, build):
    server = Server(build, "--shutdown-delay", "3")
    held = []
    for _ in range(12):
        connection = server.connect()
        connection.sendall(request(headers=[f"Content-Length: {8 << 20}"]) + b'"' + b"x" * ((8 << 20) - 2))
        held.append(connection)
    end = time.monotonic() + 20
    while server.metric("body_bytes_in_flight") < 96 << 20 and time.monotonic() < end:
        time.sleep(0.1)
    with server.connect() as connection:
        exchange(connection, request(b'"' + b"x" * ((8 << 20) - 1)))
    page = Page(server)
    tap.ok(dict(page.rows("refused"))["too many bytes at once"] == "1" and dict(page.rows("load"))["their bodies"] == "100.7 MB", "rejections by cause", page.rows("refused"))
    for connection in held:
        connection.close()
    server.program.terminate()
    time.sleep(0.5)
    page = Page(server)
    tap.ok(page.words(next(node for node in page.root.iter("span") if node.get("id") == "state")) == "draining", "while it ends it says so")
    server.stop()


def test_modes(tap, build):
    for options, version, words in [((), None, "No Kubernetes version is chosen"), ((), "1.34", "Denies what Kubernetes 1.34 refuses"),
                                    (("--mode", "warn"), "1.35", "Only warns of what Kubernetes 1.35 refuses"), (("--mode", "audit"), "1.35", "Only counts what Kubernetes 1.35 refuses")]:
        server = Server(build, *options, "--shutdown-delay", "0", version=version)
        tap.ok(words in Page(server).text, words)
        server.stop()


def main(build):
    tap = Tap()
    server = Server(build, "--shutdown-delay", "0")
    for test in (test_empty, test_figures, test_nothing_leaks):
        test(tap, server)
    server.stop()
    test_rejections(tap, build)
    test_modes(tap, build)
    return tap.done()


sys.exit(main(sys.argv[1]))
