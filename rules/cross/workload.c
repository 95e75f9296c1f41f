/* Pods: the claims of their containers, and what claims and drivers that are given have to do with them. */
#include "rules/cross/common.h"

/* Claims of a pod, which are gone through for each of a container; pods with more of them are left alone. */
enum { MAX_CLAIMS = 64 };

/* Claims of a container, and containers, for whose requests one that was meant is looked for: 512 times among MAX_REQUESTS names. */
enum { MAX_SUGGESTIONS = 16 };

enum { NAME_BYTES = 128 }; /* of an object in a message */

/* On the claims of a container: all of a claim once, or each of its requests once.
 * Source: k8s.io/kubernetes v1.37.1 pkg/apis/core/validation/validation.go validateResourceClaimNames. */
void cross_container_claims(struct cross *cross)
{
    static const struct bytes in_part = BYTES("");
    struct value claims = cross_value(cross);
    struct map seen;
    if (value_count(claims) < 2 || !cross_map(cross, &seen, cross_scratch(cross), 2 * value_count(claims)))
        return;
    value_each(claims, claim) {
        struct bytes name = value_text_at(cross, claim, "name"), request = value_text_at(cross, claim, "request");
        struct bytes whole = cross_key(cross, name), part = cross_key(cross, name, request), any = cross_key(cross, name, in_part);
        if (!name.length || !whole.data || !part.data)
            continue;
        bool repeated = map_find(&seen, whole) || map_find(&seen, request.length ? part : any);
        if (repeated)
            cross_report(cross, (struct cross_report){ .at = claim, .below = "name", .quoted = true });
        (void)map_add(&seen, request.length ? part : whole, claim.node);
        if (request.length)
            (void)map_add(&seen, any, claim.node);
    }
}

/* ---- requests of a claim ---- */

/* The entry of that name in the resourceClaims of a pod; nothing, if there are too many. */
static struct value pod_claim_named(struct cross *cross, struct value pod, struct bytes name)
{
    struct value claims = value_at(cross, pod, "resourceClaims");
    if (value_count(claims) <= MAX_CLAIMS)
        value_each(claims, claim)
            if (bytes_equal(value_text_at(cross, claim, "name"), name))
                return claim;
    return (struct value){ .node = NULL };
}

/* The claim or template that the entry names, and its requests; NULL: it is not given. */
static const struct indexed *claim_given(struct cross *cross, struct value entry, struct value *requests)
{
    struct bytes claim = value_text_at(cross, entry, "resourceClaimName");
    struct bytes template = value_text_at(cross, entry, "resourceClaimTemplateName");
    bool of_template = template.length;
    const struct indexed *given = cross_beside(cross, "resource.k8s.io", of_template ? "ResourceClaimTemplate" : "ResourceClaim",
                                               of_template ? template : claim);
    if (given)
        *requests = value_at(cross, indexed_root(given), of_template ? "spec.spec.devices.requests" : "spec.devices.requests");
    return given;
}

/* On the request of a container's claim. Source: k8s.io/api v0.37.1 core/v1/types.go ResourceClaim. */
void cross_claim_request(struct cross *cross)
{
    enum { REQUEST, RESOURCES, CONTAINER, POD }; /* the objects around the value */
    struct value requests = { .node = NULL }, claim = cross_outer(cross, REQUEST), pod = cross_outer(cross, POD);
    struct nearest nearest = { .wanted = value_text(cross_value(cross)) };
    struct value entry = pod_claim_named(cross, pod, value_text_at(cross, claim, "name"));
    const struct indexed *given = value_is_set(entry) ? claim_given(cross, entry, &requests) : NULL;
    if (!given || value_count(requests) > MAX_REQUESTS)
        return;
    value_each(requests, request)
        if (bytes_equal(value_text_at(cross, request, "name"), nearest.wanted))
            return;
    if (claim.index < MAX_SUGGESTIONS && cross_outer(cross, CONTAINER).index < MAX_SUGGESTIONS)
        value_each(requests, request)
            near_consider(&nearest, value_text_at(cross, request, "name"));
    struct text text = cross_text(cross);
    text_add(&text, "is no request of ");
    text_add_quoted(&text, indexed_name(given), NAME_BYTES);
    if (nearest.found.data) {
        text_add(&text, ": ");
        near_add_words(&text, nearest.found);
    }
    cross_report(cross, (struct cross_report){ .quoted = true, .text = &text, .other = given });
}

/* ---- claims that no container names ---- */

/* Marks the claims that these containers name; whether there are any. */
static bool mark_used(struct cross *cross, const struct map *marks, struct value containers)
{
    bool any = false;
    value_each(containers, container)
        value_each(value_at(cross, container, "resources.claims"), claim) {
            bool *mark = map_find(marks, value_text_at(cross, claim, "name"));
            if (mark)
                any = *mark = true;
        }
    return any;
}

/* On resourceClaims. Nothing is said where no container names one: drivers of networks serve the pod as a whole. */
void cross_pod_claims_used(struct cross *cross)
{
    struct value claims = cross_value(cross);
    uint32_t count = value_count(claims);
    bool *used = count ? cross_alloc(cross, cross_scratch(cross), count * sizeof *used) : NULL;
    struct map marks;
    if (!used || !cross_map(cross, &marks, cross_scratch(cross), count))
        return;
    value_each(claims, claim)
        used[claim.index] = map_add(&marks, value_text_at(cross, claim, "name"), &used[claim.index]) != NULL;
    bool any = mark_used(cross, &marks, cross_sibling(cross, "containers"));
    any |= mark_used(cross, &marks, cross_sibling(cross, "initContainers"));
    value_each(claims, claim)
        if (any && !used[claim.index])
            cross_report(cross, (struct cross_report){ .at = claim, .below = "name", .quoted = true });
}

/* ---- volumes in a pod ---- */

/* On the driver of a volume that the pod itself describes. Source: k8s.io/api v0.35.4 storage/v1/types.go
 * CSIDriverSpec.volumeLifecycleModes, which is Persistent where it is not set. */
void cross_driver_is_ephemeral(struct cross *cross)
{
    const struct indexed *driver = cross_named(cross, "storage.k8s.io", "CSIDriver", value_text(cross_value(cross)));
    value_each(value_at(cross, indexed_root(driver), "spec.volumeLifecycleModes"), mode)
        if (value_is(mode, "Ephemeral"))
            return;
    if (driver)
        cross_report(cross, (struct cross_report){ .quoted = true, .other = driver });
}
