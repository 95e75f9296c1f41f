#include "match/part.h"

#include "cel/token.h"
#include "match/limits.h"

enum { DEEPEST = 24 }; /* parts inside each other that are shown or searched */

/* ---- text ---- */

struct printer {
    struct text *text;
    struct bytes expression;
    size_t end; /* of the text: what comes later is cut */
};

/* Operators and how strongly they bind. */
static const struct operator {
    const char *name, *symbol;
    unsigned binds;
} operators[] = {
    { "_||_", " || ", 1 }, { "_&&_", " && ", 2 },
    { "_==_", " == ", 3 }, { "_!=_", " != ", 3 }, { "_<_", " < ", 3 }, { "_<=_", " <= ", 3 }, { "_>_", " > ", 3 }, { "_>=_", " >= ", 3 },
    { "@in", " in ", 3 },  { "_+_", " + ", 4 },   { "_-_", " - ", 4 }, { "_*_", " * ", 5 },   { "_/_", " / ", 5 }, { "_%_", " % ", 5 },
    { "!_", "!", 6 },      { "-_", "-", 6 },
};

static void add_part(struct printer *p, const struct cel_node *node, unsigned binds, unsigned depth);

static void add_list(struct printer *p, struct cel_node *const *parts, uint32_t count, unsigned depth)
{
    for (uint32_t i = 0; i < count && p->text->length < p->end; i++) {
        text_add(p->text, i ? ", " : "");
        add_part(p, parts[i], 0, depth);
    }
}

static void add_operator(struct printer *p, const struct cel_node *node, const struct operator *operator, unsigned binds, unsigned depth)
{
    bool single = node->call.count == 1, open = operator->binds < binds;
    text_add(p->text, open ? "(" : "");
    if (!single)
        add_part(p, node->call.arguments[0], operator->binds, depth);
    text_add(p->text, operator->symbol);
    add_part(p, node->call.arguments[!single], operator->binds + !single, depth);
    text_add(p->text, open ? ")" : "");
}

static bool is_written(const struct printer *p, const struct cel_node *node, char c)
{
    return node->offset < p->expression.length && p->expression.data[node->offset] == c;
}

/* A macro's call from its name on: it is not in the tree any more. */
static void add_macro(struct printer *p, const struct cel_node *node)
{
    uint32_t start = node->offset, end = start, open = 0;
    if (!is_written(p, node, '(')) {
        text_add(p->text, "...");
        return;
    }
    while (start > 0 && (p->expression.data[start - 1] == '_' || (unsigned char)((p->expression.data[start - 1] | 32) - 'a') < 26))
        start--;
    do {
        struct cel_token token = cel_token_next(p->expression, end);
        open += token.length == 1 && p->expression.data[token.offset] == '(';
        open -= token.length == 1 && p->expression.data[token.offset] == ')';
        end = token.length ? token.offset + token.length : p->expression.length;
    } while (open && end < p->expression.length);
    text_add_escaped(p->text, (struct bytes){ p->expression.data + start, end - start }, LIMIT_MATCH_PART_BYTES);
}

static void add_condition(struct printer *p, const struct cel_node *node, unsigned binds, unsigned depth)
{
    text_add(p->text, binds ? "(" : "");
    add_part(p, node->call.arguments[0], 1, depth);
    text_add(p->text, " ? ");
    add_part(p, node->call.arguments[1], 1, depth);
    text_add(p->text, " : ");
    add_part(p, node->call.arguments[2], 0, depth);
    text_add(p->text, binds ? ")" : "");
}

static void add_call(struct printer *p, const struct cel_node *node, unsigned binds, unsigned depth)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (!match_is_call(node, operators[i].name))
            continue;
        add_operator(p, node, &operators[i], binds, depth);
        return;
    }
    bool index = match_is_call(node, "_[_]"), optional = match_is_call(node, "_[?_]"), field = match_is_call(node, "_?._");
    const struct cel_node *on = index || optional || field ? node->call.arguments[0] : node->call.receiver;
    if (match_is_call(node, "_?_:_")) {
        if (is_written(p, node, '(')) /* of a macro */
            add_macro(p, node);
        else
            add_condition(p, node, binds, depth);
        return;
    }
    if (on) {
        add_part(p, on, 7, depth);
        text_add(p->text, index ? "[" : optional ? "[?" : field ? ".?" : ".");
    }
    if (field && node->call.arguments[1]->kind == CEL_NODE_LITERAL) {
        text_add_escaped(p->text, node->call.arguments[1]->literal.text, LIMIT_MATCH_VALUE_BYTES);
    } else if (index || optional) {
        add_part(p, node->call.arguments[1], 0, depth);
        text_add(p->text, "]");
    } else {
        text_add_escaped(p->text, node->call.name, LIMIT_MATCH_VALUE_BYTES);
        text_add(p->text, "(");
        add_list(p, node->call.arguments, node->call.count, depth);
        text_add(p->text, ")");
    }
}

static void add_literals(struct printer *p, const struct cel_node *node, unsigned depth)
{
    bool list = node->kind == CEL_NODE_LIST;
    if (node->kind == CEL_NODE_MESSAGE)
        text_add_escaped(p->text, node->literals.name, LIMIT_MATCH_VALUE_BYTES);
    text_add(p->text, list ? "[" : "{");
    for (uint32_t i = 0; i < node->literals.count && p->text->length < p->end; i++) {
        const struct cel_entry *entry = &node->literals.entries[i];
        text_add(p->text, i ? ", " : "");
        if (node->kind == CEL_NODE_MESSAGE)
            text_add_escaped(p->text, entry->field, LIMIT_MATCH_VALUE_BYTES);
        else if (!list)
            add_part(p, entry->key, 0, depth);
        text_add(p->text, list ? "" : ": ");
        add_part(p, entry->value, 0, depth);
    }
    text_add(p->text, list ? "]" : "}");
}

static void add_select(struct printer *p, const struct cel_node *node, unsigned depth)
{
    text_add(p->text, node->select.presence ? "has(" : "");
    add_part(p, node->select.operand, 7, depth);
    text_add(p->text, ".");
    text_add_escaped(p->text, node->select.field, LIMIT_MATCH_VALUE_BYTES);
    text_add(p->text, node->select.presence ? ")" : "");
}

static void add_loop(struct printer *p, const struct cel_node *node, unsigned depth)
{
    if (cel_is_binding(node)) {
        text_add(p->text, "cel.");
    } else {
        add_part(p, node->loop.range, 7, depth);
        text_add(p->text, ".");
    }
    add_macro(p, node);
}

static void add_part(struct printer *p, const struct cel_node *node, unsigned binds, unsigned depth)
{
    if (depth == DEEPEST || p->text->length >= p->end) {
        text_add(p->text, "...");
        return;
    }
    switch (node->kind) {
    case CEL_NODE_LITERAL: {
        const struct cel_value value = cel_value_of(&node->literal);
        cel_value_print(p->text, &value, LIMIT_MATCH_VALUE_BYTES);
        break;
    }
    case CEL_NODE_IDENTIFIER:
        if (node->bound)
            add_part(p, node->bound, binds, depth + 1);
        else
            text_add_escaped(p->text, node->name, LIMIT_MATCH_VALUE_BYTES);
        break;
    case CEL_NODE_SELECT:
        add_select(p, node, depth + 1);
        break;
    case CEL_NODE_CALL:
        add_call(p, node, binds, depth + 1);
        break;
    case CEL_NODE_LOOP:
        add_loop(p, node, depth + 1);
        break;
    case CEL_NODE_ABSENT:
        break;
    default:
        add_literals(p, node, depth + 1);
    }
}

void match_part_add(struct text *text, const struct cel_node *node, struct bytes expression)
{
    struct printer printer = { text, expression, text->length + LIMIT_MATCH_PART_BYTES };
    add_part(&printer, node, 0, 0);
}

/* ---- lookups ---- */

bool match_is_call(const struct cel_node *node, const char *name)
{
    return node->kind == CEL_NODE_CALL && bytes_equal_text(node->call.name, name);
}

/* The part that a name of cel.bind() stands for; the part itself, if it is none. */
static const struct cel_node *meant(const struct cel_node *node)
{
    while (node->kind == CEL_NODE_IDENTIFIER && node->bound)
        node = node->bound;
    return node;
}

/* What a value is looked up in, and under which name: .name, ["name"], .?name, [?"name"], has(), "name" in. */
static const struct cel_node *step_from(const struct cel_node *node, struct bytes *name)
{
    *name = (struct bytes){ NULL, 0 };
    node = meant(node);
    if (node->kind == CEL_NODE_SELECT) {
        *name = node->select.field;
        return node->select.operand;
    }
    bool in = match_is_call(node, "@in");
    if (!in && !match_is_call(node, "_[_]") && !match_is_call(node, "_[?_]") && !match_is_call(node, "_?._"))
        return NULL;
    const struct cel_node *key = node->call.arguments[!in];
    if (key->kind == CEL_NODE_LITERAL && key->literal.type == CEL_STRING)
        *name = key->literal.text;
    return node->call.arguments[in];
}

static const char *device_field(const struct cel_node *node)
{
    node = meant(node);
    bool is = node->kind == CEL_NODE_SELECT && node->select.operand->kind == CEL_NODE_IDENTIFIER;
    if (is && bytes_equal_text(node->select.field, "attributes"))
        return "attributes";
    return is && bytes_equal_text(node->select.field, "capacity") ? "capacity" : NULL;
}

struct match_lookup match_lookup_of(const struct cel_node *node)
{
    struct match_lookup lookup = { .field = NULL };
    struct bytes name, domain;
    const struct cel_node *map = step_from(node, &name), *all = map ? step_from(map, &domain) : NULL;
    if (map && device_field(map))
        return (struct match_lookup){ device_field(map), name, { NULL, 0 } };
    if (all && device_field(all))
        lookup = (struct match_lookup){ device_field(all), domain, name };
    return lookup;
}

struct bytes match_part_name(const struct cel_node *node)
{
    for (unsigned depth = 0; node && depth < DEEPEST; depth++) {
        struct bytes name;
        node = meant(node);
        const struct cel_node *from = step_from(node, &name);
        if (from && name.data)
            return name;
        node = from ? from : node->kind != CEL_NODE_CALL ? NULL : node->call.receiver ? node->call.receiver
             : node->call.count                          ? node->call.arguments[0] : NULL;
    }
    return (struct bytes){ NULL, 0 };
}

static bool is_constant(const struct cel_node *node, unsigned depth)
{
    const struct cel_node *part;
    if (depth == DEEPEST || node->kind == CEL_NODE_IDENTIFIER || node->kind == CEL_NODE_LOOP)
        return false;
    for (uint32_t i = 0; (part = cel_part(node, i)); i++)
        if (!is_constant(part, depth + 1))
            return false;
    return true;
}

bool match_is_constant(const struct cel_node *node)
{
    return is_constant(node, 0);
}
