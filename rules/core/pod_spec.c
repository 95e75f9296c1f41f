/* PodSpec, also in the templates of workloads: which devices and volumes it asks for. Its other fields are not checked. */
#include "rules/tables.h"

#define POD_DOCUMENTED SOURCE("k8s.io/api v0.37.1 core/v1/types.go")

/* Entries of resourceClaims, in a pod and in the templates of pods. */
static const struct reference pod_claims = {
    NAMES("spec.resourceClaims", "spec.template.spec.resourceClaims", "spec.jobTemplate.spec.template.spec.resourceClaims"), "name",
    NULL, NULL,
};

static const struct field container_claim_fields[] = {
    FIELD("name",    STRING,
          CHECKS(REQUIRED(STOP), REFERENCE(&pod_claims, REASON(NOT_FOUND),
                     DETAIL("the pod's resourceClaims have no such name")))),
    FIELD("request", STRING, UNSET_MEANS("all devices of the claim"),
          CHECKS(SKIP(IF(NOT_SET("request"))), FORMAT(DNS_LABEL, STOP),
                 CALL(REFERENCE, cross_claim_request, NEEDS_SET, SHOULD, POD_DOCUMENTED,
                     DETAIL("should be a request of the claim, where it or its template is given")))),
};
static const struct shape container_claim = OBJECT(container_claim_fields);

/* The resource of a class without a name for it is this and the class. */
#define OF_CLASS        "deviceclass.resource.kubernetes.io/"
#define CLASS_RESOURCES MAP(RAW), CHECKS(KEYS(NAMES_OBJECT("resource.k8s.io", "DeviceClass", AFTER(OF_CLASS), RESOURCE_DOCUMENTED)))

static const struct field resources_fields[] = {
    FIELD("limits",   CLASS_RESOURCES),
    FIELD("requests", CLASS_RESOURCES),
    FIELD("claims",   LIST(&container_claim),
          CHECKS(CALL(UNIQUE, cross_container_claims,
                     DETAIL("a container names a claim once, or each request of it once")))),
};
static const struct shape resources = OBJECT(resources_fields);

static const struct field container_fields[] = {
    FIELD("resources", &resources),
};
static const struct shape container = OBJECT(container_fields);

#define INLINED DETAIL("was removed in Kubernetes 1.31: write its resourceClaimName or resourceClaimTemplateName beside name")
#define CLAIM_SOURCES NAMES("resourceClaimName", "resourceClaimTemplateName")

static const struct field pod_claim_fields[] = {
    FIELD("name",                      STRING, CHECKS(REQUIRED(STOP), FORMAT(DNS_LABEL))),
    FIELD("source",                    RAW, POINTER, CHECKS(FORBIDDEN(INLINED))),
    FIELD("resourceClaimName",         STRING, POINTER,
          CHECKS(FORMAT(DNS_SUBDOMAIN), NAMES_OBJECT("resource.k8s.io", "ResourceClaim", POD_DOCUMENTED))),
    FIELD("resourceClaimTemplateName", STRING, POINTER,
          CHECKS(FORMAT(DNS_SUBDOMAIN), NAMES_OBJECT("resource.k8s.io", "ResourceClaimTemplate", POD_DOCUMENTED))),
};
static const struct shape pod_claim = OBJECT(pod_claim_fields,
    CHECKS(ONE_OF(CLAIM_SOURCES, NONE(INVALID), MANY(INVALID), IF(NOT_SET("source")))));

static const struct field claim_volume_fields[] = {
    FIELD("claimName", STRING, CHECKS(NAMES_OBJECT("", "PersistentVolumeClaim", TYPOS_ONLY, POD_DOCUMENTED))),
};
static const struct shape claim_volume = OBJECT(claim_volume_fields);

static const struct field csi_volume_fields[] = {
    FIELD("driver", STRING,
          CHECKS(NAMES_OBJECT("storage.k8s.io", "CSIDriver", TYPOS_ONLY, POD_DOCUMENTED),
                 CALL(ATTACHABLE, cross_driver_is_ephemeral, NEEDS_SET, SHOULD, STORAGE_DOCUMENTED,
                     DETAIL("is a driver without Ephemeral among its volumeLifecycleModes: kubelets refuse the volume")))),
};
static const struct shape csi_volume = OBJECT(csi_volume_fields);

static const struct field ephemeral_fields[] = {
    FIELD("volumeClaimTemplate", &volume_claim_template, POINTER),
};
static const struct shape ephemeral = OBJECT(ephemeral_fields);

static const struct field volume_fields[] = {
    FIELD("persistentVolumeClaim", &claim_volume, POINTER),
    FIELD("ephemeral",             &ephemeral, POINTER),
    FIELD("csi",                   &csi_volume, POINTER),
};
static const struct shape volume = OBJECT(volume_fields);

static const struct field pod_spec_fields[] = {
    FIELD("volumes",        LIST(&volume)),
    FIELD("initContainers", LIST(&container)),
    FIELD("containers",     LIST(&container)),
    FIELD("resourceClaims", LIST(&pod_claim),
          CHECKS(UNIQUE("name"),
                 CALL(NO_EFFECT, cross_pod_claims_used, INFO, POD_DOCUMENTED,
                     DETAIL("is given to no container, while others of the pod's claims are")))),
};
const struct shape pod_spec = OBJECT(pod_spec_fields,
    SOURCE("k8s.io/kubernetes v1.37.1 pkg/apis/core/validation/validation.go ValidatePodSpec"));
