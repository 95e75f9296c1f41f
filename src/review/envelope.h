/* Inside review/: reads the AdmissionReview around an object. */
#ifndef DRAWBRIDGE_REVIEW_ENVELOPE_H
#define DRAWBRIDGE_REVIEW_ENVELOPE_H

#include "review/review.h"

struct envelope {
    struct document document;
    struct bytes space; /* the request's namespace if its kind is namespaced and has rules; else empty */
    const struct doc_node *object, *old; /* NULL: absent or null */
    const struct kind *kind, *old_kind;  /* with rules in this version; NULL: none */
};

/* Reads the review at `start` of `body` and its objects, and sets the members of *review that come from the request. alone: nothing may
 * follow the review. Returns false, with review->outcome set, when it cannot be validated. */
bool envelope_read(struct workspace *workspace, minor version, struct bytes body, uint32_t start, bool alone, struct envelope *envelope,
                   struct review *review) MUST_USE;

#endif
