/* The requests of a claim or of a template, and what refers to them. */
#include "rules/cross/common.h"

struct value cross_requests(struct cross *cross)
{
    struct value spec = value_at(cross, cross_root(cross), "spec");
    if (value_has(spec, "spec")) /* of a template */
        spec = value_at(cross, spec, "spec");
    struct value requests = value_at(cross, spec, "devices.requests");
    return value_count(requests) <= MAX_REQUESTS ? requests : (struct value){ .shape = requests.shape };
}

bool cross_refers_to(struct bytes reference, struct bytes request)
{
    return reference.length >= request.length && memcmp(reference.data, request.data, request.length) == 0 &&
           (reference.length == request.length || reference.data[request.length] == '/');
}
