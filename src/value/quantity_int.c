/* Quantities as the API server makes int64 of them, with its two ways of holding a number.
 * Source: k8s.io/apimachinery v0.35.4 pkg/api/resource/quantity.go, math.go, amount.go, scale_int.go. */
#include "value/quantity.h"

#include "value/quantity_parts.h"

static const struct quantity most = { "9223372036854775807", 19, 19, false };

/* Digits before the point; the API server counts one where there is none. */
static uint32_t significant(struct bytes whole)
{
    uint32_t zeros = 0;
    while (zeros < whole.length && whole.data[zeros] == '0')
        zeros++;
    return zeros < whole.length ? whole.length - zeros : 1;
}

bool quantity_is_big(struct bytes text)
{
    static const unsigned char binary_digits[] = { 0, 11, 8, 5, 2, 0, 0 };
    unsigned twos = 0;
    int32_t tens = 0;
    struct quantity_parts parts = quantity_split(text, &twos, &tens);
    if (twos)
        return parts.fraction.length || significant(parts.whole) > binary_digits[twos];
    return significant(parts.whole) + parts.fraction.length > 18 || (int64_t)tens - parts.fraction.length < -9;
}

/* The size of the number times 10^scale, cut to an integer, modulo 2^64. */
static uint64_t low_bits(const struct quantity *quantity, int64_t scale)
{
    int64_t places = quantity->exponent + scale;
    uint64_t value = 0;
    if (places - quantity->count >= 64)
        return 0; /* 10^64 is a multiple of 2^64 */
    for (int64_t i = 0; i < places; i++)
        value = value * 10 + (i < quantity->count ? (uint64_t)(quantity->digits[i] - '0') : 0);
    return value;
}

static int64_t with_sign(uint64_t size, bool negative)
{
    return (int64_t)(negative ? 0 - size : size);
}

static bool fits_int64(const struct quantity *quantity, int64_t scale)
{
    struct quantity size = { quantity->digits, quantity->count, (int32_t)(quantity->exponent + scale), false };
    return quantity_compare(&size, &most) <= 0;
}

static bool has_rest(const struct quantity *quantity)
{
    return quantity->exponent < (int64_t)quantity->count;
}

/* Its arithmetic for a decimal, an integer of any size times 10^-scale. Of a negative one it divides the low 64 bits, and adds one for a rest
 * whatever the sign. 10^19 and more, as a double, become -2^63: so on amd64, where conversions do not saturate. */
static int64_t big_value(const struct quantity *quantity, int64_t scale)
{
    if (scale < -18)
        return (int64_t)(low_bits(quantity, scale) << 63);
    if (scale <= 0)
        return with_sign(low_bits(quantity, 0), quantity->negative);
    if (!quantity->negative && !fits_int64(quantity, scale))
        return (int64_t)(low_bits(quantity, 0) + has_rest(quantity));
    int64_t unscaled = with_sign(low_bits(quantity, scale), quantity->negative), divisor = 1;
    for (int64_t i = 0; i < scale; i++)
        divisor *= 10;
    return unscaled / divisor + (unscaled % divisor != 0);
}

/* Its arithmetic for an int64 times 10^-scale: rounds away from zero. Beyond int64 it wraps where there is a shortcut for the power of ten,
 * and is 0 otherwise. */
static int64_t small_value(const struct quantity *quantity, int64_t scale)
{
    bool shortcut = scale == -1 || scale == -2 || scale == -3 || scale == -6 || scale == -9;
    if (scale < 0 && !shortcut && !fits_int64(quantity, 0))
        return 0;
    return with_sign(low_bits(quantity, 0) + has_rest(quantity), quantity->negative);
}

enum failure quantity_int64(struct bytes text, bool big, struct arena *arena, int64_t *value)
{
    struct quantity quantity;
    unsigned twos = 0;
    int32_t tens = 0;
    bool capped;
    struct quantity_parts parts = quantity_split(text, &twos, &tens);
    enum failure failure = quantity_read_capped(text, arena, &quantity, &capped);
    if (failure)
        return failure;
    int64_t scale = capped ? 0 : quantity_is_big(text) ? 9 : (int64_t)parts.fraction.length - tens;
    *value = big ? big_value(&quantity, scale) : small_value(&quantity, scale);
    return FAILURE_NONE;
}
