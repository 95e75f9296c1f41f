"""The registration that the tests put into the cluster."""

PEOPLE = {"storage.k8s.io": ["csidrivers", "storageclasses", "volumeattributesclasses"],
          "resource.k8s.io": ["deviceclasses", "resourceclaims", "resourceclaimtemplates", "devicetaintrules"]}
CONTROLLERS = {"storage.k8s.io": ["csinodes", "volumeattachments", "volumeattachments/status", "csistoragecapacities"],
               "resource.k8s.io": ["resourceslices", "resourceclaims/status", "devicetaintrules/status"]}
VERSIONS = {"storage.k8s.io": ["v1", "v1beta1"], "resource.k8s.io": ["v1", "v1beta2", "v1beta1", "v1alpha3"]}

# Cluster-scoped objects are out of reach of a namespaceSelector.
CONDITIONS = [
    {"name": "not-by-the-system", "expression": """has(request.namespace) ||
!(has(request.userInfo.username) && (request.userInfo.username.startsWith('system:node:') ||
    request.userInfo.username in ['system:kube-scheduler', 'system:kube-controller-manager'])) &&
!(has(request.userInfo.groups) && request.userInfo.groups.exists(group,
    group in ['system:nodes', 'system:serviceaccounts:kube-system']))
"""},
    {"name": "not-only-finalizers", "expression": """
request.operation != 'UPDATE' || !has(object.metadata) || !has(oldObject.metadata) ||
(has(object.metadata.finalizers) ? object.metadata.finalizers : []) ==
    (has(oldObject.metadata.finalizers) ? oldObject.metadata.finalizers : []) ||
object.exists(key, key != 'metadata' && (!(key in oldObject) || object[key] != oldObject[key])) ||
oldObject.exists(key, !(key in object)) ||
object.metadata.exists(key, !(key in ['finalizers', 'generation', 'managedFields', 'resourceVersion']) &&
    (!(key in oldObject.metadata) || object.metadata[key] != oldObject.metadata[key])) ||
oldObject.metadata.exists(key, !(key in ['finalizers', 'generation', 'managedFields', 'resourceVersion']) &&
    !(key in object.metadata))
"""}]


def entry(name, resources, failure_policy):
    return {"name": name, "admissionReviewVersions": ["v1"], "sideEffects": "None", "timeoutSeconds": 5, "failurePolicy": failure_policy,
            "matchPolicy": "Equivalent", "matchConditions": CONDITIONS if name.startswith("people") else CONDITIONS[1:],
            "namespaceSelector": {"matchExpressions": [{"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["drawbridge-system", "kube-system"]}]},
            "rules": [{"apiGroups": [group], "apiVersions": VERSIONS[group], "operations": ["CREATE", "UPDATE"], "resources": names}
                      for group, names in resources.items()]}


def configuration(failure_policy="Ignore", controllers=False):
    entries = [entry("people.drawbridge.dev", PEOPLE, failure_policy)]
    if controllers:
        entries.append(entry("controllers.drawbridge.dev", CONTROLLERS, failure_policy))
    return {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration", "metadata": {"name": "drawbridge"}, "webhooks": entries}
