/* Tries subjects on nodes, as the scheduler tries pods; what one gets, others do not. */
#ifndef DRAWBRIDGE_ALLOCATE_TRIAL_H
#define DRAWBRIDGE_ALLOCATE_TRIAL_H

#include "allocate/plugin.h"
#include "allocate/report.h"

/* What is known of a node. */
struct allocate_answer {
    bool known;
    struct allocate_verdict verdict;
    struct allocate_reply reply;
    const char *panic;
    struct allocate_effort effort;
    uint64_t unavailable; /* claims of the pod that are not available on this node or one before it, a bit each */
};

struct allocate_trial {
    struct allocate_cluster *cluster;
    struct allocate_world *world;
    struct allocate_plugin plugin;
    struct allocate_templates templates;
    bool (*skips)(void *self, const struct allocate_node *node); /* whether the node is not to be tried; NULL: all are */
    void (*begins)(void *self, uint32_t node); /* called before each node is tried, by its number; NULL: nobody wants to know */
    void *self;
    struct allocate_answer *known; /* by node: those that are known are not tried; NULL: none is */
    struct allocate_answer *answers; /* where what is found out is noted, by node; NULL: it is not */
    bool tells;              /* the steps of the searches are wanted */
    bool several;            /* there are many subjects: nodes are tried up to the first that fits, or it is said of some why none does */
    struct arena arena;      /* of the report */
    struct arena kept;       /* of names */
    /* Of the report that is made: */
    struct allocate_reply *replies;
    struct allocate_report *report;
    bool explains;           /* it is said why nodes do not fit */
    uint64_t number;         /* of pods so far: none has the uid of another */
    struct allocate_steps steps; /* of a node */
};

/* Begins with a cluster and its world; now: as for allocate_plugin_init(). After a failure, too, allocate_trial_done() ends it. */
enum failure allocate_trial_init(struct allocate_trial *trial, struct allocate_cluster *cluster, struct allocate_world *world, int64_t now)
    MUST_USE;
void allocate_trial_done(struct allocate_trial *trial);

/* Tries a subject, or one of its copies (from 1; 0: there is one). If it fits somewhere, it is placed on the node that the scheduler finds
 * best of those that were tried. The report is valid until the next one. */
enum failure allocate_trial_run(struct allocate_trial *trial, const struct allocate_subject *subject, uint32_t copy,
                                struct allocate_report *report) MUST_USE;

#endif
