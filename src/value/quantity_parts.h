/* Inside value/: the parts of a quantity's text, which two files need. */
#ifndef DRAWBRIDGE_VALUE_QUANTITY_PARTS_H
#define DRAWBRIDGE_VALUE_QUANTITY_PARTS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "value/quantity.h"

/* By the API server's own scanner. */
struct quantity_parts {
    bool negative;
    struct bytes whole, fraction, suffix; /* digits before and after the point; what follows them */
};

/* Splits a text without fault, white space around it left out; its suffix is 1024^twos or 10^tens. */
struct quantity_parts quantity_split(struct bytes text, unsigned *twos, int32_t *tens);

/* quantity_read, which says whether the number was capped. */
enum failure quantity_read_capped(struct bytes text, struct arena *arena, struct quantity *quantity, bool *capped) MUST_USE;

#endif
