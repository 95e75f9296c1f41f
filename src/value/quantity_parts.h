/* The parts of a quantity's text. Shared by quantity.c and quantity_int.c only. */
#ifndef DRAWBRIDGE_VALUE_QUANTITY_PARTS_H
#define DRAWBRIDGE_VALUE_QUANTITY_PARTS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "value/quantity.h"

/* Split as the API server's parser splits it. */
struct quantity_parts {
    bool negative;
    struct bytes whole, fraction, suffix; /* digits before and after the point; what follows them */
};

struct quantity_parts quantity_parts(struct bytes text);

/* Why a suffix means nothing; NULL when it means 1024^twos or 10^tens. */
const char *quantity_suffix_fault(struct bytes text, unsigned *twos, int32_t *tens);

/* Splits a text for which quantity_fault is NULL, without the white space around it. Its suffix means 1024^twos or 10^tens. */
struct quantity_parts quantity_split(struct bytes text, unsigned *twos, int32_t *tens);

/* quantity_read that also says whether the number was capped. */
enum failure quantity_read_capped(struct bytes text, struct arena *arena, struct quantity *quantity, bool *capped) MUST_USE;

#endif
