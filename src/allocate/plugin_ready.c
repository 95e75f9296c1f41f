#include "allocate/plugin.h"
#include "match/device.h"
#include "value/time.h"

/* How long a scheduler waits: bindingTimeout of DynamicResourcesArgs. */
enum { BINDING_SECONDS = 600 };

static bool same(struct value a, struct value b, const char *name)
{
    return bytes_equal(value_text(match_at(a, name)), value_text(match_at(b, name)));
}

/* The conditions of a device that is allocated. *known: its driver says something of it. */
static struct value conditions_of(const struct allocate_stored *claim, struct value result, bool *known)
{
    *known = true;
    value_each(claim->devices, device)
        if (same(device, result, "device") && same(device, result, "driver") && same(device, result, "pool"))
            return match_at(device, "conditions");
    *known = false;
    return (struct value){ .shape = NULL };
}

/* The condition, if it is true. */
static struct value true_condition(struct value conditions, struct value type)
{
    value_each(conditions, condition)
        if (bytes_equal(value_text(match_at(condition, "type")), value_text(type)))
            return value_is(match_at(condition, "status"), "True") ? condition : (struct value){ .shape = NULL };
    return (struct value){ .shape = NULL };
}

static enum failure say_failed(struct allocate_cycle *cycle, const struct allocate_stored *claim, struct value condition,
                               const char **fault)
{
    bool old = cycle->plugin->world->mode.old_words;
    struct text text;
    text_init(&text, &cycle->plugin->arena);
    text_add(&text, old ? "claim " : "device binding failed: claim=");
    text_add_bytes(&text, claim->name);
    text_add(&text, old ? " binding failed: reason=" : ", reason=");
    text_add_bytes(&text, value_text(match_at(condition, "reason")));
    text_add(&text, ", message=");
    text_add_quoted(&text, value_text(match_at(condition, "message")), UINT32_MAX);
    return allocate_text_end(&text, fault);
}

static bool is_late(const struct allocate_cycle *cycle, const struct allocate_stored *claim)
{
    struct instant begun;
    bool some = false;
    value_each(match_at(claim->allocation, "devices.results"), result)
        some |= value_is_set(match_at(result, "bindingConditions"));
    return some && instant_read(value_text(match_at(claim->allocation, "allocationTimestamp")), &begun) &&
           begun.seconds + BINDING_SECONDS < cycle->plugin->now;
}

enum failure allocate_is_ready(struct allocate_cycle *cycle, const struct allocate_stored *claim, struct allocate_readiness *readiness)
{
    *readiness = (struct allocate_readiness){ .ready = true };
    value_each(match_at(claim->allocation, "devices.results"), result) {
        struct value wanted = match_at(result, "bindingConditions");
        bool known;
        if (!value_count(wanted))
            continue;
        struct value conditions = conditions_of(claim, result, &known);
        value_each(match_at(result, "bindingFailureConditions"), type) {
            struct value condition = true_condition(conditions, type);
            if (value_is_set(condition))
                return say_failed(cycle, claim, condition, &readiness->fault);
        }
        value_each(wanted, type)
            readiness->ready &= known && value_is_set(true_condition(conditions, type));
        if (!readiness->ready)
            break;
    }
    readiness->late = !readiness->ready && is_late(cycle, claim);
    return FAILURE_NONE;
}

bool allocate_has_conditions(const struct allocate_stored *claim)
{
    value_each(match_at(claim->allocation, "devices.results"), result)
        if (value_count(match_at(result, "bindingConditions")))
            return true;
    return false;
}
