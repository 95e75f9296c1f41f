/* Inside check/: what the rows of an object shape look at, found in the tables once for each context. From it alike.c knows which rows
 * would find in an object what they found in one like it. */
#ifndef DRAWBRIDGE_CHECK_LOOKS_H
#define DRAWBRIDGE_CHECK_LOOKS_H

#include <stdbool.h>
#include <stdint.h>

struct check;
struct shape;

/* Sets of the shape's fields, one bit for each. "Rows of a member" are those of its field and of everything below it. */
struct looks {
    bool known;          /* the rest holds; else nothing may be concluded */
    bool own_always;     /* the shape's own checks look at more than members and options … */
    bool own_old;        /* … or at what was there before */
    uint64_t own_values; /* members at whose values they look … */
    uint64_t own_counts; /* … or only whether they are set, or how much is in them */
    uint64_t gated;      /* members of which such a row decides whether, or how, those after it and below it are run … */
    uint64_t gated_by_value; /* … or a row that looks at the member's own value */
    uint64_t watchers;   /* members of which some row looks at other members … */
    uint64_t *watched;   /* … which are these, by field */
    uint64_t always;     /* members of which some row looks at more than values: functions, places in a list */
    uint64_t old;        /* members of which some row looks at what was there before */
};

/* `watched` has room for each of the fields. */
void looks_make(const struct shape *shape, struct looks *looks, uint64_t *watched);

/* Whether the check is the same for two maps with the same keys. */
bool looks_at_keys(const struct check *check);

#endif
