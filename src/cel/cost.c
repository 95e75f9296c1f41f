#include "cel/cost.h"

#include "cel/estimator.h"

static const struct cel_size size_one = { 1, 1 }, size_none = { 0, 0 };

static uint64_t cost_of(struct cel_estimator *estimator, const struct cel_node *node);

static uint64_t cost_identifier(struct cel_estimator *estimator, const struct cel_node *node)
{
    const struct cel_variable *variable = cel_variable_of(estimator, node);
    cel_facts_of(estimator, node)->path = variable ? variable->path : cel_extended(estimator, NULL, node->name);
    return 1;
}

static uint64_t cost_select(struct cel_estimator *estimator, const struct cel_node *node)
{
    const struct cel_node *operand = node->select.operand;
    uint64_t cost = cost_of(estimator, operand);
    if (node->select.presence)
        return cost;
    if (operand->type->kind == CEL_MAP || operand->type->kind == CEL_STRUCT)
        cost = cel_sum(cost, 1);
    const struct cel_path *path = cel_path_of(estimator, operand);
    if (path)
        cel_facts_of(estimator, node)->path = cel_extended(estimator, path, node->select.field);
    return cost;
}

static uint64_t cost_literals(struct cel_estimator *estimator, const struct cel_node *node)
{
    uint64_t cost = node->kind == CEL_NODE_LIST ? 10 : node->kind == CEL_NODE_MAP ? 30 : 40;
    struct cel_content content = { size_one, size_none, node->kind == CEL_NODE_LIST };
    for (uint32_t i = 0; i < node->literals.count; i++) {
        const struct cel_entry *entry = &node->literals.entries[i];
        if (entry->key)
            cost = cel_sum(cost, cost_of(estimator, entry->key));
        cost = cel_sum(cost, cost_of(estimator, entry->value));
        if (node->kind == CEL_NODE_MESSAGE)
            continue;
        if (entry->key)
            content.keys = i ? cel_size_either(content.keys, cel_size_of(estimator, entry->key)) : cel_size_of(estimator, entry->key);
        content.values = i ? cel_size_either(content.values, cel_size_of(estimator, entry->value)) : cel_size_of(estimator, entry->value);
    }
    if (node->kind == CEL_NODE_MAP && node->literals.count == 0)
        content.keys = size_none;
    if (node->kind != CEL_NODE_MESSAGE)
        cel_keep_content(estimator, node, &content);
    return cost;
}

static uint64_t cost_conditional(struct cel_estimator *estimator, const struct cel_node *node)
{
    struct cel_node *const *parts = node->call.arguments;
    uint64_t condition = cost_of(estimator, parts[0]), first = cost_of(estimator, parts[1]), second = cost_of(estimator, parts[2]);
    cel_keep_size(estimator, node, cel_size_either(cel_size_of(estimator, parts[1]), cel_size_of(estimator, parts[2])));
    const struct cel_content *a = cel_content_of(estimator, parts[1]), *b = cel_content_of(estimator, parts[2]);
    if (a && b)
        cel_keep_content(estimator, node,
                         &(struct cel_content){ cel_size_either(a->keys, b->keys), cel_size_either(a->values, b->values), a->list });
    return cel_sum(condition, cel_larger(first, second));
}

/* An index leads to a place: a map's where a candidate is a map. */
static void extend_by_index(struct cel_estimator *estimator, const struct cel_node *node)
{
    bool map = false, list = false;
    const struct cel_overload *overloads = node->call.function->overloads;
    for (unsigned i = 0; i < node->call.function->count; i++) {
        bool candidate = node->call.candidates >> i & 1;
        map |= candidate && overloads[i].cost == CEL_COST_INDEX_MAP;
        list |= candidate && overloads[i].cost == CEL_COST_INDEX_LIST;
    }
    const struct cel_path *path = map || list ? cel_path_of(estimator, node->call.arguments[0]) : NULL;
    if (path)
        cel_facts_of(estimator, node)->path = cel_extended(estimator, path, map ? cel_path_values : cel_path_items);
}

static uint64_t cost_call(struct cel_estimator *estimator, const struct cel_node *node)
{
    const struct cel_function *function = node->call.function;
    if (function->overloads->cost == CEL_COST_CONDITIONAL)
        return cost_conditional(estimator, node);
    struct cel_call call = { .estimator = estimator, .node = node };
    uint64_t cost = 0, most = 0;
    struct cel_node *receiver = node->call.receiver;
    for (uint32_t i = 0; i < node->call.count; i++)
        cost = cel_sum(cost, cost_of(estimator, node->call.arguments[i]));
    if (receiver)
        cost = cel_sum(cost, cost_of(estimator, receiver));
    extend_by_index(estimator, node);
    for (uint32_t i = 0; i < node->call.count + (receiver != NULL) && i < CEL_ARGUMENTS_MAX; i++) {
        call.arguments[i] = receiver ? (i ? node->call.arguments[i - 1] : receiver) : node->call.arguments[i];
        call.sizes[i] = cel_size_of(estimator, call.arguments[i]);
        call.count++;
    }
    bool sized = false;
    struct cel_size size = (struct cel_size){ 0, CEL_UNKNOWN };
    for (unsigned i = 0; i < function->count; i++) {
        if (!(node->call.candidates >> i & 1))
            continue;
        call.sized = false;
        most = cel_larger(most, cel_cost_of_overload(&call, function->overloads[i].cost));
        if (call.sized)
            size = sized ? cel_size_either(size, call.result) : call.result;
        sized |= call.sized;
    }
    if (sized)
        cel_keep_size(estimator, node, size);
    return cel_sum(cost, most);
}

/* ---- loops ---- */

static void fill(struct cel_variable *variable, const struct cel_content *content)
{
    variable->filled = content != NULL;
    if (content)
        variable->content = *content;
}

static bool is_bind(const struct cel_node *node)
{
    const struct cel_node *range = node->loop.range, *condition = node->loop.condition;
    return range->kind == CEL_NODE_LIST && range->literals.count == 0 && condition->kind == CEL_NODE_LITERAL &&
           condition->literal.type == CEL_BOOL && !condition->literal.boolean && !bytes_equal_text(node->loop.accumulator, "__result__");
}

static uint64_t cost_bind(struct cel_estimator *estimator, const struct cel_node *node)
{
    uint64_t cost = cel_sum(10, cost_of(estimator, node->loop.init));
    struct cel_variable variable = { .name = node->loop.accumulator, .path = cel_path_of(estimator, node->loop.init), .sized = true,
                                 .size = cel_size_of(estimator, node->loop.init), .outer = estimator->variables };
    fill(&variable, cel_content_of(estimator, node->loop.init));
    estimator->variables = &variable;
    cost = cel_sum(cost, cost_of(estimator, node->loop.result));
    estimator->variables = variable.outer;
    cel_keep_size(estimator, node, cel_size_of(estimator, node->loop.result));
    cel_keep_content(estimator, node, cel_content_of(estimator, node->loop.result));
    return cost;
}

/* A variable of a loop: at `part` of the range, of a size if that is known. */
static void set_variable(struct cel_estimator *estimator, struct cel_variable *variable, struct bytes name, struct cel_path *range,
                         struct bytes part, const struct cel_size *size)
{
    *variable = (struct cel_variable){
        .name = name, .path = cel_extended(estimator, range, part), .sized = size != NULL, .outer = estimator->variables
    };
    if (size)
        variable->size = *size;
    estimator->variables = variable;
}

/* What a pass of the loop costs. */
static uint64_t cost_pass(struct cel_estimator *estimator, const struct cel_node *node)
{
    const struct cel_variable *outside = estimator->variables;
    const struct cel_content *content = cel_content_of(estimator, node->loop.range);
    struct cel_path *path = cel_path_of(estimator, node->loop.range);
    bool list = content ? content->list : node->loop.range->type->kind == CEL_LIST, two = node->loop.variables[1].data != NULL;
    struct cel_variable first, second;
    if (two) {
        set_variable(estimator, &first, node->loop.variables[0], path, list ? cel_path_indices : cel_path_keys,
                     content ? &content->keys : NULL);
        set_variable(estimator, &second, node->loop.variables[1], path, list ? cel_path_items : cel_path_values,
                     content ? &content->values : NULL);
    } else {
        const struct cel_size *size = !content ? NULL : list ? &content->values : &content->keys;
        set_variable(estimator, &first, node->loop.variables[0], path, list ? cel_path_items : cel_path_keys, size);
    }
    uint64_t condition = cost_of(estimator, node->loop.condition), cost = cel_sum(condition, cost_of(estimator, node->loop.step));
    estimator->variables = outside;
    return cost;
}

static uint64_t cost_loop(struct cel_estimator *estimator, const struct cel_node *node)
{
    if (is_bind(node))
        return cost_bind(estimator, node);
    const struct cel_node *init = node->loop.init;
    uint64_t cost = cost_of(estimator, node->loop.range);
    cost = cel_sum(cost, cost_of(estimator, init));
    struct cel_variable accumulator = { .name = node->loop.accumulator,
                                        .path = cel_path_of(estimator, init),
                                        .outer = estimator->variables };
    fill(&accumulator, cel_content_of(estimator, init));
    estimator->variables = &accumulator;
    uint64_t pass = cost_pass(estimator, node);
    cost = cel_sum(cost, cost_of(estimator, node->loop.result));
    estimator->variables = accumulator.outer;
    struct cel_size range = cel_size_of(estimator, node->loop.range);
    if (init->kind == CEL_NODE_LITERAL) {
        cel_keep_size(estimator, node, cel_size_of(estimator, init));
    } else if ((init->kind == CEL_NODE_LIST || init->kind == CEL_NODE_MAP) && init->literals.count == 0) {
        cel_keep_size(estimator, node, range);
        cel_keep_content(estimator, node, cel_content_of(estimator, node->loop.step));
    }
    return cel_sum(cost, cel_product(range.max, pass));
}

static uint64_t cost_of(struct cel_estimator *estimator, const struct cel_node *node)
{
    uint64_t cost = 0;
    if (estimator->failed)
        return 0;
    switch (node->kind) {
    case CEL_NODE_ABSENT: case CEL_NODE_LITERAL: break;
    case CEL_NODE_IDENTIFIER: cost = cost_identifier(estimator, node); break;
    case CEL_NODE_SELECT:     cost = cost_select(estimator, node); break;
    case CEL_NODE_CALL:       cost = cost_call(estimator, node); break;
    case CEL_NODE_LOOP:       cost = cost_loop(estimator, node); break;
    case CEL_NODE_LIST: case CEL_NODE_MAP: case CEL_NODE_MESSAGE: cost = cost_literals(estimator, node); break;
    }
    return estimator->costs[node->number] = cost;
}

enum failure cel_estimate(const struct cel_tree *tree, const struct cel_library *library, struct arena *arena,
                          struct cel_estimate *estimate)
{
    struct cel_estimator estimator = { .library = library, .arena = arena };
    estimator.facts = arena_alloc(arena, tree->count * sizeof *estimator.facts);
    estimator.costs = arena_alloc(arena, tree->count * sizeof *estimator.costs);
    if (!estimator.facts || !estimator.costs)
        return arena->failure;
    memset(estimator.facts, 0, tree->count * sizeof *estimator.facts);
    estimate->cost = cost_of(&estimator, tree->root);
    estimate->nodes = estimator.costs;
    return estimator.failed ? arena->failure : FAILURE_NONE;
}
