/* Inside review/: the AdmissionReview around the object. */
#ifndef DRAWBRIDGE_REVIEW_ENVELOPE_H
#define DRAWBRIDGE_REVIEW_ENVELOPE_H

#include "review/review.h"

struct envelope {
    struct document document;
    struct bytes space; /* the request's namespace, of a namespaced kind with rules; empty for any other */
    const struct doc_node *object, *old; /* NULL: absent or null */
    const struct kind *kind, *old_kind;  /* with rules in this version; NULL: none */
};

/* Reads the review at `start` of `body` and its objects, and fills what of *review comes from the request. Returns false with
 * review->outcome set when there is nothing to judge. */
bool envelope_read(struct worker *worker, minor version, struct bytes body, uint32_t start, bool alone, struct envelope *envelope, struct review *review) MUST_USE;

#endif
