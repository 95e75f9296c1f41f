#!/usr/bin/env python3
"""`drawbridge scan` with a program in kubectl's place: what it asks for, what it makes of objects and their status, refusals, and answers that
are none.

    test_scan.py BUILD
"""
import copy, json, os, re, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

KUBECTL = os.path.join(HERE, "fake_kubectl.py")
SERVER = {"creationTimestamp": "2026-01-01T00:00:00Z", "generation": 3, "resourceVersion": "77", "uid": "25cd632a-4cc3-459d-b962-ad22b833bd5c"}
API_VERSIONS = ["apps/v1", "batch/v1", "resource.k8s.io/v1", "resource.k8s.io/v1beta1", "resource.k8s.io/v1beta2", "storage.k8s.io/v1", "v1"]


def stored(api_version, kind, name, namespace=None, **members):
    metadata = {"name": name, **SERVER, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **members}


DRIVER = stored("storage.k8s.io/v1", "CSIDriver", "disk.acme.dev", spec={"attachRequired": True, "fsGroupPolicy": "Files"})
CLAIM = stored("resource.k8s.io/v1", "ResourceClaim", "gpu", "team", spec={"devices": {"requests": [{"name": "gpu", "exactly": {
    "allocationMode": "ExactCount", "count": 1, "deviceClassName": "gpu.acme.dev"}}]}}, status={
        "allocation": {"devices": {"results": [{"device": "gpu-0", "driver": "gpu.acme.dev", "pool": "node-1", "request": "gpu"}]}},
        "reservedFor": [{"name": "train", "resource": "pods", "uid": "1"}]})
ATTACHMENT = stored("storage.k8s.io/v1", "VolumeAttachment", "csi-1", spec={"attacher": "disk.acme.dev", "nodeName": "node-1",
                    "source": {"persistentVolumeName": "pv-1"}}, status={"attached": True})


class Cluster:
    def __init__(self, build, folder):
        self.program, self.folder = os.path.join(build, "drawbridge"), folder
        self.known = {"version": "1.35", "api_versions": API_VERSIONS, "resources": {}}

    def path(self, name):
        return os.path.join(self.folder, name)

    def scan(self, *options, kubectl=KUBECTL, **resources):
        """(status, standard output, standard error)"""
        with open(self.path("known.json"), "w") as file:
            json.dump(dict(self.known, resources=dict(self.known["resources"], **{name.replace("_", "."): value for name, value in resources.items()})), file)
        open(self.path("calls"), "w").close()
        done = subprocess.run([self.program, "scan", "--kubectl", kubectl, *options], cwd=self.folder, env=dict(os.environ, FAKE_KUBECTL=self.path("known.json")),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
        return done.returncode, done.stdout, done.stderr

    def calls(self):
        with open(self.path("calls")) as file:
            return [json.loads(line) for line in file]


def found(text):
    """(file, path, rule) of each finding in lines of JSON."""
    return [(line["file"], line["path"], line["rule"]) for line in map(json.loads, text.splitlines()) if "rule" in line]


def test_objects(tap, cluster):
    bad = copy.deepcopy(CLAIM)
    bad["status"]["allocation"]["devices"]["results"][0]["device"] = "Not_A_Label"
    bad["metadata"]["name"] = "wrong"
    status, out, err = cluster.scan(csidrivers_v1_storage_k8s_io=[DRIVER], volumeattachments_v1_storage_k8s_io=[ATTACHMENT], resourceclaims_v1_resource_k8s_io=[CLAIM, bad],
                                    persistentvolumes_v1_=[])
    places = re.findall(r"^(cluster\S+): error", out, re.M)
    lines = json.dumps(DRIVER, indent=4).splitlines()
    line = next(i for i, text in enumerate(lines, 1) if "Files" in text)
    column = lines[line - 1].index('"Files"') + 1
    tap.equal(status, 1, "objects with errors")
    tap.ok(f"cluster/CSIDriver/disk.acme.dev:{line}:{column}" in places, "a place is that of the object's own text", out)
    tap.equal([place.split(":")[0] for place in places], ["cluster/team/ResourceClaim/wrong", "cluster/CSIDriver/disk.acme.dev"], "nothing is said of what the server sets")
    tap.ok("status.allocation.devices.results[0].device" in out, "the status is validated", out)
    tap.ok("2 errors, 0 warnings in 4 objects of the cluster, validated as Kubernetes 1.35" in err, "the last line", err)


def test_status_alone(tap, cluster):
    """A status is not counted for the spec, nor the spec for the status."""
    wrong = copy.deepcopy(ATTACHMENT)
    wrong["spec"]["attacher"] = "-"
    wrong["status"]["attached"] = "yes"
    status, out, _ = cluster.scan("--format", "json", volumeattachments_v1_storage_k8s_io=[wrong])
    tap.equal(sorted(path for _, path, _ in found(out)), ["spec.attacher", "status.attached"], "each finding is there once")
    tap.equal(json.loads(out.splitlines()[-1])["summary"]["errors"], 2, "and counted once")
    odd = dict(ATTACHMENT, statusText="x")
    _, out, _ = cluster.scan("--format", "json", volumeattachments_v1_storage_k8s_io=[odd])
    tap.equal([path for _, path, _ in found(out)], ["statusText"], "a member whose name begins with status is not the status")


def test_calls(tap, cluster):
    cluster.scan("--context", "prod", "--kubeconfig", "my config")
    calls = cluster.calls()
    tap.ok(all(call[:4] == ["--kubeconfig", "my config", "--context", "prod"] for call in calls), "options of kubectl", calls)
    names = [call[5] for call in calls if call[4] == "get" and call[5] != "--raw"]
    tap.equal(len(names), len(set(name.split(".")[0] + name.split(".", 2)[2] for name in names)), "each kind is read once")
    tap.ok({"csidrivers.v1.storage.k8s.io", "pods.v1.", "deployments.v1.apps", "resourceclaims.v1.resource.k8s.io", "namespaces.v1."} <= set(names), "in its newest version", names)
    tap.ok(not any("snapshot" in name or "v1beta" in name for name in names), "what the server does not have is not asked for", names)
    tap.ok(all("--all-namespaces" in call for call in calls if "json" in call), "all namespaces")
    cluster.scan("-n", "team")
    by_name = {call[1]: call[4:] for call in cluster.calls() if "json" in call}
    tap.equal(by_name["pods.v1."], ["--namespace", "team"], "one namespace")
    tap.equal(by_name["csidrivers.v1.storage.k8s.io"], ["--all-namespaces"], "kinds that are in none")
    tap.equal(by_name["namespaces.v1."], ["--all-namespaces", "--field-selector=metadata.name=team"], "the namespace itself")
    missing = {"error": "error: the server doesn't have a resource type \"devicetaintrules\""}
    cluster.known["api_versions"] = API_VERSIONS + ["resource.k8s.io/v1alpha3"]
    status, _, err = cluster.scan("--kubernetes-version", "1.36", **{"devicetaintrules.v1beta2.resource.k8s.io": missing})
    tap.ok(any("devicetaintrules.v1alpha3.resource.k8s.io" in call for call in cluster.calls()) and status == 0, "an older version where the newer one lacks the kind", err)
    tap.ok(not any("/version" in call for call in cluster.calls()), "the version that is given is not asked for")
    cluster.known["api_versions"] = API_VERSIONS


def test_versions(tap, cluster):
    for version, words in ("1.36+", "Kubernetes 1.36"), ("1.30", "Kubernetes 1.31"), ("1.99", "Kubernetes 1.37"):
        cluster.known["version"] = version
        status, _, err = cluster.scan(csidrivers_v1_storage_k8s_io=[dict(DRIVER, spec={"attachRequired": True, "fsGroupPolicy": "File", "newField": 1})])
        tap.ok(f"validated as {words}" in err, f"a server of {version} is taken for {words}", err)
        tap.equal(("is not known here" in err, status), (version in ("1.30", "1.99"), 0 if version == "1.99" else 1), f"{version}: unknown fields of a newer one are no mistakes")
    cluster.known["version"] = "2.x"
    status, out, err = cluster.scan()
    tap.ok(status == 2 and not out and "does not say its version" in err, "no version", err)
    cluster.known["version"] = "1.35"


def test_refusals(tap, cluster):
    forbidden = {"error": "forbidden"}
    status, out, err = cluster.scan(pods_v1_=forbidden, csinodes_v1_storage_k8s_io=forbidden, csidrivers_v1_storage_k8s_io=[DRIVER])
    tap.equal((status, err.splitlines()[0]), (1, "drawbridge scan: may not be listed, and are left out: pods, csinodes.storage.k8s.io"), "kinds that may not be listed")
    tap.ok(out.count(": error: ") == 1, "the rest is validated", out)
    _, _, _ = cluster.scan()
    every = {call[1]: forbidden for call in cluster.calls() if call[0] == "get" and call[1] != "--raw"}
    status, out, err = cluster.scan(**every)
    tap.ok(status == 2 and not out and err.splitlines()[-1] == "drawbridge scan: nothing could be read", "no kind may be listed", err)
    status, out, err = cluster.scan("--context", "none")
    tap.equal((status, out), (2, ""), "no server")
    tap.equal(err, f"drawbridge scan: {KUBECTL}: The connection to the server localhost:8080 was refused - did you specify the right host or port?\n", "kubectl's last line says why")
    status, _, err = cluster.scan(kubectl="no-such-kubectl")
    tap.equal((status, err), (2, "drawbridge scan: no-such-kubectl: there is no such program in PATH\n"), "no kubectl")


def test_answers(tap, cluster):
    """What kubectl prints is not believed."""
    driver = {"csidrivers.v1.storage.k8s.io": [DRIVER]}
    for name, answer in ("nothing", {"text": ""}), ("no JSON", {"text": "csidrivers\n"}), ("no List", {"text": "{}"}), ("a List that does not end", {"text": '{"items": [{}'}), \
            ("items twice", {"text": '{"items": [], "items": []}'}), ("an array", {"text": "[1]"}), ("NUL", {"text": "\0"}):
        status, out, err = cluster.scan(pods_v1_=answer, **driver)
        tap.ok(status == 2 and "pods: kubectl prints no List in JSON" in err and out.count(": error: ") == 1, f"{name}: said, and the rest is validated", (status, out, err))
    status, out, err = cluster.scan(pods_v1_={"text": '{"items": [1, "x",{}, {"kind": 1}, {]}, ,null]}'})
    tap.ok(status in (1, 2) and "internal" not in err, "items that are none", (status, out, err))
    status, out, err = cluster.scan(pods_v1_={"text": '{"items": [{"kind": "Pod", "metadata": {"name": "a\\u0000b"}}]}'})
    tap.ok(status == 1 and out.startswith("cluster:1:"), "an item that cannot be read is the cluster's", (status, out, err))
    status, _, err = cluster.scan(pods_v1_={"error": "Unable to connect: \033[31mred\033[0m"})
    tap.ok(status == 2 and "\033" not in err and "pods: " in err, "control characters are escaped", err)
    start = time.monotonic()
    status, _, err = cluster.scan(pods_v1_={"bytes": 300_000_000}, **driver)
    tap.ok(status == 2 and "prints more than 256 MiB" in err and time.monotonic() - start < 60, "too much", err)
    start = time.monotonic()
    status, _, err = cluster.scan(pods_v1_={"flood": 20_000_000}, **driver)
    tap.ok(status == 2 and "prints more than 16 MiB on standard error" in err and time.monotonic() - start < 30, "too much on standard error", err)
    start = time.monotonic()
    status, out, err = cluster.scan("--timeout", "1", pods_v1_={"hang": True}, **driver)
    tap.ok(status == 2 and "pods: " in err and "did not end within 1 second\n" in err and out.count(": error: ") == 1 and time.monotonic() - start < 60,
           "kubectl hangs: it is ended, and the rest is validated", (status, out, err))
    with open(cluster.path("calls.pid")) as file:
        tap.ok(not os.path.exists(f"/proc/{file.read()}"), "nothing of it goes on")
    status, _, err = cluster.scan("files", **driver)
    tap.ok(status == 2 and "is not an option" in err, "an argument", err)


def test_options(tap, cluster):
    driver = {"csidrivers.v1.storage.k8s.io": [DRIVER]}
    for formats, wanted in ("json", '"file":"cluster/CSIDriver/disk.acme.dev"'), ("junit", "cluster/CSIDriver/disk.acme.dev"), ("sarif", '"cluster/CSIDriver/disk.acme.dev"'):
        status, out, _ = cluster.scan("--format", formats, **driver)
        tap.ok(status == 1 and wanted in out, f"--format {formats}", out)
    wanted = cluster.scan("--format", "policy-report", **driver)[1]
    for typed in ["--output", "policy-report"], ["--output=policy-report"], ["-o", "policy-report"], ["-opolicy-report"]:
        tap.equal(re.sub(r"\d{4}-\S+Z|\d{10}", "", cluster.scan(*typed, **driver)[1]), re.sub(r"\d{4}-\S+Z|\d{10}", "", wanted), " ".join(typed))
    status, out, err = cluster.scan("-o", "policy")
    tap.ok(status == 2 and not out and '--format: "policy" is not a format' in err, "an unknown format", err)
    tap.equal(cluster.scan("--fail-on", "never", **driver)[0], 0, "--fail-on never")
    tap.equal(cluster.scan("--write-baseline", "b.json", **driver)[0], 0, "--write-baseline")
    tap.equal(cluster.scan("--baseline", "b.json", **driver)[:2], (0, ""), "--baseline")
    ignoring = copy.deepcopy(DRIVER)
    ignoring["metadata"]["annotations"] = {"drawbridge.dev/ignore": "enum"}
    tap.equal(cluster.scan(csidrivers_v1_storage_k8s_io=[ignoring])[:2], (0, ""), "an annotation suppresses")
    with open(cluster.path(".drawbridge.yaml"), "w") as file:
        file.write("apiVersion: drawbridge.dev/v1alpha1\nkind: Configuration\nkubernetesVersion: '1.31'\nignore: [enum]\n")
    status, out, err = cluster.scan(**driver)
    os.remove(cluster.path(".drawbridge.yaml"))
    tap.ok(status == 0 and not out and "Kubernetes 1.35" in err, "a configuration", (out, err))
    with open(cluster.path("formats.yaml"), "w") as file:
        file.write("apiVersion: drawbridge.dev/v1alpha1\nkind: Configuration\nformats: [gitlab]\n")
    tap.ok(cluster.scan("--config", "formats.yaml", **driver)[1].startswith("[\n"), "a configuration names formats")
    templated = copy.deepcopy(DRIVER)
    templated["spec"]["fsGroupPolicy"] = "{{ .Values.policy }}"
    tap.equal(cluster.scan(csidrivers_v1_storage_k8s_io=[templated])[0], 1, "braces in a stored object are no template")


def main(build):
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(build, folder)
        for test in test_objects, test_status_alone, test_calls, test_versions, test_refusals, test_answers, test_options:
            test(tap, cluster)
    return tap.done()


sys.exit(main(os.path.abspath(sys.argv[1])))
