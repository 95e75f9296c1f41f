#include "match/in_set.h"

#include "base/limits.h"
#include "check/others.h"
#include "match/limits.h"
#include "match/part.h"
#include "match/relation.h"
#include "match/report.h"
#include "match/taint.h"

/* What is known: the objects, read when the first row asks; the report of the object about which the last one asked, and its answer. */
struct matching {
    const struct memory *memory;
    const struct context *context;
    const struct source *sources;
    minor version;
    bool read, usable;                    /* the world: whether it was tried, and whether it can be asked */
    struct match_world world;
    const struct item *item;              /* NULL: none yet */
    enum failure failure;                 /* of its report */
    struct match_report report;
    const struct match_request *request;  /* NULL: none yet */
    struct matched matched;
    struct arena words;
};

static const struct bytes none = { NULL, 0 };

/* ---- the driver ---- */

/* Whether the part is true for one driver only. */
static struct bytes driver_of_part(const struct cel_node *node)
{
    struct match_relation relation;
    while (match_is_call(node, "_&&_")) { /* each turn goes one part down */
        struct bytes driver = driver_of_part(node->call.arguments[1]);
        if (driver.data)
            return driver;
        node = node->call.arguments[0];
    }
    const struct match_cause cause = { .node = node, .asked = true };
    if (!match_cause_is_driver(&cause) || !match_relation_of(node, true, &relation) || relation.operator != MATCH_EQUAL ||
        relation.right->kind != CEL_NODE_LITERAL || relation.right->literal.type != CEL_STRING)
        return none;
    return relation.right->literal.text;
}

static struct bytes driver_of(const struct match_request *request)
{
    struct bytes driver = none;
    for (uint32_t i = 0; i < request->selector_count && !driver.data; i++)
        driver = driver_of_part(request->selectors[i].expression->compiled.tree.root);
    return driver;
}

/* Nothing is said of other requests, so nothing is asked for each of them and each device. */
static bool names_driver(const struct match_request *request)
{
    return request->bad || driver_of(request).length;
}

/* ---- numbers ---- */

static bool holds_template(struct bytes name)
{
    return name.length && memchr(name.data, '{', name.length);
}

/* Whether all that the driver has is given, and can be read. */
static bool is_whole(const struct match_world *world, struct bytes driver)
{
    for (uint32_t i = 0; i < world->slice_count; i++) {
        const struct match_slice *slice = &world->slices[i];
        if (!bytes_equal(slice->driver, driver))
            continue;
        if (!match_pool_is_complete(slice->pool) || match_pool_is_invalid(slice->pool) || holds_template(slice->name) ||
            holds_template(slice->pool->name))
            return false;
    }
    return !world->undecodable;
}

static void count_devices(const struct match_report *report, const struct match_request *request, struct matched *matched)
{
    for (uint32_t i = 0; i < report->world->device_count; i++) {
        const struct match_device *device = &report->world->devices[i];
        enum match_reason reason = request->verdicts[i].reason;
        if (!bytes_equal(device->slice->driver, matched->driver) || reason == MATCH_OLD_SLICE)
            continue;
        bool selected = reason != MATCH_REFUSED && reason != MATCH_ERROR;
        matched->devices++;
        matched->selected += selected;
        matched->fit += reason == MATCH_FITS;
        matched->shared |= selected && value_is_true(match_at(device->value, "allowMultipleAllocations"));
    }
}

static void read_supply(const struct match_report *report, const struct match_request *request, struct matched *matched)
{
    static const enum matched_supply supplies[MATCH_OUTCOMES] = {
        [MATCH_TOO_FEW] = MATCHED_TOO_FEW, [MATCH_SPREAD] = MATCHED_SPREAD, [MATCH_KEPT_OUT] = MATCHED_KEPT_OUT,
    };
    bool enough = false;
    matched->first = true;
    for (uint32_t i = 0; i < report->count; i++) {
        const struct match_request *other = &report->requests[i];
        if (other->ordinal != request->ordinal || other == request)
            continue;
        enough |= !supplies[other->outcome]; /* or it is not known */
        matched->first &= other > request;
        for (uint32_t j = 0; other->verdicts && j < report->world->device_count && !matched->replaced; j++)
            matched->replaced = other->verdicts[j].reason == MATCH_FITS;
        matched->replaced |= !other->verdicts;
    }
    matched->supply = enough ? MATCHED_ENOUGH : supplies[request->outcome];
    matched->wanted = request->wanted;
    matched->best = request->best;
    matched->on_best = request->on_best;
}

/* ---- reasons ---- */

/* Devices for which one part of one selector decides. */
struct tally {
    const struct cel_node *node;
    enum match_reason reason;
    uint32_t selector, count, first;
};

/* Whether a selector of the request itself decides for the device, of the driver, in a pool that can be used. */
static bool is_decided(const struct matching *matching, const struct match_request *request, uint32_t device, enum match_reason reason)
{
    const unsigned pools = 1u << MATCH_INCOMPLETE | 1u << MATCH_INVALID;
    const struct match_verdict *verdict = &request->verdicts[device];
    return verdict->reason == reason && !(verdict->also & pools) &&
           bytes_equal(matching->world.devices[device].slice->driver, matching->matched.driver) &&
           (!request->selectors[verdict->selector].of_class || match_is(matching->item, "resource.k8s.io", "DeviceClass"));
}

/* The commonest of those devices for which selectors of the request itself decide so. */
static struct tally find_commonest(const struct matching *matching, const struct match_request *request, enum match_reason reason,
                                   uint32_t *all)
{
    const struct match_report *report = &matching->report;
    struct tally tallies[LIMIT_MATCH_TALLIES], commonest = { .count = 0 };
    uint32_t count = 0, i;
    for (uint32_t device = 0; device < report->world->device_count; device++) {
        const struct match_verdict *verdict = &request->verdicts[device];
        if (!is_decided(matching, request, device, reason))
            continue;
        (*all)++;
        for (i = 0; i < count; i++)
            if (tallies[i].node == verdict->cause.node && tallies[i].selector == verdict->selector)
                break;
        if (i == LIMIT_MATCH_TALLIES)
            continue;
        if (i == count)
            tallies[count++] = (struct tally){ verdict->cause.node, reason, verdict->selector, 0, device };
        if (++tallies[i].count > commonest.count)
            commonest = tallies[i];
    }
    return commonest;
}

/* '"name" in device.attributes["domain"] && ..., or .?name.orValue(...)'. */
static const char *find_instead(struct matching *matching, const struct match_cause *cause)
{
    const struct match_lookup lookup =
        cause->missing && cause->node ? match_lookup_of(cause->node) : (struct match_lookup){ .field = NULL };
    struct text text;
    if (!lookup.field || !lookup.domain.data || !lookup.name.data)
        return NULL;
    text_init(&text, &matching->words);
    text_add_quoted(&text, lookup.name, LIMIT_MATCH_VALUE_BYTES);
    text_add(&text, " in device.");
    text_add(&text, lookup.field);
    text_add(&text, "[");
    text_add_quoted(&text, lookup.domain, LIMIT_MATCH_VALUE_BYTES);
    text_add(&text, "] && ..., or write .?");
    text_add_escaped(&text, lookup.name, LIMIT_MATCH_VALUE_BYTES);
    text_add(&text, ".orValue(...)");
    return text_end(&text);
}

static bool is_of(const struct matching *matching, const struct match_request *request, uint32_t device, const struct tally *tally)
{
    const struct match_verdict *verdict = &request->verdicts[device];
    return is_decided(matching, request, device, tally->reason) && verdict->cause.node == tally->node &&
           verdict->selector == tally->selector;
}

/* What decides for a device, in words; NULL: a failure. */
static const char *find_words(struct matching *matching, const struct match_request *request, uint32_t device, enum failure *failure)
{
    const struct match_verdict *verdict = &request->verdicts[device];
    struct match_world *world = matching->report.world;
    struct text text;
    text_init(&text, &matching->words);
    *failure = match_cause_add(world, request->selectors[verdict->selector].expression, &world->devices[device], &verdict->cause, &text);
    const char *words = text_end(&text);
    *failure = *failure ? *failure : matching->words.failure;
    return *failure ? NULL : words;
}

/* Of devices that differ in what is there, the first with the commonest words: of some that are spread over all of the tally. */
static enum failure find_typical(struct matching *matching, const struct match_request *request, const struct tally *tally,
                                 uint32_t *device, const char **words)
{
    struct { const char *words; uint32_t device, count; } samples[LIMIT_MATCH_SAMPLES];
    uint32_t count = 0, number = 0, best = 0;
    uint32_t step = (tally->count + LIMIT_MATCH_SAMPLES - 1) / LIMIT_MATCH_SAMPLES | 1; /* odd: nodes have even numbers of devices */
    enum failure failure = FAILURE_NONE;
    for (uint32_t i = tally->first; i < matching->report.world->device_count && !failure; i++) {
        if (!is_of(matching, request, i, tally) || number++ % step)
            continue;
        const char *here = find_words(matching, request, i, &failure);
        uint32_t same = 0;
        while (here && same < count && strcmp(samples[same].words, here) != 0)
            same++;
        if (here && same == count) {
            samples[count].words = here;
            samples[count].device = i;
            samples[count++].count = 0;
        }
        if (here && ++samples[same].count > samples[best].count)
            best = same;
    }
    *device = count ? samples[best].device : tally->first;
    *words = count ? samples[best].words : "";
    return failure;
}

static enum failure find_reason(struct matching *matching, const struct match_request *request, enum match_reason reason,
                                struct matched_reason *found)
{
    const struct match_world *world = matching->report.world;
    const struct tally commonest = find_commonest(matching, request, reason, &found->count);
    uint32_t typical;
    if (!commonest.count)
        return FAILURE_NONE;
    enum failure failure = find_typical(matching, request, &commonest, &typical, &found->why);
    const struct match_device *device = &world->devices[typical];
    found->selector = request->selectors[commonest.selector].index;
    found->instead = find_instead(matching, &request->verdicts[typical].cause);
    found->device = device->name;
    found->at = (struct indexed){ .object = device->slice->item->object, .value = device->value };
    return failure ? failure : matching->words.failure;
}

/* A device that is selected and does not fit: of the commoner reason. */
static enum failure find_kept(struct matching *matching, const struct match_request *request)
{
    struct match_report *report = &matching->report;
    struct matched *matched = &matching->matched;
    enum match_reason reason = request->counts[MATCH_CAPACITY] > request->counts[MATCH_TAINTED] ? MATCH_CAPACITY : MATCH_TAINTED;
    struct match_taint taint;
    struct text text;
    uint32_t i = 0;
    while (i < report->world->device_count && (request->verdicts[i].reason != reason ||
           !bytes_equal(report->world->devices[i].slice->driver, matched->driver)))
        i++;
    if (i == report->world->device_count)
        return FAILURE_NONE;
    const struct match_device *device = &report->world->devices[i];
    text_init(&text, &matching->words);
    enum failure failure = match_explain(report, request, i, &text);
    if (!failure && reason == MATCH_TAINTED)
        failure = match_taint_find(report->world, device, request->tolerations, &taint);
    if (!failure && reason == MATCH_TAINTED) {
        matched->taint = value_text(match_at(taint.taint, "key"));
        matched->effect = value_text(match_at(taint.taint, "effect"));
    }
    matched->kept = (struct matched_reason){ .count = request->counts[reason], .why = text_end(&text), .device = device->name,
                                             .at = { .object = device->slice->item->object, .value = device->value } };
    return failure ? failure : matching->words.failure;
}

/* "5 wrong model, 1 tainted". */
static enum failure add_sums(struct matching *matching, const struct match_request *request)
{
    struct match_groups groups;
    struct text text;
    uint32_t said = 0;
    enum failure failure = match_groups_of_driver(&matching->report, request, matching->matched.driver, &groups);
    text_init(&text, &matching->words);
    for (uint32_t i = 0; i < groups.count && !failure; i++) {
        const struct match_group *group = &groups.list[i];
        if (group->reason == MATCH_FITS || group->reason == MATCH_OLD_SLICE)
            continue;
        text_add(&text, said ? ", " : "");
        if (said++ == LIMIT_MATCH_SUMS) {
            text_add(&text, "and so on");
            break;
        }
        text_add_integer(&text, group->count);
        text_add(&text, " ");
        text_add(&text, group->label);
    }
    matching->matched.sums = text_end(&text);
    return failure ? failure : matching->words.failure;
}

/* ---- answers ---- */

static enum failure answer(struct matching *matching, const struct match_request *request)
{
    struct matched *matched = &matching->matched;
    const struct match_world *world = &matching->world;
    *matched = (struct matched){ .sums = "" };
    matching->request = request;
    arena_clear(&matching->words);
    if (!request->verdicts)
        return FAILURE_NONE;
    matched->driver = driver_of(request);
    if (!matched->driver.length)
        return FAILURE_NONE;
    count_devices(&matching->report, request, matched);
    read_supply(&matching->report, request, matched);
    if (!matched->devices)
        return FAILURE_NONE;
    matched->whole = is_whole(world, matched->driver);
    enum failure failure = find_reason(matching, request, MATCH_REFUSED, &matched->refused);
    if (!failure && (request->class || !world->bounds.without_class))
        failure = find_reason(matching, request, MATCH_ERROR, &matched->failed);
    if (!failure && matched->selected && !matched->fit)
        failure = find_kept(matching, request);
    return failure ? failure : add_sums(matching, request);
}

static enum failure read_world(struct matching *matching)
{
    static const struct match_bounds bounds = {
        .objects = LIMIT_MATCH_SET_BYTES, .values = LIMIT_MATCH_SET_VALUES, .report = LIMIT_MATCH_SET_REPORT,
        .work = LIMIT_MATCH_SET_WORK, .without_class = true, .wants = names_driver,
    };
    bool slices = false;
    matching->read = true;
    for (const struct source *source = matching->sources; source && !slices; source = source->next)
        for (const struct item *item = source->first; item && !slices; item = item->next)
            slices = match_is_slice(item);
    if (!slices)
        return FAILURE_NONE;
    enum failure failure =
        match_world_init_within(&matching->world, matching->context, matching->sources, matching->version, none, &bounds);
    if (failure)
        match_world_done(&matching->world);
    matching->usable = !failure;
    return failure;
}

static enum failure read_item(struct matching *matching, const struct item *item)
{
    if (matching->item == item)
        return matching->failure;
    if (matching->item)
        match_report_done(&matching->report);
    matching->item = item;
    matching->request = NULL;
    matching->failure = match_report_init(&matching->report, &matching->world, item);
    return matching->failure;
}

static const struct match_request *find_request(const struct match_report *report, struct bytes request, struct bytes choice)
{
    for (uint32_t i = 0; i < report->count && !report->fault; i++) {
        const struct match_request *one = &report->requests[i];
        if (bytes_equal(one->name, request) && !one->choice.data == !choice.data && bytes_equal(one->choice, choice))
            return one;
    }
    return NULL;
}

/* Whether the claim has its devices already. */
static bool is_allocated(const struct item *item)
{
    const struct value root = { item->kind->shape, item->node, 0 };
    return value_is_set(match_at(root, "status.allocation"));
}

static enum failure ask(struct matching *matching, const struct item *item, struct bytes request, struct bytes choice, bool *known)
{
    enum failure failure = matching->read ? FAILURE_NONE : read_world(matching);
    if (failure || !matching->usable || is_allocated(item))
        return failure;
    failure = read_item(matching, item);
    const struct match_request *found = failure ? NULL : find_request(&matching->report, request, choice);
    if (found && found != matching->request)
        failure = answer(matching, found);
    *known = found && !failure && matching->matched.devices;
    return failure;
}

static enum failure in_set_find(struct matching *matching, const struct object *object, struct bytes request, struct bytes choice,
                                bool *known, struct matched *matched)
{
    enum failure failure = ask(matching, object->owner, request, choice, known);
    if (*known)
        *matched = matching->matched;
    return failure == FAILURE_LIMIT ? FAILURE_NONE : failure;
}

static enum failure in_set_new(const struct context *context, const struct source *sources, minor version, struct matching **matching)
{
    struct matching *made = context->memory->allocate(sizeof *made, context->memory->data);
    if (!made)
        return FAILURE_MEMORY;
    *made = (struct matching){ .memory = context->memory, .context = context, .sources = sources, .version = version };
    arena_init(&made->words, context->memory, LIMIT_ARENA_BYTES);
    *matching = made;
    return FAILURE_NONE;
}

static void in_set_free(struct matching *matching)
{
    if (matching->item)
        match_report_done(&matching->report);
    if (matching->usable)
        match_world_done(&matching->world);
    arena_done(&matching->words);
    matching->memory->release(matching, matching->memory->data);
}

const struct matcher match_in_set = { in_set_new, in_set_find, in_set_free };
