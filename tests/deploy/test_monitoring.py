#!/usr/bin/env python3
"""Alert rules and dashboard: promtool's checks and unit tests, and every metric and label held against /metrics of a running server.

    test_monitoring.py BUILD
"""
import http.client, json, os, re, signal, ssl, subprocess, sys, tempfile

import jsonschema
import yaml

import tools
from tools import Tap

MONITORING = os.path.join(tools.DEPLOY, "monitoring")
ALERTS, DASHBOARD = os.path.join(MONITORING, "alerts.yaml"), os.path.join(MONITORING, "dashboard.json")
UNIT_TESTS = os.path.join(tools.HERE, "alerts_test.yaml")
REVIEW = os.path.join(tools.ROOT, "tests", "reviews", "106-create-v1-csidriver.json")

# Of the API server, not ours (k8s.io/apiserver, pkg/admission/metrics).
FOREIGN = {"apiserver_admission_webhook_fail_open_count": {"name", "type"},
           "apiserver_admission_match_condition_evaluation_errors_total": {"name", "kind", "operation", "type"}}
SCRAPED = {"job", "instance"}  # labels that Prometheus adds

# What matters of a dashboard of Grafana's.
PLACE = {"type": "object", "required": ["x", "y", "w", "h"], "properties": {"x": {"type": "integer", "minimum": 0, "maximum": 23}, "y": {"type": "integer", "minimum": 0},
         "w": {"type": "integer", "minimum": 1, "maximum": 24}, "h": {"type": "integer", "minimum": 2}}}
SOURCE = {"type": "object", "required": ["type", "uid"], "properties": {"type": {"const": "prometheus"}, "uid": {"const": "${source}"}}}
TARGET = {"type": "object", "required": ["refId", "expr", "datasource"], "properties": {"refId": {"type": "string", "pattern": "^[A-Z]$"}, "expr": {"type": "string", "minLength": 1},
          "datasource": SOURCE, "legendFormat": {"type": "string"}}}
PANEL = {"type": "object", "required": ["id", "type", "title", "gridPos", "datasource", "targets", "fieldConfig", "options"],
         "properties": {"id": {"type": "integer"}, "type": {"enum": ["stat", "table", "timeseries"]}, "title": {"type": "string", "minLength": 1}, "gridPos": PLACE,
                        "datasource": SOURCE, "targets": {"type": "array", "minItems": 1, "items": TARGET},
                        "fieldConfig": {"type": "object", "required": ["defaults", "overrides"], "properties": {"defaults": {"type": "object", "required": ["unit"], "properties": {
                            "unit": {"enum": ["none", "s", "bytes", "reqps", "percentunit"]}}}}}}}
GRAFANA = {"type": "object", "required": ["uid", "title", "schemaVersion", "version", "time", "templating", "annotations", "panels"],
           "properties": {"uid": {"type": "string", "pattern": "^[a-zA-Z0-9_-]{1,40}$"}, "schemaVersion": {"type": "integer", "minimum": 36}, "id": {"type": "null"},
                          "templating": {"type": "object", "required": ["list"], "properties": {"list": {"type": "array", "items": {
                              "type": "object", "required": ["name", "type", "query"], "properties": {"type": {"enum": ["datasource", "query"]}}}}}},
                          "panels": {"type": "array", "minItems": 10, "items": PANEL}}}


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def rules():
    return [rule for group in yaml.safe_load(read(ALERTS))["groups"] for rule in group["rules"]]


def panels():
    return json.loads(read(DASHBOARD))["panels"]


# ---- a running server ----

def exposition(build):
    """/metrics of a server that has denied a review."""
    with tempfile.TemporaryDirectory() as folder:
        program, certs = os.path.join(build, "drawbridge"), os.path.join(folder, "certs")
        tools.run([program, "certs", "init", "--dir", certs])
        tools.run([program, "certs", "issue", "--dir", certs, "--host", "localhost"])
        server = subprocess.Popen([program, "serve", "--listen", "127.0.0.1:0", "--status-listen", "127.0.0.1:0", "--cert", os.path.join(certs, "tls.crt"),
                                   "--key", os.path.join(certs, "tls.key"), "--kubernetes-version", "1.35", "--shutdown-delay", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            https, status = re.findall(r"127\.0\.0\.1:(\d+)", server.stdout.readline())
            return ask(int(https), int(status), os.path.join(certs, "ca.crt"))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(timeout=40)


def ask(https, status, authority):
    connection = http.client.HTTPSConnection("localhost", https, context=ssl.create_default_context(cafile=authority), timeout=20)
    connection.request("POST", "/validate", read(REVIEW).replace('"fsGroupPolicy":"File"', '"fsGroupPolicy":"Files"'), {"Content-Type": "application/json"})
    connection.getresponse().read()
    connection.close()
    connection = http.client.HTTPConnection("127.0.0.1", status, timeout=20)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    return text


def served(text):
    """Labels of each metric, by its name: "le" aside, those of any sample; of one without samples nothing is known (None)."""
    metrics = {}
    for name, kind in re.findall(r"^# TYPE (\w+) (\w+)$", text, re.M):
        for suffix in ("_bucket", "_sum", "_count") if kind == "histogram" else ("",):
            metrics[name + suffix] = None
    for name, labels in re.findall(r"^(\w+)(?:\{(.*)\})? \S+$", text, re.M):
        metrics[name] = (metrics.get(name) or set()) | set(re.findall(r'(\w+)="', labels))
    return metrics


# ---- PromQL: enough of it to see which labels go with which metric ----

METRIC = re.compile(r"\b((?:drawbridge|process|apiserver)_[a-z0-9_]+)(?:\{([^}]*)\})?")


def unknown(expression, metrics):
    """What the expression uses and no server has."""
    wrong, labels = [], set(SCRAPED)
    for name, matchers in METRIC.findall(expression):
        if name not in metrics:
            wrong.append(name)
            continue
        known = metrics[name]
        wrong += [f"{name}{{{label}}}" for label in re.findall(r"(\w+)\s*[=!]", matchers) if known is not None and label not in known | SCRAPED]
        labels |= known or set()
    for names in re.findall(r"\b(?:by|on)\s*\(([^)]*)\)", expression):
        wrong += [f"by ({label})" for label in re.split(r",\s*", names) if label not in labels]
    return wrong


# ---- tests ----

def test_alerts(tap, promtool):
    done = tools.run([promtool, "check", "rules", ALERTS])
    tap.ok(done.returncode == 0, "promtool check rules", done.stdout + done.stderr)
    done = tools.run([promtool, "test", "rules", UNIT_TESTS])
    tap.ok(done.returncode == 0 and "SUCCESS" in done.stdout, "promtool test rules", done.stdout + done.stderr)
    text, names = read(UNIT_TESTS), [rule["alert"] for rule in rules()]
    tap.equal([name for name in names if name not in text], [], "every alert fires in a unit test")
    tap.equal(len(names), len(set(names)), "no alert has two rules")
    for rule in rules():
        good = rule["labels"]["severity"] in ("critical", "warning", "info") and {"summary", "description"} <= set(rule["annotations"])
        tap.ok(good, f"{rule['alert']}: severity, summary, description")


def test_queries(tap, promtool):
    """Every query of the dashboard, as rules in a file, with values for its variables."""
    values = [("$__rate_interval", "5m"), ("$job", ".*"), ("$instance", ".*")]
    records = []
    for panel in panels():
        for target in panel["targets"]:
            expression = target["expr"]
            for name, value in values:
                expression = expression.replace(name, value)
            records.append({"record": f"panel:{panel['id']}:{target['refId'].lower()}", "expr": expression})
    tap.ok(not [record for record in records if "$" in record["expr"]], "no other variables are used")
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        yaml.safe_dump({"groups": [{"name": "dashboard", "rules": records}]}, file)
        file.flush()
        done = tools.run([promtool, "check", "rules", file.name])
    tap.ok(done.returncode == 0 and f"{len(records)} rules found" in done.stdout, "promtool takes every query of the dashboard", done.stdout + done.stderr)


def test_metrics(tap, build):
    metrics = {**served(exposition(build)), **FOREIGN}
    tap.ok(len(metrics) > 30, "a running server has metrics")
    for rule in rules():
        tap.equal(unknown(rule["expr"], metrics), [], f"{rule['alert']}: metrics and labels are there")
    used = set()
    for panel in panels():
        wrong = [word for target in panel["targets"] for word in unknown(target["expr"], metrics)]
        tap.equal(wrong, [], f"panel {panel['title']}: metrics and labels are there")
        used |= {name for target in panel["targets"] for name, _ in METRIC.findall(target["expr"])}
    own = {re.sub(r"_(bucket|sum|count)$", "", name) for name in metrics if name.startswith("drawbridge_")}
    tap.equal(sorted(own - {re.sub(r"_(bucket|sum|count)$", "", name) for name in used}), [], "every metric of our own is on the dashboard")


def test_dashboard(tap):
    dashboard = json.loads(read(DASHBOARD))
    try:
        jsonschema.validate(dashboard, GRAFANA)
        tap.ok(True, "the dashboard has what Grafana asks for")
    except jsonschema.ValidationError as error:
        tap.ok(False, "the dashboard has what Grafana asks for", error)
    made = tools.run([sys.executable, os.path.join(MONITORING, "dashboard.py")]).stdout
    tap.ok(made == read(DASHBOARD), "dashboard.json is what dashboard.py prints")
    ids = [panel["id"] for panel in dashboard["panels"]]
    tap.equal(len(ids), len(set(ids)), "panels have ids of their own")
    taken, twice = set(), []
    for panel in dashboard["panels"]:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
        twice += [panel["title"]] if cells & taken or any(x > 23 for x, _ in cells) else []
        taken |= cells
    tap.equal(twice, [], "no panel lies on another, or stands out")


def test_chart_files(tap):
    for name in "alerts.yaml", "dashboard.json":
        tap.ok(read(MONITORING, name) == read(tools.DEPLOY, "helm", "drawbridge", "files", name), f"the chart's files/{name} is a copy of monitoring/{name}")


def main(build):
    tap = Tap()
    promtool = tools.find("promtool")
    if promtool:
        test_alerts(tap, promtool)
        test_queries(tap, promtool)
    else:
        tools.missing("promtool", "alert rules and queries")
    test_metrics(tap, build)
    test_dashboard(tap)
    test_chart_files(tap)
    return tap.done()


sys.exit(main(os.path.abspath(sys.argv[1])))
