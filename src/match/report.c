#include "match/report.h"

#include "base/near.h"
#include "match/capacity.h"
#include "match/limits.h"
#include "match/node.h"
#include "match/taint.h"

static const char resource[] = "resource.k8s.io";

bool match_is_subject(const struct item *item)
{
    return match_is(item, resource, "ResourceClaim") || match_is(item, resource, "ResourceClaimTemplate") ||
           match_is(item, resource, "DeviceClass");
}

/* ---- requests ---- */

/* The class of that name, or the one that may be meant. */
static void find_class(struct match_report *report, struct match_request *request)
{
    const struct match_world *world = report->world;
    request->class = request->class_name.length ? map_find(&world->classes, request->class_name) : NULL;
    struct nearest nearest = { .wanted = request->class_name };
    uint32_t compared = 0;
    for (const struct match_named *class = world->all_classes; class && !request->class && compared < LIMIT_MATCH_NEAR;
         class = class->next, compared++)
        near_consider(&nearest, class->name);
    request->near = nearest.found;
}

static enum failure add_selectors(struct match_report *report, struct match_request *request, struct value selectors, bool of_class)
{
    value_each(selectors, element) {
        struct value text = match_at(element, "cel.expression");
        struct match_selector *selector = &request->selectors[request->selector_count++];
        *selector = (struct match_selector){ .of_class = of_class, .index = element.index };
        enum failure failure = FAILURE_NONE;
        if (value_is_set(text))
            failure = match_expression_of(report->world, &cel_device_library, value_text(text), &selector->expression);
        if (failure)
            return failure;
        bool good = selector->expression && selector->expression->program;
        if (!good && !request->bad)
            request->bad = selector;
    }
    return FAILURE_NONE;
}

static enum failure read_selectors(struct match_report *report, struct match_request *request, struct value own)
{
    struct value of_class = request->class ? match_at(request->class->root, "spec.selectors") : (struct value){ .shape = NULL };
    if (value_count(of_class) > LIMIT_MATCH_SELECTORS || value_count(own) > LIMIT_MATCH_SELECTORS) {
        report->fault = "has more than 32 selectors in one list";
        return FAILURE_NONE;
    }
    size_t count = value_count(of_class) + value_count(own) + 1u;
    request->selectors = arena_alloc(&report->arena, count * sizeof *request->selectors);
    if (!request->selectors)
        return report->arena.failure;
    enum failure failure = add_selectors(report, request, of_class, true);
    return failure ? failure : add_selectors(report, request, own, false);
}

static enum failure add_request(struct match_report *report, struct value value, struct bytes name, struct bytes choice)
{
    struct match_request *request = &report->requests[report->count++];
    struct value mode = match_at(value, "allocationMode"), count = match_at(value, "count");
    bool exact = !value_text(mode).length || value_is(mode, "ExactCount");
    *request = (struct match_request){
        .name = name,
        .choice = choice,
        .class_name = value_text(match_at(value, "deviceClassName")),
        .all = value_is(mode, "All"),
        .wanted = value_is_set(count) ? value_integer(count) : 1,
        .tolerations = match_at(value, "tolerations"),
        .capacities = match_at(value, "capacity.requests"),
    };
    request->admin = value_has(value, "adminAccess") && value_is_true(match_at(value, "adminAccess"));
    find_class(report, request);
    if (!exact && !request->all)
        request->outcome = MATCH_NO_MODE;
    else if (!request->class && !report->world->bounds.without_class)
        request->outcome = MATCH_NO_CLASS;
    return read_selectors(report, request, match_at(value, "selectors"));
}

/* A request, or those to choose from. */
static enum failure read_request(struct match_report *report, struct value request, uint32_t ordinal)
{
    static const struct bytes none = { NULL, 0 };
    struct bytes name = value_text(match_at(request, "name"));
    struct value choices = match_at(request, "firstAvailable"), exactly = match_at(request, "exactly");
    enum failure failure = FAILURE_NONE;
    uint32_t first = report->count;
    if (value_count(choices) > LIMIT_MATCH_CHOICES)
        report->fault = "has a request with more than 8 to choose from";
    else if (!value_count(choices))
        failure = add_request(report, exactly, name, none);
    else
        value_each(choices, choice) {
            struct bytes own = value_text(match_at(choice, "name"));
            failure = failure ? failure : add_request(report, choice, name, own.data ? own : (struct bytes)BYTES(""));
        }
    for (uint32_t i = first; i < report->count; i++)
        report->requests[i].ordinal = ordinal;
    return failure;
}

/* A class alone is matched like a request for one of its devices. */
static enum failure read_class(struct match_report *report, struct value root)
{
    struct match_request *request = &report->requests[report->count++];
    struct match_named *class = arena_alloc(&report->arena, sizeof *class);
    if (!class)
        return report->arena.failure;
    *class = (struct match_named){ .item = report->item, .root = root, .name = value_text(match_at(root, "metadata.name")) };
    *request = (struct match_request){ .class_name = class->name, .class = class, .wanted = 1 };
    return read_selectors(report, request, (struct value){ .shape = NULL });
}

static enum failure read_requests(struct match_report *report, struct value root)
{
    struct value spec = match_at(root, "spec");
    if (match_is(report->item, resource, "ResourceClaimTemplate"))
        spec = match_at(spec, "spec");
    struct value requests = match_at(spec, "devices.requests");
    if (match_is(report->item, resource, "DeviceClass"))
        return read_class(report, root);
    if (value_count(requests) > LIMIT_MATCH_REQUESTS) {
        report->fault = "has more than 32 requests";
        return FAILURE_NONE;
    }
    enum failure failure = FAILURE_NONE;
    value_each(requests, request)
        failure = failure || report->fault ? failure : read_request(report, request, request.index);
    return failure;
}

/* ---- devices ---- */

static enum failure assess_selectors(struct match_report *report, const struct match_request *request, struct match_device *device,
                                     struct match_verdict *verdict)
{
    const struct cel_value *value;
    struct cel_result result;
    enum failure failure = match_device_evaluated(report->world, device, &value);
    for (uint32_t i = 0; i < request->selector_count && !failure; i++) {
        const struct match_expression *expression = request->selectors[i].expression;
        failure = match_evaluate(report->world, expression, NULL, value, &result);
        enum match_truth truth = failure ? MATCH_TRUE : match_truth(&result);
        if (truth == MATCH_TRUE)
            continue;
        verdict->also = (uint16_t)(verdict->also | 1u << (truth == MATCH_UNTRUE ? MATCH_REFUSED : MATCH_ERROR));
        verdict->selector = (uint8_t)i;
        return match_cause_find(report->world, expression, value, &result, &verdict->cause);
    }
    return failure;
}

/* What of the device itself keeps it out. */
static enum failure assess_device(struct match_report *report, const struct match_request *request, const struct match_device *device,
                                  struct match_verdict *verdict)
{
    const struct match_pool *pool = device->slice->pool;
    struct match_shortage shortage = { .kind = MATCH_SERVED };
    struct match_taint taint;
    enum failure failure = FAILURE_NONE;
    if (value_count(request->capacities))
        failure = match_capacity_find(report->world, device, request->capacities, &shortage);
    if (!failure)
        failure = match_taint_find(report->world, device, request->tolerations, &taint);
    if (failure)
        return failure;
    verdict->also |= shortage.kind ? 1u << MATCH_CAPACITY : 0;
    verdict->also |= match_pool_is_complete(pool) ? 0 : 1u << MATCH_INCOMPLETE;
    verdict->also |= match_pool_is_invalid(pool) ? 1u << MATCH_INVALID : 0;
    verdict->also |= value_is_set(taint.taint) ? 1u << MATCH_TAINTED : 0;
    return FAILURE_NONE;
}

static enum failure assess(struct match_report *report, const struct match_request *request, struct match_device *device,
                           struct match_verdict *verdict)
{
    enum failure failure = FAILURE_NONE;
    bool on = true;
    *verdict = (struct match_verdict){ .also = device->slice->currency == MATCH_OLD ? 1u << MATCH_OLD_SLICE : 0 };
    if (device->slice->currency == MATCH_ELSEWHERE)
        on = false;
    else if (!verdict->also && report->world->node.data)
        failure = match_on_node(report->world, match_location(device), report->world->node, report->world->node_given, &on);
    if (!on)
        verdict->also |= 1u << MATCH_OTHER_NODE;
    if (!verdict->also && !failure) {
        failure = assess_selectors(report, request, device, verdict);
        if (!failure)
            failure = assess_device(report, request, device, verdict);
    }
    while (verdict->also && !(verdict->also & 1u << verdict->reason))
        verdict->reason++;
    verdict->also &= (uint16_t)~(1u << verdict->reason);
    return failure;
}

static enum failure assess_all(struct match_report *report, struct match_request *request)
{
    struct match_world *world = report->world;
    enum failure failure = FAILURE_NONE;
    if (request->outcome)
        return FAILURE_NONE;
    if (request->bad) {
        request->outcome = MATCH_BAD_SELECTOR;
        return FAILURE_NONE;
    }
    request->verdicts = arena_alloc(&report->arena, (world->device_count + (size_t)1) * sizeof *request->verdicts);
    if (!request->verdicts)
        return report->arena.failure;
    failure = match_work(world, world->device_count);
    for (uint32_t i = 0; i < world->device_count && !failure; i++) {
        failure = assess(report, request, &world->devices[i], &request->verdicts[i]);
        request->counts[request->verdicts[i].reason]++;
    }
    return failure ? failure : match_supply(report, request);
}

/* ---- the whole ---- */

static bool is_enough(const struct match_report *report)
{
    bool enough = !report->fault;
    for (uint32_t i = 0; i < report->count;) {
        bool one = false;
        uint32_t first = i;
        for (; i < report->count && report->requests[i].ordinal == report->requests[first].ordinal; i++)
            one |= report->requests[i].outcome == MATCH_ENOUGH;
        enough &= one;
    }
    return enough;
}

/* Whether anything is asked of the claim: of one choice, the answer depends on the others. */
static bool is_wanted(const struct match_report *report)
{
    bool (*wants)(const struct match_request *request) = report->world->bounds.wants;
    for (uint32_t i = 0; wants && i < report->count; i++)
        if (wants(&report->requests[i]))
            return true;
    return !wants;
}

enum failure match_report_init(struct match_report *report, struct match_world *world, const struct item *item)
{
    struct value root;
    *report = (struct match_report){ .world = world, .item = item };
    arena_init(&report->arena, world->workspace.context->memory, world->bounds.report);
    enum { ALL = LIMIT_MATCH_REQUESTS * LIMIT_MATCH_CHOICES };
    report->requests = arena_alloc(&report->arena, ALL * sizeof *report->requests);
    enum failure failure = report->requests ? match_read(world, item, &root) : report->arena.failure;
    if (failure)
        return failure;
    if (!value_is_set(root))
        report->fault = "has values of wrong types";
    else
        failure = read_requests(report, root);
    const bool wanted = !failure && is_wanted(report);
    for (uint32_t i = 0; i < report->count && wanted && !failure && !report->fault; i++)
        failure = assess_all(report, &report->requests[i]);
    report->enough = !failure && is_enough(report);
    return failure;
}

void match_report_done(struct match_report *report)
{
    arena_done(&report->arena);
}
