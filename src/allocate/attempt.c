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

static uint64_t part_of_steps(uint64_t before)
{
    return part_of(LIMIT_ALLOCATE_ALL_STEPS, before, LIMIT_ALLOCATE_LEAST_STEPS);
}

static uint64_t part_of_looks(uint64_t before)
{
    return part_of(LIMIT_ALLOCATE_ALL_LOOKS, before, LIMIT_ALLOCATE_LEAST_LOOKS);
}

struct allocate_effort allocate_effort_of(const struct allocate_attempt *attempt)
{
    struct allocate_effort effort = attempt->effort;
    effort.steps += attempt->steps;
    effort.looks += attempt->looks;
    effort.most_steps = attempt->steps > effort.most_steps ? attempt->steps : effort.most_steps;
    effort.most_looks = attempt->looks > effort.most_looks ? attempt->looks : effort.most_looks;
    return effort;
}

/* Counts the last attempt as one before. */
static void end_work(struct allocate_attempt *attempt)
{
    attempt->effort = allocate_effort_of(attempt);
    attempt->steps_before += attempt->steps;
    attempt->looks_before += attempt->looks;
    attempt->steps = attempt->looks = 0;
}

void allocate_effort_begin(struct allocate_attempt *attempt)
{
    end_work(attempt);
    attempt->effort = (struct allocate_effort){
        .least_steps = part_of_steps(attempt->steps_before) == LIMIT_ALLOCATE_LEAST_STEPS,
        .least_looks = part_of_looks(attempt->looks_before) == LIMIT_ALLOCATE_LEAST_LOOKS,
    };
}

/* What is left is more than twice what is expected; or nothing is left, and all may take the least. */
static bool is_free(uint64_t all, uint64_t before, uint64_t least, uint32_t tried, uint32_t left)
{
    return part_of(all, before, least) == least || before / tried * left < (all - before) / 2;
}

bool allocate_effort_is_free(const struct allocate_attempt *attempt, uint32_t tried, uint32_t left)
{
    return is_free(LIMIT_ALLOCATE_ALL_STEPS, attempt->steps_before + attempt->steps, LIMIT_ALLOCATE_LEAST_STEPS, tried, left) &&
           is_free(LIMIT_ALLOCATE_ALL_LOOKS, attempt->looks_before + attempt->looks, LIMIT_ALLOCATE_LEAST_LOOKS, tried, left);
}

void allocate_effort_copy(struct allocate_attempt *attempt, const struct allocate_attempt *from)
{
    attempt->steps_before = from->steps_before + from->steps;
    attempt->looks_before = from->looks_before + from->looks;
}

bool allocate_effort_add(struct allocate_attempt *attempt, const struct allocate_effort *effort)
{
    allocate_effort_begin(attempt);
    uint64_t steps = part_of_steps(attempt->steps_before + effort->steps), looks = part_of_looks(attempt->looks_before + effort->looks);
    bool same_steps = effort->most_steps <= steps || (effort->least_steps && attempt->effort.least_steps);
    bool same_looks = effort->most_looks <= looks || (effort->least_looks && attempt->effort.least_looks);
    if (!same_steps || !same_looks)
        return false;
    attempt->steps_before += effort->steps;
    attempt->looks_before += effort->looks;
    return true;
}

static void begin_work(struct allocate_attempt *attempt)
{
    end_work(attempt);
    attempt->most_steps = part_of_steps(attempt->steps_before);
    attempt->most_looks = part_of_looks(attempt->looks_before);
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
