/* Inside check/: what the rows of an object come to, so that most members need no look at theirs. */
#ifndef DRAWBRIDGE_CHECK_OUTLINE_H
#define DRAWBRIDGE_CHECK_OUTLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"

struct shape;

enum { OUTLINE_CHOICES = 3 }; /* rows of an object like that, with one for each API version; one that has more is not plain */

/* Fields of an object shape, one bit each. */
struct outline {
    const struct shape *shape; /* NULL: none yet */
    uint64_t defaulted;        /* have a default */
    uint64_t filled;           /* count as something when they are not set: their default or a zero value */
    uint64_t prepared;         /* are dropped or kept in some operation */
    uint64_t gated;            /* came with a feature gate */
    uint64_t heard;            /* some row has something to say about a member that is set … */
    uint64_t heard_unset;      /* … or not set */
    bool plain;                /* nothing is defaulted or prepared, and the object's own rows are choices */
    uint8_t choice_count;
    uint64_t choices[OUTLINE_CHOICES]; /* members of which one is to be set, no more: then that row has nothing to say */
};

_Static_assert(LIMIT_FIELDS <= 64, "an outline has 64 bits");

/* Those of the shapes that a thread met lately: the address of a shape says where; of two at one place, the later one. Begins as zeros. */
struct outlines {
    struct outline at[LIMIT_OUTLINES];
};

void outline_make(const struct shape *shape, struct outline *outline);

/* The outline of an object shape. Valid until the next call. */
static inline const struct outline *outline_of(struct outlines *outlines, const struct shape *shape)
{
    struct outline *outline = &outlines->at[(uintptr_t)shape / 32 % LIMIT_OUTLINES]; /* compilers align large constants to 32 bytes */
    if (outline->shape != shape)
        outline_make(shape, outline);
    return outline;
}

#endif
