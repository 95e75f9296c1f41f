/* What was meant by a device selector that is wrong: mistakes of real ones, as people report them (kubernetes#130570, #135351, #125826). */
#include "base/near.h"
#include "cel/compile.h"
#include "cel/limits.h"
#include "rules/cel/cel.h"

enum { HINT_BYTES = 64 }; /* of a name from the expression */

struct guess {
    const struct cel_library *library;
    const struct cel_expression *expression;
    struct bytes source;
    struct text text;
};

static bool say(struct guess *guess, const char *words)
{
    text_add(&guess->text, words);
    return true;
}

static bool say_name(struct guess *guess, const char *before, struct bytes name, const char *after)
{
    text_add(&guess->text, before);
    text_add_escaped(&guess->text, name, HINT_BYTES);
    return say(guess, after);
}

/* ---- the text ---- */

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The identifier that begins at `at`; empty: there is none. */
static struct bytes word_at(struct bytes source, uint32_t at)
{
    uint32_t end = at;
    while (end < source.length && is_word(source.data[end]))
        end++;
    return (struct bytes){ source.data + at, end - at };
}

/* The identifier that ends before `at`, but for spaces; empty: there is none. */
static struct bytes word_before(struct bytes source, uint32_t at)
{
    while (at && source.data[at - 1] == ' ')
        at--;
    uint32_t start = at;
    while (start && is_word(source.data[start - 1]))
        start--;
    return (struct bytes){ source.data + start, at - start };
}

/* Whether the text before `at`, without spaces, ends with that. */
static bool follows(struct bytes source, uint32_t at, const char *text)
{
    for (size_t left = strlen(text); left; left--) {
        while (at && (source.data[at - 1] == ' ' || source.data[at - 1] == '\n'))
            at--;
        if (!at || source.data[--at] != text[left - 1])
            return false;
    }
    return true;
}

/* Words of other languages for operators. */
static bool guess_operator(struct guess *guess, struct bytes word)
{
    static const struct { const char *word, *hint; } operators[] = {
        { "and", "write && for and" }, { "AND", "write && for and" }, { "or", "write || for or" }, { "OR", "write || for or" },
        { "not", "write ! for not" },  { "NOT", "write ! for not" },  { "is", "write == to compare" },
    };
    for (unsigned i = 0; i < sizeof operators / sizeof *operators; i++)
        if (bytes_equal_text(word, operators[i].word))
            return say(guess, operators[i].hint);
    return false;
}

static bool guess_syntax(struct guess *guess, uint32_t at)
{
    struct bytes source = guess->source;
    if (at >= source.length)
        return false;
    bool after_equals = at && source.data[at - 1] == '=';
    if (source.data[at] == '=')
        return say(guess, after_equals ? "write == to compare" : "write == to compare; there is no assignment");
    if (source.data[at] == '&' || source.data[at] == '|')
        return say(guess, source.data[at] == '&' ? "write && for and" : "write || for or");
    if (source.data[at] == '>' && at && source.data[at - 1] == '<')
        return say(guess, "write != for not equal");
    if (source.length - at >= 3 && (!memcmp(source.data + at, "\xE2\x80\x9C", 3) || !memcmp(source.data + at, "\xE2\x80\x9D", 3) ||
                                    !memcmp(source.data + at, "\xE2\x80\x98", 3) || !memcmp(source.data + at, "\xE2\x80\x99", 3)))
        return say(guess, "write plain quotes: \"\"");
    return guess_operator(guess, word_at(source, at)) || guess_operator(guess, word_before(source, at)); /* not x: the error is at x */
}

/* ---- names ---- */

/* device.attributes[gpu.acme.dev]: a domain without quotes. */
static bool guess_quotes(struct guess *guess, uint32_t at)
{
    struct bytes source = guess->source;
    bool attribute = follows(source, at, "device.attributes["), capacity = follows(source, at, "device.capacity[");
    uint32_t end = at;
    while (end < source.length && (is_word(source.data[end]) || source.data[end] == '.' || source.data[end] == '-'))
        end++;
    if ((!attribute && !capacity) || end == source.length || source.data[end] != ']')
        return false;
    text_add(&guess->text, capacity ? "a domain is a text: write device.capacity[" : "a domain is a text: write device.attributes[");
    text_add_quoted(&guess->text, (struct bytes){ source.data + at, end - at }, HINT_BYTES);
    return say(guess, "]");
}

static bool guess_near(struct guess *guess, const struct nearest *nearest, const char *after)
{
    return nearest->found.data && !bytes_equal(nearest->found, nearest->wanted) && say_name(guess, "did you mean ", nearest->found, after);
}

static bool guess_function(struct guess *guess, struct bytes name)
{
    struct nearest nearest = { .wanted = name };
    for (unsigned i = 0; i < guess->library->function_count; i++)
        near_consider(&nearest, bytes_of(guess->library->functions[i].name));
    for (const struct cel_macro *macro = guess->library->macros; macro->name; macro++)
        near_consider(&nearest, bytes_of(macro->name));
    return guess_near(guess, &nearest, "()?");
}

static const struct cel_field *device_fields(const struct guess *guess)
{
    return cel_message_find(guess->library, bytes_of("kubernetes.DRADevice"))->fields;
}

static bool guess_identifier(struct guess *guess, const struct cel_node *node)
{
    for (const struct cel_field *field = device_fields(guess); field->name; field++)
        if (bytes_equal_text(node->name, field->name))
            return say_name(guess, "did you mean device.", node->name, "?");
    struct nearest nearest = { .wanted = node->name };
    for (unsigned i = 0; i < guess->library->name_count; i++)
        near_consider(&nearest, bytes_of(guess->library->names[i].name));
    if (bytes_equal_text(node->name, "dev") || bytes_equal_text(node->name, "self") || bytes_equal_text(node->name, "object"))
        return say(guess, "did you mean device?");
    return guess_near(guess, &nearest, "?");
}

static bool guess_undeclared(struct guess *guess, const struct cel_node *node)
{
    if (node->kind == CEL_NODE_CALL)
        return guess_operator(guess, node->call.name) || guess_function(guess, node->call.name);
    if (node->kind != CEL_NODE_IDENTIFIER)
        return false;
    return guess_quotes(guess, node->offset) || guess_operator(guess, node->name) || guess_identifier(guess, node);
}

static bool guess_field(struct guess *guess, const struct cel_node *node)
{
    if (node->kind != CEL_NODE_SELECT)
        return false;
    const struct cel_type *type = node->select.operand->type;
    if (type->kind != CEL_STRUCT)
        return false;
    if (strcmp(type->name, "kubernetes.DRADevice") != 0)
        return say(guess, "it has no fields; what it can do is called, as .isGreaterThan(...)");
    struct nearest nearest = { .wanted = node->select.field };
    for (const struct cel_field *field = device_fields(guess); field->name; field++)
        near_consider(&nearest, bytes_of(field->name));
    if (nearest.found.data)
        return guess_near(guess, &nearest, "?");
    return say_name(guess, "attributes are at device.attributes[\"domain\"].", node->select.field, "");
}

/* ---- types ---- */

static bool is_device_map(const struct guess *guess, const struct cel_node *node)
{
    return node->kind == CEL_NODE_SELECT && node->select.operand->kind == CEL_NODE_IDENTIFIER &&
           bytes_equal_text(node->select.operand->name, guess->library->variable) && !node->select.operand->dotted;
}

/* The domain that the expression compares the driver with, or looks up elsewhere, as an example. */
static struct bytes example_domain(const struct guess *guess)
{
    struct bytes source = guess->source, found = BYTES("domain");
    for (uint32_t i = 0, start = 0; i < source.length; i++) {
        if (source.data[i] == '"' || source.data[i] == '\'') {
            bool dots = start && memchr(source.data + start, '.', i - start) && !memchr(source.data + start, '/', i - start);
            if (dots)
                return (struct bytes){ source.data + start, i - start };
            start = i + 1;
        } else if (!is_word(source.data[i]) && source.data[i] != '.' && source.data[i] != '-' && source.data[i] != '/') {
            start = 0;
        }
    }
    return found;
}

static bool say_lookup(struct guess *guess, const char *before, struct bytes field, struct bytes domain, struct bytes name)
{
    say_name(guess, before, field, "[");
    text_add_quoted(&guess->text, domain, HINT_BYTES);
    return say_name(guess, "].", name, "");
}

/* device.attributes.type, device.attributes["type"] and device.attributes["gpu.acme.dev/type"] are maps of a domain. */
static bool guess_domain(struct guess *guess, const struct cel_node *node)
{
    static const char missing[] = "the domain is missing: write device.";
    if (node->kind == CEL_NODE_SELECT && is_device_map(guess, node->select.operand))
        return say_lookup(guess, missing, node->select.operand->select.field, example_domain(guess), node->select.field);
    if (node->kind != CEL_NODE_CALL || !bytes_equal_text(node->call.name, "_[_]") || !is_device_map(guess, node->call.arguments[0]) ||
        node->call.arguments[1]->kind != CEL_NODE_LITERAL || node->call.arguments[1]->literal.type != CEL_STRING)
        return false;
    struct bytes field = node->call.arguments[0]->select.field, key = node->call.arguments[1]->literal.text;
    const char *slash = key.length ? memchr(key.data, '/', key.length) : NULL;
    if (slash) {
        struct bytes domain = { key.data, (uint32_t)(slash - key.data) };
        struct bytes name = { slash + 1, key.length - domain.length - 1 };
        return say_lookup(guess, "domain and name stand apart: write device.", field, domain, name);
    }
    if (key.length && memchr(key.data, '.', key.length))
        return say_lookup(guess, "the name is missing: write device.", field, key, bytes_of("name"));
    return say_lookup(guess, missing, field, example_domain(guess), key);
}

static bool is_struct(const struct cel_node *node, const char *name)
{
    return node->type && node->type->kind == CEL_STRUCT && strcmp(node->type->name, name) == 0;
}

static bool is_number(const struct cel_node *node)
{
    return node->type && (node->type->kind == CEL_INT || node->type->kind == CEL_UINT || node->type->kind == CEL_DOUBLE);
}

static bool is_text(const struct cel_node *node)
{
    return node->type && node->type->kind == CEL_STRING;
}

static const char *const orders[] = { "_<_", "_<=_", "_>_", "_>=_" };

/* A quantity or a version beside a number or a text; in an order, beside its like, too. */
static bool guess_constructor(struct guess *guess, const struct cel_node *call, const struct cel_node *value, const struct cel_node *other)
{
    bool quantity = is_struct(value, "kubernetes.Quantity"), version = is_struct(value, "kubernetes.Semver");
    bool like = quantity ? is_struct(other, "kubernetes.Quantity") : is_struct(other, "kubernetes.Semver");
    if ((!quantity && !version) || (!like && !is_number(other) && !is_text(other)))
        return false;
    for (unsigned i = 0; i < 4; i++)
        if (bytes_equal_text(call->call.name, orders[i]))
            return say_name(guess,
                            quantity ? "compare quantities: .compareTo(quantity(\"40Gi\")) "
                                     : "compare versions: .compareTo(semver(\"1.2.3\")) ",
                            (struct bytes){ orders[i] + 1, (uint32_t)strlen(orders[i]) - 2 }, " 0");
    return !like && say(guess, quantity ? "write a quantity: quantity(\"40Gi\")" : "write a version: semver(\"1.2.3\")");
}

static bool guess_types(struct guess *guess, const struct cel_node *call, const struct cel_node *a, const struct cel_node *b)
{
    if (guess_constructor(guess, call, a, b) || guess_constructor(guess, call, b, a))
        return true;
    if (call->call.receiver && is_text(b) && call->call.function && call->call.function->overloads->arguments[1] &&
        call->call.function->overloads->arguments[1]->kind == CEL_STRUCT)
        return say(guess, "the text must be made a value: quantity(\"40Gi\") or semver(\"1.2.3\")");
    if (is_number(a) && is_number(b) && a->type->kind != b->type->kind)
        return say(guess, "convert one side: int(...) or double(...)");
    if ((is_text(a) && is_number(b)) || (is_number(a) && is_text(b)))
        return say(guess, "a text is compared with a number: write the number without quotes, or string(...)");
    return false;
}

static bool guess_overload(struct guess *guess, const struct cel_node *call)
{
    const struct cel_node *part, *parts[2] = { NULL, NULL };
    for (uint32_t i = 0; (part = cel_part(call, i)); i++) {
        if (guess_domain(guess, part))
            return true;
        if (i < 2)
            parts[i] = part;
    }
    return parts[1] && guess_types(guess, call, parts[0], parts[1]);
}

/* ---- costs ---- */

/* The part in which most of the cost is: the last on the way down that has more than half of it. */
static const struct cel_node *costly_part(const struct cel_estimate *estimate, const struct cel_node *node)
{
    const struct cel_node *part;
    for (uint32_t i = 0; (part = cel_part(node, i)); i++)
        if (estimate->nodes[part->number] > LIMIT_CEL_COST / 2)
            return costly_part(estimate, part);
    return node;
}

static bool guess_costs(struct guess *guess)
{
    const struct cel_node *node = costly_part(&guess->expression->estimate, guess->expression->tree.root);
    int line, column;
    cel_place(guess->source, node->offset, &line, &column);
    text_add(&guess->text, "most of the cost is at ");
    text_add_integer(&guess->text, line);
    text_add(&guess->text, ":");
    text_add_integer(&guess->text, column);
    if (node->kind == CEL_NODE_LOOP)
        return say(guess, ": what is done for each element, times the elements that there can be");
    if (node->kind != CEL_NODE_CALL)
        return true;
    if (bytes_equal_text(node->call.name, "_!=_") && node->call.count == 2 && node->call.arguments[0]->type->kind == CEL_STRUCT)
        return say(guess, ": == is cheap for these values, so write !(a == b)");
    return say(guess, ": nothing bounds the size of what it works on; compare with a literal, or with less");
}

/* ---- all ---- */

static bool guess_error(struct guess *guess, const struct cel_error *error)
{
    switch (error->kind) {
    case CEL_ERROR_SYNTAX:     return guess_syntax(guess, error->offset);
    case CEL_ERROR_UNDECLARED: return guess_undeclared(guess, error->node);
    case CEL_ERROR_FIELD:      return guess_field(guess, error->node);
    case CEL_ERROR_OVERLOAD:   return guess_overload(guess, error->node);
    case CEL_ERROR_OTHER:      return false;
    }
    return false;
}

const char *cel_device_hint(const struct cel_library *library, const struct cel_expression *expression, struct bytes text,
                            struct arena *arena)
{
    struct guess guess = { .library = library, .expression = expression, .source = text };
    text_init(&guess.text, arena);
    bool found = expression->class == CEL_TOO_COSTLY && guess_costs(&guess);
    for (uint32_t i = 0; !found && i < expression->errors.count; i++)
        found = guess_error(&guess, &expression->errors.list[i]);
    return found ? text_end(&guess.text) : NULL;
}
