/* Why claims do not fit on a node: for each request, what keeps each device from it; or what keeps devices from being together. Kubernetes
 * has no words for it. */
#ifndef DRAWBRIDGE_ALLOCATE_WHY_H
#define DRAWBRIDGE_ALLOCATE_WHY_H

#include "allocate/attempt.h"

/* What keeps a device from a request; the first of these counts. */
enum allocate_obstacle {
    OBSTACLE_NONE,
    OBSTACLE_CLASS,      /* a selector of the class is false */
    OBSTACLE_SELECTOR,   /* one of the request is */
    OBSTACLE_ERROR,      /* one fails */
    OBSTACLE_NODE,       /* the device is for other nodes */
    OBSTACLE_GATE,       /* a feature gate of the scheduler is off */
    OBSTACLE_OLD,        /* the pool has a newer generation elsewhere */
    OBSTACLE_INCOMPLETE, /* slices of the pool are missing */
    OBSTACLE_INVALID,    /* the pool contradicts itself */
    OBSTACLE_HELD,       /* allocated to another claim */
    OBSTACLE_CAPACITY,   /* it has not what is asked for, */
    OBSTACLE_SHARED,     /* or shares of it are allocated and too little is left */
    OBSTACLE_TAINT,
    OBSTACLE_COUNTERS,   /* what it consumes of shared counters is not left */
    OBSTACLES
};

/* The kinds of "no", each with something else to do. */
enum allocate_no {
    NO_MATCH,    /* nothing anywhere matches: edit the claim */
    NO_NODE,     /* what matches is on other nodes */
    NO_HERE,     /* a claim is allocated already, for other nodes */
    NO_FREE,     /* what matches is in use */
    NO_POOL,     /* what matches is in a pool that cannot be used */
    NO_ROOM,     /* what matches has too little capacity or counters left, or is tainted */
    NO_TOGETHER, /* each request fits by itself, but not all of them */
    NO_ERROR,    /* the claim cannot be allocated anywhere, or the scheduler fails: attempt->error */
    NO_KINDS
};

/* The devices that a node sees, by what keeps them from a request. */
struct allocate_funnel {
    const struct allocate_claim *claim;
    const struct allocate_ask *ask;
    uint32_t counts[OBSTACLES];
    const struct allocate_device *first[OBSTACLES]; /* of each count */
    uint32_t selector;   /* of first[OBSTACLE_SELECTOR]: which selector of the request is false */
    struct allocate_selector *failing; /* of first[OBSTACLE_ERROR] */
    uint32_t elsewhere;  /* devices for other nodes that the selectors take */
    struct bytes where;  /* a node that has such; no data: none by name */
    int64_t needs;       /* devices; of allocationMode All: all that match, and 1 at least */
};

struct allocate_why {
    enum allocate_no kind;
    const struct allocate_claim *claim; /* of which claim and request; NULL: of all of them together */
    const struct allocate_ask *ask;
    struct allocate_funnel funnel;      /* of the ask, but for NO_TOGETHER and NO_ERROR */
    const char *text;                   /* in words, in the arena that was given */
};

/* "no-match", "in-use"; what programs read. */
const char *allocate_no_name(enum allocate_no kind);
const char *allocate_obstacle_name(enum allocate_obstacle obstacle);

/* How near to a yes it is: of several requests or nodes, the nearest counts. */
unsigned allocate_no_rank(enum allocate_no kind);

/* What to do about a kind of "no", in a few words. */
const char *allocate_no_advice(enum allocate_no kind);

/* Finds out why the claims of an attempt that did not end with ALLOCATE_DONE do not fit on its node. The attempt may be used for further
 * ones. The text is in `arena`. */
enum failure allocate_why(struct allocate_attempt *attempt, enum allocate_outcome outcome, struct arena *arena, struct allocate_why *why)
    MUST_USE;

/* Adds '; did you mean "x"?', if a class of the world has a name near to that one. */
void allocate_near_class_add(const struct allocate_world *world, struct bytes class_name, struct text *text);

/* ---- the parts ---- */

/* Fills the funnel for an ask. */
enum failure allocate_funnel_fill(struct allocate_attempt *attempt, const struct allocate_claim *claim, const struct allocate_ask *ask,
                                  struct allocate_funnel *funnel) MUST_USE;

/* What keeps a device that the node sees from an ask. */
enum failure allocate_look(struct allocate_attempt *attempt, const struct allocate_ask *ask, const struct allocate_device *device,
                           enum allocate_obstacle *obstacle) MUST_USE;

/* why_words.c: the funnel in words. */
enum failure allocate_funnel_add(struct allocate_attempt *attempt, const struct allocate_funnel *funnel, struct text *text) MUST_USE;

/* Adds "set/counter". */
void allocate_counter_add(const struct allocate_world *world, const struct allocate_use *use, struct text *text);

/* Adds " (1 slice of 2)", or why the pool is invalid. */
void allocate_pool_state_add(const struct allocate_pool *pool, struct text *text);

/* Why a selector fails on first[OBSTACLE_ERROR]. */
enum failure allocate_error_cause_add(struct allocate_attempt *attempt, const struct allocate_funnel *funnel, struct text *text) MUST_USE;

/* why_crowd.c: the first requests that need more devices than match them: *crowded, and the text says which. */
enum failure allocate_crowd_add(struct allocate_attempt *attempt, struct text *text, bool *crowded) MUST_USE;

/* why_together.c: whether there are fewer devices than requests need, of all or of some; *found: the text says how many. */
enum failure allocate_shortage_add(struct allocate_attempt *attempt, struct text *text, bool *found) MUST_USE;

/* why_together.c: what keeps the devices from being together. */
enum failure allocate_together_add(struct allocate_attempt *attempt, struct text *text) MUST_USE;

#endif
