#include "cel/clause.h"
#include "cel/convert_text.h"
#include "rules/cel/calls.h"
#include "rules/cel/format.h"
#include "rules/cel/texts.h"

/* %b, %o, %x and %X of an integer: a minus and the magnitude. `bits` of a digit. */
static void add_integer(struct text *text, const struct cel_value *value, unsigned bits, const char *digits)
{
    bool negative = value->type == CEL_INT && value->integer < 0;
    uint64_t number = negative ? 0 - value->unsigned_integer : value->unsigned_integer;
    char buffer[64];
    uint32_t at = sizeof buffer;
    do
        buffer[--at] = digits[number & ((1u << bits) - 1)];
    while (number >>= bits);
    if (negative)
        text_add(text, "-");
    text_add_bytes(text, (struct bytes){ buffer + at, (uint32_t)sizeof buffer - at });
}

static void add_hex(struct text *text, const struct cel_value *value, const char *digits)
{
    if (value->type == CEL_INT || value->type == CEL_UINT) {
        add_integer(text, value, 4, digits);
        return;
    }
    for (uint32_t i = 0; i < value->text.length; i++) {
        unsigned char byte = (unsigned char)value->text.data[i];
        text_add_bytes(text, (struct bytes){ (char[]){ digits[byte >> 4], digits[byte & 15] }, 2 });
    }
}

/* %f and %e take three texts, too. */
static bool number_of(const struct cel_value *value, double *number)
{
    bool named = value->type == CEL_STRING && (bytes_equal_text(value->text, "NaN") || bytes_equal_text(value->text, "Infinity") ||
                                               bytes_equal_text(value->text, "-Infinity"));
    *number = value->type == CEL_DOUBLE ? value->number : 0;
    return named ? cel_read_double(value->text, number) : value->type == CEL_DOUBLE;
}

/* What the clause makes of an element; false: *error says why not. */
static bool add_clause(const struct cel_invocation *call, const struct cel_format *format, struct text *text, struct cel_value *error)
{
    static const char lower[] = "0123456789abcdef", upper[] = "0123456789ABCDEF";
    const struct cel_value *value = &call->arguments[1].list.items[format->used - 1];
    char letter = format->clause->letter;
    double number = 0;
    if (!cel_clause_takes(format->clause, value->type) || ((letter == 'f' || letter == 'e') && !number_of(value, &number))) {
        struct text words;
        text_init(&words, call->evaluation->arena);
        cel_clause_refuse(format->clause, cel_value_type(value), &words);
        *error = cel_fail_text(call->evaluation, &words);
        return false;
    }
    switch (letter) {
    case 'f': format_fixed(text, number, format->precision); break;
    case 'e': format_scientific(text, number, format->precision); break;
    case 'b':
        if (value->type == CEL_BOOL)
            text_add(text, value->boolean ? "1" : "0");
        else
            add_integer(text, value, 1, lower);
        break;
    case 'o': add_integer(text, value, 3, lower); break;
    case 'x': add_hex(text, value, lower); break;
    case 'X': add_hex(text, value, upper); break;
    default:  return format_value(call->evaluation, text, value, error); /* %s and %d */
    }
    return true;
}

struct cel_value call_format(const struct cel_invocation *call)
{
    struct cel_format format = { .text = call->arguments[0].text, .count = call->arguments[1].list.count };
    struct text text, words;
    struct cel_value error;
    text_init(&text, call->evaluation->arena);
    text_init(&words, call->evaluation->arena);
    enum cel_format_step step;
    while ((step = cel_format_next(&format, &text, &words)) == CEL_FORMAT_CLAUSE)
        if (!add_clause(call, &format, &text, &error))
            return error;
    return step == CEL_FORMAT_BAD ? cel_fail_text(call->evaluation, &words) : cel_text_value(call->evaluation, &text);
}
