#!/usr/bin/env python3
"""With every `should` rule set to deny: a stored object that breaks one can always be let go. For each rule that one object alone can break and an API
server stores, an object that breaks it: a new one like it is refused, but of the stored one finalizers and labels change, and it can be deleted.

    test_ratchets.py BUILD [WORD]      only the objects with WORD in their case

The objects are the cases of tests/ledger, and ADDED in the same notation.
"""
import copy, json, os, re, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "ledger"))
import api
import test_ledger as ledger
from suite import BUILD, run
from test_policies import audited
from webhook import require

WORD = sys.argv[2] if len(sys.argv) > 2 else ""
DENY_ALL = {"kubernetesVersion": "1.35", "policies": [{"rules": ["*"], "mode": "enforce"}]}
FINALIZER = "e2e.example.com/held"

SECRETS = ["provisioner", "controller-publish", "node-stage", "node-publish", "controller-expand", "node-expand", "controller-modify"]
SECRET_PART = '"csi.storage.k8s.io/{}-secret-{}":"x"'
ADDED = [
    "csidriver-tokens spec.serviceAccountTokenInSecrets=-",
    'csistoragecapacity nodeTopology.matchLabels={"beta.kubernetes.io/os":"linux"}',
    'csistoragecapacity nodeTopology.matchExpressions=[{"key":"beta.kubernetes.io/os","operator":"Exists"}]',
    "taintrule spec.deviceSelector=-",
    "taintrule spec.deviceSelector={}",
    'claim spec.devices.constraints=[{"requests":["gpu"],"matchAttribute":"gpu.acme.dev/model","distinctAttribute":"gpu.acme.dev/index"}]',
    'slice spec.devices[0].attributes["pcieRoot"]={"string":"pci0000:00"}',
    'storageclass metadata.annotations={"storageclass.kubernetes.io/is-default-class":"yes"}',
    'storageclass allowedTopologies=[{"matchLabelExpressions":[{"key":"beta.kubernetes.io/os","values":["linux"]}]}]',
    'storageclass parameters={"fstype":"ext4","csi.storage.k8s.io/fstype":"ext4"}',
    'storageclass parameters={"fsType":"ext4","csi.storage.k8s.io/fstype":"ext4"}',
    'deviceclass spec.selectors[0].cel.expression="device.attributes[\\"gpu.acme.dev\\"].model == \\"a100\\""',
    'slice spec.devices[0].attributes["resource.kubernetes.io/pcieRoot"]={"string":"0000:00"}',
    'storageclass metadata.annotations={"storageclass.kubernetes.io/is-default":"true"}',
    'volumeattributesclass metadata.annotations={"volumeattributesclass.kubernetes.io/is-default":"true"}',
    'storageclass provisioner="ebs.csi.aws.com" parameters={"typ":"gp3"}',
    'volumeattributesclass driverName="ebs.csi.aws.com" parameters={"iopss":"3000"}',
    *(f"storageclass parameters={{{SECRET_PART.format(secret, part)}}}" for secret in SECRETS for part in ("name", "namespace")),
]

# Rules that warn, and why no stored object breaks them in a webhook's eyes; by (kind, field, rule), or by the rule alone.
OTHERS = "needs other objects, and a webhook sees one"
WRITTEN = "an API server writes the field even where it is empty"
REFUSED = "an API server of this version refuses such an object"
EXCEPTIONS = {
    **dict.fromkeys(["unique-across-objects", "missing-object", "config-driver", "satisfiable", "pool-slices", "single-default", "attachable", "consistent-type"], OTHERS),
    **dict.fromkeys([
        ("CSIDriver", "spec.tokenRequests[].audience", "recommended"), ("CSINode", "spec.drivers", "recommended"),
        ("ResourceClaimTemplate", "spec", "recommended"), ("ResourceClaimTemplate", "spec.spec", "recommended"),
        ("ResourceSlice", "spec.devices[].capacity{}.value", "recommended"), ("ResourceSlice", "spec.sharedCounters[].counters{}.value", "recommended"),
        ("ResourceSlice", "spec.devices[].consumesCounters[].counters{}.value", "recommended"), ("VolumeAttachment", "status.attached", "recommended"),
    ], WRITTEN),
    **dict.fromkeys([(kind, f"{prefix}spec.devices.requests[].{request}.selectors", "selector") for kind, prefix in (("ResourceClaim", ""), ("ResourceClaimTemplate", "spec."))
                     for request in ("exactly", "firstAvailable[]")], OTHERS),
    ("VolumeAttachment", "spec.source.inlineVolumeSpec.flexVolume.driver", "plugin-name"): REFUSED,
    ("ResourceClaim", "spec.devices.requests[].exactly.adminAccess", "recommended"): OTHERS,
    ("ResourceClaimTemplate", "spec.spec.devices.requests[].exactly.adminAccess", "recommended"): OTHERS,
    **dict.fromkeys([(kind, f"{field}.opaque.parameters", "driver-parameter") for kind, field in (
        ("DeviceClass", "spec.config[]"), ("ResourceClaim", "spec.devices.config[]"), ("ResourceClaim", "status.allocation.devices.config[]"),
        ("ResourceClaimTemplate", "spec.spec.devices.config[]"))], "the webhook does not read what is in them"),
    ("ResourceClaim", "status.allocation.nodeSelector.nodeSelectorTerms", "max-items"): "the row is for the devices of slices",
    ("ResourceSlice", "spec.nodeSelector.nodeSelectorTerms", "max-items"): "the row is for the devices of slices",
    ("DeviceClass", "spec.selectors", "selector"): "it is reported at the expression that fails, where others are proved",
}


def warned_rows():
    """(kind, field, rule) of every row that warns of a kind in the cluster."""
    text = os.popen(f"{BUILD}/drawbridge rules --format json").read()
    rows = (json.loads(line) for line in text.splitlines())
    return {(row["kind"], row["field"].replace("{key}", "{}"), row["rule"]) for row in rows
            if row["severity"] == "warning" and row["kind"] in api.RESOURCES and "v1beta1" not in row["versions"][:1] and not row["until"]}


def candidates():
    """(case, object): single objects of the ledger that break something, those added, and templates of all claims."""
    bases = ledger.read_bases()
    texts = [row["failing"] for row in ledger.read_rows() if row["rule"] not in ("-", "explained")] + ADDED
    for text in texts:
        try:
            case = ledger.Case(text, bases)
        except ValueError:
            continue
        obj = case.new[0]
        if len(case.new) > 1 or case.old or not isinstance(obj, dict) or obj.get("kind") not in api.RESOURCES or not obj.get("apiVersion", "").startswith(api.RESOURCES[obj["kind"]][0]):
            continue
        yield text, obj
        if obj["kind"] == "ResourceClaim" and "spec" in obj:
            yield "template of " + text, dict(bases["template"], spec={"spec": copy.deepcopy(obj["spec"])})


def lint(program, obj):
    """What is wrong with an object and its status."""
    path = program.write("object.json", [obj])
    text = "".join(program.run("lint", "--format", "json", *more, path).stdout for more in ([], ["--as-status"]))
    return [one for one in map(json.loads, text.splitlines()) if "summary" not in one]


def breaks(problem, row):
    kind, field, rule = row
    inside = ledger.general(problem["path"]).startswith(field + ".") and field == "metadata"
    there = ledger.concerns(problem, {"validated_kind": kind, "validated_field": field, "rule": rule}) or inside
    return problem["severity"] == "warning" and there and (problem["kind"], problem["rule"]) == (kind, rule)


def broken_rows(program, obj, rows):
    problems = lint(program, obj)
    return {row for row in rows if any(breaks(problem, row) for problem in problems)}


class Held:
    """One stored object with a finalizer. `setup` is by a person, whom the webhook does not watch here; the rest by others."""

    def __init__(self, tap, cluster, webhook, text, obj):
        self.tap, self.client, self.cluster, self.webhook, self.text = tap, cluster.client, cluster, webhook, text
        self.wanted = obj
        self.place = {"apiVersion": obj["apiVersion"], "kind": obj["kind"], "metadata": obj["metadata"]}
        self.stored = None

    def setup(self):
        """Whether an API server stores it, with its status."""
        obj = {**self.wanted, "metadata": {**self.wanted["metadata"], "finalizers": [FINALIZER]}}
        answer = self.client.create(obj, user="person")
        self.stored = answer.body if answer.good else None
        if answer.good and "status" in self.wanted:
            self.denied_status = self.client.update(self.with_status(), sub="status", dry_run=True)
            answer = self.client.update(self.with_status(), sub="status", user="person")
            self.stored = answer.body if answer.good else self.stored
        return answer.good

    def with_status(self):
        return dict(self.stored, status=self.wanted["status"])

    def tear_down(self):
        if self.stored:
            self.client.delete(self.place, user="person")
            self.client.patch(self.place, {"metadata": {"finalizers": None}}, user="person")

    def prove_denied(self, rows):
        """What is new and like it is refused."""
        if any(not field.startswith("status") for _, field, _ in rows):
            answer = self.client.create(self.wanted, dry_run=True)
            self.tap.ok(self.denied(answer), f"{self.text}: a new one is refused", answer)
        if any(field.startswith("status") for _, field, _ in rows):
            self.tap.ok(self.denied(self.denied_status), f"{self.text}: a new status is refused", self.denied_status)

    def denied(self, answer):
        return answer.status == 422 and "drawbridge.dev" in answer.message

    def seen(self, text, call):
        """A call that goes through and that the webhook has seen."""
        before = self.webhook.reviews()
        answer = call()
        seen = self.webhook.reviews() - before  # an API server asks again when its cache was behind
        self.tap.ok(answer.good and seen >= 1, f"{self.text}: {text}", f"{seen} reviews, {answer}")

    def prove_free(self):
        change = lambda metadata: lambda: self.client.patch(self.place, {"metadata": metadata})
        self.seen("a finalizer is put on", change({"finalizers": [FINALIZER, FINALIZER + "-too"]}))
        self.seen("and taken off", change({"finalizers": [FINALIZER]}))
        self.seen("an owner is set", change({"ownerReferences": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": "1"}]}))
        self.seen("a label is set", change({"labels": {"changed": "yes"}}))
        if "status" in self.wanted:
            self.stored = self.client.get(self.place).body
            self.seen("the same status is written again", lambda: self.client.update(self.with_status(), sub="status"))
        self.tap.ok(self.client.delete(self.place).good, f"{self.text}: it is deleted")
        self.seen("then its last finalizer is taken off", change({"finalizers": None}))
        self.tap.equal(self.client.get(self.place).status, 404, f"{self.text}: and it is gone")


def watch_all(entry):
    """All that comes, finalizers and the system, too; but not what sets the test up."""
    entry["matchConditions"] = [{"name": "not-the-test", "expression": "request.userInfo.username != 'alice'"}]


def test_held_objects(tap, cluster, webhook):
    webhook.start(configuration=DENY_ALL)
    webhook.register(failure_policy="Fail", controllers=True, change=watch_all)
    rows, proved, held = warned_rows(), set(), 0
    missing = {row for row in rows if row[2] not in EXCEPTIONS}
    with tempfile.TemporaryDirectory() as folder:
        program = ledger.Program(BUILD, folder)
        for text, obj in candidates():
            if WORD not in text or not broken_rows(program, obj, missing):
                continue
            one = Held(tap, cluster, webhook, text, obj)
            broken = broken_rows(program, one.stored, rows) if one.setup() else set()
            if broken & missing:
                missing -= broken
                proved |= broken
                held += 1
                one.prove_denied(broken)
                one.prove_free()
            one.tear_down()
    print(f"# measured: {held} stored objects break {len(proved)} of {len(rows)} rules that warn", flush=True)
    for row in sorted(rows - proved if not WORD else ()):
        reason = EXCEPTIONS.get(row) or EXCEPTIONS.get(row[2])
        tap.ok(reason, f"no stored object breaks {' '.join(row)}: {reason}")


def test_annotation(tap, cluster, webhook):
    """What was spared is counted where an auditor sees it."""
    webhook.start(configuration=DENY_ALL)
    webhook.register(failure_policy="Fail", controllers=True, change=watch_all)
    obj = ledger.Case("storageclass parameters={\"reclaimPolicy\":\"Retain\"} metadata.name=\"spared\"", ledger.read_bases()).new[0]
    require(cluster.client.create(obj, user="person"))
    require(cluster.client.patch(obj, {"metadata": {"labels": {"changed": "yes"}}}))
    annotations = audited(cluster, "storageclasses/spared")[-1]
    tap.equal(annotations.get("people.drawbridge.dev/demoted"), "1", "the audit log says that one finding would have denied")


if __name__ == "__main__":
    run(test_held_objects, test_annotation)
