#!/usr/bin/env python3
"""A real API server takes every object of all three ways, by server-side dry run, and has nothing to say about the pods' security.

    test_accepted.py BUILD           starts etcd and kube-apiserver, as `make e2e` has built them
    test_accepted.py BUILD inside    with KUBECONFIG set
"""
import os, shutil, sys, tempfile

import yaml

import tools
from tools import Tap

CLUSTER = os.path.join(tools.ROOT, "tests", "e2e", "cluster.py")
CHART = os.path.join(tools.DEPLOY, "helm", "drawbridge")
FOREIGN = ("cert-manager.io", "monitoring.coreos.com")  # kinds of CustomResourceDefinitions, which are not there
FILES = "--set-file=certificates.certificate=certs/tls.crt,certificates.key=certs/tls.key,certificates.caBundle=certs/ca.crt"
OWN_CA = ["--set=certificates.source=ownCA", "--set-file=certificates.certificate=certs/ca.crt,certificates.key=certs/ca.key"]


def render_chart(folder, *values):
    command = [tools.find("helm"), "template", "drawbridge", CHART, "--kube-version=1.35.0", "--namespace=drawbridge-system", "--set=namespace.create=true", *values]
    done = tools.run(command, cwd=folder)
    return tools.objects(done.stdout)


def render_overlay(build, folder, name):
    copy = os.path.join(folder, "kustomize")
    if not os.path.exists(copy):
        shutil.copytree(os.path.join(tools.DEPLOY, "kustomize"), copy, ignore=shutil.ignore_patterns("certs", "webhook.yaml"))
        example = os.path.join(copy, "example")
        tools.manifests(build, "--only", "secret,webhook", folder=example)
        with open(os.path.join(example, "webhook.yaml"), "w", encoding="utf-8") as file:
            yaml.safe_dump_all(tools.manifests(build, "--only", "webhook", folder=example), file)
    return tools.objects(tools.run(["kubectl", "kustomize", os.path.join(copy, name)]).stdout)


def renderings(build, folder):
    """(what, objects)"""
    for options in [], ["--controllers", "--failure-policy", "Fail", "--kubernetes-version", "1.35"], ["--own-ca"], ["--url", "https://127.0.0.1:8443/validate", "--only", "webhook"]:
        where = tempfile.mkdtemp(dir=folder) if "--url" in options else folder
        yield "manifests " + " ".join(options), tools.manifests(build, *options, folder=where)
    yield "kustomize example", render_overlay(build, folder, "example")
    yield "kustomize cert-manager", render_overlay(build, folder, "cert-manager")
    if not tools.find("helm"):
        tools.missing("helm", "whether an API server takes the chart")
        return
    yield "chart", render_chart(folder, FILES)
    yield "chart, more of it", render_chart(folder, FILES, "--set=webhook.controllers=true,webhook.failurePolicy=Fail,autoscaling.enabled=true,dashboard.enabled=true,"
                                            "clientCertificates.configMap=callers,logFormat=json,podDisruptionBudget.maxUnavailable=50%")
    yield "chart, own CA", render_chart(folder, *OWN_CA)


def apply(items, *options):
    """As kubectl, with unknown fields refused."""
    return tools.run(["kubectl", "apply", "--server-side", "--force-conflicts", "--validate=strict", *options, "-f", "-"], input=yaml.safe_dump_all(items))


def inside(tap, build, folder):
    [namespace] = tools.manifests(build, "--only", "namespace")
    done = apply([namespace])
    tap.ok(done.returncode == 0, "the namespace", done.stderr)
    for what, items in renderings(build, folder):
        items = [item for item in items if not item["apiVersion"].startswith(FOREIGN)]
        done = apply(items, "--dry-run=server")
        said = [line for line in done.stderr.splitlines() if line]
        tap.ok(len(items) > 0 and done.returncode == 0 and not said, f"{what}: {len(items)} objects are taken, without a warning", done.stdout + done.stderr)
        tap.equal(len(done.stdout.splitlines()), len(items), f"{what}: each of them is answered")


def webhooks():
    """Names of the entries that are registered."""
    return tools.run(["kubectl", "get", "validatingwebhookconfigurations", "-o", "jsonpath={.items[*].webhooks[*].name}"]).stdout.split()


def any_version(folder):
    """A copy of the chart for an API server that, built without its version, says that it is v0.0.0."""
    copy = os.path.join(folder, "chart")
    shutil.copytree(CHART, copy)
    with open(os.path.join(copy, "Chart.yaml"), "r+", encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("kubeVersion")]
        file.seek(0)
        file.truncate()
        file.writelines(lines)
    return copy


def release(tap, build, folder):
    """The chart's life: installed, upgraded, taken out. No pod runs here, so nothing is waited for."""
    helm = tools.find("helm")
    if not helm:
        return
    tools.manifests(build, "--namespace", "web", "--only", "secret,webhook", folder=folder)
    chart = ["drawbridge", any_version(folder), "--namespace=web", FILES]
    done = tools.run([helm, "install", *chart, "--create-namespace"], cwd=folder)
    tap.ok(done.returncode == 0 and "kubectl delete validatingwebhookconfiguration drawbridge" in done.stdout, "helm install, which says the way out", done.stdout + done.stderr)
    tap.equal(webhooks(), ["people.drawbridge.dev"], "the first entry is registered")
    done = tools.run([helm, "upgrade", *chart, "--set=webhook.controllers=true,replicas=3"], cwd=folder)
    tap.ok(done.returncode == 0, "helm upgrade", done.stdout + done.stderr)
    tap.equal(webhooks(), ["people.drawbridge.dev", "controllers.drawbridge.dev"], "both are")
    done = tools.run([helm, "uninstall", "drawbridge", "--namespace=web"], cwd=folder)
    left = tools.run(["kubectl", "get", "deployments,services,secrets,configmaps,networkpolicies,poddisruptionbudgets", "--namespace=web", "--output=name",
                      "--selector=app.kubernetes.io/name=drawbridge"]).stdout
    tap.equal((done.returncode, webhooks(), left), (0, [], ""), "helm uninstall leaves nothing")


def refusals(tap, build):
    """What must not be taken: the placeholder; and pods that break the rules are told so, or the test above proves nothing."""
    done = apply(tools.manifests(build, "--only", "webhook", "--without-certificates"), "--dry-run=server")
    tap.ok(done.returncode != 0 and "base64" in done.stderr, "the placeholder for the caBundle is refused", done.stdout + done.stderr)
    [deployment] = tools.manifests(build, "--only", "deployment")
    deployment["spec"]["template"]["spec"]["securityContext"]["runAsNonRoot"] = False
    done = apply([deployment], "--dry-run=server")
    tap.ok("PodSecurity" in done.stderr, "a pod that may be root is warned of", done.stdout + done.stderr)


def main(build, where):
    if where == "inside":
        tap = Tap()
        with tempfile.TemporaryDirectory() as folder:
            inside(tap, build, folder)
            with tempfile.TemporaryDirectory() as other:
                release(tap, build, other)
            refusals(tap, build)
        return tap.done()
    for name in "kube-apiserver", "kubectl", "etcd":
        if not (tools.find(name) if name == "etcd" else os.access(os.path.join(tools.E2E_PROGRAMS, name), os.X_OK)):
            tools.missing(name + " (`make e2e` builds it)", "whether an API server takes every object")
            return Tap().done()
    return tools.run_through([sys.executable, CLUSTER, build, sys.executable, os.path.abspath(__file__), build, "inside"])


sys.exit(main(os.path.abspath(sys.argv[1]), "".join(sys.argv[2:])))
