/* What keeps devices from a request, in words. */
#include "allocate/device.h"
#include "allocate/store.h"
#include "allocate/why.h"
#include "match/cause.h"
#include "match/device.h"
#include "match/limits.h"
#include "match/taint.h"

enum { HOLDERS_SAID = 3 };

struct why_words {
    struct allocate_attempt *attempt;
    const struct allocate_funnel *funnel;
    struct text *text;
    enum failure failure;
};

static void add_name(struct text *text, struct bytes name)
{
    text_add_escaped(text, name, LIMIT_ALLOCATE_NAME_BYTES);
}

static void add_pool(struct text *text, const struct allocate_pool_name *pool)
{
    add_name(text, pool->driver);
    text_add(text, "/");
    add_name(text, pool->name);
}

/* ---- in use ---- */

/* "claim ns/a of pod p". */
static void add_holder(struct text *text, const struct allocate_stored *claim)
{
    text_add(text, "claim ");
    add_name(text, claim->space);
    text_add(text, claim->space.length ? "/" : "");
    add_name(text, claim->name);
    if (!claim->consumers) {
        text_add(text, ", which no pod has reserved");
        return;
    }
    text_add(text, " of pod ");
    add_name(text, claim->consumers->name);
    if (claim->consumer_count > 1) {
        text_add(text, " and ");
        text_add_integer(text, (int64_t)claim->consumer_count - 1);
        text_add(text, " more");
    }
}

struct holders {
    const struct allocate_stored *said[HOLDERS_SAID];
    uint32_t count, more;
};

static void note_holders(const struct allocate_device *device, struct holders *holders, struct text *text)
{
    for (const struct allocate_holder *holder = device->identity->holders; holder; holder = holder->next) {
        uint32_t i = 0;
        while (i < holders->count && holders->said[i] != holder->claim)
            i++;
        if (i < holders->count)
            continue;
        if (i == HOLDERS_SAID) {
            holders->more++;
            continue;
        }
        holders->said[holders->count++] = holder->claim;
        text_add(text, i ? ", " : " (");
        add_holder(text, holder->claim);
    }
}

/* The claims that have devices of the class which the node sees. */
static void add_holders(struct why_words *w, bool shared)
{
    struct holders holders = { .count = 0 };
    for (uint32_t i = 0; i < w->attempt->view->count; i++)
        for (uint32_t j = 0; j < w->attempt->view->pools[i]->here_count; j++) {
            const struct allocate_slice *slice = w->attempt->view->pools[i]->here[j];
            for (uint32_t k = 0; k < slice->device_count && !w->failure; k++) {
                const struct allocate_device *device = &slice->devices[k];
                enum allocate_obstacle obstacle;
                if (!device->identity->holders || device->identity->taken == shared)
                    continue;
                w->failure = allocate_look(w->attempt, w->funnel->ask, device, &obstacle);
                if (obstacle == (shared ? OBSTACLE_SHARED : OBSTACLE_HELD))
                    note_holders(device, &holders, w->text);
            }
        }
    if (holders.more) {
        text_add(w->text, " and ");
        text_add_integer(w->text, holders.more);
        text_add(w->text, " more");
    }
    text_add(w->text, holders.count ? ")" : "");
}

/* ---- selectors ---- */

/* Adds "device.capacity["d"].memory is 40Gi, the selector asks for >= 80Gi". */
static void add_cause(struct why_words *w, const struct allocate_selector *selector, const struct allocate_device *device)
{
    struct match_world *matching = w->attempt->world->matching;
    struct match_device *matched = allocate_evaluated(w->attempt->world, device);
    const struct cel_value *value;
    struct cel_result result;
    struct match_cause cause;
    w->failure = match_device_evaluated(matching, matched, &value);
    if (w->failure || !selector->expression->program)
        return;
    w->failure = match_evaluate(matching, selector->expression, NULL, value, &result);
    if (!w->failure)
        w->failure = match_cause_find(matching, selector->expression, value, &result, &cause);
    if (!w->failure && cause.node)
        w->failure = match_cause_add(matching, selector->expression, matched, &cause, w->text);
}

static void add_selector(struct why_words *w, const struct allocate_device *device)
{
    bool several = w->funnel->counts[OBSTACLE_SELECTOR] > 1;
    text_add(w->text, " selectors[");
    text_add_integer(w->text, w->funnel->selector);
    text_add(w->text, several ? "] (" : "]: ");
    if (several) {
        add_name(w->text, device->name);
        text_add(w->text, ": ");
    }
    add_cause(w, w->funnel->ask->selectors[w->funnel->selector], device);
    text_add(w->text, several ? ")" : "");
}

enum failure allocate_error_cause_add(struct allocate_attempt *attempt, const struct allocate_funnel *funnel, struct text *text)
{
    struct why_words w = { .attempt = attempt, .funnel = funnel, .text = text };
    text_add(text, ": ");
    add_cause(&w, funnel->failing, funnel->first[OBSTACLE_ERROR]);
    return w.failure;
}

/* ---- pools ---- */

void allocate_pool_state_add(const struct allocate_pool *pool, struct text *text)
{
    if (pool->incomplete) {
        text_add(text, " (");
        text_add_integer(text, pool->found);
        text_add(text, pool->found == 1 ? " slice of " : " slices of ");
        text_add_integer(text, pool->wanted);
        text_add(text, ")");
    } else if (pool->twice.data) {
        text_add(text, " (two devices or counter sets are named ");
        text_add_quoted(text, pool->twice, LIMIT_ALLOCATE_NAME_BYTES);
        text_add(text, ")");
    } else if (pool->lacking) {
        text_add(text, " (");
        add_name(text, pool->lacking->name);
        text_add(text, " consumes a counter that is not there)");
    }
}

static void add_unusable(struct why_words *w, const struct allocate_device *device, const char *state)
{
    const struct allocate_pool *pool = allocate_pool_in(w->attempt->world, w->attempt->view, device->slice->pool);
    text_add(w->text, state);
    add_pool(w->text, device->slice->pool);
    if (pool)
        allocate_pool_state_add(pool, w->text);
}

static void add_incomplete(struct why_words *w, const struct allocate_device *device)
{
    add_unusable(w, device, " in the incomplete pool ");
}

static void add_invalid(struct why_words *w, const struct allocate_device *device)
{
    add_unusable(w, device, " in the invalid pool ");
}

static void add_old(struct why_words *w, const struct allocate_device *device)
{
    text_add(w->text, " in a slice of an older generation of pool ");
    add_pool(w->text, device->slice->pool);
}

static void add_gate(struct why_words *w, const struct allocate_device *device)
{
    const struct allocate_features *on = &w->attempt->world->mode.on;
    bool parts = !on->part && (device->slice->mentions_by_device || device->use_count);
    text_add(w->text, parts ? " without the scheduler's feature gate DRAPartitionableDevices"
                            : " without the scheduler's feature gate DRADeviceBindingConditions");
}

/* ---- what a device has ---- */

/* Adds " (gpu-0 gives at most 20Gi of memory, 30Gi is asked)": what the capacity's requestPolicy refuses. */
static void add_policy(struct why_words *w, const struct allocate_device *device, const struct allocate_capacity *capacity,
                       const struct amount *asked)
{
    const struct allocate_policy *policy = capacity->policy;
    bool too_much = policy->has_max && asked->nano > policy->max.nano;
    text_add(w->text, " (");
    add_name(w->text, device->name);
    text_add(w->text, too_much ? " gives at most " : " gives only certain amounts");
    if (too_much)
        amount_add_text(w->text, &policy->max);
    text_add(w->text, " of ");
    add_name(w->text, names_text(&w->attempt->world->names, capacity->name));
    text_add(w->text, ", ");
    amount_add_text(w->text, asked);
    text_add(w->text, " is asked)");
}

static void add_capacity(struct why_words *w, const struct allocate_device *device, bool in_use)
{
    const struct allocate_ask *ask = w->funnel->ask;
    for (uint32_t i = 0; i < device->capacity_count; i++) {
        const struct allocate_capacity *capacity = &device->capacities[i];
        struct amount taken = allocate_taken(w->attempt->world, capacity, ask), left = capacity->value;
        if (!in_use && allocate_is_against(capacity->policy, &taken)) {
            add_policy(w, device, capacity, &taken);
            return;
        }
        for (uint32_t j = 0; j < device->identity->part_count && in_use; j++)
            if (device->identity->parts[j].name == capacity->name)
                left.nano -= device->identity->parts[j].nano;
        if (taken.nano <= left.nano)
            continue;
        text_add(w->text, " (");
        add_name(w->text, device->name);
        text_add(w->text, " has ");
        amount_add_text(w->text, &left);
        text_add(w->text, in_use ? " left of " : " of ");
        add_name(w->text, names_text(&w->attempt->world->names, capacity->name));
        text_add(w->text, ", ");
        amount_add_text(w->text, &taken);
        text_add(w->text, " is asked)");
        return;
    }
    for (uint32_t i = 0; i < ask->asked_count; i++) {
        uint32_t j = 0;
        while (j < device->capacity_count && device->capacities[j].name != ask->asked[i].name)
            j++;
        if (j < device->capacity_count)
            continue;
        text_add(w->text, " (");
        add_name(w->text, device->name);
        text_add(w->text, " has no capacity ");
        text_add_quoted(w->text, names_text(&w->attempt->world->names, ask->asked[i].name), LIMIT_ALLOCATE_NAME_BYTES);
        text_add(w->text, ")");
        return;
    }
}

static void add_taint(struct why_words *w, const struct allocate_device *device)
{
    const struct allocate_taint *taint = allocate_taint_of(w->funnel->ask, device);
    text_add(w->text, " tainted ");
    match_taint_add(w->text, &(struct match_taint){ .taint = taint->value });
    if (!taint->rule.data)
        return;
    text_add(w->text, " by DeviceTaintRule ");
    add_name(w->text, taint->rule);
}

void allocate_counter_add(const struct allocate_world *world, const struct allocate_use *use, struct text *text)
{
    add_name(text, names_text(&world->names, use->set));
    text_add(text, "/");
    add_name(text, allocate_name_last(names_text(&world->counters, use->slot)));
}

/* The first counter of which too little is left. */
static void add_counters(struct why_words *w, const struct allocate_device *device)
{
    struct allocate_world *world = w->attempt->world;
    for (uint32_t i = 0; i < device->use_count; i++) {
        const struct allocate_use *use = &device->uses[i];
        if (use->slot == ALLOCATE_NO_SLOT || !world->is_available[use->slot] || world->available[use->slot] >= use->nano)
            continue;
        const struct amount left = { .nano = world->available[use->slot], .notation = AMOUNT_BINARY };
        const struct amount asked = { .nano = use->nano, .notation = AMOUNT_BINARY };
        text_add(w->text, " (");
        add_name(w->text, device->name);
        text_add(w->text, " needs ");
        amount_add_text(w->text, &asked);
        text_add(w->text, " of counter ");
        allocate_counter_add(world, use, w->text);
        text_add(w->text, ", ");
        amount_add_text(w->text, &left);
        text_add(w->text, left.nano == AMOUNT_UNIT ? " is left)" : " are left)");
        return;
    }
    text_add(w->text, " (more of the pool's counters is allocated than there is)");
}

/* ---- the whole ---- */

/* Which words follow the count of an obstacle, and what says more. */
typedef void detail(struct why_words *w, const struct allocate_device *device);

static void add_shared(struct why_words *w, const struct allocate_device *device)
{
    add_capacity(w, device, true);
    add_holders(w, true);
}

static void add_lacking(struct why_words *w, const struct allocate_device *device)
{
    add_capacity(w, device, false);
}

static void add_held(struct why_words *w, const struct allocate_device *device)
{
    (void)device;
    add_holders(w, false);
}

static const struct obstacle_words {
    const char *one, *many;
    detail *add; /* NULL: nothing */
} obstacle_words[OBSTACLES] = {
    [OBSTACLE_NONE] = { "is free", "are free", NULL },
    [OBSTACLE_SELECTOR] = { "does not match", "do not match", add_selector },
    [OBSTACLE_ERROR] = { "makes a selector fail", "make a selector fail", NULL },
    [OBSTACLE_GATE] = { "cannot be used", "cannot be used", add_gate },
    [OBSTACLE_OLD] = { "is", "are", add_old },
    [OBSTACLE_INCOMPLETE] = { "is", "are", add_incomplete },
    [OBSTACLE_INVALID] = { "is", "are", add_invalid },
    [OBSTACLE_HELD] = { "is in use", "are in use", add_held },
    [OBSTACLE_CAPACITY] = { "has not the capacity", "have not the capacity", add_lacking },
    [OBSTACLE_SHARED] = { "has too little left", "have too little left", add_shared },
    [OBSTACLE_TAINT] = { "is", "are", add_taint },
    [OBSTACLE_COUNTERS] = { "lacks counters", "lack counters", add_counters },
};

/* "5 are in use (claim …)", "1 is tainted …". */
static void add_obstacle(struct why_words *w, enum allocate_obstacle obstacle, const char **between)
{
    const struct obstacle_words *words = &obstacle_words[obstacle];
    uint32_t count = w->funnel->counts[obstacle];
    if (!count || w->failure)
        return;
    text_add(w->text, *between);
    text_add_integer(w->text, count);
    text_add(w->text, " ");
    text_add(w->text, count == 1 ? words->one : words->many);
    if (words->add)
        words->add(w, w->funnel->first[obstacle]);
    *between = ", ";
}

static void add_request(struct why_words *w)
{
    const struct allocate_ask *ask = w->funnel->ask;
    text_add(w->text, w->attempt->claims->count > 1 ? "claim " : "");
    if (w->attempt->claims->count > 1) {
        add_name(w->text, w->funnel->claim->name);
        text_add(w->text, ", ");
    }
    text_add(w->text, "request \"");
    add_name(w->text, ask->request->name);
    text_add(w->text, ask->request->alternatives ? "/" : "");
    add_name(w->text, ask->request->alternatives ? ask->name : (struct bytes)BYTES(""));
    text_add(w->text, ask->mode == ALLOCATE_ALL ? "\" wants all devices" : "\" needs ");
    if (ask->mode != ALLOCATE_ALL)
        text_add_integer(w->text, ask->count);
}

static void add_none(struct why_words *w)
{
    const struct allocate_funnel *funnel = w->funnel;
    text_add(w->text, "no device that the node sees is of class ");
    text_add_quoted(w->text, funnel->ask->class_name, LIMIT_ALLOCATE_NAME_BYTES);
    if (!funnel->elsewhere)
        return;
    text_add(w->text, "; ");
    text_add_integer(w->text, funnel->elsewhere);
    text_add(w->text, funnel->elsewhere == 1 ? " that matches is" : " that match are");
    text_add(w->text, funnel->where.data ? " elsewhere, as on " : " elsewhere");
    add_name(w->text, funnel->where);
}

/* The obstacles that there are: devices that are free first, then the commonest. */
static uint32_t sort_obstacles(const struct allocate_funnel *funnel, enum allocate_obstacle list[OBSTACLES])
{
    static const enum allocate_obstacle order[] = {
        OBSTACLE_HELD,  OBSTACLE_SHARED,   OBSTACLE_SELECTOR,   OBSTACLE_TAINT,   OBSTACLE_CAPACITY, OBSTACLE_COUNTERS,
        OBSTACLE_GATE,  OBSTACLE_INCOMPLETE, OBSTACLE_INVALID,  OBSTACLE_OLD,     OBSTACLE_ERROR,
    };
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        uint32_t at = count;
        if (!funnel->counts[order[i]])
            continue;
        for (; at && funnel->counts[list[at - 1]] < funnel->counts[order[i]]; at--)
            list[at] = list[at - 1];
        list[at] = order[i];
        count++;
    }
    return count;
}

enum failure allocate_funnel_add(struct allocate_attempt *attempt, const struct allocate_funnel *funnel, struct text *text)
{
    struct why_words w = { .attempt = attempt, .funnel = funnel, .text = text };
    enum allocate_obstacle list[OBSTACLES];
    const char *between = " ";
    uint32_t count = sort_obstacles(funnel, list), devices = funnel->counts[OBSTACLE_NONE];
    for (uint32_t i = 0; i < count; i++)
        devices += funnel->counts[list[i]];
    add_request(&w);
    text_add(text, devices ? "; of " : "; ");
    if (!devices) {
        add_none(&w);
        return w.failure;
    }
    text_add_integer(text, devices);
    text_add(text, devices == 1 ? " device" : " devices");
    add_obstacle(&w, OBSTACLE_NONE, &between);
    for (uint32_t i = 0; i < count; i++)
        add_obstacle(&w, list[i], &between);
    return w.failure;
}
