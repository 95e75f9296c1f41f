/* Timestamps as the API server reads them: RFC 3339, as lax as Go's parser.
 * Source: k8s.io/apimachinery v0.35.4 pkg/apis/meta/v1/time.go and Go's time.Parse, probed. */
#ifndef DRAWBRIDGE_VALUE_TIME_H
#define DRAWBRIDGE_VALUE_TIME_H

#include <stdbool.h>

#include "base/bytes.h"

struct instant {
    int64_t seconds; /* since 1970-01-01T00:00:00Z, negative before */
    int32_t nanoseconds;
};

/* Reads `text`; returns false, and leaves *instant alone, when the API server would not take it. */
bool instant_read(struct bytes text, struct instant *instant) __attribute__((warn_unused_result));

/* Whether it is the beginning of the year 1: what Go has where there is no time. */
bool instant_is_zero(const struct instant *instant);

#endif
