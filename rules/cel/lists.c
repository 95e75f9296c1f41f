#include "cel/limits.h"
#include "rules/cel/calls.h"
#include "rules/cel/texts.h"

/* ---- parts of a list ---- */

struct cel_value call_first(const struct cel_invocation *call)
{
    const struct cel_list *list = &call->arguments[0].list;
    return cel_optional(list->count ? &list->items[0] : NULL);
}

struct cel_value call_last(const struct cel_invocation *call)
{
    const struct cel_list *list = &call->arguments[0].list;
    return cel_optional(list->count ? &list->items[list->count - 1] : NULL);
}

static struct cel_value bad_slice(const struct cel_invocation *call, const char *why, const uint32_t *length)
{
    struct text text;
    text_init(&text, call->evaluation->arena);
    text_add(&text, "cannot slice(");
    text_add_integer(&text, call->arguments[1].integer);
    text_add(&text, ", ");
    text_add_integer(&text, call->arguments[2].integer);
    text_add(&text, "), ");
    text_add(&text, why);
    if (length)
        text_add_integer(&text, *length);
    return cel_fail_text(call->evaluation, &text);
}

struct cel_value call_slice(const struct cel_invocation *call)
{
    const struct cel_list *list = &call->arguments[0].list;
    int64_t start = call->arguments[1].integer, end = call->arguments[2].integer;
    if (start < 0 || end < 0)
        return bad_slice(call, "negative indexes not supported", NULL);
    if (start > end)
        return bad_slice(call, "start index must be less than or equal to end index", NULL);
    if (end > list->count)
        return bad_slice(call, "list is length ", &list->count);
    return cel_list_of(start < end ? list->items + start : NULL, (uint32_t)(end - start));
}

struct cel_value call_lists_range(const struct cel_invocation *call)
{
    int64_t count = call->arguments[0].integer;
    if (count <= 0)
        return cel_list_of(NULL, 0);
    struct cel_value *items = cel_evaluation_alloc(call->evaluation, (uint64_t)count, sizeof *items);
    for (int64_t i = 0; items && i < count; i++)
        items[i] = cel_integer(i);
    return items ? cel_list_of(items, (uint32_t)count) : cel_stopped(call->evaluation);
}

struct cel_value call_reverse(const struct cel_invocation *call)
{
    const struct cel_list *list = &call->arguments[0].list;
    struct cel_value *items = cel_evaluation_alloc(call->evaluation, list->count, sizeof *items);
    for (uint32_t i = 0; items && i < list->count; i++)
        items[i] = list->items[list->count - 1 - i];
    return items ? cel_list_of(items, list->count) : cel_stopped(call->evaluation);
}

/* ---- flatten() ---- */

struct flattening {
    struct cel_evaluation *evaluation;
    struct cel_value *items; /* NULL: they are only counted */
    uint64_t count;
};

/* Elements of lists that are `levels` deep or less. The same list may be in it again and again, so that each step counts. */
static void flatten(struct flattening *flattening, const struct cel_list *list, int64_t levels, unsigned depth)
{
    if (depth == 0)
        (void)cel_stop(flattening->evaluation, "lists are too deep");
    for (uint32_t i = 0; i < list->count && cel_steps(flattening->evaluation, 1); i++) {
        const struct cel_value *item = &list->items[i];
        if (item->type == CEL_LIST && levels > 0)
            flatten(flattening, &item->list, levels - 1, depth - 1);
        else if (flattening->items)
            flattening->items[flattening->count++] = *item;
        else
            flattening->count++;
    }
}

/* Its arguments are not tested. */
struct cel_value call_flatten(const struct cel_invocation *call)
{
    const struct cel_list *list = &call->arguments[0].list;
    if (call->arguments[0].type != CEL_LIST || (call->count > 1 && call->arguments[1].type != CEL_INT))
        return cel_no_overload(call->evaluation);
    int64_t levels = call->count > 1 ? call->arguments[1].integer : 1;
    if (levels < 0)
        return cel_fail(call->evaluation, "level must be non-negative");
    struct flattening flattening = { .evaluation = call->evaluation };
    flatten(&flattening, list, levels, LIMIT_CEL_VALUE_DEPTH);
    struct cel_value *items = cel_evaluation_alloc(call->evaluation, flattening.count, sizeof *items);
    if (!items || call->evaluation->stopped)
        return cel_stopped(call->evaluation);
    flattening = (struct flattening){ call->evaluation, items, 0 };
    flatten(&flattening, list, levels, LIMIT_CEL_VALUE_DEPTH);
    return call->evaluation->stopped ? cel_stopped(call->evaluation) : cel_list_of(items, (uint32_t)flattening.count);
}

/* ---- sets ---- */

/* Whether the value equals one of the items. The value is what == compares from, as in `value in [..]`. */
static bool is_in(struct cel_evaluation *evaluation, const struct cel_value *value, const struct cel_value *items, uint32_t count)
{
    for (uint32_t i = 0; i < count && !evaluation->stopped; i++)
        if (cel_values_equal(evaluation, value, &items[i]) == CEL_EQUAL)
            return true;
    return false;
}

struct cel_value call_distinct(const struct cel_invocation *call)
{
    const struct cel_list *list = &call->arguments[0].list;
    struct cel_value *items = cel_evaluation_alloc(call->evaluation, list->count, sizeof *items);
    uint32_t count = 0;
    for (uint32_t i = 0; items && i < list->count; i++)
        if (!is_in(call->evaluation, &list->items[i], items, count))
            items[count++] = list->items[i];
    return items && !call->evaluation->stopped ? cel_list_of(items, count) : cel_stopped(call->evaluation);
}

/* Whether each element of `part`, or any of them, is in `whole`. */
static bool contains(struct cel_evaluation *evaluation, const struct cel_list *whole, const struct cel_list *part, bool any)
{
    for (uint32_t i = 0; i < part->count && !evaluation->stopped; i++)
        if (is_in(evaluation, &part->items[i], whole->items, whole->count) == any)
            return any;
    return !any;
}

struct cel_value call_sets_contains(const struct cel_invocation *call)
{
    return cel_boolean(contains(call->evaluation, &call->arguments[0].list, &call->arguments[1].list, false));
}

struct cel_value call_sets_equivalent(const struct cel_invocation *call)
{
    const struct cel_list *a = &call->arguments[0].list, *b = &call->arguments[1].list;
    return cel_boolean(contains(call->evaluation, a, b, false) && contains(call->evaluation, b, a, false));
}

struct cel_value call_sets_intersects(const struct cel_invocation *call)
{
    return cel_boolean(contains(call->evaluation, &call->arguments[1].list, &call->arguments[0].list, true));
}

enum { ATTRIBUTE_VALUES = 48 }; /* as many values as an attribute of a device may have (resource.k8s.io, Kubernetes 1.36) */

/* Here the items are what == compares from. */
struct cel_value call_includes(const struct cel_invocation *call)
{
    const struct cel_value *whole = &call->arguments[0], *items = whole;
    uint32_t count = 1;
    if (whole->type == CEL_LIST) {
        items = whole->list.items;
        count = whole->list.count;
    }
    for (uint32_t i = 0; i < count && i < ATTRIBUTE_VALUES; i++)
        if (cel_values_equal(call->evaluation, &items[i], &call->arguments[1]) == CEL_EQUAL)
            return cel_boolean(true);
    if (count > ATTRIBUTE_VALUES)
        return cel_fail(call->evaluation, "'includes' function cannot be applied to lists longer than 48 values");
    return cel_boolean(false);
}

/* ---- of all elements ---- */

/* Whether it has an order, even if not with everything: two elements that have none together do not count as greater or less. */
static bool is_ordered(const struct cel_value *value)
{
    return cel_values_compare(value, value) != CEL_NOT_ORDERED;
}

struct cel_value call_is_sorted(const struct cel_invocation *call)
{
    const struct cel_list *list = &call->arguments[0].list;
    for (uint32_t i = 0; i < list->count; i++) {
        if (!cel_steps_value(call->evaluation, &list->items[i]))
            return cel_stopped(call->evaluation);
        if (!is_ordered(&list->items[i]))
            return cel_no_overload(call->evaluation);
        if (i && cel_values_compare(&list->items[i - 1], &list->items[i]) == CEL_GREATER)
            return cel_boolean(false);
    }
    return cel_boolean(true);
}

static struct cel_value extreme(const struct cel_invocation *call, enum cel_order worse, const char *empty)
{
    const struct cel_list *list = &call->arguments[0].list;
    const struct cel_value *best = NULL;
    for (uint32_t i = 0; i < list->count; i++) {
        if (!cel_steps_value(call->evaluation, &list->items[i]))
            return cel_stopped(call->evaluation);
        if (!is_ordered(&list->items[i]))
            return cel_no_overload(call->evaluation);
        if (!best || cel_values_compare(best, &list->items[i]) == worse)
            best = &list->items[i];
    }
    return best ? *best : cel_fail(call->evaluation, empty);
}

struct cel_value call_max(const struct cel_invocation *call)
{
    return extreme(call, CEL_LESS, "max called on empty list");
}

struct cel_value call_min(const struct cel_invocation *call)
{
    return extreme(call, CEL_GREATER, "min called on empty list");
}

struct cel_value call_sum(const struct cel_invocation *call)
{
    const struct cel_list *list = &call->arguments[0].list;
    struct cel_value sum = { .type = call->overload->result->kind }; /* 0 */
    for (uint32_t i = 0; i < list->count && sum.type != CEL_ERROR; i++)
        sum = cel_arithmetic(call->evaluation, '+', &sum, &list->items[i]);
    return sum;
}
