"""A client of the API server: one call, one answer, with the warnings that came along."""
import http.client, json, os, re, ssl, sys, threading, time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import kinds

CALL_SECONDS = 60  # the API server ends a call after 60 s by itself
REST_SECONDS = 60  # and closes connections that rest for three minutes

# kind: (group, resource, is it in a namespace)
RESOURCES = {
    **{row.kind: (row.group, row.resource, row.namespaced) for row in kinds.served()},
    "ValidatingWebhookConfiguration": ("admissionregistration.k8s.io", "validatingwebhookconfigurations", False),
    "ConfigMap": ("", "configmaps", True),
    "Namespace": ("", "namespaces", False),
    "Service": ("", "services", True),
}


class Answer:
    def __init__(self, status, body, warnings):
        self.status, self.body, self.warnings = status, body, warnings

    good = property(lambda self: 200 <= self.status < 300)
    message = property(lambda self: self.body.get("message", ""))

    def causes(self):
        """The (field, reason) of each cause, as a set."""
        return {(cause.get("field", ""), cause.get("reason", "")) for cause in (self.body.get("details") or {}).get("causes") or []}

    def __str__(self):
        return f"{self.status} {str(self.message or self.body)[:1000]} warnings {self.warnings[:10]}"


def path(obj, name=True, sub="", dry_run=False):
    """Where an object lives; without `name`, where it is created."""
    group, resource, namespaced = RESOURCES[obj["kind"]]
    metadata = obj["metadata"]
    parts = ["/apis" if group else "/api", obj["apiVersion"]]
    if namespaced:
        parts += ["namespaces", metadata.get("namespace", "default")]
    parts += [resource] + ([metadata["name"]] if name else []) + ([sub] if sub else [])
    return "/".join(parts) + ("?dryRun=All" if dry_run else "")


class Client:
    """Any number of threads; each has a connection of its own, kept open."""

    def __init__(self, port, ca):
        self.port, self.ca = port, ca
        self.local = threading.local()

    def connection(self):
        """This thread's, or a new one where the API server may have closed it for want of use."""
        now = time.monotonic()
        if now - getattr(self.local, "used", -REST_SECONDS) >= REST_SECONDS:
            context = ssl.create_default_context(cafile=self.ca)
            self.local.connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=CALL_SECONDS, context=context)
        self.local.used = now
        return self.local.connection

    def call(self, method, url, body=None, user="admin", content_type="application/json"):
        # As Go writes it: opaque parameters are stored as they come, and one that a patch spells otherwise counts as changed.
        text = None if body is None else json.dumps(body, separators=(",", ":"), sort_keys=True)
        connection = self.connection()
        try:
            connection.request(method, url, text, {"Authorization": "Bearer " + user, "Content-Type": content_type})
            response = connection.getresponse()
            data = response.read()
        except BaseException:
            connection.close()
            raise
        try:
            parsed = json.loads(data)
        except ValueError:
            parsed = {"message": data.decode("utf-8", "replace")}
        return Answer(response.status, parsed, warnings(response.msg.get_all("Warning") or []))

    def create(self, obj, dry_run=False, user="admin"):
        return self.call("POST", path(obj, name=False, dry_run=dry_run), obj, user)

    def get(self, obj):
        return self.call("GET", path(obj))

    def update(self, obj, sub="", dry_run=False, user="admin"):
        return self.call("PUT", path(obj, sub=sub, dry_run=dry_run), obj, user)

    def patch(self, obj, change, sub="", user="admin"):
        """A merge patch."""
        return self.call("PATCH", path(obj, sub=sub), change, user, "application/merge-patch+json")

    def delete(self, obj, user="admin"):
        return self.call("DELETE", path(obj), None, user)

    def remove(self, obj):
        """Deletes it, and does what the controller of its finalizers would do, which does not run here. The last answer."""
        answer = self.delete(obj)
        if answer.good and answer.body["metadata"].get("finalizers"):  # it is still there
            return self.patch(obj, {"metadata": {"finalizers": None}}, user="controllers")
        return answer

    def apply(self, obj):
        """Creates it, or puts it in the place of the stored one."""
        answer = self.create(obj)
        if answer.status != 409:
            return answer
        version = self.get(obj).body["metadata"]["resourceVersion"]
        return self.update(dict(obj, metadata=dict(obj["metadata"], resourceVersion=version)))


def warnings(headers):
    """The texts in Warning headers."""
    texts = []
    for header in headers:
        texts += [re.sub(r"\\(.)", r"\1", text) for text in re.findall(r'299 - "((?:[^"\\]|\\.)*)"', header)]
    return texts
