#!/usr/bin/env python3
"""`drawbridge scan` reads a real API server, with a real kubectl: it finds nothing wrong with good objects and their status, finds a bad one, and the server
keeps its reports. The manifests of deploy/kustomize/scan are taken.

    test_scan.py BUILD
"""
import json, os, subprocess, sys

from cluster import HERE, PROGRAMS, Cluster
from objects import MINOR, STATUSES, VERSIONS, make
from suite import BUILD
from tap import Tap

ROOT = os.path.dirname(os.path.dirname(HERE))
KUBECTL = os.path.join(PROGRAMS, "kubectl")
TEXT, NUMBER = {"type": "string"}, {"type": "integer"}


def words(*values):
    return {"type": "string", "enum": list(values)}


def members(required=(), **properties):
    return {"type": "object", "properties": properties, "required": list(required)}


# What both APIs have, as far as reports here use it.
RESULT = members(("policy",), policy=TEXT, rule=TEXT, message=TEXT, source=TEXT, scored={"type": "boolean"}, result=words("pass", "fail", "warn", "error", "skip"),
                 severity=words("critical", "high", "low", "medium", "info"), timestamp=members(("seconds", "nanos"), seconds={**NUMBER, "format": "int64"}, nanos=NUMBER),
                 properties={"type": "object", "additionalProperties": TEXT},
                 resources={"type": "array", "items": members(apiVersion=TEXT, kind=TEXT, namespace=TEXT, name=TEXT, uid=TEXT)})
REPORT = members(summary=members(**{name: NUMBER for name in ("pass", "fail", "warn", "error", "skip")}), results={"type": "array", "items": RESULT})
OPEN = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
APIS = {"policy-report": ("wgpolicyk8s.io", "v1alpha2", "PolicyReport", "ClusterPolicyReport"), "open-report": ("openreports.io", "v1alpha1", "Report", "ClusterReport")}


def definition(group, version, kind, scope, schema):
    plural = kind.lower() + ("es" if kind.endswith("ss") else "s")
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": f"{plural}.{group}", "annotations": {"api-approved.kubernetes.io": "unapproved, for tests"}},
            "spec": {"group": group, "scope": scope, "names": {"plural": plural, "singular": kind.lower(), "kind": kind, "listKind": kind + "List"},
                     "versions": [{"name": version, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}]}}


def apply(cluster, *objects):
    status, _, errors = cluster.kubectl("apply", "-f", "-", stdin=json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
    if status:
        raise RuntimeError(errors)


def scan(cluster, *options):
    """(status, standard output, standard error)"""
    command = [os.path.join(BUILD, "drawbridge"), "scan", "--no-config", "--kubectl", KUBECTL, "--kubeconfig", cluster.path("kubeconfig"), *options]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def findings(text):
    return [line for line in map(json.loads, text.splitlines()) if "rule" in line]


def make_objects(tap, cluster):
    definitions = [definition(*APIS[name][:2], kind, scope, REPORT) for name in APIS for kind, scope in zip(APIS[name][2:], ("Namespaced", "Cluster"))]
    apply(cluster, *definitions, definition("snapshot.storage.k8s.io", "v1", "VolumeSnapshotClass", "Cluster", OPEN))
    status, _, errors = cluster.kubectl("wait", "--for=condition=Established", "--timeout=60s", "crd", "--all")
    tap.equal((status, errors), (0, ""), "definitions")
    apply(cluster, {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1"}})
    for kind, versions in VERSIONS.items():
        obj = make(kind, {"CSINode": "node-1", "DeviceClass": "gpu", "StorageClass": "fast"}.get(kind, "scanned"), versions[0])
        answer = cluster.client.create(obj)
        if kind in STATUSES:
            answer = cluster.client.update(dict(answer.body, status=STATUSES[kind]), sub="status")
        tap.ok(answer.good, f"{kind} is stored", answer)


def test_good(tap, cluster):
    status, out, errors = scan(cluster, "--format", "json")
    wrong = [one for one in findings(out) if one["severity"] == "error"]
    tap.equal((status, wrong, errors), (0, [], ""), "objects that the server has taken are good, with their status and what the server sets")
    summary = json.loads(out.splitlines()[-1])["summary"]
    tap.equal((summary["kubernetesVersion"], summary["objects"] >= len(VERSIONS)), (f"1.{MINOR}", True), "all were read, and validated as that server does")
    status, out, errors = scan(cluster, "--namespace", "nowhere", "--statistics")
    tap.ok(status == 0 and "of the cluster" in errors, "another namespace", errors)


def places(tap, cluster, found):
    """A finding's line and column are those in what kubectl prints of that object."""
    _, text, _ = cluster.kubectl("get", "volumesnapshotclass", "bad", "-o", "json")
    lines = text.splitlines()
    good = all(lines[one["line"] - 1] == one["source"].split("\n")[0] for one in found)
    tap.ok(found and good, "lines are those that kubectl prints", found)


def counts(cluster, api, kind, namespace):
    group = api[0]
    status, text, errors = cluster.kubectl("get", f"{kind.lower()}s.{group}", "drawbridge", "-o", "json", *(["-n", namespace] if namespace else []))
    if status:
        raise RuntimeError(errors)
    report = json.loads(text)
    return report["summary"], report.get("results") or []


def keep(tap, cluster, name):
    """Scans, and has the server keep the reports. They are strict: a member that the schema does not have would be refused."""
    status, text, errors = scan(cluster, "--format", name, "--fail-on", "never")
    tap.equal((status, errors), (0, ""), f"{name}: scan")
    status, out, errors = cluster.kubectl("apply", "--server-side", "--force-conflicts", "--field-manager=drawbridge", "-f", "-", stdin=text)
    tap.equal((status, errors), (0, ""), f"{name}: the server takes it")
    return out


def test_reports(tap, cluster):
    apply(cluster, {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshotClass", "metadata": {"name": "bad"}, "driver": "disk.example.com", "deletionPolicy": "Keep"})
    status, out, errors = scan(cluster, "--format", "json")
    found = [one for one in findings(out) if one["severity"] == "error"]
    tap.equal((status, [(one["file"], one["rule"], one["path"]) for one in found]), (1, [("cluster/VolumeSnapshotClass/bad", "enum", "deletionPolicy")]), "a bad object")
    places(tap, cluster, found)
    for name, api in APIS.items():
        said = keep(tap, cluster, name)
        tap.ok(all(f"{api[2].lower()}.{api[0]}/drawbridge" in line or f"{api[3].lower()}.{api[0]}/drawbridge" in line for line in said.splitlines()), f"{name}: kinds", said)
        summary, results = counts(cluster, api, api[3], None)
        failed = [one for one in results if one["result"] == "fail"]
        tap.ok(summary["fail"] == 1 and len(failed) == 1 and failed[0]["resources"][0]["name"] == "bad" and failed[0]["resources"][0]["uid"], f"{name}: the bad object is in the cluster's report", results)
        summary, results = counts(cluster, api, api[2], "default")
        tap.ok(summary["fail"] == 0 and summary["pass"] >= 2, f"{name}: the namespace has a report", summary)
        tap.equal(counts(cluster, api, api[2], "kube-public"), ({"pass": 0, "fail": 0, "warn": 0, "error": 0, "skip": 0}, []), f"{name}: an empty one, too")
    cluster.kubectl("delete", "volumesnapshotclass", "bad")
    for name, api in APIS.items():
        keep(tap, cluster, name)
        tap.equal(counts(cluster, api, api[3], None)[0]["fail"], 0, f"{name}: when it is gone, the report says so")


def test_manifests(tap, cluster):
    status, text, errors = cluster.kubectl("kustomize", os.path.join(ROOT, "deploy", "kustomize", "scan"))
    tap.equal((status, errors), (0, ""), "deploy/kustomize/scan is rendered")
    status, out, errors = cluster.kubectl("apply", "-f", "-", stdin=text)
    tap.equal((status, errors, len(out.splitlines())), (0, "", 5), "the server takes it")


def main():
    tap = Tap()
    with Cluster(BUILD) as cluster:
        make_objects(tap, cluster)
        for test in test_good, test_reports, test_manifests:
            test(tap, cluster)
    return tap.done()


sys.exit(main())
