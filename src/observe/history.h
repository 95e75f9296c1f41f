/* What happened in the last hour, minute by minute. Reviews are not counted for it: once a minute the metrics are added up and kept, and
 * what a minute brought is the difference of two sums. Only the slowest reviews are kept one by one. */
#ifndef DRAWBRIDGE_OBSERVE_HISTORY_H
#define DRAWBRIDGE_OBSERVE_HISTORY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "observe/metrics.h"

/* The counters that are kept of one moment. */
struct history_sums {
    uint64_t verdicts[METRICS_VERDICTS];
    uint64_t findings[RULE_COUNT][METRICS_SEVERITIES];
    uint64_t durations[METRICS_PATHS][METRICS_BUCKETS];
    uint64_t rejections[METRICS_REJECTIONS];
    uint64_t demotions[REVIEW_DEMOTIONS];
};

struct slow_review {
    uint64_t nanoseconds; /* 0: no entry */
    int64_t at;           /* seconds since 1970 */
    uint32_t bytes;
    uint8_t kind; /* index in the kind table, or METRICS_OTHER_KIND */
    uint8_t operation, verdict, path;
};
_Static_assert(METRICS_KINDS <= UINT8_MAX, "a kind fits its byte");

enum {
    HISTORY_SUMS = LIMIT_HISTORY_MINUTES + 1, /* 60 minutes lie between 61 moments */
    HISTORY_SLOW = LIMIT_SLOW_REVIEWS,        /* that are shown: more could not be known */
};

struct history {
    struct metrics *metrics; /* not owned */
    pthread_mutex_t lock;    /* guards what follows up to the threshold */
    struct history_sums sums[HISTORY_SUMS];
    struct slow_review slow[LIMIT_HISTORY_MINUTES][LIMIT_SLOW_REVIEWS]; /* of a minute each, the slowest first */
    uint64_t minute;         /* that is running, from 0; its first moment is sums[minute % HISTORY_SUMS] */
    _Atomic uint64_t threshold; /* nanoseconds; what is faster is not among the slowest of this minute */
};

/* What the status page shows. */
struct history_view {
    unsigned minutes; /* whole ones that are known, and the running one: 1 to LIMIT_HISTORY_MINUTES */
    uint64_t verdicts[LIMIT_HISTORY_MINUTES][METRICS_VERDICTS]; /* by minute, the oldest first; the last one is still running */
    struct history_sums all;               /* of all these minutes together */
    struct slow_review slow[HISTORY_SLOW]; /* of all these minutes, the slowest first */
};

/* Begin with zeroes. Returns 0 or an errno. */
int history_init(struct history *history, struct metrics *metrics) MUST_USE;
void history_done(struct history *history);

/* A minute is over. */
void history_turn(struct history *history);

/* Keeps a review if it is one of the slowest of this minute. Takes the lock only then. */
void history_record(struct history *history, const struct slow_review *review);

void history_view(struct history *history, struct history_view *view);

#endif
