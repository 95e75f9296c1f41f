/* Source: k8s.io/dynamic-resource-allocation v0.36.3 structured/internal/experimental/allocator_experimental.go, allocateDevice. */
#include "allocate/attempt.h"

static uint64_t bit_of(const struct allocate_claim *claim)
{
    return 1ull << claim->index;
}

/* Notes that the device has marks of this attempt. */
static void touch(struct allocate_attempt *attempt, struct allocate_identity *identity)
{
    if (attempt->touched_count == attempt->touched_room) {
        uint32_t room = attempt->touched_room ? attempt->touched_room * 2 : 64;
        struct allocate_identity **list = arena_alloc(&attempt->arena, room * sizeof(struct allocate_identity *));
        if (!list) {
            attempt->failure = attempt->arena.failure;
            return;
        }
        if (attempt->touched_count)
            memcpy(list, attempt->touched, attempt->touched_count * sizeof(struct allocate_identity *));
        attempt->touched = list;
        attempt->touched_room = room;
    }
    attempt->touched[attempt->touched_count++] = identity;
    identity->touched = true;
}

/* ---- shares ---- */

static bool make_sums(struct allocate_attempt *attempt, const struct allocate_device *device)
{
    struct allocate_identity *identity = device->identity;
    size_t bytes = (device->capacity_count + 1) * sizeof *identity->sums;
    if (!identity->sums)
        identity->sums = arena_alloc(&attempt->arena, bytes);
    if (!identity->sums) {
        attempt->failure = attempt->arena.failure;
        return false;
    }
    if (!identity->taking)
        memset(identity->sums, 0, bytes);
    return true;
}

static void add_share(struct allocate_attempt *attempt, const struct allocate_ask *ask, const struct allocate_device *device, int sign)
{
    struct allocate_identity *identity = device->identity;
    if (!make_sums(attempt, device))
        return;
    identity->taking = true;
    for (uint32_t i = 0; i < device->capacity_count; i++)
        identity->sums[i] += sign * allocate_taken(attempt->world, &device->capacities[i], ask).nano;
}

static void drop_share(struct allocate_attempt *attempt, const struct allocate_ask *ask, const struct allocate_device *device,
                       bool had_entry)
{
    struct allocate_identity *identity = device->identity;
    bool none = true;
    if (attempt->world->mode.leaks && !device->capacity_count)
        return;
    if (!identity->taking)
        return;
    add_share(attempt, ask, device, -1);
    for (uint32_t i = 0; i < device->capacity_count && identity->sums; i++)
        none = none && identity->sums[i] == 0;
    if (none)
        identity->taking = !attempt->world->mode.leaks && had_entry;
}

/* ---- devices ---- */

static void remove_constraints(struct allocate_attempt *attempt, const struct allocate_claim *claim, const struct allocate_ask *ask,
                               uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        allocate_constraint_remove(attempt, claim, i, ask);
}

/* Gives back what a device that is refused has taken so far; releases with leaks do not, but for the constraints. */
static enum allocate_outcome refuse(struct allocate_attempt *attempt, const struct allocate_claim *claim, const struct allocate_ask *ask,
                                    const struct allocate_device *device, const struct allocate_undo *undo, uint32_t constraints)
{
    remove_constraints(attempt, claim, ask, constraints);
    if (!attempt->world->mode.leaks && undo->reserved)
        allocate_release(attempt, device);
    allocate_leave(attempt, undo->groups);
    return attempt->failure ? ALLOCATE_FAILED : ALLOCATE_CANNOT;
}

static enum allocate_outcome constraint_error(struct allocate_attempt *attempt, const struct allocate_claim *claim,
                                              const struct allocate_ask *ask, const struct allocate_found *found)
{
    struct text text = allocate_error_begin(attempt, claim);
    text_add(&text, ", request ");
    text_add_bytes(&text, ask->name);
    text_add(&text, ": cannot add device ");
    allocate_device_add_id(&text, found->device);
    text_add(&text, " because a claim constraint would not be satisfied");
    return allocate_error_end(attempt, ALLOCATE_FATAL, &text);
}

/* Its taints, and constraints. */
static enum allocate_outcome admit(struct allocate_attempt *attempt, const struct allocate_claim *claim, const struct allocate_ask *ask,
                                   const struct allocate_found *found, bool must, const struct allocate_undo *undo)
{
    const struct allocate_device *device = found->device;
    bool tainted = attempt->world->mode.on.taints && device->taint_count;
    const struct allocate_taint *taint = tainted ? allocate_taint_of(ask, device) : NULL;
    if (taint) {
        allocate_refuse(attempt, REFUSED_TAINT, (uint32_t)(taint - device->taints));
        return refuse(attempt, claim, ask, device, undo, 0);
    }
    for (uint32_t i = 0; i < claim->constraint_count; i++) {
        enum allocate_outcome outcome = allocate_constraint_add(attempt, claim, i, ask, device);
        if (outcome == ALLOCATE_DONE)
            continue;
        if (outcome != ALLOCATE_CANNOT)
            return outcome;
        allocate_refuse(attempt, REFUSED_CONSTRAINT, i);
        return must ? constraint_error(attempt, claim, ask, found) : refuse(attempt, claim, ask, device, undo, i);
    }
    return ALLOCATE_DONE;
}

bool allocate_may_skip(const struct allocate_attempt *attempt, const struct allocate_device *device)
{
    const struct allocate_mode *mode = &attempt->world->mode;
    return !mode->refuses_skipping || !value_count(device->slice->skipped) || (mode->on.operations && attempt->node->skips);
}

/* Its counters; ALLOCATE_CANNOT: they are not left. */
static enum allocate_outcome reserve(struct allocate_attempt *attempt, const struct allocate_found *found, bool must,
                                     struct allocate_undo *undo)
{
    const struct allocate_device *device = found->device;
    const struct allocate_identity *identity = device->identity;
    const struct allocate_mode *mode = &attempt->world->mode;
    if (device->use_count && !mode->on.part)
        return allocate_refuse(attempt, REFUSED_PARTS, 0);
    bool shares = identity->used || identity->taking || (mode->shares_reserve && identity->shared);
    if (!device->use_count || attempt->lift.counters || (undo->share && shares))
        return ALLOCATE_DONE;
    if (must && mode->all_panics) {
        attempt->error = "runtime error: invalid memory address or nil pointer dereference";
        return ALLOCATE_PANIC;
    }
    if (!allocate_join(attempt, found->pool, device))
        return attempt->failure ? ALLOCATE_FAILED : ALLOCATE_CANNOT;
    if (!allocate_reserve(attempt, found->pool, device)) {
        allocate_leave(attempt, undo->groups);
        return attempt->failure ? ALLOCATE_FAILED : ALLOCATE_CANNOT;
    }
    undo->reserved = true;
    return ALLOCATE_DONE;
}

static enum allocate_outcome add_result(struct allocate_attempt *attempt, const struct allocate_claim *claim,
                                        const struct allocate_ask *ask, const struct allocate_found *found,
                                        const struct allocate_undo *undo)
{
    struct allocate_results *results = &attempt->results[claim->index];
    if (undo->share)
        add_share(attempt, ask, found->device, 1);
    results->list[results->count++] = (struct allocate_result){ ask, found->pool, found->device, undo->share };
    return attempt->failure ? ALLOCATE_FAILED : ALLOCATE_DONE;
}

enum allocate_outcome allocate_take(struct allocate_attempt *attempt, const struct allocate_claim *claim, const struct allocate_ask *ask,
                                    const struct allocate_found *found, bool must, struct allocate_undo *undo)
{
    const struct allocate_device *device = found->device;
    const struct allocate_mode *mode = &attempt->world->mode;
    struct allocate_identity *identity = device->identity;
    bool admin = ask->admin && !ask->request->alternatives;
    *undo = (struct allocate_undo){
        .share = mode->on.consume && device->multiple, .had_entry = identity->taking, .groups = attempt->change_count,
    };
    if (!undo->share && admin && (identity->doing & bit_of(claim)))
        return allocate_refuse(attempt, REFUSED_DOING, 0);
    if (!admin && (identity->taken || identity->doing))
        return allocate_refuse(attempt, identity->taken ? REFUSED_HELD : REFUSED_DOING, 0);
    if (!allocate_may_skip(attempt, device))
        return allocate_refuse(attempt, REFUSED_SKIPPING, 0);
    enum allocate_outcome outcome = reserve(attempt, found, must, undo);
    if (outcome)
        return outcome;
    outcome = admit(attempt, claim, ask, found, must, undo);
    if (outcome)
        return outcome;
    if (!identity->touched)
        touch(attempt, identity);
    undo->marked = !undo->share;
    if (undo->marked)
        identity->doing |= bit_of(claim);
    bool fits = true;
    if (mode->on.consume)
        outcome = allocate_fits(attempt, claim, ask, device, false, &fits);
    if (outcome || fits)
        return outcome ? outcome : add_result(attempt, claim, ask, found, undo);
    if (mode->leaks)
        return ALLOCATE_CANNOT;
    if (undo->marked)
        identity->doing &= ~bit_of(claim);
    return refuse(attempt, claim, ask, device, undo, claim->constraint_count);
}

void allocate_untake(struct allocate_attempt *attempt, const struct allocate_claim *claim, const struct allocate_undo *undo)
{
    struct allocate_results *results = &attempt->results[claim->index];
    const struct allocate_result *result = &results->list[--results->count];
    const struct allocate_device *device = result->device;
    const struct allocate_mode *mode = &attempt->world->mode;
    if (undo->share)
        drop_share(attempt, result->ask, device, undo->had_entry);
    if (undo->marked || mode->leaks)
        device->identity->doing &= ~bit_of(claim);
    if (undo->reserved && (!mode->leaks || !undo->share))
        allocate_release(attempt, device);
    remove_constraints(attempt, claim, result->ask, claim->constraint_count);
    allocate_leave(attempt, undo->groups);
}
