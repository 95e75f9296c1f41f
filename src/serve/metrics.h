/* What the server counts, and its text for Prometheus. Nothing that a client writes becomes part of it. */
#ifndef DRAWBRIDGE_SERVE_METRICS_H
#define DRAWBRIDGE_SERVE_METRICS_H

#include <stdatomic.h>

#include "review/review.h"
#include "serve/deadline.h"

enum { METRICS_STATUSES = 9 };

struct metrics {
    atomic_ulong reviews[REVIEW_OUTCOMES];    /* judged, by outcome */
    atomic_ulong answers[METRICS_STATUSES];   /* HTTP answers, by status; the last one counts all others */
    atomic_ulong disagreements;               /* reviews that would have been denied, if the policy allowed it */
    atomic_ulong requests;                    /* in flight */
    atomic_ulong body_bytes;                  /* of bodies in memory */
};

void metrics_count_answer(struct metrics *metrics, unsigned status);

/* The text exposition format, version 0.0.4, in a buffer from malloc; NULL: out of memory. */
char *metrics_text(const struct metrics *metrics, const struct deadlines *deadlines) __attribute__((warn_unused_result));

#endif
