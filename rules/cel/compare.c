/* Comparing quantities with quantities, and versions with versions. */
#include "rules/cel/calls.h"
#include "rules/cel/objects.h"

/* False: *error is what the call gives. */
static bool compare(const struct cel_invocation *call, int *order, struct cel_value *error)
{
    const struct cel_value *a = &call->arguments[0], *b = &call->arguments[1];
    bool quantities = cel_is_object(a, &quantity_class) && cel_is_object(b, &quantity_class);
    if (!quantities && !(cel_is_object(a, &semver_class) && cel_is_object(b, &semver_class))) {
        *error = cel_no_overload(call->evaluation);
        return false;
    }
    bool compared = quantities ? quantity_order(call->evaluation, a->object, b->object, order)
                               : semver_order(call->evaluation, a->object, b->object, order);
    if (!compared)
        *error = cel_stopped(call->evaluation);
    return compared;
}

struct cel_value call_compare_to(const struct cel_invocation *call)
{
    int order;
    struct cel_value error;
    return compare(call, &order, &error) ? cel_integer(order) : error;
}

struct cel_value call_is_greater_than(const struct cel_invocation *call)
{
    int order;
    struct cel_value error;
    return compare(call, &order, &error) ? cel_boolean(order > 0) : error;
}

struct cel_value call_is_less_than(const struct cel_invocation *call)
{
    int order;
    struct cel_value error;
    return compare(call, &order, &error) ? cel_boolean(order < 0) : error;
}
