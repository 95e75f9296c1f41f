/* What macros expand to. Every node that an expansion makes is at the parenthesis of the call. */
#include "cel/macro.h"

#include "cel/limits.h"

#define ACCUMULATOR "@result" /* cannot be written */

struct expansion {
    struct cel_builder *b;
    const struct cel_macro *macro;
    const struct cel_written_call *call;
    struct cel_node **arguments; /* the call's */
};

/* ---- nodes ---- */

static struct cel_node *node_of(struct expansion *e, enum cel_node_kind kind)
{
    return cel_build_node(e->b, kind, e->call->offset);
}

static struct cel_node *identifier(struct expansion *e, struct bytes name)
{
    struct cel_node *node = node_of(e, CEL_NODE_IDENTIFIER);
    node->dotted = name.data[0] == '.';
    node->name = (struct bytes){ name.data + node->dotted, name.length - node->dotted };
    return node;
}

static struct cel_node *accumulator(struct expansion *e)
{
    return identifier(e, bytes_of(ACCUMULATOR));
}

static struct cel_node *boolean(struct expansion *e, bool value)
{
    struct cel_node *node = node_of(e, CEL_NODE_LITERAL);
    node->literal = (struct cel_literal){ .type = CEL_BOOL, .boolean = value };
    return node;
}

static struct cel_node *integer(struct expansion *e, int64_t value)
{
    struct cel_node *node = node_of(e, CEL_NODE_LITERAL);
    node->literal = (struct cel_literal){ .type = CEL_INT, .integer = value };
    return node;
}

/* A list of one, or an empty one, or an empty map. */
static struct cel_node *collection(struct expansion *e, enum cel_node_kind kind, struct cel_node *only)
{
    struct cel_node *node = node_of(e, kind);
    struct cel_entry *entry = cel_build_array(e->b, only != NULL, sizeof *entry);
    if (entry)
        *entry = (struct cel_entry){ .value = only };
    node->literals.entries = entry;
    node->literals.count = entry != NULL;
    return node;
}

/* A call of at most three arguments; those from the first NULL on are none. */
static struct cel_node *call(struct expansion *e, const char *name, struct cel_node *receiver, struct cel_node *first,
                             struct cel_node *second, struct cel_node *third)
{
    struct cel_node *node = node_of(e, CEL_NODE_CALL), *all[3] = { first, second, third };
    uint32_t count = !first ? 0 : !second ? 1 : !third ? 2 : 3;
    struct cel_node **arguments = cel_build_array(e->b, count, sizeof *arguments);
    if (arguments)
        memcpy(arguments, all, count * sizeof *arguments);
    node->call.name = bytes_of(name);
    node->call.receiver = receiver;
    node->call.arguments = arguments;
    node->call.count = arguments ? count : 0;
    return node;
}

static struct cel_node *condition(struct expansion *e, struct cel_node *predicate, struct cel_node *step)
{
    return predicate ? call(e, "_?_:_", NULL, predicate, step, accumulator(e)) : step;
}

/* ---- copies ---- */

/* The same tree again, at the same places; but entries are at the call. */
static struct cel_node *copy(struct expansion *e, const struct cel_node *node, unsigned depth);

static struct cel_entry *copy_entries(struct expansion *e, const struct cel_node *node, unsigned depth)
{
    struct cel_entry *entries = cel_build_array(e->b, node->literals.count, sizeof *entries);
    for (uint32_t i = 0; entries && i < node->literals.count; i++) {
        entries[i] = node->literals.entries[i];
        entries[i].offset = e->call->offset;
        entries[i].key = entries[i].key ? copy(e, entries[i].key, depth) : NULL;
        entries[i].value = copy(e, entries[i].value, depth);
    }
    return entries;
}

static struct cel_node **copy_arguments(struct expansion *e, const struct cel_node *node, unsigned depth)
{
    struct cel_node **arguments = cel_build_array(e->b, node->call.count, sizeof *arguments);
    for (uint32_t i = 0; arguments && i < node->call.count; i++)
        arguments[i] = copy(e, node->call.arguments[i], depth);
    return arguments;
}

static struct cel_node *copy(struct expansion *e, const struct cel_node *node, unsigned depth)
{
    struct cel_node *new = cel_build_node(e->b, node->kind, node->offset);
    if (depth == LIMIT_CEL_DEPTH)
        cel_build_stop(e->b, FAILURE_LIMIT);
    if (e->b->stopped)
        return new;
    uint32_t number = new->number;
    *new = *node;
    new->number = number;
    depth++;
    if (node->kind == CEL_NODE_SELECT) {
        new->select.operand = copy(e, node->select.operand, depth);
    } else if (node->kind == CEL_NODE_CALL) {
        new->call.receiver = node->call.receiver ? copy(e, node->call.receiver, depth) : NULL;
        new->call.arguments = copy_arguments(e, node, depth);
    } else if (node->kind == CEL_NODE_LIST || node->kind == CEL_NODE_MAP || node->kind == CEL_NODE_MESSAGE) {
        new->literals.entries = copy_entries(e, node, depth);
    } else if (node->kind == CEL_NODE_LOOP) {
        new->loop.range = copy(e, node->loop.range, depth);
        new->loop.init = copy(e, node->loop.init, depth);
        new->loop.condition = copy(e, node->loop.condition, depth);
        new->loop.step = copy(e, node->loop.step, depth);
        new->loop.result = copy(e, node->loop.result, depth);
    }
    return new;
}

/* ---- variables ---- */

static struct cel_node *error_at(struct expansion *e, const struct cel_node *node, const char *text)
{
    return cel_build_error(e->b, node->offset, text);
}

/* An error with the macro's name in it. */
static struct cel_node *error_with_name(struct expansion *e, const struct cel_node *node, const char *before, const char *after)
{
    struct text text;
    text_init(&text, e->b->errors->arena);
    text_add(&text, before);
    if (e->macro->receiver) {
        text_add(&text, e->macro->receiver);
        text_add(&text, ".");
    }
    text_add(&text, e->macro->name);
    text_add(&text, after);
    return error_at(e, node, text_end(&text));
}

/* The name of a variable as it is written: with its dot, which identifiers that mean it do not have. */
static struct bytes variable_name(struct expansion *e, const struct cel_node *node)
{
    char *dotted = node->dotted ? cel_build_array(e->b, node->name.length + 1, 1) : NULL;
    if (!dotted)
        return node->name;
    dotted[0] = '.';
    memcpy(dotted + 1, node->name.data, node->name.length);
    return (struct bytes){ dotted, node->name.length + 1 };
}

/* The old name of the accumulator, which is still kept free. */
static bool is_kept_free(struct bytes name)
{
    return bytes_equal_text(name, "__result__");
}

/* The names of `count` variables. Returns an error, or NULL. */
static struct cel_node *read_variables(struct expansion *e, unsigned count, const char *no_name, struct bytes *names)
{
    names[1] = (struct bytes){ NULL, 0 };
    for (unsigned i = 0; i < count; i++) {
        if (e->arguments[i]->kind != CEL_NODE_IDENTIFIER)
            return error_at(e, e->arguments[i], no_name);
        names[i] = variable_name(e, e->arguments[i]);
    }
    if (count == 2 && bytes_equal(names[0], names[1]))
        return cel_build_error_about(e->b, e->arguments[1]->offset, "duplicate variable name: ", names[0]);
    for (unsigned i = 0; i < count; i++)
        if (is_kept_free(names[i]))
            return error_at(e, e->arguments[i], "iteration variable overwrites accumulator variable");
    return NULL;
}

/* ---- loops ---- */

/* A loop over what the macro is called on, that goes on as long as `go_on`; `result` NULL is the accumulator. */
static struct cel_node *loop(struct expansion *e, const struct bytes *variables, struct cel_node *init, struct cel_node *go_on,
                             struct cel_node *step, struct cel_node *result)
{
    struct cel_node *node = node_of(e, CEL_NODE_LOOP);
    node->loop.variables[0] = variables[0];
    node->loop.variables[1] = variables[1];
    node->loop.accumulator = bytes_of(ACCUMULATOR);
    node->loop.range = e->call->receiver;
    node->loop.init = init;
    node->loop.condition = go_on;
    node->loop.step = step;
    node->loop.result = result ? result : accumulator(e);
    return node;
}

/* A loop over nothing, which gives `value` a name in `result`. */
static struct cel_node *binding(struct expansion *e, struct bytes name, struct cel_node *value, struct cel_node *result)
{
    struct cel_node *node = node_of(e, CEL_NODE_LOOP);
    node->loop.variables[0] = bytes_of("#unused");
    node->loop.variables[1] = (struct bytes){ NULL, 0 };
    node->loop.accumulator = name;
    node->loop.range = collection(e, CEL_NODE_LIST, NULL);
    node->loop.init = value;
    node->loop.condition = boolean(e, false);
    node->loop.step = identifier(e, name);
    node->loop.result = result;
    return node;
}

/* all, exists, exists_one: with one variable or two. */
static struct cel_node *quantifier(struct expansion *e)
{
    static const char not_false[] = "@not_strictly_false";
    unsigned count = e->call->count - 1;
    struct bytes names[2];
    struct cel_node *wrong = read_variables(e, count, "argument must be a simple name", names), *predicate = e->arguments[count];
    if (wrong)
        return wrong;
    if (e->macro->expansion == CEL_EXPAND_ALL)
        return loop(e, names, boolean(e, true), call(e, not_false, NULL, accumulator(e), NULL, NULL),
                    call(e, "_&&_", NULL, accumulator(e), predicate, NULL), NULL);
    if (e->macro->expansion == CEL_EXPAND_EXISTS)
        return loop(e, names, boolean(e, false), call(e, not_false, NULL, call(e, "!_", NULL, accumulator(e), NULL, NULL), NULL, NULL),
                    call(e, "_||_", NULL, accumulator(e), predicate, NULL), NULL);
    struct cel_node *sum = call(e, "_+_", NULL, accumulator(e), integer(e, 1), NULL);
    return loop(e, names, integer(e, 0), boolean(e, true), condition(e, predicate, sum),
                call(e, "_==_", NULL, accumulator(e), integer(e, 1), NULL));
}

static struct cel_node *append(struct expansion *e, struct cel_node *element)
{
    return call(e, "_+_", NULL, accumulator(e), collection(e, CEL_NODE_LIST, element), NULL);
}

static struct cel_node *list_loop(struct expansion *e, const struct bytes *names, struct cel_node *predicate, struct cel_node *element)
{
    struct cel_node *init = collection(e, CEL_NODE_LIST, NULL);
    return loop(e, names, init, boolean(e, true), condition(e, predicate, append(e, element)), NULL);
}

/* map and filter. */
static struct cel_node *mapping(struct expansion *e)
{
    struct bytes names[2];
    struct cel_node *wrong = read_variables(e, 1, "argument is not an identifier", names);
    if (wrong)
        return wrong;
    if (e->macro->expansion == CEL_EXPAND_FILTER)
        return list_loop(e, names, e->arguments[1], e->arguments[0]);
    return list_loop(e, names, e->call->count == 3 ? e->arguments[1] : NULL, e->arguments[e->call->count - 1]);
}

/* transformList, transformMap, transformMapEntry. Calls the function that puts something into a map. */
static struct cel_node *transformation(struct expansion *e)
{
    struct bytes names[2];
    struct cel_node *wrong = read_variables(e, 2, "argument must be a simple name", names), *step;
    struct cel_node *predicate = e->call->count == 4 ? e->arguments[2] : NULL, *value = e->arguments[e->call->count - 1];
    if (wrong)
        return wrong;
    if (e->macro->expansion == CEL_EXPAND_TRANSFORM_LIST)
        return list_loop(e, names, predicate, value);
    if (e->macro->expansion == CEL_EXPAND_TRANSFORM_MAP)
        step = call(e, e->macro->calls[0], NULL, accumulator(e), identifier(e, names[0]), value);
    else
        step = call(e, e->macro->calls[0], NULL, accumulator(e), value, NULL);
    struct cel_node *init = collection(e, CEL_NODE_MAP, NULL);
    return loop(e, names, init, boolean(e, true), condition(e, predicate, step), NULL);
}

/* ---- others ---- */

static struct cel_node *presence(struct expansion *e)
{
    struct cel_node *of = e->arguments[0];
    if (of->kind != CEL_NODE_SELECT)
        return error_with_name(e, of, "invalid argument to ", "() macro");
    struct cel_node *node = node_of(e, CEL_NODE_SELECT);
    node->select.operand = of->select.operand;
    node->select.field = of->select.field;
    node->select.presence = true;
    return node;
}

static struct cel_node *binding_of_value(struct expansion *e)
{
    if (e->arguments[0]->kind != CEL_NODE_IDENTIFIER)
        return error_with_name(e, e->arguments[0], "", "() variable names must be simple identifiers");
    return binding(e, variable_name(e, e->arguments[0]), e->arguments[1], e->arguments[2]);
}

/* Calls, in this order: whether there is a value, the value, nothing, and perhaps what makes an optional of a value. */
static struct cel_node *optional_mapping(struct expansion *e)
{
    const char *const *calls = e->macro->calls;
    struct cel_node *receiver = e->call->receiver, *variable = e->arguments[0];
    if (variable->kind != CEL_NODE_IDENTIFIER)
        return error_with_name(e, variable, "", "() variable name must be a simple identifier");
    struct cel_node *value = call(e, calls[1], copy(e, receiver, 0), NULL, NULL, NULL);
    struct cel_node *result = binding(e, variable_name(e, variable), value, e->arguments[1]);
    if (calls[3])
        result = call(e, calls[3], NULL, result, NULL, NULL);
    return call(e, "_?_:_", NULL, call(e, calls[0], receiver, NULL, NULL, NULL), result, call(e, calls[2], NULL, NULL, NULL, NULL));
}

/* Calls the function that sorts by keys. */
static struct cel_node *sorting(struct expansion *e)
{
    struct bytes input = bytes_of("@__sortBy_input__");
    enum cel_node_kind kind = e->call->receiver->kind;
    if (kind != CEL_NODE_LIST && kind != CEL_NODE_SELECT && kind != CEL_NODE_IDENTIFIER && kind != CEL_NODE_LOOP && kind != CEL_NODE_CALL)
        return error_with_name(e, e->call->receiver, "",
                               " can only be applied to a list, identifier, comprehension, call or select expression");
    struct cel_written_call keys_call = *e->call;
    struct expansion of_keys = { e->b, e->macro, &keys_call, e->arguments };
    keys_call.receiver = identifier(e, input);
    struct cel_node *keys = mapping(&of_keys);
    if (keys->kind == CEL_NODE_ABSENT)
        return keys;
    return binding(e, input, e->call->receiver, call(e, e->macro->calls[0], identifier(e, input), keys, NULL, NULL));
}

static bool is_for(const struct cel_macro *macro, const struct cel_written_call *written)
{
    const struct cel_node *receiver = written->receiver;
    if (macro->arguments != written->count || macro->member != (receiver != NULL) || !bytes_equal_text(written->name, macro->name))
        return false;
    return !macro->receiver ||
           (receiver->kind == CEL_NODE_IDENTIFIER && !receiver->dotted && bytes_equal_text(receiver->name, macro->receiver));
}

struct cel_node *cel_macro_expand(struct cel_builder *b, const struct cel_written_call *written)
{
    const struct cel_macro *macro = b->macros;
    while (macro->name && (macro->since > b->version || !is_for(macro, written)))
        macro++;
    if (!macro->name)
        return NULL;
    struct expansion e = { b, macro, written, written->arguments };
    switch (macro->expansion) {
    case CEL_EXPAND_ALL:
    case CEL_EXPAND_EXISTS:
    case CEL_EXPAND_EXISTS_ONE: return quantifier(&e);
    case CEL_EXPAND_MAP:
    case CEL_EXPAND_FILTER: return mapping(&e);
    case CEL_EXPAND_TRANSFORM_LIST:
    case CEL_EXPAND_TRANSFORM_MAP:
    case CEL_EXPAND_TRANSFORM_MAP_ENTRY: return transformation(&e);
    case CEL_EXPAND_BIND: return binding_of_value(&e);
    case CEL_EXPAND_HAS: return presence(&e);
    case CEL_EXPAND_OPT_MAP:
    case CEL_EXPAND_OPT_FLAT_MAP: return optional_mapping(&e);
    case CEL_EXPAND_SORT_BY: return sorting(&e);
    }
    return NULL;
}
