/* What attempts tell of their steps. */
#include "allocate/attempt.h"

/* Taints of devices are no one's but theirs. */
static bool is_alike(const struct allocate_step *a, const struct allocate_step *b)
{
    return a->move == MOVE_REFUSED && b->move == MOVE_REFUSED && a->ask == b->ask && a->depth == b->depth &&
           a->refusal.by == b->refusal.by && a->refusal.number == b->refusal.number && a->refusal.by != REFUSED_TAINT &&
           a->device->slice->pool == b->device->slice->pool;
}

/* Adds the step, or one device more to the last one. */
static void add(struct allocate_steps *steps, const struct allocate_step *step)
{
    struct allocate_step *last = steps->count && !steps->more ? &steps->list[steps->count - 1] : NULL;
    if (last && is_alike(last, step)) {
        last->last = step->device;
        last->count++;
    } else if (steps->count == LIMIT_ALLOCATE_TOLD) {
        steps->more++;
    } else {
        steps->list[steps->count++] = *step;
    }
}

void allocate_tell_step(struct allocate_attempt *attempt, enum allocate_move move, const struct allocate_claim *claim,
                        const struct allocate_ask *ask, const struct allocate_device *device)
{
    const struct allocate_results *results = &attempt->results[claim->index];
    uint32_t taken = move == MOVE_TAKEN; /* the device is a result already */
    struct allocate_step step = {
        .move = move, .claim = claim, .ask = ask, .device = device, .last = device, .count = 1, .refusal = attempt->refusal,
    };
    for (uint32_t i = 0; i < results->count; i++)
        step.index += results->list[i].ask == ask;
    for (uint32_t i = 0; i < attempt->claims->count; i++)
        step.depth += attempt->results[i].count;
    step.index -= taken;
    step.depth -= taken;
    add(attempt->steps_told, &step);
}

void allocate_tell_pool(struct allocate_attempt *attempt, const struct allocate_pool *pool)
{
    if (attempt->steps_told)
        add(attempt->steps_told, &(struct allocate_step){ .move = MOVE_PASSED, .pool = pool, .count = 1 });
}

const char *allocate_move_name(enum allocate_move move)
{
    static const char *const names[] = {
        [MOVE_TAKEN] = "taken",         [MOVE_REFUSED] = "refused",   [MOVE_RETURNED] = "given-back",
        [MOVE_EXHAUSTED] = "none-left", [MOVE_TOO_MANY] = "too-many", [MOVE_FAILED] = "error",
        [MOVE_PASSED] = "passed-over",
    };
    return names[move];
}

const char *allocate_refused_name(enum allocate_refused by)
{
    static const char *const names[] = {
        [REFUSED_HELD] = "in-use",
        [REFUSED_DOING] = "taken",
        [REFUSED_CONDITIONS] = "feature-gate",
        [REFUSED_CLASS] = "class-selector",
        [REFUSED_SELECTOR] = "selector",
        [REFUSED_NODE] = "other-node",
        [REFUSED_SKIPPING] = "node-operations",
        [REFUSED_LACKING] = "capacity",
        [REFUSED_POLICY] = "capacity",
        [REFUSED_FULL] = "capacity-in-use",
        [REFUSED_PARTS] = "feature-gate",
        [REFUSED_GROUPS] = "compatibility-groups",
        [REFUSED_OVERDRAWN] = "counters",
        [REFUSED_COUNTER] = "counters",
        [REFUSED_TAINT] = "taint",
        [REFUSED_CONSTRAINT] = "constraint",
    };
    return names[by];
}
