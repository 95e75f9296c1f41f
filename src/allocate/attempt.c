#include "allocate/attempt.h"

#include "allocate/device.h"

void allocate_attempt_init(struct allocate_attempt *attempt, struct allocate_world *world)
{
    *attempt = (struct allocate_attempt){ .world = world };
    arena_init(&attempt->arena, world->matching->workspace.context->memory, LIMIT_ALLOCATE_ATTEMPT_BYTES);
}

/* Takes the marks of an attempt off the devices. */
static void clear_marks(struct allocate_attempt *attempt)
{
    for (uint32_t i = 0; i < attempt->touched_count; i++) {
        struct allocate_identity *identity = attempt->touched[i];
        identity->doing = 0;
        identity->touched = identity->taking = false;
        identity->sums = NULL;
    }
    attempt->touched_count = attempt->touched_room = 0;
}

void allocate_attempt_done(struct allocate_attempt *attempt)
{
    clear_marks(attempt);
    arena_done(&attempt->arena);
}

static void *make(struct allocate_attempt *attempt, size_t count, size_t size)
{
    void *made = arena_alloc(&attempt->arena, count * size + 1);
    if (made)
        memset(made, 0, count * size);
    return made;
}

static bool make_memories(struct allocate_attempt *attempt)
{
    uint32_t room = attempt->world->mode.forgets ? 1 : LIMIT_ALLOCATE_RESULTS;
    attempt->memories = make(attempt, attempt->claims->count, sizeof *attempt->memories);
    for (uint32_t i = 0; i < attempt->claims->count && attempt->memories; i++) {
        const struct allocate_claim *claim = &attempt->claims->list[i];
        struct allocate_memory *memories = make(attempt, claim->constraint_count, sizeof *memories);
        attempt->memories[i] = memories;
        for (uint32_t j = 0; j < claim->constraint_count && memories; j++) {
            memories[j].seen = make(attempt, room > claim->request_count ? room : claim->request_count, sizeof *memories->seen);
            memories[j].common = make(attempt, room, sizeof *memories->common);
        }
    }
    return !attempt->arena.failure;
}

/* Marks of counters stay, with the number of the attempt that made them. */
static bool make_marks(struct allocate_attempt *attempt)
{
    struct allocate_world *world = attempt->world;
    attempt->number++;
    if (!attempt->consumed)
        attempt->consumed = allocate_make(world, world->slot_count, sizeof *attempt->consumed);
    if (!attempt->groups && world->mode.on.groups)
        attempt->groups = allocate_make(world, world->sets.count, sizeof *attempt->groups);
    return attempt->consumed && (attempt->groups || !world->mode.on.groups);
}

static bool make_state(struct allocate_attempt *attempt)
{
    attempt->prepared = make(attempt, attempt->claims->ask_count, sizeof *attempt->prepared);
    attempt->results = arena_alloc(&attempt->arena, attempt->claims->count * sizeof *attempt->results + 1);
    attempt->change_count = attempt->change_room = 0;
    if (attempt->arena.failure)
        return false;
    for (uint32_t i = 0; i < attempt->claims->count; i++)
        attempt->results[i].count = 0;
    return make_memories(attempt);
}

/* So much of what is left for all. */
static uint64_t part_of(uint64_t all, uint64_t before, uint64_t least)
{
    uint64_t part = before < all ? (all - before) / 5 : 0;
    return part > least ? part : least;
}

static void begin_work(struct allocate_attempt *attempt)
{
    attempt->steps_before += attempt->steps;
    attempt->looks_before += attempt->looks;
    attempt->steps = attempt->looks = 0;
    attempt->most_steps = part_of(LIMIT_ALLOCATE_ALL_STEPS, attempt->steps_before, LIMIT_ALLOCATE_LEAST_STEPS);
    attempt->most_looks = part_of(LIMIT_ALLOCATE_ALL_LOOKS, attempt->looks_before, LIMIT_ALLOCATE_LEAST_LOOKS);
    if (attempt->lift.steps && attempt->lift.steps < attempt->most_steps)
        attempt->most_steps = attempt->lift.steps;
    if (attempt->lift.steps && attempt->most_looks > LIMIT_ALLOCATE_LIFTED_LOOKS)
        attempt->most_looks = LIMIT_ALLOCATE_LIFTED_LOOKS;
}

enum failure allocate_attempt_begin(struct allocate_attempt *attempt, const struct allocate_claims *claims, struct allocate_node *node)
{
    clear_marks(attempt);
    arena_clear(&attempt->arena);
    attempt->claims = claims;
    attempt->node = node;
    begin_work(attempt);
    attempt->failure = FAILURE_NONE;
    attempt->error = NULL;
    attempt->unusable = NULL;
    if (attempt->steps_told)
        allocate_steps_clear(attempt->steps_told);
    enum failure failure = allocate_view_of(attempt->world, node, &attempt->view);
    if (!failure && !make_marks(attempt))
        failure = attempt->world->arena.failure;
    if (!failure && !make_state(attempt))
        failure = attempt->arena.failure;
    return failure;
}

enum allocate_outcome allocate_attempt_run(struct allocate_attempt *attempt, const struct allocate_claims *claims,
                                           struct allocate_node *node)
{
    enum failure failure = allocate_attempt_begin(attempt, claims, node);
    if (failure)
        return allocate_fail(attempt, failure);
    enum allocate_outcome outcome = allocate_prepare(attempt);
    if (!outcome)
        outcome = allocate_search(attempt);
    if (outcome == ALLOCATE_TOO_MANY) {
        attempt->error = "allocation max size exceeded";
        return ALLOCATE_FATAL;
    }
    if (outcome == ALLOCATE_CANNOT && attempt->view->has_invalid) {
        attempt->error = "invalid resource pools were encountered";
        return ALLOCATE_REFUSED;
    }
    return outcome;
}
