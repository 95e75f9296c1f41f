/* One attempt: an ordered list of claims on one node, all of them or none. */
#ifndef DRAWBRIDGE_ALLOCATE_ATTEMPT_H
#define DRAWBRIDGE_ALLOCATE_ATTEMPT_H

#include "allocate/claim.h"
#include "allocate/limits.h"
#include "allocate/pool.h"
#include "allocate/steps.h"

/* A device for a request. */
struct allocate_result {
    const struct allocate_ask *ask;
    const struct allocate_pool *pool;
    const struct allocate_device *device;
    bool share;                   /* a part of the device: see allocate_taken() */
};

struct allocate_results {
    struct allocate_result list[LIMIT_ALLOCATE_RESULTS];
    uint32_t count;
};

enum allocate_outcome {
    ALLOCATE_DONE,
    ALLOCATE_CANNOT,
    ALLOCATE_TOO_MANY,  /* more results than a claim can have: only within a search */
    ALLOCATE_REFUSED,   /* an error, which concerns this node only: attempt->error */
    ALLOCATE_FATAL,     /* an error that ends the scheduling cycle: attempt->error */
    ALLOCATE_PANIC,     /* the scheduler panics: attempt->error is Go's text */
    ALLOCATE_GAVE_UP,   /* the search takes more than most_steps or most_looks */
    ALLOCATE_FAILED,    /* attempt->failure */
};

/* A device of a pool, for allocationMode All. */
struct allocate_found {
    const struct allocate_pool *pool;
    const struct allocate_device *device;
};

/* What is prepared for a request or subrequest. */
struct allocate_prepared {
    int64_t number;               /* of devices */
    struct allocate_found *all;   /* of allocationMode All: which */
    uint32_t chosen;              /* of the first of several subrequests: which one was chosen */
};

/* What a constraint remembers of the devices that were added. */
struct allocate_memory {
    uint32_t count;
    struct value value;           /* matchAttribute: of the first device */
    uint64_t *common;             /* … if it is a list: which of its elements all others have, a bit each; by device, or one for all */
    struct value *seen;           /* distinctAttribute: by request, or by device where nothing is forgotten */
};

/* What an attempt consumes of a counter. */
struct allocate_consumed {
    amount_nano nano;
    uint64_t attempt; /* which */
};

/* What an attempt leaves out, to find out what keeps devices from being together. */
struct allocate_lift {
    const struct allocate_constraint *constraint; /* NULL: none */
    bool constraints;             /* all of them */
    bool counters;
    uint64_t steps;               /* the search ends after so many; 0: after as many as others have */
};

/* What attempts take: steps of searches, and looks at devices. */
struct allocate_effort {
    uint64_t steps, looks;           /* of all */
    uint64_t most_steps, most_looks; /* of one */
    bool least_steps, least_looks;   /* from the first one on they may take the least only */
};

struct allocate_attempt {
    struct allocate_world *world;
    const struct allocate_claims *claims;
    struct allocate_node *node;
    const struct allocate_view *view;
    struct arena arena;           /* of one attempt */
    struct allocate_prepared *prepared; /* by number of the ask */
    struct allocate_results *results;   /* by claim */
    struct allocate_memory **memories;  /* by claim and constraint */
    struct allocate_consumed *consumed; /* of counters, by slot: see allocate_consumed_of() */
    struct allocate_groups *groups; /* by counter set; NULL: groups are off */
    uint64_t number;              /* of the attempts so far: both are of the world, and those of others are nothing */
    struct allocate_change *changes; /* of groups */
    uint32_t change_count, change_room;
    struct allocate_identity **touched; /* devices with marks of this attempt */
    uint32_t touched_count, touched_room;
    uint64_t steps, looks;
    uint64_t steps_before, looks_before; /* of earlier attempts */
    uint64_t most_steps, most_looks;     /* so many this one may make */
    struct allocate_effort effort;       /* since allocate_effort_begin(), without the last one */
    struct allocate_lift lift;
    enum failure failure;
    const char *error;
    const struct allocate_pool *unusable; /* the error is about a pool that is incomplete or invalid; NULL: it is not */
    struct allocate_refusal refusal;      /* why the last device was refused */
    struct allocate_steps *steps_told;    /* of the search; NULL: nobody wants to see them */
};

/* Begins with a world; allocate_attempt_done() ends it, after a failure, too. */
void allocate_attempt_init(struct allocate_attempt *attempt, struct allocate_world *world);
void allocate_attempt_done(struct allocate_attempt *attempt);

/* Tries to allocate the claims on the node. Results and error are valid until the next attempt. */
enum allocate_outcome allocate_attempt_run(struct allocate_attempt *attempt, const struct allocate_claims *claims,
                                           struct allocate_node *node) MUST_USE;

/* Begins to count what attempts take; and what they have taken since. */
void allocate_effort_begin(struct allocate_attempt *attempt);
struct allocate_effort allocate_effort_of(const struct allocate_attempt *attempt);

/* Whether attempts for `left` more nodes, after those for `tried`, are expected to end as if none knew of the others' work. */
bool allocate_effort_is_free(const struct allocate_attempt *attempt, uint32_t tried, uint32_t left);

/* Lets an attempt that is new begin with the work of another one. */
void allocate_effort_copy(struct allocate_attempt *attempt, const struct allocate_attempt *from);

/* Counts what attempts of another one have taken as if it were its own. False: its own would not have been allowed to take that much, or
 * to take more, so that they may have ended otherwise; it is not counted. */
bool allocate_effort_add(struct allocate_attempt *attempt, const struct allocate_effort *effort) MUST_USE;

/* The same without the search: what is allocated in the attempt is nothing. */
enum failure allocate_attempt_begin(struct allocate_attempt *attempt, const struct allocate_claims *claims, struct allocate_node *node)
    MUST_USE;

/* ---- the parts of an attempt ---- */

/* Notes why a device is refused. Returns ALLOCATE_CANNOT, for those who end with that. */
static inline enum allocate_outcome allocate_refuse(struct allocate_attempt *attempt, enum allocate_refused by, uint32_t number)
{
    attempt->refusal = (struct allocate_refusal){ by, number };
    return ALLOCATE_CANNOT;
}

/* steps.c: adds a step to those that somebody wants to see. */
void allocate_tell_step(struct allocate_attempt *attempt, enum allocate_move move, const struct allocate_claim *claim,
                        const struct allocate_ask *ask, const struct allocate_device *device);

/* Tells that the pool cannot be used, if somebody wants to see it. */
void allocate_tell_pool(struct allocate_attempt *attempt, const struct allocate_pool *pool);

/* The same as allocate_tell_step(), if somebody wants to see it. device: NULL if it is about the ask. */
static inline void allocate_tell(struct allocate_attempt *attempt, enum allocate_move move, const struct allocate_claim *claim,
                                 const struct allocate_ask *ask, const struct allocate_device *device)
{
    if (attempt->steps_told)
        allocate_tell_step(attempt, move, claim, ask, device);
}

/* The same about a device that was tried, with that outcome. */
static inline void allocate_tell_outcome(struct allocate_attempt *attempt, enum allocate_outcome outcome,
                                         const struct allocate_claim *claim, const struct allocate_ask *ask,
                                         const struct allocate_device *device)
{
    enum allocate_move move = outcome == ALLOCATE_DONE ? MOVE_TAKEN : outcome == ALLOCATE_CANNOT ? MOVE_REFUSED : MOVE_FAILED;
    allocate_tell(attempt, move, claim, ask, device);
}

/* prepare.c: what each request asks for. ALLOCATE_DONE, or the error. */
enum allocate_outcome allocate_prepare(struct allocate_attempt *attempt) MUST_USE;

/* search.c: the first solution. */
enum allocate_outcome allocate_search(struct allocate_attempt *attempt) MUST_USE;

/* Whether the device can be for the ask, whatever else is allocated. ALLOCATE_DONE: *can says; or an error. `like`: the ask whose selectors
 * count. */
enum allocate_outcome allocate_selectable(struct allocate_attempt *attempt, const struct allocate_claim *claim,
                                          const struct allocate_ask *like, const struct allocate_device *device, bool *can) MUST_USE;

/* Sets the error: a text that attempt->arena owns. Returns `outcome`, or ALLOCATE_FAILED. */
struct text allocate_error_begin(struct allocate_attempt *attempt, const struct allocate_claim *claim);
enum allocate_outcome allocate_error_end(struct allocate_attempt *attempt, enum allocate_outcome outcome, struct text *text) MUST_USE;
enum allocate_outcome allocate_fail(struct allocate_attempt *attempt, enum failure failure);

/* capacity.c: whether the device has what the request asks for, beside what is allocated of it; `empty`: as if nothing were.
 * ALLOCATE_DONE: *fits says; or an error. */
enum allocate_outcome allocate_fits(struct allocate_attempt *attempt, const struct allocate_claim *claim, const struct allocate_ask *ask,
                                    const struct allocate_device *device, bool empty, bool *fits) MUST_USE;

/* What the request takes of a capacity that fits. */
struct amount allocate_taken(const struct allocate_world *world, const struct allocate_capacity *capacity,
                             const struct allocate_ask *ask);

/* Whether the policy refuses to give so much; NULL refuses nothing. */
bool allocate_is_against(const struct allocate_policy *policy, const struct amount *taken);

/* constraint.c: whether the constraint lets the device in, which it then remembers. ALLOCATE_DONE, ALLOCATE_CANNOT, or an error. */
enum allocate_outcome allocate_constraint_add(struct allocate_attempt *attempt, const struct allocate_claim *claim, uint32_t constraint,
                                              const struct allocate_ask *ask, const struct allocate_device *device) MUST_USE;
void allocate_constraint_remove(struct allocate_attempt *attempt, const struct allocate_claim *claim, uint32_t constraint,
                                const struct allocate_ask *ask);

/* The value of an attribute by its full name; not set: the device has none. */
struct value allocate_attribute(const struct allocate_device *device, struct bytes name);

/* The same for the request, which may derive it. ALLOCATE_DONE, or an error. */
enum allocate_outcome allocate_attribute_for(struct allocate_attempt *attempt, const struct allocate_ask *ask,
                                             const struct allocate_device *device, struct bytes name, struct value *attribute) MUST_USE;

/* group.c: whether the device goes together with those that consume the same counter sets, to which it is then added; always, where
 * compatibility groups are off. */
bool allocate_join(struct allocate_attempt *attempt, const struct allocate_pool *pool, const struct allocate_device *device);

/* Takes back what was added since there were so many changes. */
void allocate_leave(struct allocate_attempt *attempt, uint32_t before);

/* counter.c: whether the device consumes its counters already. */
bool allocate_consumes(const struct allocate_world *world, const struct allocate_device *device);

/* What the attempt consumes of a counter. Counters of a cluster are many, so they are not cleared for each node. */
static inline amount_nano *allocate_consumed_of(struct allocate_attempt *attempt, uint32_t slot)
{
    struct allocate_consumed *consumed = &attempt->consumed[slot];
    if (consumed->attempt != attempt->number)
        *consumed = (struct allocate_consumed){ 0, attempt->number };
    return &consumed->nano;
}

/* counter.c: takes what the device consumes; false: it is not left. */
bool allocate_reserve(struct allocate_attempt *attempt, const struct allocate_pool *pool, const struct allocate_device *device);
void allocate_release(struct allocate_attempt *attempt, const struct allocate_device *device);

/* taint.c: the taint that keeps the device from the request; NULL: none. */
const struct allocate_taint *allocate_taint_of(const struct allocate_ask *ask, const struct allocate_device *device);

/* take.c: whether the device's node operations are skipped only where that may be. */
bool allocate_may_skip(const struct allocate_attempt *attempt, const struct allocate_device *device);

struct allocate_undo {
    bool marked;    /* the claim is among those that get the device */
    bool reserved;  /* of its counters */
    bool had_entry; /* a share of it was being allocated already */
    uint32_t groups; /* how many changes of compatibility groups there were before */
    bool share;
};

/* Takes the device for the ask. must: it is one of All. ALLOCATE_DONE, ALLOCATE_CANNOT, or an error. */
enum allocate_outcome allocate_take(struct allocate_attempt *attempt, const struct allocate_claim *claim, const struct allocate_ask *ask,
                                    const struct allocate_found *found, bool must, struct allocate_undo *undo) MUST_USE;
void allocate_untake(struct allocate_attempt *attempt, const struct allocate_claim *claim, const struct allocate_undo *undo);

#endif
