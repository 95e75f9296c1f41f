#include "allocate/amount.h"

/* ---- reading ---- */

static enum amount_notation notation_of(struct bytes text)
{
    if (text.length && text.data[text.length - 1] == 'i')
        return AMOUNT_BINARY;
    for (uint32_t i = 0; i + 1 < text.length; i++)
        if (text.data[i] == 'e' || text.data[i] == 'E')
            return AMOUNT_EXPONENT;
    return AMOUNT_DECIMAL;
}

/* The digits and `zeros` more, as a number. */
static amount_nano number_of(const struct quantity *quantity, int32_t zeros)
{
    amount_nano number = 0;
    for (uint32_t i = 0; i < quantity->count && number < AMOUNT_MOST; i++)
        number = number * 10 + (quantity->digits[i] - '0');
    for (; zeros > 0 && number && number < AMOUNT_MOST; zeros--)
        number *= 10;
    return number < AMOUNT_MOST ? number : AMOUNT_MOST;
}

enum failure amount_read(struct bytes text, struct arena *scratch, struct amount *amount)
{
    struct quantity quantity;
    *amount = (struct amount){ .notation = notation_of(text) };
    if (quantity_fault(text))
        return FAILURE_NONE;
    amount->alone = !quantity_read_small(text, &amount->small);
    if (quantity_is_kept(text))
        amount->text = text;
    enum failure failure = quantity_read(text, scratch, &quantity);
    if (failure || !quantity.count)
        return failure;
    /* it is rounded to 10^-9, so there are no digits beyond */
    amount->nano = number_of(&quantity, quantity.exponent - (int32_t)quantity.count + 9);
    if (quantity.negative)
        amount->nano = -amount->nano;
    return FAILURE_NONE;
}

bool amount_is_same(const struct amount *a, const struct amount *b)
{
    return !a->alone && !b->alone && a->small.mantissa == b->small.mantissa && a->small.scale == b->small.scale &&
           a->notation == b->notation && bytes_equal(a->text, b->text);
}

/* ---- numbers of units ---- */

struct amount amount_of_units(int64_t count, amount_nano unit, enum amount_notation notation)
{
    bool milli = unit == AMOUNT_MILLI && count % 1000;
    return (struct amount){
        .nano = count * unit,
        .notation = notation,
        .small = { unit == AMOUNT_MILLI && !milli ? count / 1000 : count, milli ? -3 : 0 },
    };
}

bool amount_is_milli(const struct amount *amount)
{
    amount_nano milli = amount->nano / AMOUNT_MILLI;
    return amount->nano % AMOUNT_MILLI == 0 && milli <= INT64_MAX && milli >= INT64_MIN;
}

int64_t amount_whole(const struct amount *amount)
{
    amount_nano whole = amount->nano / AMOUNT_UNIT;
    whole += amount->nano > 0 && amount->nano % AMOUNT_UNIT;
    if (whole > INT64_MAX)
        return INT64_MAX;
    return whole < INT64_MIN ? INT64_MIN : (int64_t)whole;
}

/* ---- writing ---- */

enum { WIDE_DIGITS = 40 };

static void add_number(struct text *text, amount_nano number)
{
    char digits[WIDE_DIGITS];
    unsigned at = WIDE_DIGITS;
    bool negative = number < 0;
    do {
        int digit = (int)(number % 10);
        digits[--at] = (char)('0' + (digit < 0 ? -digit : digit));
        number /= 10;
    } while (number);
    text_add(text, negative ? "-" : "");
    text_add_bytes(text, (struct bytes){ digits + at, WIDE_DIGITS - at });
}

static void add_binary(struct text *text, amount_nano whole)
{
    static const char *const suffixes[] = { "", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei" };
    unsigned power = 0;
    for (; power < 6 && whole % 1024 == 0 && whole != INT64_MIN; power++) /* Go cannot negate it, and leaves it as it is */
        whole /= 1024;
    add_number(text, whole);
    text_add(text, suffixes[power]);
}

static void add_decimal(struct text *text, amount_nano nano, bool exponent)
{
    static const char *const suffixes[] = { "n", "u", "m", "", "k", "M", "G", "T", "P", "E" };
    unsigned power = 0;
    for (; power < 9 && nano % 1000 == 0; power++)
        nano /= 1000;
    add_number(text, nano);
    if (!exponent) {
        text_add(text, suffixes[power]);
    } else if (power != 3) {
        text_add(text, "e");
        text_add_integer(text, (int64_t)power * 3 - 9);
    }
}

void amount_add_text(struct text *text, const struct amount *amount)
{
    amount_nano nano = amount->nano, small = (amount_nano)1024 * AMOUNT_UNIT;
    bool fits = nano % AMOUNT_UNIT == 0 && (nano >= small || nano <= -small);
    if (!nano)
        text_add(text, "0");
    else if (amount->notation == AMOUNT_BINARY && fits)
        add_binary(text, nano / AMOUNT_UNIT);
    else
        add_decimal(text, nano, amount->notation == AMOUNT_EXPONENT);
}
