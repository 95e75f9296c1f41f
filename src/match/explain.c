/* Why a device is not for a request, in words; and which devices have the same reason. */
#include <stdlib.h>

#include "match/capacity.h"
#include "match/limits.h"
#include "match/node.h"
#include "match/report.h"
#include "match/taint.h"

/* ---- words ---- */

static void add_old(struct text *text, const struct match_slice *slice)
{
    text_add(text, "its slice is of generation ");
    text_add_integer(text, slice->generation);
    text_add(text, ", and the pool has a slice of ");
    text_add_integer(text, slice->pool->generation);
}

static void add_node(struct text *text, const struct match_device *device)
{
    struct bytes bound = match_bound_to(device);
    if (!bound.data) {
        text_add(text, "its node selector is for other nodes");
        return;
    }
    text_add(text, "it is on node ");
    text_add_quoted(text, bound, LIMIT_MATCH_VALUE_BYTES);
}

static void add_incomplete(struct text *text, const struct match_pool *pool)
{
    text_add(text, "pool ");
    text_add_quoted(text, pool->name, LIMIT_MATCH_VALUE_BYTES);
    text_add(text, pool->slices < pool->said ? " is incomplete: " : " disagrees with its slices: ");
    text_add_integer(text, pool->slices);
    text_add(text, pool->slices == 1 ? " slice is given, and it says there are " : " slices are given, and they say there are ");
    text_add_integer(text, pool->said);
}

static void add_invalid(struct text *text, const struct match_pool *pool)
{
    text_add(text, "pool ");
    text_add_quoted(text, pool->name, LIMIT_MATCH_VALUE_BYTES);
    text_add(text, pool->twice.data ? " has two devices " : " has not the counters that a device consumes of counter set ");
    text_add_quoted(text, pool->twice.data ? pool->twice : pool->unknown, LIMIT_MATCH_VALUE_BYTES);
}

static enum failure add_capacity(struct match_report *report, const struct match_request *request, const struct match_device *device,
                                 struct text *text)
{
    struct match_shortage shortage;
    enum failure failure = match_capacity_find(report->world, device, request->capacities, &shortage);
    if (!failure)
        match_shortage_add(text, &shortage);
    return failure;
}

static enum failure add_taint(struct match_report *report, const struct match_request *request, const struct match_device *device,
                              struct text *text)
{
    struct match_taint taint;
    enum failure failure = match_taint_find(report->world, device, request->tolerations, &taint);
    if (failure)
        return failure;
    text_add(text, "nothing tolerates its taint ");
    match_taint_add(text, &taint);
    if (taint.rule) {
        text_add(text, " of DeviceTaintRule ");
        text_add_quoted(text, taint.rule->name, LIMIT_MATCH_VALUE_BYTES);
    }
    return FAILURE_NONE;
}

static enum failure add_reason(struct match_report *report, const struct match_request *request, uint32_t number,
                               enum match_reason reason, struct text *text)
{
    struct match_device *device = &report->world->devices[number];
    const struct match_verdict *verdict = &request->verdicts[number];
    switch (reason) {
    case MATCH_OLD_SLICE:
        add_old(text, device->slice);
        break;
    case MATCH_OTHER_NODE:
        add_node(text, device);
        break;
    case MATCH_REFUSED:
    case MATCH_ERROR:
        return match_cause_add(report->world, request->selectors[verdict->selector].expression, device, &verdict->cause, text);
    case MATCH_CAPACITY:
        return add_capacity(report, request, device, text);
    case MATCH_INCOMPLETE:
        add_incomplete(text, device->slice->pool);
        break;
    case MATCH_INVALID:
        add_invalid(text, device->slice->pool);
        break;
    case MATCH_TAINTED:
        return add_taint(report, request, device, text);
    default:
        break;
    }
    return FAILURE_NONE;
}

enum failure match_explain(struct match_report *report, const struct match_request *request, uint32_t device, struct text *text)
{
    const struct match_verdict *verdict = &request->verdicts[device];
    enum failure failure = add_reason(report, request, device, verdict->reason, text);
    for (unsigned reason = 0; reason < MATCH_REASONS && !failure; reason++) {
        if (!(verdict->also & 1u << reason))
            continue;
        text_add(text, "; ");
        failure = add_reason(report, request, device, reason, text);
    }
    return failure;
}

/* ---- groups ---- */

/* What devices of a group have in common. */
struct common {
    struct match_cause cause;
    uint8_t reason, selector;
    uint32_t group;
};

struct grouping {
    struct match_report *report;
    struct match_groups *groups;
    struct common common[LIMIT_MATCH_GROUPS];
    uint32_t count;
};

static const char *label_of(struct match_report *report, const struct match_verdict *verdict)
{
    static const char *const labels[] = {
        [MATCH_FITS] = "match",
        [MATCH_OLD_SLICE] = "of an old generation",
        [MATCH_OTHER_NODE] = "on other nodes",
        [MATCH_CAPACITY] = "without the capacity",
        [MATCH_INCOMPLETE] = "of an incomplete pool",
        [MATCH_INVALID] = "of an invalid pool",
        [MATCH_TAINTED] = "tainted",
    };
    struct text text;
    if (verdict->reason != MATCH_REFUSED && verdict->reason != MATCH_ERROR)
        return labels[verdict->reason];
    text_init(&text, &report->arena);
    match_cause_label(&verdict->cause, &text);
    return text_end(&text);
}

static bool same_cause(const struct common *common, const struct match_verdict *verdict)
{
    return common->reason == verdict->reason && common->selector == verdict->selector && common->cause.node == verdict->cause.node &&
           common->cause.asked == verdict->cause.asked && common->cause.missing == verdict->cause.missing;
}

/* The group with that label, or a new one. The last group takes what there is no room for. */
static uint32_t group_named(struct match_groups *groups, const struct match_verdict *verdict, const char *label, uint32_t device)
{
    uint32_t i = 0;
    while (i < groups->count && strcmp(groups->list[i].label, label) != 0)
        i++;
    if (i < groups->count)
        return i;
    if (groups->count == LIMIT_MATCH_GROUPS)
        return LIMIT_MATCH_GROUPS - 1;
    if (groups->count == LIMIT_MATCH_GROUPS - 1)
        label = "for other reasons";
    bool apart = verdict->reason == MATCH_OLD_SLICE || verdict->reason == MATCH_OTHER_NODE || match_cause_is_driver(&verdict->cause);
    groups->list[groups->count] = (struct match_group){ .reason = verdict->reason, .apart = apart, .label = label, .first = device };
    return groups->count++;
}

static enum failure add_device(struct grouping *grouping, const struct match_verdict *verdict, uint32_t device)
{
    uint32_t i = 0, group;
    while (i < grouping->count && !same_cause(&grouping->common[i], verdict))
        i++;
    if (i == grouping->count) {
        const char *label = label_of(grouping->report, verdict);
        if (!label)
            return grouping->report->arena.failure;
        group = group_named(grouping->groups, verdict, label, device);
        if (i < LIMIT_MATCH_GROUPS)
            grouping->common[grouping->count++] = (struct common){ verdict->cause, verdict->reason, verdict->selector, group };
    } else {
        group = grouping->common[i].group;
    }
    grouping->groups->of_device[device] = group;
    grouping->groups->list[group].count++;
    return FAILURE_NONE;
}

static int compare_groups(const void *a, const void *b)
{
    const struct match_group *one = a, *other = b;
    bool fits = one->reason == MATCH_FITS, other_fits = other->reason == MATCH_FITS;
    if (fits != other_fits)
        return fits ? -1 : 1;
    if (one->apart != other->apart)
        return one->apart ? 1 : -1;
    if (one->count != other->count)
        return one->count > other->count ? -1 : 1;
    return (one->first > other->first) - (one->first < other->first);
}

/* Puts the groups into their order, and the numbers of devices' groups with them. */
static void sort_groups(const struct match_world *world, struct match_groups *groups)
{
    uint32_t first[LIMIT_MATCH_GROUPS], moved[LIMIT_MATCH_GROUPS];
    for (uint32_t i = 0; i < groups->count; i++)
        first[i] = groups->list[i].first;
    qsort(groups->list, groups->count, sizeof *groups->list, compare_groups);
    for (uint32_t i = 0; i < groups->count; i++)
        for (uint32_t j = 0; j < groups->count; j++)
            if (groups->list[j].first == first[i])
                moved[i] = j;
    for (uint32_t i = 0; i < world->device_count; i++)
        groups->of_device[i] = moved[groups->of_device[i]];
}

static bool is_of(const struct match_device *device, struct bytes driver)
{
    return !driver.data || bytes_equal(device->slice->driver, driver);
}

enum failure match_groups_of_driver(struct match_report *report, const struct match_request *request, struct bytes driver,
                                    struct match_groups *groups)
{
    const struct match_world *world = report->world;
    struct grouping grouping = { .report = report, .groups = groups };
    enum failure failure = FAILURE_NONE;
    groups->count = 0;
    groups->list = arena_alloc(&report->arena, LIMIT_MATCH_GROUPS * sizeof *groups->list);
    groups->of_device = arena_alloc(&report->arena, (world->device_count + (size_t)1) * sizeof *groups->of_device);
    if (!groups->list || !groups->of_device)
        return report->arena.failure;
    for (uint32_t i = 0; i < world->device_count && !failure; i++)
        if (is_of(&world->devices[i], driver))
            failure = add_device(&grouping, &request->verdicts[i], i);
        else
            groups->of_device[i] = 0;
    if (!failure && groups->count)
        sort_groups(world, groups);
    return failure;
}

enum failure match_groups_of(struct match_report *report, const struct match_request *request, struct match_groups *groups)
{
    return match_groups_of_driver(report, request, (struct bytes){ NULL, 0 }, groups);
}
