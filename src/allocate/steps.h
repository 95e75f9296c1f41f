/* The steps of a search, for those who want to see them: which device is tried for which request, is taken, is refused and why, is given
 * back. Only what decides says why: it leaves a refusal in the attempt. */
#ifndef DRAWBRIDGE_ALLOCATE_STEPS_H
#define DRAWBRIDGE_ALLOCATE_STEPS_H

#include "allocate/claim.h"
#include "allocate/limits.h"

/* Why a device is refused, and what the number of the refusal is then; nothing where nothing is said. */
enum allocate_refused {
    REFUSED_HELD,        /* another claim has it */
    REFUSED_DOING,       /* the search has taken it before */
    REFUSED_CONDITIONS,  /* it has bindingConditions, and the gate is off */
    REFUSED_CLASS,       /* a selector of the class is false: which */
    REFUSED_SELECTOR,    /* one of the request: which */
    REFUSED_NODE,        /* it is for other nodes */
    REFUSED_SKIPPING,    /* it skips operations that the node, or the scheduler, does not skip */
    REFUSED_LACKING,     /* it has not all capacities that are asked for */
    REFUSED_POLICY,      /* it does not give so much of a capacity: its name */
    REFUSED_FULL,        /* less of a capacity is left: its name */
    REFUSED_PARTS,       /* it consumes counters, and the gate is off */
    REFUSED_GROUPS,      /* its compatibility groups do not go with those of a counter set: its name */
    REFUSED_OVERDRAWN,   /* more is allocated of a counter of the pool than there is */
    REFUSED_COUNTER,     /* less of a counter is left: its slot */
    REFUSED_TAINT,       /* which of the device */
    REFUSED_CONSTRAINT,  /* which of the claim */
};

struct allocate_refusal {
    enum allocate_refused by;
    uint32_t number;
};

enum allocate_move {
    MOVE_TAKEN,
    MOVE_REFUSED,
    MOVE_RETURNED,  /* what follows does not fit, so it is given back */
    MOVE_EXHAUSTED, /* no device is left for the request */
    MOVE_TOO_MANY,  /* the claim would have more devices than one can have */
    MOVE_FAILED,    /* the device ends the search: attempt->error */
    MOVE_PASSED,    /* before the search: a pool in which nothing is tried */
};

struct allocate_step {
    enum allocate_move move;
    const struct allocate_pool *pool;      /* of MOVE_PASSED; nothing else counts then */
    const struct allocate_claim *claim;
    const struct allocate_ask *ask;
    uint32_t index;                        /* which device of the ask, from 0 */
    uint32_t depth;                        /* devices that are taken already */
    const struct allocate_device *device;  /* NULL: it is about the ask */
    const struct allocate_device *last;    /* of `count` devices one after the other with which the same happens */
    uint32_t count;
    struct allocate_refusal refusal;       /* of MOVE_REFUSED */
};

struct allocate_steps {
    struct allocate_step list[LIMIT_ALLOCATE_TOLD];
    uint32_t count;
    uint64_t more; /* that are not in the list */
};

static inline void allocate_steps_clear(struct allocate_steps *steps)
{
    steps->count = 0;
    steps->more = 0;
}

/* "taken", "refused"; and why: "selector". What programs read. */
const char *allocate_move_name(enum allocate_move move);
const char *allocate_refused_name(enum allocate_refused by);

#endif
