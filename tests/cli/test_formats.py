#!/usr/bin/env python3
"""Every format of reports, read with what reads such reports, or by its own grammar: of all manifests here, and of hostile ones.

    test_formats.py BUILD
"""
import html.parser, json, os, re, subprocess, sys, tempfile, xml.etree.ElementTree as xml

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

try:
    import yaml
except ImportError:
    yaml = None

FORMATS = ["text", "json", "sarif", "github", "gitlab", "junit", "tap", "markdown", "html", "policy-report", "open-report"]
EVIL = "</script><img src=x onerror=alert(1)>\"'&|`*_[a](http://evil.test)@team ::error::x%0A\\u001b[31m\\u202e\\u0085]]>"
HOSTILE = f"""apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {{annotations: {{acme.dev/a: "😀"}}, name: "{EVIL.replace('"', chr(92) + '"')}"}}
spec:
  "{EVIL.replace('"', chr(92) + '"')}": 1
  fsGroupPolicy: "{EVIL.replace('"', chr(92) + '"')}"
---
apiVersion: storage.k8s.io/v1
kind: "{EVIL.replace('"', chr(92) + '"')}"
metadata: {{name: a}}
---
a: [
"""


def lint(build, folder, path, *arguments):
    """{format: text} of one run, and the findings."""
    files = [argument for name in FORMATS for argument in ("--format", f"{name}={folder}/out.{name}")]
    done = subprocess.run([os.path.join(build, "drawbridge"), "lint", *files, *arguments, path], capture_output=True)
    texts = {name: open(f"{folder}/out.{name}", encoding="utf-8").read() for name in FORMATS}
    lines = [json.loads(line) for line in texts["json"].split("\n")[:-1]]
    return texts, lines[:-1], lines[-1]["summary"], done.returncode


def source_of(found):
    with open(found["file"], "rb") as file:
        return file.read()


def test_json(tap, found, summary, status):
    wrong = []
    for one in found:
        text = source_of(one)
        begin = text.rfind(b"\n", 0, one["offset"]) + 1
        end = one["offset"] + one["length"]
        last = text.rfind(b"\n", 0, end) + 1
        value = (1 + text.count(b"\n", 0, one["offset"]), 1 + len(text[begin:one["offset"]].decode(errors="replace")), 1 + text.count(b"\n", 0, end),
                 1 + len(text[last:end].decode(errors="replace")))
        if value != (one["line"], one["column"], one["endLine"], one["endColumn"]):
            wrong.append((value, one))
        if len(one["source"]) < 900 and one["source"].encode() != text[begin:].split(b"\n")[0] + one["source"].encode()[len(text[begin:].split(b"\n")[0]):]:
            wrong.append(one)
        if one["documentation"] != "drawbridge explain " + one["rule"]:
            wrong.append(one)
    tap.ok(found and not wrong, "json: places and lines are those of the file", wrong and str(wrong[0])[:300])
    counts = {word: sum(one["severity"] == word for one in found) for word in ("error", "warning", "info")}
    tap.equal((summary["errors"], summary["warnings"], summary["infos"], summary["exitStatus"]), (*counts.values(), status), "json: the summary counts them")


def test_sarif(tap, text, found):
    report = json.loads(text)
    run = report["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    wrong = []
    for result, one in zip(run["results"], found):
        place = result["locations"][0]["physicalLocation"]
        region, source = place["region"], source_of(one)
        lines = source.decode(errors="replace").split("\n")
        units = lambda line, column: lines[line - 1].encode("utf-16-le")[:2 * (column - 1)].decode("utf-16-le")
        good = (result["ruleId"], rules[result["ruleIndex"]]) == (one["rule"],) * 2
        good = good and result["level"] == {"error": "error", "warning": "warning", "info": "note"}[one["severity"]]
        good = good and (region["startLine"], region["endLine"], region["byteOffset"]) == (one["line"], one["endLine"], one["offset"])
        good = good and len(units(region["startLine"], region["startColumn"])) + 1 == one["column"]
        good = good and len(units(region["endLine"], region["endColumn"])) + 1 == one["endColumn"]
        good = good and not re.search(r"[^A-Za-z0-9%/._~:-]", place["artifactLocation"]["uri"])
        good = good and ("relatedLocations" in result) == ("other" in one) and ("fixes" in result) == ("fix" in one)
        good = good and re.fullmatch("[0-9a-f]{32}", result["partialFingerprints"]["drawbridge/v1"])
        if not good:
            wrong.append(result)
    tap.ok(len(run["results"]) == len(found) and not wrong, "sarif: results are the findings, columns in UTF-16", wrong and str(wrong[0])[:400])
    tap.ok(report["version"] == "2.1.0" and len(set(rules)) == len(rules) and all(rule["help"]["markdown"] for rule in run["tool"]["driver"]["rules"]),
           "sarif: rules have help, once each")
    known = {"run": {"columnKind", "results", "tool", "invocations"}, "invocation": {"exitCode", "executionSuccessful", "properties"},
             "result": {"ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations", "partialFingerprints", "fixes", "suppressions",
                        "properties"}}
    tap.ok(set(run) <= known["run"] and set(run["invocations"][0]) <= known["invocation"] and all(set(one) <= known["result"] for one in run["results"]),
           "sarif: no member that the schema does not have")


def test_github(tap, text, found):
    pattern = re.compile(r"::(error|warning|notice) file=([^:,]*),line=(\d+),endLine=\d+(?:,col=(\d+),endColumn=\d+)?,title=([a-z0-9-]+)::(.+)")
    lines = [pattern.fullmatch(line) for line in text.splitlines()]
    unescape = lambda value: re.sub("%([0-9A-F]{2})", lambda code: chr(int(code[1], 16)), value)
    good = all(lines) and [(unescape(line[2]), int(line[3]), line[5]) for line in lines] == [(one["file"], one["line"], one["rule"]) for one in found]
    good = good and all(one["message"] in unescape(line[6]) for line, one in zip(lines, found))
    tap.ok(good, f"github: {len(lines)} commands, one a line")


def test_gitlab(tap, text, found):
    report = json.loads(text)
    tap.ok([(one["check_name"], one["location"]["path"], one["location"]["lines"]["begin"]) for one in report] ==
           [(one["rule"], one["file"].removeprefix("./"), one["line"]) for one in found], "gitlab: each finding")
    tap.ok(all(re.fullmatch("[0-9a-f]{32}", one["fingerprint"]) and one["severity"] in ("info", "minor", "major") for one in report), "gitlab: severities, fingerprints")


def test_junit(tap, text, found):
    root = xml.fromstring(text.encode())
    failures = [failure.get("type") for failure in root.iter("failure")]
    tap.ok(sorted(failures) == sorted(one["rule"] for one in found if one["severity"] == "error"), "junit: a failure for each error")
    counts = [(suite.get("name"), int(suite.get("tests")), int(suite.get("failures"))) for suite in root]
    tap.ok(counts == [(suite.get("name"), len(suite), sum(case.find("failure") is not None for case in suite)) for suite in root], "junit: its counts")


def test_tap(tap, text, found):
    lines = text.splitlines()
    tests = [line for line in lines if re.match(r"(not )?ok \d+ - ", line)]
    diagnostics = [json.loads(line[4:]) for line in lines if line.startswith("  - ")]
    tap.equal((lines[0], lines[-1]), ("TAP version 14", f"1..{len(tests)}"), "tap: version and plan")
    tap.ok(sorted(one["rule"] for one in diagnostics) == sorted(one["rule"] for one in found), "tap: the findings as diagnostics")
    tap.ok(all(re.fullmatch(r"(not )?ok \d+ - .*|  .*|TAP version 14|1\.\.\d+", line) for line in lines), "tap: no other lines")


class Page(html.parser.HTMLParser):
    """Elements that are open, all that were there, and the text of articles."""
    def __init__(self):
        super().__init__()
        self.open, self.tags, self.wrong, self.articles, self.attributes = [], [], [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes
        self.articles += [""] if tag == "article" else []
        if tag not in ("meta", "input", "br", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        if "article" in self.open:
            self.articles[-1] += data


def test_html(tap, text, found):
    page = Page()
    page.feed(text)
    allowed = set("html head meta title style body header h1 p fieldset legend label input b details summary main article h3 span code pre mark footer".split())
    tap.ok(not page.wrong and not page.open, "html: elements end where they should", str(page.wrong))
    tap.ok(set(page.tags) <= allowed, "html: nothing that a manifest could bring", str(set(page.tags) - allowed))
    names = {name for name, value in page.attributes}
    tap.ok(names <= {"lang", "charset", "http-equiv", "content", "name", "class", "id", "type", "checked"}, "html: no address and no event", str(names))
    tap.ok("default-src 'none'" in text and "url(" not in text and "@import" not in text, "html: loads nothing")
    tap.equal(len(page.articles), len(found), "html: each finding")
    tap.ok(all(one["rule"] in article and str(one["line"]) in article for one, article in zip(found, page.articles)), "html: rules and places")


def test_markdown(tap, text, found):
    rows = [line for line in text.splitlines() if line.startswith("| ") and "|---" not in line][1:]
    tap.ok(all(line.count("|") == 6 for line in rows), "markdown: cells stay cells")
    more = re.search(r"and (\d+) more", text)
    tap.equal(len(rows) + (int(more[1]) if more else 0), len(found), "markdown: each finding, shown or counted")
    tap.ok(len(text) < 65536 and not re.search(r"<(?!/?code>|br>)|@|\]\(", text), "markdown: nothing that a manifest could bring")


def policy_reports(text):
    """The documents, read as YAML where there is a reader, and by their lines."""
    reports = []
    for document in text.split("---\n")[1:]:
        head, _, tail = document.partition("results:")
        metadata = json.loads(re.search(r"^metadata: (.*)$", head, re.M)[1])
        summary = {name: int(number) for name, number in re.findall(r"(\w+): (\d+)", re.search(r"^summary: (.*)$", head, re.M)[1])}
        reports.append({**dict(line.split(": ") for line in head.splitlines()[:2]), "metadata": metadata, "summary": summary,
                        "results": [json.loads(line[2:]) for line in tail.splitlines()[1:]]})
    if yaml:
        assert reports == [{**report, "results": report["results"] or []} for report in yaml.safe_load_all(text)]
    return reports


def test_policy(tap, text, found, api="wgpolicyk8s.io/v1alpha2", kinds=("ClusterPolicyReport", "PolicyReport")):
    reports = policy_reports(text)
    spaces = [report["metadata"].get("namespace") for report in reports]
    tap.ok([(report["apiVersion"], report["kind"]) for report in reports] == [(api, kinds[space is not None]) for space in spaces], f"{kinds[1]}: API version and kinds")
    tap.ok(spaces[0] is None and None not in spaces[1:] and len(set(spaces)) == len(spaces) and all(report["metadata"]["name"] == "drawbridge" for report in reports),
           f"{kinds[1]}: one for the cluster, one for each namespace")
    results = [result for report in reports for result in report["results"]]
    wanted = lambda one: (one["rule"], {"error": "fail"}.get(one["severity"], "warn"), {"error": "high", "warning": "medium", "info": "info"}[one["severity"]])
    tap.equal(sorted((one["rule"], one["result"], one["severity"]) for one in results), sorted(map(wanted, found)), f"{kinds[1]}: each finding")
    good = all(report["summary"]["fail"] == sum(one["result"] == "fail" for one in report["results"]) for report in reports)
    good = good and all(report["summary"]["warn"] == sum(one["result"] == "warn" for one in report["results"]) for report in reports)
    good = good and all(set(one) <= {"timestamp", "source", "policy", "rule", "result", "severity", "scored", "message", "resources", "properties"} for one in results)
    good = good and all(resource.get("namespace") == report["metadata"].get("namespace") for report in reports for one in report["results"] for resource in one.get("resources", [])
                        if resource["kind"] in ("Pod", "ResourceClaim"))
    tap.ok(good and all(isinstance(value, str) for one in results for value in one["properties"].values()), f"{kinds[1]}: summaries and members")


def test_open(tap, text, found):
    test_policy(tap, text, found, "openreports.io/v1alpha1", ("ClusterReport", "Report"))


def test_policy_limit(tap, build, folder):
    """More findings than a report has results: errors come first, the rest is counted."""
    claim = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c%d, namespace: team}\nspec: {devices: {requests: [{name: a, exactly: {deviceClassName: %s}}]}}\n"
    path = os.path.join(folder, "many.yaml")
    with open(path, "w") as file:
        file.write("---\n".join(claim % (i, "A_B" if i % 2 else "a.b") for i in range(900)) + "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: clean}\n" +
                   "---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: a.c}\nspec: {}\n")
    found = lint(build, folder, path)
    cluster, team, clean = policy_reports(found[0]["policy-report"])
    errors, others = found[2]["errors"], found[2]["warnings"] + found[2]["infos"]
    tap.ok(errors == 450 and team["summary"]["warn"], "there is more than fits", found[2])
    tap.ok([one["result"] for one in team["results"]] == ["fail"] * 400, "errors come first")
    tap.equal((team["summary"]["fail"] + cluster["summary"]["fail"], team["summary"]["warn"] + cluster["summary"]["warn"]), (errors, others), "all are counted")
    tap.equal(team["metadata"]["annotations"], {"drawbridge.dev/results-left-out": str(team["summary"]["fail"] + team["summary"]["warn"] - 400)}, "what is left out is said")
    tap.equal((clean["metadata"]["namespace"], clean["results"]), ("clean", []), "a namespace without objects has an empty report")


def test_all(tap, build, folder, path, *arguments):
    texts, found, summary, status = lint(build, folder, path, *arguments)
    test_json(tap, found, summary, status)
    for name, test in (("sarif", test_sarif), ("github", test_github), ("gitlab", test_gitlab), ("junit", test_junit), ("tap", test_tap),
                       ("markdown", test_markdown), ("html", test_html), ("policy-report", test_policy), ("open-report", test_open)):
        test(tap, texts[name], found)
    unsafe = [name for name in FORMATS if name != "json" and re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", texts[name])]
    tap.ok(not unsafe, "no format but json, which is for programs, has characters that move or hide text", str(unsafe))
    return texts


def fingerprints(build, folder, text):
    path = os.path.join(folder, "moved.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    report = json.loads(lint(build, folder, path)[0]["sarif"])
    return sorted(result["partialFingerprints"]["drawbridge/v1"] for result in report["runs"][0]["results"])


DRIVER = "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: %s.acme.dev%s}\nspec: {fsGroupPolicy: Files}%s\n"


def test_hidden(tap, build, folder):
    """What comments, annotations and a baseline hide is in sarif alone."""
    path, known = os.path.join(folder, "hidden.yaml"), os.path.join(folder, "known.json")
    with open(path, "w") as file:
        file.write("---\n".join([DRIVER % ("a", "", " # drawbridge: ignore[enum] \"it's\" so"), DRIVER % ("b", ", annotations: {drawbridge.dev/ignore: enum}", ""), DRIVER % ("c", "", "")]))
    results = lambda *options: json.loads(subprocess.run([os.path.join(build, "drawbridge"), "lint", "--no-config", "--format", "sarif", *options, path], stdout=subprocess.PIPE).stdout)["runs"][0]["results"]
    hidden = lambda *options: [(one["locations"][0]["physicalLocation"]["region"]["startLine"], one["suppressions"]) for one in results(*options)]
    suppressed = [(4, [{"kind": "inSource", "justification": "\"it's\" so"}]), (9, [{"kind": "inSource"}])]
    tap.equal(hidden(), [(14, []), *suppressed], "sarif: what is suppressed, and why")
    tap.equal(hidden("--no-suppressions"), [(4, []), (9, []), (14, [])], "sarif: nothing is, with --no-suppressions")
    tap.equal(hidden("--ignore", "enum"), [], "sarif: nothing of rules that are ignored")
    subprocess.run([os.path.join(build, "drawbridge"), "lint", "--no-config", "--write-baseline", known, path], stderr=subprocess.DEVNULL)
    tap.equal(hidden("--baseline", known), [*suppressed, (14, [{"kind": "external"}])], "sarif: what the baseline has")
    texts, found, summary, status = lint(build, folder, path)
    tap.equal((len(found), summary["errors"], [name for name in FORMATS if texts[name].count("b.acme.dev") and name not in ("html", "junit", "sarif", "tap")]), (1, 1, []), "no other format has them")


def main(build):
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(os.path.join(HERE, "..", "manifests"))
        test_all(tap, build, folder, ".")
        name = os.path.join(folder, "a b%:,'\"<é>#.yaml")
        with open(name, "w", encoding="utf-8") as file:
            file.write(HOSTILE)
        test_all(tap, build, folder, name)
        test_all_empty(tap, build, folder)
        test_policy_limit(tap, build, folder)
        test_hidden(tap, build, folder)
        before = fingerprints(build, folder, HOSTILE)
        tap.ok(before and before == fingerprints(build, folder, "# a line\n\n" + HOSTILE), "fingerprints stay when lines move")
    return tap.done()


def test_all_empty(tap, build, folder):
    texts, found, summary, status = lint(build, folder, "good.yaml")
    tap.equal((found, status), ([], 0), "nothing is found in a good file")
    tap.equal(json.loads(texts["sarif"])["runs"][0]["results"] + json.loads(texts["gitlab"]), [], "and so say sarif and gitlab")
    xml.fromstring(texts["junit"].encode())
    tap.ok("Nothing was found" in texts["html"] and "# SKIP" in texts["tap"], "html says so, tap says what was skipped")


sys.exit(main(os.path.abspath(sys.argv[1])))
