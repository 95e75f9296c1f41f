#!/usr/bin/env python3
"""The Helm chart: what it renders against what `drawbridge manifests` prints, object by object; choices, and values that are refused.

    test_helm.py BUILD
"""
import base64, json, os, shutil, sys, tempfile

import tools
from tools import Tap

CHART = os.path.join(tools.DEPLOY, "helm", "drawbridge")
KUBERNETES = "--kube-version=1.35.0"
LABELS = {"app.kubernetes.io/instance", "app.kubernetes.io/version", "app.kubernetes.io/managed-by", "helm.sh/chart"}  # which the command does not set
FROM_FILES = "--set-file=certificates.certificate=certs/tls.crt,certificates.key=certs/tls.key,certificates.caBundle=certs/ca.crt"

# What the chart is given, and what the command is, for the same objects.
SAME = [
    ("as they come", [FROM_FILES], []),
    ("another namespace", [FROM_FILES, "--namespace=web"], ["--namespace", "web"]),
    ("kube-system", [FROM_FILES, "--namespace=kube-system"], ["--namespace", "kube-system"]),
    ("another image, three replicas", [FROM_FILES, "--set=image.repository=registry.example.com:5000/a/b,image.tag=v2,replicas=3"],
     ["--image", "registry.example.com:5000/a/b:v2", "--replicas", "3"]),
    ("an image by digest", [FROM_FILES, "--set=image.digest=sha256:" + "ab" * 32], ["--image", "drawbridge@sha256:" + "ab" * 32]),
    ("a version and a mode", [FROM_FILES, "--set-string=configuration.kubernetesVersion=1.35,configuration.mode=warn"], ["--kubernetes-version", "1.35", "--mode", "warn"]),
    ("controllers, Fail", [FROM_FILES, "--set=webhook.controllers=true,webhook.failurePolicy=Fail"], ["--controllers", "--failure-policy", "Fail"]),
    ("a URL", [FROM_FILES, "--set=webhook.url=https://127.0.0.1:8443/validate"], ["--url", "https://127.0.0.1:8443/validate"]),
    ("metrics for two namespaces", [FROM_FILES, "--set-json=networkPolicy.metricsNamespaces=[\"observability\",\"12\"]"],
     ["--metrics-namespace", "observability", "--metrics-namespace", "12"]),
    ("metrics for nobody", [FROM_FILES, "--set-json=networkPolicy.metricsNamespaces=[]"], ["--metrics-namespace", "none"]),
    ("own CA", ["--set=certificates.source=ownCA", "--set-file=certificates.certificate=certs/ca.crt,certificates.key=certs/ca.key"], ["--own-ca"]),
]

# Values, and the kinds that come or go with them.
CHOICES = [
    ("a Secret that is there", ["--set=certificates.source=secret,certificates.secretName=web-tls", "--set-file=certificates.caBundle=certs/ca.crt"], {"Secret": 0}),
    ("cert-manager", ["--set=certificates.source=certManager"], {"Secret": 0, "Certificate": 2, "Issuer": 2}),
    ("cert-manager, with an issuer", ["--set=certificates.source=certManager,certificates.certManager.issuerRef.name=a,certificates.certManager.issuerRef.kind=ClusterIssuer"],
     {"Secret": 0, "Certificate": 1, "Issuer": 0}),
    ("own CA from a Secret", ["--set=certificates.source=ownCA,certificates.secretName=web-ca", "--set-file=certificates.caBundle=certs/ca.crt"], {"Secret": 0}),
    ("autoscaling", [FROM_FILES, "--set=autoscaling.enabled=true"], {"HorizontalPodAutoscaler": 1}),
    ("monitoring", [FROM_FILES, "--set=serviceMonitor.enabled=true,prometheusRule.enabled=true,dashboard.enabled=true"], {"ServiceMonitor": 1, "PrometheusRule": 1, "ConfigMap": 2}),
    ("less", [FROM_FILES, "--set=podDisruptionBudget.enabled=false,networkPolicy.enabled=false,spread=false"], {"PodDisruptionBudget": 0, "NetworkPolicy": 0}),
    ("its namespace", [FROM_FILES, "--set=namespace.create=true"], {"Namespace": 1}),
]
ALWAYS = {"ServiceAccount": 1, "Secret": 1, "ConfigMap": 1, "Deployment": 1, "Service": 1, "PodDisruptionBudget": 1, "NetworkPolicy": 1,
          "ValidatingWebhookConfiguration": 1, "Job": 1}

# Values that must not pass, and a word of the answer.
REFUSED = [
    ([], "certificates.caBundle is needed"),
    ([FROM_FILES, "--set=webhok.controllers=true"], "webhok"),
    ([FROM_FILES, "--set=webhook.failurePolicy=fail"], "failurePolicy"),
    ([FROM_FILES, "--set=webhook.timeoutSeconds=31"], "timeoutSeconds"),
    ([FROM_FILES, "--set=webhook.url=http://a"], "url"),
    ([FROM_FILES, "--set=replicas=0"], "replicas"),
    ([FROM_FILES, "--set=configuration.mode=deny"], "mode"),
    ([FROM_FILES, "--set=configuration.policies[0].mode=warn,configuration.policies[0].namespace=a"], "namespace"),
    ([FROM_FILES, "--set=image.tag=a b"], "tag"),
    ([FROM_FILES, "--set=networkPolicy.metricsNamespaces={A}"], "metricsNamespaces"),
    ([FROM_FILES, "--set=certificates.source=vault"], "source"),
    (["--set=certificates.source=secret", "--set-file=certificates.caBundle=certs/ca.crt"], "secretName"),
    (["--set=certificates.source=secret,certificates.secretName=a"], "certificates.caBundle is needed"),
    ([FROM_FILES, "--set-file=certificates.caBundle=certs/ca.key"], "caBundle"),
    ([FROM_FILES, "--set=certificates.secretName=a"], "secretName"),
    ([FROM_FILES, "--kube-version=1.29.0"], "kubeVersion"),
]


class Helm:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def template(self, *options):
        options = [KUBERNETES, *options] if not any(option.startswith("--kube-version") for option in options) else options
        options = ["--namespace=drawbridge-system", *options] if not any(option.startswith("--namespace") for option in options) else options
        return tools.run([self.program, "template", "drawbridge", CHART, *options], cwd=self.folder)

    def objects(self, *options):
        done = self.template(*options)
        if done.returncode:
            raise SystemExit(f"helm template {' '.join(options)}: {done.stderr}")
        return tools.objects(done.stdout)


def plain(value):
    """Without the labels that only the chart sets, wherever labels are."""
    if isinstance(value, dict):
        return {key: plain(member) for key, member in value.items() if key not in LABELS}
    return [plain(item) for item in value] if isinstance(value, list) else value


def without_test(items):
    return [item for item in items if "helm.sh/hook" not in item["metadata"].get("annotations", {})]


def compare(tap, what, chart, command):
    chart, command = tools.by_identity(chart), tools.by_identity(command)
    tap.equal(sorted(chart), sorted(command), f"{what}: the same objects")
    for key in sorted(set(chart) & set(command)):
        got, want = tools.pretty(plain(chart[key])), tools.pretty(command[key])
        tap.ok(got == want, f"{what}: {key[0]}", "\n".join(line for line in difference(want, got)))


def difference(want, got):
    import difflib
    return list(difflib.unified_diff(want.splitlines(), got.splitlines(), "command", "chart", lineterm="", n=2))[:60]


def test_same(tap, build, helm):
    for what, values, options in SAME:
        folder = helm.folder if "--namespace" not in options and "--url" not in options else tempfile.mkdtemp(dir=helm.folder)
        want = tools.manifests(build, *options, folder=folder)
        got = Helm(helm.program, folder).objects("--set=namespace.create=true", *values)
        compare(tap, what, without_test(got), want)


def count(items):
    counts = {}
    for item in items:
        counts[item["kind"]] = counts.get(item["kind"], 0) + 1
    return counts


def test_choices(tap, helm):
    for what, values, changes in CHOICES:
        want = {kind: number for kind, number in {**ALWAYS, **changes}.items() if number}
        tap.equal(count(helm.objects(*values)), want, f"{what}: kinds")


def webhook(items):
    [item] = [item for item in items if item["kind"] == "ValidatingWebhookConfiguration"]
    return item


def pod(items, kind="Deployment"):
    [item] = [item for item in items if item["kind"] == kind]
    return item["spec"]["template"]["spec"]


def config_is_good(tap, build, folder, text):
    """As the webhook itself reads it."""
    with open(os.path.join(folder, "config.yaml"), "w", encoding="utf-8") as file:
        file.write(text)
    done = tools.run([os.path.join(build, "drawbridge"), "review", "--config", "config.yaml", "-"], cwd=folder, input="")
    tap.ok(done.returncode == 0, "the configuration is good", done.stdout + done.stderr)


def test_arguments(tap, build, helm):
    """What the pods start, with files where their mounts would be; --check takes no connections."""
    knows = tools.run([os.path.join(build, "drawbridge"), "serve", "--help"]).stdout
    callers = ("client certificates", [FROM_FILES, "--set=clientCertificates.configMap=callers,clientCertificates.names={kube-apiserver},logFormat=json"], [])
    for what, values, _ in SAME[-1:] + SAME[:1] + [callers]:
        items = helm.objects(*values)
        arguments = pod(items)["containers"][0]["args"]
        new = sorted({word.split("=")[0] for word in arguments if word.startswith("--") and f"  {word.split('=')[0]} " not in knows})
        tap.equal(new, [], f"{what}: serve knows every option")
        files = os.path.join(helm.folder, "mounts")
        for item in items:
            if item["kind"] in ("Secret", "ConfigMap"):
                mount(os.path.join(files, {"drawbridge": "config", "drawbridge-tls": "tls", "drawbridge-ca": "ca"}[item["metadata"]["name"]]), item)
        os.makedirs(os.path.join(files, "client-ca"), exist_ok=True)
        shutil.copy(os.path.join(helm.folder, "certs", "ca.crt"), os.path.join(files, "client-ca"))
        done = tools.run([os.path.join(build, "drawbridge"), *[word.replace("=/etc/drawbridge", "=" + files) for word in arguments], "--check",
                          "--listen=127.0.0.1:0", "--status-listen=127.0.0.1:0"])
        tap.ok(done.returncode == 0, f"{what}: serve starts with the pods' arguments", done.stdout + done.stderr)


def mount(folder, item):
    os.makedirs(folder, exist_ok=True)
    for name, value in item["data"].items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(base64.b64decode(value) if item["kind"] == "Secret" else value.encode())


def test_details(tap, build, helm):
    items = helm.objects("--set=certificates.source=certManager")
    certificate = next(item for item in items if item["kind"] == "Certificate" and "dnsNames" in item["spec"])
    tap.equal(certificate["spec"]["dnsNames"], ["drawbridge.drawbridge-system.svc"], "cert-manager: the name that API servers call")
    tap.equal(webhook(items)["metadata"]["annotations"], {"cert-manager.io/inject-ca-from": "drawbridge-system/drawbridge"}, "cert-manager: the CA is injected")
    tap.ok(all("caBundle" not in entry["clientConfig"] for entry in webhook(items)["webhooks"]), "cert-manager: no caBundle that would be put back at each upgrade")
    tap.equal(pod(items)["volumes"][0]["secret"]["secretName"], certificate["spec"]["secretName"], "cert-manager: the Secret of the Certificate is mounted")
    items = helm.objects(FROM_FILES, "--set=autoscaling.enabled=true")
    tap.ok("replicas" not in next(item for item in items if item["kind"] == "Deployment")["spec"], "autoscaling: the Deployment sets no number of its own")
    items = helm.objects(FROM_FILES, "--set=clientCertificates.configMap=callers,clientCertificates.names={kube-apiserver,a b},logFormat=json,extraArgs={--max-body=1000000}")
    arguments = pod(items)["containers"][0]["args"]
    tap.equal(arguments[-6:], ["--log-format=json", "--client-ca=/etc/drawbridge/client-ca/ca.crt", "--client-mode=require", "--client-cn=kube-apiserver",
                               "--client-cn=a b", "--max-body=1000000"], "client certificates, log format, more arguments")
    tap.ok({"name": "client-ca", "configMap": {"name": "callers"}} in pod(items)["volumes"], "client certificates: their CAs are mounted")
    policies = [{"kinds": ["StorageClass"], "rules": ["*"], "mode": "enforce"}, {"namespaces": ["dev-*"], "mode": "warn"}]
    [config] = [item for item in helm.objects(FROM_FILES, "--set-json=configuration.policies=" + json.dumps(policies)) if item["kind"] == "ConfigMap"]
    tap.equal(tools.objects(config["data"]["config.yaml"]), [{"apiVersion": "drawbridge.dev/v1alpha1", "kind": "Configuration", "policies": policies}], "policies come through")
    config_is_good(tap, build, helm.folder, config["data"]["config.yaml"])
    items = helm.objects(FROM_FILES, "--set=prometheusRule.enabled=true,dashboard.enabled=true")
    [alerts] = [item["spec"] for item in items if item["kind"] == "PrometheusRule"]
    with open(os.path.join(tools.DEPLOY, "monitoring", "alerts.yaml"), encoding="utf-8") as file:
        tap.equal(tools.objects(file.read()), [alerts], "the PrometheusRule is monitoring/alerts.yaml")
    [board] = [item["data"]["drawbridge.json"] for item in items if item["metadata"]["name"] == "drawbridge-dashboard"]
    with open(os.path.join(tools.DEPLOY, "monitoring", "dashboard.json"), encoding="utf-8") as file:
        tap.ok(file.read() == board, "the ConfigMap for Grafana is monitoring/dashboard.json")
    peers = [{"podSelector": {"matchLabels": {"app": "a"}}}]
    items = helm.objects(FROM_FILES, "--set-json=networkPolicy.statusFrom=" + json.dumps(peers))
    [policy] = [item for item in items if item["kind"] == "NetworkPolicy"]
    monitoring = {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "monitoring"}}}
    tap.equal(policy["spec"]["ingress"][1]["from"], [monitoring] + peers, "others may read metrics beside the named namespaces")
    other = tools.run([helm.program, "template", "gate", CHART, KUBERNETES, "--namespace=web", FROM_FILES], cwd=helm.folder)
    tap.ok({item["metadata"]["name"] for item in tools.objects(other.stdout)} == {"gate-drawbridge", "gate-drawbridge-tls", "gate-drawbridge-test"}, "another release has names of its own")


def restricted(spec):
    """What the restricted pod security standard asks for, and a read-only root and no token."""
    security, wrong = spec["securityContext"], []
    for container in spec["containers"]:
        own = container["securityContext"]
        wrong += [name for name, good in (("escalation", own["allowPrivilegeEscalation"] is False), ("root", own["readOnlyRootFilesystem"] is True),
                                          ("capabilities", own["capabilities"] == {"drop": ["ALL"]}), ("memory", "memory" in container["resources"]["limits"])) if not good]
    wrong += [] if security["runAsNonRoot"] is True and security["runAsUser"] > 0 and security["seccompProfile"] == {"type": "RuntimeDefault"} else ["user"]
    wrong += [] if spec["automountServiceAccountToken"] is False else ["token"]
    wrong += [] if not any(spec.get(name) for name in ("hostNetwork", "hostPID", "hostIPC")) else ["host"]
    return wrong + [kind for volume in spec["volumes"] for kind in volume if kind not in ("name", "secret", "configMap")] if "volumes" in spec else wrong


def test_security(tap, helm):
    items = helm.objects(FROM_FILES)
    for kind in "Deployment", "Job":
        tap.equal(restricted(pod(items, kind)), [], f"{kind}: restricted pod security")


def test_refused(tap, helm):
    for values, word in REFUSED:
        done = helm.template(*values)
        tap.ok(done.returncode != 0 and word in done.stderr, f"refused: {' '.join(values)[-60:] or 'no values'}", done.stderr)
    lint = tools.run([helm.program, "lint", CHART, "--strict", KUBERNETES, FROM_FILES], cwd=helm.folder)
    tap.ok(lint.returncode == 0, "helm lint --strict", lint.stdout + lint.stderr)


def main(build):
    tap = Tap()
    program = tools.needed("helm", "the Helm chart")
    if not program:
        return tap.done()
    with tempfile.TemporaryDirectory() as folder:
        tools.manifests(build, folder=folder)
        helm = Helm(program, folder)
        test_same(tap, build, helm)
        test_choices(tap, helm)
        test_arguments(tap, build, helm)
        test_details(tap, build, helm)
        test_security(tap, helm)
        test_refused(tap, helm)
    return tap.done()


sys.exit(main(os.path.abspath(sys.argv[1])))
