#!/usr/bin/env python3
"""The kustomize base and the overlays, as `kubectl kustomize` renders them.

    test_kustomize.py BUILD
"""
import base64, os, shutil, sys, tempfile

import tools
import kinds
from tools import Tap

KUSTOMIZE = os.path.join(tools.DEPLOY, "kustomize")


class Overlays:
    """A copy, so that certificates can be made in it."""

    def __init__(self, program, folder):
        self.program, self.folder = program, os.path.join(folder, "kustomize")
        shutil.copytree(KUSTOMIZE, self.folder, ignore=shutil.ignore_patterns("certs", "webhook.yaml"))

    def render(self, name):
        done = tools.run([self.program, "kustomize", os.path.join(self.folder, name)])
        if done.returncode:
            raise SystemExit(f"kustomize {name}: {done.stderr}")
        return tools.by_identity(tools.objects(done.stdout))


def test_base(tap, build, overlays):
    want = tools.by_identity(tools.manifests(build, "--without-certificates"))
    tap.equal(overlays.render("base"), want, "base: what the command prints")


def make_certificates(tap, build, folder):
    """As the head of the example's kustomization.yaml says."""
    program = os.path.join(build, "drawbridge")
    done = tools.run([program, "manifests", "--only", "secret,webhook"], cwd=folder)
    tap.ok(done.returncode == 0, "example: certificates are made", done.stderr)
    done = tools.run([program, "manifests", "--only", "webhook"], cwd=folder)
    with open(os.path.join(folder, "webhook.yaml"), "w", encoding="utf-8") as file:
        file.write(done.stdout)


def unfolded(item):
    """The data; kustomize breaks base64 into lines."""
    return {name: "".join(value.split()) if item["kind"] == "Secret" else value for name, value in item["data"].items()}


def test_example(tap, build, overlays):
    folder = os.path.join(overlays.folder, "example")
    make_certificates(tap, build, folder)
    got = overlays.render("example")
    want = tools.by_identity(tools.manifests(build, "--image", "registry.example.com/tools/drawbridge:0.1.0", "--replicas", "3",
                                             "--config", os.path.join(folder, "config.yaml"), folder=folder))
    tap.equal(sorted(got), sorted(want), "example: the objects that the command prints")
    for key in sorted(want):
        if key[0] in ("Secret", "ConfigMap"):  # generated, so without labels
            tap.equal((unfolded(got[key]), got[key].get("type")), (want[key]["data"], want[key].get("type")), f"example: {key[0]}")
        else:
            tap.equal(got[key], want[key], f"example: {key[0]}")


def test_cert_manager(tap, overlays):
    got = overlays.render("cert-manager")
    webhook = got["ValidatingWebhookConfiguration", "", "drawbridge"]
    certificate = got["Certificate", "drawbridge-system", "drawbridge"]
    mounted = got["Deployment", "drawbridge-system", "drawbridge"]["spec"]["template"]["spec"]["volumes"][0]["secret"]["secretName"]
    service = webhook["webhooks"][0]["clientConfig"]["service"]
    tap.equal(webhook["metadata"]["annotations"], {"cert-manager.io/inject-ca-from": "drawbridge-system/drawbridge"}, "cert-manager: the CA is injected")
    tap.ok(all("caBundle" not in entry["clientConfig"] for entry in webhook["webhooks"]), "cert-manager: no placeholder is left")
    tap.equal(certificate["spec"]["secretName"], mounted, "cert-manager: the Secret of the Certificate is mounted")
    tap.equal(certificate["spec"]["dnsNames"], [f"{service['name']}.{service['namespace']}.svc"], "cert-manager: the name that API servers call")
    for issuer in {item["spec"]["issuerRef"]["name"] for item in got.values() if item["kind"] == "Certificate"}:
        tap.ok(("Issuer", "drawbridge-system", issuer) in got, f"cert-manager: there is the issuer {issuer}")


def test_placeholder(tap, overlays):
    """An API server must refuse the base as it is: with no caBundle at all it would take it, and fail every call."""
    for entry in overlays.render("base")["ValidatingWebhookConfiguration", "", "drawbridge"]["webhooks"]:
        try:
            base64.b64decode(entry["clientConfig"]["caBundle"], validate=True)
            refused = False
        except ValueError:
            refused = True
        tap.ok(refused, f"base: the placeholder in {entry['name']} is no base64")


def test_scan(tap, build, overlays):
    """The account may list what is scanned, and write reports; options are those of the command."""
    got = overlays.render("scan")
    rules = got["ClusterRole", "", "drawbridge-scan"]["rules"]
    granted = {(verb, group, resource) for rule in rules for verb in rule["verbs"] for group in rule["apiGroups"] for resource in rule["resources"]}
    tap.equal(sorted((group, resource) for verb, group, resource in granted if verb == "list"), sorted({(row.group, row.resource) for row in kinds.rows() if row.current}),
              "scan: its account may list every kind with rules, and nothing else")
    tap.equal({(verb, group) for verb, group, _ in granted if verb != "list"}, {(verb, group) for verb in ("create", "get", "patch") for group in ("openreports.io", "wgpolicyk8s.io")},
              "scan: it may write reports, and nothing else")
    pod = got["CronJob", "drawbridge-scan", "drawbridge-scan"]["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    arguments = next(one for one in pod["initContainers"] if one["name"] == "scan")["args"]
    known = tools.run([os.path.join(build, "drawbridge"), arguments[0], "--help"]).stdout
    tap.ok(arguments[0] == "scan" and all(f"  {one.partition('=')[0]} " in known for one in arguments[1:]), "scan: options of the command", arguments)
    tap.equal({one["image"] for one in pod["initContainers"] + pod["containers"]}, {"registry.example.com/tools/drawbridge:0.1.0", "docker.io/alpine/k8s:1.35.4"}, "scan: both images are set")


def main(build):
    tap = Tap()
    program = tools.needed("kubectl", "kustomize")
    if not program:
        return tap.done()
    with tempfile.TemporaryDirectory() as folder:
        overlays = Overlays(program, folder)
        test_base(tap, build, overlays)
        test_example(tap, build, overlays)
        test_cert_manager(tap, overlays)
        test_placeholder(tap, overlays)
        test_scan(tap, build, overlays)
    return tap.done()


sys.exit(main(os.path.abspath(sys.argv[1])))
