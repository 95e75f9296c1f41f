/* What constraints compare, against what the devices that are given have: one that lacks the attribute is never taken.
 * Source: k8s.io/dynamic-resource-allocation v0.37.1 structured/internal/stable/allocator_stable.go matchAttributeConstraint. */
#include "rules/cross/common.h"
#include "rules/cross/published.h"

enum { NAME_BYTES = 64 };

/* A request, or one to choose from, whose devices cannot have the attribute. */
struct lacking {
    struct bytes request, driver; /* driver without data: there is none */
};

/* Whether the constraint is for the request, or for one to choose from in it. Without names it is for all. */
static bool is_constrained(struct cross *cross, struct bytes request, struct bytes choice)
{
    struct value names = cross_sibling(cross, "requests");
    if (!value_count(names))
        return true;
    if (value_count(names) > MAX_REQUESTS)
        return false;
    value_each(names, name) {
        struct bytes text = value_text(name);
        bool chosen = choice.data && cross_refers_to(text, request) && text.length == request.length + 1 + choice.length &&
                      memcmp(text.data + request.length + 1, choice.data, choice.length) == 0;
        if (chosen || bytes_equal(text, request))
            return true;
    }
    return false;
}

/* Since 1.37 a request can add attributes to its devices. */
static bool is_derived(struct cross *cross, struct value request)
{
    struct value derived = value_at(cross, request, "derivedAttributes");
    if (value_count(derived) > MAX_REQUESTS)
        return true;
    value_each(derived, attribute)
        if (bytes_equal(value_text_at(cross, attribute, "name"), value_text(cross_value(cross))))
            return true;
    return false;
}

/* The driver of the devices that a request gets, if slices of it are given and none of them has the attribute; else no data. */
static struct bytes driver_without(struct cross *cross, struct value request, const struct lookup_use *use)
{
    struct bytes driver = { NULL, 0 };
    struct indexed *class = cross_named(cross, "resource.k8s.io", "DeviceClass", value_text_at(cross, request, "deviceClassName"));
    if (!class || !cross_class_driver(cross, class, &driver) || !published_driver(cross, driver) || is_derived(cross, request) ||
        published_by(cross, driver, use))
        return (struct bytes){ NULL, 0 };
    return driver;
}

/* All of those to choose from that the constraint is for lack it. */
static struct bytes choices_without(struct cross *cross, struct bytes name, struct value choices, const struct lookup_use *use)
{
    struct bytes driver = { NULL, 0 };
    if (value_count(choices) > MAX_CHOICES)
        return driver;
    value_each(choices, choice) {
        if (!is_constrained(cross, name, value_text_at(cross, choice, "name")))
            return (struct bytes){ NULL, 0 };
        driver = driver_without(cross, choice, use);
        if (!driver.data)
            return driver;
    }
    return driver;
}

static struct lacking find_lacking(struct cross *cross, const struct lookup_use *use)
{
    static const struct bytes none = { NULL, 0 };
    struct lacking lacking = { none, none };
    value_each(cross_requests(cross), request) {
        struct value exactly = value_at(cross, request, "exactly");
        lacking.request = value_text_at(cross, request, "name");
        if (!value_is_set(exactly))
            lacking.driver = choices_without(cross, lacking.request, value_at(cross, request, "firstAvailable"), use);
        else if (is_constrained(cross, lacking.request, none))
            lacking.driver = driver_without(cross, exactly, use);
        if (lacking.driver.data)
            break;
    }
    return lacking;
}

static void report_lacking(struct cross *cross, const struct lacking *lacking, const struct lookup_use *use)
{
    struct bytes near;
    const struct lookup_use capacity = { .capacity = true, .domain = use->domain, .name = use->name };
    struct text text = cross_text(cross);
    text_add(&text, "is an attribute of no device of driver ");
    text_add_quoted(&text, lacking->driver, NAME_BYTES);
    text_add(&text, " that is given: request ");
    text_add_quoted(&text, lacking->request, NAME_BYTES);
    text_add(&text, " gets none");
    if (published_by(cross, lacking->driver, &capacity))
        text_add(&text, "; it is a capacity, which cannot be compared");
    else if (published_near_name(cross, lacking->driver, use, &near)) {
        text_add(&text, "; ");
        near_add_words(&text, near);
    }
    cross_report(cross, (struct cross_report){ .quoted = true, .text = &text, .other = published_driver(cross, lacking->driver) });
}

static struct bytes claim_key(struct cross *cross, struct value root)
{
    return cross_key(cross, value_text_at(cross, root, "metadata.namespace"), value_text_at(cross, root, "metadata.name"));
}

static void index_allocated(struct cross *cross, struct value root)
{
    struct value allocation = value_at(cross, root, "status.allocation");
    if (value_is_set(allocation))
        cross_index_add(cross, claim_key(cross, root), allocation);
}

static const struct index_definition allocated = {
    .group = "resource.k8s.io", .kind = "ResourceClaim", .add = index_allocated, .first_only = true,
};

/* Whether the claim has its devices: what slices publish now says nothing of what they did then. By the index, as a create drops the
 * status of the object itself. */
static bool is_allocated(struct cross *cross)
{
    struct value root = cross_root(cross);
    return value_has(root, "status") && cross_find(cross, &allocated, claim_key(cross, root));
}

/* On the attribute that a constraint names. */
void cross_constraint_published(struct cross *cross)
{
    struct bytes name = value_text(cross_value(cross));
    const char *slash = name.length ? memchr(name.data, '/', name.length) : NULL;
    if (!slash || is_allocated(cross))
        return;
    uint32_t domain = (uint32_t)(slash - name.data);
    struct lookup_use use = { .domain = { name.data, domain }, .name = { slash + 1, name.length - domain - 1 } };
    struct lacking lacking = find_lacking(cross, &use);
    if (lacking.driver.data)
        report_lacking(cross, &lacking, &use);
}
