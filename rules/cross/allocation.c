/* The allocation in a claim's status: against what the claim asks for, and against devices and claims that are given.
 * Source: k8s.io/api v0.35.4 resource/v1/types.go AllocationResult, DeviceRequestAllocationResult. */
#include "rules/cross/common.h"

/* ---- the requests ---- */

static struct value find_named(struct cross *cross, struct value list, struct bytes name)
{
    if (value_count(list) <= MAX_REQUESTS)
        value_each(list, element)
            if (bytes_equal(value_text_at(cross, element, "name"), name))
                return element;
    return (struct value){ .node = NULL };
}

/* The request of that name; of "request/subrequest", one of those to choose from. */
static struct value find_request(struct cross *cross, struct bytes reference)
{
    const char *slash = reference.length ? memchr(reference.data, '/', reference.length) : NULL;
    struct bytes name = { reference.data, slash ? (uint32_t)(slash - reference.data) : reference.length };
    struct value request = find_named(cross, cross_requests(cross), name);
    if (!slash)
        return value_at(cross, request, "exactly");
    return find_named(cross, value_at(cross, request, "firstAvailable"), (struct bytes){ slash + 1, reference.length - name.length - 1 });
}

/* The request that the result around the row's place is for. */
static struct value own_request(struct cross *cross)
{
    return find_request(cross, value_text(cross_sibling(cross, "request")));
}

/* The results of a request, or of what can be chosen for it. */
struct results {
    uint32_t count, same; /* all of them, and those for what is chosen */
    struct bytes chosen;  /* by the first; the request itself, if there are none */
};

static struct results count_results(struct cross *cross, struct bytes request)
{
    struct results results = { .chosen = request };
    value_each(cross_value(cross), result) {
        struct bytes name = value_text_at(cross, result, "request");
        if (!cross_refers_to(name, request))
            continue;
        if (!results.count++)
            results.chosen = name;
        results.same += bytes_equal(name, results.chosen);
    }
    return results;
}

static void report_request(struct cross *cross, struct bytes name, const char *why)
{
    struct text text = cross_text(cross);
    text_add(&text, "request ");
    text_add_quoted(&text, name, 64);
    text_add(&text, why);
    cross_report(cross, (struct cross_report){ .text = &text });
}

/* On results: every request has as many as it asks for. */
void cross_results_complete(struct cross *cross)
{
    value_each(cross_requests(cross), element) {
        struct bytes name = value_text_at(cross, element, "name");
        struct results results = count_results(cross, name);
        struct value request = find_request(cross, results.chosen);
        bool exact = value_is(value_at(cross, request, "allocationMode"), "ExactCount");
        int64_t wanted = exact ? value_integer(value_at(cross, request, "count")) : 0;
        if (results.count == 0)
            report_request(cross, name, " has no result");
        else if (wanted > 0 && wanted != results.count)
            report_request(cross, name, " asks for another number of devices");
    }
}

/* On results: of those to choose from, one is chosen. */
void cross_results_one_choice(struct cross *cross)
{
    value_each(cross_requests(cross), element) {
        struct bytes name = value_text_at(cross, element, "name");
        struct results results = count_results(cross, name);
        if (results.same < results.count)
            report_request(cross, name, " has results of several that it could choose from");
    }
}

/* On adminAccess and tolerations of a result: as the request has them. */
void cross_copied_from_request(struct cross *cross)
{
    struct value request = own_request(cross), got = cross_value(cross);
    if (!value_is_set(request) || !value_has(request, cross_argument(cross)))
        return;
    struct value asked = value_at(cross, request, cross_argument(cross));
    bool same = got.shape->type == SHAPE_BOOL ? value_is_true(asked) == value_is_true(got) : value_equal(cross, asked, got);
    if (!same)
        cross_report(cross, (struct cross_report){ .detail = NULL });
}

/* On consumedCapacity: at least what the request asks for. */
void cross_consumed_enough(struct cross *cross)
{
    struct value asked = value_at(cross, own_request(cross), "capacity.requests");
    struct lookup consumed;
    if (!value_count(asked) || !value_count(cross_value(cross)))
        return;
    lookup_init(cross, &consumed, cross_value(cross), NULL);
    value_each(asked, entry) {
        struct value amount = lookup_find(&consumed, value_name(entry));
        if (value_compare(cross, amount, entry) < 0)
            cross_report(cross, (struct cross_report){ .at = amount, .quoted = true });
    }
}

/* ---- devices and claims that are given ---- */

static struct bytes device_key(struct cross *cross, struct value result)
{
    static const char *const members[] = { "driver", "pool", "device", "shareID", NULL };
    return value_key(cross, result, members);
}

static void index_results(struct cross *cross, struct value root)
{
    value_each(value_at(cross, root, "status.allocation.devices.results"), result)
        if (!value_is_true(value_at(cross, result, "adminAccess"))) /* that one shares the device with others */
            cross_index_add(cross, device_key(cross, result), result);
}

static const struct index_definition all_results = {
    .group = "resource.k8s.io", .kind = "ResourceClaim", .add = index_results, .first_only = true,
};

/* On results: no device is allocated twice, but for its shares. */
void cross_results_exclusive(struct cross *cross)
{
    value_each(cross_value(cross), result) {
        if (value_is_true(value_at(cross, result, "adminAccess")))
            continue;
        const struct indexed *first = cross_find(cross, &all_results, device_key(cross, result));
        bool itself = cross_is_same(cross, first) && (!cross_is_own(cross, first) || first->value.node->offset == result.node->offset);
        if (first && !itself)
            cross_report(cross, (struct cross_report){ .at = result, .other = first });
    }
}

/* The device that the object around the row's place names. */
static const struct indexed *own_device(struct cross *cross)
{
    return cross_pool_device(cross, cross_around(cross));
}

/* On device: it is there, where its whole pool is given. */
void cross_device_exists(struct cross *cross)
{
    if (cross_pool_is_given(cross, cross_around(cross)) && !own_device(cross))
        cross_report(cross, (struct cross_report){ .quoted = true });
}

/* Whether one of the values is that amount. */
static bool is_listed(struct cross *cross, struct value values, struct value amount)
{
    value_each(values, value)
        if (value_compare(cross, value, amount) == 0)
            return true;
    return false;
}

/* Why a device cannot have given the amount of a capacity; NULL: it can. */
static const char *refusal(struct cross *cross, struct value capacity, struct value amount)
{
    struct value values = value_at(cross, capacity, "requestPolicy.validValues");
    struct value range = value_at(cross, capacity, "requestPolicy.validRange");
    struct value min = value_at(cross, range, "min"), max = value_at(cross, range, "max");
    if (value_compare(cross, amount, value_at(cross, capacity, "value")) > 0)
        return "is more than the device has";
    if (value_count(values) && value_count(values) <= MAX_TAINTS && !is_listed(cross, values, amount))
        return "is none of the values that the device gives";
    if (value_compare(cross, amount, min) < 0 || value_compare(cross, amount, max) > 0)
        return "is not in the range that the device gives";
    if (!value_on_grid(cross, amount, min, value_at(cross, range, "step")))
        return "is no whole number of steps above the least that the device gives";
    return NULL;
}

/* A capacity of the device that the share does not mention. */
static void report_missing(struct cross *cross, const struct indexed *device)
{
    struct lookup consumed;
    lookup_init(cross, &consumed, cross_value(cross), NULL);
    value_each(value_at(cross, indexed_value(device), "capacity"), capacity)
        if (!value_is_set(lookup_find(&consumed, value_name(capacity)))) {
            cross_report(cross, (struct cross_report){
                .other = device,
                .detail = "should have an entry for every capacity of the device",
            });
            return;
        }
}

/* On consumedCapacity: what the device can give. Slices change after an allocation, so this is an info. */
void cross_consumed_possible(struct cross *cross)
{
    const struct indexed *device = value_count(cross_value(cross)) ? own_device(cross) : NULL;
    struct lookup capacities;
    if (!device)
        return;
    if (!value_is_true(value_at(cross, indexed_value(device), "allowMultipleAllocations"))) {
        cross_report(cross, (struct cross_report){ .other = device, .detail = "should be empty: the device is allocated as a whole" });
        return;
    }
    report_missing(cross, device);
    lookup_init(cross, &capacities, value_at(cross, indexed_value(device), "capacity"), NULL);
    value_each(cross_value(cross), amount) {
        struct value capacity = lookup_find(&capacities, value_name(amount));
        const char *why = value_is_set(capacity) ? refusal(cross, capacity, amount) : NULL;
        if (why)
            cross_report(cross, (struct cross_report){ .at = amount, .quoted = true, .other = device, .detail = why });
    }
}

/* On device: it has what the request asks for. */
void cross_device_provides(struct cross *cross)
{
    const struct indexed *device = own_device(cross);
    struct value requests = value_at(cross, own_request(cross), "capacity.requests");
    struct lookup capacities;
    if (!device || !value_count(requests))
        return;
    lookup_init(cross, &capacities, value_at(cross, indexed_value(device), "capacity"), NULL);
    value_each(requests, asked) {
        struct value has = lookup_find(&capacities, value_name(asked));
        if (value_is_set(has) && value_compare(cross, asked, value_at(cross, has, "value")) <= 0)
            continue;
        cross_report(cross, (struct cross_report){ .quoted = true, .other = device });
        return;
    }
}

/* On a member that is copied from the device. */
void cross_copied_from_device(struct cross *cross)
{
    const struct indexed *device = own_device(cross);
    if (device && !value_equal(cross, cross_value(cross), value_at(cross, indexed_value(device), cross_argument(cross))))
        cross_report(cross, (struct cross_report){ .other = device });
}

/* On nodeSelector: set where a device binds the claim to its node. */
void cross_bound_to_node(struct cross *cross)
{
    if (value_is_set(cross_value(cross)))
        return;
    value_each(value_at(cross, cross_sibling(cross, "devices"), "results"), result) {
        const struct indexed *device = cross_pool_device(cross, result);
        if (!value_is_true(value_at(cross, indexed_value(device), "bindsToNode")))
            continue;
        cross_report(cross, (struct cross_report){ .other = device });
        return;
    }
}

/* ---- taints ---- */

bool cross_tolerates(struct cross *cross, struct value one, struct value taint)
{
    bool any_value = value_is(value_at(cross, one, "operator"), "Exists");
    struct bytes key = value_text_at(cross, one, "key"), effect = value_text_at(cross, one, "effect");
    bool same_key = bytes_equal(key, value_text_at(cross, taint, "key")) || (any_value && !key.length);
    bool same_effect = bytes_equal(effect, value_text_at(cross, taint, "effect")) || !effect.length;
    bool same_value = bytes_equal(value_text_at(cross, one, "value"), value_text_at(cross, taint, "value"));
    return same_key && same_effect && (any_value || same_value);
}

/* On tolerations of a result: each taint of the device that keeps claims away is tolerated. */
void cross_taints_tolerated(struct cross *cross)
{
    const struct indexed *device = own_device(cross);
    struct value taints = value_at(cross, indexed_value(device), "taints");
    bool too_many = value_count(taints) > MAX_TAINTS || value_count(cross_value(cross)) > MAX_TAINTS;
    if (too_many || value_is_true(cross_sibling(cross, "adminAccess")))
        return;
    value_each(taints, taint) {
        bool tolerated = value_is(value_at(cross, taint, "effect"), "None");
        value_each(cross_value(cross), one)
            tolerated |= cross_tolerates(cross, one, taint);
        if (tolerated)
            continue;
        cross_report(cross, (struct cross_report){ .other = device });
        return;
    }
}
