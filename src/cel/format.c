/* "%d of %s".format([1, "a"]): clauses and the types of what they print. The rules and words are those of cel-go's ext/formatting.go. */
#include "cel/literals.h"

/* What a clause can print, by the kind of the type; dyn is taken by all. */
struct clause {
    char letter;
    unsigned kinds; /* bits 1 << enum cel_type_kind */
    const char *words;
};

#define BIT(kind) (1u << (kind))
#define INTEGERS (BIT(CEL_INT) | BIT(CEL_UINT))
#define NUMBERS  (BIT(CEL_DOUBLE) | BIT(CEL_STRING)) /* texts: "NaN", "Infinity" */

static const struct clause clauses[] = {
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

/* The first node of those that the clause prints whose type it cannot print; NULL: none. */
static const struct cel_node *unprintable(const struct clause *clause, const struct cel_node *node)
{
    if (node->type->kind != CEL_DYN && !(clause->kinds & BIT(node->type->kind)))
        return node;
    const struct cel_node *part, *found = NULL;
    if (clause->letter == 's' && (node->kind == CEL_NODE_LIST || node->kind == CEL_NODE_MAP))
        for (uint32_t i = 0; !found && (part = cel_part(node, i)); i++)
            found = unprintable(clause, part);
    return found;
}

struct format {
    struct cel_errors *errors;
    const struct cel_node *call;
    struct bytes text;
    uint32_t at; /* in the text */
};

static void report(struct format *format, const struct cel_node *node, const char *first, const char *second, struct bytes quoted,
                   const char *after)
{
    struct text text;
    text_init(&text, format->errors->arena);
    text_add(&text, first);
    text_add(&text, second);
    text_add_bytes(&text, quoted);
    text_add(&text, after);
    cel_error_add_node(format->errors, CEL_ERROR_OTHER, node, text_end(&text));
}

static const struct bytes nothing = { NULL, 0 };

/* Passes over ".3"; false: there is an error, which is reported. */
static bool read_precision(struct format *format)
{
    static const char prefix[] = "could not parse formatting clause: error while parsing precision: ";
    struct bytes text = format->text;
    if (text.data[format->at] != '.')
        return true;
    uint32_t start = ++format->at;
    uint64_t value = 0;
    bool range = true;
    while (format->at < text.length && text.data[format->at] >= '0' && text.data[format->at] <= '9') {
        value = range ? value * 10 + (uint64_t)(text.data[format->at] - '0') : value;
        range = range && value <= INT64_MAX;
        format->at++;
    }
    struct bytes digits = { text.data + start, format->at - start };
    if (format->at == text.length)
        report(format, format->call, prefix, "could not find end of precision specifier", nothing, "");
    else if (digits.length == 0 || !range)
        report(format, format->call, prefix, "error while converting precision to integer: strconv.Atoi: parsing \"", digits,
               digits.length ? "\": value out of range" : "\": invalid syntax");
    else
        return true;
    return false;
}

static const struct clause *find_clause(char letter)
{
    for (unsigned i = 0; i < sizeof clauses / sizeof *clauses; i++)
        if (clauses[i].letter == letter)
            return &clauses[i];
    return NULL;
}

/* A type without its parameters, as results are written. */
static const char *outer_name(struct format *format, const struct cel_type *type)
{
    struct cel_type outer = *type;
    outer.parameters[0] = outer.parameters[1] = NULL;
    struct text text;
    text_init(&text, format->errors->arena);
    cel_type_text(&text, &outer, true);
    const char *name = text_end(&text);
    return name ? name : "";
}

/* The clause after a percent sign, for one element; false: there is an error. */
static bool check_clause(struct format *format, const struct cel_node *element)
{
    if (!read_precision(format))
        return false;
    const struct clause *clause = find_clause(format->text.data[format->at]);
    if (!clause) {
        report(format, format->call, "could not parse formatting clause: unrecognized formatting clause \"", "",
               (struct bytes){ format->text.data + format->at, 1 }, "\"");
        return false;
    }
    format->at++;
    const struct cel_node *bad = unprintable(clause, element);
    if (bad)
        report(format, bad, "error during formatting: ", clause->words, bytes_of(", was given "), outer_name(format, bad->type));
    return !bad;
}

static void report_surplus(struct format *format, uint32_t expected, uint32_t count)
{
    struct text text;
    text_init(&text, format->errors->arena);
    text_add(&text, "too many arguments supplied to string.format (expected ");
    text_add_integer(&text, expected);
    text_add(&text, ", got ");
    text_add_integer(&text, count);
    text_add(&text, ")");
    cel_error_add_node(format->errors, CEL_ERROR_OTHER, format->call, text_end(&text));
}

static void report_missing(struct format *format, uint32_t index)
{
    struct text text;
    text_init(&text, format->errors->arena);
    text_add(&text, "index ");
    text_add_integer(&text, index);
    text_add(&text, " out of range");
    cel_error_add_node(format->errors, CEL_ERROR_OTHER, format->call, text_end(&text));
}

void cel_check_format(struct cel_errors *errors, const struct cel_node *call)
{
    const struct cel_node *list = call->call.arguments[0];
    struct format format = { .errors = errors, .call = call, .text = call->call.receiver->literal.text };
    uint32_t index = 0;
    while (format.at < format.text.length) {
        if (format.text.data[format.at++] != '%')
            continue;
        if (format.at == format.text.length) {
            report(&format, call, "unexpected end of string", "", nothing, "");
            return;
        }
        if (format.text.data[format.at] == '%') {
            format.at++;
            continue;
        }
        if (index >= list->literals.count) {
            report_missing(&format, index);
            return;
        }
        if (!check_clause(&format, list->literals.entries[index++].value))
            return;
    }
    if (list->literals.count > index)
        report_surplus(&format, index, list->literals.count);
}
