/* Whether the devices of all slices that are given could be enough for a claim, by number. A claim that fails here is never allocated; one
 * that passes may fail all the same, as selectors, constraints and nodes are not looked at. */
#include "check/cross.h"
#include "rules/tables.h"

static const struct bytes any = BYTES("");

static void index_slice(struct cross *cross, const struct doc_node *root)
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

static void count_slice(struct cross *cross, struct supply *supply, const struct indexed *slice)
{
    const struct shape *spec = cross_member_shape(&resource_slice, "spec"), *device = cross_member_shape(spec, "devices")->of;
    const struct doc_node *driver = cross_at(cross, &resource_slice, slice->root, "spec.driver"), *devices = cross_at(cross, &resource_slice, slice->root, "spec.devices");
    int64_t *count = (int64_t *)(uintptr_t)map_find(&supply->drivers, doc_text(driver)); /* the set hands out constants */
    if (!count) {
        count = cross_keep(cross, sizeof *count);
        if (!count)
            return;
        *count = 0;
        (void)map_add(&supply->drivers, doc_text(driver), count);
    }
    *count += devices ? devices->count : 0;
    supply->devices += devices ? devices->count : 0;
    doc_each(devices, element) {
        const struct doc_node *multiple = cross_member(cross, device, element, "allowMultipleAllocations");
        supply->certain &= !multiple || multiple->type != DOC_TRUE;
    }
}

/* NULL: no slices are given, or there is no memory. */
static const struct supply *supply_of(struct cross *cross)
{
    struct indexed *first = cross_find(cross, &all_slices, any);
    if (!first || first->memo)
        return first ? first->memo : NULL;
    struct supply *supply = cross_keep(cross, sizeof *supply);
    if (!supply)
        return NULL;
    *supply = (struct supply){ .certain = true };
    if (!cross_map(cross, &supply->drivers, cross_kept_arena(cross), first->count))
        return NULL;
    for (const struct indexed *slice = first; slice && !cross_failed(cross); slice = slice->next) {
        supply->certain &= cross_pool_is_whole(cross, slice->root);
        if (cross_pool_is_newest(cross, slice->root))
            count_slice(cross, supply, slice);
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

static struct demand demand_of(struct cross *cross, const struct supply *supply, const struct shape *shape, const struct doc_node *request)
{
    const struct doc_node *class = cross_member(cross, shape, request, "deviceClassName"), *mode = cross_member(cross, shape, request, "allocationMode");
    const struct doc_node *count = cross_member(cross, shape, request, "count");
    int64_t number = 1;
    if (bytes_equal_text(doc_text(mode), "ExactCount") && count && doc_integer(count, 1, INT64_MAX, &number) && number > INT32_MAX)
        number = INT32_MAX; /* more than there can be, so that sums stay small */
    return demand_for(cross, supply, doc_text(class), number);
}

static void report_demand(struct cross *cross, const struct doc_node *element, uint32_t index, struct demand demand)
{
    struct text text;
    text_init(&text, cross_scratch(cross));
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
    const char *detail = cross_words(cross, &text);
    if (detail)
        cross_report(cross, &(struct cross_report){ .element = element, .index = index, .detail = detail });
}

/* What one request needs; of several to choose from, the one that needs least. Reports a request that cannot be had. */
static int64_t find_demand(struct cross *cross, const struct supply *supply, const struct doc_node *request, uint32_t index)
{
    const struct shape *of = cross_shape(cross)->of, *exact = cross_member_shape(of, "exactly"), *sub = cross_member_shape(of, "firstAvailable")->of;
    const struct doc_node *exactly = cross_member(cross, of, request, "exactly");
    struct demand least = { 0, 0, any };
    bool possible = false;
    if (exactly) {
        const struct doc_node *admin = cross_member(cross, exact, exactly, "adminAccess");
        if (admin && admin->type == DOC_TRUE)
            return 0; /* takes nothing away from others */
        least = demand_of(cross, supply, exact, exactly);
        possible = least.devices <= least.available;
    }
    const struct doc_node *choices = exactly ? NULL : cross_member(cross, of, request, "firstAvailable");
    if (choices && choices->count > MAX_CHOICES)
        return 0;
    doc_each(choices, element) {
        struct demand demand = demand_of(cross, supply, sub, element);
        if (!demand.devices)
            return 0;
        least = least.devices && least.devices <= demand.devices ? least : demand;
        possible |= demand.devices <= demand.available;
    }
    if (!possible && least.devices)
        report_demand(cross, request, index, least);
    return least.devices;
}

void cross_requests_satisfiable(struct cross *cross)
{
    const struct doc_node *requests = cross_value(cross);
    const struct supply *supply = requests->count && requests->count <= MAX_REQUESTS ? supply_of(cross) : NULL;
    int64_t sum = 0;
    uint32_t index = 0;
    if (!supply || !supply->certain)
        return;
    doc_each(requests, request)
        sum += find_demand(cross, supply, request, index++);
    if (index > 1 && sum > supply->devices && !cross_found(cross))
        report_demand(cross, NULL, 0, (struct demand){ sum, supply->devices, any });
}
