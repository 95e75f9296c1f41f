#include "cel/plan.h"

#include "cel/convert.h"

struct planner {
    const struct cel_library *library;
    struct cel_patterns *patterns;
    struct arena *arena;
    const char *error; /* the first */
    enum failure failure;
};

static void refuse_text(struct planner *planner, struct text *text)
{
    planner->error = text_end(text);
    if (!planner->error)
        planner->failure = planner->arena->failure;
}

static void refuse(struct planner *planner, const char *before, struct bytes name)
{
    struct text text;
    text_init(&text, planner->arena);
    text_add(&text, before);
    text_add_bytes(&text, name);
    refuse_text(planner, &text);
}

/* ---- constants ---- */

static bool constant(struct planner *planner, const struct cel_node *node, struct cel_value *value);

/* The kind to which a function converts; CEL_ERROR: it converts nothing. */
static enum cel_type_kind conversion(const struct cel_node *call)
{
    enum cel_literal_check check = call->call.function->check;
    bool converts = check == CEL_LITERAL_CONVERTED || check == CEL_LITERAL_DURATION || check == CEL_LITERAL_TIMESTAMP;
    return converts && !call->call.receiver && call->call.count == 1 ? call->call.function->overloads->result->kind : CEL_ERROR;
}

/* Whether an overload of the function takes values of that kind. */
static bool takes(const struct cel_function *function, enum cel_type_kind kind)
{
    for (unsigned i = 0; i < function->count; i++)
        if (function->overloads[i].arguments[0]->kind == kind || function->overloads[i].arguments[0]->kind == CEL_VARIABLE)
            return true;
    return false;
}

static void refuse_overload(struct planner *planner, const struct cel_function *function, enum cel_type_kind kind)
{
    const struct cel_type type = { .kind = kind };
    struct text text;
    text_init(&text, planner->arena);
    text_add(&text, "no such overload: ");
    text_add(&text, function->name);
    text_add(&text, "(");
    cel_type_text(&text, &type, true);
    text_add(&text, ")");
    refuse_text(planner, &text);
}

static bool constant_call(struct planner *planner, const struct cel_node *node, struct cel_value *value)
{
    enum cel_type_kind to = conversion(node);
    struct cel_value argument;
    if (to == CEL_ERROR || !constant(planner, node->call.arguments[0], &argument))
        return false;
    if (!takes(node->call.function, argument.type)) {
        refuse_overload(planner, node->call.function, argument.type);
        return false;
    }
    const char *error = NULL;
    enum failure failure = cel_convert(&argument, to, planner->arena, value, &error);
    if (failure)
        planner->failure = failure;
    if (error)
        planner->error = error;
    return !failure && !error;
}

/* A list or map is constant if all in it is. */
static bool constant_parts(struct planner *planner, const struct cel_node *node, struct cel_value *value)
{
    struct cel_value part;
    for (uint32_t i = 0; i < node->literals.count; i++) {
        const struct cel_entry *entry = &node->literals.entries[i];
        if (entry->optional || (entry->key && !constant(planner, entry->key, &part)) || !constant(planner, entry->value, &part))
            return false;
    }
    *value = (struct cel_value){ .type = node->kind == CEL_NODE_LIST ? CEL_LIST : CEL_MAP };
    return true;
}

static bool constant(struct planner *planner, const struct cel_node *node, struct cel_value *value)
{
    switch (node->kind) {
    case CEL_NODE_LITERAL:
        *value = cel_value_of(&node->literal);
        return true;
    case CEL_NODE_IDENTIFIER: /* of a type */
        *value = (struct cel_value){ .type = CEL_TYPE };
        return node->type->kind == CEL_TYPE;
    case CEL_NODE_CALL:
        return constant_call(planner, node, value);
    case CEL_NODE_LIST: case CEL_NODE_MAP:
        return constant_parts(planner, node, value);
    default:
        return false;
    }
}

/* ---- nodes ---- */

static void plan_pattern(struct planner *planner, const struct cel_node *node)
{
    /* the second of the texts, what it is called on included */
    const struct cel_node *pattern = node->call.receiver ? node->call.arguments[0] : node->call.arguments[1];
    struct cel_value value;
    if (pattern->kind == CEL_NODE_LITERAL && node->call.receiver && node->call.function->check == CEL_LITERAL_MATCHES)
        return; /* cel_check_literals() has read it */
    if (!constant(planner, pattern, &value) || value.type != CEL_STRING)
        return;
    enum failure failure = cel_pattern_error(planner->patterns, value.text, planner->arena, &planner->error);
    if (failure)
        planner->failure = failure;
}

/* A constant index must be a key that a map may have. */
static void plan_index(struct planner *planner, const struct cel_node *node)
{
    static const char *const names[] = {
        [CEL_NULL] = "types.Null", [CEL_BYTES] = "types.Bytes", [CEL_LIST] = "*types.baseList", [CEL_MAP] = "*types.baseMap",
        [CEL_DURATION] = "types.Duration", [CEL_TIMESTAMP] = "types.Timestamp", [CEL_TYPE] = "*types.Type",
    };
    struct cel_value value;
    if (constant(planner, node->call.arguments[1], &value) && value.type < sizeof names / sizeof *names && names[value.type])
        refuse(planner, "invalid qualifier type: ", bytes_of(names[value.type]));
}

static void plan_call(struct planner *planner, const struct cel_node *node)
{
    struct cel_value value;
    const struct cel_function *function = node->call.function;
    if (conversion(node) != CEL_ERROR)
        (void)constant(planner, node, &value);
    if (function->check == CEL_LITERAL_PATTERN || function->check == CEL_LITERAL_MATCHES)
        plan_pattern(planner, node);
    if (function->overloads->cost == CEL_COST_INDEX_LIST || bytes_equal_text(node->call.name, "_[?_]"))
        plan_index(planner, node);
}

/* What is of the type of types is planned as the type of that name, whatever a local variable of that name is. */
static void plan_identifier(struct planner *planner, const struct cel_node *node)
{
    const struct cel_name *name = cel_name_find(planner->library, node->name);
    if (node->type->kind == CEL_TYPE && (!name || name->type->kind != CEL_TYPE || name->no_value))
        refuse(planner, "reference to undefined type: ", node->name);
}

/* cel-go ends in a panic on a constant map with keys of bytes, and the API server answers 500. */
static void plan_map(struct planner *planner, const struct cel_node *node)
{
    struct cel_value value;
    bool bytes = false;
    for (uint32_t i = 0; i < node->literals.count; i++)
        bytes |= constant(planner, node->literals.entries[i].key, &value) && value.type == CEL_BYTES;
    if (bytes && constant(planner, node, &value))
        planner->error = "a map with keys of bytes: the API server fails here (internal error)";
}

/* A message is planned as that of its name, whatever a local variable of that name is. */
static void plan_message(struct planner *planner, const struct cel_node *node)
{
    const struct cel_name *name = cel_name_find(planner->library, node->literals.name);
    if (!name || name->type->kind != CEL_TYPE)
        refuse(planner, "unknown type: ", node->literals.name);
}

static void plan(struct planner *planner, const struct cel_node *node)
{
    const struct cel_node *part;
    if (node->kind == CEL_NODE_MESSAGE)
        plan_message(planner, node);
    for (uint32_t i = 0; !planner->error && !planner->failure && (part = cel_part(node, i)); i++)
        plan(planner, part);
    if (planner->error || planner->failure)
        return;
    if (node->kind == CEL_NODE_IDENTIFIER)
        plan_identifier(planner, node);
    else if (node->kind == CEL_NODE_CALL)
        plan_call(planner, node);
    else if (node->kind == CEL_NODE_MAP)
        plan_map(planner, node);
}

enum failure cel_plan(const struct cel_tree *tree, const struct cel_library *library, struct cel_patterns *patterns, struct arena *arena,
                      const char **error)
{
    struct planner planner = { .library = library, .patterns = patterns, .arena = arena };
    plan(&planner, tree->root);
    *error = planner.error;
    return planner.failure;
}
