#include "cel/cost_numbers.h"
#include "cel/limits.h"
#include "cel/run.h"

/* The arguments of a call, as costs see them. An error counts as one. */
struct charged {
    struct cel_evaluation *evaluation;
    const struct cel_value *arguments, *result;
    uint32_t count;
    uint64_t a, b; /* sizes of the first two */
};

static bool is_list(const struct cel_value *value)
{
    return value->type == CEL_LIST;
}

static bool is_text(const struct cel_value *value)
{
    return value->type == CEL_STRING || value->type == CEL_BYTES;
}

/* What going through a value costs: a tenth of the bytes of texts, rounded down, and 1 for everything else that is in it. */
static uint64_t traversal(struct cel_evaluation *evaluation, const struct cel_value *value, unsigned depth)
{
    uint64_t cost = 0;
    if (depth == 0 || !cel_steps(evaluation, 1))
        return 0;
    if (is_text(value))
        return (uint64_t)(value->text.length * 0.1);
    if (is_list(value)) {
        for (uint32_t i = 0; i < value->list.count && !evaluation->stopped; i++)
            cost += traversal(evaluation, &value->list.items[i], depth - 1);
        return cost;
    }
    if (value->type != CEL_MAP)
        return 1;
    for (uint32_t i = 0; i < cel_map_count(&value->map) && !evaluation->stopped; i++)
        cost += traversal(evaluation, &value->map.table->pairs[i].key, depth - 1) +
                traversal(evaluation, &value->map.table->pairs[i].value, depth - 1);
    return cost;
}

/* Sorting: cel-go looks at the list even if it is an error or no list, and ends in a panic then. */
static uint64_t sorting(const struct charged *call, const struct cel_value *list)
{
    if (!is_list(list)) {
        (void)cel_stop(call->evaluation, list->type == CEL_ERROR ? list->fault.words : "no such overload");
        return 0;
    }
    double count = list->list.count, factor = list->list.count && is_text(list->list.items) ? 2.1 : 2;
    return 11 + (uint64_t)(count * count * factor);
}

/* 11 and the depth times the elements, as a double: a negative one wraps. */
static uint64_t flattening(const struct charged *call)
{
    if (call->count < 2)
        return 11 + call->a;
    if (call->arguments[1].type != CEL_INT) {
        (void)cel_stop(call->evaluation, call->arguments[1].type == CEL_ERROR ? call->arguments[1].fault.words : "no such overload");
        return 0;
    }
    double product = (double)call->a * (double)call->arguments[1].integer;
    if (product < -0x1p63 || product >= 0x1p64)
        return 11 + (UINT64_C(1) << 63); /* what Go makes of it on amd64 */
    return 11 + (product < 0 ? (uint64_t)(int64_t)product : (uint64_t)product);
}

static uint64_t matching(const struct charged *call)
{
    return cel_product(cel_tenth(call->a + 1), cel_factor(call->b, 0.25));
}

static uint64_t containing(const struct charged *call, const struct cel_overload *overload, uint64_t network)
{
    bool text = overload && overload->arguments[1]->kind == CEL_STRING;
    return network + (text ? cel_tenth(call->b) : 0);
}

static uint64_t validating(const struct charged *call)
{
    const struct cel_value *format = &call->arguments[0];
    bool weighs = format->type == CEL_STRUCT && format->object->class->weight;
    return weighs ? cel_tenth(call->b + 1) * cel_factor(format->object->class->weight(format->object), 0.25) : 1;
}

/* By the name of the function: whatever overloads are left. */
static bool cost_by_name(const struct charged *call, enum cel_cost cost, const struct cel_overload *overload, uint64_t *result)
{
    switch (cost) {
    case CEL_COST_TENTH:
    case CEL_COST_TEXT: *result = cel_tenth(call->a); return true;
    case CEL_COST_FIFTH:
    case CEL_COST_REPLACE:
    case CEL_COST_SPLIT: *result = cel_factor(call->a, 0.2); return true;
    case CEL_COST_JOIN: *result = cel_factor(cel_value_size(call->result), 0.2); return true;
    case CEL_COST_FIND: *result = matching(call); return true;
    case CEL_COST_EQUALS:
        *result = call->arguments[0].type == CEL_STRUCT ? 1 : cel_tenth(call->a < call->b ? call->a : call->b);
        return true;
    case CEL_COST_EACH: *result = traversal(call->evaluation, &call->arguments[0], LIMIT_CEL_VALUE_DEPTH); return true;
    case CEL_COST_CONTAINS_IP: *result = containing(call, overload, cel_factor(call->a, 0.2)); return true;
    case CEL_COST_CONTAINS_CIDR: *result = containing(call, overload, cel_factor(call->a, 0.2) + cel_tenth(call->a) + 1); return true;
    case CEL_COST_VALIDATE: *result = validating(call); return true;
    case CEL_COST_AUTHORIZE: *result = 350000; return true;
    case CEL_COST_AUTHORIZE_SELECTOR: *result = 10 + cel_tenth(call->b) + cel_product(cel_factor(call->b, 0.5), 50); return true;
    default: return false;
    }
}

/* By the only overload that is left. */
static uint64_t cost_by_overload(const struct charged *call, enum cel_cost cost)
{
    switch (cost) {
    case CEL_COST_NONE: return 0;
    case CEL_COST_QUOTE:
    case CEL_COST_ENCODE:
    case CEL_COST_DECODE:
    case CEL_COST_AFFIX: return cel_tenth(call->a);
    case CEL_COST_CONTAINS: return cel_product(cel_tenth(call->a), cel_tenth(call->b));
    case CEL_COST_MATCHES: return matching(call);
    case CEL_COST_SHORTER: return cel_tenth(call->a < call->b ? call->a : call->b);
    case CEL_COST_ADD_TEXT: return cel_tenth(call->a + call->b);
    case CEL_COST_IN_LIST: return call->b;
    case CEL_COST_SETS: return 1 + cel_product(call->a, call->b);
    case CEL_COST_SETS_TWICE: return 1 + cel_product(2, cel_product(call->a, call->b));
    case CEL_COST_SLICE:
    case CEL_COST_RANGE:
    case CEL_COST_REVERSE: return 11 + cel_value_size(call->result);
    case CEL_COST_FLATTEN: return flattening(call);
    case CEL_COST_DISTINCT:
    case CEL_COST_SORT:
    case CEL_COST_SORT_TEXT: return sorting(call, &call->arguments[0]);
    case CEL_COST_SORT_BY:
    case CEL_COST_SORT_BY_TEXT: return sorting(call, &call->arguments[1]);
    default: return 1;
    }
}

/* Counting characters may be all that a call does for its cost. */
static uint64_t size_of(struct cel_evaluation *evaluation, const struct cel_value *value)
{
    if (value->type == CEL_STRING && !cel_steps_bytes(evaluation, value->text.length))
        return 1;
    return cel_value_size(value);
}

/* cel-go counts elements in lists and sets its own way: an optional is one, whatever it holds. */
static bool is_of_lists(enum cel_cost cost)
{
    return cost == CEL_COST_SETS || cost == CEL_COST_SETS_TWICE || cost == CEL_COST_FLATTEN;
}

uint64_t cel_run_cost(struct cel_evaluation *evaluation, const struct cel_plan *plan, const struct cel_value *arguments,
                      const struct cel_value *result)
{
    const struct cel_overload *overload = plan->call.overload;
    struct charged call = { .evaluation = evaluation, .arguments = arguments, .result = result, .count = plan->call.count };
    enum cel_cost cost = overload ? overload->cost : plan->node->call.function->overloads->cost;
    uint64_t by_name;
    if (cost == CEL_COST_ONE && overload)
        return 1;
    call.a = call.count > 0 ? size_of(evaluation, &arguments[0]) : 1;
    call.b = call.count > 1 ? size_of(evaluation, &arguments[1]) : 1;
    if (cost_by_name(&call, cost, overload, &by_name))
        return by_name;
    if (is_of_lists(cost)) {
        call.a = arguments[0].type == CEL_OPTIONAL ? 1 : call.a;
        call.b = call.count > 1 && arguments[1].type == CEL_OPTIONAL ? 1 : call.b;
    }
    return overload ? cost_by_overload(&call, cost) : 1;
}
