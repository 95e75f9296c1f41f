#include "cel/literals.h"

#include "cel/convert.h"
#include "cel/library.h"
#include "cel/unify.h"

struct validator {
    struct cel_errors *errors;
    struct cel_patterns *patterns;
    struct cel_bindings bindings; /* to compare types */
};

/* ---- lists and maps of one type ---- */

/* Whether the element is of the type of the first one; reports it if not. An optional one counts as what is in it. */
static bool is_alike(struct validator *validator, const struct cel_type **first, const struct cel_node *node, bool optional)
{
    const struct cel_type *type = node->type;
    if (optional && type->kind == CEL_OPTIONAL)
        type = type->parameters[0];
    if (!*first)
        *first = type;
    if (cel_type_same(&validator->bindings, *first, type))
        return true;
    cel_error_add_mismatch(validator->errors, node, *first, type);
    return false;
}

/* The compiler of cel-go ends in a panic on what is refused here, and the API server answers 500. */
static void refuse_panic(struct validator *validator, const struct cel_node *node)
{
    cel_error_add_node(validator->errors, CEL_ERROR_OTHER, node,
                       "an optional element of unknown type: the API server fails here (internal error)");
}

static bool is_unknown(const struct cel_entry *entry)
{
    return entry->optional && (entry->value->type->kind == CEL_DYN || entry->value->type->kind == CEL_ANY);
}

/* A list is reported once; a map for every key and value that differs. */
static void check_alike(struct validator *validator, const struct cel_node *node)
{
    const struct cel_type *keys = NULL, *values = NULL;
    for (uint32_t i = 0; i < node->literals.count; i++) {
        const struct cel_entry *entry = &node->literals.entries[i];
        if (is_unknown(entry)) {
            refuse_panic(validator, entry->value);
            return;
        }
        if (entry->key)
            (void)is_alike(validator, &keys, entry->key, false);
        if (!is_alike(validator, &values, entry->value, entry->optional) && node->kind == CEL_NODE_LIST)
            return;
    }
}

/* ---- texts ---- */

static void check_conversion(struct validator *validator, const struct cel_node *call, enum cel_type_kind to, const char *words)
{
    const struct cel_node *argument = call->call.count == 1 ? call->call.arguments[0] : NULL;
    if (!argument || argument->kind != CEL_NODE_LITERAL)
        return;
    struct cel_value value = cel_value_of(&argument->literal), result;
    const char *error = NULL;
    enum failure failure = cel_convert(&value, to, validator->errors->arena, &result, &error);
    if (failure && !validator->errors->failure)
        validator->errors->failure = failure;
    if (error)
        cel_error_add_node(validator->errors, CEL_ERROR_OTHER, argument, words);
}

/* The first argument in parentheses is taken for the pattern, even where it is the text. */
static void check_pattern(struct validator *validator, const struct cel_node *call)
{
    const struct cel_node *argument = call->call.count ? call->call.arguments[0] : NULL;
    if (!argument || argument->kind != CEL_NODE_LITERAL || argument->literal.type != CEL_STRING)
        return;
    const char *error = NULL;
    enum failure failure = cel_pattern_error(validator->patterns, argument->literal.text, validator->errors->arena, &error);
    if (failure && !validator->errors->failure)
        validator->errors->failure = failure;
    if (error)
        cel_error_add_node(validator->errors, CEL_ERROR_OTHER, argument, "invalid matches argument");
}

static bool is_format_of_literals(const struct cel_node *call)
{
    const struct cel_node *receiver = call->call.receiver;
    return receiver && receiver->kind == CEL_NODE_LITERAL && receiver->literal.type == CEL_STRING && call->call.count == 1 &&
           call->call.arguments[0]->kind == CEL_NODE_LIST;
}

static void check_call(struct validator *validator, const struct cel_node *call)
{
    switch (call->call.function->check) {
    case CEL_LITERAL_DURATION:
        check_conversion(validator, call, CEL_DURATION, "invalid duration argument");
        break;
    case CEL_LITERAL_TIMESTAMP:
        check_conversion(validator, call, CEL_TIMESTAMP, "invalid timestamp argument");
        break;
    case CEL_LITERAL_MATCHES:
        check_pattern(validator, call);
        break;
    case CEL_LITERAL_FORMAT:
        if (is_format_of_literals(call))
            cel_check_format(validator->errors, call);
        break;
    case CEL_LITERAL_ANY: case CEL_LITERAL_CONVERTED: case CEL_LITERAL_PATTERN:
        break;
    }
}

/* Literals anywhere in a call of format() may be of several types. What is inside is checked first, as only so many errors are kept. */
static void check_node(struct validator *validator, const struct cel_node *node, bool formatted)
{
    bool formats = node->kind == CEL_NODE_CALL && node->call.function->check == CEL_LITERAL_FORMAT;
    const struct cel_node *part;
    for (uint32_t i = 0; (part = cel_part(node, i)); i++)
        check_node(validator, part, formatted || formats);
    if (!formatted && (node->kind == CEL_NODE_LIST || node->kind == CEL_NODE_MAP))
        check_alike(validator, node);
    if (node->kind == CEL_NODE_CALL)
        check_call(validator, node);
}

enum failure cel_check_literals(const struct cel_tree *tree, struct cel_patterns *patterns, struct cel_errors *errors)
{
    struct validator validator = { .errors = errors, .patterns = patterns };
    cel_bindings_init(&validator.bindings, errors->arena);
    check_node(&validator, tree->root, false);
    if (!errors->failure)
        errors->failure = validator.bindings.failure;
    return errors->failure;
}
