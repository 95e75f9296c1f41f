/* What is to be allocated: a pod, the pods of a workload, or a claim by itself. */
#ifndef DRAWBRIDGE_ALLOCATE_SUBJECT_H
#define DRAWBRIDGE_ALLOCATE_SUBJECT_H

#include "allocate/cluster.h"
#include "allocate/pod.h"

struct allocate_subject {
    const struct allocate_object *object; /* a Pod, a workload, a ResourceClaim or a ResourceClaimTemplate */
    struct bytes space, name;
    const struct doc_node *pod;  /* the object with the pod's spec and status; NULL: it is a claim, or a template */
    uint32_t copies;             /* pods of a workload; else 1 */
};

struct allocate_subjects {
    struct allocate_subject *list;
    uint32_t count;
};

/* Pods that use claims or extended resources of classes and are bound to no node, and workloads that no API server has stored, as others
 * have pods; where there are none, claims that are not allocated, and templates. replicas: of each workload; 0: as many as it says.
 * Everything is in that arena. */
enum failure allocate_subjects_find(const struct allocate_cluster *cluster, struct arena *arena, uint32_t replicas,
                                    struct allocate_subjects *subjects) MUST_USE;

/* Whether the subject is meant by "name", "namespace/name", "kind/name" or "kind/namespace/name". */
bool allocate_subject_is_named(const struct allocate_subject *subject, struct bytes typed);

#endif
