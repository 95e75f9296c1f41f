/* Lookups of what some devices do not have: there evaluation fails, and the scheduler gives up the allocation of the whole claim.
 * Source: k8s.io/dynamic-resource-allocation v0.35.4 structured/internal/stable/allocator_stable.go selectorsMatch(). */
#include "rules/cross/common.h"
#include "rules/cross/lookup.h"
#include "rules/cross/outcome.h"

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

/* On the selectors of a class: they are evaluated for the devices of all drivers, one after the other until one is false. */
void cross_class_guarded(struct cross *cross)
{
    check_other_drivers(cross);
}

/* On those of a request: after those of its class. */
void cross_request_guarded(struct cross *cross)
{
    if (!value_count(cross_value(cross)))
        return;
    struct indexed *class = cross_named(cross, "resource.k8s.io", "DeviceClass", value_text(cross_sibling(cross, "deviceClassName")));
    if (class && cross_class_is_open(cross, class))
        check_other_drivers(cross);
}
