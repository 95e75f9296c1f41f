/* What claims and the classes that they name have to do with each other, where both are given. */
#include "check/cross.h"
#include "rules/tables.h"

#define GROUP "resource.k8s.io"

/* What is left open is that a class is not given, or is for any driver. */
enum fit { OPEN, FITS_NONE, FITS_ONE };

static enum fit class_fits(struct cross *cross, const struct shape *request, const struct doc_node *object, struct bytes driver)
{
    const struct doc_node *name = cross_member(cross, request, object, "deviceClassName");
    struct indexed *class = name ? cross_named(cross, GROUP, "DeviceClass", doc_text(name)) : NULL;
    struct bytes only;
    if (!class)
        return OPEN;
    if (cross_class_mentions(cross, class, driver))
        return FITS_ONE;
    return cross_class_driver(cross, class, &only) ? FITS_NONE : OPEN;
}

/* Whether the list of references is empty or names the request, or one of its subrequests. */
static bool concerns(const struct doc_node *references, struct bytes request)
{
    if (!references || !references->count || references->count > MAX_REQUESTS)
        return true;
    doc_each(references, reference) {
        if (cross_refers_to(reference->type == DOC_STRING ? doc_text(reference) : (struct bytes){ "", 0 }, request))
            return true;
    }
    return false;
}

static enum fit request_fits(struct cross *cross, const struct doc_node *request, struct bytes driver)
{
    const struct shape *of = cross_request_shape(), *exact = cross_member_shape(of, "exactly"), *sub = cross_member_shape(of, "firstAvailable")->of;
    const struct doc_node *exactly = cross_member(cross, of, request, "exactly");
    enum fit best = exactly ? class_fits(cross, exact, exactly, driver) : FITS_NONE;
    if (exactly)
        return best;
    const struct doc_node *choices = cross_member(cross, of, request, "firstAvailable");
    if (choices->count > MAX_CHOICES)
        return OPEN;
    doc_each(choices, element) {
        enum fit fit = class_fits(cross, sub, element, driver);
        best = fit == FITS_NONE ? best : fit;
        if (best != FITS_NONE)
            return best;
    }
    return best;
}

/* On the opaque configuration of a claim. Source: k8s.io/api v0.35.4 resource/v1/types.go OpaqueDeviceConfiguration. */
void cross_config_driver(struct cross *cross)
{
    const struct doc_node *opaque = cross_value(cross), *requests = cross_requests(cross), *references = cross_beside(cross, "requests");
    const struct doc_node *driver = opaque ? cross_member(cross, cross_shape(cross), opaque, "driver") : NULL;
    bool any = false;
    if (!requests || !driver || !driver->count || !cross_count(cross, GROUP, "DeviceClass"))
        return;
    for (const struct doc_node *request = doc_first(requests); request && !cross_failed(cross); request = request->next) {
        if (!concerns(references, doc_text(cross_member(cross, cross_request_shape(), request, "name"))))
            continue;
        any = true;
        if (request_fits(cross, request, doc_text(driver)) != FITS_NONE)
            return;
    }
    if (any && !cross_failed(cross))
        cross_report(cross, &(struct cross_report){ .below = "driver", .value = driver, .detail = "is a driver that none of the request's classes names: nothing reads this configuration" });
}

/* On adminAccess: what the API server asks of the namespace, where that is given.
 * Source: k8s.io/kubernetes v1.35.4 pkg/registry/resource/utils.go. */
void cross_admin_namespace(struct cross *cross)
{
    static const char granted[] = "granted", refused[] = "refused"; /* the answer about a namespace, found out once for each label */
    const struct doc_node *space = cross_at(cross, cross_root_shape(cross), cross_root(cross), "metadata.namespace");
    struct indexed *found = space && space->count ? cross_named(cross, "", "Namespace", doc_text(space)) : NULL;
    if (!found || cross_value(cross)->type != DOC_TRUE)
        return;
    if (!found->memo) {
        const struct doc_node *label = doc_member(doc_member(doc_member(found->root, "metadata"), "labels"), cross_argument(cross));
        bool is_true = label && label->type == DOC_STRING && bytes_equal_text(doc_text(label), "true");
        found->memo = (char *)(uintptr_t)(is_true ? granted : refused);
    }
    if (found->memo != refused)
        return;
    struct text text;
    text_init(&text, cross_scratch(cross));
    text_add(&text, "admin access needs a namespace with the label ");
    text_add(&text, cross_argument(cross));
    text_add(&text, ": \"true\"");
    const char *detail = cross_words(cross, &text);
    if (detail)
        cross_report(cross, &(struct cross_report){ .other = found, .detail = detail });
}
