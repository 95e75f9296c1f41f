#!/usr/bin/env python3
"""Judges the storage and device cases with `drawbridge review` and compares with the verdicts of real API servers.

    test_review.py BUILD

storage.jsonl.gz, resource.jsonl.gz: one case a line, {"id", "op", "sub", "object", ["oldObject"], "expect", ["expectIn"]}; what Kubernetes 1.35.4
decided, and where it differs, other versions. One test a case: the same verdict, and the same set of (field, reason).
"""
import gzip, json, os, re, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

RESOURCES = {"CSIDriver": "csidrivers", "CSINode": "csinodes", "CSIStorageCapacity": "csistoragecapacities", "StorageClass": "storageclasses",
             "VolumeAttachment": "volumeattachments", "VolumeAttributesClass": "volumeattributesclasses", "DeviceClass": "deviceclasses",
             "ResourceClaim": "resourceclaims", "ResourceClaimTemplate": "resourceclaimtemplates", "ResourceSlice": "resourceslices", "DeviceTaintRule": "devicetaintrules"}
VERSIONS = ["1.35", "1.36", "1.33", "1.32"]  # 1.34 turns a feature gate off that drawbridge does not know yet


def review(case):
    obj = case["object"]
    group, version = obj["apiVersion"].split("/")
    metadata = obj.get("metadata") if isinstance(obj.get("metadata"), dict) else {}
    request = {"uid": case["id"], "kind": {"group": group, "version": version, "kind": obj["kind"]},
               "resource": {"group": group, "version": version, "resource": RESOURCES[obj["kind"]]},
               "operation": case["op"], "object": obj, "oldObject": case.get("oldObject")}
    for key in ("name", "namespace"):
        if isinstance(metadata.get(key), str):
            request[key] = metadata[key]
    if case["sub"]:
        request["subResource"] = case["sub"]
    return {"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": request}


def as_written(path, version):
    """The path as the user wrote the object: the API server names v1's places of a v1beta1 object, and misspells one."""
    if version.endswith("/v1beta1"):
        path = re.sub(r"(requests\[[^]]*\])\.exactly\b", r"\1", path)
        path = re.sub(r"(devices\[[^]]*\])\.basic\b", r"\1", path)
    return path.replace("spec.attachedRequired", "spec.attachRequired")


def agrees(case, expected, response):
    causes = lambda pairs: {(as_written(field, case["object"]["apiVersion"]), reason) for field, reason in pairs}
    found = causes((c["field"], c["reason"]) for c in response.get("status", {}).get("details", {}).get("causes", []))
    if expected["outcome"] == "allowed":
        return response.get("allowed") is True and not found
    if expected["outcome"] == "undecodable":
        return response.get("allowed") is False and bool(found)
    return response.get("allowed") is False and found == causes((c["field"], c["reason"]) for c in expected["causes"])


def judge(build, version, cases):
    text = "".join(json.dumps(review(case), separators=(",", ":")) + "\n" for case in cases)
    done = subprocess.run([os.path.join(build, "drawbridge"), "review", "--kubernetes-version", version, "-"], input=text.encode(), stdout=subprocess.PIPE, timeout=300)
    return [json.loads(line)["response"] for line in done.stdout.splitlines()]


def main(build):
    tap = Tap()
    stored = {}
    for name in "storage", "resource":
        with gzip.open(os.path.join(HERE, name + ".jsonl.gz"), "rt", encoding="utf-8") as lines:
            stored[name] = [json.loads(line) for line in lines]
    for version in VERSIONS:
        cases = stored["storage"] + (stored["resource"] if version == "1.35" else [])  # of the others, only what 1.35 says is kept
        pairs = [(case, case.get("expectIn", {}).get(version, case["expect"]) if version != "1.35" else case["expect"]) for case in cases]
        pairs = [(case, expected) for case, expected in pairs if expected["outcome"] != "not-served"]
        responses = judge(build, version, [case for case, _ in pairs])
        tap.ok(len(responses) == len(pairs), f"{version}: an answer for each review")
        for (case, expected), response in zip(pairs, responses):
            tap.ok(response["uid"] == case["id"] and agrees(case, expected, response), f"{version}: {case['id']} is {expected['outcome']}")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
