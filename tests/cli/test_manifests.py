#!/usr/bin/env python3
"""What `drawbridge manifests` prints against the tables it comes from, and deploy/kustomize/base against it.

    test_manifests.py BUILD
"""
import os, re, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

KIND = re.compile(r'^KIND\("([^"]*)",\s*"([^"]*)",\s*"([^"]*)",\s*"([^"]*)",\s*\w+,\s*([^,]*),(.*)\)$', re.M)
RULE = re.compile(r"- apiGroups: \[(.*)\]\n +apiVersions: \[(.*)\]\n +operations: \[(.*)\]\n +resources: \[(.*)\]\n +scope: (.*)\n")
STATUS = {"devicetaintrules", "resourceclaims", "volumeattachments"}  # kinds that have one, as the API server's discovery says


def output(build, *options):
    done = subprocess.run([os.path.join(build, "drawbridge"), "manifests", "--without-certificates", *options], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def split(text):
    return text.split(", ")


def known_kinds():
    """(group, resource, scope) with its API versions, of kinds that are judged in a cluster."""
    kinds = {}
    for group, version, _, resource, traits, more in KIND.findall(read("rules", "kinds.def")):
        if "KIND_PARTIAL" not in traits and "REPLACED_BY" not in more:
            scope = "Cluster" if "CLUSTER_SCOPED" in traits else "Namespaced"
            kinds.setdefault((group, resource, scope), set()).add(version)
    return kinds


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


def main(build):
    tap = Tap()
    tap.ok(output(build) == read("deploy", "kustomize", "base", "drawbridge.yaml"),
           "deploy/kustomize/base/drawbridge.yaml is what `drawbridge manifests --without-certificates` prints")
    kinds = known_kinds()
    tap.equal(len(kinds), 11, "kinds with rules")
    want = {**kinds, **{(group, resource + "/status", scope): versions for (group, resource, scope), versions in kinds.items() if resource in STATUS}}
    tap.equal(registered(tap, output(build, "--only", "webhook", "--controllers")), want, "both entries: each kind, in each API version with rules")
    people = registered(tap, output(build, "--only", "webhook"))
    tap.ok(people and not any("/" in resource for _, resource, _ in people), "the first entry: no subresource")
    return tap.done()


sys.exit(main(os.path.abspath(sys.argv[1])))
