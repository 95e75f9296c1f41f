/* Timestamps as the API server reads them: RFC 3339, and what Go's parser accepts besides.
 * Source: k8s.io/apimachinery v0.35.4 pkg/apis/meta/v1/time.go and Go's time.Parse; tested against both. */
#ifndef DRAWBRIDGE_VALUE_TIME_H
#define DRAWBRIDGE_VALUE_TIME_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/failure.h"

struct instant {
    int64_t seconds; /* since 1970-01-01T00:00:00Z, negative before */
    int32_t nanoseconds;
    int32_t zone; /* in which it was written: seconds east of UTC */
};

/* Reads `text`. Returns false, and does not set *instant, when the API server would refuse it. */
bool instant_read(struct bytes text, struct instant *instant) MUST_USE;

/* The beginning of the year 1, which is Go's zero time: it means that no time is set. */
extern const struct instant instant_zero;

bool instant_is_zero(const struct instant *instant);

#endif
