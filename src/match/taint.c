/* Source: k8s.io/dynamic-resource-allocation v0.35.4 resourceclaim/devicetoleration.go, resourceslice/tracker. */
#include "match/taint.h"

#include "match/limits.h"

/* ---- rules ---- */

enum { BY_DRIVER = 1, BY_POOL = 2, BY_DEVICE = 4, FORMS = 8 };

/* One text of those that a rule with these parts names: each with its length, so that no two are alike. */
static struct bytes rule_key(struct arena *arena, unsigned form, const struct bytes parts[3])
{
    struct text text;
    text_init(&text, arena);
    text_add_integer(&text, form);
    for (unsigned i = 0; i < 3; i++) {
        if (!(form & 1u << i))
            continue;
        text_add(&text, " ");
        text_add_integer(&text, parts[i].length);
        text_add(&text, " ");
        text_add_bytes(&text, parts[i]);
    }
    const char *end = text_end(&text);
    return end ? (struct bytes){ end, (uint32_t)text.length } : (struct bytes){ NULL, 0 };
}

enum failure match_rule_add(struct match_world *world, struct match_named *rule)
{
    static const char *const members[] = { "spec.deviceSelector.driver", "spec.deviceSelector.pool", "spec.deviceSelector.device" };
    struct bytes parts[3];
    unsigned form = 0;
    if (world->version >= MATCH_RULE_SELECTOR_NEEDED && !value_is_set(match_at(rule->root, "spec.deviceSelector")))
        return FAILURE_NONE;
    for (unsigned i = 0; i < 3; i++) {
        struct value part = match_at(rule->root, members[i]);
        parts[i] = value_text(part);
        form |= value_is_set(part) ? 1u << i : 0;
    }
    struct bytes key = rule_key(&world->workspace.arena, form, parts);
    if (!key.data)
        return world->workspace.arena.failure;
    struct match_named *first = map_add(&world->rules, key, rule);
    if (first) {
        rule->next = first->next;
        first->next = rule;
    }
    world->rule_forms |= 1u << form;
    return FAILURE_NONE;
}

/* ---- tolerations ---- */

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

bool match_keeps_out(struct value taint, struct value tolerations)
{
    struct value effect = match_at(taint, "effect");
    if (!value_is(effect, "NoSchedule") && !value_is(effect, "NoExecute"))
        return false;
    value_each(tolerations, toleration)
        if (tolerates(toleration, taint))
            return false;
    return true;
}

static enum failure find_rule(struct match_world *world, const struct match_device *device, unsigned form, struct value tolerations,
                              struct match_taint *found)
{
    const struct bytes parts[3] = { device->slice->driver, device->slice->pool->name, device->name };
    struct arena arena;
    enum failure failure = FAILURE_NONE;
    arena_init(&arena, world->workspace.context->memory, LIMIT_MATCH_EXPRESSION);
    struct bytes key = rule_key(&arena, form, parts);
    const struct match_named *rule = key.data ? map_find(&world->rules, key) : NULL;
    for (; rule && !failure && !value_is_set(found->taint); rule = rule->next) {
        struct value taint = match_at(rule->root, "spec.taint");
        if (match_keeps_out(taint, tolerations))
            *found = (struct match_taint){ taint, rule };
        failure = match_work(world, 1 + value_count(tolerations));
    }
    failure = failure ? failure : arena.failure;
    arena_done(&arena);
    return failure;
}

enum failure match_taint_find(struct match_world *world, const struct match_device *device, struct value tolerations,
                              struct match_taint *found)
{
    enum failure failure = FAILURE_NONE;
    *found = (struct match_taint){ .rule = NULL };
    value_each(match_at(device->value, "taints"), taint) {
        failure = match_work(world, 1 + value_count(tolerations));
        if (failure)
            return failure;
        if (!match_keeps_out(taint, tolerations))
            continue;
        found->taint = taint;
        return FAILURE_NONE;
    }
    for (unsigned form = 0; form < FORMS && !failure && !value_is_set(found->taint); form++)
        if (world->rule_forms & 1u << form)
            failure = find_rule(world, device, form, tolerations, found);
    return failure;
}

void match_taint_add(struct text *text, const struct match_taint *taint)
{
    struct bytes value = value_text(match_at(taint->taint, "value"));
    text_add_escaped(text, value_text(match_at(taint->taint, "key")), LIMIT_MATCH_VALUE_BYTES);
    text_add(text, value.length ? "=" : "");
    text_add_escaped(text, value, LIMIT_MATCH_VALUE_BYTES);
    text_add(text, ":");
    text_add_escaped(text, value_text(match_at(taint->taint, "effect")), LIMIT_MATCH_VALUE_BYTES);
}
