/* Operators, sizes, and what macros expand to. The kinds of arguments are tested here. Source: cel-go v0.26.0 common/stdlib and
 * common/types. */
#include "rules/cel/calls.h"

struct cel_value call_not(const struct cel_invocation *call)
{
    const struct cel_value *value = call->arguments;
    return value->type == CEL_BOOL ? cel_boolean(!value->boolean) : cel_no_overload(call->evaluation);
}

struct cel_value call_negate(const struct cel_invocation *call)
{
    const struct cel_value *value = call->arguments;
    if (value->type == CEL_DOUBLE)
        return cel_double(-value->number);
    if (value->type != CEL_INT)
        return cel_no_overload(call->evaluation);
    struct cel_value zero = cel_integer(0);
    return cel_arithmetic(call->evaluation, '-', &zero, value);
}

/* Everything but false goes on, errors too. */
struct cel_value call_not_strictly_false(const struct cel_invocation *call)
{
    return cel_boolean(call->arguments->type != CEL_BOOL || call->arguments->boolean);
}

/* ---- equality ---- */

struct cel_value call_equal(const struct cel_invocation *call)
{
    enum cel_equality_result result = cel_values_equal(call->evaluation, &call->arguments[0], &call->arguments[1]);
    return result == CEL_INCOMPARABLE ? cel_no_overload(call->evaluation) : cel_boolean(result == CEL_EQUAL);
}

struct cel_value call_not_equal(const struct cel_invocation *call)
{
    return cel_boolean(cel_values_equal(call->evaluation, &call->arguments[0], &call->arguments[1]) != CEL_EQUAL);
}

static struct cel_value in_map(const struct cel_invocation *call)
{
    const struct cel_value *key = &call->arguments[0];
    const struct cel_map *map = &call->arguments[1].map;
    if (cel_map_count(map) == 0)
        return cel_boolean(false);
    if (!cel_is_hashable(key) && !map->input)
        return cel_stop(call->evaluation, "a value of this type cannot be looked up");
    if (key->type == CEL_STRING && !cel_steps_bytes(call->evaluation, key->text.length))
        return cel_stopped(call->evaluation);
    return cel_boolean(cel_table_find(map->table, key) != NULL);
}

struct cel_value call_in(const struct cel_invocation *call)
{
    const struct cel_value *value = &call->arguments[0], *container = &call->arguments[1];
    if (container->type == CEL_MAP)
        return in_map(call);
    if (container->type != CEL_LIST)
        return cel_no_overload(call->evaluation);
    for (uint32_t i = 0; i < container->list.count && !call->evaluation->stopped; i++)
        if (cel_values_equal(call->evaluation, value, &container->list.items[i]) == CEL_EQUAL)
            return cel_boolean(true);
    return cel_boolean(false);
}

/* ---- order ---- */

/* Whether the order of the arguments is one of two. */
static struct cel_value ordered(const struct cel_invocation *call, enum cel_order first, enum cel_order second)
{
    enum cel_order order = cel_values_compare(&call->arguments[0], &call->arguments[1]);
    if (order == CEL_UNORDERED)
        return cel_fail(call->evaluation, "NaN values cannot be ordered");
    return order == CEL_NOT_ORDERED ? cel_no_overload(call->evaluation) : cel_boolean(order == first || order == second);
}

struct cel_value call_less(const struct cel_invocation *call)
{
    return ordered(call, CEL_LESS, CEL_LESS);
}

struct cel_value call_less_or_equal(const struct cel_invocation *call)
{
    return ordered(call, CEL_LESS, CEL_SAME);
}

struct cel_value call_greater(const struct cel_invocation *call)
{
    return ordered(call, CEL_GREATER, CEL_GREATER);
}

struct cel_value call_greater_or_equal(const struct cel_invocation *call)
{
    return ordered(call, CEL_GREATER, CEL_SAME);
}

/* ---- arithmetic ---- */

static struct cel_value arithmetic(const struct cel_invocation *call, char operator)
{
    return cel_arithmetic(call->evaluation, operator, & call->arguments[0], &call->arguments[1]);
}

struct cel_value call_add(const struct cel_invocation *call)
{
    return arithmetic(call, '+');
}

struct cel_value call_subtract(const struct cel_invocation *call)
{
    return arithmetic(call, '-');
}

struct cel_value call_multiply(const struct cel_invocation *call)
{
    return arithmetic(call, '*');
}

struct cel_value call_divide(const struct cel_invocation *call)
{
    return arithmetic(call, '/');
}

struct cel_value call_modulo(const struct cel_invocation *call)
{
    return arithmetic(call, '%');
}

/* ---- sizes ---- */

struct cel_value call_size(const struct cel_invocation *call)
{
    const struct cel_value *value = call->arguments;
    if (value->type == CEL_STRING && !cel_steps_bytes(call->evaluation, value->text.length))
        return cel_stopped(call->evaluation);
    bool sized = value->type == CEL_STRING || value->type == CEL_BYTES || value->type == CEL_LIST || value->type == CEL_MAP;
    return sized ? cel_integer((int64_t)cel_value_size(value)) : cel_no_overload(call->evaluation);
}

/* ---- transformMap() ---- */

static bool insert(const struct cel_invocation *call, struct cel_table *table, const struct cel_pair *pair, struct cel_value *error)
{
    if (!cel_is_hashable(&pair->key))
        *error = cel_stop(call->evaluation, "a value of this type cannot be a key");
    else if (!cel_steps_value(call->evaluation, &pair->key))
        *error = cel_stopped(call->evaluation);
    else if (cel_table_find(table, &pair->key))
        *error = cel_fail(call->evaluation, "insert failed: key already exists");
    else if (!cel_table_add(table, call->evaluation->arena, pair))
        *error = cel_stop(call->evaluation, "the evaluation needs too much memory");
    else
        return true;
    return false;
}

/* Adds a pair, or all pairs of a map, to the accumulator of a loop. Only this call has it, so that it grows in place. */
struct cel_value call_map_insert(const struct cel_invocation *call)
{
    struct cel_value accumulator = call->arguments[0], error;
    struct cel_table *table = accumulator.map.table;
    if (!table || table->count == 0)
        table = cel_table_new(call->evaluation->arena, 0); /* that of the literal {} is the program's */
    if (!table)
        return cel_stop(call->evaluation, "the evaluation needs too much memory");
    accumulator.map = (struct cel_map){ .table = table };
    if (call->count == 3) {
        struct cel_pair pair = { call->arguments[1], call->arguments[2] };
        return insert(call, table, &pair, &error) ? accumulator : error;
    }
    const struct cel_map *added = &call->arguments[1].map;
    for (uint32_t i = 0; i < cel_map_count(added); i++)
        if (!insert(call, table, &added->table->pairs[i], &error))
            return error;
    return accumulator;
}
