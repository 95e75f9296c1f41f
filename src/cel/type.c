#include "cel/type.h"

#include "cel/limits.h"

unsigned cel_type_parameters(enum cel_type_kind kind)
{
    switch (kind) {
    case CEL_MAP:
        return 2;
    case CEL_LIST: case CEL_TYPE: case CEL_OPTIONAL: case CEL_WRAPPER:
        return 1;
    default:
        return 0;
    }
}

/* How a kind without parameters is written in errors, and in results where that differs. */
static const struct { const char *name, *result; } names[] = {
    [CEL_ERROR] = { "!error!", NULL },
    [CEL_DYN] = { "dyn", NULL },
    [CEL_ANY] = { "any", "google.protobuf.Any" },
    [CEL_BOOL] = { "bool", NULL },
    [CEL_INT] = { "int", NULL },
    [CEL_UINT] = { "uint", NULL },
    [CEL_DOUBLE] = { "double", NULL },
    [CEL_STRING] = { "string", NULL },
    [CEL_BYTES] = { "bytes", NULL },
    [CEL_NULL] = { "null", "null_type" },
    [CEL_TIMESTAMP] = { "timestamp", "google.protobuf.Timestamp" },
    [CEL_DURATION] = { "duration", "google.protobuf.Duration" },
    [CEL_LIST] = { "list", NULL },
    [CEL_MAP] = { "map", NULL },
    [CEL_TYPE] = { "type", NULL },
    [CEL_OPTIONAL] = { "optional_type", NULL },
    [CEL_WRAPPER] = { "wrapper", NULL },
    [CEL_OPAQUE] = { NULL, NULL },
    [CEL_STRUCT] = { NULL, NULL },
    [CEL_VARIABLE] = { "_var", NULL },
};

/* Adds the type unless there is as much text already as there may be. */
static void add(struct text *text, const struct cel_type *type, bool result, size_t end, unsigned depth)
{
    if (text->length >= end || depth > LIMIT_CEL_TYPE_DEPTH)
        return;
    const char *name = result && names[type->kind].result ? names[type->kind].result : names[type->kind].name;
    text_add(text, type->name ? type->name : name);
    if (type->kind == CEL_VARIABLE && !type->name)
        text_add_integer(text, type->variable);
    if (!type->parameters[0])
        return;
    text_add(text, "(");
    for (unsigned i = 0; i < 2 && type->parameters[i]; i++) {
        if (i > 0)
            text_add(text, ", ");
        add(text, type->parameters[i], result, end, depth + 1);
    }
    text_add(text, ")");
}

void cel_type_text(struct text *text, const struct cel_type *type, bool result)
{
    size_t end = text->length + LIMIT_CEL_TYPE_TEXT;
    add(text, type, result, end, 0);
    if (text->length >= end)
        text_add(text, "...");
}
