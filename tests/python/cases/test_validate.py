"""Dicts and text, options, reports, and what is refused."""
import collections
import copy
import datetime
import decimal
import enum
import io
import json
import pathlib
import pickle
import re
import threading
import types

import drawbridge
import pytest
from drawbridge import Severity

UTC = datetime.timezone.utc


def test_objects_that_clash():
    def a_class(name):
        return {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": name, "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}}, "provisioner": "a.b"}
    (finding,) = drawbridge.validate([a_class("first"), a_class("second")])
    assert (finding.rule, finding.name, finding.severity) == ("single-default", "second", drawbridge.Severity.WARNING)
    assert (finding.other.kind, finding.other.name, finding.other.line) == ("StorageClass", "first", 1)
    assert drawbridge.validate(a_class("first")).ok
    assert [finding.rule for finding in drawbridge.validate([a_class("first")] * 2)] == ["duplicate-object"]


def test_range_of_versions():
    claim = {"apiVersion": "resource.k8s.io/v1beta2", "kind": "ResourceClaim", "metadata": {"name": "a"},
             "spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "C"}}]}}}
    report = drawbridge.validate(claim, kubernetes_version="1.34..1.37")
    versions = {finding.rule: finding.kubernetes_versions for finding in report}
    assert versions == {"deprecated": ("1.36", "1.37"), "dns-subdomain": ()}
    assert str(report[0]).endswith("[deprecated] (in 1.36, 1.37)") and str(report[1]).endswith("[dns-subdomain]")
    assert not drawbridge.validate(claim, kubernetes_version="1.36..1.36")[0].kubernetes_versions
    for wrong in ("1.37..1.34", "1.34..", "..1.34", "1.34...1.37", "1.34..1.99"):
        with pytest.raises(ValueError, match="no Kubernetes version"):
            drawbridge.validate(claim, kubernetes_version=wrong)
    with pytest.raises(ValueError, match="range"):
        drawbridge.match(claim, [], kubernetes_version="1.34..1.37")
    with pytest.raises(ValueError, match="range"):
        drawbridge.cel("true", kubernetes_version="1.34..1.37")


def driver(name="disk.csi.acme.dev", **spec):
    return {"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": name}, "spec": spec}


def storage_class(**fields):
    return dict({"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "fast"}, "provisioner": "disk.csi.acme.dev"}, **fields)


OTHER = {"apiVersion": "apps/v1", "kind": "ControllerRevision", "metadata": {"name": "a"}}
YAML = """\
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: disk.csi.acme.dev}
spec:
  fsGroupPolicy: Files
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast}
provisioner: disk.csi.acme.dev
reclaimPolicy: Retian
"""


def findings(obj, old=None, **options):
    return [(finding.path, finding.rule) for finding in drawbridge.validate(obj, old, **options).errors]


# ---- text and dicts ----

@pytest.mark.parametrize("form", [lambda x: x, json.dumps, lambda x: json.dumps(x).encode(), lambda x: bytearray(json.dumps(x).encode()),
                                  lambda x: memoryview(json.dumps(x, indent=1).encode()), types.MappingProxyType, collections.OrderedDict, lambda x: [x], lambda x: (x,)])
def test_forms(form):
    assert findings(form(driver(fsGroupPolicy="File"))) == []
    assert findings(form(driver(fsGroupPolicy="Files"))) == [("spec.fsGroupPolicy", "enum")]


def test_finding_in_text():
    first, second = drawbridge.validate(YAML)
    assert first == drawbridge.Finding(
        severity=Severity.ERROR, rule="enum", reason="FieldValueNotSupported", path="spec.fsGroupPolicy",
        message='Unsupported value: "Files": supported values: "ReadWriteOnceWithFSType", "File", "None"', hint='did you mean "File"?',
        line=5, column=18, offset=YAML.index("Files"), size=5, in_old=False,
        group="storage.k8s.io", version="v1", kind="CSIDriver", namespace="", name="disk.csi.acme.dev")
    assert (second.line, second.kind, second.name) == (11, "StorageClass", "fast")
    with pytest.raises(AttributeError):
        first.line = 1


def test_text_is_unicode():
    report = drawbridge.validate('{"apiVersion":"storage.k8s.io/v1","kind":"CSIDriver","metadata":{"name":"é😀"},"spec":{}}')
    assert {finding.name for finding in report} == {"é😀"} and report[0].offset == 72 and report[0].column == 73


def test_text_that_does_not_parse():
    assert [(finding.rule, finding.kind, finding.line) for finding in drawbridge.validate('{"a":\n ]')] == [("json-syntax", "", 2)]
    assert [(finding.rule, finding.kind, finding.line) for finding in drawbridge.validate("a: b\nc: [")] == [("yaml-syntax", "", 2)]
    assert not drawbridge.validate("a: [").ok


def test_lists():
    report = drawbridge.validate({"apiVersion": "v1", "kind": "List", "items": [driver("a"), driver("b_"), OTHER]})
    assert (report.validated, report.skipped, {finding.path for finding in report}) == (2, 1, {"metadata.name"})


# ---- options ----

def test_old():
    old, new = storage_class(), storage_class(reclaimPolicy="Retain")
    assert findings(new, old) == findings(json.dumps(new), json.dumps(old)) == findings([driver("x"), new], [old]) == [("reclaimPolicy", "immutable")]


def test_old_in_another_api_version():
    def claim(version, request):
        spec = {"devices": {"requests": [{"name": "r", **request}]}}
        return {"apiVersion": f"resource.k8s.io/{version}", "kind": "ResourceClaim", "metadata": {"name": "a"}, "spec": spec}
    new, same = claim("v1", {"exactly": {"deviceClassName": "c"}}), claim("v1beta1", {"deviceClassName": "c"})
    other = claim("v1beta1", {"deviceClassName": "d"})
    assert findings(new, same) == findings(same, new) == []
    assert findings(new, other) == findings(other, new) == [("spec", "immutable")]


def test_old_that_belongs_to_nothing():
    with pytest.raises(ValueError, match='old has no older object of any in obj, but StorageClass "fast" in namespace "default"'):
        drawbridge.validate(driver("x"), storage_class())
    assert drawbridge.validate(driver("x"), []).validated == 1


def test_finding_in_old():
    report = drawbridge.validate(storage_class(), storage_class(parameters=[]))
    assert [(finding.in_old, finding.rule) for finding in report] == [(True, "type")]
    with pytest.raises(drawbridge.ValidationError, match=r"\(in the old object\)"):
        drawbridge.assert_valid(storage_class(), storage_class(parameters=[]))


def test_versions():
    vac = {"apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttributesClass", "metadata": {"name": "gold"}, "driverName": "", "parameters": {"a": "b"}}
    assert findings(vac, kubernetes_version="1.35") == findings(vac, kubernetes_version="v1.34.2") == [("driverName", "required")]
    for version in ("1.31", "1.32", "1.33", "1.34", "1.35", "1.36"):
        assert drawbridge.validate(driver(), kubernetes_version=version).ok


@pytest.mark.parametrize("version", ["1.99", "", "latest", "1.35\0", "\udc80"])
def test_bad_versions(version):
    with pytest.raises(ValueError, match="kubernetes_version .*1.31 to 1.37"):
        drawbridge.validate(driver(), kubernetes_version=version)


def test_unknown_fields():
    unknown = driver(fsGroupPolici="File")
    severities = {words: [finding.severity for finding in drawbridge.validate(unknown, unknown_fields=words)] for words in ("error", "warn", "ignore")}
    assert severities == {"error": [Severity.ERROR], "warn": [Severity.WARNING], "ignore": []}
    report = drawbridge.assert_valid(unknown, unknown_fields="warn")
    assert (report.ok, len(report.errors), len(report.warnings), report.warning_count) == (True, 0, 1, 1)


@pytest.mark.parametrize("options, error", [({"unknown_fields": "x"}, ValueError), ({"unknown_fields": None}, ValueError), ({"kubernetes_version": 1.35}, TypeError),
                                            ({"kubernetes_version": None}, TypeError)])
def test_bad_options(options, error):
    with pytest.raises(error, match=next(iter(options))):
        drawbridge.validate(driver(), **options)


def test_as_status():
    claim = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "a"}, "status": {},
             "spec": {"devices": {"requests": [{"name": "UPPER CASE", "exactly": {"deviceClassName": "c"}}]}}}
    assert findings(claim) != [] and findings(claim, as_status=True) == []


def test_workloads():
    container = {"name": "main", "resources": {"claims": [{"name": "gpus"}]}}
    spec = {"containers": [container], "resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "one-gpus"}]}
    deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"}, "spec": {"template": {"spec": spec}}}
    template = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate", "metadata": {"name": "one-gpu"}, "spec": {"spec": {}}}
    assert [(finding.path, finding.rule) for finding in drawbridge.validate([deployment, template])] == [
        ("spec.template.spec.containers[0].resources.claims[0].name", "reference"),
        ("spec.template.spec.resourceClaims[0].resourceClaimTemplateName", "missing-object")]


def test_suppressions():
    text = "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: a.b}\nspec: {fsGroupPolicy: Files} # drawbridge: ignore[enum] because\n"
    assert [finding.rule for finding in drawbridge.validate(text)] == ["enum"]
    assert not list(drawbridge.validate(text, suppressions=True)) and drawbridge.assert_valid(text, suppressions=True).ok
    driver = {"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": "a.b", "annotations": {"drawbridge.dev/ignore": "enum,type"}},
              "spec": {"fsGroupPolicy": "Files"}}
    assert [finding.rule for finding in drawbridge.validate(driver, suppressions=True)] == ["unused-suppression"]


def test_validate_as():
    pod = {"apiVersion": "v1", "kind": "Pod", "spec": {"volumes": [{"name": "vol"}], "containers": []}}
    assert drawbridge.validate(pod).validated == 1 and findings(pod) == []
    report = drawbridge.validate(pod, validate_as="recycler-pod-template")
    assert [(finding.severity.value, finding.path) for finding in report] == [
        ("warning", "metadata.generateName"), ("warning", "spec.activeDeadlineSeconds"), ("error", "spec.volumes[0]")]
    with pytest.raises(drawbridge.ValidationError):
        drawbridge.assert_valid(pod, validate_as="recycler-pod-template")


@pytest.mark.parametrize("role, error", [("pod", ValueError), ("", ValueError), ("recycler-pod-template\0", ValueError), ("\udc80", ValueError), (1, TypeError), (b"x", TypeError)])
def test_bad_roles(role, error):
    with pytest.raises(error, match="validate_as"):
        drawbridge.validate(driver(), validate_as=role)


# ---- reports ----

def test_report_is_a_sequence():
    report = drawbridge.validate(YAML)
    assert len(report) == 2 and list(report) == [report[0], report[1]] and report[-1] is report[1] and report[:1] == (report[0],) and report[0] in report
    assert report.errors == tuple(report) and report.warnings == () and report.error_count == 2
    assert repr(report) == "<Report: 2 errors, 0 warnings, 2 objects validated>"
    assert str(report).splitlines()[2:] == [
        'error: reclaimPolicy: Unsupported value: "Retian": supported values: "Delete", "Retain" [enum]', '  = hint: did you mean "Retain"?']
    with pytest.raises(IndexError):
        report[2]


def test_report_has_no_truth_value():
    for obj in (driver(), driver("x_")):
        with pytest.raises(TypeError, match="report.ok"):
            bool(drawbridge.validate(obj))


def test_reports_are_values():
    report = drawbridge.validate(YAML)
    assert report == drawbridge.validate(YAML) == copy.deepcopy(report) == pickle.loads(pickle.dumps(report)) and report != drawbridge.validate(driver())
    assert hash(report) == hash(drawbridge.validate(YAML))


def test_findings_that_are_not_kept():
    report = drawbridge.validate([driver(**{f"field{i}": 1 for i in range(2000)})])
    assert len(report) == len(report.errors) == 1024 and report.error_count == 2000 and str(report).endswith("\n... and 976 more")


def test_nothing_validated():
    for obj, skipped in ((OTHER, 1), ([], 0), ("", 0), ("a: b", 0)):
        report = drawbridge.validate(obj)
        assert (len(report), report.validated, report.skipped, report.ok) == (0, 0, skipped, False)
        with pytest.raises(drawbridge.ValidationError, match="nothing was validated: there (are no rules|is no object)"):
            drawbridge.assert_valid(obj)
        assert drawbridge.assert_valid(obj, allow_unvalidated=True) == report


def test_kinds_that_are_misspelled():
    for wrong in ({"apiVersion": "storage.k8s.io/v2", "kind": "CSIDriver"}, {"apiVersion": "storage.k8s.io/v1", "kind": "CSIdriver"}):
        with pytest.raises(drawbridge.ValidationError):
            drawbridge.assert_valid([driver(), wrong])


def test_name_of_a_file_as_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pathlib.Path("manifests").mkdir()
    for name in ("driver.yaml", "no/such/Driver.JSON", "manifests"):
        with pytest.raises(ValueError, match=rf"obj: '{name}' is the name of a file, not the text in it: pass pathlib.Path\('{name}'\)"):
            drawbridge.validate(name)
        with pytest.raises(ValueError, match="old: "):
            drawbridge.validate(driver(), name)
    for text in ("", "driver", "a: b.yaml", "{kind: a.yaml", "# comment\ndriver.yaml"):
        drawbridge.validate(text)


# ---- names and files ----

@pytest.fixture
def files(tmp_path):
    """The two documents of YAML, each in a file."""
    paths = [tmp_path / "driver.yaml", tmp_path / "class.yaml"]
    for path, text in zip(paths, YAML.split("---\n")):
        path.write_text(text)
    return paths


def places(report):
    return [(finding.source, finding.line, finding.kind) for finding in report]


def test_files(files):
    first, second = map(str, files)
    report = drawbridge.validate(files)
    assert places(report) == [(first, 5, "CSIDriver"), (second, 5, "StorageClass")] and report.validated == 2
    assert places(drawbridge.validate(files[1])) == [(second, 5, "StorageClass")]
    assert str(report).splitlines()[0].startswith(f"{first}:5:18: error: spec.fsGroupPolicy: ")
    with pytest.raises(drawbridge.ValidationError, match=r"driver.yaml:5:18: error: spec"):
        drawbridge.assert_valid(files)


def test_files_beside_objects(files):
    """Lines of objects are their numbers in the list, whatever is beside them."""
    assert places(drawbridge.validate([files[1], driver("x_"), files[0], driver("y_")])) == [
        ("", 2, "CSIDriver"), ("", 4, "CSIDriver"), (str(files[1]), 5, "StorageClass"), (str(files[0]), 5, "CSIDriver")]


def test_old_by_path(files):
    old = storage_class(reclaimPolicy="Delete")
    files[0].write_text(json.dumps(old))
    assert findings(storage_class(reclaimPolicy="Retain"), files[0]) == findings(storage_class(reclaimPolicy="Retain"), [files[0]]) == [("reclaimPolicy", "immutable")]
    files[1].write_text(json.dumps(storage_class(reclaimPolicy="Retain")))
    assert findings(files[1], files[0]) == findings(files[1], old) == [("reclaimPolicy", "immutable")]


def test_old_that_does_not_parse(files):
    """Or the update would pass as a creation."""
    report = drawbridge.validate(storage_class(), "a: [")
    assert [(finding.rule, finding.in_old, finding.line) for finding in report] == [("yaml-syntax", True, 1)] and report.error_count == 1
    files[0].write_text("---\na: [")
    (finding,) = drawbridge.validate(storage_class(), files[0])
    assert (finding.source, finding.in_old) == (str(files[0]), True)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(FileNotFoundError, match="none.yaml"):
        drawbridge.validate(tmp_path / "none.yaml")
    with pytest.raises(IsADirectoryError, match=r"obj\[0\]: '.*' is a folder: pass its files"):
        drawbridge.validate([tmp_path])


def test_names():
    first, second = YAML.split("---\n")
    assert places(drawbridge.validate({"a": first, "b": second.encode()})) == [("a", 5, "CSIDriver"), ("b", 5, "StorageClass")]
    assert places(drawbridge.validate(YAML, name="a")) == [("a", 5, "CSIDriver"), ("a", 11, "StorageClass")]
    assert str(drawbridge.validate(driver("x_"), name="the\n\x1b[31mdriver")).startswith("the\\n\\x1b[31mdriver:1:")
    assert {finding.source for finding in drawbridge.validate(YAML)} == {""}
    with pytest.raises(ValueError, match="name is the name of one text, and obj has several"):
        drawbridge.validate({"a": first, "b": second}, name="c")
    with pytest.raises(TypeError, match="name is text or None"):
        drawbridge.validate(first, name=1)
    with pytest.raises(ValueError, match="U.0000 in the name"):
        drawbridge.validate(first, name="a\0")
    with pytest.raises(drawbridge.LimitError, match="a name of more than 4,096 bytes"):
        drawbridge.validate(first, name="a" * 5000)
    with pytest.raises(ValueError, match="no apiVersion"):
        drawbridge.validate({"kind": "CSIDriver"})


def test_name_of_the_other_object():
    a_class = lambda name: json.dumps(dict(storage_class(), metadata={"name": name, "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}}))
    (finding,) = drawbridge.validate({"a": a_class("first"), "b": a_class("second")})
    assert (finding.source, finding.other.source) == ("b", "a")


# ---- what counts ----

def test_select_and_ignore():
    text = YAML.replace("name: disk.csi.acme.dev", "name: Disk_")
    chosen = lambda **options: sorted({finding.rule for finding in drawbridge.validate(text, **options)})
    assert chosen() == ["dns-subdomain", "enum"]
    assert chosen(select=["enum"]) == chosen(ignore="dns-subdomain, required") == chosen(select="enum,required") == ["enum"]
    assert chosen(select=["enum"], ignore=("enum",)) == []
    report = drawbridge.validate(text, ignore=["enum", "dns-subdomain"])
    assert (report.ok, report.error_count, len(report), report.validated) == (True, 0, 0, 2)
    assert drawbridge.assert_valid(text, ignore=["enum", "dns-subdomain"]) == report
    with pytest.raises(ValueError, match="ignore: 'enums' is no rule: .*; did you mean 'enum'"):
        chosen(ignore=["enums"])
    for wrong in (1, [1], b"enum"):
        with pytest.raises(TypeError, match="select has ids of rules, not (int|bytes)"):
            chosen(select=wrong)


def test_fail_on():
    warned = driver(tokenRequests=[{"audience": ""}], requiresRepublish=True)
    assert drawbridge.validate(warned).warning_count == 1
    ok = lambda obj, fail_on: drawbridge.validate(obj, fail_on=fail_on).ok
    assert [ok(warned, level) for level in ("never", "error", "warning", "info")] == [True, True, False, False]
    assert [ok(driver("x_"), level) for level in ("never", "error", "warning", "info")] == [True, False, False, False]
    assert [ok(driver(), level) for level in ("never", "info")] == [True, True] and not ok("", "never")
    known = lambda fail_on: drawbridge.validate(driver(fsGroupPolicy="File"), driver(), fail_on=fail_on)
    assert known("info").info_count == 1 and known("warning").ok and not known("info").ok
    assert drawbridge.validate(warned, fail_on="warning").failed and not drawbridge.validate("", fail_on="warning").failed
    with pytest.raises(drawbridge.ValidationError):
        drawbridge.assert_valid(warned, fail_on="warning")
    assert drawbridge.assert_valid(driver("x_"), fail_on="never").error_count
    with pytest.raises(ValueError, match='fail_on is "error", "warning", "info" or "never", not \'errors\''):
        ok(driver(), "errors")


DRIVERS = """\
apiVersion: drawbridge.dev/v1alpha1
kind: Driver
name: disk.csi.acme.dev
source: its manual
parameters:
- of: StorageClass
  rows:
  - {name: type, enum: [fast, slow]}
"""


def test_drivers(tmp_path):
    path = tmp_path / "drivers.yaml"
    path.write_text(DRIVERS)
    wrong = storage_class(parameters={"type": "fasst"})
    assert findings(wrong) == []
    for drivers in (DRIVERS, DRIVERS.encode(), path):
        report = drawbridge.validate(wrong, drivers=drivers)
        assert [finding.path for finding in report] == ["parameters[type]"] and "its manual" in str(report), str(report)
        assert drawbridge.validate({"a": json.dumps(wrong)}, drivers=drivers)[0].source == "a"
        assert len(drawbridge.validate(storage_class(parameters={"type": "fast"}), drivers=drivers)) == 0
    with pytest.raises(drawbridge.ValidationError, match="type"):
        drawbridge.assert_valid(wrong, drivers=path, fail_on="info")
    path.write_text(DRIVERS.replace("enum: [", "enums: ["))
    with pytest.raises(ValueError, match=r"drivers: .*drivers.yaml:8:\d+: .*enums"):
        drawbridge.validate(wrong, drivers=path)
    with pytest.raises(ValueError, match=r"drivers: line 1, column 1: .*no driver"):
        drawbridge.validate(wrong, drivers="")
    with pytest.raises(TypeError, match="drivers is a pathlib.Path, text or None, not int"):
        drawbridge.validate(wrong, drivers=1)


def test_assert_valid_takes_feature_gates():
    with pytest.raises(ValueError, match="feature_gates"):
        drawbridge.assert_valid(driver(), feature_gates="DRAListTypeAttribute=true")


def test_assert_valid():
    assert drawbridge.assert_valid([driver(), OTHER]).validated == 1
    with pytest.raises(AssertionError) as caught:
        drawbridge.assert_valid(YAML)
    assert str(caught.value) == """\
2 errors, 0 warnings, 2 objects validated
  CSIDriver "disk.csi.acme.dev":
    error: spec.fsGroupPolicy: Unsupported value: "Files": supported values: "ReadWriteOnceWithFSType", "File", "None" [enum]
      hint: did you mean "File"?
  StorageClass "fast":
    error: reclaimPolicy: Unsupported value: "Retian": supported values: "Delete", "Retain" [enum]
      hint: did you mean "Retain"?"""
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.report == caught.value.report == drawbridge.validate(YAML)


# ---- values in objects ----

class Policy(str, enum.Enum):
    FILE = "File"
    FILES = "Files"


class Seconds(enum.Enum):
    SHORT = 5


def test_conversions():
    assert findings(driver(fsGroupPolicy=Policy.FILE, volumeLifecycleModes=("Persistent",))) == []
    assert findings(driver(fsGroupPolicy=Policy.FILES)) == [("spec.fsGroupPolicy", "enum")]
    assert findings(driver(nodeAllocatableUpdatePeriodSeconds=Seconds.SHORT)) == [("spec.nodeAllocatableUpdatePeriodSeconds", "range")]
    assert findings(driver(nodeAllocatableUpdatePeriodSeconds=2**64)) == [("spec.nodeAllocatableUpdatePeriodSeconds", "type")]


@pytest.mark.parametrize("time", [
    datetime.datetime(2026, 1, 31, tzinfo=UTC), datetime.datetime(2026, 1, 31, 1, 2, 3, 456, tzinfo=UTC),
    datetime.datetime(2026, 1, 31, tzinfo=datetime.timezone(datetime.timedelta(hours=5, minutes=30))), datetime.datetime(1, 1, 1, tzinfo=UTC)])
def test_times(time):
    timed = driver()
    timed["metadata"]["creationTimestamp"] = time
    assert findings(timed) == []


def test_dates():
    timed = driver()
    timed["metadata"]["annotations"] = {"day": datetime.date(2026, 1, 31)}
    assert findings(timed) == []
    timed["metadata"]["creationTimestamp"] = datetime.date(2026, 1, 31)
    assert findings(timed) == [("metadata.creationTimestamp", "type")]


def cyclic():
    obj = driver()
    obj["spec"]["tokenRequests"] = [obj]
    return obj


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return driver(x=value)


def wide():
    value = ["x" * 64]
    for _ in range(40):
        value = [value, value]
    return driver(x=value)


class Broken:
    def to_dict(self):
        return []


class Endless:
    def to_dict(self):
        return self.to_dict()


REFUSED = [
    (3, TypeError, "obj: int cannot be validated"),
    (driver(x=pathlib.Path("x")), TypeError, "obj at spec.x: .*Path cannot be validated: pass the text in it, not the file"),
    (io.StringIO("x"), TypeError, "obj: StringIO cannot be validated: pass the text in it, not the file"),
    (iter([]), TypeError, "obj: list_iterator cannot be validated: use a dict"),
    (["x"], TypeError, r"obj\[0\]: str cannot be validated: an object is a dict"),
    ([driver(), [driver()]], TypeError, r"obj\[1\]: list cannot be validated"),
    (object(), TypeError, "object cannot be validated"),
    (dict, TypeError, "obj: type cannot be validated: this is a class"),
    (Broken(), TypeError, "obj: Broken cannot be validated: its to_dict"),
    (Endless(), drawbridge.LimitError, "nested too deeply"),
    (driver(x={1, 2}), TypeError, "obj at spec.x: set cannot be validated: sets have no order"),
    (driver(x=b"x"), TypeError, "obj at spec.x: bytes cannot be validated: JSON has no bytes"),
    (driver(x=[0, decimal.Decimal("1.5")]), TypeError, r"obj at spec.x\[1\]: Decimal cannot be validated: use text"),
    (driver(x={1: 2}), TypeError, "obj at spec.x: int cannot be validated: keys are text; this one is 1"),
    (driver(x={None: 2}), TypeError, "keys are text; this one is None"),
    (driver(x=float("nan")), ValueError, "obj at spec.x: nan is no JSON number"),
    (driver(x=[float("-inf")]), ValueError, r"obj at spec.x\[0\]: -inf is no JSON number"),
    (driver(x="\ud800"), ValueError, r"obj at spec.x: half of a surrogate pair, U\+D800"),
    (driver(**{"\udfff": 1}), ValueError, r"obj at spec: half of a surrogate pair, U\+DFFF"),
    (driver(tokenRequests=[{"audience": "\0"}]), ValueError, r"obj at spec.tokenRequests\[0\].audience: U\+0000 in text"),
    ("a\ud800", ValueError, "obj: half of a surrogate pair at character 1"),
    (driver(x=datetime.datetime(2026, 1, 31)), ValueError, "obj at spec.x: .* has no time zone"),
    (driver(x=datetime.datetime(1, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))), ValueError, "not in the years 1 to 9999"),
    (driver(x=1 << 20000), drawbridge.LimitError, "obj at spec.x: an integer of more than 13,000 bits"),
    (cyclic(), ValueError, r"obj at spec.tokenRequests\[0\]: it contains itself"),
    (nested(62), drawbridge.LimitError, "obj: nested more than 64 levels deep"),
    (nested(5000), drawbridge.LimitError, "obj: nested more than 64 levels deep"),
    (wide(), drawbridge.LimitError, "more than 8 MiB of JSON in one object"),
    ({"apiVersion": "v1", "kind": "List", "items": [driver(), wide()]}, drawbridge.LimitError, r"obj at items\[1\]\.spec\.x.*: more than 8 MiB of JSON in one object"),
    ([driver(x="x" * 8_000_000)] * 34, drawbridge.LimitError, r"obj\[33\] at spec.x: more than 256 MiB of JSON"),
    (b"#" * (drawbridge.MAX_BYTES + 1), drawbridge.LimitError, "256 MiB"),
    ({}, ValueError, "obj: dict has no apiVersion"),
    ({"apiVersion": "v1", "kind": ""}, ValueError, "obj: dict has no kind"),
    ([driver(), {"apiVersion": 1, "kind": "CSIDriver"}], ValueError, r"obj\[1\]: dict has no apiVersion"),
]


@pytest.mark.parametrize("obj, error, words", REFUSED, ids=[row[2][:60] for row in REFUSED])
def test_refused(obj, error, words):
    with pytest.raises(error, match=words):
        drawbridge.validate(obj)
    with pytest.raises(error, match=re.sub(r"\bobj\b", "old", words)):
        drawbridge.validate(driver(), obj)


def test_no_object():
    with pytest.raises(TypeError, match="obj: NoneType cannot be validated"):
        drawbridge.validate(None)


def slices(count):
    """A dump of slices, as kubectl makes it: more than one object may have."""
    attributes = {f"attribute_{number}": {"string": "a value as long as others are"} for number in range(30)}
    return {"apiVersion": "v1", "kind": "List", "items": [
        {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": f"slice-{number}"}, "spec": {
            "driver": "gpu.acme.dev", "nodeName": f"node-{number}", "pool": {"name": f"node-{number}", "generation": 1, "resourceSliceCount": 1},
            "devices": [{"name": "gpu-0", "attributes": attributes}]}} for number in range(count)]}


def test_dumps():
    dump = slices(5000)
    text = json.dumps(dump)
    assert len(text) > 8 << 20
    for obj in dump, text, dump["items"]:
        report = drawbridge.validate(obj)
        assert (report.validated, report.error_count) == (5000, 0)


def test_limits_that_are_kept():
    assert drawbridge.validate(b"#" * drawbridge.MAX_BYTES).validated == 0
    assert findings(nested(61)) == [("spec.x", "unknown-field")]  # 64 with the object, its spec, and the innermost list
    assert issubclass(drawbridge.LimitError, ValueError)


# ---- contexts and threads ----

def test_contexts():
    first, second = drawbridge.Context(), drawbridge.Context()
    assert first.validate(YAML) == second.validate(YAML) == drawbridge.validate(YAML)
    with pytest.raises(drawbridge.ValidationError):
        first.assert_valid(YAML)
    del first
    assert second.assert_valid(driver()).ok


@pytest.mark.parametrize("context", [drawbridge, drawbridge.Context()], ids=["shared", "own"])
def test_threads(context):
    inputs = [driver(), YAML, driver("x_"), OTHER, storage_class(reclaimPolicy="x"), "[", driver(a=1, b=2)]
    want = [drawbridge.Context().validate(obj) for obj in inputs]
    wrong = []
    start = threading.Barrier(8)

    def work(number):
        start.wait()
        for i in range(150):
            index = (i + number) % len(inputs)
            if context.validate(inputs[index]) != want[index]:
                wrong.append(index)
    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_feature_gates():
    device = {"name": "gpu-0", "attributes": {"links": {"ints": [1, 2]}}}
    pool = {"name": "node-1", "generation": 1, "resourceSliceCount": 1}
    slice_ = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "node-1-gpu"},
              "spec": {"driver": "gpu.acme.dev", "nodeName": "node-1", "pool": pool, "devices": [device]}}
    rules = lambda **options: sorted(finding.rule for finding in drawbridge.validate(slice_, **options))
    assert rules() == ["exactly-one-of", "feature-gate"]
    assert rules(feature_gates="DRAListTypeAttributes=true") == rules(feature_gates={"DRAListTypeAttributes": True}) == []
    with pytest.raises(ValueError, match="feature_gates 'DRAListTypeAttribute=true'"):
        rules(feature_gates="DRAListTypeAttribute=true")
    with pytest.raises(ValueError, match="feature_gates"):
        rules(feature_gates={"DRAExtendedResource": False})  # locked in 1.37
    with pytest.raises(TypeError, match="feature_gates is text"):
        rules(feature_gates=True)
    for gates in ({"DRAListTypeAttributes": "false"}, {"DRAListTypeAttributes": None}, {1: True}):
        with pytest.raises(TypeError, match="feature_gates maps names to bool"):
            rules(feature_gates=gates)
    with pytest.raises(ValueError, match="feature_gates"):
        rules(feature_gates={"DRAListTypeAttributes=false,AllAlpha": True})
