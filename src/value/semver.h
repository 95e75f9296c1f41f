/* Semantic versions, 1.2.3-rc.1+build, as Kubernetes reads them. Source: github.com/blang/semver v4.0.0, tested against it. */
#ifndef DRAWBRIDGE_VALUE_SEMVER_H
#define DRAWBRIDGE_VALUE_SEMVER_H

#include <stdbool.h>

#include "base/bytes.h"

struct semver {
    uint64_t numbers[3]; /* major, minor, patch */
    struct bytes pre;    /* what follows the first -, identifiers with dots between them; empty: nothing */
    struct bytes text;   /* the whole */
};

/* Reads a version, which points into the text. Returns why the text is none, in that library's words; NULL: it is one. */
const char *semver_read(struct bytes text, struct semver *version);

/* Below 0, 0 or above 0: the precedence, in which what follows + does not count. */
int semver_compare(const struct semver *a, const struct semver *b);
bool semver_equal(const struct semver *a, const struct semver *b);

#endif
