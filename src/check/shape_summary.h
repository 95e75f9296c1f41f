/* Inside check/: a summary of an object shape's rows in a few bits, so that most members need not be visited. Made once for each
 * context. */
#ifndef DRAWBRIDGE_CHECK_SHAPE_SUMMARY_H
#define DRAWBRIDGE_CHECK_SHAPE_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"
#include "base/memory.h"
#include "check/limits.h"
#include "check/looks.h"
#include "doc/limits.h"

struct kind;
struct shape;

enum { SHAPE_SUMMARY_CHOICES = 3 }; /* ONE_OF rows of an object; API versions may have their own */

/* Sets of the shape's fields, one bit for each field. */
struct shape_summary {
    const struct shape *shape;
    uint64_t defaulted;        /* with a default */
    uint64_t valued_if_unset;  /* with a value when they are not set: a default or a zero value */
    uint64_t prepared;         /* dropped or kept by some operation */
    uint64_t gated;            /* with a feature gate */
    uint64_t checked_if_set;   /* some row may be broken when the member is set */
    uint64_t checked_if_unset; /* some row may be broken when the member is not set */
    bool plain;                /* no field is defaulted or prepared, and the shape's own checks are the ONE_OF rows in `choices` */
    uint8_t choice_count;
    struct looks looks;
    uint64_t choices[SHAPE_SUMMARY_CHOICES]; /* the members of a ONE_OF row, which is not broken when exactly one is set */
};

_Static_assert(LIMIT_FIELDS <= 64, "a shape summary has 64 bits");

/* The summaries of all object shapes of the kinds. Constant, so threads share it. */
struct shape_summaries {
    struct shape_summary *list; /* owned; the first one is of no shape */
    uint64_t *watched;          /* owned; what the summaries' looks have for each field */
    uint16_t slots[LIMIT_SHAPE_SLOTS]; /* a hash table by the shapes' addresses: indexes in the list; 0: free */
};

/* FAILURE_MEMORY, or FAILURE_LIMIT when there are more than LIMIT_SHAPES shapes. */
enum failure shape_summaries_init(struct shape_summaries *summaries, const struct kind *table, size_t count,
                                  const struct memory *memory) MUST_USE;
void shape_summaries_done(struct shape_summaries *summaries, const struct memory *memory);

/* Makes the summary of one shape. */
void shape_summary_make(const struct shape *shape, struct shape_summary *summary);

/* The set of all fields. */
static inline uint64_t shape_summary_all(unsigned field_count)
{
    return field_count < 64 ? ((uint64_t)1 << field_count) - 1 : UINT64_MAX;
}

static inline unsigned shape_slot(const struct shape *shape)
{
    return (unsigned)((uintptr_t)shape / 32 % LIMIT_SHAPE_SLOTS); /* compilers align large constants to 32 bytes */
}

/* The summary of an object shape. If the shape is not one of the kinds', makes it in *scratch. */
static inline const struct shape_summary *shape_summary_of(const struct shape_summaries *summaries, const struct shape *shape,
                                                           struct shape_summary *scratch)
{
    for (unsigned slot = shape_slot(shape); summaries->slots[slot]; slot = (slot + 1) % LIMIT_SHAPE_SLOTS)
        if (summaries->list[summaries->slots[slot]].shape == shape)
            return &summaries->list[summaries->slots[slot]];
    shape_summary_make(shape, scratch);
    return scratch;
}

#endif
