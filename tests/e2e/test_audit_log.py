#!/usr/bin/env python3
"""`drawbridge review --audit-log` reads the audit log of a real API server: every write is validated again, against the object before it, with the answer
that the API server gave.

    test_audit_log.py BUILD
"""
import json, os, subprocess

from cluster import GATES
from objects import MINOR, STATUSES, VERSIONS, make
from suite import BUILD, run


def review(cluster):
    """(summary, records, standard error)"""
    command = [os.path.join(BUILD, "drawbridge"), "review", "--audit-log", "--format", "json", "--kubernetes-version", f"1.{MINOR}",
               "--feature-gates", ",".join(gate + "=true" for gate in GATES), cluster.path("audit.log")]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return lines[-1]["summary"], lines[:-1], done.stderr


def write_all(client, kind, version):
    """The answers to one write of each sort; two of them are refused."""
    obj = make(kind, "audited", version)
    yield client.create(obj, dry_run=True)
    answer = client.create(obj)
    yield answer
    stored = answer.body
    yield client.update(dict(stored, metadata=dict(stored["metadata"], labels={"a b": ""})))
    stored["metadata"]["labels"] = {"step": "update"}
    answer = client.update(stored)
    yield answer
    if kind in STATUSES:
        yield client.update(dict(answer.body, status=STATUSES[kind]), sub="status")
    yield client.patch(obj, {"metadata": {"labels": {"step": "patch"}}})
    yield client.patch(obj, {"metadata": {"labels": {"a b": ""}}})
    answer = client.delete(obj)
    if answer.good and answer.body["metadata"].get("finalizers"):  # of a controller that does not run here
        yield client.patch(obj, {"metadata": {"finalizers": None}}, user="controllers")


def test_log(tap, cluster, webhook):
    refused, allowed = [], []
    for kind, versions in VERSIONS.items():
        for version in versions:
            for answer in write_all(cluster.client, kind, version):
                (allowed if answer.good else refused).append(answer)
    summary, records, said = review(cluster)
    tap.ok(not said and summary["unreadable"] == 0, "every line of the log is an event", said)
    tap.equal(summary["writes"]["allowed"], len(allowed), "every write that was allowed is validated")
    tap.equal([record for record in records if record["then"] == "allowed"], [], "and would be allowed again")
    tap.equal(summary["mergePatches"], len(refused) // 2, "patches that were refused have no result")
    tap.equal((summary["writes"]["refused"], summary["denied"]["refused"]), (len(refused) // 2,) * 2, "what was refused would be denied again")
    tap.ok(all({cause["path"] for cause in record["causes"]} == {"metadata.labels"} for record in records), "for the same field", records)
    tap.equal(summary["withoutOldObject"], 0, "the object before is known of every update")
    tap.ok(summary["dryRuns"] == sum(map(len, VERSIONS.values())), "dry runs are known", summary)


if __name__ == "__main__":
    run(test_log)
