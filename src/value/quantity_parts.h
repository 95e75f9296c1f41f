/* Inside value/: the parts of a quantity's text, which two files need. */
#ifndef DRAWBRIDGE_VALUE_QUANTITY_PARTS_H
#define DRAWBRIDGE_VALUE_QUANTITY_PARTS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/bytes.h"

/* By the API server's own scanner. */
struct quantity_parts {
    bool negative, has_point;
    struct bytes whole, fraction, suffix; /* digits before and after the point; what follows them */
};

/* Splits a text without fault, white space around it left out; its suffix is 1024^twos or 10^tens. */
struct quantity_parts quantity_split(struct bytes text, unsigned *twos, int32_t *tens);

/* The digits before and behind the point as one number, times 1024^twos, in the arena; NULL when that fails. There are 4 * twos more of
 * them than were written. */
char *quantity_digits(const struct quantity_parts *parts, unsigned twos, struct arena *arena, uint32_t *count);

#endif
