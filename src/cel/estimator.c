#include "cel/estimator.h"

static const struct cel_size size_unknown = { 0, CEL_UNKNOWN }, size_one = { 1, 1 };

struct cel_facts *cel_facts_of(const struct cel_estimator *estimator, const struct cel_node *node)
{
    return &estimator->facts[node->number];
}

static const struct cel_variable *find_variable(const struct cel_estimator *estimator, struct bytes name)
{
    for (const struct cel_variable *variable = estimator->variables; variable; variable = variable->outer)
        if (bytes_equal(variable->name, name))
            return variable;
    return NULL;
}

const struct cel_variable *cel_variable_of(const struct cel_estimator *estimator, const struct cel_node *node)
{
    return node->kind == CEL_NODE_IDENTIFIER ? find_variable(estimator, node->name) : NULL;
}

struct cel_path *cel_path_of(const struct cel_estimator *estimator, const struct cel_node *node)
{
    const struct cel_variable *variable = cel_variable_of(estimator, node);
    return variable ? variable->path : cel_facts_of(estimator, node)->path;
}

struct cel_path *cel_extended(struct cel_estimator *estimator, const struct cel_path *path, struct bytes part)
{
    struct cel_path *longer = cel_path_add(estimator->arena, path, part);
    estimator->failed |= !longer;
    return longer;
}

/* The content of a node; NULL: not known. */
const struct cel_content *cel_content_of(const struct cel_estimator *estimator, const struct cel_node *node)
{
    const struct cel_facts *facts = cel_facts_of(estimator, node);
    if (facts->filled)
        return &facts->content;
    const struct cel_variable *variable = cel_variable_of(estimator, node);
    return variable && variable->filled ? &variable->content : NULL;
}

void cel_keep_content(struct cel_estimator *estimator, const struct cel_node *node, const struct cel_content *content)
{
    if (!content)
        return;
    struct cel_facts *facts = cel_facts_of(estimator, node);
    facts->content = *content;
    facts->filled = true;
}

void cel_keep_size(struct cel_estimator *estimator, const struct cel_node *node, struct cel_size size)
{
    struct cel_facts *facts = cel_facts_of(estimator, node);
    facts->size = size;
    facts->sized = true;
}

static struct cel_size literal_size(const struct cel_literal *literal)
{
    if (literal->type == CEL_BYTES)
        return (struct cel_size){ literal->text.length, literal->text.length };
    if (literal->type != CEL_STRING)
        return size_one;
    uint64_t characters = 0;
    for (uint32_t i = 0; i < literal->text.length; i++)
        characters += ((unsigned char)literal->text.data[i] & 0xC0) != 0x80;
    return (struct cel_size){ characters, characters };
}

static bool is_scalar(const struct cel_type *type)
{
    while ((type->kind == CEL_OPTIONAL || type->kind == CEL_WRAPPER) && type->parameters[0])
        type = type->parameters[0];
    return type->kind == CEL_BOOL || type->kind == CEL_INT || type->kind == CEL_UINT || type->kind == CEL_DOUBLE ||
           type->kind == CEL_DURATION || type->kind == CEL_TIMESTAMP;
}

struct cel_size cel_size_of(struct cel_estimator *estimator, const struct cel_node *node)
{
    const struct cel_facts *facts = cel_facts_of(estimator, node);
    if (facts->sized)
        return facts->size;
    if (node->kind == CEL_NODE_LITERAL)
        return literal_size(&node->literal);
    if (node->kind == CEL_NODE_LIST || node->kind == CEL_NODE_MAP)
        return (struct cel_size){ node->literals.count, node->literals.count };
    uint64_t known;
    if (cel_path_size(estimator->library, cel_path_of(estimator, node), (struct bytes){ NULL, 0 }, &known)) {
        cel_keep_size(estimator, node, (struct cel_size){ 0, known });
        return facts->size;
    }
    if (is_scalar(node->type))
        return size_one;
    const struct cel_variable *variable = cel_variable_of(estimator, node);
    return variable && variable->sized ? variable->size : size_unknown;
}

/* The most that an element of the list may have, by its path. */
uint64_t cel_element_size(struct cel_estimator *estimator, const struct cel_node *list)
{
    uint64_t known;
    return cel_path_size(estimator->library, cel_path_of(estimator, list), cel_path_items, &known) ? known : CEL_UNKNOWN;
}

