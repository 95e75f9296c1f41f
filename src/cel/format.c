/* "%d of %s".format([1, "a"]): whether the clauses can print elements of those types. */
#include "cel/clause.h"
#include "cel/literals.h"

/* The first node of those that the clause prints whose type it cannot print; NULL: none. */
static const struct cel_node *unprintable(const struct cel_clause *clause, const struct cel_node *node)
{
    if (node->type->kind != CEL_DYN && !cel_clause_takes(clause, node->type->kind))
        return node;
    const struct cel_node *part, *found = NULL;
    if (clause->letter == 's' && (node->kind == CEL_NODE_LIST || node->kind == CEL_NODE_MAP))
        for (uint32_t i = 0; !found && (part = cel_part(node, i)); i++)
            found = unprintable(clause, part);
    return found;
}

/* A type without its parameters, as results are written. */
static struct bytes outer_name(struct arena *arena, const struct cel_type *type)
{
    struct cel_type outer = *type;
    outer.parameters[0] = outer.parameters[1] = NULL;
    struct text text;
    text_init(&text, arena);
    cel_type_text(&text, &outer, true);
    const char *name = text_end(&text);
    return bytes_of(name ? name : "");
}

static void add_surplus(struct text *error, uint32_t expected, uint32_t count)
{
    text_add(error, "too many arguments supplied to string.format (expected ");
    text_add_integer(error, expected);
    text_add(error, ", got ");
    text_add_integer(error, count);
    text_add(error, ")");
}

void cel_check_format(struct cel_errors *errors, const struct cel_node *call)
{
    const struct cel_node *list = call->call.arguments[0], *bad = NULL;
    struct cel_format format = { .text = call->call.receiver->literal.text, .count = list->literals.count };
    struct text error;
    text_init(&error, errors->arena);
    enum cel_format_step step;
    while (!bad && (step = cel_format_next(&format, NULL, &error)) == CEL_FORMAT_CLAUSE)
        if ((bad = unprintable(format.clause, list->literals.entries[format.used - 1].value)))
            cel_clause_refuse(format.clause, outer_name(errors->arena, bad->type), &error);
    if (!bad && step == CEL_FORMAT_END && format.used < format.count)
        add_surplus(&error, format.used, format.count);
    if (error.length || error.failed)
        cel_error_add_node(errors, CEL_ERROR_OTHER, bad ? bad : call, text_end(&error));
}
