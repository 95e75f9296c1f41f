/* Kubernetes quantities ("10Gi", "1500m", "1e3"), read and compared exactly: no floating point, no expansion of exponents.
 * Source of the grammar and the rounding: k8s.io/apimachinery v0.35.4 pkg/api/resource/quantity.go. */
#ifndef DRAWBRIDGE_VALUE_QUANTITY_H
#define DRAWBRIDGE_VALUE_QUANTITY_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/bytes.h"

/* sign 0.d1d2d3… * 10^exponent, without leading or trailing zeros; zero has no digits. */
struct quantity {
    const char *digits; /* ASCII, in the arena */
    uint32_t count;
    int32_t exponent;
    bool negative;
};

/* Why `text` (as written, white space around it allowed) is no quantity, or NULL when it is one. Besides what the API
 * server refuses, texts over LIMIT_QUANTITY_BYTES and exponents beyond LIMIT_QUANTITY_EXPONENT are refused. */
const char *quantity_fault(struct bytes text);

/* Reads a text without fault. Values are rounded away from zero to 10^-9, and binary suffixes are capped at 2^63-1, as the
 * API server does. FAILURE_MEMORY or FAILURE_LIMIT as the arena has it. */
enum failure quantity_read(struct bytes text, struct arena *arena, struct quantity *quantity) MUST_USE;

/* Rounds away from zero to a multiple of 10^scale. */
enum failure quantity_round_up(struct quantity *quantity, int32_t scale, struct arena *arena) MUST_USE;

/* Less than, equal to or greater than 0 as a is less than, equal to or greater than b. */
int quantity_compare(const struct quantity *a, const struct quantity *b);

/* The same for the sum of a and b against c. FAILURE_MEMORY or FAILURE_LIMIT as the arena has it. */
enum failure quantity_compare_sum(const struct quantity *a, const struct quantity *b, const struct quantity *c, struct arena *arena, int *order) MUST_USE;

/* Whether the API server holds the number as a decimal of any size, not as an int64 with a scale; its integer arithmetic differs. */
bool quantity_is_big(struct bytes text);

/* Sets *value to the int64 that the API server makes of a text without fault. big: it is held as a decimal, by itself or because
 * it was compared with one. FAILURE_MEMORY or FAILURE_LIMIT as the arena has it. */
enum failure quantity_int64(struct bytes text, bool big, struct arena *arena, int64_t *value) MUST_USE;

#endif
