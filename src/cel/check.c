/* The rules are those of cel-go's checker; see cel-semantics in the tests' README for how they were found. */
#include "cel/check.h"

#include "cel/limits.h"
#include "cel/unify.h"

struct local {
    struct bytes name;
    const struct cel_type *type;
    const struct cel_node *bound; /* see struct cel_node */
    const struct local *outer;
};

struct checker {
    const struct cel_library *library;
    struct cel_environment environment;
    struct cel_errors *errors;
    struct cel_bindings bindings;
    const struct local *locals; /* innermost first */
    unsigned depth;
};

static const struct cel_type type_bool = { .kind = CEL_BOOL }, type_int = { .kind = CEL_INT }, type_dyn = { .kind = CEL_DYN };
static const struct cel_type type_error = { .kind = CEL_ERROR };

static const struct cel_type *check(struct checker *checker, struct cel_node *node);

/* ---- errors ---- */

static struct cel_error about_node(enum cel_error_kind kind, const struct cel_node *node)
{
    return (struct cel_error){ .kind = kind, .offset = node->offset, .node = node };
}

/* A field of a message that is written. */
static struct cel_error about_entry(const struct cel_node *message, const struct cel_entry *entry)
{
    return (struct cel_error){ .kind = CEL_ERROR_FIELD, .offset = entry->offset, .node = message };
}

/* Adds `before`, a type in quotes, and so on; types NULL are left out. */
static void report_types(struct checker *checker, struct cel_error about, const char *before, const struct cel_type *first,
                         const char *between, const struct cel_type *second, const char *after)
{
    struct text text;
    text_init(&text, checker->errors->arena);
    text_add(&text, before);
    cel_type_text(&text, first, false);
    text_add(&text, between);
    if (second)
        cel_type_text(&text, second, false);
    text_add(&text, after);
    about.text = text_end(&text);
    cel_error_put(checker->errors, about);
}

static void report_name(struct checker *checker, struct cel_error about, const char *before, struct bytes name, const char *after)
{
    struct text text;
    text_init(&text, checker->errors->arena);
    text_add(&text, before);
    text_add_bytes(&text, name);
    text_add(&text, after);
    about.text = text_end(&text);
    cel_error_put(checker->errors, about);
}

static void report_undeclared(struct checker *checker, const struct cel_node *node, struct bytes name)
{
    const char *before = node->dotted ? "undeclared reference to '." : "undeclared reference to '";
    report_name(checker, about_node(CEL_ERROR_UNDECLARED, node), before, name, "' (in container '')");
}

static void report_overload(struct checker *checker, const struct cel_node *node, bool member, const struct cel_type *const *arguments,
                            unsigned count)
{
    struct text text;
    text_init(&text, checker->errors->arena);
    text_add(&text, "found no matching overload for '");
    text_add_bytes(&text, node->call.name);
    text_add(&text, "' applied to '");
    if (member) {
        cel_type_text(&text, cel_type_known(&checker->bindings, arguments[0], true), false);
        text_add(&text, ".");
    }
    text_add(&text, "(");
    for (unsigned i = member; i < count; i++) {
        text_add(&text, i > member ? ", " : "");
        cel_type_text(&text, cel_type_known(&checker->bindings, arguments[i], true), false);
    }
    text_add(&text, ")'");
    cel_error_add_node(checker->errors, CEL_ERROR_OVERLOAD, node, text_end(&text));
}

/* ---- names ---- */

#define QUALIFIED_BYTES 64 /* no name of a library is longer */

/* A name with dots: of an identifier, or of selections from one. */
struct qualified {
    char text[QUALIFIED_BYTES];
    uint32_t length; /* 0: it is none, or longer than any name */
};

static void qualify(struct qualified *name, struct bytes part)
{
    bool dot = name->length > 0;
    if (part.length + dot > QUALIFIED_BYTES - name->length) {
        name->length = 0;
        return;
    }
    if (dot)
        name->text[name->length++] = '.';
    memcpy(name->text + name->length, part.data, part.length);
    name->length += part.length;
}

/* At most so many parts: one character and a dot each. */
static struct qualified qualified_name(const struct cel_node *node)
{
    const struct bytes *parts[QUALIFIED_BYTES / 2];
    unsigned count = 0;
    struct qualified name = { .length = 0 };
    for (; node->kind == CEL_NODE_SELECT && !node->select.presence && count < QUALIFIED_BYTES / 2; node = node->select.operand)
        parts[count++] = &node->select.field;
    if (node->kind != CEL_NODE_IDENTIFIER)
        return name;
    qualify(&name, node->name);
    while (count > 0 && name.length > 0)
        qualify(&name, *parts[--count]);
    return name;
}

static const struct local *find_local(const struct checker *checker, struct bytes name)
{
    const struct local *local = checker->locals;
    while (local && !bytes_equal(local->name, name))
        local = local->outer;
    return local;
}

static const struct cel_type *find_name(const struct checker *checker, struct bytes name)
{
    const struct local *local = find_local(checker, name);
    if (local)
        return local->type;
    const struct cel_name *row = cel_name_find(checker->library, name);
    return row ? row->type : NULL;
}

static const struct cel_type *check_identifier(struct checker *checker, struct cel_node *node)
{
    const struct local *local = find_local(checker, node->name);
    const struct cel_type *type = local ? local->type : find_name(checker, node->name);
    node->bound = local ? local->bound : NULL;
    if (!type)
        report_undeclared(checker, node, node->name);
    return type ? type : &type_error;
}

/* ---- fields ---- */

static const struct cel_type *field_of_message(struct checker *checker, struct cel_error about, struct bytes message, struct bytes field)
{
    const struct cel_message *row = cel_message_find(checker->library, message);
    if (row && row->any_field)
        return &type_dyn;
    if (!row || !row->fields) {
        report_name(checker, about, "unexpected failed resolution of '", message, "'");
        return &type_error;
    }
    for (const struct cel_field *at = row->fields; at->name; at++)
        if (bytes_equal_text(field, at->name) && cel_in_scope(&at->scope, checker->environment))
            return at->type;
    report_name(checker, about, "undefined field '", field, "'");
    return &type_error;
}

/* The field of a value of that type; as an optional where the value is one, or `optional` asks for it. */
static const struct cel_type *select_field(struct checker *checker, const struct cel_node *node, const struct cel_type *type,
                                           struct bytes field, bool optional)
{
    type = cel_type_known(&checker->bindings, type, false);
    if (type->kind == CEL_OPTIONAL) {
        optional = true;
        type = cel_type_known(&checker->bindings, type->parameters[0], false);
    }
    const struct cel_type *result = &type_dyn;
    if (type->kind == CEL_MAP)
        result = type->parameters[1];
    else if (type->kind == CEL_STRUCT)
        result = field_of_message(checker, about_node(CEL_ERROR_FIELD, node), bytes_of(type->name), field);
    else if (type->kind == CEL_VARIABLE)
        cel_bind(&checker->bindings, type, &type_dyn);
    else if (type->kind != CEL_DYN && type->kind != CEL_ANY && type->kind != CEL_ERROR)
        report_types(checker, about_node(CEL_ERROR_FIELD, node), "type '", type, "' does not support field selection", NULL, "");
    return optional ? cel_type_of(&checker->bindings, CEL_OPTIONAL, result, NULL) : result;
}

static const struct cel_type *check_select(struct checker *checker, struct cel_node *node)
{
    struct qualified name = qualified_name(node);
    const struct cel_name *row = name.length ? cel_name_find(checker->library, (struct bytes){ name.text, name.length }) : NULL;
    if (row) {
        node->kind = CEL_NODE_IDENTIFIER;
        node->name = bytes_of(row->name);
        node->bound = NULL;
        return row->type;
    }
    const struct cel_type *operand = check(checker, node->select.operand);
    const struct cel_type *type = select_field(checker, node, operand, node->select.field, false);
    return node->select.presence ? &type_bool : type;
}

/* ---- literals ---- */

/* The type of elements of both types. */
static const struct cel_type *join(struct checker *checker, const struct cel_type *so_far, const struct cel_type *next)
{
    if (!so_far)
        return next;
    if (!cel_assignable(&checker->bindings, &so_far, &next, 1))
        return &type_dyn;
    return cel_more_general(&checker->bindings, so_far, next) ? so_far : next;
}

/* The type of an element or entry: of what is in it, where it is optional. */
static const struct cel_type *check_element(struct checker *checker, const struct cel_entry *entry)
{
    const struct cel_type *type = check(checker, entry->value);
    if (!entry->optional)
        return type;
    type = cel_type_known(&checker->bindings, type, false);
    if (type->kind == CEL_OPTIONAL)
        return type->parameters[0];
    if (type->kind != CEL_DYN && type->kind != CEL_ANY)
        cel_error_add_mismatch(checker->errors, entry->value, cel_type_of(&checker->bindings, CEL_OPTIONAL, type, NULL), type);
    return type;
}

static const struct cel_type *check_list(struct checker *checker, struct cel_node *node)
{
    const struct cel_type *type = NULL;
    for (uint32_t i = 0; i < node->literals.count; i++)
        type = join(checker, type, check_element(checker, &node->literals.entries[i]));
    return cel_type_of(&checker->bindings, CEL_LIST, type ? type : cel_type_unknown(&checker->bindings), NULL);
}

static const struct cel_type *check_map(struct checker *checker, struct cel_node *node)
{
    const struct cel_type *keys = NULL, *values = NULL;
    for (uint32_t i = 0; i < node->literals.count; i++) {
        const struct cel_entry *entry = &node->literals.entries[i];
        const struct cel_type *key = check(checker, entry->key), *value = check_element(checker, entry);
        keys = join(checker, keys, key);
        values = join(checker, values, value);
    }
    keys = keys ? keys : cel_type_unknown(&checker->bindings);
    return cel_type_of(&checker->bindings, CEL_MAP, keys, values ? values : cel_type_unknown(&checker->bindings));
}

/* The message that can be written of a type. */
static const struct cel_message *message_of(struct checker *checker, const struct cel_type *type)
{
    for (unsigned i = 0; i < checker->library->message_count; i++) {
        const struct cel_message *message = &checker->library->messages[i];
        if (message->literal && cel_type_same(&checker->bindings, message->type, type))
            return message;
    }
    return NULL;
}

/* The type, by its name alone, is not what it must be. */
static void report_kind(struct checker *checker, const struct cel_node *node, const struct cel_type *type, const char *words)
{
    struct cel_type bare = { .kind = type->kind, .variable = type->variable, .name = type->name };
    struct text text;
    text_init(&text, checker->errors->arena);
    text_add(&text, "'");
    if (type->kind == CEL_WRAPPER)
        bare.parameters[0] = type->parameters[0];
    if (type->kind == CEL_ERROR)
        text_add(&text, "error");
    else
        cel_type_text(&text, &bare, true);
    text_add(&text, words);
    cel_error_add_node(checker->errors, CEL_ERROR_OTHER, node, text_end(&text));
}

/* The name of a message. Up to 1.36 a variable by that name is found, too. */
static const struct cel_type *find_type(const struct checker *checker, struct bytes name)
{
    if (checker->environment.version < 37)
        return find_name(checker, name);
    const struct cel_name *row = cel_name_find(checker->library, name);
    return row && row->type->kind == CEL_TYPE ? row->type : NULL;
}

static const struct cel_message *find_message(struct checker *checker, const struct cel_node *node)
{
    const struct cel_type *type = find_type(checker, node->literals.name);
    if (!type) {
        report_undeclared(checker, node, node->literals.name);
        return NULL;
    }
    if (type->kind != CEL_TYPE) {
        if (type->kind != CEL_ERROR)
            report_kind(checker, node, type, "' is not a type");
        return NULL;
    }
    const struct cel_message *message = type->parameters[0] ? message_of(checker, type->parameters[0]) : NULL;
    if (!message)
        report_kind(checker, node, type->parameters[0] ? type->parameters[0] : type, "' is not a message type");
    return message;
}

static const struct cel_type *check_message(struct checker *checker, struct cel_node *node)
{
    const struct cel_message *message = find_message(checker, node);
    if (!message && !find_type(checker, node->literals.name))
        return &type_error; /* its fields are not checked then */
    struct bytes name = message ? bytes_of(message->name) : node->literals.name;
    for (uint32_t i = 0; i < node->literals.count; i++) {
        const struct cel_entry *entry = &node->literals.entries[i];
        const struct cel_type *value = check_element(checker, entry);
        const struct cel_type *field = field_of_message(checker, about_entry(node, entry), name, entry->field);
        if (!cel_assignable(&checker->bindings, &field, &value, 1)) {
            struct text before;
            text_init(&before, checker->errors->arena);
            text_add(&before, "expected type of field '");
            text_add_bytes(&before, entry->field);
            text_add(&before, "' is '");
            const char *words = text_end(&before);
            report_types(checker, about_entry(node, entry), words ? words : "", field, "' but provided type is '", value, "'");
        }
    }
    return message ? message->type : &type_error;
}

/* ---- calls ---- */

static const struct cel_type *resolve(struct checker *checker, struct cel_node *node, bool member, const struct cel_type *const *arguments,
                                      unsigned count)
{
    const struct cel_type *result = NULL;
    struct cel_bindings *bindings = &checker->bindings;
    for (unsigned i = 0; i < node->call.function->count; i++) {
        const struct cel_overload *overload = &node->call.function->overloads[i];
        if (overload->member != member || overload->since > checker->environment.version)
            continue;
        const struct cel_type *letters[CEL_LETTERS] = { NULL }, *expected[CEL_ARGUMENTS_MAX];
        for (unsigned a = 0; a < overload->count; a++)
            expected[a] = cel_type_of_row(bindings, overload->arguments[a], letters);
        if (overload->count != count || !cel_assignable(bindings, arguments, expected, count))
            continue;
        const struct cel_type *type = cel_type_known(bindings, cel_type_of_row(bindings, overload->result, letters), false);
        node->call.candidates |= 1u << i;
        if (!result)
            result = type;
        else if (result->kind != CEL_DYN && !cel_type_same(bindings, type, result))
            result = &type_dyn;
    }
    if (!result)
        report_overload(checker, node, member, arguments, count);
    return result ? result : &type_error;
}

static const struct cel_type *check_logic(struct checker *checker, struct cel_node *node, const struct cel_type *const *arguments)
{
    const struct cel_type *expected = &type_bool, *result = &type_bool;
    for (uint32_t i = 0; i < node->call.count; i++)
        if (!cel_assignable(&checker->bindings, &arguments[i], &expected, 1)) {
            cel_error_add_mismatch(checker->errors, node->call.arguments[i], &type_bool, arguments[i]);
            result = &type_error;
        }
    node->call.candidates = 1;
    return result;
}

/* The function that receiver and name are together, as sets.contains; NULL: it is a call on the receiver. */
static const struct cel_function *find_qualified(const struct checker *checker, const struct cel_node *node)
{
    struct qualified name = qualified_name(node->call.receiver);
    if (name.length)
        qualify(&name, node->call.name);
    return name.length ? cel_function_find(checker->library, checker->environment, (struct bytes){ name.text, name.length }) : NULL;
}

/* Types of the arguments, with room for the receiver before them; NULL: no memory. */
static const struct cel_type **check_arguments(struct checker *checker, struct cel_node *node)
{
    const struct cel_type **types = arena_alloc(checker->errors->arena, (node->call.count + 1) * sizeof *types);
    if (!types && !checker->errors->failure)
        checker->errors->failure = checker->errors->arena->failure;
    for (uint32_t i = 0; types && i < node->call.count; i++)
        types[i + 1] = check(checker, node->call.arguments[i]);
    return types;
}

static const struct cel_type *check_call(struct checker *checker, struct cel_node *node)
{
    if (bytes_equal_text(node->call.name, "_?._")) {
        const struct cel_type *operand = check(checker, node->call.arguments[0]);
        check(checker, node->call.arguments[1]);
        node->call.function = cel_function_find(checker->library, checker->environment, node->call.name);
        node->call.candidates = 1;
        return select_field(checker, node, operand, node->call.arguments[1]->literal.text, true);
    }
    const struct cel_type **types = check_arguments(checker, node);
    if (!types)
        return &type_error;
    bool member = false;
    const struct cel_function *qualified = node->call.receiver ? find_qualified(checker, node) : NULL;
    if (qualified) {
        node->call.name = bytes_of(qualified->name);
        node->call.receiver = NULL;
    } else if (node->call.receiver) {
        member = true;
        types[0] = check(checker, node->call.receiver);
    }
    node->call.function = qualified ? qualified : cel_function_find(checker->library, checker->environment, node->call.name);
    if (!node->call.function) {
        report_undeclared(checker, node, node->call.name);
        return &type_error;
    }
    if (bytes_equal_text(node->call.name, "_&&_") || bytes_equal_text(node->call.name, "_||_"))
        return check_logic(checker, node, types + 1);
    return resolve(checker, node, member, types + !member, node->call.count + member);
}

/* ---- loops ---- */

/* The types of the variables of a loop over that range. */
static void range_types(struct checker *checker, const struct cel_node *node, const struct cel_type *range, const struct cel_type *types[2])
{
    range = cel_type_known(&checker->bindings, range, false);
    bool two = node->loop.variables[1].data != NULL;
    types[0] = types[1] = &type_dyn;
    if (range->kind == CEL_LIST) {
        types[0] = two ? &type_int : range->parameters[0];
        types[1] = range->parameters[0];
    } else if (range->kind == CEL_MAP) {
        types[0] = range->parameters[0];
        types[1] = range->parameters[1];
    } else if (range->kind == CEL_VARIABLE) {
        cel_bind(&checker->bindings, range, &type_dyn);
    } else if (range->kind != CEL_DYN && range->kind != CEL_ERROR) {
        report_types(checker, about_node(CEL_ERROR_OTHER, node->loop.range), "expression of type '", range,
                     "' cannot be range of a comprehension (must be list, map, or dynamic)", NULL, "");
        types[0] = types[1] = &type_error;
    }
}

static void expect(struct checker *checker, const struct cel_node *node, const struct cel_type *expected, const struct cel_type *found)
{
    if (!cel_assignable(&checker->bindings, &expected, &found, 1))
        cel_error_add_mismatch(checker->errors, node, expected, found);
}

static const struct cel_type *check_loop(struct checker *checker, struct cel_node *node)
{
    const struct local *outside = checker->locals;
    const struct cel_type *types[2], *range = check(checker, node->loop.range), *init = check(checker, node->loop.init);
    range_types(checker, node, range, types);
    const struct cel_node *bound = cel_is_binding(node) ? node->loop.init : NULL;
    const struct local accumulator = { node->loop.accumulator, init, bound, outside };
    const struct local first = { node->loop.variables[0], types[0], NULL, &accumulator };
    const struct local second = { node->loop.variables[1], types[1], NULL, &first };
    checker->locals = node->loop.variables[1].data ? &second : &first;
    const struct cel_type *condition = check(checker, node->loop.condition);
    expect(checker, node->loop.condition, &type_bool, condition);
    const struct cel_type *step = check(checker, node->loop.step);
    expect(checker, node->loop.step, init, step);
    checker->locals = &accumulator;
    const struct cel_type *result = check(checker, node->loop.result);
    checker->locals = outside;
    return cel_type_known(&checker->bindings, result, false);
}

/* ---- all nodes ---- */

static const struct cel_type *check_literal(struct checker *checker, struct cel_node *node)
{
    (void)checker;
    static const struct cel_type types[] = {
        [CEL_NULL] = { .kind = CEL_NULL },   [CEL_BOOL] = { .kind = CEL_BOOL },     [CEL_INT] = { .kind = CEL_INT },
        [CEL_UINT] = { .kind = CEL_UINT },   [CEL_DOUBLE] = { .kind = CEL_DOUBLE }, [CEL_STRING] = { .kind = CEL_STRING },
        [CEL_BYTES] = { .kind = CEL_BYTES },
    };
    return &types[node->literal.type];
}

static const struct cel_type *check_absent(struct checker *checker, struct cel_node *node)
{
    (void)checker;
    (void)node;
    return &type_error;
}

static const struct cel_type *check(struct checker *checker, struct cel_node *node)
{
    static const struct cel_type *(*const checks[])(struct checker *, struct cel_node *) = {
        [CEL_NODE_ABSENT] = check_absent,   [CEL_NODE_LITERAL] = check_literal, [CEL_NODE_IDENTIFIER] = check_identifier,
        [CEL_NODE_SELECT] = check_select,   [CEL_NODE_CALL] = check_call,       [CEL_NODE_LIST] = check_list,
        [CEL_NODE_MAP] = check_map,         [CEL_NODE_MESSAGE] = check_message, [CEL_NODE_LOOP] = check_loop,
    };
    node->type = &type_error;
    if (checker->depth >= LIMIT_CEL_DEPTH && !checker->errors->failure)
        checker->errors->failure = FAILURE_LIMIT;
    if (checker->errors->failure || checker->bindings.failure)
        return node->type;
    checker->depth++;
    node->type = checks[node->kind](checker, node);
    checker->depth--;
    return node->type;
}

/* Puts what is known at the end in place of variables. */
static void settle(struct checker *checker, struct cel_node *node)
{
    node->type = cel_type_known(&checker->bindings, node->type, true);
    struct cel_node *part;
    for (uint32_t i = 0; (part = cel_part(node, i)); i++)
        settle(checker, part);
}

enum failure cel_check(const struct cel_tree *tree, const struct cel_library *library, struct cel_environment environment,
                       struct cel_errors *errors)
{
    struct checker checker = { .library = library, .environment = environment, .errors = errors };
    cel_bindings_init(&checker.bindings, errors->arena);
    check(&checker, tree->root);
    if (!errors->failure && !checker.bindings.failure && errors->count == 0)
        settle(&checker, tree->root);
    if (!errors->failure)
        errors->failure = checker.bindings.failure;
    return errors->failure;
}
