/* Whether another run, or another release, would give another answer: order that a release leaves to chance, and faults of releases. */
#ifndef DRAWBRIDGE_ALLOCATE_DOUBT_H
#define DRAWBRIDGE_ALLOCATE_DOUBT_H

#include "allocate/attempt.h"

/* A doubt about an answer. */
struct allocate_doubt {
    const char *id;    /* "order", or the issue of Kubernetes: "kubernetes#138882" */
    const char *text;  /* what differs, in words */
};

enum { ALLOCATE_DOUBTS = 8 }; /* there are fewer */

struct allocate_doubts {
    struct allocate_doubt list[ALLOCATE_DOUBTS];
    uint32_t count;
};

/* Repeats the attempt that ended with that outcome: with its pools in another order, where the release has none of its own, and without
 * each fault of the release. What then ends otherwise is a doubt. Texts are in `arena`. The attempt may be used for further ones. */
enum failure allocate_doubts_find(struct allocate_attempt *attempt, enum allocate_outcome outcome, struct arena *arena,
                                  struct allocate_doubts *doubts) MUST_USE;

#endif
