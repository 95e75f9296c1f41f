/* Pods as the scheduler reads them: which claims they have. */
#ifndef DRAWBRIDGE_ALLOCATE_POD_H
#define DRAWBRIDGE_ALLOCATE_POD_H

#include "allocate/limits.h"
#include "allocate/store.h"

/* A pod, or one that would be made of a workload's template. */
struct allocate_pod {
    struct bytes name, space;
    struct bytes uid;              /* no other pod has it: reservations go by it */
    const struct doc_node *spec;
    const struct doc_node *status; /* NULL: there is none yet */
    struct bytes claim, template;  /* of a pod that has but one claim, and no spec: its name, or that of its template; no data: none */
};

/* The pod of a manifest's or world's object. */
struct allocate_pod allocate_pod_of(const struct doc_node *root);

/* Who finds templates of claims. With one, a template stands for the claim that is generated from it; a scheduler waits for the claim. */
struct allocate_templates {
    struct value (*find)(void *self, struct bytes space, struct bytes name); /* not set: there is none */
    void *self;
};

struct allocate_pod_claims {
    struct allocate_stored *list[LIMIT_ALLOCATE_POD_CLAIMS]; /* in the order of spec.resourceClaims */
    uint32_t count;
    const char *fault; /* why the pod must wait, in the scheduler's words; NULL: it need not */
};

/* The claims that the pod has by name or template. Texts are in that arena. */
enum failure allocate_pod_claims(struct allocate_store *store, const struct allocate_pod *pod, const struct allocate_templates *templates,
                                 struct arena *arena, struct allocate_pod_claims *claims) MUST_USE;

/* Sets *end to the whole text. */
enum failure allocate_text_end(struct text *text, const char **end) MUST_USE;

/* Adds "namespace/name", as messages have it. */
void allocate_add_key(struct text *text, struct bytes space, struct bytes name);

#endif
