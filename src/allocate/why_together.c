/* What keeps devices from being together: each request has enough by itself. One thing after the other is lifted; what makes the claims
 * fit is the reason. */
#include "allocate/why.h"
#include "match/device.h"

enum { LIFTED_STEPS = 200000, VALUES_SAID = 4 };

static void add_name(struct text *text, struct bytes name)
{
    text_add_escaped(text, name, LIMIT_ALLOCATE_NAME_BYTES);
}

/* Whether the claims fit with that lifted. */
static enum failure fits_with(struct allocate_attempt *attempt, struct allocate_lift lift, bool *fits)
{
    lift.steps = LIFTED_STEPS;
    attempt->lift = lift;
    enum allocate_outcome outcome = allocate_attempt_run(attempt, attempt->claims, attempt->node);
    attempt->lift = (struct allocate_lift){ .steps = 0 };
    *fits = outcome == ALLOCATE_DONE;
    return attempt->failure;
}

/* ---- too few devices for all requests ---- */

/* Whether the device is free for a request of the claim, or one that the constraint concerns (NULL: any). */
static enum failure look_for_claim(struct allocate_attempt *attempt, const struct allocate_claim *claim,
                                   const struct allocate_constraint *constraint, const struct allocate_device *device, bool *free)
{
    enum failure failure = FAILURE_NONE;
    *free = false;
    for (uint32_t i = 0; i < claim->request_count && !*free && !failure; i++)
        for (uint32_t j = 0; j < claim->requests[i].ask_count && !*free && !failure; j++) {
            const struct allocate_ask *ask = &claim->requests[i].asks[j];
            enum allocate_obstacle obstacle = OBSTACLE_CLASS;
            if (!constraint || constraint->concerns[ask->number - claim->first_number])
                failure = allocate_look(attempt, ask, device, &obstacle);
            *free = !obstacle;
        }
    return failure;
}

/* Counts the devices that are free for some request. */
static enum failure count_free(struct allocate_attempt *attempt, uint32_t *count)
{
    const struct allocate_device *device;
    enum failure failure = FAILURE_NONE;
    *count = 0;
    for (struct allocate_position at = { 0 }; (device = allocate_view_device(attempt->view, &at, false)) && !failure; at.device++) {
        bool free = false;
        if (device->multiple && attempt->world->mode.on.consume) {
            *count = UINT32_MAX;
            return FAILURE_NONE;
        }
        for (uint32_t i = 0; i < attempt->claims->count && !free && !failure; i++)
            failure = look_for_claim(attempt, &attempt->claims->list[i], NULL, device, &free);
        *count += free;
    }
    return failure;
}

/* The devices that all requests need at least. */
static int64_t count_needed(const struct allocate_claims *claims)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < claims->count; i++)
        for (uint32_t j = 0; j < claims->list[i].request_count; j++) {
            const struct allocate_request *request = &claims->list[i].requests[j];
            int64_t least = INT64_MAX;
            for (uint32_t k = 0; k < request->ask_count; k++) {
                const struct allocate_ask *ask = &request->asks[k];
                int64_t needs = ask->admin && !request->alternatives ? 0 : ask->mode == ALLOCATE_EXACT ? ask->count : 1;
                least = needs < least ? needs : least;
            }
            sum += least;
        }
    return sum;
}

/* ---- a constraint ---- */

struct tally {
    struct value values[VALUES_SAID];
    uint32_t counts[VALUES_SAID];
    uint32_t count, more, without;
};

static void add_tally(struct tally *tally, const struct allocate_device *device, struct bytes attribute)
{
    struct value value = allocate_attribute(device, attribute);
    struct value inner = { NULL, doc_first(value.node), 0 };
    uint32_t i = 0;
    if (!value_is_set(inner)) {
        tally->without++;
        return;
    }
    while (i < tally->count && !(doc_first(tally->values[i].node) == NULL &&
                                 tally->values[i].node->type == inner.node->type &&
                                 bytes_equal(value_text(tally->values[i]), value_text(inner))))
        i++;
    if (i == VALUES_SAID) {
        tally->more++;
        return;
    }
    tally->values[i] = inner;
    tally->counts[i]++;
    tally->count += i == tally->count;
}

/* Which values the devices have that are free for the requests of the constraint. */
static enum failure tally_values(struct allocate_attempt *attempt, const struct allocate_claim *claim,
                                 const struct allocate_constraint *constraint, struct tally *tally)
{
    const struct allocate_device *device;
    enum failure failure = FAILURE_NONE;
    *tally = (struct tally){ .count = 0 };
    for (struct allocate_position at = { 0 }; (device = allocate_view_device(attempt->view, &at, false)) && !failure; at.device++) {
        bool free;
        failure = look_for_claim(attempt, claim, constraint, device, &free);
        if (free)
            add_tally(tally, device, constraint->attribute);
    }
    return failure;
}

/* Adds "2 have none", if there are any. */
static void add_count(struct text *text, const char **between, uint32_t count, const char *what)
{
    if (!count)
        return;
    text_add(text, *between);
    text_add_integer(text, count);
    text_add(text, count == 1 ? " has" : " have");
    text_add(text, what);
    *between = ", ";
}

static enum failure add_constraint(struct allocate_attempt *attempt, const struct allocate_claim *claim,
                                   const struct allocate_constraint *constraint, struct text *text)
{
    struct tally tally;
    enum failure failure = allocate_attempt_begin(attempt, attempt->claims, attempt->node);
    if (!failure)
        failure = tally_values(attempt, claim, constraint, &tally);
    if (failure)
        return failure;
    text_add(text, "constraints[");
    text_add_integer(text, constraint - claim->constraints);
    text_add(text, "] of claim ");
    add_name(text, claim->name);
    text_add(text, constraint->match ? " wants one value of " : " wants different values of ");
    add_name(text, constraint->attribute);
    const char *between = "; of the devices that are free ";
    for (uint32_t i = 0; i < tally.count; i++) {
        add_count(text, &between, tally.counts[i], " ");
        if (tally.values[i].node->type == DOC_TRUE || tally.values[i].node->type == DOC_FALSE)
            text_add(text, tally.values[i].node->type == DOC_TRUE ? "true" : "false");
        else
            add_name(text, value_text(tally.values[i]));
    }
    add_count(text, &between, tally.more, " other values");
    add_count(text, &between, tally.without, " none");
    return FAILURE_NONE;
}

/* *found: one constraint alone is the reason. */
static enum failure try_constraints(struct allocate_attempt *attempt, struct text *text, bool *found)
{
    enum failure failure = FAILURE_NONE;
    *found = false;
    for (uint32_t i = 0; i < attempt->claims->count && !*found && !failure; i++)
        for (uint32_t j = 0; j < attempt->claims->list[i].constraint_count && !*found && !failure; j++) {
            const struct allocate_constraint *constraint = &attempt->claims->list[i].constraints[j];
            failure = fits_with(attempt, (struct allocate_lift){ .constraint = constraint }, found);
            if (*found && !failure)
                failure = add_constraint(attempt, &attempt->claims->list[i], constraint, text);
        }
    return failure;
}

/* ---- counters ---- */

/* Adds the first counter of which the results of the attempt, in which counters were not looked at, consume more than is left. */
static void add_short_counter(struct allocate_attempt *attempt, struct text *text)
{
    const struct allocate_world *world = attempt->world;
    for (uint32_t i = 0; i < attempt->claims->count; i++)
        for (uint32_t j = 0; j < attempt->results[i].count; j++) {
            const struct allocate_device *device = attempt->results[i].list[j].device;
            for (uint32_t k = 0; k < device->use_count; k++) {
                const struct allocate_use *use = &device->uses[k];
                if (use->slot == ALLOCATE_NO_SLOT || !world->is_available[use->slot])
                    continue;
                amount_nano *consumed = allocate_consumed_of(attempt, use->slot);
                *consumed += use->nano;
                if (*consumed <= world->available[use->slot])
                    continue;
                text_add(text, ": ");
                allocate_counter_add(world, use, text);
                return;
            }
        }
}

/* ---- claims that are in each other's way ---- */

/* *alone: each claim fits where there are no others. */
static enum failure fit_alone(struct allocate_attempt *attempt, bool *alone)
{
    const struct allocate_claims *claims = attempt->claims;
    *alone = claims->count > 1;
    for (uint32_t i = 0; i < claims->count && *alone; i++) {
        struct allocate_claim claim = claims->list[i];
        claim.index = 0;
        const struct allocate_claims one = { .list = &claim, .count = 1, .ask_count = claims->ask_count, .matches = claims->matches };
        attempt->lift.steps = LIFTED_STEPS;
        *alone = allocate_attempt_run(attempt, &one, attempt->node) == ALLOCATE_DONE;
        attempt->lift.steps = 0;
        attempt->claims = claims;
        if (attempt->failure)
            return attempt->failure;
    }
    return FAILURE_NONE;
}

/* ---- the whole ---- */

static enum failure add_reason(struct allocate_attempt *attempt, struct text *text)
{
    bool found;
    enum failure failure = try_constraints(attempt, text, &found);
    if (failure || found)
        return failure;
    failure = fits_with(attempt, (struct allocate_lift){ .counters = true }, &found);
    if (failure || found) {
        text_add(text, "they consume the same shared counters, of which not enough are left");
        add_short_counter(attempt, text);
        return failure;
    }
    failure = fits_with(attempt, (struct allocate_lift){ .constraints = true }, &found);
    if (failure || found) {
        text_add(text, "several constraints contradict each other");
        return failure;
    }
    failure = fit_alone(attempt, &found);
    if (failure || found) {
        text_add(text, "each claim fits alone, but they need the same devices");
        return failure;
    }
    failure = fits_with(attempt, (struct allocate_lift){ .constraints = true, .counters = true }, &found);
    text_add(text, found ? "constraints and shared counters together keep them apart" : "the requests need the same devices");
    return failure;
}

enum failure allocate_shortage_add(struct allocate_attempt *attempt, struct text *text, bool *found)
{
    uint32_t free;
    int64_t needed = count_needed(attempt->claims);
    enum failure failure = count_free(attempt, &free);
    *found = !failure && free < needed;
    if (failure || !*found)
        return failure ? failure : allocate_crowd_add(attempt, text, found);
    text_add(text, "they need ");
    text_add_integer(text, needed);
    text_add(text, " devices, and ");
    text_add_integer(text, free);
    text_add(text, free == 1 ? " that matches is free" : " that match are free");
    return FAILURE_NONE;
}

enum failure allocate_together_add(struct allocate_attempt *attempt, struct text *text)
{
    bool found;
    text_add(text, "each request fits by itself, but not all together: ");
    enum failure failure = allocate_shortage_add(attempt, text, &found);
    return failure || found ? failure : add_reason(attempt, text);
}
