#include "allocate/plugin.h"
#include "allocate/result.h"
#include "match/device.h"

static struct allocate_status unresolvable(const char *reason)
{
    return (struct allocate_status){ ALLOCATE_UNRESOLVABLE, reason };
}

/* ---- claims to allocate ---- */

/* The special claim as the node needs it. */
static enum failure read_special(struct allocate_cycle *cycle, struct value *root)
{
    struct allocate_extras extras;
    struct text json;
    enum failure failure = allocate_extras_make(&cycle->needs, &cycle->reading, &extras);
    text_init(&json, &cycle->reading);
    text_add(&json, "{\"spec\":{\"devices\":");
    allocate_extras_add_devices(&json, &extras);
    text_add(&json, "}}");
    return failure ? failure : allocate_claim_parse(cycle->plugin->world, &cycle->reading, &json, root);
}

/* Whether they were read for a node on which devices serve the same resources. */
static bool is_read_already(struct allocate_cycle *cycle)
{
    bool same = cycle->is_read;
    for (uint32_t i = 0; i < cycle->needs.count && cycle->has_needs; i++) {
        same &= cycle->served[i] == cycle->needs.list[i].by_device;
        cycle->served[i] = cycle->needs.list[i].by_device;
    }
    return same;
}

static enum failure read_claims(struct allocate_cycle *cycle)
{
    struct value roots[LIMIT_ALLOCATE_CLAIMS];
    const struct allocate_stored *from[LIMIT_ALLOCATE_CLAIMS];
    enum failure failure = FAILURE_NONE;
    uint32_t count = 0;
    if (is_read_already(cycle))
        return FAILURE_NONE;
    arena_clear(&cycle->reading);
    cycle->is_read = true;
    for (uint32_t i = 0; i < cycle->count && !failure; i++) {
        if (value_is_set(cycle->claims[i]->allocation))
            continue;
        from[count] = cycle->claims[i];
        roots[count] = cycle->claims[i]->root;
        if (allocate_is_special(cycle, cycle->claims[i]))
            failure = read_special(cycle, &roots[count]);
        count++;
    }
    if (!failure)
        failure = allocate_claims_read(cycle->plugin->world, &cycle->reading, roots, count, cycle->plugin->defaults, &cycle->asked);
    for (uint32_t i = 0; i < count && !failure; i++) {
        cycle->asked.list[i].name = from[i]->name;
        cycle->asked.list[i].space = from[i]->space;
    }
    return failure;
}

/* ---- one node ---- */

/* Extended resources. *done: the verdict is known. */
static void filter_extended(struct allocate_cycle *cycle, const struct allocate_node *node, struct allocate_verdict *verdict, bool *done)
{
    bool some;
    *done = true;
    if (!allocate_has_special(cycle)) {
        *done = false;
        return;
    }
    const struct allocate_stored *special = cycle->claims[cycle->user_count];
    if (value_is_set(match_at(special->root, "spec.devices.requests")))
        verdict->status = unresolvable("cannot schedule extended resource claim");
    else if (!allocate_needs_on(&cycle->needs, node, cycle->plugin->defaults, &some))
        verdict->status = unresolvable("cannot fit resource");
    else if (cycle->user_count || (some && !value_is_set(special->allocation)))
        *done = false;
    cycle->skipped = *done;
}

/* Claims that are allocated already, and cannot be used on the node. */
static enum failure filter_allocated(struct allocate_cycle *cycle, const struct allocate_node *node, bool *missing)
{
    struct allocate_world *world = cycle->plugin->world;
    enum failure failure = FAILURE_NONE;
    for (uint32_t i = 0; i < cycle->count && !failure; i++) {
        const struct allocate_stored *claim = cycle->claims[i];
        const struct allocate_place place = { .at = claim->allocation };
        struct allocate_readiness readiness = { .ready = true };
        bool on = true;
        if (!value_is_set(claim->allocation))
            continue;
        if (value_is_set(match_at(claim->allocation, "nodeSelector")))
            failure = allocate_on_node(world, &place, node, &on);
        if (!failure && on && world->mode.on.bind)
            failure = allocate_is_ready(cycle, claim, &readiness);
        missing[i] = !on || readiness.fault || readiness.late;
    }
    return failure;
}

/* An error of the attempt, which is overwritten by the next one. */
static enum failure keep(struct allocate_cycle *cycle, const char *error, const char **kept)
{
    struct text text;
    text_init(&text, &cycle->plugin->arena);
    text_add(&text, error);
    return allocate_text_end(&text, kept);
}

static enum failure time_out(struct allocate_cycle *cycle, const struct allocate_node *node, struct allocate_status *status)
{
    struct text text;
    text_init(&text, &cycle->plugin->arena);
    if (cycle->plugin->world->mode.timeout_ends) {
        text_add(&text, "node ");
        text_add_bytes(&text, node->given.name);
        text_add(&text, ": ");
    }
    text_add(&text, "timed out trying to allocate devices");
    status->code = cycle->plugin->world->mode.timeout_ends ? ALLOCATE_ERROR : ALLOCATE_UNRESOLVABLE;
    return allocate_text_end(&text, &status->reason);
}

static enum failure conclude(struct allocate_cycle *cycle, const struct allocate_node *node, enum allocate_outcome outcome,
                          struct allocate_status *status)
{
    const struct allocate_attempt *attempt = &cycle->plugin->attempt;
    switch (outcome) {
    case ALLOCATE_DONE:
        return FAILURE_NONE;
    case ALLOCATE_CANNOT:
    case ALLOCATE_TOO_MANY:
        *status = unresolvable("cannot allocate all claims");
        return FAILURE_NONE;
    case ALLOCATE_REFUSED:
    case ALLOCATE_FATAL:
        status->code = outcome == ALLOCATE_FATAL ? ALLOCATE_ERROR : ALLOCATE_UNRESOLVABLE;
        return keep(cycle, attempt->error, &status->reason);
    case ALLOCATE_PANIC:
        return keep(cycle, attempt->error, &cycle->decision->panic);
    case ALLOCATE_GAVE_UP:
        return time_out(cycle, node, status);
    case ALLOCATE_FAILED:
        break;
    }
    return attempt->failure;
}

/* Results can be refused when they are written. */
static enum allocate_outcome try_results(struct allocate_cycle *cycle)
{
    struct allocate_attempt *attempt = &cycle->plugin->attempt;
    enum allocate_outcome outcome = ALLOCATE_DONE;
    for (uint32_t i = 0; i < cycle->asked.count && !outcome; i++) {
        struct text json;
        uint32_t share = 0;
        text_init(&json, &attempt->arena);
        outcome = allocate_result_add(attempt, &cycle->asked.list[i], &share, &json);
    }
    return outcome;
}

static enum failure attempt(struct allocate_cycle *cycle, struct allocate_node *node, struct allocate_verdict *verdict)
{
    enum failure failure = cycle->to_allocate ? read_claims(cycle) : FAILURE_NONE;
    if (failure || !cycle->to_allocate)
        return failure;
    cycle->tried = true;
    cycle->outcome = allocate_attempt_run(&cycle->plugin->attempt, &cycle->asked, node);
    if (!cycle->outcome)
        cycle->outcome = try_results(cycle);
    return conclude(cycle, node, cycle->outcome, &verdict->status);
}

enum failure allocate_filter(struct allocate_cycle *cycle, struct allocate_node *node, struct allocate_verdict *verdict)
{
    bool missing[LIMIT_ALLOCATE_CLAIMS] = { false }, done;
    cycle->skipped = cycle->tried = false;
    cycle->missing = NULL;
    filter_extended(cycle, node, verdict, &done);
    if (done)
        return FAILURE_NONE;
    enum failure failure = filter_allocated(cycle, node, missing);
    if (!failure)
        failure = attempt(cycle, node, verdict);
    if (failure || verdict->status.code || cycle->decision->panic)
        return failure;
    for (uint32_t i = 0; i < cycle->count; i++) {
        if (!missing[i])
            continue;
        cycle->unavailable[i] = true;
        cycle->missing = cycle->claims[i];
        verdict->status = unresolvable("resourceclaim not available on the node");
    }
    return verdict->status.code ? FAILURE_NONE : allocate_score(cycle, &verdict->score, &verdict->score_fault);
}
