/* sort() and sortBy(). */
#include "rules/cel/calls.h"
#include "rules/cel/order.h"
#include "rules/cel/texts.h"

struct keys {
    struct cel_evaluation *evaluation;
    const struct cel_value *items;
    bool mixed; /* keys of several kinds were compared */
};

static bool key_is_less(void *context, uint32_t a, uint32_t b)
{
    struct keys *keys = context;
    const struct cel_value *left = &keys->items[a], *right = &keys->items[b];
    if (left->type != keys->items[0].type || right->type != keys->items[0].type) {
        keys->mixed = true;
        return false;
    }
    uint64_t bytes = 0;
    if (left->type == CEL_STRING || left->type == CEL_BYTES)
        bytes = left->text.length < right->text.length ? left->text.length : right->text.length;
    return cel_steps(keys->evaluation, 1) && cel_steps_bytes(keys->evaluation, bytes) && cel_values_compare(left, right) == CEL_LESS;
}

static struct cel_value bad_keys(const struct cel_invocation *call, uint32_t count, uint32_t keys)
{
    struct text text;
    text_init(&text, call->evaluation->arena);
    text_add(&text, "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ");
    text_add_integer(&text, count);
    text_add(&text, " and ");
    text_add_integer(&text, keys);
    text_add(&text, " elements respectively");
    return cel_fail_text(call->evaluation, &text);
}

static struct cel_value sort_by(const struct cel_invocation *call, const struct cel_value *value, const struct cel_value *associated)
{
    struct cel_evaluation *evaluation = call->evaluation;
    const struct cel_list *list = &value->list, *by = &associated->list;
    if (value->type != CEL_LIST || associated->type != CEL_LIST) /* the kinds of the arguments are not tested before */
        return cel_no_overload(evaluation);
    if (list->count != by->count)
        return bad_keys(call, list->count, by->count);
    if (list->count == 0)
        return call->arguments[0];
    if (cel_values_compare(&by->items[0], &by->items[0]) == CEL_NOT_ORDERED)
        return cel_fail(evaluation, "list elements must be comparable");
    uint32_t *order = cel_evaluation_alloc(evaluation, list->count, sizeof *order);
    struct cel_value *sorted = order ? cel_evaluation_alloc(evaluation, list->count, sizeof *sorted) : NULL;
    if (!sorted)
        return cel_stopped(evaluation);
    for (uint32_t i = 0; i < list->count; i++)
        order[i] = i;
    struct keys keys = { .evaluation = evaluation, .items = by->items };
    order_sort(order, list->count, key_is_less, &keys);
    if (evaluation->stopped)
        return cel_stopped(evaluation);
    if (keys.mixed)
        return cel_fail(evaluation, "list elements must have the same type");
    for (uint32_t i = 0; i < list->count; i++)
        sorted[i] = list->items[order[i]];
    return cel_list_of(sorted, list->count);
}

struct cel_value call_sort(const struct cel_invocation *call)
{
    return sort_by(call, &call->arguments[0], &call->arguments[0]);
}

struct cel_value call_sort_by_keys(const struct cel_invocation *call)
{
    return sort_by(call, &call->arguments[0], &call->arguments[1]);
}
