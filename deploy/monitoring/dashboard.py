#!/usr/bin/env python3
"""Prints dashboard.json, a dashboard for Grafana 10 and newer: the table below, laid out.

    python3 deploy/monitoring/dashboard.py > deploy/monitoring/dashboard.json
"""
import json

WIDTH, HEIGHT = 24, 8  # of the whole, and of a graph, in Grafana's units
PODS = '{job=~"$job", instance=~"$instance"}'


def q(metric, *labels):
    """A metric of the chosen pods."""
    return metric + "{" + ", ".join(['job=~"$job"', 'instance=~"$instance"', *labels]) + "}"


def rate(metric, *labels):
    return f"rate({q(metric, *labels)}[$__rate_interval])"


def top(by, expression, count=8):
    return f"topk({count}, sum by ({by}) ({expression}) > 0)"


def quantile(share):
    return f"histogram_quantile({share}, sum by (le, path) ({rate('drawbridge_review_duration_seconds_bucket')}))"


DENIED, OTHER_STATUS = 'verdict="denied"', 'status!="200"'
CERTIFICATE_LEFT = f"min by (certificate) ({q('drawbridge_certificate_expiry_timestamp_seconds')}) - time()"

# (title, what it says, kind, unit, width, [(query, legend)])
PANELS = [
    ("Ready pods", "Pods whose /readyz says ok.", "stat", "none", 4, [(f"sum({q('drawbridge_ready')})", "ready")]),
    ("Reviews per second", "All verdicts.", "stat", "reqps", 4, [(f"sum({rate('drawbridge_reviews_total')})", "reviews")]),
    ("Denied in the last hour", "Requests that were refused.", "stat", "none", 4, [(f"sum(increase({q('drawbridge_reviews_total', DENIED)}[1h]))", "denied")]),
    ("Certificates end in", "The first of each kind.", "stat", "s", 6, [(CERTIFICATE_LEFT, "{{certificate}}")]),
    ("Running", "What the pods are and how they validate; none: no Kubernetes version, nothing of theirs is denied.", "table", "none", 6,
     [(f"count by (version) ({q('drawbridge_build_info')})", ""), (f"count by (mode, kubernetes_version) ({q('drawbridge_configuration_info')})", "")]),
    ("Reviews by verdict", "warned: allowed, with warnings; skipped: not validated; bad, too_large and failed are no verdicts but errors.", "timeseries", "reqps", 12,
     [(f"sum by (verdict) ({rate('drawbridge_reviews_total')})", "{{verdict}}")]),
    ("Denied and warned by kind", "", "timeseries", "reqps", 12,
     [(top("kind, verdict", rate("drawbridge_reviews_total", 'verdict=~"denied|warned"')), "{{kind}} {{verdict}}")]),
    ("Findings by rule", "The most frequent rules; `drawbridge rules` says what each means.", "timeseries", "reqps", 12,
     [(top("rule, severity", rate("drawbridge_findings_total", 'severity!="info"')), "{{rule}} ({{severity}})")]),
    ("Would deny, but did not", "Because no version was chosen, of the mode, or because the object was like that before.", "timeseries", "reqps", 12,
     [(f"sum by (reason) ({rate('drawbridge_denials_demoted_total')})", "{{reason}}"), (f"sum({rate('drawbridge_disagreements_total')})", "disagreements")]),
    ("Time to answer", "From the end of the header to the answer; large reviews go to workers.", "timeseries", "s", 12,
     [(quantile(0.5), "half, {{path}}"), (quantile(0.99), "99 %, {{path}}")]),
    ("Turned away", "Answered with 503, or 403 for want of a client certificate.", "timeseries", "reqps", 12,
     [(f"sum by (cause) ({rate('drawbridge_rejections_total')})", "{{cause}}")]),
    ("Under way", "Requests, and large reviews that wait for a worker or have one.", "timeseries", "none", 8,
     [(f"sum({q('drawbridge_requests_in_flight')})", "requests"), (f"sum({q('drawbridge_queue_length')})", "waiting"), (f"sum({q('drawbridge_workers_busy')})", "workers busy")]),
    ("Bodies in memory", "Bytes of requests that are being read or validated.", "timeseries", "bytes", 8, [(q("drawbridge_body_bytes_in_flight"), "{{instance}}")]),
    ("HTTP answers other than 200", "", "timeseries", "reqps", 8, [(f"sum by (status) ({rate('drawbridge_answers_total', OTHER_STATUS)})", "{{status}}")]),
    ("TLS handshakes", "", "timeseries", "reqps", 8,
     [(f"sum({rate('drawbridge_tls_handshakes_total')})", "good"), (f"sum({rate('drawbridge_tls_handshake_failures_total')})", "failed")]),
    ("Connections", "expired: cut, as their time was up.", "timeseries", "none", 8,
     [(f"sum by (port) ({q('drawbridge_connections')})", "{{port}}"), (f"sum by (port) ({rate('drawbridge_connections_expired_total')})", "{{port}}, expired per second")]),
    ("Client certificates", "Who calls, where --client-ca is given.", "timeseries", "reqps", 8,
     [(f"sum by (result) ({rate('drawbridge_client_certificates_total')})", "{{result}}"), (f"sum by (name) ({rate('drawbridge_client_requests_total')})", "by {{name}}")]),
    ("Memory", "", "timeseries", "bytes", 6, [(f"process_resident_memory_bytes{PODS} and on (job, instance) drawbridge_build_info", "{{instance}}")]),
    ("Processor", "Seconds per second: 1 is one processor.", "timeseries", "none", 6,
     [(f"rate(process_cpu_seconds_total{PODS}[$__rate_interval]) and on (job, instance) drawbridge_build_info", "{{instance}}")]),
    ("File descriptors", "Of those that may be open.", "timeseries", "percentunit", 6,
     [(f"process_open_fds{PODS} / process_max_fds and on (job, instance) drawbridge_build_info", "{{instance}}")]),
    ("Reloads and lost log lines", "In the last five minutes.", "timeseries", "none", 6,
     [(f"sum by (what, result) (increase({q('drawbridge_reloads_total')}[5m]))", "{{what}}: {{result}}"), (f"sum(increase({q('drawbridge_log_lines_dropped_total')}[5m]))", "log lines dropped")]),
]

SOURCE = {"type": "prometheus", "uid": "${source}"}


def options(kind):
    if kind == "stat":
        return {"reduceOptions": {"calcs": ["lastNotNull"]}, "colorMode": "none", "graphMode": "area"}
    if kind == "timeseries":
        return {"legend": {"displayMode": "list", "placement": "bottom", "showLegend": True}, "tooltip": {"mode": "multi", "sort": "desc"}}
    return {"showHeader": True}


def panel(number, place, row):
    title, text, kind, unit, _, queries = row
    instant = kind == "table"
    targets = [{"refId": chr(ord("A") + i), "datasource": SOURCE, "expr": expression, "legendFormat": legend or "__auto", "instant": instant, "range": not instant,
                **({"format": "table"} if instant else {})} for i, (expression, legend) in enumerate(queries)]
    result = {"id": number, "type": kind, "title": title, "description": text, "datasource": SOURCE, "gridPos": place, "targets": targets, "options": options(kind),
              "fieldConfig": {"defaults": {"unit": unit, "min": 0} if kind == "timeseries" else {"unit": unit}, "overrides": []}}
    if instant:
        result["transformations"] = [{"id": "merge", "options": {}}, {"id": "organize", "options": {"excludeByName": {"Time": True}}}]
    return result


def places():
    """Left to right, and on when a row is full; numbers need half the height of graphs."""
    x = y = 0
    for _, _, kind, _, width, _ in PANELS:
        height = HEIGHT if kind == "timeseries" else HEIGHT // 2
        yield {"x": x, "y": y, "w": width, "h": height}
        x += width
        if x == WIDTH:
            x, y = 0, y + height


def variable(name, label, query):
    return {"name": name, "label": label, "type": "query", "datasource": SOURCE, "definition": query, "query": {"query": query, "refId": name}, "refresh": 2, "sort": 1,
            "multi": True, "includeAll": True, "allValue": ".*", "current": {"text": "All", "value": "$__all"}}


def dashboard():
    variables = [{"name": "source", "label": "Prometheus", "type": "datasource", "query": "prometheus", "current": {}},
                 variable("job", "Job", "label_values(drawbridge_build_info, job)"),
                 variable("instance", "Pod", 'label_values(drawbridge_build_info{job=~"$job"}, instance)')]
    return {"uid": "drawbridge", "title": "drawbridge", "description": "The admission webhook for storage and device objects.", "tags": ["admission", "kubernetes"],
            "schemaVersion": 39, "version": 1, "editable": True, "graphTooltip": 1, "refresh": "30s", "time": {"from": "now-3h", "to": "now"},
            "templating": {"list": variables}, "annotations": {"list": []}, "links": [],
            "panels": [panel(i + 1, place, row) for i, (place, row) in enumerate(zip(places(), PANELS))]}


if __name__ == "__main__":
    print(json.dumps(dashboard(), indent=1))
