/* The requests of a claim or of a template, and what refers to them. */
#include "check/cross.h"
#include "rules/tables.h"

const struct shape *cross_request_shape(void)
{
    return cross_member_shape(cross_member_shape(&claim_spec, "devices"), "requests")->of;
}

const struct doc_node *cross_requests(struct cross *cross)
{
    const struct shape *shape = cross_root_shape(cross);
    const struct doc_node *claim = cross_at(cross, shape, cross_root(cross), "spec.devices.requests");
    const struct doc_node *requests = claim ? claim : cross_at(cross, shape, cross_root(cross), "spec.spec.devices.requests");
    return requests && requests->count <= MAX_REQUESTS ? requests : NULL;
}

bool cross_refers_to(struct bytes reference, struct bytes request)
{
    return reference.length >= request.length && memcmp(reference.data, request.data, request.length) == 0 &&
           (reference.length == request.length || reference.data[request.length] == '/');
}
