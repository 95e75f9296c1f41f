/* Comparing quantities with quantities, and versions with versions. */
#include "rules/cel/calls.h"
#include "rules/cel/objects.h"

/* False: *error is what the call gives. */
static bool compare(const struct cel_invocation *call, int *order, struct cel_value *error)
{
    const struct cel_value *a = &call->arguments[0], *b = &call->arguments[1];
    if (cel_is_object(a, &quantity_class) && cel_is_object(b, &quantity_class)) {
        if (quantity_order(call->evaluation, a->object, b->object, order))
            return true;
        *error = cel_stopped(call->evaluation);
        return false;
    }
    if (cel_is_object(a, &semver_class) && cel_is_object(b, &semver_class)) {
        *order = semver_order(a->object, b->object);
        return true;
    }
    *error = cel_no_overload(call->evaluation);
    return false;
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
