/* When certificates end: for metrics, and a warning in time. */
#ifndef DRAWBRIDGE_OBSERVE_EXPIRY_H
#define DRAWBRIDGE_OBSERVE_EXPIRY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"

struct expiry {
    atomic_llong begins, ends; /* seconds since 1970; 0: there is no such certificate */
    int64_t warned;            /* the end that was warned of */
    bool ended;                /* and that it has come */
};

/* By one thread, as is expiry_warn. */
void expiry_set(struct expiry *expiry, int64_t begins, int64_t ends);

/* Seconds since 1970, 0: there is no such certificate. By any thread. */
int64_t expiry_of(const struct expiry *expiry);

/* Whether less than a fifth of its life is left, or LIMIT_EXPIRY_SECONDS if that is less. By any thread. */
bool expiry_is_near(const struct expiry *expiry, int64_t now) MUST_USE;

/* True, with a sentence about `what` in `text`, once when its end is near, and once when it has ended. */
bool expiry_warn(struct expiry *expiry, const char *what, int64_t now, char *text, size_t room) MUST_USE;

#endif
