/* What the server counts, and its text for Prometheus. Nothing that a client writes becomes part of it. */
#ifndef DRAWBRIDGE_SERVE_METRICS_H
#define DRAWBRIDGE_SERVE_METRICS_H

#include <stdatomic.h>

#include "review/review.h"
#include "serve/deadline.h"

enum { METRICS_STATUSES = 9 };

/* Why a review was not judged, or a client not served. */
enum rejection {
    REJECTION_REQUESTS, /* too many at a time */
    REJECTION_BYTES,    /* too many bytes of bodies */
    REJECTION_QUEUE,    /* too many large reviews wait */
    REJECTION_DEADLINE, /* it waited until its time was up */
    REJECTION_CLIENT_CERTIFICATE,
    REJECTION_DRAINING, /* the server is ending */
    REJECTIONS
};

/* Who judged a review: the thread that read it, or a worker. */
enum review_path { REVIEW_INLINE, REVIEW_WORKER, REVIEW_PATHS };

struct metrics {
    atomic_ulong rejections[REJECTIONS];
    atomic_ulong reviews[REVIEW_OUTCOMES];    /* judged, by outcome */
    atomic_ulong answers[METRICS_STATUSES];   /* HTTP answers, by status; the last one counts all others */
    atomic_ulong disagreements;               /* reviews that would have been denied, if the policy allowed it */
    atomic_ulong requests;                    /* in flight */
    atomic_ulong body_bytes;                  /* of bodies in memory */
};

/* A review was judged, in so many nanoseconds from its header to its answer. */
void metrics_count_review(struct metrics *metrics, const struct review *review, enum review_path path, uint64_t nanoseconds);
void metrics_count_rejection(struct metrics *metrics, enum rejection cause);
void metrics_count_answer(struct metrics *metrics, unsigned status);

/* The text exposition format, version 0.0.4, in a buffer from malloc; NULL: out of memory. */
char *metrics_text(const struct metrics *metrics, const struct deadlines *deadlines) __attribute__((warn_unused_result));

#endif
