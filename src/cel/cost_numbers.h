/* Numbers in which costs are counted. Sums and products end at CEL_UNKNOWN, and factors are taken in doubles, as in cel-go. */
#ifndef DRAWBRIDGE_CEL_COST_NUMBERS_H
#define DRAWBRIDGE_CEL_COST_NUMBERS_H

#include <math.h>
#include <stdint.h>

#define CEL_UNKNOWN UINT64_MAX

static inline uint64_t cel_sum(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? CEL_UNKNOWN : sum;
}

static inline uint64_t cel_product(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? CEL_UNKNOWN : product;
}

static inline uint64_t cel_from_double(double value)
{
    return value >= 18446744073709551616.0 ? CEL_UNKNOWN : (uint64_t)value;
}

static inline uint64_t cel_factor(uint64_t value, double by)
{
    return cel_from_double(ceil((double)value * by));
}

static inline uint64_t cel_tenth(uint64_t value)
{
    return cel_factor(value, 0.1);
}

static inline uint64_t cel_smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t cel_larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

#endif
