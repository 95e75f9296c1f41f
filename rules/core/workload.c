/* Pods, and what makes pods of a template: as much of them as asks for devices and volumes. */
#include "rules/tables.h"

#define POD_VALIDATION SOURCE("k8s.io/kubernetes v1.37.1 pkg/apis/core/validation/validation.go ValidatePodSpec")

static const struct field core_pod_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &name_meta),
    FIELD("spec",       &pod_spec),
};
const struct shape core_pod = OBJECT(core_pod_fields, POD_VALIDATION);

static const struct field pod_template_fields[] = {
    FIELD("spec", &pod_spec),
};
static const struct shape pod_template = OBJECT(pod_template_fields);

static const struct field workload_spec_fields[] = {
    FIELD("template", &pod_template),
};
static const struct shape workload_spec = OBJECT(workload_spec_fields);

/* Deployment, DaemonSet, ReplicaSet, Job. */
static const struct field workload_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &name_meta),
    FIELD("spec",       &workload_spec),
};
const struct shape workload = OBJECT(workload_fields, POD_VALIDATION);

static const struct field stateful_set_spec_fields[] = {
    FIELD("template",             &pod_template),
    FIELD("volumeClaimTemplates", LIST(&volume_claim_template)),
};
static const struct shape stateful_set_spec = OBJECT(stateful_set_spec_fields);

static const struct field stateful_set_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &name_meta),
    FIELD("spec",       &stateful_set_spec),
};
const struct shape stateful_set = OBJECT(stateful_set_fields, POD_VALIDATION);

static const struct field job_template_fields[] = {
    FIELD("spec", &workload_spec),
};
static const struct shape job_template = OBJECT(job_template_fields);

static const struct field cron_job_spec_fields[] = {
    FIELD("jobTemplate", &job_template),
};
static const struct shape cron_job_spec = OBJECT(cron_job_spec_fields);

static const struct field cron_job_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &name_meta),
    FIELD("spec",       &cron_job_spec),
};
const struct shape cron_job = OBJECT(cron_job_fields, POD_VALIDATION);
