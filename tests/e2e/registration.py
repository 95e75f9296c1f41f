"""The registration that the tests put into the cluster."""

PEOPLE = {"storage.k8s.io": ["csidrivers", "storageclasses", "volumeattributesclasses"],
          "resource.k8s.io": ["deviceclasses", "resourceclaims", "resourceclaimtemplates", "devicetaintrules"]}
CONTROLLERS = {"storage.k8s.io": ["csinodes", "volumeattachments", "volumeattachments/status", "csistoragecapacities"],
               "resource.k8s.io": ["resourceslices", "resourceclaims/status", "devicetaintrules/status"]}
VERSIONS = {"storage.k8s.io": ["v1", "v1beta1"], "resource.k8s.io": ["v1", "v1beta2", "v1beta1", "v1alpha3"]}

# Cluster-scoped objects are out of reach of a namespaceSelector.
CONDITIONS = [
    {"name": "not-nodes", "expression": "!request.userInfo.groups.exists(g, g == 'system:nodes') || (has(request.namespace) && request.namespace != '')"},
    {"name": "not-control-plane", "expression": "!(request.userInfo.username in ['system:kube-scheduler', 'system:kube-controller-manager']) || (has(request.namespace) && request.namespace != '')"},
    {"name": "not-kube-system", "expression": "!request.userInfo.groups.exists(g, g == 'system:serviceaccounts:kube-system') || (has(request.namespace) && request.namespace != '')"},
]


def entry(name, resources, failure_policy):
    return {"name": name, "admissionReviewVersions": ["v1"], "sideEffects": "None", "timeoutSeconds": 5, "failurePolicy": failure_policy,
            "matchPolicy": "Equivalent", "matchConditions": CONDITIONS,
            "namespaceSelector": {"matchExpressions": [{"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["drawbridge-system", "kube-system"]}]},
            "rules": [{"apiGroups": [group], "apiVersions": VERSIONS[group], "operations": ["CREATE", "UPDATE"], "resources": names}
                      for group, names in resources.items()]}


def configuration(failure_policy="Ignore", controllers=False):
    entries = [entry("people.drawbridge.dev", PEOPLE, failure_policy)]
    if controllers:
        entries.append(entry("controllers.drawbridge.dev", CONTROLLERS, failure_policy))
    return {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration", "metadata": {"name": "drawbridge"}, "webhooks": entries}
