/* Optional values. Source: cel-go v0.26.0 cel/library.go. */
#include "rules/cel/calls.h"

static struct cel_value optional_of(const struct cel_invocation *call)
{
    const struct cel_value *content = cel_value_keep(call->evaluation, call->arguments);
    return content ? cel_optional(content) : cel_stopped(call->evaluation);
}

struct cel_value call_optional_of(const struct cel_invocation *call)
{
    return optional_of(call);
}

struct cel_value call_optional_none(const struct cel_invocation *call)
{
    (void)call;
    return cel_optional(NULL);
}

static bool is_zero(const struct cel_value *value)
{
    switch (value->type) {
    case CEL_NULL:   return true;
    case CEL_BOOL:   return !value->boolean;
    case CEL_INT: case CEL_UINT: case CEL_DURATION: return value->integer == 0;
    case CEL_DOUBLE: return value->number == 0;
    case CEL_STRING: case CEL_BYTES: return value->text.length == 0;
    case CEL_LIST:      return value->list.count == 0;
    case CEL_MAP:       return cel_map_count(&value->map) == 0 && !value->map.defaults;
    case CEL_TIMESTAMP: return instant_is_zero(&value->time);
    default:            return false;
    }
}

struct cel_value call_optional_of_non_zero_value(const struct cel_invocation *call)
{
    return is_zero(call->arguments) ? cel_optional(NULL) : optional_of(call);
}

struct cel_value call_has_value(const struct cel_invocation *call)
{
    return cel_boolean(call->arguments->content != NULL);
}

struct cel_value call_value(const struct cel_invocation *call)
{
    const struct cel_value *content = call->arguments->content;
    return content ? *content : cel_fail(call->evaluation, "optional.none() dereference");
}

struct cel_value call_unwrap_optionals(const struct cel_invocation *call)
{
    const struct cel_list *list = &call->arguments->list;
    struct cel_value *items = cel_evaluation_alloc(call->evaluation, list->count, sizeof *items);
    uint32_t count = 0;
    for (uint32_t i = 0; items && i < list->count; i++) {
        if (list->items[i].type != CEL_OPTIONAL)
            return cel_no_overload(call->evaluation);
        if (list->items[i].content)
            items[count++] = *list->items[i].content;
    }
    return items ? cel_list_of(items, count) : cel_stopped(call->evaluation);
}
