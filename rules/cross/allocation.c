/* The allocation in a claim's status: against what the claim asks for, and against devices and claims that are given.
 * Source: k8s.io/api v0.35.4 resource/v1/types.go AllocationResult, DeviceRequestAllocationResult. */
#include "check/cross.h"
#include "rules/tables.h"

static const char *const device_key[] = { "driver", "pool", "device", "shareID", NULL };

/* ---- the requests ---- */

/* A request that a result names, or one of those to choose from below it. */
struct request {
    const struct doc_node *node; /* NULL: there is none of that name */
    const struct shape *shape;   /* of its node */
};

static const struct doc_node *named(struct cross *cross, const struct shape *of, const struct doc_node *list, struct bytes name)
{
    doc_each(list && list->count <= MAX_REQUESTS ? list : NULL, element)
        if (bytes_equal(doc_text(cross_member(cross, of, element, "name")), name))
            return element;
    return NULL;
}

/* At most 32 requests with 8 to choose from each, or the claim would not exist. */
static struct request find_request(struct cross *cross, struct bytes reference)
{
    const struct shape *of = cross_request_shape(), *sub = cross_member_shape(of, "firstAvailable")->of;
    const char *slash = reference.length ? memchr(reference.data, '/', reference.length) : NULL;
    struct bytes name = { reference.data, slash ? (uint32_t)(slash - reference.data) : reference.length };
    const struct doc_node *request = named(cross, of, cross_requests(cross), name);
    if (!request)
        return (struct request){ NULL, NULL };
    if (!slash)
        return (struct request){ cross_member(cross, of, request, "exactly"), cross_member_shape(of, "exactly") };
    struct bytes below = { slash + 1, reference.length - name.length - 1 };
    return (struct request){ named(cross, sub, cross_member(cross, of, request, "firstAvailable"), below), sub };
}

/* Results of the request or of what can be chosen for it; *chosen is the first that was. */
static uint32_t count_results(struct cross *cross, const struct shape *result, const struct doc_node *results, struct bytes request, struct bytes *chosen)
{
    uint32_t count = 0;
    doc_each(results, element) {
        struct bytes name = doc_text(cross_member(cross, result, element, "request"));
        if (!cross_refers_to(name, request))
            continue;
        if (!count++)
            *chosen = name;
    }
    return count;
}

static void report_request(struct cross *cross, struct bytes name, const char *why)
{
    struct text text;
    text_init(&text, cross_scratch(cross));
    text_add(&text, "request ");
    text_add_quoted(&text, name, 64);
    text_add(&text, why);
    const char *detail = cross_words(cross, &text);
    if (detail)
        cross_report(cross, &(struct cross_report){ .detail = detail });
}

/* On results: every request has as many as it asks for. */
void cross_results_complete(struct cross *cross)
{
    const struct shape *of = cross_request_shape(), *result = cross_shape(cross)->of;
    doc_each(cross_requests(cross), element) {
        struct bytes name = doc_text(cross_member(cross, of, element, "name")), chosen = name;
        uint32_t count = count_results(cross, result, cross_value(cross), name, &chosen);
        struct request request = find_request(cross, chosen);
        const struct doc_node *wanted = request.node ? cross_member(cross, request.shape, request.node, "count") : NULL;
        bool exact = request.node && bytes_equal_text(doc_text(cross_member(cross, request.shape, request.node, "allocationMode")), "ExactCount");
        int64_t number = 1;
        if (count == 0)
            report_request(cross, name, " has no result");
        else if (exact && wanted && doc_integer(wanted, 1, INT64_MAX, &number) && number != count)
            report_request(cross, name, " asks for another number of devices");
    }
}

/* On results: of those to choose from, one is chosen. */
void cross_results_one_choice(struct cross *cross)
{
    const struct shape *of = cross_request_shape(), *result = cross_shape(cross)->of;
    doc_each(cross_requests(cross), element) {
        struct bytes name = doc_text(cross_member(cross, of, element, "name")), chosen = name;
        uint32_t all = count_results(cross, result, cross_value(cross), name, &chosen), same = 0;
        doc_each(cross_value(cross), each)
            same += bytes_equal(doc_text(cross_member(cross, result, each, "request")), chosen);
        if (same < all)
            report_request(cross, name, " has results of several that it could choose from");
    }
}

static struct request request_beside(struct cross *cross)
{
    const struct doc_node *name = cross_beside(cross, "request");
    return find_request(cross, name ? doc_text(name) : (struct bytes){ "", 0 });
}

/* On adminAccess and tolerations of a result: as the request has them. */
void cross_copied_from_request(struct cross *cross)
{
    const char *member = cross_argument(cross);
    struct request request = request_beside(cross);
    bool has = false;
    for (uint16_t i = 0; request.node && i < request.shape->field_count; i++)
        has |= bytes_equal_text(request.shape->fields[i].name, member);
    if (!has)
        return;
    const struct doc_node *asked = cross_member(cross, request.shape, request.node, member), *got = cross_value(cross);
    bool is_true = asked && asked->type == DOC_TRUE, was_true = got && got->type == DOC_TRUE;
    bool same = cross_shape(cross)->type == SHAPE_BOOL ? is_true == was_true : cross_equal(cross, cross_member_shape(request.shape, member), asked, got);
    if (!same)
        cross_report(cross, &(struct cross_report){ .detail = "should be what the request has" });
}

/* On consumedCapacity: at least what the request asks for. */
void cross_consumed_enough(struct cross *cross)
{
    struct request request = request_beside(cross);
    const struct doc_node *capacity = request.node ? cross_member(cross, request.shape, request.node, "capacity") : NULL;
    const struct doc_node *asked = capacity ? cross_member(cross, cross_member_shape(request.shape, "capacity"), capacity, "requests") : NULL;
    struct map consumed;
    if (!asked || !cross_value(cross)->count || !cross_names(cross, cross_value(cross), &consumed))
        return;
    doc_each(asked, entry) {
        const struct doc_node *amount = map_find(&consumed, doc_name(entry));
        if (amount && cross_compare_quantities(cross, amount, entry) < 0)
            cross_report(cross, &(struct cross_report){ .element = amount, .value = amount, .detail = "is less than the request asks for" });
    }
}

/* ---- devices and claims that are given ---- */

static void index_results(struct cross *cross, const struct doc_node *root)
{
    const struct shape *of = cross_member_shape(cross_member_shape(cross_member_shape(cross_member_shape(&resource_claim, "status"), "allocation"), "devices"), "results")->of;
    doc_each(cross_at(cross, &resource_claim, root, "status.allocation.devices.results"), element) {
        const struct doc_node *admin = cross_member(cross, of, element, "adminAccess");
        if (!admin || admin->type != DOC_TRUE) /* that one shares the device with others */
            cross_index_add(cross, cross_texts(cross, of, element, device_key), element);
    }
}

static const struct index_definition all_results = { .group = "resource.k8s.io", .kind = "ResourceClaim", .add = index_results, .first_only = true };

/* On results: no device is allocated twice, but for its shares. */
void cross_results_exclusive(struct cross *cross)
{
    const struct shape *of = cross_shape(cross)->of;
    uint32_t index = 0;
    for (const struct doc_node *element = doc_first(cross_value(cross)); element && !cross_failed(cross); element = element->next, index++) {
        const struct doc_node *admin = cross_member(cross, of, element, "adminAccess");
        const struct indexed *first = admin && admin->type == DOC_TRUE ? NULL : cross_find(cross, &all_results, cross_texts(cross, of, element, device_key));
        bool itself = first && cross_is_same(cross, first) && (!cross_is_own(cross, first) || first->node->offset == element->offset);
        if (first && !itself)
            cross_report(cross, &(struct cross_report){ .element = element, .index = index, .other = first, .detail = "is a device that is allocated already" });
    }
}

/* The device that the object around the row's place names. */
static const struct indexed *device_beside(struct cross *cross)
{
    const struct doc_node *driver = cross_beside(cross, "driver"), *pool = cross_beside(cross, "pool"), *device = cross_beside(cross, "device");
    return driver && pool && device ? cross_pool_device(cross, doc_text(driver), doc_text(pool), doc_text(device)) : NULL;
}

/* On device: it is there, where its whole pool is given. */
void cross_device_exists(struct cross *cross)
{
    const struct doc_node *driver = cross_beside(cross, "driver"), *pool = cross_beside(cross, "pool");
    if (driver && pool && cross_pool_is_given(cross, doc_text(driver), doc_text(pool)) && !device_beside(cross) && !cross_failed(cross))
        cross_report(cross, &(struct cross_report){ .value = cross_value(cross), .detail = "is no device of the pool, of which all slices are given" });
}

static const struct shape *device_shape(void)
{
    return cross_member_shape(cross_member_shape(&resource_slice, "spec"), "devices")->of;
}

/* Whether one of the values is that amount. */
static bool is_listed(struct cross *cross, const struct doc_node *values, const struct doc_node *amount)
{
    doc_each(values, value)
        if (cross_compare_quantities(cross, value, amount) == 0)
            return true;
    return false;
}

/* Why a device cannot have given the amount of a capacity; NULL: it can. */
static const char *refusal(struct cross *cross, const struct doc_node *capacity, const struct doc_node *amount)
{
    const struct shape *of = cross_member_shape(device_shape(), "capacity")->of, *policy_shape = cross_member_shape(of, "requestPolicy");
    const struct shape *range_shape = cross_member_shape(policy_shape, "validRange");
    const struct doc_node *policy = cross_member(cross, of, capacity, "requestPolicy");
    if (cross_compare_quantities(cross, amount, cross_member(cross, of, capacity, "value")) > 0)
        return "is more than the device has";
    const struct doc_node *values = policy ? cross_member(cross, policy_shape, policy, "validValues") : NULL, *range = policy ? cross_member(cross, policy_shape, policy, "validRange") : NULL;
    if (values && values->count && values->count <= MAX_TAINTS && !is_listed(cross, values, amount))
        return "is none of the values that the device gives";
    if (range && (cross_compare_quantities(cross, amount, cross_member(cross, range_shape, range, "min")) < 0 || cross_compare_quantities(cross, amount, cross_member(cross, range_shape, range, "max")) > 0))
        return "is not in the range that the device gives";
    if (range && !cross_on_grid(cross, amount, cross_member(cross, range_shape, range, "min"), cross_member(cross, range_shape, range, "step")))
        return "is no whole number of steps above the least that the device gives";
    return NULL;
}

/* A capacity of the device that the share does not mention. */
static void report_missing(struct cross *cross, const struct indexed *device)
{
    struct map consumed;
    if (!cross_names(cross, cross_value(cross), &consumed))
        return;
    doc_each(cross_member(cross, device_shape(), device->node, "capacity"), capacity)
        if (!map_find(&consumed, doc_name(capacity))) {
            cross_report(cross, &(struct cross_report){ .other = device, .detail = "should have an entry for every capacity of the device" });
            return;
        }
}

/* On consumedCapacity: what the device can give. Slices change after an allocation, so this is an info. */
void cross_consumed_possible(struct cross *cross)
{
    const struct indexed *device = cross_value(cross)->count ? device_beside(cross) : NULL;
    const struct doc_node *multiple = device ? cross_member(cross, device_shape(), device->node, "allowMultipleAllocations") : NULL;
    struct map names;
    if (!device || !cross_names(cross, cross_member(cross, device_shape(), device->node, "capacity"), &names))
        return;
    if (!multiple || multiple->type != DOC_TRUE) {
        cross_report(cross, &(struct cross_report){ .other = device, .detail = "should be empty: the device is allocated as a whole" });
        return;
    }
    report_missing(cross, device);
    doc_each(cross_value(cross), amount) {
        const struct doc_node *capacity = map_find(&names, doc_name(amount));
        const char *why = capacity ? refusal(cross, capacity, amount) : NULL;
        if (why)
            cross_report(cross, &(struct cross_report){ .element = amount, .value = amount, .other = device, .detail = why });
    }
}

/* On device: it has what the request asks for. */
void cross_device_provides(struct cross *cross)
{
    const struct indexed *device = device_beside(cross);
    struct request request = request_beside(cross);
    const struct doc_node *capacity = request.node ? cross_member(cross, request.shape, request.node, "capacity") : NULL;
    struct map names;
    if (!device || !capacity || !cross_names(cross, cross_member(cross, device_shape(), device->node, "capacity"), &names))
        return;
    doc_each(cross_member(cross, cross_member_shape(request.shape, "capacity"), capacity, "requests"), asked) {
        const struct doc_node *has = map_find(&names, doc_name(asked));
        if (has && cross_compare_quantities(cross, asked, cross_member(cross, cross_member_shape(device_shape(), "capacity")->of, has, "value")) <= 0)
            continue;
        cross_report(cross, &(struct cross_report){ .value = cross_value(cross), .other = device, .detail = "has less capacity than the request asks for" });
        return;
    }
}

/* On a member that is copied from the device. */
void cross_copied_from_device(struct cross *cross)
{
    const char *member = cross_argument(cross);
    const struct indexed *device = device_beside(cross);
    if (device && !cross_equal(cross, cross_shape(cross), cross_value(cross), cross_member(cross, device_shape(), device->node, member)))
        cross_report(cross, &(struct cross_report){ .other = device, .detail = "should be what the device has" });
}

/* On nodeSelector: set where a device binds the claim to its node. */
void cross_bound_to_node(struct cross *cross)
{
    const struct shape *allocated = cross_member_shape(cross_member_shape(cross_member_shape(&resource_claim, "status"), "allocation"), "devices");
    const struct shape *of = cross_member_shape(allocated, "results")->of;
    const struct doc_node *devices = cross_beside(cross, "devices");
    if (cross_value(cross) || !devices)
        return;
    doc_each(cross_member(cross, allocated, devices, "results"), result) {
        const struct indexed *device = cross_pool_device(cross, doc_text(cross_member(cross, of, result, "driver")), doc_text(cross_member(cross, of, result, "pool")),
                                                          doc_text(cross_member(cross, of, result, "device")));
        const struct doc_node *binds = device ? cross_member(cross, device_shape(), device->node, "bindsToNode") : NULL;
        if (!binds || binds->type != DOC_TRUE)
            continue;
        cross_report(cross, &(struct cross_report){ .other = device, .detail = "should select the node to which the device binds the claim" });
        return;
    }
}

/* ---- taints ---- */

static bool is_text(struct cross *cross, const struct shape *shape, const struct doc_node *object, const char *member, struct bytes text)
{
    const struct doc_node *node = cross_member(cross, shape, object, member);
    return node && bytes_equal(doc_text(node), text);
}

static bool tolerates(struct cross *cross, const struct doc_node *one, struct bytes key, struct bytes value, struct bytes effect)
{
    static const struct bytes none = BYTES(""), exists = BYTES("Exists");
    bool any_value = is_text(cross, &result_toleration, one, "operator", exists);
    bool same_key = is_text(cross, &result_toleration, one, "key", key) || (any_value && is_text(cross, &result_toleration, one, "key", none));
    bool same_effect = is_text(cross, &result_toleration, one, "effect", effect) || is_text(cross, &result_toleration, one, "effect", none);
    return same_key && same_effect && (any_value || is_text(cross, &result_toleration, one, "value", value));
}

/* On tolerations of a result: each taint of the device that keeps claims away is tolerated. */
void cross_taints_tolerated(struct cross *cross)
{
    const struct indexed *device = device_beside(cross);
    const struct shape *taint_shape = cross_member_shape(device_shape(), "taints")->of;
    const struct doc_node *admin = cross_beside(cross, "adminAccess");
    const struct doc_node *taints = device ? cross_member(cross, device_shape(), device->node, "taints") : NULL;
    if (!taints || taints->count > MAX_TAINTS || cross_value(cross)->count > MAX_TAINTS || (admin && admin->type == DOC_TRUE))
        return;
    doc_each(taints, taint) {
        struct bytes effect = doc_text(cross_member(cross, taint_shape, taint, "effect"));
        bool tolerated = bytes_equal_text(effect, "None");
        doc_each(cross_value(cross), one)
            tolerated |= tolerates(cross, one, doc_text(cross_member(cross, taint_shape, taint, "key")), doc_text(cross_member(cross, taint_shape, taint, "value")), effect);
        if (tolerated)
            continue;
        cross_report(cross, &(struct cross_report){ .other = device, .detail = "tolerates not all taints of the device" });
        return;
    }
}
