/* Inside value/: the parts of a quantity's text, which two files need. */
#ifndef DRAWBRIDGE_VALUE_QUANTITY_PARTS_H
#define DRAWBRIDGE_VALUE_QUANTITY_PARTS_H

#include <stdbool.h>

#include "base/bytes.h"

/* By the API server's own scanner. */
struct quantity_parts {
    bool negative, has_point;
    struct bytes whole, fraction, suffix; /* digits before and after the point; what follows them */
};

/* Splits a text without fault, white space around it left out; its suffix is 1024^twos or 10^tens. */
struct quantity_parts quantity_split(struct bytes text, unsigned *twos, int32_t *tens);

/* Multiplies `count` decimal digits in place; there is room for four more in front of them. Returns the new count. */
uint32_t quantity_times_1024(char *digits, uint32_t count);

#endif
