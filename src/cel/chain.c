/* Variables, selections, indexes and has(), as cel-go's attributes evaluate them. */
#include "base/limits.h"
#include "cel/run.h"

/* ---- variables ---- */

static struct cel_value read_slot(struct cel_run *run, uint32_t number)
{
    struct cel_slot *slot = &run->slots[number];
    const struct cel_plan *lazy = slot->lazy;
    if (lazy) {
        slot->lazy = NULL;
        slot->value = cel_eval(run, lazy);
        if (slot->value.type == CEL_MAP && cel_map_count(&slot->value.map) == 0)
            slot->value.map.defaults = false; /* cel-go puts a plain map in the place of one that is empty */
    }
    return slot->value;
}

/* What an optional with a value holds, as cel-go's plain values have it: in place of another optional what that holds, or null; most
 * objects are lost. */
static struct cel_value content_of(struct cel_run *run, struct cel_value value)
{
    static const struct cel_value null = { .type = CEL_NULL };
    while (value.type == CEL_OPTIONAL)
        value = value.content ? *value.content : null;
    if (value.type == CEL_STRUCT && !value.object->class->keeps)
        return cel_fail_about(&run->evaluation, "unsupported conversion to ref.Val: ", cel_value_type(&value));
    return value;
}

struct cel_value cel_unwrap_optional(struct cel_run *run, struct cel_value value)
{
    if (value.type != CEL_OPTIONAL || !value.content || (value.content->type != CEL_OPTIONAL && value.content->type != CEL_STRUCT))
        return value;
    struct cel_value content = content_of(run, value);
    const struct cel_value *kept = cel_value_keep(&run->evaluation, &content);
    return kept ? cel_optional(kept) : cel_stopped(&run->evaluation);
}

/* ---- chains ---- */

/* What steps from an optional begin with. They do not look into optionals further on: a step from one finds nothing. */
static struct cel_value begin_optional(struct cel_run *run, struct cel_value value)
{
    value = content_of(run, value);
    if (value.type == CEL_MAP)
        value.map.defaults = false; /* cel-go puts a plain map in its place */
    return value;
}

struct cel_value cel_eval_base(struct cel_run *run, const struct cel_plan *plan)
{
    switch (plan->chain.base) {
    case CEL_BASE_LOCAL: return read_slot(run, plan->chain.slot);
    case CEL_BASE_VARIABLE: return *run->variable;
    case CEL_BASE_CONDITION: return cel_eval_condition(run, plan->chain.from);
    default: return cel_eval(run, plan->chain.from);
    }
}

static struct cel_value key_of(struct cel_run *run, const struct cel_plan *plan, const struct cel_step *step)
{
    struct cel_value key = step->index ? cel_eval_side(run, step->index) : step->key;
    if (key.type == CEL_ERROR || cel_is_key(&key))
        return key;
    return cel_placed(cel_fail_about(&run->evaluation, "invalid qualifier type: ", cel_value_type(&key)), plan);
}

/* What the list has at that place; NULL: nothing. *error where the key can be no place in a list. */
static const struct cel_value *find_item(const struct cel_list *list, const struct cel_value *key, const char **error)
{
    uint64_t at = key->unsigned_integer;
    *error = NULL;
    if (key->type == CEL_STRING || key->type == CEL_BOOL)
        *error = "unsupported index type in list";
    else if (key->type == CEL_DOUBLE && !(key->number > -0x1p63 && key->number < 0x1p63 && key->number == (double)(int64_t)key->number))
        *error = "unsupported index value in list";
    else if (key->type == CEL_DOUBLE)
        at = (uint64_t)(int64_t)key->number;
    return !*error && at < list->count ? &list->items[at] : NULL;
}

static struct cel_value no_such_key(struct cel_run *run, const struct cel_plan *plan, const struct cel_value *key)
{
    struct text text;
    text_init(&text, run->evaluation.arena);
    text_add(&text, "no such key: ");
    if (key->type == CEL_STRING)
        text_add_escaped(&text, key->text, LIMIT_QUOTE_BYTES);
    else
        cel_value_print(&text, key, LIMIT_QUOTE_BYTES);
    return cel_run_fail(run, plan, text_end(&text) ? text.data : "no such key");
}

/* One step. False: there is nothing under that key. */
static bool take_step(struct cel_run *run, const struct cel_plan *plan, const struct cel_value *from, const struct cel_value *key,
                      bool optional, struct cel_value *to)
{
    const char *error;
    if (from->type == CEL_MAP) {
        if (key->type == CEL_STRING && !cel_steps_bytes(&run->evaluation, key->text.length)) {
            *to = cel_stopped(&run->evaluation);
            return true;
        }
        const struct cel_pair *pair = from->map.table ? cel_table_find(from->map.table, key) : NULL;
        *to = pair ? pair->value : (struct cel_value){ .type = CEL_MAP };
        return pair || from->map.defaults;
    }
    if (from->type == CEL_LIST) {
        const struct cel_value *item = find_item(&from->list, key, &error);
        if (item)
            *to = *item;
        else if (error || !optional)
            *to = cel_run_fail(run, plan, error ? error : "index out of bounds");
        return item || error || !optional;
    }
    *to = *from;
    return from->type == CEL_ERROR;
}

/* The steps of a chain, from a value. Steps from an optional give an optional; they cost nothing where there is no value. */
struct cel_value cel_eval_steps(struct cel_run *run, const struct cel_plan *plan, struct cel_value value)
{
    bool in_optional = plan->chain.count && value.type == CEL_OPTIONAL;
    if (value.type == CEL_ERROR || (in_optional && !value.content))
        return value;
    if (in_optional)
        value = begin_optional(run, value);
    for (uint32_t i = 0; i < plan->chain.count; i++) {
        const struct cel_step *step = &plan->chain.steps[i];
        bool optional = in_optional || step->optional;
        struct cel_value key = key_of(run, plan, step), next;
        bool found = key.type != CEL_ERROR && take_step(run, plan, &value, &key, optional, &next);
        if (!found && key.type != CEL_ERROR && optional)
            return cel_optional(NULL);
        if (!found)
            next = key.type == CEL_ERROR ? key : no_such_key(run, plan, &key);
        if (!optional || next.type != CEL_ERROR)
            cel_charge(run, 1);
        if (next.type == CEL_ERROR)
            return next;
        value = next;
        in_optional |= optional;
    }
    if (!in_optional)
        return value;
    const struct cel_value *kept = cel_value_keep(&run->evaluation, &value);
    return kept ? cel_optional(kept) : cel_stopped(&run->evaluation);
}

struct cel_value cel_eval_chain(struct cel_run *run, const struct cel_plan *plan)
{
    struct cel_value value = cel_eval_base(run, plan);
    value = plan->chain.count ? cel_eval_steps(run, plan, value) : cel_unwrap_optional(run, value);
    if (plan->chain.base != CEL_BASE_CONDITION)
        cel_charge(run, 1); /* in the end: it does not count when a step ends the evaluation */
    return value;
}

/* ---- has() ---- */

/* What has() finds: found, not found, or an error; and whether it went through an optional. */
struct presence {
    struct cel_value value; /* CEL_ERROR, or what is there */
    bool found, in_optional;
};

static struct presence absent(struct cel_run *run, bool in_optional, uint64_t cost)
{
    cel_charge(run, cost);
    return (struct presence){ .value = { .type = CEL_NULL }, .in_optional = in_optional };
}

static struct presence presence_error(struct cel_run *run, struct cel_value error, bool in_optional)
{
    cel_charge(run, !in_optional);
    return (struct presence){ .value = error, .in_optional = in_optional };
}

/* The last step: only whether it could be taken. */
static struct presence test_step(struct cel_run *run, const struct cel_plan *plan, const struct cel_value *from,
                                 const struct cel_value *key, bool in_optional)
{
    struct presence result = { .in_optional = in_optional };
    if (from->type == CEL_LIST)
        return presence_error(run, cel_run_fail(run, plan, "unsupported index type in list"), in_optional);
    if (from->type == CEL_ERROR)
        return (struct presence){ .value = *from, .in_optional = in_optional };
    result.found = from->type == CEL_MAP && take_step(run, plan, from, key, true, &result.value);
    if (!result.found)
        return absent(run, in_optional, !in_optional);
    cel_charge(run, 1);
    return result;
}

static struct presence find_presence(struct cel_run *run, const struct cel_plan *plan)
{
    struct cel_value value = cel_eval_base(run, plan);
    bool in_optional = value.type == CEL_OPTIONAL;
    if (value.type == CEL_ERROR)
        return (struct presence){ .value = value };
    if (in_optional && !value.content)
        return absent(run, true, 0);
    if (in_optional)
        value = begin_optional(run, value);
    for (uint32_t i = 0;; i++) {
        const struct cel_step *step = &plan->chain.steps[i];
        if (i == plan->chain.count - 1)
            return test_step(run, plan, &value, &step->key, in_optional);
        bool optional = in_optional || step->optional;
        struct cel_value key = key_of(run, plan, step), next;
        if (key.type == CEL_ERROR)
            return presence_error(run, key, optional);
        if (!take_step(run, plan, &value, &key, optional, &next)) {
            if (optional)
                return absent(run, true, 0);
            next = no_such_key(run, plan, &key);
        }
        if (next.type == CEL_ERROR)
            return presence_error(run, next, optional);
        cel_charge(run, 1);
        value = next;
        in_optional = optional;
    }
}

struct cel_value cel_eval_presence(struct cel_run *run, const struct cel_plan *plan, bool side)
{
    struct presence presence = find_presence(run, plan);
    if (plan->chain.base == CEL_BASE_CONDITION && !side)
        cel_charge(run, (uint64_t)-1); /* cel-go takes a step back, which may lead below 0 */
    if (presence.value.type == CEL_ERROR)
        return presence.value;
    if (!side || !presence.in_optional)
        return cel_boolean(presence.found);
    const struct cel_value *kept = presence.found ? cel_value_keep(&run->evaluation, &presence.value) : NULL;
    return presence.found && !kept ? cel_stopped(&run->evaluation) : cel_optional(kept);
}
