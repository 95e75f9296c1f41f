#include "rules/cross/attribute_type.h"

#include "rules/cross/lookup.h"

/* ---- what a place takes ---- */

static unsigned types_of(const struct cel_type *type)
{
    switch (type ? type->kind : CEL_DYN) {
    case CEL_ERROR: case CEL_DYN: case CEL_ANY: case CEL_VARIABLE:
        return TYPES_ALL;
    case CEL_BOOL:
        return TYPE_BOOL;
    case CEL_INT: case CEL_UINT: case CEL_DOUBLE: /* numbers of all kinds are compared by value */
        return TYPE_NUMBER;
    case CEL_STRING:
        return TYPE_TEXT;
    case CEL_LIST:
        return TYPE_LIST;
    case CEL_STRUCT:
        return strcmp(type->name, "kubernetes.Semver") == 0     ? TYPE_VERSION
               : strcmp(type->name, "kubernetes.Quantity") == 0 ? TYPE_QUANTITY
                                                                : 0;
    default:
        return 0;
    }
}

/* Of the overloads that may be called. */
static unsigned types_of_overloads(const struct cel_node *call, uint32_t i)
{
    const struct cel_function *function = call->call.function;
    unsigned types = function ? 0 : TYPES_ALL;
    for (unsigned n = 0; function && n < function->count; n++)
        if (call->call.candidates >> n & 1)
            types |= types_of(function->overloads[n].arguments[i]);
    return types;
}

static unsigned types_taken_by_call(const struct cel_node *call, uint32_t i)
{
    bool equality = lookup_is_call(call, "_==_") || lookup_is_call(call, "_!=_");
    if (equality)
        return types_of(call->call.arguments[!i]->type);
    if (lookup_is_call(call, "@in") && i == 0)
        return types_of(call->call.arguments[1]->type->parameters[0]); /* of a list's elements, or a map's keys */
    return types_of_overloads(call, i);
}

unsigned types_taken(const struct cel_node *node, uint32_t i)
{
    if (!node)
        return TYPE_BOOL;
    if (node->kind == CEL_NODE_SELECT)
        return 0; /* no attribute has fields */
    return node->kind == CEL_NODE_CALL ? types_taken_by_call(node, i) : TYPES_ALL;
}

/* ---- words, and what is published ---- */

static const struct {
    unsigned type;
    const char *words, *member; /* the member of an attribute; NULL: another one */
} types[] = {
    { TYPE_NUMBER, "a number", "int" },      { TYPE_BOOL, "a bool", "bool" }, { TYPE_TEXT, "a text", "string" },
    { TYPE_VERSION, "a version", "version" }, { TYPE_LIST, "a list", NULL },   { TYPE_QUANTITY, "a quantity", NULL },
};
enum { TYPES = sizeof types / sizeof *types };

void types_add_words(struct text *text, unsigned set)
{
    bool first = true;
    for (unsigned i = 0; i < TYPES; i++) {
        if (!(set & types[i].type))
            continue;
        text_add(text, first ? "" : " or ");
        text_add(text, types[i].words);
        first = false;
    }
}

static const char *const members[] = { "int", "bool", "string", "version", "bools", "ints", "strings", "versions", NULL };
enum { MAX_MEMBERS = 8 }; /* of an attribute; one with more is no good anyway */

const char *attribute_member(struct value attribute)
{
    for (const char *const *member = members; value_count(attribute) <= MAX_MEMBERS && *member; member++)
        if (value_is_set(value_entry(attribute, *member)))
            return *member;
    return NULL;
}

unsigned type_of_attribute(struct value attribute)
{
    const char *member = attribute_member(attribute);
    for (unsigned i = 0; member && i < TYPES; i++)
        if (types[i].member && strcmp(types[i].member, member) == 0)
            return types[i].type;
    return member ? TYPE_LIST : 0;
}
