#include <math.h>

#include "cel/convert_text.h"
#include "rules/cel/format.h"

enum {
    PRECISION = 6,          /* where none is given */
    PRECISION_MAX = 1000000, /* Go reads further digits up to one more than this has */
    EXACT = 1074,           /* decimals that write any double exactly */
};

static void add_repeated(struct text *text, const char *string, int64_t count)
{
    while (count-- > 0)
        text_add(text, string);
}

/* Go takes a longer number for no number at all, and then misses the letter after it. */
static bool is_too_large(struct text *text, int64_t precision)
{
    if (precision / 10 <= PRECISION_MAX)
        return false;
    text_add(text, "%!(NOVERB)");
    return true;
}

static bool add_special(struct text *text, double value)
{
    if (isfinite(value))
        return false;
    text_add(text, isnan(value) ? "NaN" : value < 0 ? "-∞" : "∞");
    return true;
}

static void add_grouped(struct text *text, struct bytes digits)
{
    for (uint32_t i = 0; i < digits.length; i++) {
        text_add_bytes(text, (struct bytes){ digits.data + i, 1 });
        if (i + 1 < digits.length && (digits.length - i - 1) % 3 == 0)
            text_add(text, ",");
    }
}

void format_fixed(struct text *text, double value, int64_t precision)
{
    if (is_too_large(text, precision) || add_special(text, value))
        return;
    precision = precision < 0 ? PRECISION : precision;
    int16_t most = (int16_t)precision; /* below 0: as many as are needed */
    uint8_t least = (uint8_t)precision;
    char buffer[EXACT + 320];
    struct bytes digits = { buffer, 0 };
    struct text shortest;
    if (most >= 0) {
        digits.length = (uint32_t)snprintf(buffer, sizeof buffer, "%.*f", most < EXACT ? most : EXACT, fabs(value));
    } else {
        text_init(&shortest, text->arena);
        cel_write_double(&shortest, fabs(value), true);
        const char *data = text_end(&shortest);
        digits = bytes_of(data ? data : "0");
    }
    const char *point = memchr(digits.data, '.', digits.length);
    uint32_t whole = point ? (uint32_t)(point - digits.data) : digits.length, decimals = point ? digits.length - whole - 1 : 0;
    while (decimals > least && point[decimals] == '0')
        decimals--;
    if (value < 0)
        text_add(text, "-");
    add_grouped(text, (struct bytes){ digits.data, whole });
    if (decimals || least)
        text_add(text, ".");
    if (decimals)
        text_add_bytes(text, (struct bytes){ point + 1, decimals });
    add_repeated(text, "0", (int64_t)least - decimals);
}

/* At least two digits. */
static void add_superscript(struct text *text, long number)
{
    static const char *const digits[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };
    if (number < 0)
        text_add(text, "⁻");
    number = labs(number);
    if (number >= 100)
        text_add(text, digits[number / 100 % 10]);
    text_add(text, digits[number / 10 % 10]);
    text_add(text, digits[number % 10]);
}

void format_scientific(struct text *text, double value, int64_t precision)
{
    if (is_too_large(text, precision))
        return;
    struct text made;
    text_init(&made, text->arena);
    if (!add_special(&made, value)) {
        char buffer[32];
        snprintf(buffer, sizeof buffer, "%.*e", PRECISION, fabs(value));
        const char *e = strchr(buffer, 'e');
        if (value < 0)
            text_add(&made, "-");
        text_add_bytes(&made, (struct bytes){ buffer, (uint32_t)(e - buffer) });
        text_add(&made, "×10");
        add_superscript(&made, strtol(e + 1, NULL, 10));
    }
    uint16_t width = (uint16_t)(precision < 0 ? PRECISION : precision); /* it is no precision for Go */
    struct bytes bytes = { made.data, (uint32_t)made.length };
    add_repeated(text, " ", (int64_t)width - (int64_t)cel_characters(bytes));
    text_add_bytes(text, bytes);
}
