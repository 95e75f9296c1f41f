/* The scheduler's DynamicResources plugin: what it decides about a pod on each node, what users read of it, and what it writes into claims.
 * Source: k8s.io/kubernetes v1.35.4 and v1.36.3 pkg/scheduler/framework/plugins/dynamicresources. */
#ifndef DRAWBRIDGE_ALLOCATE_PLUGIN_H
#define DRAWBRIDGE_ALLOCATE_PLUGIN_H

#include "allocate/attempt.h"
#include "allocate/extended.h"

struct allocate_cycle;

enum allocate_code {
    ALLOCATE_SUCCESS,
    ALLOCATE_ERROR,         /* the scheduling cycle ends */
    ALLOCATE_UNSCHEDULABLE,
    ALLOCATE_UNRESOLVABLE,  /* unschedulable, and no pod that would be removed changes it */
    ALLOCATE_SKIP,          /* the plugin has nothing to do */
};

/* "Success", "UnschedulableAndUnresolvable" and so on, as in k8s.io/kube-scheduler/framework. */
const char *allocate_code_name(enum allocate_code code);

struct allocate_status {
    enum allocate_code code;
    const char *reason; /* NULL: there is none */
};

/* Of a node. */
struct allocate_verdict {
    const struct allocate_node *node;
    struct allocate_status status;
    int64_t score;           /* where several nodes are good; of the best one 100, or all have 0 */
    const char *score_fault; /* NULL: there is a score */
};

/* What was decided about a pod. Everything is valid until the next pod. */
struct allocate_decision {
    struct allocate_status pre_enqueue, pre_filter;
    struct bytes missing_class;      /* the pod waits for this class; no data: it does not */
    struct allocate_verdict *verdicts; /* in the order of the world's nodes, up to an error */
    uint32_t verdict_count;
    uint32_t good;                   /* how many of them are successes */
    const char *score_fault;
    struct allocate_status post_filter; /* ALLOCATE_SUCCESS: it did not run */
    const char *message;             /* what the scheduler's event says, without the words of other plugins; NULL: nothing */
    const char *panic;               /* the scheduler panics: Go's text */
    const struct allocate_node *node; /* the best one, the first by name of several; NULL: none */
    struct allocate_status pre_bind;
    bool wrote;                      /* claims may have changed */
    const struct allocate_extras *extras; /* status.extendedResourceClaimStatus of the pod; NULL: none */
    struct bytes extras_claim;       /* the name of that claim */
};

/* Who looks at nodes while they are tried. */
struct allocate_visitor {
    /* Called before each node; true: what is decided about it is known, and set. */
    bool (*knows)(void *self, struct allocate_cycle *cycle, const struct allocate_node *node, struct allocate_verdict *verdict);
    bool (*skips)(void *self, const struct allocate_node *node); /* whether the node is left out; NULL: none is */
    /* Called after each node, while the attempt has what was found on it, if it was tried; it may use the attempt. *stops: no further nodes
     * are tried. */
    enum failure (*look)(void *self, struct allocate_cycle *cycle, struct allocate_node *node, const struct allocate_verdict *verdict,
                         bool *stops);
    void *self;
};

struct allocate_plugin {
    struct allocate_world *world;
    struct allocate_store store;     /* the claims; those of the world are added before the first pod */
    struct allocate_extended extended;
    struct allocate_attempt attempt;
    const struct allocate_templates *templates; /* NULL: pods wait for claims, as in a cluster */
    bool defaults;                   /* objects are not stored: what is left out is as API servers set it */
    struct allocate_visitor visitor;
    int64_t now;                     /* seconds since 1970 */
    struct arena arena;              /* of one pod */
};

/* Begins with a world. now: seconds since 1970, as bindings time out; 0: they do not. What the world holds is what the claims of
 * plugin->store have. allocate_plugin_done() ends it, after a failure, too. */
enum failure allocate_plugin_init(struct allocate_plugin *plugin, struct allocate_world *world, int64_t now) MUST_USE;
void allocate_plugin_done(struct allocate_plugin *plugin);

/* Schedules the pod, as if no other plugin had a say: the claims are allocated and reserved for it on the best node, so that the next pod
 * sees them. */
enum failure allocate_plugin_run(struct allocate_plugin *plugin, const struct allocate_pod *pod, struct allocate_decision *decision)
    MUST_USE;

/* ---- the parts ---- */

/* A pod's way through the plugin. */
struct allocate_cycle {
    struct allocate_plugin *plugin;
    const struct allocate_pod *pod;
    struct allocate_decision *decision;
    struct allocate_stored *claims[LIMIT_ALLOCATE_CLAIMS]; /* those of the pod, and the special one for extended resources */
    bool unavailable[LIMIT_ALLOCATE_CLAIMS];               /* on some node */
    uint32_t count, user_count;
    struct allocate_stored special;                      /* before it is made: see is_special */
    struct allocate_needs needs;
    bool has_needs;
    uint32_t to_allocate;
    /* What is known of the node. */
    bool tried;                                          /* there was an attempt, … */
    enum allocate_outcome outcome;                       /* … which ended so */
    const struct allocate_stored *missing;               /* a claim that is allocated, and cannot be used on it; NULL: none */
    bool skipped;                                        /* there is nothing to allocate on it */
    bool some;                                           /* devices serve an extended resource */
    struct arena reading;                                /* of the claims to allocate, as they are for the node */
    struct allocate_claims asked;
    bool is_read;
    bool served[LIMIT_ALLOCATE_RESOURCES];               /* which resources of the needs they were read for */
};

static inline bool allocate_has_special(const struct allocate_cycle *cycle)
{
    return cycle->count > cycle->user_count;
}

/* Whether it is that claim, which a pod may name, too. */
static inline bool allocate_is_special(const struct allocate_cycle *cycle, const struct allocate_stored *claim)
{
    return allocate_has_special(cycle) && claim == cycle->claims[cycle->user_count];
}

/* Whether it is that claim, and not made yet. */
static inline bool allocate_is_unmade(const struct allocate_cycle *cycle, const struct allocate_stored *claim)
{
    return claim == &cycle->special;
}

/* plugin_filter.c: whether the pod can be on the node. What is allocated there is in plugin->attempt until the next node. */
enum failure allocate_filter(struct allocate_cycle *cycle, struct allocate_node *node, struct allocate_verdict *verdict) MUST_USE;

/* plugin_score.c: how good the last attempt's choices are; *fault: why it is not known. */
enum failure allocate_score(struct allocate_cycle *cycle, int64_t *score, const char **fault) MUST_USE;

/* plugin_bind.c: writes what the attempt on the best node gave into the claims. */
enum failure allocate_bind(struct allocate_cycle *cycle, struct allocate_node *node) MUST_USE;

/* plugin_ready.c: whether the devices of an allocated claim can be used: see bindingConditions. */
struct allocate_readiness {
    bool ready;
    bool late;         /* it is not, and takes too long */
    const char *fault; /* binding has failed, and why; NULL: it has not */
};

enum failure allocate_is_ready(struct allocate_cycle *cycle, const struct allocate_stored *claim, struct allocate_readiness *readiness)
    MUST_USE;

/* Whether some of them have to be made ready. */
bool allocate_has_conditions(const struct allocate_stored *claim);

#endif
