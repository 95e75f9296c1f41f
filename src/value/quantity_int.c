/* Turns quantities into int64 as the API server does, for its two ways of storing a number: int64Amount (small) and inf.Dec (big).
 * Source: k8s.io/apimachinery v0.35.4 pkg/api/resource/quantity.go, math.go, amount.go, scale_int.go. */
#include "value/quantity.h"

#include "value/quantity_parts.h"

static const struct quantity max = { "9223372036854775807", 19, 19, false };

/* The number of digits before the point without leading zeros. The API server counts one when there is none. */
static uint32_t significant(struct bytes whole)
{
    uint32_t zeros = 0;
    while (zeros < whole.length && whole.data[zeros] == '0')
        zeros++;
    return zeros < whole.length ? whole.length - zeros : 1;
}

static bool is_big(const struct quantity_parts *parts, unsigned twos, int32_t tens)
{
    static const unsigned char binary_digits[] = { 0, 11, 8, 5, 2, 0, 0 };
    if (twos)
        return parts->fraction.length || significant(parts->whole) > binary_digits[twos];
    return significant(parts->whole) + parts->fraction.length > 18 || (int64_t)tens - parts->fraction.length < -9;
}

bool quantity_is_big(struct bytes text)
{
    unsigned twos = 0;
    int32_t tens = 0;
    struct quantity_parts parts = quantity_split(text, &twos, &tens);
    return is_big(&parts, twos, tens);
}

static int64_t with_digits(int64_t number, struct bytes digits)
{
    for (uint32_t i = 0; i < digits.length; i++)
        number = number * 10 + (digits.data[i] - '0');
    return number;
}

bool quantity_read_small(struct bytes text, struct quantity_small *small)
{
    unsigned twos = 0;
    int32_t tens = 0;
    struct quantity_parts parts = quantity_parts(text);
    if (text.length == 0 || quantity_suffix_fault(parts.suffix, &twos, &tens) || is_big(&parts, twos, tens))
        return false;
    int64_t number = with_digits(with_digits(0, parts.whole), parts.fraction) * ((int64_t)1 << 10 * twos);
    small->mantissa = parts.negative ? -number : number;
    small->scale = tens - (int32_t)parts.fraction.length;
    return true;
}

static uint32_t zeros_at_end(struct bytes digits)
{
    uint32_t zeros = 0;
    while (zeros < digits.length && digits.data[digits.length - 1 - zeros] == '0')
        zeros++;
    return zeros;
}

bool quantity_is_kept(struct bytes text)
{
    struct quantity_small small;
    unsigned twos = 0;
    int32_t tens = 0;
    if (!quantity_read_small(text, &small))
        return false;
    if (bytes_equal_text(text, "0"))
        return true;
    struct quantity_parts parts = quantity_split(text, &twos, &tens);
    if (twos)
        return with_digits(0, parts.whole) % 8;
    uint32_t zeros = zeros_at_end(parts.fraction);
    if (zeros == parts.fraction.length)
        zeros += zeros_at_end(parts.whole);
    return small.scale % 3 == 0 && zeros < 3 && zeros_at_end(parts.whole) < parts.whole.length;
}

void quantity_of_small(const struct quantity_small *small, char digits[QUANTITY_SMALL_DIGITS], struct quantity *quantity)
{
    uint64_t rest = small->mantissa < 0 ? 0 - (uint64_t)small->mantissa : (uint64_t)small->mantissa;
    char *start = digits + QUANTITY_SMALL_DIGITS;
    int32_t scale = small->scale;
    for (; rest && rest % 10 == 0; scale++)
        rest /= 10;
    for (; rest; rest /= 10)
        *--start = (char)('0' + rest % 10);
    uint32_t count = (uint32_t)(digits + QUANTITY_SMALL_DIGITS - start);
    *quantity = count ? (struct quantity){ start, count, scale + (int32_t)count, small->mantissa < 0 }
                      : (struct quantity){ NULL, 0, 0, false };
}

/* |quantity| * 10^scale, truncated to an integer, modulo 2^64. */
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
    return quantity_compare(&size, &max) <= 0;
}

static bool has_fraction(const struct quantity *quantity)
{
    return quantity->exponent < (int64_t)quantity->count;
}

/* The API server's arithmetic for an inf.Dec, an integer of any size times 10^-scale. Of a negative one it divides the low 64 bits, and
 * adds one for a remainder whatever the sign. A power of ten from 10^19 on is a double that becomes -2^63: that is amd64, where such
 * conversions do not saturate. */
static int64_t big_value(const struct quantity *quantity, int64_t scale)
{
    if (scale < -18)
        return (int64_t)(low_bits(quantity, scale) << 63);
    if (scale <= 0)
        return with_sign(low_bits(quantity, 0), quantity->negative);
    if (!quantity->negative && !fits_int64(quantity, scale))
        return (int64_t)(low_bits(quantity, 0) + has_fraction(quantity));
    int64_t unscaled = with_sign(low_bits(quantity, scale), quantity->negative), divisor = 1;
    for (int64_t i = 0; i < scale; i++)
        divisor *= 10;
    return unscaled / divisor + (unscaled % divisor != 0);
}

/* The API server's arithmetic for an int64Amount, an int64 times 10^-scale: rounds away from zero. A value beyond int64 wraps for the
 * powers of ten that have a shortcut there; for the others it is 0. */
static int64_t small_value(const struct quantity *quantity, int64_t scale)
{
    bool shortcut = scale == -1 || scale == -2 || scale == -3 || scale == -6 || scale == -9;
    if (scale < 0 && !shortcut && !fits_int64(quantity, 0))
        return 0;
    return with_sign(low_bits(quantity, 0) + has_fraction(quantity), quantity->negative);
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

bool quantity_is_fraction(const struct quantity *quantity)
{
    return (int64_t)quantity->count > quantity->exponent;
}

bool quantity_scaled(const struct quantity *quantity, int32_t scale, int64_t *scaled)
{
    int64_t zeros = (int64_t)quantity->exponent - quantity->count + scale, number = 0;
    if (zeros < 0 || quantity->count + zeros > QUANTITY_SMALL_DIGITS) {
        *scaled = 0;
        return quantity->count == 0;
    }
    for (int64_t i = 0; i < quantity->count + zeros; i++) {
        int digit = i < quantity->count ? quantity->digits[i] - '0' : 0;
        if (__builtin_mul_overflow(number, 10, &number) || __builtin_sub_overflow(number, digit, &number)) /* down: it has one more */
            return false;
    }
    if (!quantity->negative && number == INT64_MIN)
        return false;
    *scaled = quantity->negative ? number : -number;
    return true;
}
