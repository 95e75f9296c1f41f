/* Quantities as the API server makes int64 of them, with its two ways of holding a number.
 * Source: k8s.io/apimachinery v0.35.4 pkg/api/resource/quantity.go, math.go, amount.go, scale_int.go. */
#include "value/quantity.h"

#include "base/limits.h"
#include "value/quantity_parts.h"

/* sign digits * 10^-scale, as it is written. */
struct decimal {
    const char *digits;
    uint32_t count;
    int64_t scale;
    bool negative;
};

static uint32_t without_zeros(struct bytes digits)
{
    uint32_t zeros = 0;
    while (zeros < digits.length && digits.data[zeros] == '0')
        zeros++;
    return digits.length - zeros;
}

bool quantity_is_big(struct bytes text)
{
    static const unsigned char binary_digits[] = { 0, 11, 8, 5, 2, 0, 0 };
    unsigned twos = 0;
    int32_t tens = 0;
    struct quantity_parts parts = quantity_split(text, &twos, &tens);
    if (twos)
        return parts.fraction.length || parts.has_point || without_zeros(parts.whole) > binary_digits[twos];
    return without_zeros(parts.whole) + parts.fraction.length > 18 || (int64_t)tens - parts.fraction.length < -9;
}

static enum failure read_decimal(struct bytes text, struct arena *arena, struct decimal *decimal)
{
    unsigned twos = 0;
    int32_t tens = 0;
    struct quantity_parts parts = quantity_split(text, &twos, &tens);
    uint32_t count;
    char *digits = quantity_digits(&parts, twos, arena, &count);
    if (!digits)
        return arena->failure;
    *decimal = (struct decimal){ digits, count, (int64_t)parts.fraction.length - tens, parts.negative };
    return FAILURE_NONE;
}

/* The digits as a number modulo 2^64. */
static uint64_t low_bits(const char *digits, int64_t count)
{
    uint64_t value = 0;
    for (int64_t i = 0; i < count; i++)
        value = value * 10 + (uint64_t)(digits[i] - '0');
    return value;
}

static uint64_t power_of_ten(int64_t exponent)
{
    uint64_t value = 1;
    for (; exponent > 0; exponent--)
        value *= 10;
    return value;
}

static bool any_digit(const char *digits, int64_t from, int64_t to)
{
    for (; from < to; from++)
        if (digits[from] != '0')
            return true;
    return false;
}

static bool at_least_int64(const char *digits, uint32_t count)
{
    static const char most[] = "9223372036854775807";
    while (count && *digits == '0') {
        digits++;
        count--;
    }
    return count > 19 || (count == 19 && memcmp(digits, most, 19) >= 0);
}

/* Its decimal arithmetic: what overflows wraps. */
static int64_t big_value(const struct decimal *decimal)
{
    uint64_t sign = decimal->negative ? UINT64_MAX : 1; /* -1 */
    if (decimal->scale <= 0)
        return (int64_t)(sign * low_bits(decimal->digits, decimal->count) * (decimal->scale < -18 ? 0 : power_of_ten(-decimal->scale)));
    int64_t kept = (int64_t)decimal->count - decimal->scale;
    bool rest = any_digit(decimal->digits, kept < 0 ? 0 : kept, decimal->count);
    uint64_t quotient = low_bits(decimal->digits, kept < 0 ? 0 : kept);
    bool plain = !(at_least_int64(decimal->digits, decimal->count) && !decimal->negative) && decimal->scale < 19;
    if (decimal->negative && !plain)
        return (int64_t)(0 - quotient - rest + rest); /* floor, plus one for a rest */
    return (int64_t)(sign * quotient + rest);
}

/* Its fast arithmetic: rounds away from zero, and is 0 beyond int64. */
static int64_t small_value(const struct decimal *decimal)
{
    int64_t kept = (int64_t)decimal->count - (decimal->scale > 0 ? decimal->scale : 0);
    bool rest = any_digit(decimal->digits, kept < 0 ? 0 : kept, decimal->count);
    uint64_t value = low_bits(decimal->digits, kept < 0 ? 0 : kept) + rest;
    for (int64_t i = decimal->scale; i < 0 && value; i++) {
        if (value > (uint64_t)INT64_MAX / 10)
            return 0;
        value *= 10;
    }
    return decimal->negative ? -(int64_t)value : (int64_t)value;
}

enum failure quantity_int64(struct bytes text, bool big, struct arena *arena, int64_t *value)
{
    struct decimal decimal;
    struct quantity exact;
    enum failure failure = read_decimal(text, arena, &decimal);
    if (!failure)
        failure = quantity_read(text, arena, &exact);
    if (failure)
        return failure;
    bool capped = exact.count == 19 && memcmp(exact.digits, "9223372036854775807", 19) == 0 && exact.exponent == 19;
    if (capped)
        *value = exact.negative ? -INT64_MAX : INT64_MAX;
    else if (big && decimal.scale > 9) /* it was rounded to 10^-9 first */
        *value = big_value(&(struct decimal){ exact.digits, exact.count, (int64_t)exact.count - exact.exponent, exact.negative });
    else
        *value = big ? big_value(&decimal) : small_value(&decimal);
    return FAILURE_NONE;
}
