/* Quantities as the allocator calculates with them: numbers of 10^-9, and the notation in which they are written.
 * Source: k8s.io/apimachinery v0.36.3 pkg/api/resource/quantity.go. */
#ifndef DRAWBRIDGE_ALLOCATE_AMOUNT_H
#define DRAWBRIDGE_ALLOCATE_AMOUNT_H

#include "base/text.h"
#include "value/quantity.h"

/* Holds 2^63 * 10^9, and sums of a million of them. What is larger is cut to AMOUNT_MOST. */
__extension__ typedef __int128 amount_nano;

#define AMOUNT_UNIT 1000000000
#define AMOUNT_MILLI (AMOUNT_UNIT / 1000)
#define AMOUNT_MOST ((amount_nano)1 << 114)

enum amount_notation { AMOUNT_DECIMAL, AMOUNT_BINARY, AMOUNT_EXPONENT };

struct amount {
    amount_nano nano;
    enum amount_notation notation; /* 1500m, 1Gi, 1e3 */
    bool alone;                    /* it is the same as no other: Go stores it as a decimal of any size; … */
    struct quantity_small small;   /* … or else as a mantissa and a scale, … */
    struct bytes text;             /* … and perhaps with its text; no data: without, as what was calculated */
};

/* Reads a quantity, of which the text outlives the amount; 0 of a text that is none. The arena is for scratch. Fails when it does. */
enum failure amount_read(struct bytes text, struct arena *scratch, struct amount *amount) MUST_USE;

/* Whether they are the same to Go: the same number, stored in the same way, in the same notation. */
bool amount_is_same(const struct amount *a, const struct amount *b);

/* Rounded up to a whole number, within int64. */
int64_t amount_whole(const struct amount *amount);

/* So many of AMOUNT_UNIT or AMOUNT_MILLI. */
struct amount amount_of_units(int64_t count, amount_nano unit, enum amount_notation notation);

/* Whether it is a number of thousandths that int64 holds. */
bool amount_is_milli(const struct amount *amount);

/* Adds it as API servers write it. */
void amount_add_text(struct text *text, const struct amount *amount);

#endif
