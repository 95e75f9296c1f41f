#include "cel/program.h"

#include "cel/convert.h"

/* A local variable. */
struct scope {
    struct bytes name;
    uint32_t slot;
    const struct scope *outer;
};

struct planner {
    const struct cel_library *library;
    struct arena *arena;
    struct cel_program *program;
    const struct scope *scopes; /* innermost first */
    uint32_t growing;           /* the slot of the accumulator of the innermost loop, if it begins as an empty list; else CEL_NO_SLOT */
    bool failed;                /* the arena did */
};

static const struct cel_plan nothing = { .kind = CEL_PLAN_CONSTANT, .constant = { .type = CEL_ERROR } };

static const struct cel_plan *plan_of(struct planner *planner, const struct cel_node *node);

static void *alloc(struct planner *planner, size_t count, size_t size)
{
    void *memory = arena_alloc(planner->arena, (count ? count : 1) * size);
    planner->failed |= !memory;
    return memory;
}

static const struct cel_plan *keep(struct planner *planner, const struct cel_plan *plan)
{
    struct cel_plan *kept = alloc(planner, 1, sizeof *kept);
    if (!kept)
        return &nothing;
    *kept = *plan;
    planner->program->plans[plan->node->number] = kept;
    return kept;
}

static const struct cel_plan *keep_constant(struct planner *planner, const struct cel_node *node, struct cel_value value)
{
    return keep(planner, &(struct cel_plan){ .kind = CEL_PLAN_CONSTANT, .node = node, .constant = value });
}

static bool is_constant(const struct cel_plan *plan)
{
    return plan->kind == CEL_PLAN_CONSTANT;
}

static bool is_call(const struct cel_node *node, const char *name)
{
    return node->kind == CEL_NODE_CALL && bytes_equal_text(node->call.name, name);
}

/* ---- names and chains ---- */

static uint32_t slot_of(const struct planner *planner, struct bytes name)
{
    for (const struct scope *scope = planner->scopes; scope; scope = scope->outer)
        if (bytes_equal(scope->name, name))
            return scope->slot;
    return CEL_NO_SLOT;
}

/* What is of the type of types is the type of that name, whatever a variable of that name is; see cel/plan.c. */
static const struct cel_plan *plan_identifier(struct planner *planner, const struct cel_node *node)
{
    if (node->type->kind == CEL_TYPE)
        return keep_constant(planner, node, (struct cel_value){ .type = CEL_TYPE, .text = node->name });
    struct cel_plan plan = { .kind = CEL_PLAN_CHAIN, .node = node };
    plan.chain.base = CEL_BASE_LOCAL;
    plan.chain.slot = slot_of(planner, node->name);
    if (plan.chain.slot == CEL_NO_SLOT) {
        if (!bytes_equal_text(node->name, planner->library->variable)) /* the name of an enumeration's value: all are 0 */
            return keep_constant(planner, node, cel_integer(0));
        plan.chain.base = CEL_BASE_VARIABLE;
    }
    return keep(planner, &plan);
}

/* What a selection or index is of; NULL: the node is none. */
static const struct cel_node *operand(const struct cel_node *node)
{
    if (node->kind == CEL_NODE_SELECT)
        return node->select.presence ? NULL : node->select.operand;
    if (is_call(node, "_[_]") || is_call(node, "_[?_]") || is_call(node, "_?._"))
        return node->call.arguments[0];
    return NULL;
}

static struct cel_step step_of(struct planner *planner, const struct cel_node *node)
{
    struct cel_step step = { .index = NULL };
    if (node->kind == CEL_NODE_SELECT) {
        step.field = true;
        step.key = cel_string(node->select.field);
        return step;
    }
    const struct cel_plan *key = plan_of(planner, node->call.arguments[1]);
    step.field = is_call(node, "_?._");
    step.optional = step.field || is_call(node, "_[?_]");
    if (is_constant(key))
        step.key = key->constant;
    else
        step.index = key;
    return step;
}

static void plan_base(struct planner *planner, const struct cel_node *node, struct cel_plan *plan)
{
    const struct cel_plan *from = plan_of(planner, node);
    plan->chain.base = from->kind == CEL_PLAN_CONDITION ? CEL_BASE_CONDITION : CEL_BASE_OTHER;
    plan->chain.from = from;
    if (from->kind == CEL_PLAN_CHAIN && from->chain.count == 0) {
        plan->chain.base = from->chain.base;
        plan->chain.slot = from->chain.slot;
    }
}

/* The chain that ends with the node, a selection or index. */
static const struct cel_plan *plan_chain(struct planner *planner, const struct cel_node *node, enum cel_plan_kind kind)
{
    struct cel_plan plan = { .kind = kind, .node = node };
    const struct cel_node *at = node;
    bool presence = kind == CEL_PLAN_PRESENCE;
    for (at = presence ? node->select.operand : node; operand(at); at = operand(at))
        plan.chain.count++;
    plan.chain.count += presence;
    plan_base(planner, at, &plan);
    plan.chain.steps = alloc(planner, plan.chain.count, sizeof *plan.chain.steps);
    if (!plan.chain.steps)
        return &nothing;
    at = node;
    for (uint32_t i = plan.chain.count; i-- > 0; at = at->kind == CEL_NODE_SELECT ? at->select.operand : operand(at)) {
        plan.chain.steps[i] = step_of(planner, at);
        plan.chain.optional |= plan.chain.steps[i].optional;
    }
    return keep(planner, &plan);
}

/* ---- literals ---- */

static const struct cel_plan *constant_list(struct planner *planner, const struct cel_node *node, const struct cel_plan_entry *entries)
{
    uint32_t count = node->literals.count;
    struct cel_value *items = alloc(planner, count, sizeof *items);
    for (uint32_t i = 0; items && i < count; i++)
        items[i] = entries[i].value->constant;
    return items ? keep_constant(planner, node, cel_list_of(items, count)) : &nothing;
}

static const struct cel_plan *constant_map(struct planner *planner, const struct cel_node *node, const struct cel_plan_entry *entries)
{
    struct cel_table *table = cel_table_new(planner->arena, node->literals.count);
    for (uint32_t i = 0; table && i < node->literals.count; i++) {
        struct cel_pair pair = { entries[i].key->constant, entries[i].value->constant }, *same = cel_table_exact(table, &pair.key);
        if (same)
            same->value = pair.value;
        else if (!cel_table_add(table, planner->arena, &pair))
            table = NULL;
    }
    planner->failed |= !table;
    return keep_constant(planner, node, (struct cel_value){ .type = CEL_MAP, .map = { .table = table } });
}

static const struct cel_plan *plan_literal(struct planner *planner, const struct cel_node *node)
{
    struct cel_plan plan = { .kind = node->kind == CEL_NODE_LIST ? CEL_PLAN_LIST
                                   : node->kind == CEL_NODE_MAP  ? CEL_PLAN_MAP
                                                                 : CEL_PLAN_MESSAGE };
    struct cel_plan_entry *entries = alloc(planner, node->literals.count, sizeof *entries);
    bool constant = node->kind != CEL_NODE_MESSAGE;
    if (!entries)
        return &nothing;
    plan.node = node;
    for (uint32_t i = 0; i < node->literals.count; i++) {
        const struct cel_entry *from = &node->literals.entries[i];
        entries[i] = (struct cel_plan_entry){ .field = from->field, .optional = from->optional };
        entries[i].key = from->key ? plan_of(planner, from->key) : NULL;
        entries[i].value = plan_of(planner, from->value);
        constant &= is_constant(entries[i].value) && !from->optional;
        constant &= !from->key || (is_constant(entries[i].key) && cel_is_hashable(&entries[i].key->constant));
    }
    if (constant)
        return node->kind == CEL_NODE_LIST ? constant_list(planner, node, entries) : constant_map(planner, node, entries);
    plan.literal.entries = entries;
    plan.literal.count = node->literals.count;
    if (node->kind == CEL_NODE_MESSAGE)
        plan.literal.message = cel_message_find(planner->library, node->literals.name);
    return keep(planner, &plan);
}

/* ---- calls ---- */

static const struct cel_plan *plan_parts(struct planner *planner, const struct cel_node *node, enum cel_plan_kind kind)
{
    struct cel_plan plan = { .kind = kind, .node = node };
    uint32_t count = 0;
    if (node->call.receiver)
        plan.parts[count++] = plan_of(planner, node->call.receiver);
    for (uint32_t i = 0; i < node->call.count; i++)
        plan.parts[count++] = plan_of(planner, node->call.arguments[i]);
    return keep(planner, &plan);
}

/* A conversion of a constant, which is computed now: NULL where the call is none. What cannot be converted cannot be planned, so that no
 * such expression comes here. */
static const struct cel_plan *plan_conversion(struct planner *planner, const struct cel_node *node, const struct cel_plan *argument)
{
    enum cel_literal_check check = node->call.function->check;
    bool converts = check == CEL_LITERAL_CONVERTED || check == CEL_LITERAL_DURATION || check == CEL_LITERAL_TIMESTAMP;
    if (!converts || node->call.receiver || node->call.count != 1 || !is_constant(argument))
        return NULL;
    enum cel_type_kind to = node->call.function->overloads->result->kind;
    const char *error = NULL;
    struct cel_value value = argument->constant;
    if (to == CEL_TYPE)
        value = (struct cel_value){ .type = CEL_TYPE, .text = cel_value_type(&argument->constant) };
    else if (to != CEL_DYN)
        planner->failed |= cel_convert(&argument->constant, to, planner->arena, &value, &error) != FAILURE_NONE;
    return error ? NULL : keep_constant(planner, node, value);
}

/* x in [constants]: a test of a set. With other elements than keys it is a call like others. NULL: it is none. */
static const struct cel_plan *plan_in(struct planner *planner, const struct cel_node *node)
{
    const struct cel_plan *list = plan_of(planner, node->call.arguments[1]);
    if (node->call.arguments[1]->kind != CEL_NODE_LIST || !is_constant(list))
        return NULL;
    for (uint32_t i = 0; i < list->constant.list.count; i++)
        if (!cel_is_key(&list->constant.list.items[i]))
            return NULL;
    if (list->constant.list.count == 0)
        return keep_constant(planner, node, cel_boolean(false));
    return plan_parts(planner, node, CEL_PLAN_IN_SET);
}

/* accumulator + [element], where the accumulator began as an empty list: only this call has it, so that it can grow in place. */
static const struct cel_plan *plan_append(struct planner *planner, const struct cel_node *node)
{
    const struct cel_node *list = node->call.arguments[1], *accumulator = node->call.arguments[0];
    bool grows = planner->growing != CEL_NO_SLOT && accumulator->kind == CEL_NODE_IDENTIFIER && accumulator->name.data[0] == '@' &&
                 slot_of(planner, accumulator->name) == planner->growing && list->kind == CEL_NODE_LIST && list->literals.count == 1 &&
                 !list->literals.entries[0].optional;
    if (!grows)
        return NULL;
    uint32_t slot = planner->growing;
    struct cel_plan plan = { .kind = CEL_PLAN_APPEND, .node = node };
    plan.append.accumulator = slot;
    plan.append.element = plan_of(planner, list->literals.entries[0].value);
    plan.append.constant = is_constant(plan.append.element);
    return keep(planner, &plan);
}

static const struct cel_overload *only_overload(const struct cel_node *node)
{
    uint32_t candidates = node->call.candidates;
    return __builtin_popcount(candidates) == 1 ? &node->call.function->overloads[__builtin_ctz(candidates)] : NULL;
}

/* Whether a call ends at the first argument that is an error, as cel-go's calls of more than two arguments do. */
static bool stops(const struct cel_node *node, const struct cel_plan *const *arguments, uint32_t count)
{
    enum cel_literal_check check = node->call.function->check;
    if (count > 2 || check == CEL_LITERAL_FORMAT)
        return true;
    if ((check == CEL_LITERAL_PATTERN || check == CEL_LITERAL_MATCHES) && is_constant(arguments[1]))
        return true;
    bool tested = node->call.function->form == CEL_FORM_TESTED || node->call.function->form == CEL_FORM_UNTESTED;
    return tested && !only_overload(node);
}

/* A constant regular expression, compiled: for whether it matches, or for where. NULL: there is none; or it is too large, and that is said
 * when it is needed. */
static const struct cel_regexp_program *pattern_of(struct planner *planner, const struct cel_node *node,
                                                   const struct cel_plan *const *arguments, uint32_t count)
{
    const struct cel_function *function = node->call.function;
    const struct cel_regexp_program *program = NULL;
    const char *error;
    bool pattern = function->check == CEL_LITERAL_PATTERN || function->check == CEL_LITERAL_MATCHES;
    if (!pattern || count < 2 || !is_constant(arguments[1]) || arguments[1]->constant.type != CEL_STRING)
        return NULL;
    enum cel_regexp_purpose purpose = function->overloads->result->kind == CEL_BOOL ? CEL_REGEXP_TEST : CEL_REGEXP_FIND;
    enum failure failure = cel_regexp_compile(arguments[1]->constant.text, cel_regexp_dialect(planner->program->version), purpose,
                                              planner->arena, &program, &error);
    planner->failed |= failure == FAILURE_MEMORY || planner->arena->failure;
    return failure ? NULL : program;
}

static const struct cel_plan *plan_plain_call(struct planner *planner, const struct cel_node *node)
{
    uint32_t count = node->call.count + (node->call.receiver != NULL), at = 0;
    const struct cel_plan **arguments = alloc(planner, count, sizeof(struct cel_plan *)), *conversion;
    if (!arguments)
        return &nothing;
    if (node->call.receiver)
        arguments[at++] = plan_of(planner, node->call.receiver);
    for (uint32_t i = 0; i < node->call.count; i++)
        arguments[at++] = plan_of(planner, node->call.arguments[i]);
    if (count == 1 && (conversion = plan_conversion(planner, node, arguments[0])))
        return conversion;
    struct cel_plan plan = { .kind = CEL_PLAN_CALL, .node = node };
    plan.call.arguments = arguments;
    plan.call.count = count;
    plan.call.overload = only_overload(node);
    plan.call.stops = stops(node, arguments, count);
    plan.call.pattern = pattern_of(planner, node, arguments, count);
    return keep(planner, &plan);
}

static const struct cel_plan *plan_call(struct planner *planner, const struct cel_node *node)
{
    const struct cel_plan *plan = NULL;
    if (is_call(node, "_&&_"))
        return plan_parts(planner, node, CEL_PLAN_AND);
    if (is_call(node, "_||_"))
        return plan_parts(planner, node, CEL_PLAN_OR);
    if (is_call(node, "_?_:_"))
        return plan_parts(planner, node, CEL_PLAN_CONDITION);
    if (operand(node))
        return plan_chain(planner, node, CEL_PLAN_CHAIN);
    if (node->call.function->form == CEL_FORM_OR || node->call.function->form == CEL_FORM_OR_VALUE)
        return plan_parts(planner, node, CEL_PLAN_ALTERNATIVE);
    if (is_call(node, "@in"))
        plan = plan_in(planner, node);
    else if (is_call(node, "_+_"))
        plan = plan_append(planner, node);
    return plan ? plan : plan_plain_call(planner, node);
}

/* ---- loops ---- */

static uint32_t new_slot(struct planner *planner)
{
    return planner->program->slot_count++;
}

static const struct cel_plan *plan_binding(struct planner *planner, const struct cel_node *node)
{
    struct cel_plan plan = { .kind = CEL_PLAN_BINDING, .node = node };
    const struct scope *outer = planner->scopes;
    plan.loop.init = plan_of(planner, node->loop.init);
    plan.loop.accumulator = new_slot(planner);
    struct scope scope = { node->loop.accumulator, plan.loop.accumulator, outer };
    planner->scopes = &scope;
    plan.loop.result = plan_of(planner, node->loop.result);
    planner->scopes = outer;
    plan.loop.next = planner->program->bindings;
    const struct cel_plan *kept = keep(planner, &plan);
    if (!planner->failed)
        planner->program->bindings = kept;
    return kept;
}

static bool is_empty_list(const struct cel_plan *plan)
{
    return is_constant(plan) && plan->constant.type == CEL_LIST && plan->constant.list.count == 0;
}

static const struct cel_plan *plan_loop(struct planner *planner, const struct cel_node *node)
{
    if (cel_is_binding(node))
        return plan_binding(planner, node);
    struct cel_plan plan = { .kind = CEL_PLAN_LOOP, .node = node };
    const struct scope *outer = planner->scopes;
    uint32_t growing = planner->growing;
    plan.loop.range = plan_of(planner, node->loop.range);
    plan.loop.init = plan_of(planner, node->loop.init);
    plan.loop.accumulator = new_slot(planner);
    plan.loop.first = new_slot(planner);
    plan.loop.second = node->loop.variables[1].data ? new_slot(planner) : CEL_NO_SLOT;
    struct scope accumulator = { node->loop.accumulator, plan.loop.accumulator, outer };
    struct scope first = { node->loop.variables[0], plan.loop.first, &accumulator };
    struct scope second = { node->loop.variables[1], plan.loop.second, &first };
    planner->scopes = plan.loop.second == CEL_NO_SLOT ? &first : &second;
    planner->growing = is_empty_list(plan.loop.init) ? plan.loop.accumulator : CEL_NO_SLOT;
    plan.loop.condition = plan_of(planner, node->loop.condition);
    plan.loop.step = plan_of(planner, node->loop.step);
    planner->growing = growing;
    planner->scopes = &accumulator;
    plan.loop.result = plan_of(planner, node->loop.result);
    planner->scopes = outer;
    return keep(planner, &plan);
}

/* ---- the whole ---- */

static const struct cel_plan *plan_of(struct planner *planner, const struct cel_node *node)
{
    if (planner->failed)
        return &nothing;
    if (planner->program->plans[node->number])
        return planner->program->plans[node->number];
    switch (node->kind) {
    case CEL_NODE_LITERAL: return keep_constant(planner, node, cel_value_of(&node->literal));
    case CEL_NODE_IDENTIFIER: return plan_identifier(planner, node);
    case CEL_NODE_SELECT: return plan_chain(planner, node, node->select.presence ? CEL_PLAN_PRESENCE : CEL_PLAN_CHAIN);
    case CEL_NODE_CALL: return plan_call(planner, node);
    case CEL_NODE_LIST:
    case CEL_NODE_MAP:
    case CEL_NODE_MESSAGE: return plan_literal(planner, node);
    case CEL_NODE_LOOP: return plan_loop(planner, node);
    default: return &nothing;
    }
}

enum failure cel_program_new(const struct cel_expression *expression, const struct cel_library *library, unsigned version,
                             struct arena *arena, const struct cel_program **program)
{
    struct cel_program *made = arena_alloc(arena, sizeof *made);
    if (!made)
        return arena->failure;
    *made = (struct cel_program){ .library = library, .version = version, .node_count = expression->tree.count };
    made->plans = arena_alloc(arena, (made->node_count ? made->node_count : 1) * sizeof *made->plans);
    if (!made->plans)
        return arena->failure;
    memset(made->plans, 0, made->node_count * sizeof *made->plans);
    struct planner planner = { .library = library, .arena = arena, .program = made, .growing = CEL_NO_SLOT };
    made->root = plan_of(&planner, expression->tree.root);
    *program = made;
    return planner.failed ? arena->failure : FAILURE_NONE;
}
