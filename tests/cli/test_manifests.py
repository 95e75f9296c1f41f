#!/usr/bin/env python3
"""What `drawbridge manifests` prints against the tables it comes from; deploy/kustomize/base, the Helm chart and deploy/README.md against it.

    test_manifests.py BUILD
"""
import os, re, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap
import kinds

RULE = re.compile(r"- apiGroups: \[(.*)\]\n +apiVersions: \[(.*)\]\n +operations: \[(.*)\]\n +resources: \[(.*)\]\n +scope: (.*)\n")
CONDITIONS = re.compile(r" +matchConditions:\n(?: +- name: .*\n +expression: \|\n(?: {10}.*\n)+)+")
CHART = ("deploy", "helm", "drawbridge", "templates", "webhook.yaml")


def output(build, *options):
    done = subprocess.run([os.path.join(build, "drawbridge"), "manifests", "--without-certificates", *options], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def split(text):
    return text.split(", ")


def resources(entry):
    """(group, resource, scope) with its API versions, of what people or controllers write."""
    found = {}
    for suffix, modifier in ("", "WRITTEN_BY"), ("/status", "STATUS_WRITTEN_BY"):
        names = kinds.written_by(entry, modifier)
        for row in kinds.served():
            if row.kind in names:
                scope = "Namespaced" if row.namespaced else "Cluster"
                found.setdefault((row.group, row.resource + suffix, scope), set()).add(row.version)
    return found


def registered(tap, text):
    """The same, of both webhook entries."""
    found, twice = {}, []
    for group, versions, operations, resources, scope in RULE.findall(text):
        tap.equal(operations, "CREATE, UPDATE", f"{resources}: operations")
        for resource in split(resources):
            twice += [resource] if (group, resource, scope) in found else []
            found[group, resource, scope] = set(split(versions))
    tap.ok(not twice, f"no resource is registered twice {twice or ''}")
    return found


def test_deploy(tap, text):
    """What is written by hand there, without the tools that `make test-deploy` needs to render it."""
    chart = read(*CHART)
    tap.ok(len(RULE.findall(text)) > 5 and len(CONDITIONS.findall(text)) == 2, "there are rules, and conditions in both entries")
    tap.equal(RULE.findall(chart), RULE.findall(text), "the chart has the rules that the command prints")
    tap.equal(CONDITIONS.findall(chart), CONDITIONS.findall(text), "the chart has its conditions")
    readme = read("deploy", "README.md")
    for entry in "people", "controllers":
        words = re.search(rf"^\| {entry}\.drawbridge\.dev[^|]*\| ([^|]*) \|", readme, re.M)[1]
        names, _, statuses = words.partition(", and the status of ")
        named = set(split(names)) | {name + "/status" for name in statuses.replace(" and ", ", ").split(", ") if name}
        tap.equal(named, {resource for _, resource, _ in resources(entry.upper())}, f"deploy/README.md: what {entry}.drawbridge.dev is sent")


def main(build):
    tap = Tap()
    tap.ok(output(build) == read("deploy", "kustomize", "base", "drawbridge.yaml"),
           "deploy/kustomize/base/drawbridge.yaml is what `drawbridge manifests --without-certificates` prints")
    people, controllers = resources("PEOPLE"), resources("CONTROLLERS")
    tap.equal({resource.partition("/")[0] for _, resource, _ in {**people, **controllers}}, {row.resource for row in kinds.served()},
              "somebody writes each kind that is validated in a cluster")
    tap.equal(registered(tap, output(build, "--only", "webhook")), people, "the first entry: what people write, in each API version with rules")
    both = output(build, "--only", "webhook", "--controllers")
    tap.equal(registered(tap, both), {**people, **controllers}, "both entries: what controllers write, too")
    test_deploy(tap, both)
    return tap.done()


sys.exit(main(os.path.abspath(sys.argv[1])))
