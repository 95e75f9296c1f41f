#include "cel/convert_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/near.h"
#include "cel/limits.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool cel_read_unsigned(struct bytes text, uint64_t *value)
{
    uint64_t number = 0;
    for (uint32_t i = 0; i < text.length; i++)
        if (!is_digit(text.data[i]) || __builtin_mul_overflow(number, 10u, &number) ||
            __builtin_add_overflow(number, (uint64_t)(text.data[i] - '0'), &number))
            return false;
    *value = number;
    return text.length > 0;
}

bool cel_read_integer(struct bytes text, int64_t *value)
{
    bool negative = text.length && text.data[0] == '-';
    if (text.length && (negative || text.data[0] == '+'))
        text = (struct bytes){ text.data + 1, text.length - 1 };
    uint64_t number;
    if (!cel_read_unsigned(text, &number) || number > (uint64_t)INT64_MAX + negative)
        return false;
    *value = negative ? (int64_t)(0 - number) : (int64_t)number;
    return true;
}

/* ---- doubles ---- */

static bool same_word(struct bytes text, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i < length && text.length == length; i++)
        if (near_lower(text.data[i]) != word[i])
            return false;
    return text.length == length;
}

static bool is_hex_digit(char c)
{
    return is_digit(c) || (near_lower(c) >= 'a' && near_lower(c) <= 'f');
}

/* Takes digits with single underscores between them (`before`: there may be one before the first) into `out`; the number of digits, or -1.
 * */
static int take_digits(struct bytes text, uint32_t *at, bool hex, bool before, char *out, uint32_t *length)
{
    int digits = 0;
    bool last_underscore = false;
    for (; *at < text.length; ++*at) {
        char c = text.data[*at];
        if (c == '_') {
            if (last_underscore || (digits == 0 && !before))
                return -1;
            last_underscore = true;
        } else if (hex ? is_hex_digit(c) : is_digit(c)) {
            out[(*length)++] = c;
            digits++;
            last_underscore = false;
        } else {
            break;
        }
    }
    return last_underscore ? -1 : digits;
}

/* Copies a number as strtod() reads it, without underscores; false: it is none. `out` has room for the text and a NUL. */
static bool normalise(struct bytes text, char *out)
{
    uint32_t at = 0, length = 0;
    if (at < text.length && (text.data[at] == '+' || text.data[at] == '-'))
        out[length++] = text.data[at++];
    bool hex = text.length - at > 1 && text.data[at] == '0' && near_lower(text.data[at + 1]) == 'x';
    if (hex) {
        memcpy(out + length, "0x", 2);
        length += 2;
        at += 2;
    }
    int whole = take_digits(text, &at, hex, hex, out, &length), fraction = 0;
    if (at < text.length && text.data[at] == '.') {
        out[length++] = text.data[at++];
        fraction = take_digits(text, &at, hex, false, out, &length);
    }
    if (whole < 0 || fraction < 0 || whole + fraction == 0)
        return false;
    bool exponent = at < text.length && near_lower(text.data[at]) == (hex ? 'p' : 'e');
    if (exponent) {
        out[length++] = text.data[at++];
        if (at < text.length && (text.data[at] == '+' || text.data[at] == '-'))
            out[length++] = text.data[at++];
        if (take_digits(text, &at, false, false, out, &length) < 1)
            return false;
    }
    out[length] = '\0';
    return at == text.length && (exponent || !hex);
}

bool cel_read_double(struct bytes text, double *value)
{
    struct bytes unsigned_text = text;
    bool sign = text.length && (text.data[0] == '+' || text.data[0] == '-');
    if (sign)
        unsigned_text = (struct bytes){ text.data + 1, text.length - 1 };
    if (same_word(unsigned_text, "inf") || same_word(unsigned_text, "infinity")) {
        *value = sign && text.data[0] == '-' ? -INFINITY : INFINITY;
        return true;
    }
    if (same_word(text, "nan")) {
        *value = (double)NAN;
        return true;
    }
    char buffer[LIMIT_CEL_BYTES + 1];
    if (text.length > LIMIT_CEL_BYTES || !normalise(text, buffer))
        return false;
    *value = strtod(buffer, NULL);
    return isfinite(*value);
}

/* The shortest of the decimal notations that are read as the same number. */
static void shortest(double value, char *buffer, size_t size)
{
    for (int digits = 0; digits < 17; digits++) {
        snprintf(buffer, size, "%.*e", digits, value);
        if (strtod(buffer, NULL) == value)
            return;
    }
}

/* 1.234e+05 without its exponent. */
static void add_plain(struct text *text, const char *digits, size_t count, int exponent)
{
    if (exponent < 0)
        text_add(text, "0.");
    for (int i = exponent; i < -1; i++)
        text_add(text, "0");
    for (size_t i = 0; i < count; i++) {
        if ((int)i == exponent + 1 && exponent >= 0)
            text_add(text, ".");
        text_add_bytes(text, (struct bytes){ &digits[i], 1 });
    }
    for (int i = (int)count; i <= exponent; i++)
        text_add(text, "0");
}

void cel_write_double(struct text *text, double value, bool plain)
{
    if (!isfinite(value)) {
        text_add(text, isnan(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf");
        return;
    }
    char buffer[32], digits[20];
    size_t count = 0;
    shortest(fabs(value), buffer, sizeof buffer);
    const char *e = strchr(buffer, 'e');
    int exponent = e ? (int)strtol(e + 1, NULL, 10) : 0;
    for (const char *at = buffer; at != e && *at && count < sizeof digits; at++)
        if (is_digit(*at))
            digits[count++] = *at;
    if (signbit(value))
        text_add(text, "-");
    if (plain || (exponent >= -4 && exponent <= 5))
        add_plain(text, digits, count, exponent);
    else
        text_add(text, buffer);
}

/* ---- durations ---- */

/* Nanoseconds of a unit at the beginning of the text, and its length; 0: there is none. */
static uint64_t unit(struct bytes text, uint32_t *length)
{
    static const struct { const char *name; uint64_t nanoseconds; } units[] = {
        { "ns", 1 }, { "us", 1000 }, { "\xC2\xB5s", 1000 }, { "\xCE\xBCs", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
        { "m", UINT64_C(60000000000) }, { "h", UINT64_C(3600000000000) },
    };
    for (*length = 0; *length < text.length && text.data[*length] != '.' && !is_digit(text.data[*length]);)
        ++*length;
    for (unsigned i = 0; i < sizeof units / sizeof *units; i++)
        if (bytes_equal_text((struct bytes){ text.data, *length }, units[i].name))
            return units[i].nanoseconds;
    return 0;
}

/* One number with its unit; false: it is none, or too large. */
static bool take_duration(struct bytes *text, uint64_t *sum)
{
    uint64_t whole = 0, fraction = 0;
    double scale = 1;
    uint32_t at = 0, digits = 0, length;
    for (; at < text->length && is_digit(text->data[at]); at++, digits++)
        if (whole > (UINT64_C(1) << 63) / 10 || (whole = whole * 10 + (uint64_t)(text->data[at] - '0')) > UINT64_C(1) << 63)
            return false;
    bool full = false; /* further digits of the fraction change nothing */
    if (at < text->length && text->data[at] == '.')
        for (at++; at < text->length && is_digit(text->data[at]); at++, digits++) {
            uint64_t digit = (uint64_t)(text->data[at] - '0');
            full = full || fraction > INT64_MAX / 10 || fraction * 10 + digit > UINT64_C(1) << 63;
            if (!full) {
                fraction = fraction * 10 + digit;
                scale *= 10;
            }
        }
    uint64_t nanoseconds = unit((struct bytes){ text->data + at, text->length - at }, &length);
    if (!digits || !nanoseconds || whole > (UINT64_C(1) << 63) / nanoseconds)
        return false;
    whole = whole * nanoseconds + (uint64_t)((double)fraction * ((double)nanoseconds / scale));
    *sum += whole;
    *text = (struct bytes){ text->data + at + length, text->length - at - length };
    return whole <= UINT64_C(1) << 63 && *sum <= UINT64_C(1) << 63;
}

bool cel_read_duration(struct bytes text, int64_t *nanoseconds)
{
    bool negative = text.length && text.data[0] == '-';
    if (text.length && (negative || text.data[0] == '+'))
        text = (struct bytes){ text.data + 1, text.length - 1 };
    uint64_t sum = 0;
    *nanoseconds = 0;
    if (bytes_equal_text(text, "0"))
        return true;
    if (text.length == 0)
        return false;
    while (text.length)
        if (!take_duration(&text, &sum))
            return false;
    if (!negative && sum > INT64_MAX)
        return false;
    *nanoseconds = negative ? (int64_t)(0 - sum) : (int64_t)sum;
    return true;
}

void cel_write_unsigned(struct text *text, uint64_t value)
{
    if (value > INT64_MAX)
        text_add_integer(text, (int64_t)(value / 10));
    text_add_integer(text, (int64_t)(value > INT64_MAX ? value % 10 : value));
}
