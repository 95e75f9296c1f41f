#!/usr/bin/env python3
"""Answers by configuration, from a real server: modes, policies, what overrides what; and that no stored object is ever held up by a
documented rule, whichever it breaks: finalizers can be removed, deletions end, statuses can be written.

    test_policy.py BUILD
"""
import copy, json, os, re, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.path[:0] = [HERE, TESTS, os.path.join(TESTS, "ledger"), os.path.join(TESTS, "conformance")]
import cases as conformance
import kinds
from client import BROKEN, CREATE, REVIEWS, Server, exchange, request
from notation import write
from tap import Tap
from test_ledger import Case, read_bases, read_rows

ADVISED = CREATE.replace(b'"podInfoOnMount":true', b'"podInfoOnMount":false')               # a warning
BOTH = BROKEN.replace(b'"podInfoOnMount":true', b'"podInfoOnMount":false')
CLAIM = REVIEWS["007-create-v1-resourceclaim.json"]

HEAD = "apiVersion: drawbridge.dev/v1alpha1\nkind: Configuration\n"
STRICT = HEAD + "kubernetesVersion: '1.35'\npolicies:\n- rules: ['*']\n  mode: enforce\n"


class Configuration:
    """A configuration in a file of its own."""

    def __init__(self, text):
        self.file = tempfile.NamedTemporaryFile("w", suffix=".yaml")
        self.file.write(text)
        self.file.flush()
        self.name = self.file.name


def drawbridge(build, *arguments, text=None):
    return subprocess.run([os.path.join(build, "drawbridge"), *arguments], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def check(build, configuration):
    """`serve --check` with it, and with a certificate and ports of its own."""
    with tempfile.TemporaryDirectory() as folder:
        for command in (["init"], ["issue", "--host", "localhost"]):
            subprocess.run([os.path.join(build, "drawbridge"), "certs", *command, "--dir", folder], check=True, stdout=subprocess.DEVNULL)
        files = ["--cert", os.path.join(folder, "tls.crt"), "--key", os.path.join(folder, "tls.key"), "--config", configuration]
        return drawbridge(build, "serve", "--check", "--listen", "127.0.0.1:0", "--status-listen", "127.0.0.1:0", *files)


def verdict(answer):
    """allowed or denied, the number of causes and of warnings, and the audit annotations."""
    response = json.loads(answer)["response"]
    causes = response.get("status", {}).get("details", {}).get("causes", [])
    return "allowed" if response["allowed"] else "denied", len(causes), len(response.get("warnings", [])), response.get("auditAnnotations", {})


# ---- a server and its configuration ----

SERVERS = [
    # text, options, version, {body: (verdict, causes, warnings, annotations)}
    ("nothing at all", None, [], None, {
        BOTH: ("allowed", 0, 2, {"rules": "recommended,enum", "findings": "2", "demoted": "1"}), CREATE: ("allowed", 0, 0, {})}),
    ("--kubernetes-version", None, [], "1.35", {BOTH: ("denied", 1, 1, {"rules": "recommended,enum", "findings": "2"})}),
    ("--mode without a version", None, ["--mode", "audit"], None, {BOTH: ("allowed", 0, 0, {"rules": "recommended,enum", "findings": "2", "demoted": "1"})}),
    ("--mode with one", None, ["--mode", "warn"], "1.35", {BOTH: ("allowed", 0, 2, {"rules": "recommended,enum", "findings": "2", "demoted": "1"})}),
    ("every rule", STRICT, [], None, {
        BOTH: ("denied", 2, 0, {"rules": "recommended,enum", "findings": "2"}), ADVISED: ("denied", 1, 0, {"rules": "recommended", "findings": "1"}), CREATE: ("allowed", 0, 0, {})}),
    ("every rule, without a version", STRICT.replace("kubernetesVersion: '1.35'\n", ""), [], None, {
        BOTH: ("denied", 1, 1, {"rules": "recommended,enum", "findings": "2", "demoted": "1"}), BROKEN: ("allowed", 0, 1, {"rules": "enum", "findings": "1", "demoted": "1"})}),
    ("a mode that --mode overrides", HEAD + "kubernetesVersion: '1.35'\nmode: enforce\n", ["--mode", "audit"], None, {
        BROKEN: ("allowed", 0, 0, {"rules": "enum", "findings": "1", "demoted": "1"})}),
    ("policies come before --mode", STRICT, ["--mode", "audit"], None, {BROKEN: ("denied", 1, 0, {"rules": "enum", "findings": "1"})}),
    ("a version that --kubernetes-version overrides", HEAD + "kubernetesVersion: '1.36'\n", [], "1.33", {
        CREATE.replace(b'"nodeAllocatableUpdatePeriodSeconds":60', b'"nodeAllocatableUpdatePeriodSeconds":"x"'): ("denied", 1, 0, {"rules": "type", "findings": "1"}),
        CREATE.replace(b'"serviceAccountTokenInSecrets":true', b'"serviceAccountTokenInSecrets":"x"').replace(b'"seLinuxMount":true', b'"preventPodSchedulingIfMissing":"x"'): None}),
]


def test_servers(tap, build):
    for name, text, options, version, bodies in SERVERS:
        configuration = Configuration(text) if text else None
        server = Server(build, *options, *(["--config", configuration.name] if text else []), version=version)
        for body, wanted in bodies.items():
            status, _, answer = server.ask(body)
            if wanted:
                tap.equal((status, *verdict(answer)), (200, *wanted), name)
        denied = sum(wanted[0] == "denied" for wanted in bodies.values() if wanted)
        demoted = sum(int(wanted[3].get("demoted", 0)) for wanted in bodies.values() if wanted)
        counted = server.status("/metrics")[2].decode()
        tap.equal(sum(float(value) for value in re.findall(r"^drawbridge_denials_demoted_total\{[^}]*\} (\S+)$", counted, re.M)), demoted, f"{name}: {demoted} demoted")
        tap.ok(denied == sum(float(value) for value in re.findall(r'^drawbridge_reviews_total\{[^}]*verdict="denied"\} (\S+)$', counted, re.M)), f"{name}: {denied} denied")
        tap.equal(server.stop(), (0, ""), f"{name}: the server ends well")


def test_namespaces(tap, build):
    configuration = Configuration(HEAD + "kubernetesVersion: '1.35'\npolicies:\n- {namespaces: [quiet, 'test-*'], mode: audit}\n- {namespaces: [soft], mode: warn}\n")
    bad = CLAIM.replace(b'"deviceClassName":"', b'"deviceClassName":"X_', 1)
    server = Server(build, "--config", configuration.name, version=None)
    for space, wanted in (("quiet", ("allowed", 0)), ("test-1", ("allowed", 0)), ("soft", ("allowed", 1)), ("other", ("denied", 0)), ("quieter", ("denied", 0)), ("", ("denied", 0))):
        body = json.loads(bad)
        body["request"]["namespace"] = space
        answer = verdict(server.ask(json.dumps(body).encode())[2])
        tap.equal((answer[0], answer[2]), wanted, f"a claim in namespace '{space}'")
    body = json.loads(BROKEN)
    body["request"]["namespace"] = "quiet"
    tap.equal(verdict(server.ask(json.dumps(body).encode())[2])[0], "denied", "what is in no namespace fits no policy for one")
    server.stop()


# ---- mistakes ----

def test_mistakes(tap, build):
    cases = {
        "mode: enforced\n": "3:7: mode: Unsupported value: \"enforced\": supported values: \"enforce\", \"warn\", \"audit\"; did you mean \"enforce\"?",
        "policies:\n- {mode: warn, rules: [no-efect]}\n": "4:24: policies[0].rules[0]: \"no-efect\": no rule has this id; 'drawbridge rules' lists them; did you mean \"no-effect\"?",
        "kubernetesVersion: 1.35\n": "3:20: kubernetesVersion: Invalid value: 1.35: must be a string; in quotes it is a string: \"1.35\"",
    }
    for text, said in cases.items():
        configuration = Configuration(HEAD + text)
        serve = ["serve", "--cert", "x", "--key", "x"]
        for command, status in ((serve, 3), (serve + ["--check"], 3), (["review", "-"], 2)):
            done = drawbridge(build, command[0], "--config", configuration.name, *command[1:], text=b"")
            tap.equal((done.returncode, done.stdout, done.stderr.decode()), (status, b"", f"drawbridge {command[0]}: {configuration.name}:{said}\n"), f"{' '.join(command)}: {said}")
    done = check(build, os.path.join(HERE, "no-such-file"))
    tap.ok(done.returncode == 3 and b"No such file" in done.stderr, "a configuration that is not there")
    with tempfile.TemporaryDirectory() as folder:
        fifo = os.path.join(folder, "fifo")
        os.mkfifo(fifo)
        for name in ("-", fifo, folder):
            done = drawbridge(build, "serve", "--check", "--cert", "x", "--key", "x", "--config", name, text=STRICT.encode())
            tap.equal((done.returncode, done.stdout, done.stderr.decode()), (3, b"", f"drawbridge serve: {name}: must be a regular file, as it is read again whenever it changes\n"), "what is no file")
    configuration = Configuration(STRICT)
    done = check(build, configuration.name)
    tap.equal((done.returncode, done.stdout, done.stderr), (0, b"good: mode enforce, Kubernetes 1.35, policies: 1\n", b""), "--check of a good one")


def test_readme(tap, build):
    """The example in the manual page is one."""
    with open(os.path.join(TESTS, "..", "src", "cli", "man", "drawbridge.yaml.5.md"), encoding="utf-8") as file:
        example = re.search(r"^```yaml\n(.*?)^```", file.read(), re.M | re.S)
    configuration = Configuration(example[1])
    done = check(build, configuration.name)
    tap.equal((done.returncode, done.stdout, done.stderr), (0, b"good: mode enforce, Kubernetes 1.35, policies: 2\n", b""), "the example of drawbridge.yaml(5) is good")


def crowded_slice(devices, capacity, least="-1", generation=1):
    """A slice with 32 findings in each device but the last, where a documented rule is broken."""
    spec = {"driver": "d.example.com", "nodeName": "n", "pool": {"name": "p", "generation": generation, "resourceSliceCount": 1}}
    policy = {"default": "4", "validRange": {"min": least, "max": "8"}}
    spec["devices"] = [{"name": f"d{i}", "capacity": {f"c{j}": capacity for j in range(32)}} for i in range(devices)]
    spec["devices"].append({"name": "last", "allowMultipleAllocations": True, "capacity": {"c": {"value": "10", "requestPolicy": policy}}})
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "x"}, "spec": spec}


def crowded(obj, old=None):
    """Its review."""
    kind = {"group": "resource.k8s.io", "version": "v1", "kind": "ResourceSlice"}
    return json.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "u", "kind": kind, "name": "x", "operation": "UPDATE" if old else "CREATE", "object": obj, "oldObject": old}}).encode()


def test_crowds(tap, build):
    """Findings that are not kept, because there are too many, cannot hide one that denies behind those that only warn."""
    error = {"value": "1", "requestPolicy": {"default": "1"}}  # forbidden: the device does not allow it
    for rules, mode, capacity in (("recommended", "audit", {}), ("recommended", "warn", {}), ("forbidden", "audit", error), ("forbidden", "warn", error)):
        configuration = Configuration(HEAD + f"kubernetesVersion: '1.35'\npolicies:\n- {{rules: [{rules}], mode: {mode}}}\n- {{rules: [range], mode: enforce}}\n")
        for devices in (0, 31, 32, 100):
            answer = drawbridge(build, "review", "--config", configuration.name, "-", text=crowded(crowded_slice(devices, capacity))).stdout
            tap.ok(verdict(answer)[0] == "denied" and "[range]" in answer.decode(), f"{devices * 32} findings of {rules} with mode {mode} do not hide one that denies", answer[:300])


def test_crowds_before(tap, build):
    """Nor can those of the old object excuse it; what was there is excused among them all the same."""
    configuration = Configuration(HEAD + "kubernetesVersion: '1.35'\npolicies:\n- {rules: [recommended], mode: audit}\n- {rules: [range], mode: enforce}\n")
    for devices in (0, 31, 32, 40, 100):
        for least, wanted in (("1", "denied"), ("-1", "allowed")):
            body = crowded(crowded_slice(devices, {}, generation=2), crowded_slice(devices, {}, least))
            answer = drawbridge(build, "review", "--config", configuration.name, "-", text=body).stdout
            tap.equal(verdict(answer)[0], wanted, f"an update with {devices * 32} findings before and after it, and validRange.min {least} before")


# ---- while it runs ----

def test_reload(tap, build):
    """A new configuration counts from the next review on; a bad one changes nothing."""
    configuration = Configuration(STRICT)
    server = Server(build, "--config", configuration.name, version=None)
    def replace(text):
        with open(configuration.name + ".new", "w") as file:
            file.write(text)
        os.rename(configuration.name + ".new", configuration.name)
    def answers(wanted, seconds=15):
        end = time.monotonic() + seconds
        while verdict(server.ask(BOTH)[2])[:3] != wanted and time.monotonic() < end:
            time.sleep(0.1)
        return verdict(server.ask(BOTH)[2])[:3] == wanted
    tap.ok(answers(("denied", 2, 0)), "as it was when it started")
    replace(STRICT.replace("mode: enforce", "mode: audit"))
    tap.ok(answers(("allowed", 0, 0)), "a new mode counts")
    replace("policies: [")
    counter = 'drawbridge_reloads_total{what="configuration",result="failure"} 1'
    end = time.monotonic() + 20
    while counter not in server.status("/metrics")[2].decode() and time.monotonic() < end:
        time.sleep(0.2)
    tap.ok(counter in server.status("/metrics")[2].decode() and answers(("allowed", 0, 0)), "a bad one is counted, and the old one stays")
    replace(HEAD + "kubernetesVersion: '1.34'\nmode: warn\n")
    tap.ok(answers(("allowed", 0, 2)), "the next good one counts again")
    tap.ok('drawbridge_configuration_info{mode="warn",kubernetes_version="1.34"} 1' in server.status("/metrics")[2].decode(), "/metrics show what is in force")
    os.mkfifo(configuration.name + ".new")
    writer = os.open(configuration.name + ".new", os.O_RDWR)
    os.rename(configuration.name + ".new", configuration.name)
    time.sleep(1)
    began = time.monotonic()
    status = server.stop(90)
    tap.ok(status == (0, "") and time.monotonic() - began < 10, f"a FIFO in its place does not hold up the end, which takes {time.monotonic() - began:.1f} s", status)
    os.close(writer)
    tap.ok(f"{configuration.name}:1:" in server.log, "the log tells the mistake and its place", server.log)


# ---- stored objects ----

def admission(operation, obj, old=None, sub=None):
    """A review as an API server sends it, or None for what has no kind."""
    if not isinstance(obj, dict) or not isinstance(obj.get("kind"), str) or not isinstance(obj.get("apiVersion"), str):
        return None
    group, _, version = obj["apiVersion"].rpartition("/")
    review = {"uid": "u", "kind": {"group": group, "version": version, "kind": obj["kind"]}, "operation": operation, "object": obj}
    if sub:
        review["subResource"] = sub
    if isinstance(obj.get("metadata"), dict) and isinstance(obj["metadata"].get("namespace"), str):
        review["namespace"] = obj["metadata"]["namespace"]
    if old is not None:
        review["oldObject"] = old
    return write({"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": review}).encode()


def with_metadata(obj, **members):
    """A copy; None where its metadata is nothing that could hold these."""
    made = copy.deepcopy(obj)
    if not isinstance(made.setdefault("metadata", {}), dict):
        return None
    made["metadata"].update(members)
    return made


# In the ledger's words: what breaks documented rules that its cases do not.
MORE = """
csidriver-tokens spec.serviceAccountTokenInSecrets=-
csistoragecapacity nodeTopology={"matchLabels":{"failure-domain.beta.kubernetes.io/zone":"a"}}
csistoragecapacity nodeTopology={"matchExpressions":[{"key":"failure-domain.beta.kubernetes.io/zone","operator":"Exists"}]}
storageclass allowedTopologies=[{"matchLabelExpressions":[{"key":"failure-domain.beta.kubernetes.io/zone","values":["a"]}]}]
storageclass parameters={"csi.storage.k8s.io/provisioner-secret-name":"x"}
storageclass parameters={"csi.storage.k8s.io/provisioner-secret-namespace":"x"}
volumeattachment-inline spec.source={"inlineVolumeSpec":{"accessModes":["ReadWriteOnce"],"capacity":{"storage":"1Gi"},"flexVolume":{"driver":"A b"}}}
node status.capacity={"attachable-volumes-x":"-1"} status.allocatable={"attachable-volumes-x":"-1"}
node status.capacity={"attachable-volumes-x":"1.5"} status.allocatable={"attachable-volumes-x":"1.5"}
claim spec.devices.constraints[0]={"matchAttribute":"a.b/c","distinctAttribute":"a.b/c"}
template spec.spec.devices.constraints[0]={"matchAttribute":"a.b/c","distinctAttribute":"a.b/c"}
claim-v1beta1 spec.devices.requests[0].tolerations=[{"key":"k%d","operator":"Exists"}]*17
claim-v1beta1 spec.devices.requests[0].tolerations=[{"operator":"Equal","value":"x"}]
claim-v1beta1 spec.devices.requests[0].selectors=[{"cel":{"expression":"device.attributes[\\"gpu.acme.dev/model\\"].model == \\"a\\""}}]
claim spec.devices.requests[0].exactly.selectors=[{"cel":{"expression":"device.attributes[\\"gpu.acme.dev/model\\"].model == \\"a\\""}}]
template spec.spec.devices.requests[0].exactly.selectors=[{"cel":{"expression":"device.attributes[\\"gpu.acme.dev/model\\"].model == \\"a\\""}}]
template spec.spec.devices.requests[0].exactly.tolerations=[{"key":"k%d","operator":"Exists"}]*17
template spec.spec.devices.requests[0]={"name":"r","firstAvailable":[{"name":"a","deviceClassName":"gpu","tolerations":[{"operator":"Equal","value":"x"}]}]}
template spec.spec.devices.requests[0]={"name":"r","firstAvailable":[{"name":"a","deviceClassName":"gpu","selectors":[{"cel":{"expression":"device.attributes[\\"a/b\\"].c == 1"}}]}]}
template spec.spec.devices.requests[0]={"name":"r","firstAvailable":[{"name":"a","deviceClassName":"gpu","tolerations":[{"key":"k","operator":"Exists"},{"key":"k","operator":"Exists"},{"key":"k","operator":"Exists"},{"key":"k","operator":"Exists"},{"key":"k","operator":"Exists"},{"key":"k","operator":"Exists"},{"key":"k","operator":"Exists"},{"key":"k","operator":"Exists"},{"key":"k","operator":"Exists"},{"key":"k","operator":"Exists"},{"key":"k","operator":"Exists"},{"key":"k","operator":"Exists"},{"key":"k","operator":"Exists"},{"key":"k","operator":"Exists"},{"key":"k","operator":"Exists"},{"key":"k","operator":"Exists"},{"key":"k","operator":"Exists"}]}]}
template apiVersion="resource.k8s.io/v1beta1" spec.spec.devices={"requests":[{"name":"r","deviceClassName":"gpu","selectors":[{"cel":{"expression":"device.attributes[\\"a/b\\"].c == 1"}}]}]}
template apiVersion="resource.k8s.io/v1beta1" spec.spec.devices={"requests":[{"name":"r","deviceClassName":"gpu","tolerations":[{"operator":"Equal","value":"x"}]}]}
template apiVersion="resource.k8s.io/v1beta1" spec.spec.devices.requests=[{"name":"r","deviceClassName":"gpu"}] spec.spec.devices.requests[0].tolerations=[{"key":"k%d","operator":"Exists"}]*17
slice spec.devices[0].attributes={"pcieRoot":{"string":"x"}}
slice-v1beta1 spec.devices[0].basic.attributes={"pcieRoot":{"string":"x"}}
slice-v1beta1 spec.devices[0].basic.attributes={"model":{"string":"x"},"gpu.acme.dev/model":{"string":"x"}}
slice-v1beta1 spec.devices[0].basic.capacity={"m":{"value":"1"},"gpu.acme.dev/m":{"value":"1"}}
slice-v1beta1 spec.devices[0].basic.allowMultipleAllocations=true spec.devices[0].basic.capacity={"m":{"value":"1","requestPolicy":{"default":"0","validRange":{"min":"-1"}}}}
slice-v1beta1 spec.devices[0].basic.consumesCounters=[{"counterSet":"c","counters":{"m":{}}}]
storageclass provisioner="nfs.csi.k8s.io" parameters={"server":"a","shar":"/"}
volumeattributesclass driverName="ebs.csi.aws.com" parameters={"iops":"many"}
storageclass metadata.annotations={"storageclass.kubernetes.io/is-default":"true"}
volumeattributesclass metadata.annotations={"volumeattributesclass.kubernetes.io/is-default":"true"}
slice-perdevice apiVersion="resource.k8s.io/v1beta1" spec.devices=[{"name":"a","basic":{"nodeSelector":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["a"]}]},{"matchFields":[{"key":"metadata.name","operator":"In","values":["b"]}]}]}}}]
"""


def objects():
    """(object, the stored one before it or None) of the ledger's failing cases, the conformance cases and the captured reviews."""
    bases = read_bases()
    texts = [row["failing"] for row in read_rows() if row["rule"] not in ("-", "explained")]
    for text in texts + MORE.strip().splitlines():
        case = Case(text, bases)
        for i, obj in enumerate(case.new):
            yield obj, case.old[i] if i < len(case.old) else None
    for case in conformance.supported():
        yield case["object"], case.get("oldObject")
    for body in REVIEWS.values():
        made = json.loads(body)["request"]
        if made.get("object"):
            yield made["object"], made.get("oldObject")


def validate(build, configuration, bodies):
    """The answers to reviews that are well formed; None for the others."""
    answers = []
    done = drawbridge(build, "review", "--config", configuration, "-", text=b"\n".join(bodies))
    lines = done.stdout.splitlines()
    if len(lines) == len(bodies):
        return [json.loads(line)["response"] for line in lines]
    raise RuntimeError(f"{len(lines)} answers to {len(bodies)} reviews: {done.stderr[:300]}")


def general(path):
    return re.sub(r"\[(\d+)\]|\[[^]]*\]", lambda match: "[]" if match[1] else "{}", path)


def denied_rules(bodies, answers):
    """(kind, field, rule) of every cause."""
    found = set()
    for body, answer in zip(bodies, answers):
        kind = json.loads(body)["request"]["kind"]["kind"]
        for cause in answer.get("status", {}).get("details", {}).get("causes", []):
            found.add((kind, general(cause["field"]), re.search(r"\[([a-z-]+)\]$", cause["message"])[1]))
    return found


def well_formed(build, configuration, bodies):
    """Those reviews that can be validated at all."""
    kept = []
    for start in range(0, len(bodies), 500):
        part = bodies[start:start + 500]
        done = drawbridge(build, "review", "--config", configuration, "-", text=b"\n".join(part))
        if len(done.stdout.splitlines()) == len(part):
            kept += part
            continue
        kept += [body for body in part if drawbridge(build, "review", "--config", configuration, "-", text=body).stdout]
    return kept


# Rules that need other objects, which a review has not; and kinds that are validated by role only.
AMONG = {"missing-object", "unique-across-objects", "pool-slices", "satisfiable", "attachable", "allocation", "consistent-type", "single-default", "config-driver", "same-driver"}
BY_ROLE = {"Pod"}
# Kinds that no webhook is registered for; what its reader goes over without looking into it; and where a row of devices has no effect, or one needs the class.
ELSEWHERE = {("ResourceClaim", "status.allocation.nodeSelector.nodeSelectorTerms"), ("ResourceSlice", "spec.nodeSelector.nodeSelectorTerms"),
             ("ResourceClaim", "spec.devices.requests[].exactly.adminAccess"), ("ResourceClaimTemplate", "spec.spec.devices.requests[].exactly.adminAccess")}
NOT_SENT = {"VolumeSnapshotClass"} | {row.kind for row in kinds.rows() if "KIND_UNREVIEWED" in row.traits}
NOT_READ = ("opaque.parameters", "driver-parameter")


def warned_rows(build):
    """(kind, field, rule) of the documented rules that one object by itself can break."""
    done = drawbridge(build, "rules", "--format", "json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return {(row["kind"], row["field"].replace("{key}", "{}"), row["rule"]) for row in rows
            if row["severity"] == "warning" and row["rule"] not in AMONG and row["kind"] not in BY_ROLE | NOT_SENT and not row["until"]
            and not (row["field"].endswith(NOT_READ[0]) and row["rule"] == NOT_READ[1]) and (row["kind"], row["field"]) not in ELSEWHERE}


def is_at(row, cause):
    """Whether a cause may be the row's: the same rule, at the field, in it, or around it."""
    return row[0] == cause[0] and row[2] == cause[2] and (cause[1].startswith(row[1]) or row[1].startswith(cause[1]))


def test_stored(tap, build):
    """Every rule denies what is new; none denies an update of what is stored."""
    strict = Configuration(STRICT)
    quiet = Configuration(HEAD + "policies:\n- rules: ['*']\n  mode: enforce\n")  # no version: what denies is a warning that was raised
    seen, stored, fresh = set(), [], []
    for obj, old in objects():
        key = write(obj)
        if key in seen or not admission("CREATE", obj):
            continue
        seen.add(key)
        stored.append(obj)
        bare = {name: value for name, value in obj.items() if name != "status"}
        fresh += [admission("CREATE", obj), admission("UPDATE", obj, bare, "status")]
        if old is not None:
            fresh += [body for body in (admission("UPDATE", obj, old), admission("UPDATE", obj, old, "status")) if body]
    fresh = well_formed(build, quiet.name, fresh)
    answers = validate(build, quiet.name, fresh)
    broken, rows = denied_rules(fresh, answers), warned_rows(build)
    denied = sum(not answer["allowed"] for answer in answers)
    tap.ok(denied > 200, f"{denied} of {len(fresh)} reviews of {len(stored)} objects are denied for documented rules alone")
    missed = sorted(row for row in rows if not any(is_at(row, cause) for cause in broken))
    tap.ok(not missed, f"{len(rows) - len(missed)} of {len(rows)} documented rules at their fields deny what is new", missed)

    updates = {}
    for name in ("finalizers are removed", "an owner is added", "a finalizer is added", "nothing changes"):
        for sub in (None, "status"):
            updates[name + (", by the status" if sub else "")] = bodies = []
            for obj in stored:
                free, held = with_metadata(obj, finalizers=[]), with_metadata(obj, finalizers=["drawbridge.dev/held"])
                owned = with_metadata(obj, ownerReferences=[{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"}])
                if free:
                    new, old = {"fina": (free, held), "an o": (owned, free), "a fi": (held, free), "noth": (obj, obj)}[name[:4]]
                    bodies.append(admission("UPDATE", new, old, sub))
    updates["it is being deleted, and everything changes"] = [
        admission("UPDATE", obj, with_metadata({"apiVersion": obj["apiVersion"], "kind": obj["kind"], "metadata": obj.get("metadata")}, deletionTimestamp="2026-01-02T03:04:05Z"))
        for obj in stored if with_metadata(obj)]
    for name, bodies in updates.items():
        bodies = well_formed(build, strict.name, bodies)
        answers = validate(build, strict.name, bodies)
        held_up = [body for body, answer in zip(bodies, answers) if not answer["allowed"]]
        excused = sum("demoted" in answer.get("auditAnnotations", {}) for answer in answers)
        tap.ok(len(bodies) > 2000 and not held_up and excused > 1000, f"{name}: none of {len(bodies)} is denied, {excused} would be as new ones", held_up and held_up[0][:2000])
    labelled = {
        "labels change": lambda obj: with_metadata(obj, labels={"new": "label"}),
        "annotations change": lambda obj: with_metadata(obj, annotations={"new": "annotation"}),
    }
    for name, change in labelled.items():
        bodies = well_formed(build, quiet.name, [admission("UPDATE", change(obj), obj) for obj in stored if change(obj)])
        held_up = [body for body, answer in zip(bodies, validate(build, quiet.name, bodies)) if not answer["allowed"]]
        tap.ok(len(bodies) > 2000 and not held_up, f"{name}: no documented rule denies any of {len(bodies)}", held_up and held_up[0][:2000])


def test_the_same_as_review(tap, build):
    """The webhook answers as `drawbridge review --config` does, byte for byte."""
    configuration = Configuration(STRICT)
    bodies = [body for obj, _ in list(objects())[:800] if (body := admission("CREATE", obj))]
    bodies = well_formed(build, configuration.name, bodies)
    lines = drawbridge(build, "review", "--config", configuration.name, "-", text=b"\n".join(bodies)).stdout.splitlines()
    server = Server(build, "--config", configuration.name, version=None)
    with server.connect() as connection:
        same = sum(exchange(connection, request(body))[2] == line for body, line in zip(bodies, lines))
    tap.ok(same == len(bodies) > 500, f"{same} of {len(bodies)} reviews get the same bytes from both")
    server.stop()


def main():
    build, tap = os.path.abspath(sys.argv[1]), Tap()
    test_servers(tap, build)
    test_namespaces(tap, build)
    test_mistakes(tap, build)
    test_readme(tap, build)
    test_crowds(tap, build)
    test_crowds_before(tap, build)
    test_reload(tap, build)
    test_stored(tap, build)
    test_the_same_as_review(tap, build)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
