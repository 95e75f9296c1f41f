/* Whether the devices of all slices that are given could be enough for a claim, by number. A claim that fails here is never allocated; one
 * that passes may fail all the same, as selectors, constraints and nodes do not count. */
#include "rules/cross/common.h"

static const struct bytes any = BYTES("");

static void index_slice(struct cross *cross, struct value root)
{
    cross_index_add(cross, any, root);
}

static const struct index_definition all_slices = { .group = "resource.k8s.io", .kind = "ResourceSlice", .add = index_slice };

/* The devices of the pools; of use only where every pool is there as a whole, and no device serves several claims. */
struct supply {
    bool certain;
    struct map drivers; /* numbers of devices, by driver */
    int64_t devices;
};

static void count_slice(struct cross *cross, struct supply *supply, struct value slice)
{
    struct bytes driver = value_text_at(cross, slice, "spec.driver");
    struct value devices = value_at(cross, slice, "spec.devices");
    int64_t *count = map_find(&supply->drivers, driver);
    if (!count) {
        count = cross_alloc(cross, cross_kept_arena(cross), sizeof *count);
        if (!count)
            return;
        (void)map_add(&supply->drivers, driver, count);
    }
    *count += value_count(devices);
    supply->devices += value_count(devices);
    value_each(devices, device)
        supply->certain &= !value_is_true(value_at(cross, device, "allowMultipleAllocations"));
}

/* NULL: no slices are given, or there is no memory. */
static const struct supply *supply_of(struct cross *cross)
{
    struct indexed *first = cross_find(cross, &all_slices, any);
    if (!first || first->memo)
        return first ? first->memo : NULL;
    struct supply *supply = cross_alloc(cross, cross_kept_arena(cross), sizeof *supply);
    if (!supply || !cross_map(cross, &supply->drivers, cross_kept_arena(cross), first->count))
        return NULL;
    supply->certain = true;
    for (const struct indexed *slice = first; slice; slice = slice->next) {
        supply->certain &= cross_pool_is_whole(cross, slice->value);
        if (cross_pool_is_newest(cross, slice->value))
            count_slice(cross, supply, slice->value);
    }
    if (cross_failed(cross))
        return NULL;
    first->memo = supply;
    return supply;
}

/* ---- demand ---- */

/* Devices that a request cannot do without; it names a class, which may be for one driver only. */
struct demand {
    int64_t devices;     /* at least; 0: not known */
    int64_t available;   /* of that driver, or of all */
    struct bytes driver; /* empty: of all */
};

/* For devices of a class. Of a class that is not here, and of a driver that has no slice here, nothing is known. */
static struct demand demand_for(struct cross *cross, const struct supply *supply, struct bytes class_name, int64_t devices)
{
    struct indexed *class = cross_named(cross, "resource.k8s.io", "DeviceClass", class_name);
    struct bytes driver;
    if (!class)
        return (struct demand){ 0, 0, any };
    if (!cross_class_driver(cross, class, &driver))
        return (struct demand){ devices, supply->devices, any };
    const int64_t *count = map_find(&supply->drivers, driver);
    return count ? (struct demand){ devices, *count, driver } : (struct demand){ 0, 0, driver };
}

static struct demand demand_of(struct cross *cross, const struct supply *supply, struct value request)
{
    bool exact = value_is(value_at(cross, request, "allocationMode"), "ExactCount");
    int64_t count = exact ? value_integer(value_at(cross, request, "count")) : 1;
    if (count > INT32_MAX)
        count = INT32_MAX; /* more than there can be, so that sums stay small */
    return demand_for(cross, supply, value_text_at(cross, request, "deviceClassName"), count > 0 ? count : 1);
}

static void report_demand(struct cross *cross, struct value request, struct demand demand)
{
    struct text text = cross_text(cross);
    text_add(&text, "asks for ");
    text_add_integer(&text, demand.devices);
    text_add(&text, demand.devices == 1 ? " device, and the slices " : " devices, and the slices ");
    if (demand.driver.length) {
        text_add(&text, "of driver ");
        text_add_quoted(&text, demand.driver, 64);
        text_add(&text, " ");
    }
    text_add(&text, "that are given have ");
    text_add_integer(&text, demand.available);
    cross_report(cross, (struct cross_report){ .at = request, .text = &text });
}

/* Of several to choose from, the one that needs fewest. Nothing is known where that is so of one of them. *possible: one can be had. */
static struct demand find_lowest(struct cross *cross, const struct supply *supply, struct value choices, bool *possible)
{
    struct demand lowest = { 0, 0, any };
    if (value_count(choices) > MAX_CHOICES)
        return lowest;
    value_each(choices, choice) {
        struct demand demand = demand_of(cross, supply, choice);
        if (!demand.devices)
            return demand;
        lowest = lowest.devices && lowest.devices <= demand.devices ? lowest : demand;
        *possible |= demand.devices <= demand.available;
    }
    return lowest;
}

/* What one request needs. Reports a request that cannot be had. */
static int64_t find_demand(struct cross *cross, const struct supply *supply, struct value request)
{
    struct value exactly = value_at(cross, request, "exactly");
    bool possible = false;
    if (value_is_true(value_at(cross, exactly, "adminAccess")))
        return 0; /* takes nothing away from others */
    struct demand demand = value_is_set(exactly) ? demand_of(cross, supply, exactly)
                                                 : find_lowest(cross, supply, value_at(cross, request, "firstAvailable"), &possible);
    possible |= value_is_set(exactly) && demand.devices <= demand.available;
    if (!possible && demand.devices)
        report_demand(cross, request, demand);
    return demand.devices;
}

void cross_requests_satisfiable(struct cross *cross)
{
    struct value requests = cross_value(cross);
    const struct supply *supply = value_count(requests) && value_count(requests) <= MAX_REQUESTS ? supply_of(cross) : NULL;
    int64_t sum = 0;
    if (!supply || !supply->certain)
        return;
    value_each(requests, request)
        sum += find_demand(cross, supply, request);
    if (value_count(requests) > 1 && sum > supply->devices && !cross_found(cross))
        report_demand(cross, (struct value){ .node = NULL }, (struct demand){ sum, supply->devices, any });
}
