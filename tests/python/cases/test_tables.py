"""What is checked: rules, kinds and constraints."""
import json
import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import drawbridge
import pytest
from drawbridge import Severity, _tables

PROGRAM = Path.cwd().parent / "drawbridge"  # tests run in BUILD/python


def kind(name, version="v1", role=None):
    found, = [each for each in drawbridge.kinds() if (each.kind, each.version, each.replaced_by, each.role) == (name, version, None, role)]
    return found


def find(name, field, rule):
    found, = [each for each in drawbridge.constraints(kind(name)) if (each.field, each.rule) == (field, rule)]
    return found


def test_rules():
    rules = drawbridge.rules()
    assert drawbridge.Rule(id="enum", reason="FieldValueNotSupported", asks="the value is one of a list") in rules
    assert len(rules) == len({rule.id for rule in rules}) and rules is drawbridge.rules()


def test_kinds():
    assert kind("ResourceClaim") == drawbridge.Kind(
        group="resource.k8s.io", version="v1", kind="ResourceClaim", resource="resourceclaims", role=None, since="1.34", until=None,
        replaced_by=None, namespaced=True, partial=False, has_rules=True)
    assert kind("ResourceClaim").api_version == "resource.k8s.io/v1" and kind("Node").api_version == "v1"
    recycler = kind("Pod", role="recycler-pod-template")
    assert (recycler.partial, kind("Pod").partial, kind("Pod").has_rules, kind("Namespace").has_rules) == (True, True, True, False)
    assert drawbridge.constraints(recycler) != drawbridge.constraints(kind("Pod"))
    assert [each.replaced_by for each in drawbridge.kinds() if each.group == "csi.storage.k8s.io"] == ["storage.k8s.io/v1 CSIDriver", "storage.k8s.io/v1 CSINode"]


def test_constraints():
    enum = find("CSIDriver", "spec.fsGroupPolicy", "enum")
    assert (enum.severity, enum.reason, enum.values, enum.members) == (Severity.ERROR, "FieldValueNotSupported", ("ReadWriteOnceWithFSType", "File", "None"), ())
    assert (enum.asks, enum.when, enum.type, enum.kind) == ("must be one of ReadWriteOnceWithFSType, File, None", "", "string", kind("CSIDriver"))
    field = find("CSIDriver", "spec.fsGroupPolicy", "type")
    assert (field.default, field.defaulted, field.values, field.min, field.max) == ('"ReadWriteOnceWithFSType"', True, (), None, None)
    assert (find("CSINode", "spec.drivers[].nodeID", "max-bytes").max, find("CSINode", "spec.drivers[].allocatable.count", "range").min) == (256, 0)
    assert find("CSIDriver", "spec.tokenRequests", "unique").key == "audience"
    device = find("ResourceSlice", "spec.devices[].bindingConditions", "type")
    assert (device.since, device.until, device.gate) == ("1.34", None, "DRADeviceBindingConditions")
    assert find("ResourceSlice", "spec.devices[]", "sum-items").members == ("attributes", "capacity")
    assert {each.severity for each in drawbridge.constraints()} == set(Severity)


def test_the_same_as_the_program():
    """`drawbridge rules --format json` names API versions that share tables in one line."""
    if not PROGRAM.exists():
        pytest.skip("no program beside this folder")
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    lines = subprocess.run([PROGRAM, "rules", "--format", "json"], env=environment, stdout=subprocess.PIPE, check=True).stdout.splitlines()
    want = []
    for row in map(json.loads, lines):
        names = [row[name] for name in ("group", "kind", "field", "rule", "severity", "reason", "asks", "when", "since", "until", "gate", "source")]
        args = [tuple(row["args"].get(name, ())) for name in ("values", "members")] + [row["args"].get(name) for name in ("key", "min", "max")]
        want += [[version, *names, *args] for version in row["versions"]]
    got = [[each.kind.version, each.kind.group, each.kind.kind, each.field, each.rule, each.severity.value, each.reason, each.asks, each.when, each.since,
            each.until, each.gate, each.source, each.values, each.members, each.key, each.min, each.max] for each in drawbridge.constraints()]
    assert sorted(map(repr, got)) == sorted(map(repr, want))


def test_constraints_of_all_kinds():
    everything = drawbridge.constraints()
    assert tuple(each for one in drawbridge.kinds() for each in drawbridge.constraints(one)) == everything == drawbridge.Context().constraints()
    assert drawbridge.constraints(kind("Namespace")) == ()
    assert pickle.loads(pickle.dumps(everything[0])) == everything[0]


@pytest.mark.parametrize("wrong, error", [("CSIDriver", TypeError), (drawbridge.Kind("", "v1", "Nothing", "nothings", None, None, None, None, False, False, True), ValueError)])
def test_no_such_kind(wrong, error):
    with pytest.raises(error, match="kinds"):
        drawbridge.constraints(wrong)


@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt])
def test_errors_come_through(monkeypatch, error):
    """What is raised while the library calls back ends the visits, and reaches the caller."""
    calls = []

    def fail(raw):
        calls.append(raw)
        raise error("enough")

    monkeypatch.setattr(_tables, "_constraint", fail)
    with pytest.raises(error, match="enough"):
        drawbridge.constraints()
    assert len(calls) == 1


def test_threads():
    results = []
    threads = [threading.Thread(target=lambda: results.append(hash(drawbridge.constraints(kind("CSINode"))))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4 and len(set(results)) == 1
