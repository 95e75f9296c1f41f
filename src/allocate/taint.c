/* Source: k8s.io/dynamic-resource-allocation v0.36.3 resourceclaim/devicetoleration.go. */
#include "allocate/attempt.h"
#include "match/device.h"

static bool tolerates(struct value toleration, struct value taint)
{
    struct value operator = match_at(toleration, "operator");
    struct bytes key = value_text(match_at(toleration, "key")), effect = value_text(match_at(toleration, "effect"));
    if (effect.length && !bytes_equal(effect, value_text(match_at(taint, "effect"))))
        return false;
    if (key.length && !bytes_equal(key, value_text(match_at(taint, "key"))))
        return false;
    if (value_is(operator, "Exists"))
        return true;
    bool equal = !value_text(operator).length || value_is(operator, "Equal");
    return equal && bytes_equal(value_text(match_at(toleration, "value")), value_text(match_at(taint, "value")));
}

static bool is_tolerated(const struct allocate_ask *ask, struct value taint)
{
    value_each(ask->tolerations, toleration)
        if (tolerates(toleration, taint))
            return true;
    return false;
}

struct value allocate_taint_of(const struct allocate_ask *ask, const struct allocate_device *device)
{
    for (uint32_t i = 0; i < device->taint_count; i++)
        if (!is_tolerated(ask, device->taints[i]))
            return device->taints[i];
    return (struct value){ .shape = NULL };
}
