/* Values, errors and costs follow cel-go v0.26.0 (interpreter/) with what Kubernetes adds; tests/conformance compares all three. */
#include "cel/evaluate.h"

#include "cel/limits.h"
#include "cel/run.h"

/* ---- costs and errors ---- */

void cel_charge(struct cel_run *run, uint64_t cost)
{
    if (run->evaluation.stopped)
        return;
    run->evaluation.cost += cost; /* it wraps, as cel-go's does */
    if (run->evaluation.cost > LIMIT_CEL_COST)
        (void)cel_stop(&run->evaluation, "operation cancelled: actual cost limit exceeded");
}

struct cel_value cel_placed(struct cel_value value, const struct cel_plan *plan)
{
    if (value.type == CEL_ERROR && !value.fault.node)
        value.fault.node = plan->node;
    return value;
}

struct cel_value cel_run_fail(struct cel_run *run, const struct cel_plan *plan, const char *words)
{
    return cel_placed(cel_fail(&run->evaluation, words), plan);
}

static struct cel_value no_overload(struct cel_run *run, const struct cel_plan *plan)
{
    return cel_placed(cel_no_overload(&run->evaluation), plan);
}

/* ---- logic ---- */

/* && and ||: an operand that decides wins over errors; else the first error. */
static struct cel_value eval_logic(struct cel_run *run, const struct cel_plan *plan, bool decides)
{
    struct cel_value first = { .type = CEL_BOOL };
    for (unsigned i = 0; i < 2; i++) {
        struct cel_value value = cel_eval(run, plan->parts[i]);
        if (run->evaluation.stopped)
            return cel_stopped(&run->evaluation);
        if (value.type == CEL_BOOL && value.boolean == decides)
            return value;
        if (value.type != CEL_BOOL && first.type != CEL_ERROR)
            first = value.type == CEL_ERROR ? value : no_overload(run, plan->parts[i]);
    }
    return first.type == CEL_ERROR ? first : cel_boolean(!decides);
}

struct cel_value cel_eval_condition(struct cel_run *run, const struct cel_plan *plan)
{
    struct cel_value value = cel_eval(run, plan->parts[0]);
    if (value.type == CEL_ERROR)
        return value;
    if (value.type != CEL_BOOL)
        return no_overload(run, plan->parts[0]);
    return cel_eval_side(run, plan->parts[value.boolean ? 1 : 2]);
}

struct cel_value cel_eval_side(struct cel_run *run, const struct cel_plan *plan)
{
    switch (plan->kind) {
    case CEL_PLAN_CHAIN: return cel_eval_steps(run, plan, cel_eval_base(run, plan));
    case CEL_PLAN_CONDITION: return cel_eval_condition(run, plan);
    case CEL_PLAN_PRESENCE: return cel_eval_presence(run, plan, true);
    default: return cel_eval(run, plan);
    }
}

/* or() and orValue() */
static struct cel_value eval_alternative(struct cel_run *run, const struct cel_plan *plan)
{
    struct cel_value value = cel_eval(run, plan->parts[0]);
    if (value.type != CEL_OPTIONAL)
        return value;
    if (!value.content)
        return cel_eval(run, plan->parts[1]);
    return plan->node->call.function->form == CEL_FORM_OR ? value : *value.content;
}

static struct cel_value eval_in_set(struct cel_run *run, const struct cel_plan *plan)
{
    struct cel_value value = cel_eval(run, plan->parts[0]);
    const struct cel_list *set = &plan->parts[1]->constant.list;
    if (value.type == CEL_ERROR)
        return value;
    if (!cel_is_hashable(&value))
        return cel_placed(cel_stop(&run->evaluation, "a value of this type cannot be looked up"), plan);
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
    *value = cel_eval(run, entry->value);
    if (value->type == CEL_ERROR || !entry->optional)
        return value->type != CEL_ERROR;
    if (value->type != CEL_OPTIONAL) {
        *value = cel_run_fail(run, plan, "cannot initialize optional entry from a value that is no optional");
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
            cel_charge(run, LIST_COST);
            return value;
        }
    }
    cel_charge(run, LIST_COST);
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
static struct cel_value add_entry(struct cel_run *run, const struct cel_plan *plan, const struct cel_plan_entry *entry,
                                  struct cel_table *table)
{
    static const struct cel_value done = { .type = CEL_NULL };
    struct cel_pair pair = { .key = cel_eval(run, entry->key) }, *same;
    bool left_out;
    if (pair.key.type == CEL_ERROR)
        return pair.key;
    if (!cel_steps_value(&run->evaluation, &pair.key))
        return cel_stopped(&run->evaluation);
    bool is_key = cel_is_hashable(&pair.key);
    if (!eval_entry(run, plan, entry, &pair.value, &left_out)) {
        if (left_out && is_key)
            remove_pair(table, &pair.key);
        return left_out ? done : pair.value;
    }
    if (!is_key)
        return cel_placed(cel_stop(&run->evaluation, "a value of this type cannot be a key"), plan);
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
            cel_charge(run, MAP_COST);
            return result;
        }
    }
    cel_charge(run, MAP_COST);
    return (struct cel_value){ .type = CEL_MAP, .map = { .table = table } };
}

/* ---- calls ---- */

/* Whether a value may be the argument: by kind; of a list the first element, of a map the first pair. */
static bool fits(const struct cel_type *type, const struct cel_value *value)
{
    switch (type->kind) {
    case CEL_DYN:
    case CEL_ANY:
    case CEL_VARIABLE: return true;
    case CEL_LIST: return value->type == CEL_LIST && (value->list.count == 0 || fits(type->parameters[0], value->list.items));
    case CEL_MAP:
        return value->type == CEL_MAP && (cel_map_count(&value->map) == 0 || (fits(type->parameters[0], &value->map.table->pairs->key) &&
                                                                              fits(type->parameters[1], &value->map.table->pairs->value)));
    case CEL_STRUCT:
    case CEL_OPAQUE: return value->type == CEL_STRUCT && strcmp(value->object->class->type, type->name) == 0;
    default: return value->type == type->kind;
    }
}

static bool fits_overload(const struct cel_function *function, const struct cel_overload *overload, const struct cel_value *arguments,
                          uint32_t count)
{
    if (overload->count != count || function->form == CEL_FORM_UNTESTED)
        return overload->count == count;
    for (uint32_t i = 0; i < count; i++)
        if (!fits(overload->arguments[i], &arguments[i]))
            return false;
    return true;
}

static struct cel_value dispatch(struct cel_run *run, const struct cel_plan *plan, const struct cel_value *arguments)
{
    const struct cel_function *function = plan->node->call.function;
    struct cel_invocation call = { &run->evaluation, function, NULL, arguments, plan->call.count, plan->call.pattern };
    if (function->form == CEL_FORM_ANY || function->form == CEL_FORM_ERRORS)
        return function->call(&call);
    if (plan->call.overload) {
        if (fits_overload(function, plan->call.overload, arguments, plan->call.count))
            call.overload = plan->call.overload;
    } else {
        for (unsigned i = 0; !call.overload && i < function->count; i++)
            if (function->overloads[i].since <= run->program->version &&
                fits_overload(function, &function->overloads[i], arguments, plan->call.count))
                call.overload = &function->overloads[i];
    }
    return call.overload && function->call ? function->call(&call) : cel_no_overload(&run->evaluation);
}

/* A function with a constant regular expression tests no kinds in cel-go, and takes an optional for the text in it. */
static void look_into(struct cel_value *value)
{
    while (value->type == CEL_OPTIONAL && value->content)
        *value = *value->content;
}

static struct cel_value eval_call(struct cel_run *run, const struct cel_plan *plan)
{
    struct cel_value arguments[CEL_ARGUMENTS_MAX], result;
    uint32_t count = plan->call.count, failed = count;
    arguments[0].type = CEL_NULL; /* a call may have none */
    for (uint32_t i = 0; i < count; i++) {
        arguments[i] = cel_eval(run, plan->call.arguments[i]);
        if (arguments[i].type != CEL_ERROR)
            continue;
        if (failed == count)
            failed = i;
        if (plan->call.stops && i + 1 < count)
            return arguments[i];
    }
    if (run->evaluation.stopped)
        return cel_stopped(&run->evaluation);
    if (plan->call.pattern)
        look_into(&arguments[0]);
    if (failed < count && plan->node->call.function->form != CEL_FORM_ERRORS)
        result = arguments[failed];
    else
        result = cel_placed(dispatch(run, plan, arguments), plan);
    if (!run->evaluation.stopped)
        cel_charge(run, cel_run_cost(&run->evaluation, plan, arguments, &result));
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
    cel_charge(run, 1);
    struct cel_value element = cel_eval(run, plan->append.element);
    if (!plan->append.constant)
        cel_charge(run, LIST_COST);
    cel_charge(run, 1);
    if (accumulator.type == CEL_ERROR || element.type == CEL_ERROR)
        return accumulator.type == CEL_ERROR ? accumulator : element;
    return append(run, accumulator.list, &element);
}

static struct cel_value eval_binding(struct cel_run *run, const struct cel_plan *plan)
{
    run->slots[plan->loop.accumulator].lazy = plan->loop.init;
    return cel_eval(run, plan->loop.result);
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
    struct cel_value range = cel_eval(run, plan->loop.range);
    struct cel_slot *slots = run->slots;
    if (range.type == CEL_ERROR)
        return range;
    if (range.type != CEL_LIST && range.type != CEL_MAP)
        return no_overload(run, plan);
    uint32_t count = range.type == CEL_LIST ? range.list.count : cel_map_count(&range.map);
    struct cel_value accumulator = cel_eval(run, plan->loop.init);
    slots[plan->loop.accumulator] = (struct cel_slot){ accumulator, NULL };
    slots[plan->loop.first].lazy = NULL;
    if (plan->loop.second != CEL_NO_SLOT)
        slots[plan->loop.second].lazy = NULL;
    for (uint32_t i = 0; i < count && cel_steps(&run->evaluation, 1); i++) {
        set_variables(run, plan, &range, i);
        struct cel_value goes_on = cel_eval(run, plan->loop.condition);
        if (goes_on.type == CEL_BOOL && !goes_on.boolean)
            break;
        slots[plan->loop.accumulator].value = cel_eval(run, plan->loop.step);
    }
    return cel_eval(run, plan->loop.result);
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
            cel_charge(run, MESSAGE_COST);
            return pair.value;
        }
    }
    cel_charge(run, MESSAGE_COST);
    if (!message || !message->make)
        return cel_run_fail(run, plan, "such a message cannot be made");
    return cel_placed(message->make(&run->evaluation, message, table), plan);
}

/* ---- the whole ---- */

static struct cel_value eval_plan(struct cel_run *run, const struct cel_plan *plan)
{
    switch (plan->kind) {
    case CEL_PLAN_CONSTANT: return plan->constant;
    case CEL_PLAN_CHAIN: return cel_eval_chain(run, plan);
    case CEL_PLAN_PRESENCE: return cel_eval_presence(run, plan, false);
    case CEL_PLAN_AND: return eval_logic(run, plan, false);
    case CEL_PLAN_OR: return eval_logic(run, plan, true);
    case CEL_PLAN_CONDITION: return cel_unwrap_optional(run, cel_eval_condition(run, plan));
    case CEL_PLAN_CALL: return eval_call(run, plan);
    case CEL_PLAN_ALTERNATIVE: return eval_alternative(run, plan);
    case CEL_PLAN_IN_SET: return eval_in_set(run, plan);
    case CEL_PLAN_LIST: return eval_list(run, plan);
    case CEL_PLAN_MAP: return eval_map(run, plan);
    case CEL_PLAN_MESSAGE: return eval_message(run, plan);
    case CEL_PLAN_LOOP: return eval_loop(run, plan);
    case CEL_PLAN_BINDING: return eval_binding(run, plan);
    case CEL_PLAN_APPEND: return eval_append(run, plan);
    }
    return cel_run_fail(run, plan, "no such overload");
}

/* Names of cel.bind() are read where they are used, so that their parts are inside each other, too. */
struct cel_value cel_eval(struct cel_run *run, const struct cel_plan *plan)
{
    if (run->evaluation.stopped)
        return cel_stopped(&run->evaluation);
    if (run->depth == LIMIT_CEL_DEPTH)
        return cel_placed(cel_stop(&run->evaluation, "the evaluation is too deep"), plan);
    run->depth++;
    struct cel_value value = eval_plan(run, plan);
    run->depth--;
    return value;
}

/* Gives the local variables around a part their values: those of bindings. */
static void set_bindings(struct cel_run *run)
{
    for (uint32_t i = 0; i < run->program->slot_count; i++)
        run->slots[i] = (struct cel_slot){ cel_fail(&run->evaluation, "a variable of a loop has no value outside it"), NULL };
    for (const struct cel_plan *binding = run->program->bindings; binding; binding = binding->loop.next)
        run->slots[binding->loop.accumulator].lazy = binding->loop.init;
}

static enum failure evaluate(const struct cel_program *program, const struct cel_plan *plan, const struct cel_value *variable,
                             struct arena *arena, struct cel_result *result)
{
    struct cel_run run = { .evaluation = { .arena = arena, .version = program->version }, .program = program, .variable = variable };
    cel_matcher_init(&run.evaluation.matcher, arena);
    run.slots = cel_evaluation_alloc(&run.evaluation, program->slot_count, sizeof *run.slots);
    if (run.slots && plan != program->root)
        set_bindings(&run);
    result->value = run.slots ? cel_eval(&run, plan) : cel_stopped(&run.evaluation);
    if (run.evaluation.stopped)
        result->value = cel_placed(cel_stopped(&run.evaluation), plan);
    result->cost = run.evaluation.cost;
    return arena->failure == FAILURE_MEMORY ? FAILURE_MEMORY : run.evaluation.failure; /* wherever it failed */
}

enum failure cel_evaluate(const struct cel_program *program, const struct cel_value *variable, struct arena *arena,
                          struct cel_result *result)
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

void cel_result_make_bool(struct cel_result *result)
{
    struct cel_value *value = &result->value;
    while (value->type == CEL_OPTIONAL && value->content)
        *value = *value->content;
    if (value->type != CEL_BOOL && value->type != CEL_ERROR)
        *value = (struct cel_value){ .type = CEL_ERROR, .fault = { "the result could not be converted to bool", NULL } };
}
