/* Tries what waits for devices, all of it or what has certain names, one after the other: what the command and the library share. */
#ifndef DRAWBRIDGE_ALLOCATE_RUN_H
#define DRAWBRIDGE_ALLOCATE_RUN_H

#include "allocate/trial.h"

struct allocate_name_list {
    const char *const *list; /* each ends with a NUL */
    uint32_t count;
};

/* Who can do things at the same time: `spread` calls `work` for each number below `count`, in any order and thread, and returns when all
 * are done. */
struct allocate_spreader {
    unsigned count;                   /* of things at the same time; 0: they are done one after the other */
    void (*spread)(void *self, unsigned count, void (*work)(void *of, unsigned number), void *of);
    void *self;
};

/* What is to be tried. Everything that it points to outlives the run. */
struct allocate_order {
    minor version;                    /* of the scheduler, ALLOCATE_OLDEST to ALLOCATE_NEWEST */
    const struct gate_settings *gates; /* of the scheduler */
    struct allocate_name_list nodes;  /* only on these; none: on all */
    struct allocate_name_list pods;   /* only these subjects, as allocate_subject_is_named() has it; none: all */
    struct allocate_name_list gone;   /* pods that count as gone */
    uint32_t replicas;                /* of each workload, or claim; 0: as many as it says */
    bool tells;                       /* the steps of the searches */
    struct allocate_spreader spreader; /* of nodes whose search takes long, if there is one pod or claim */
    int64_t now;                      /* as for allocate_plugin_init() */
};

/* What keeps a run from being one. */
enum allocate_lack {
    LACKS_NOTHING,
    LACKS_GONE,    /* no pod that is to be gone has the name run->missing */
    LACKS_SUBJECT, /* nothing waits for devices */
    LACKS_NODES,   /* neither a Node nor a slice is given */
    LACKS_POD,     /* nothing that waits for devices has the name run->missing */
    LACKS_NODE     /* no node has it */
};

struct allocate_run {
    struct allocate_order order;
    const struct context *context;
    const struct source *sources;
    struct allocate_cluster cluster;
    struct allocate_world world;
    struct allocate_trial trial;
    struct allocate_subjects subjects; /* those that are wanted; all, if one lacks */
    struct arena arena;                /* of lists */
    bool *chosen;                      /* by node of the world; NULL: all are */
    bool has_world;
    enum allocate_lack lack;
    const char *missing;
    uint64_t copies;                   /* pods and claims to try */
    uint32_t fitting;                  /* of them, so far */
    struct allocate_share *shares;     /* of the nodes, with runs of their own; NULL: there is none */
    unsigned share_count;
    uint32_t tried;                    /* nodes, so far */
};

/* Begins with the objects of sources that are bound in that version, and outlive the run. Nothing can be tried if something lacks then:
 * look at run->lack. After a failure, too, allocate_run_done() ends it. */
enum failure allocate_run_init(struct allocate_run *run, const struct context *context, const struct source *sources,
                               const struct allocate_order *order) MUST_USE;
void allocate_run_done(struct allocate_run *run);

/* What lacks, in words, without the name. */
const char *allocate_lack_text(enum allocate_lack lack);

/* Given each report, which is valid until it returns. */
typedef enum failure allocate_visit(void *self, const struct allocate_report *report, bool fits);

/* Tries all, and of a workload as many pods as fit and one more. */
enum failure allocate_run_all(struct allocate_run *run, allocate_visit *visit, void *self) MUST_USE;

#endif
