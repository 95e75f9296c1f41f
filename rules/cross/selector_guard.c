/* Lookups of what some devices do not have: there evaluation fails, and the scheduler gives up the allocation of the whole claim.
 * Source: k8s.io/dynamic-resource-allocation v0.35.4 structured/internal/stable/allocator_stable.go selectorsMatch(). */
#include "rules/cross/common.h"
#include "rules/cross/lookup.h"
#include "rules/cross/outcome.h"
#include "rules/cross/published.h"

enum { DOMAIN_BYTES = 64 };

/* ---- devices of other drivers ---- */

/* "fails for devices of other drivers, and with it the allocation: they have no attribute "model" in "gpu.acme.dev"; …". */
static void report_other_drivers(struct cross *cross, struct value selector, const struct lookup_use *use)
{
    struct text text = cross_text(cross);
    text_add(&text, "fails for devices of other drivers, and with it the allocation: they have no ");
    lookup_add_words(&text, use);
    text_add(&text, " in ");
    text_add_quoted(&text, use->domain, DOMAIN_BYTES);
    text_add(&text, "; ask for device.driver first");
    if (!bytes_equal_text(use->domain, "resource.kubernetes.io")) { /* a domain for drivers in common */
        text_add(&text, ": device.driver == ");
        text_add_quoted(&text, use->domain, DOMAIN_BYTES);
        text_add(&text, " && ...");
    }
    cross_report(cross, (struct cross_report){ .at = selector, .below = "cel", .inner = "expression", .text = &text });
}

static void check_other_drivers(struct cross *cross)
{
    struct outcome_device device = { .cross = cross };
    struct value at = { .shape = NULL };
    if (outcome_of_selectors(&device, cross_value(cross), &at) == OUTCOME_FAILS && !lookup_fault(&device.lookup))
        report_other_drivers(cross, at, &device.lookup);
}

/* ---- devices of one driver ---- */

enum { MAX_TRIED = 4 }; /* devices; an expression is compiled again for each */

struct candidates {
    struct cross *cross;
    struct bytes driver; /* without data: of lookups in domain "d", driver "d" */
    const struct indexed *devices[MAX_TRIED];
    unsigned count;
};

/* A device that lacks what the node looks up, if it is another one. What no device of the domain's driver has is said by another row. */
static bool find_candidate(const struct cel_node *node, void *self)
{
    struct candidates *found = self;
    struct lookup_use use;
    if (!lookup_of(node, &use) || !use.name.data || use.guarded)
        return true;
    if (published_driver(found->cross, use.domain) && !published_name(found->cross, use.domain, use.name, use.capacity))
        return true;
    const struct indexed *device = published_lacking(found->cross, found->driver.data ? found->driver : use.domain, &use);
    for (unsigned i = 0; device && i < found->count; i++)
        if (found->devices[i] == device)
            return true;
    if (device)
        found->devices[found->count++] = device;
    return found->count < MAX_TRIED;
}

/* Selectors, in their order: once one of them is for one driver only, the lookups of the others are for that driver. */
static void find_candidates(struct candidates *found, struct value selectors)
{
    if (value_count(selectors) > MAX_SELECTORS)
        return;
    value_each(selectors, selector) {
        struct bytes named;
        const struct cel_node *root = lookup_tree(found->cross, value_text_at(found->cross, selector, "cel.expression"));
        if (root && !found->driver.data && lookup_one_driver(root, &named)) {
            const struct indexed *driver = published_driver(found->cross, named);
            if (!driver)
                return;
            found->driver = value_text(indexed_value(driver)); /* the expression's own text is gone with the next expression */
        }
        if (root && !lookup_walk(root, find_candidate, found))
            return;
    }
}

/* "fails for device "gpu-1", and with it the allocation: it has no attribute "model" in "gpu.acme.dev"; …". */
static void report_device(struct cross *cross, struct value selector, const struct lookup_use *use, const struct indexed *device)
{
    struct text text = cross_text(cross);
    text_add(&text, "fails for device ");
    text_add_quoted(&text, value_text_at(cross, indexed_value(device), "name"), DOMAIN_BYTES);
    text_add(&text, ", and with it the allocation: it has no ");
    lookup_add_words(&text, use);
    text_add(&text, " in ");
    text_add_quoted(&text, use->domain, DOMAIN_BYTES);
    if (published_by(cross, value_text_at(cross, indexed_root(device), "spec.driver"), use)) {
        text_add(&text, "; ask for it first: ");
        text_add_quoted(&text, use->name, DOMAIN_BYTES);
        text_add(&text, use->capacity ? " in device.capacity[" : " in device.attributes[");
        text_add_quoted(&text, use->domain, DOMAIN_BYTES);
        text_add(&text, "] && ...");
    } else {
        text_add(&text, ", as no device of the driver has");
    }
    cross_report(cross, (struct cross_report){ .at = selector, .below = "cel", .inner = "expression", .text = &text, .other = device });
}

static void check_devices(struct cross *cross, struct bytes driver)
{
    struct candidates found = { .cross = cross, .driver = driver };
    find_candidates(&found, cross_value(cross));
    for (unsigned i = 0; i < found.count; i++) {
        struct value at = { .shape = NULL };
        struct outcome_device device = { .cross = cross, .device = indexed_value(found.devices[i]) };
        device.driver = value_text_at(cross, indexed_root(found.devices[i]), "spec.driver");
        if (outcome_of_selectors(&device, cross_value(cross), &at) != OUTCOME_FAILS)
            continue;
        report_device(cross, at, &device.lookup, found.devices[i]);
        return;
    }
}

/* ---- rows ---- */

/* On the selectors of a class: they are evaluated for the devices of all drivers, one after the other until one is false. */
void cross_class_guarded(struct cross *cross)
{
    check_other_drivers(cross);
}

void cross_class_devices(struct cross *cross)
{
    check_devices(cross, (struct bytes){ NULL, 0 });
}

/* On those of a request: after those of its class. Whether the class, which is given, leaves all devices of a driver to them; without
 * data: of every driver. */
static bool class_takes_all(struct cross *cross, struct bytes *driver)
{
    if (!value_count(cross_value(cross)))
        return false;
    struct indexed *class = cross_named(cross, "resource.k8s.io", "DeviceClass", value_text(cross_sibling(cross, "deviceClassName")));
    return class && cross_class_takes_all(cross, class, driver);
}

void cross_request_guarded(struct cross *cross)
{
    struct bytes driver = { NULL, 0 };
    if (class_takes_all(cross, &driver) && !driver.data)
        check_other_drivers(cross);
}

void cross_request_devices(struct cross *cross)
{
    struct bytes driver = { NULL, 0 };
    if (class_takes_all(cross, &driver))
        check_devices(cross, driver);
}
