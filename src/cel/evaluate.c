/* Values, errors and costs follow cel-go v0.26.0 (interpreter/) with what Kubernetes adds; tests/conformance compares all three. */
#include "cel/evaluate.h"

#include "base/limits.h"
#include "cel/limits.h"
#include "cel/program.h"

static struct cel_value eval(struct cel_run *run, const struct cel_plan *plan);

/* ---- costs and errors ---- */

static void charge(struct cel_run *run, uint64_t cost)
{
    if (run->evaluation.stopped)
        return;
    run->evaluation.cost += cost; /* it wraps, as cel-go's does */
    if (run->evaluation.cost > LIMIT_CEL_COST)
        (void)cel_stop(&run->evaluation, "operation cancelled: actual cost limit exceeded");
}

/* The value; an error gets its place, unless it has one. */
static struct cel_value placed(struct cel_value value, const struct cel_plan *plan)
{
    if (value.type == CEL_ERROR && !value.fault.node)
        value.fault.node = plan->node;
    return value;
}

static struct cel_value fail(struct cel_run *run, const struct cel_plan *plan, const char *words)
{
    return placed(cel_fail(&run->evaluation, words), plan);
}

static struct cel_value no_overload(struct cel_run *run, const struct cel_plan *plan)
{
    return placed(cel_no_overload(&run->evaluation), plan);
}

/* ---- variables ---- */

static struct cel_value read_slot(struct cel_run *run, uint32_t number)
{
    struct cel_slot *slot = &run->slots[number];
    const struct cel_plan *lazy = slot->lazy;
    if (lazy) {
        slot->lazy = NULL;
        slot->value = eval(run, lazy);
        if (slot->value.type == CEL_MAP && cel_map_count(&slot->value.map) == 0)
            slot->value.map.defaults = false; /* cel-go puts a plain map in the place of one that is empty */
    }
    return slot->value;
}

/* An optional as cel-go has it after it was the value of a variable or of a condition: it loses a level, and most objects. */
static struct cel_value unwrap(struct cel_run *run, struct cel_value value)
{
    const struct cel_value *content = value.content;
    if (value.type != CEL_OPTIONAL || !content)
        return value;
    if (content->type == CEL_OPTIONAL)
        return *content;
    if (content->type != CEL_STRUCT || content->object->class->keeps)
        return value;
    struct cel_value lost = cel_fail_about(&run->evaluation, "unsupported conversion to ref.Val: ", cel_value_type(content));
    const struct cel_value *kept = cel_value_keep(&run->evaluation, &lost);
    return kept ? cel_optional(kept) : cel_stopped(&run->evaluation);
}

/* ---- chains ---- */

static struct cel_value condition(struct cel_run *run, const struct cel_plan *plan);

/* What a chain begins with. `free`: it costs nothing of its own, as it is a side of a condition, an index, or the operand of has(). */
static struct cel_value eval_base(struct cel_run *run, const struct cel_plan *plan, bool free)
{
    struct cel_value value;
    switch (plan->chain.base) {
    case CEL_BASE_LOCAL:     value = read_slot(run, plan->chain.slot); break;
    case CEL_BASE_VARIABLE:  value = *run->variable; break;
    case CEL_BASE_CONDITION: return condition(run, plan->chain.from);
    default:                 value = eval(run, plan->chain.from); break;
    }
    if (!free)
        charge(run, 1);
    return value;
}

/* A value as a side of a condition or as an index. */
static struct cel_value eval_side(struct cel_run *run, const struct cel_plan *plan);

static struct cel_value key_of(struct cel_run *run, const struct cel_plan *plan, const struct cel_step *step)
{
    struct cel_value key = step->index ? eval_side(run, step->index) : step->key;
    if (key.type == CEL_ERROR || cel_is_key(&key))
        return key;
    return placed(cel_fail_about(&run->evaluation, "invalid qualifier type: ", cel_value_type(&key)), plan);
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
    return fail(run, plan, text_end(&text) ? text.data : "no such key");
}

/* One step. False: there is nothing under that key. */
static bool take_step(struct cel_run *run, const struct cel_plan *plan, const struct cel_value *from, const struct cel_value *key,
                      bool optional, struct cel_value *to)
{
    const char *error;
    if (from->type == CEL_MAP) {
        const struct cel_pair *pair = from->map.table ? cel_table_find(from->map.table, key) : NULL;
        *to = pair ? pair->value : (struct cel_value){ .type = CEL_MAP };
        return pair || from->map.defaults;
    }
    if (from->type == CEL_LIST) {
        const struct cel_value *item = find_item(&from->list, key, &error);
        if (item)
            *to = *item;
        else if (error || !optional)
            *to = fail(run, plan, error ? error : "index out of bounds");
        return item || error || !optional;
    }
    *to = *from;
    return from->type == CEL_ERROR;
}

/* The steps of a chain, from a value. Steps from an optional give an optional; they cost nothing where there is no value. */
static struct cel_value eval_steps(struct cel_run *run, const struct cel_plan *plan, struct cel_value value)
{
    bool in_optional = false;
    if (value.type == CEL_ERROR)
        return value;
    for (uint32_t i = 0; i < plan->chain.count; i++) {
        const struct cel_step *step = &plan->chain.steps[i];
        if (value.type == CEL_OPTIONAL) {
            if (!value.content)
                return value;
            in_optional = true;
            value = *value.content;
            if (value.type == CEL_MAP)
                value.map.defaults = false;
        }
        bool optional = in_optional || step->optional;
        struct cel_value key = key_of(run, plan, step), next;
        bool found = key.type != CEL_ERROR && take_step(run, plan, &value, &key, optional, &next);
        if (!found && key.type != CEL_ERROR && optional)
            return cel_optional(NULL);
        if (!found)
            next = key.type == CEL_ERROR ? key : no_such_key(run, plan, &key);
        if (!optional || next.type != CEL_ERROR)
            charge(run, 1);
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

static struct cel_value eval_chain(struct cel_run *run, const struct cel_plan *plan)
{
    struct cel_value value = eval_base(run, plan, false);
    return plan->chain.count ? eval_steps(run, plan, value) : unwrap(run, value);
}

/* ---- has() ---- */

/* What has() finds: found, not found, or an error; and whether it went through an optional. */
struct presence {
    struct cel_value value; /* CEL_ERROR, or what is there */
    bool found, in_optional;
};

static struct presence absent(struct cel_run *run, bool in_optional, uint64_t cost)
{
    charge(run, cost);
    return (struct presence){ .value = { .type = CEL_NULL }, .in_optional = in_optional };
}

static struct presence presence_error(struct cel_run *run, struct cel_value error, bool in_optional)
{
    charge(run, !in_optional);
    return (struct presence){ .value = error, .in_optional = in_optional };
}

/* The last step: only whether it could be taken. */
static struct presence test_step(struct cel_run *run, const struct cel_plan *plan, const struct cel_value *from, const struct cel_value *key,
                                 bool in_optional)
{
    struct presence result = { .in_optional = in_optional };
    if (from->type == CEL_LIST)
        return presence_error(run, fail(run, plan, "unsupported index type in list"), in_optional);
    if (from->type == CEL_ERROR)
        return (struct presence){ .value = *from, .in_optional = in_optional };
    result.found = from->type == CEL_MAP && take_step(run, plan, from, key, true, &result.value);
    if (!result.found)
        return absent(run, in_optional, !in_optional);
    charge(run, 1);
    return result;
}

static struct presence find_presence(struct cel_run *run, const struct cel_plan *plan)
{
    struct cel_value value = eval_base(run, plan, true);
    bool in_optional = false, chained = false;
    if (value.type == CEL_ERROR)
        return (struct presence){ .value = value };
    for (uint32_t i = 0;; i++) {
        const struct cel_step *step = &plan->chain.steps[i];
        if (value.type == CEL_OPTIONAL) {
            if (!value.content) /* a value that is an optional costs, one that the chain made does not */
                return absent(run, true, !chained);
            in_optional = true;
            value = *value.content;
        }
        if (i == plan->chain.count - 1)
            return test_step(run, plan, &value, &step->key, in_optional);
        bool optional = in_optional || step->optional;
        chained |= step->optional;
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
        charge(run, 1);
        value = next;
        in_optional = optional;
    }
}

/* has(). As a side of a condition or an index, one that goes through an optional gives that optional, as in cel-go. */
static struct cel_value eval_presence(struct cel_run *run, const struct cel_plan *plan, bool side)
{
    struct presence presence = find_presence(run, plan);
    if (plan->chain.base == CEL_BASE_CONDITION)
        charge(run, (uint64_t)-1); /* cel-go takes a step back, which may lead below 0 */
    if (presence.value.type == CEL_ERROR)
        return presence.value;
    if (!side || !presence.in_optional)
        return cel_boolean(presence.found);
    const struct cel_value *kept = presence.found ? cel_value_keep(&run->evaluation, &presence.value) : NULL;
    return presence.found && !kept ? cel_stopped(&run->evaluation) : cel_optional(kept);
}

/* ---- logic ---- */

/* && and ||: an operand that decides wins over errors; else the first error. */
static struct cel_value eval_logic(struct cel_run *run, const struct cel_plan *plan, bool decides)
{
    struct cel_value first = { .type = CEL_BOOL };
    for (unsigned i = 0; i < 2; i++) {
        struct cel_value value = eval(run, plan->parts[i]);
        if (run->evaluation.stopped)
            return cel_stopped(&run->evaluation);
        if (value.type == CEL_BOOL && value.boolean == decides)
            return value;
        if (value.type != CEL_BOOL && first.type != CEL_ERROR)
            first = value.type == CEL_ERROR ? value : no_overload(run, plan->parts[i]);
    }
    return first.type == CEL_ERROR ? first : cel_boolean(!decides);
}

static struct cel_value condition(struct cel_run *run, const struct cel_plan *plan)
{
    struct cel_value value = eval(run, plan->parts[0]);
    if (value.type == CEL_ERROR)
        return value;
    if (value.type != CEL_BOOL)
        return no_overload(run, plan->parts[0]);
    return eval_side(run, plan->parts[value.boolean ? 1 : 2]);
}

static struct cel_value eval_side(struct cel_run *run, const struct cel_plan *plan)
{
    switch (plan->kind) {
    case CEL_PLAN_CHAIN:     return eval_steps(run, plan, eval_base(run, plan, true));
    case CEL_PLAN_CONDITION: return condition(run, plan);
    case CEL_PLAN_PRESENCE:  return eval_presence(run, plan, true);
    default:                 return eval(run, plan);
    }
}

/* or() and orValue() */
static struct cel_value eval_alternative(struct cel_run *run, const struct cel_plan *plan)
{
    struct cel_value value = eval(run, plan->parts[0]);
    if (value.type != CEL_OPTIONAL)
        return value;
    if (!value.content)
        return eval(run, plan->parts[1]);
    return plan->node->call.function->form == CEL_FORM_OR ? value : *value.content;
}

static struct cel_value eval_in_set(struct cel_run *run, const struct cel_plan *plan)
{
    struct cel_value value = eval(run, plan->parts[0]);
    const struct cel_list *set = &plan->parts[1]->constant.list;
    if (value.type == CEL_ERROR)
        return value;
    if (value.type == CEL_BYTES || value.type == CEL_STRUCT)
        return placed(cel_stop(&run->evaluation, "a value of this type cannot be looked up"), plan);
    for (uint32_t i = 0; i < set->count; i++)
        if (cel_values_equal(&run->evaluation, &set->items[i], &value) == CEL_EQUAL)
            return cel_boolean(true);
    return cel_boolean(false);
}

/* ---- literals ---- */

enum { LIST_COST = 10, MAP_COST = 30 };

/* The value of an entry. False: it is an error, or an optional without a value, which is left out; *left_out says which. */
static bool eval_entry(struct cel_run *run, const struct cel_plan *plan, const struct cel_plan_entry *entry, struct cel_value *value,
                       bool *left_out)
{
    *left_out = false;
    *value = eval(run, entry->value);
    if (value->type == CEL_ERROR || !entry->optional)
        return value->type != CEL_ERROR;
    if (value->type != CEL_OPTIONAL) {
        *value = fail(run, plan, "cannot initialize optional entry from a value that is no optional");
        return false;
    }
    *left_out = !value->content;
    if (value->content)
        *value = *value->content;
    return !*left_out;
}

static struct cel_value eval_list(struct cel_run *run, const struct cel_plan *plan)
{
    uint32_t count = 0;
    struct cel_value *items = cel_evaluation_alloc(&run->evaluation, plan->literal.count, sizeof *items), value;
    bool left_out;
    for (uint32_t i = 0; items && i < plan->literal.count; i++) {
        if (eval_entry(run, plan, &plan->literal.entries[i], &value, &left_out)) {
            items[count++] = value;
        } else if (!left_out) {
            charge(run, LIST_COST);
            return value;
        }
    }
    charge(run, LIST_COST);
    return items ? cel_list_of(items, count) : cel_stopped(&run->evaluation);
}

/* Takes a pair away again, as an optional entry without a value does. */
static void remove_pair(struct cel_table *table, const struct cel_value *key)
{
    struct cel_pair *pair = cel_table_exact(table, key);
    if (!pair)
        return;
    table->slots = NULL; /* the numbers change: it is scanned from now on, or hashed when it grows */
    table->count--;
    memmove(pair, pair + 1, (size_t)(table->pairs + table->count - pair) * sizeof *pair);
}

/* Adds one entry; the result is an error, or null. */
static struct cel_value add_entry(struct cel_run *run, const struct cel_plan *plan, const struct cel_plan_entry *entry, struct cel_table *table)
{
    static const struct cel_value done = { .type = CEL_NULL };
    struct cel_pair pair = { .key = eval(run, entry->key) }, *same;
    bool left_out;
    if (pair.key.type == CEL_ERROR)
        return pair.key;
    bool is_key = cel_is_key(&pair.key) || pair.key.type == CEL_NULL;
    if (!eval_entry(run, plan, entry, &pair.value, &left_out)) {
        if (left_out && is_key)
            remove_pair(table, &pair.key);
        return left_out ? done : pair.value;
    }
    if (!is_key)
        return placed(cel_stop(&run->evaluation, "a value of this type cannot be a key"), plan);
    if ((same = cel_table_exact(table, &pair.key)))
        same->value = pair.value;
    else if (!cel_table_add(table, run->evaluation.arena, &pair))
        return cel_stop(&run->evaluation, "the evaluation needs too much memory");
    return done;
}

static struct cel_value eval_map(struct cel_run *run, const struct cel_plan *plan)
{
    struct cel_table *table = cel_table_new(run->evaluation.arena, plan->literal.count);
    if (!table)
        return cel_stop(&run->evaluation, "the evaluation needs too much memory");
    for (uint32_t i = 0; i < plan->literal.count; i++) {
        struct cel_value result = add_entry(run, plan, &plan->literal.entries[i], table);
        if (result.type == CEL_ERROR) {
            charge(run, MAP_COST);
            return result;
        }
    }
    charge(run, MAP_COST);
    return (struct cel_value){ .type = CEL_MAP, .map = { .table = table } };
}

/* ---- calls ---- */

/* Whether a value may be the argument: by kind; of a list the first element, of a map the first pair. */
static bool fits(const struct cel_type *type, const struct cel_value *value)
{
    switch (type->kind) {
    case CEL_DYN: case CEL_ANY: case CEL_VARIABLE: return true;
    case CEL_LIST:
        return value->type == CEL_LIST && (value->list.count == 0 || fits(type->parameters[0], value->list.items));
    case CEL_MAP:
        return value->type == CEL_MAP && (cel_map_count(&value->map) == 0 || (fits(type->parameters[0], &value->map.table->pairs->key) &&
                                                                              fits(type->parameters[1], &value->map.table->pairs->value)));
    case CEL_STRUCT: case CEL_OPAQUE: return value->type == CEL_STRUCT && strcmp(value->object->class->type, type->name) == 0;
    default: return value->type == type->kind;
    }
}

static bool fits_overload(const struct cel_overload *overload, const struct cel_value *arguments, uint32_t count)
{
    if (overload->count != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!fits(overload->arguments[i], &arguments[i]))
            return false;
    return true;
}

static struct cel_value dispatch(struct cel_run *run, const struct cel_plan *plan, const struct cel_value *arguments)
{
    const struct cel_function *function = plan->node->call.function;
    struct cel_invocation call = { &run->evaluation, function, NULL, arguments, plan->call.count };
    if (function->form == CEL_FORM_ANY || function->form == CEL_FORM_ERRORS)
        return function->call(&call);
    if (plan->call.overload) {
        if (fits_overload(plan->call.overload, arguments, plan->call.count))
            call.overload = plan->call.overload;
    } else {
        for (unsigned i = 0; !call.overload && i < function->count; i++)
            if (function->overloads[i].since <= run->program->version && fits_overload(&function->overloads[i], arguments, plan->call.count))
                call.overload = &function->overloads[i];
    }
    return call.overload && function->call ? function->call(&call) : cel_no_overload(&run->evaluation);
}

static struct cel_value eval_call(struct cel_run *run, const struct cel_plan *plan)
{
    struct cel_value arguments[CEL_ARGUMENTS_MAX], result;
    uint32_t count = plan->call.count, failed = count;
    for (uint32_t i = 0; i < count; i++) {
        arguments[i] = eval(run, plan->call.arguments[i]);
        if (arguments[i].type != CEL_ERROR)
            continue;
        if (failed == count)
            failed = i;
        if (plan->call.stops && i + 1 < count)
            return arguments[i];
    }
    if (run->evaluation.stopped)
        return cel_stopped(&run->evaluation);
    if (failed < count && plan->node->call.function->form != CEL_FORM_ERRORS)
        result = arguments[failed];
    else
        result = placed(dispatch(run, plan, arguments), plan);
    if (!run->evaluation.stopped)
        charge(run, cel_run_cost(&run->evaluation, plan, arguments, &result));
    return result;
}

/* ---- loops ---- */

/* The list with one more element, in place: there is room up to the next power of two. */
static struct cel_value append(struct cel_run *run, struct cel_list list, const struct cel_value *element)
{
    uint32_t count = list.count;
    struct cel_value *items = list.items; /* of this evaluation, see plan_append() */
    if (count == 0 || (count >= 8 && (count & (count - 1)) == 0)) {
        items = cel_evaluation_alloc(&run->evaluation, count ? (uint64_t)count * 2 : 8, sizeof *items);
        if (!items)
            return cel_stopped(&run->evaluation);
        if (count)
            memcpy(items, list.items, count * sizeof *items);
    }
    items[count] = *element;
    return (struct cel_value){ .type = CEL_LIST, .list = { items, count + 1, count > 0 } };
}

/* Costs what accumulator + [element] costs: a variable, a list, a call. */
static struct cel_value eval_append(struct cel_run *run, const struct cel_plan *plan)
{
    struct cel_value accumulator = run->slots[plan->append.accumulator].value;
    charge(run, 1);
    struct cel_value element = eval(run, plan->append.element);
    if (!plan->append.constant)
        charge(run, LIST_COST);
    charge(run, 1);
    if (accumulator.type == CEL_ERROR || element.type == CEL_ERROR)
        return accumulator.type == CEL_ERROR ? accumulator : element;
    return append(run, accumulator.list, &element);
}

static struct cel_value eval_binding(struct cel_run *run, const struct cel_plan *plan)
{
    run->slots[plan->loop.accumulator].lazy = plan->loop.init;
    return eval(run, plan->loop.result);
}

/* Sets the variables of a loop to what they are in round `i`. */
static void set_variables(struct cel_run *run, const struct cel_plan *plan, const struct cel_value *range, uint32_t i)
{
    struct cel_value *first = &run->slots[plan->loop.first].value;
    bool two = plan->loop.second != CEL_NO_SLOT;
    if (range->type == CEL_MAP) {
        *first = range->map.table->pairs[i].key;
        if (two)
            run->slots[plan->loop.second].value = range->map.table->pairs[i].value;
    } else if (two) {
        *first = cel_integer(i);
        run->slots[plan->loop.second].value = range->list.items[i];
    } else {
        *first = range->list.items[i];
    }
}

static struct cel_value eval_loop(struct cel_run *run, const struct cel_plan *plan)
{
    struct cel_value range = eval(run, plan->loop.range);
    struct cel_slot *slots = run->slots;
    if (range.type == CEL_ERROR)
        return range;
    if (range.type != CEL_LIST && range.type != CEL_MAP)
        return no_overload(run, plan);
    uint32_t count = range.type == CEL_LIST ? range.list.count : cel_map_count(&range.map);
    struct cel_value accumulator = eval(run, plan->loop.init);
    slots[plan->loop.accumulator] = (struct cel_slot){ accumulator, NULL };
    slots[plan->loop.first].lazy = NULL;
    if (plan->loop.second != CEL_NO_SLOT)
        slots[plan->loop.second].lazy = NULL;
    for (uint32_t i = 0; i < count && cel_steps(&run->evaluation, 1); i++) {
        set_variables(run, plan, &range, i);
        struct cel_value goes_on = eval(run, plan->loop.condition);
        if (goes_on.type == CEL_BOOL && !goes_on.boolean)
            break;
        slots[plan->loop.accumulator].value = eval(run, plan->loop.step);
    }
    return eval(run, plan->loop.result);
}

/* ---- messages ---- */

enum { MESSAGE_COST = 40 };

/* The fields as a map, from which the message is made. */
static struct cel_value eval_message(struct cel_run *run, const struct cel_plan *plan)
{
    struct cel_table *table = cel_table_new(run->evaluation.arena, plan->literal.count);
    const struct cel_message *message = plan->literal.message;
    if (!table)
        return cel_stop(&run->evaluation, "the evaluation needs too much memory");
    for (uint32_t i = 0; i < plan->literal.count; i++) {
        struct cel_pair pair = { .key = cel_string(plan->literal.entries[i].field) };
        bool left_out;
        if (eval_entry(run, plan, &plan->literal.entries[i], &pair.value, &left_out)) {
            if (!cel_table_add(table, run->evaluation.arena, &pair))
                return cel_stop(&run->evaluation, "the evaluation needs too much memory");
        } else if (!left_out) {
            charge(run, MESSAGE_COST);
            return pair.value;
        }
    }
    charge(run, MESSAGE_COST);
    if (!message || !message->make)
        return fail(run, plan, "such a message cannot be made");
    return placed(message->make(&run->evaluation, message, table), plan);
}

/* ---- the whole ---- */

static struct cel_value eval(struct cel_run *run, const struct cel_plan *plan)
{
    if (run->evaluation.stopped)
        return cel_stopped(&run->evaluation);
    switch (plan->kind) {
    case CEL_PLAN_CONSTANT:    return plan->constant;
    case CEL_PLAN_CHAIN:       return eval_chain(run, plan);
    case CEL_PLAN_PRESENCE:    return eval_presence(run, plan, false);
    case CEL_PLAN_AND:         return eval_logic(run, plan, false);
    case CEL_PLAN_OR:          return eval_logic(run, plan, true);
    case CEL_PLAN_CONDITION:   return unwrap(run, condition(run, plan));
    case CEL_PLAN_CALL:        return eval_call(run, plan);
    case CEL_PLAN_ALTERNATIVE: return eval_alternative(run, plan);
    case CEL_PLAN_IN_SET:      return eval_in_set(run, plan);
    case CEL_PLAN_LIST:        return eval_list(run, plan);
    case CEL_PLAN_MAP:         return eval_map(run, plan);
    case CEL_PLAN_MESSAGE:     return eval_message(run, plan);
    case CEL_PLAN_LOOP:        return eval_loop(run, plan);
    case CEL_PLAN_BINDING:     return eval_binding(run, plan);
    case CEL_PLAN_APPEND:      return eval_append(run, plan);
    }
    return fail(run, plan, "no such overload");
}

static enum failure evaluate(const struct cel_program *program, const struct cel_plan *plan, const struct cel_value *variable,
                             struct arena *arena, struct cel_result *result)
{
    struct cel_run run = { .evaluation = { .arena = arena, .version = program->version }, .program = program, .variable = variable };
    run.slots = cel_evaluation_alloc(&run.evaluation, program->slot_count, sizeof *run.slots);
    result->value = run.slots ? eval(&run, plan) : cel_stopped(&run.evaluation);
    if (run.evaluation.stopped)
        result->value = placed(cel_stopped(&run.evaluation), plan);
    result->cost = run.evaluation.cost;
    return run.evaluation.failure;
}

enum failure cel_evaluate(const struct cel_program *program, const struct cel_value *variable, struct arena *arena, struct cel_result *result)
{
    return evaluate(program, program->root, variable, arena, result);
}

enum failure cel_evaluate_part(const struct cel_program *program, const struct cel_node *part, const struct cel_value *variable,
                               struct arena *arena, struct cel_result *result)
{
    const struct cel_plan *plan = program->plans[part->number];
    if (!plan) {
        *result = (struct cel_result){ .value = { .type = CEL_ERROR, .fault = { "not a part with a value of its own", part } } };
        return FAILURE_NONE;
    }
    return evaluate(program, plan, variable, arena, result);
}
