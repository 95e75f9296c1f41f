#!/usr/bin/env python3
"""`drawbridge lint --kubernetes-version A..B`: what it finds is what runs with each of these versions find, and it says in which.

    test_range.py BUILD
"""
import collections, json, os, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

MANIFESTS = os.path.join(os.path.dirname(HERE), "manifests")
FIRST, LAST = 31, 37
RANGES = [(31, 37), (34, 37), (36, 37), (31, 32)]


def lint(build, versions, arguments):
    done = subprocess.run([os.path.join(build, "drawbridge"), "lint", "--format", "json", "--kubernetes-version", versions, *arguments],
                          cwd=MANIFESTS, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, [json.loads(line) for line in done.stdout.decode().splitlines()[:-1]]


def key(finding, version):
    """What makes two findings the same. The version that was asked for stands in some messages, but not in those of a range."""
    other = finding.get("other", {})
    message = finding["message"]
    for words in (f", validated as 1.{version}", f" in 1.{version}" if finding["rule"] == "feature-gate" else ""):
        message = message.replace(words, "")
    return (finding["file"], finding["offset"], finding["severity"], finding["rule"], finding["reason"], finding["path"], message, finding["kind"],
            finding["name"], other.get("file"), other.get("offset"))


def check(build, first, last, single, arguments):
    status, findings = lint(build, f"1.{first}..1.{last}", arguments)
    asked = range(first, last + 1)
    expected, got = collections.Counter(), collections.Counter()
    for version in asked:
        expected.update((version, key(finding, version)) for finding in single[version][1])
    for finding in findings:
        versions = finding.get("kubernetesVersions", [f"1.{version}" for version in asked])
        if len(versions) == len(asked) and "kubernetesVersions" in finding:
            return "a finding that is in all versions names them"
        got.update((int(version[2:]), key(finding, None)) for version in versions)
    if got != expected:
        return f"differs: {list((got - expected).elements())[:3]} or {list((expected - got).elements())[:3]}"
    if status != max(single[version][0] for version in asked):
        return f"status {status}"
    return None


def main():
    build = os.path.abspath(sys.argv[1])
    tap = Tap()
    for arguments in (["."], ["together"], ["--old", "old.yaml", "good.yaml"], ["--as-status", "."], ["tree"]):
        single = {version: lint(build, f"1.{version}", arguments) for version in range(FIRST, LAST + 1)}
        for first, last in RANGES:
            wrong = check(build, first, last, single, arguments)
            tap.ok(not wrong, f"1.{first}..1.{last} {' '.join(arguments)}", wrong)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
