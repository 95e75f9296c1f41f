/* How much a DeviceTaintRule, or a request with admin access, reaches among the objects that are given.
 * Source: k8s.io/kubernetes v1.37.1 pkg/controller/devicetainteviction/device_taint_eviction.go claimEvictionTime, ruleMatchesDevice. */
#include "rules/cross/common.h"
#include "rules/cross/outcome.h"
#include "rules/cross/published.h"

enum { SHOWN_CLAIMS = 3, MAX_RESULTS = 4096, NAME_BYTES = 64 }; /* claims that a message names; results that one rule is compared with */

static const struct bytes any = BYTES("");

/* ---- devices ---- */

static void index_slice(struct cross *cross, struct value root)
{
    struct bytes driver = value_text_at(cross, root, "spec.driver");
    if (cross_is_template(cross, root))
        return;
    cross_index_add(cross, any, root);
    if (driver.length)
        cross_index_add(cross, driver, root);
}

static const struct index_definition slices = { .group = "resource.k8s.io", .kind = "ResourceSlice", .add = index_slice };

struct reach {
    int64_t devices;
    uint32_t pools;
};

static void count_slices(struct cross *cross, const struct indexed *first, struct reach *reach)
{
    struct map names, pools;
    if (!cross_map(cross, &names, cross_scratch(cross), first->count) || !cross_map(cross, &pools, cross_scratch(cross), first->count))
        return;
    for (const struct indexed *slice = first; slice; slice = slice->next) {
        struct value spec = value_at(cross, slice->value, "spec");
        struct bytes pool = cross_key(cross, value_text_at(cross, spec, "driver"), value_text_at(cross, spec, "pool.name"));
        bool counted = indexed_name(slice).length && map_add(&names, indexed_name(slice), slice);
        if (counted || !pool.data || !cross_pool_is_newest(cross, slice->value))
            continue;
        reach->devices += value_count(value_at(cross, spec, "devices"));
        reach->pools += !map_add(&pools, pool, slice);
    }
}

/* All devices of a driver, or of all; nothing, where none are given. */
static struct reach reach_of(struct cross *cross, struct bytes driver)
{
    static const struct reach nothing;
    struct indexed *first = cross_find(cross, &slices, driver);
    if (!first || first->memo)
        return first ? *(const struct reach *)first->memo : nothing;
    struct reach *reach = cross_alloc(cross, cross_kept_arena(cross), sizeof *reach);
    if (!reach)
        return nothing;
    count_slices(cross, first, reach);
    if (cross_failed(cross))
        return nothing;
    first->memo = reach;
    return *reach;
}

static void add_count(struct text *text, int64_t count, const char *noun)
{
    text_add_integer(text, count);
    text_add(text, noun);
    text_add(text, count == 1 ? "" : "s");
}

/* "128 devices in 16 pools" */
static void add_reach(struct text *text, struct reach reach)
{
    add_count(text, reach.devices, " device");
    text_add(text, " in ");
    add_count(text, reach.pools, " pool");
}

/* ---- claims ---- */

static void index_results(struct cross *cross, struct value root)
{
    value_each(value_at(cross, root, "status.allocation.devices.results"), result) {
        struct bytes driver = value_text_at(cross, result, "driver");
        cross_index_add(cross, any, result);
        if (driver.length)
            cross_index_add(cross, driver, result);
    }
}

static const struct index_definition results = { .group = "resource.k8s.io", .kind = "ResourceClaim", .add = index_results };

/* Only what names the effect, and has no end, keeps the pods. */
static bool stays(struct cross *cross, struct value result, struct value taint)
{
    struct value tolerations = value_at(cross, result, "tolerations");
    if (value_count(tolerations) > MAX_TAINTS)
        return true;
    value_each(tolerations, one)
        if (value_is(value_at(cross, one, "effect"), "NoExecute") && !value_is_set(value_at(cross, one, "tolerationSeconds")) &&
            cross_tolerates(cross, one, taint))
            return true;
    return false;
}

/* ", and evicts the pods of claims "default/a", "default/b" and others" */
static void add_evicted(struct cross *cross, struct text *text, struct bytes driver)
{
    struct value taint = value_at(cross, cross_root(cross), "spec.taint");
    const struct object *last = NULL;
    uint32_t claims = 0, seen = 0;
    if (!value_is(value_at(cross, taint, "effect"), "NoExecute"))
        return;
    const struct indexed *result = cross_find(cross, &results, driver);
    for (; result && seen < MAX_RESULTS && claims <= SHOWN_CLAIMS; result = result->next, seen++) {
        if (result->object == last || stays(cross, result->value, taint))
            continue;
        last = result->object;
        text_add(text, claims == 0 ? ", and evicts the pods of claims " : claims == SHOWN_CLAIMS ? " and others" : ", ");
        if (claims++ < SHOWN_CLAIMS)
            text_add_quoted(text, indexed_name(result), NAME_BYTES);
    }
}

/* ---- rules ---- */

/* On a selector: one that is empty. */
void cross_rule_taints_all(struct cross *cross)
{
    static const char *const members[] = { "deviceClassName", "driver", "pool", "device", NULL };
    struct value selector = cross_value(cross);
    for (const char *const *member = members; *member; member++)
        if (value_is_set(value_at(cross, selector, *member)))
            return;
    if (value_count(value_at(cross, selector, "selectors")))
        return;
    struct reach reach = reach_of(cross, any);
    struct text text = cross_text(cross);
    text_add(&text, "should name a driver, pool or device: an empty selector taints every device of the cluster");
    if (reach.devices) {
        text_add(&text, ", of those that are given ");
        add_reach(&text, reach);
        add_evicted(cross, &text, any);
    }
    cross_report(cross, (struct cross_report){ .text = &text });
}

/* On the driver of a selector that names neither pool nor device. Of a single pool nothing tells whether it was meant. */
void cross_rule_taints_driver(struct cross *cross)
{
    struct bytes driver = value_text(cross_value(cross));
    struct reach reach = driver.length ? reach_of(cross, driver) : (struct reach){ 0, 0 };
    if (reach.pools < 2)
        return;
    struct text text = cross_text(cross);
    text_add(&text, "taints every device of the driver, of those that are given ");
    add_reach(&text, reach);
    add_evicted(cross, &text, driver);
    cross_report(cross, (struct cross_report){ .text = &text });
}

/* On the driver of a selector: slips only, as the slices of other drivers need not be given. */
void cross_rule_driver_near(struct cross *cross)
{
    struct bytes driver = value_text(cross_value(cross)), near;
    const struct indexed *other = driver.length && !published_driver(cross, driver) ? published_near(cross, driver, &near) : NULL;
    if (!other)
        return;
    struct text text = cross_text(cross);
    text_add(&text, "is the driver of no slice that is given: ");
    near_add_words(&text, near);
    cross_report(cross, (struct cross_report){ .quoted = true, .text = &text, .other = other });
}

/* ---- admin access ---- */

/* On adminAccess of a request for all devices: its class and selectors are true for those of every driver. */
void cross_admin_reach(struct cross *cross)
{
    struct bytes driver = { NULL, 0 };
    struct indexed *class = cross_named(cross, "resource.k8s.io", "DeviceClass", value_text(cross_sibling(cross, "deviceClassName")));
    struct outcome_device device = { .cross = cross };
    struct value at;
    if (!class || !cross_class_takes_all(cross, class, &driver) || driver.length ||
        outcome_of_selectors(&device, cross_sibling(cross, "selectors"), &at) != OUTCOME_TRUE)
        return;
    struct reach reach = reach_of(cross, any);
    struct text text = cross_text(cross);
    text_add(&text, "should be for one driver: class and selectors take every device of a node, whatever its driver");
    if (reach.devices) {
        text_add(&text, "; ");
        add_reach(&text, reach);
        text_add(&text, reach.devices == 1 ? " is given" : " are given");
    }
    cross_report(cross, (struct cross_report){ .text = &text, .other = class });
}
