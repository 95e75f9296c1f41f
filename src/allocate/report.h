/* What becomes of a subject on each node, for those who print it. */
#ifndef DRAWBRIDGE_ALLOCATE_REPORT_H
#define DRAWBRIDGE_ALLOCATE_REPORT_H

#include "allocate/doubt.h"
#include "allocate/steps_words.h"
#include "allocate/subject.h"
#include "allocate/why.h"
#include "doc/json.h"

/* What a node says to a subject. */
struct allocate_reply {
    const struct allocate_node *node;
    bool fits;
    const char *allocations; /* if it fits: a list in JSON of the claims that get devices there: claim, namespace, allocation; … */
    const char *devices;     /* … and "gpu = gpu.acme.dev/node-1/gpu-0, …" */
    struct allocate_why why; /* if it does not; its claim, ask and devices are gone, but … */
    struct bytes claim, request, subrequest; /* … these names of it; no data: there is none */
    uint64_t steps;
    struct allocate_doubts doubts;
    struct allocate_story story; /* the steps in words, if they are wanted */
};

struct allocate_report {
    const struct allocate_subject *subject;
    uint32_t copy;                  /* which pod of a workload, from 1; 0: there is one */
    const struct allocate_reply *replies; /* of the nodes that were tried */
    uint32_t count;
    uint32_t fitting;               /* nodes on which it fits */
    uint32_t node_count;            /* of all nodes */
    bool one_is_enough;             /* nodes were tried up to the first that fits */
    const char *problem;            /* why no node was tried, in the scheduler's words, and which class may be meant; NULL: they were */
    const char *message;            /* what the scheduler's event says; NULL: nothing */
    struct arena *arena;            /* of everything here, until the next report */
};

/* Adds the report as an object in JSON. */
void allocate_report_add_json(struct text *json, const struct allocate_report *report);

/* Reads the allocations of a reply that fits back into a tree: a list of objects with claim, namespace, allocation, in the arena. */
enum failure allocate_reply_read(const struct allocate_reply *reply, struct arena *arena, struct map_key key, struct document *document)
    MUST_USE;

/* Adds "Pod ml/train-0", "Deployment ml/serve, pod 2". */
void allocate_report_add_subject(struct text *text, const struct allocate_report *report);

/* Adds "gpu", "gpu/large" for a subrequest; with the claim "claim.gpu". */
void allocate_ask_add(struct text *text, const struct allocate_claim *claim, const struct allocate_ask *ask, bool with_claim);

/* Adds "driver/pool/name" for people. */
void allocate_device_add_words(struct text *text, const struct allocate_device *device);

/* The devices that an attempt has found, in words. NULL: the arena failed. */
const char *allocate_devices_words(const struct allocate_attempt *attempt, struct arena *arena);

/* The kind of "no" that counts for all nodes together: that of the nodes which have devices that match, if there are such; of those, the
 * commonest. For a report without a node on which it fits. */
enum allocate_no allocate_report_kind(const struct allocate_report *report);

#endif
