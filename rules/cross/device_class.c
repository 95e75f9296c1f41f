/* What claims and the classes that they name have to do with each other, where both are given. */
#include "rules/cross/common.h"

#define GROUP "resource.k8s.io"

/* What is left open is that a class is not given, or is for any driver. */
enum fit { OPEN, FITS_NONE, FITS_ONE };

static enum fit class_fits(struct cross *cross, struct value request, struct bytes driver)
{
    struct indexed *class = cross_named(cross, GROUP, "DeviceClass", value_text_at(cross, request, "deviceClassName"));
    struct bytes only;
    if (!class)
        return OPEN;
    if (cross_class_mentions(cross, class, driver))
        return FITS_ONE;
    return cross_class_driver(cross, class, &only) ? FITS_NONE : OPEN;
}

/* Whether the list of references is empty or names the request, or one of its subrequests. */
static bool concerns(struct value references, struct bytes request)
{
    if (!value_count(references) || value_count(references) > MAX_REQUESTS)
        return true;
    value_each(references, reference)
        if (cross_refers_to(value_text(reference), request))
            return true;
    return false;
}

static enum fit request_fits(struct cross *cross, struct value request, struct bytes driver)
{
    struct value exactly = value_at(cross, request, "exactly"), choices = value_at(cross, request, "firstAvailable");
    if (value_is_set(exactly))
        return class_fits(cross, exactly, driver);
    if (value_count(choices) > MAX_CHOICES)
        return OPEN;
    value_each(choices, choice) {
        enum fit fit = class_fits(cross, choice, driver);
        if (fit != FITS_NONE)
            return fit;
    }
    return FITS_NONE;
}

/* On the opaque configuration of a claim. Source: k8s.io/api v0.35.4 resource/v1/types.go OpaqueDeviceConfiguration. */
void cross_config_driver(struct cross *cross)
{
    struct value references = cross_sibling(cross, "requests");
    struct bytes driver = value_text_at(cross, cross_value(cross), "driver");
    bool any = false;
    if (!driver.length || !cross_count(cross, GROUP, "DeviceClass"))
        return;
    value_each(cross_requests(cross), request) {
        if (!concerns(references, value_text_at(cross, request, "name")))
            continue;
        any = true;
        if (request_fits(cross, request, driver) != FITS_NONE)
            return;
    }
    if (any)
        cross_report(cross, (struct cross_report){ .below = "driver", .quoted = true });
}

/* On adminAccess: what the API server asks of the namespace, where that is given.
 * Source: k8s.io/kubernetes v1.35.4 pkg/registry/resource/utils.go. */
void cross_admin_namespace(struct cross *cross)
{
    struct indexed *found = cross_named(cross, "", "Namespace", value_text_at(cross, cross_root(cross), "metadata.namespace"));
    if (found && !value_is(lookup_find(indexed_lookup(cross, found, "metadata.labels", NULL), bytes_of(cross_argument(cross))), "true"))
        cross_report(cross, (struct cross_report){ .other = found });
}
