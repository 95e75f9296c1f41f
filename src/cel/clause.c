#include "cel/clause.h"

#define BIT(kind) (1u << (kind))
#define INTEGERS (BIT(CEL_INT) | BIT(CEL_UINT))
#define NUMBERS  (BIT(CEL_DOUBLE) | BIT(CEL_STRING)) /* texts: "NaN", "Infinity" */

/* The rules and words are those of cel-go's ext/formatting.go. */
static const struct cel_clause clauses[] = {
    { 's',
      INTEGERS | NUMBERS | BIT(CEL_LIST) | BIT(CEL_MAP) | BIT(CEL_BOOL) | BIT(CEL_TIMESTAMP) | BIT(CEL_BYTES) | BIT(CEL_DURATION) |
          BIT(CEL_TYPE) | BIT(CEL_NULL),
      "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps" },
    { 'd', INTEGERS, "decimal clause can only be used on integers" },
    { 'f', NUMBERS, "fixed-point clause can only be used on doubles" },
    { 'e', NUMBERS, "scientific clause can only be used on doubles" },
    { 'b', INTEGERS | BIT(CEL_BOOL), "only integers and bools can be formatted as binary" },
    { 'x', INTEGERS | BIT(CEL_STRING) | BIT(CEL_BYTES), "only integers, byte buffers, and strings can be formatted as hex" },
    { 'X', INTEGERS | BIT(CEL_STRING) | BIT(CEL_BYTES), "only integers, byte buffers, and strings can be formatted as hex" },
    { 'o', INTEGERS, "octal clause can only be used on integers" },
};

void cel_clause_refuse(const struct cel_clause *clause, struct bytes type, struct text *error)
{
    text_add(error, "error during formatting: ");
    text_add(error, clause->words);
    text_add(error, ", was given ");
    text_add_bytes(error, type);
}

static enum cel_format_step bad(struct text *error, const char *words, struct bytes quoted, const char *after)
{
    text_add(error, words);
    text_add_bytes(error, quoted);
    text_add(error, after);
    return CEL_FORMAT_BAD;
}

static const struct bytes nothing = { NULL, 0 };

/* Passes over ".3". */
static enum cel_format_step read_precision(struct cel_format *format, struct text *error)
{
    struct bytes text = format->text;
    format->precision = -1;
    if (text.data[format->at] != '.')
        return CEL_FORMAT_CLAUSE;
    uint32_t start = ++format->at;
    uint64_t value = 0;
    bool range = true;
    while (format->at < text.length && text.data[format->at] >= '0' && text.data[format->at] <= '9') {
        value = range ? value * 10 + (uint64_t)(text.data[format->at] - '0') : value;
        range = range && value <= INT64_MAX;
        format->at++;
    }
    struct bytes digits = { text.data + start, format->at - start };
    bool end = format->at == text.length;
    if (!end && digits.length && range) {
        format->precision = (int64_t)value;
        return CEL_FORMAT_CLAUSE;
    }
    text_add(error, "could not parse formatting clause: error while parsing precision: ");
    if (end)
        return bad(error, "could not find end of precision specifier", nothing, "");
    return bad(error, "error while converting precision to integer: strconv.Atoi: parsing \"", digits,
               digits.length ? "\": value out of range" : "\": invalid syntax");
}

/* What follows a percent sign. */
static enum cel_format_step read_clause(struct cel_format *format, struct text *error)
{
    if (read_precision(format, error) == CEL_FORMAT_BAD)
        return CEL_FORMAT_BAD;
    char letter = format->text.data[format->at++];
    for (unsigned i = 0; i < sizeof clauses / sizeof *clauses; i++)
        if (clauses[i].letter == letter) {
            format->clause = &clauses[i];
            return CEL_FORMAT_CLAUSE;
        }
    return bad(error, "could not parse formatting clause: unrecognized formatting clause \"", (struct bytes){ &letter, 1 }, "\"");
}

/* Goes past the percent sign that begins a clause, or to the end. Two percent signs are one of the text. */
static bool pass_text(struct cel_format *format, struct text *text)
{
    struct bytes all = format->text;
    for (;;) {
        uint32_t from = format->at;
        const char *sign = from < all.length ? memchr(all.data + from, '%', all.length - from) : NULL;
        uint32_t end = sign ? (uint32_t)(sign - all.data) : all.length;
        bool twice = sign && end + 1 < all.length && sign[1] == '%';
        if (text)
            text_add_bytes(text, (struct bytes){ all.data + from, end - from + twice });
        format->at = end + (sign != NULL) + twice;
        if (!twice)
            return sign;
    }
}

enum cel_format_step cel_format_next(struct cel_format *format, struct text *text, struct text *error)
{
    if (!pass_text(format, text))
        return CEL_FORMAT_END;
    if (format->at == format->text.length)
        return bad(error, "unexpected end of string", nothing, "");
    if (format->used++ < format->count)
        return read_clause(format, error);
    text_add(error, "index ");
    text_add_integer(error, format->count);
    return bad(error, " out of range", nothing, "");
}
