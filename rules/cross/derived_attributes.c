/* Attributes of devices that a request derives by expressions: what they are for, and what they cost together.
 * Source: k8s.io/kubernetes v1.37.1 pkg/apis/resource/validation/validation.go. */
#include "cel/compile.h"
#include "rules/cross/common.h"
#include "schema/cel.h"

/* More constraints, or requests of a constraint, are not gone through: both lists may have 32. */
enum { MAX_GONE_THROUGH = 1024 };

/* What all expressions of a claim may cost together: DeviceClaimDerivedAttributeCELMaxCost. */
enum { MAX_COST = 1000000 };

/* The request and the one to choose from below it (without data: the request is exact) whose derived attributes are at the row's place. */
struct target {
    struct bytes request, choice;
};

static struct target target_of(struct cross *cross)
{
    struct value around = cross_outer(cross, 0);
    struct target target = { value_text_at(cross, cross_outer(cross, 1), "name"), { NULL, 0 } };
    if (value_has(around, "name"))
        target.choice = value_text_at(cross, around, "name");
    return target;
}

/* A constraint names requests by the text REQUEST or REQUEST/CHOICE, as it stands: the empty one is for all, and what is before the first
 * slash for whatever is below it, even where a name has a slash itself. */
static bool is_for(struct bytes reference, const struct target *target)
{
    struct bytes request = target->request, choice = target->choice;
    const char *slash = request.length ? memchr(request.data, '/', request.length) : NULL;
    struct bytes head = { request.data, slash ? (uint32_t)(slash - request.data) : request.length };
    if (!reference.length || ((slash || choice.data) && bytes_equal(reference, head)))
        return true;
    if (!choice.data)
        return bytes_equal(reference, request);
    uint32_t above = request.length + 1;
    return reference.length == above + choice.length && reference.data[request.length] == '/' &&
           bytes_equal((struct bytes){ reference.data, request.length }, request) &&
           bytes_equal((struct bytes){ reference.data + above, choice.length }, choice);
}

/* Whether the constraint is on the target: on all requests, or on one of these names. */
static bool constrains(struct cross *cross, struct value constraint, const struct target *target)
{
    struct value requests = value_at(cross, constraint, "requests");
    bool found = value_count(requests) == 0;
    if (value_count(requests) > MAX_GONE_THROUGH)
        return true;
    value_each(requests, reference)
        found |= is_for(value_text(reference), target);
    return found;
}

static struct value devices_of_root(struct cross *cross)
{
    struct value spec = value_at(cross, cross_root(cross), "spec");
    return value_at(cross, spec, value_has(spec, "spec") ? "spec.devices" : "devices");
}

void cross_derived_attributes_used(struct cross *cross)
{
    struct value constraints = value_at(cross, devices_of_root(cross), "constraints");
    struct target target = target_of(cross);
    struct map names;
    if (!value_count(cross_value(cross)) || value_count(constraints) > MAX_GONE_THROUGH ||
        !cross_map(cross, &names, cross_scratch(cross), value_count(constraints)))
        return;
    value_each(constraints, constraint) {
        struct value match = value_at(cross, constraint, "matchAttribute");
        struct value name = value_is_set(match) ? match : value_at(cross, constraint, "distinctAttribute");
        if (value_is_set(name) && constrains(cross, constraint, &target))
            (void)map_add(&names, value_text(name), name.node);
    }
    value_each(cross_value(cross), attribute) {
        struct bytes name = value_text_at(cross, attribute, "name");
        if (name.length && !map_find(&names, name))
            cross_report(cross, (struct cross_report){ .at = attribute, .below = "name", .quoted = true });
    }
}

/* Adds what the expressions of the list cost; those that are refused for another reason count nothing. The sum wraps around, as the API
 * server's does. */
static void add_cost(struct cross *cross, struct value attributes, uint64_t *cost)
{
    value_each(attributes, attribute) {
        struct bytes text = value_text_at(cross, attribute, "expression");
        const struct cel_expression *compiled = text.length ? cross_expression(cross, &cel_attribute_library, text) : NULL;
        if (compiled && (compiled->class == CEL_GOOD || compiled->class == CEL_TOO_COSTLY))
            *cost += compiled->estimate.cost;
    }
}

void cross_derived_attributes_cost(struct cross *cross)
{
    uint64_t cost = 0;
    value_each(cross_requests(cross), request) {
        struct value exactly = value_at(cross, request, "exactly"), choices = value_at(cross, request, "firstAvailable");
        if ((value_is_set(exactly) && value_count(choices)) || value_count(choices) > MAX_CHOICES)
            continue; /* refused, and not looked into */
        add_cost(cross, value_at(cross, exactly, "derivedAttributes"), &cost);
        value_each(choices, choice)
            add_cost(cross, value_at(cross, choice, "derivedAttributes"), &cost);
    }
    if (cost > MAX_COST)
        cross_report(cross, (struct cross_report){ 0 });
}
