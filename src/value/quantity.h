/* Kubernetes quantities ("10Gi", "1500m", "1e3"), read and compared exactly: no floating point, no expansion of exponents.
 * Source of the grammar and the rounding: k8s.io/apimachinery v0.35.4 pkg/api/resource/quantity.go. */
#ifndef DRAWBRIDGE_VALUE_QUANTITY_H
#define DRAWBRIDGE_VALUE_QUANTITY_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/bytes.h"

/* The number 0.d1d2d3… * 10^exponent with a sign. There are no leading or trailing zeros; zero has no digits. */
struct quantity {
    const char *digits; /* ASCII, in the arena */
    uint32_t count;
    int32_t exponent;
    bool negative;
};

/* Why `text` is not a quantity, or NULL when it is one; white space around it is allowed. Refused are what the API server refuses, texts
 * over LIMIT_QUANTITY_BYTES, and exponents beyond LIMIT_QUANTITY_EXPONENT. */
const char *quantity_fault(struct bytes text);

/* Reads a text for which quantity_fault is NULL. As the API server does, rounds away from zero to 10^-9, and caps numbers with a binary
 * suffix at 2^63-1. Fails when the arena does. */
enum failure quantity_read(struct bytes text, struct arena *arena, struct quantity *quantity) MUST_USE;

/* Rounds away from zero to a multiple of 10^scale. Fails when the arena does. */
enum failure quantity_round_up(struct quantity *quantity, int32_t scale, struct arena *arena) MUST_USE;

/* Below 0, 0 or above 0 when a is less than, equal to or greater than b. */
int quantity_compare(const struct quantity *a, const struct quantity *b);

/* The digits that adding these two goes through. */
uint32_t quantity_sum_digits(const struct quantity *a, const struct quantity *b);

/* Adds b to a. FAILURE_LIMIT when the sum may have more than LIMIT_QUANTITY_SUM_DIGITS digits, or as the arena fails. */
enum failure quantity_add(const struct quantity *a, const struct quantity *b, struct arena *arena, struct quantity *sum) MUST_USE;

/* Compares the sum of a and b with c. Fails when the arena does. */
enum failure quantity_compare_sum(const struct quantity *a, const struct quantity *b, const struct quantity *c, struct arena *arena,
                                  int *order) MUST_USE;

/* Whether it has digits after the point. */
bool quantity_is_fraction(const struct quantity *quantity);

/* Sets *scaled to the number times 10^scale. False: that has a fraction, or is no int64. */
bool quantity_scaled(const struct quantity *quantity, int32_t scale, int64_t *scaled) MUST_USE;

/* Whether the API server stores the number as a decimal of any size (inf.Dec), not as an int64 with a scale (int64Amount). The two become
 * an int64 in different ways. */
bool quantity_is_big(struct bytes text);

/* mantissa * 10^scale. */
struct quantity_small {
    int64_t mantissa;
    int32_t scale;
};

/* Reads a number that is not quantity_is_big, as the API server stores it. False: it is big, or no quantity, or has white space around
 * it. */
bool quantity_read_small(struct bytes text, struct quantity_small *small) MUST_USE;

/* Whether the API server keeps the text of such a number beside it, because it would write it in the same way. Go's == compares it, too. */
bool quantity_is_kept(struct bytes text) MUST_USE;

#define QUANTITY_SMALL_DIGITS 19

/* Its digits, in `digits`. */
void quantity_of_small(const struct quantity_small *small, char digits[QUANTITY_SMALL_DIGITS], struct quantity *quantity);

/* Sets *value to the int64 that the API server makes of the text (Quantity.Value). big: the number is stored as a decimal, because
 * quantity_is_big, or because it was compared with such a number before. Fails when the arena does. */
enum failure quantity_int64(struct bytes text, bool big, struct arena *arena, int64_t *value) MUST_USE;

#endif
