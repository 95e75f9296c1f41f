#include "schema/explain.h"

#include "base/limits.h"
#include "base/text.h"
#include "doc/quote.h"
#include "schema/words.h"

/* One value on the way down, as the path in the making. */
struct schema_path {
    const struct schema_path *up;
    const char *segment;       /* of a field; else "[]", "{}" or "{key}" */
    const struct shape *shape;
    const char *source;
    struct versions versions;
    const char *gate;
    const struct field *field; /* NULL: of an element, an entry or the root */
};

struct tour {
    const struct kind *kind;
    struct arena *arena;
    constraint_visitor *visit;
    void *self;
};

/* ---- types ---- */

static const char *const types[SHAPE_TYPES] = {
#define SHAPE_ROW(id, name, ...) [SHAPE_##id] = name,
    SHAPE_ROWS(SHAPE_ROW)
#undef SHAPE_ROW
};

static void add_type(struct text *text, const struct shape *shape)
{
    text_add(text, types[shape->type]);
    if (shape->type != SHAPE_LIST && shape->type != SHAPE_MAP)
        return;
    text_add(text, " of ");
    add_type(text, shape->of); /* as deep as shapes nest */
    bool whole = shape->of->type == SHAPE_STRING || shape->of->type == SHAPE_OBJECT || shape->of->type == SHAPE_BOOL;
    text_add(text, whole ? "s" : "");
}

const char *explain_type(const struct shape *shape, struct arena *arena)
{
    struct text text;
    text_init(&text, arena);
    add_type(&text, shape);
    return text_end(&text);
}

/* ---- words ---- */

static const char *asks(struct tour *tour, const struct check *check)
{
    struct text text;
    text_init(&text, tour->arena);
    bool says_it_all = check->detail && (check->op == CHECK_REFUSE || check->severity != SEVERITY_ERROR);
    if (!says_it_all)
        words_add_check(&text, check);
    if (check->detail) {
        text_add(&text, text.length ? ": " : "");
        text_add(&text, check->detail);
    }
    return text_end(&text);
}

/* ---- arguments ---- */

enum bounds { NO_BOUND, MAX, MIN_MAX, OF_FORMAT };

static void set_bounds(struct constraint_arguments *arguments, const struct check *check, enum bounds bounds)
{
    arguments->has_min = bounds == MIN_MAX && !check->strict;
    arguments->min = check->low;
    if (bounds == MAX || bounds == MIN_MAX)
        arguments->max = check->high;
    if (bounds == OF_FORMAT)
        arguments->max = words_format_bytes(check->format);
    arguments->has_max = arguments->max != INT64_MAX && (arguments->max || arguments->has_min);
}

struct constraint_arguments explain_arguments(const struct constraint *constraint)
{
    enum { NO_NAME, VALUES, ITS_MEMBER, OF_ELEMENT, SIBLING_NAME, ROOT_PATH, OTHER };
    static const struct {
        uint8_t bounds, names;
    } rows[CHECK_OPS] = {
#define OP(id, function, shapes, value, bounds, name, names, words) [CHECK_##id] = { bounds, names },
#include "schema/ops.def"
#undef OP
    };
    const struct check *check = constraint->check;
    struct constraint_arguments arguments = { .values = NULL };
    if (!check)
        return arguments;
    arguments.key = check->name;
    *(rows[check->op].names == VALUES ? &arguments.values : &arguments.members) = check->names;
    set_bounds(&arguments, check, (enum bounds)rows[check->op].bounds);
    return arguments;
}

/* ---- conditions ---- */

static unsigned count_predicates(const struct predicate *predicates)
{
    unsigned count = 0;
    for (; predicates && predicates->op != PREDICATE_END; predicates++)
        count += predicates->op != PREDICATE_TRAIT; /* that one is decided by the kind */
    return count;
}

/* "if a and b"; for a row that ends the list when they hold, the contrary. */
static void add_predicates(struct text *text, const struct predicate *predicates, bool contrary)
{
    bool single = count_predicates(predicates) == 1, any = false;
    for (; predicates && predicates->op != PREDICATE_END; predicates++) {
        if (predicates->op == PREDICATE_TRAIT)
            continue;
        bool begins = !text->length || text->data[text->length - 1] == ' ';
        text_add(text, any ? " and " : begins ? "" : ", ");
        text_add(text, any ? "" : contrary && !single ? "unless " : "if ");
        words_add_predicate(text, predicates, predicates->negated ^ (contrary && single));
        any = true;
    }
}

static const char *operations(const struct check *check)
{
    if (check->when == CREATE)
        return "on create";
    if (check->when == CREATE_CLEAN)
        return "on create, once all else is good";
    if (check->when == STATUS)
        return "on updates of the status";
    if (check->when == UPDATE)
        return "on updates of the object";
    return check->when == (UPDATE | STATUS) && check->rule != RULE_IMMUTABLE ? "on update" : "";
}

/* Rows before a check that may have ended the list of checks; a fifth one would go unsaid, and no row has so many. */
struct skips {
    const struct check *rows[4];
    unsigned count;
};

static const char *when(struct tour *tour, const struct check *check, const struct skips *skips)
{
    struct text text;
    text_init(&text, tour->arena);
    text_add(&text, operations(check));
    add_predicates(&text, check->only_if, false);
    for (unsigned i = 0; i < skips->count; i++) {
        const struct check *skip = skips->rows[i];
        if (skip->when && check->when && !(skip->when & check->when))
            continue;
        if (skip->when && !check->when)
            text_add(&text, text.length ? ", on update only " : "on update only ");
        add_predicates(&text, skip->only_if, true);
    }
    return text_end(&text);
}

/* Whether what the check asks of the kind holds for it. */
static bool concerns(const struct tour *tour, const struct check *check)
{
    const struct predicate *predicate = check->only_if;
    for (; predicate && predicate->op != PREDICATE_END; predicate++)
        if (predicate->op == PREDICATE_TRAIT && ((tour->kind->traits & predicate->bits) != 0) == predicate->negated)
            return false;
    return true;
}

/* ---- the tour ---- */

static void add_path(struct text *text, const struct schema_path *schema_path)
{
    if (!schema_path->up)
        return;
    add_path(text, schema_path->up); /* as deep as shapes nest */
    bool field = *schema_path->segment != '[' && *schema_path->segment != '{';
    text_add(text, field && text->length ? "." : "");
    text_add(text, schema_path->segment);
}

static const char *path_of(struct tour *tour, const struct schema_path *schema_path)
{
    struct text text;
    text_init(&text, tour->arena);
    add_path(&text, schema_path);
    return text_end(&text);
}

static struct versions both(struct versions a, struct versions b)
{
    minor until = a.until == 0 || (b.until && b.until < a.until) ? b.until : a.until;
    return (struct versions){ a.since > b.since ? a.since : b.since, until };
}

/* What counts where the field is not set, in words; NULL: nothing in particular. */
static const char *default_of(struct tour *tour, const struct field *field)
{
    struct text text;
    const struct doc_node *default_value = field ? field->default_value : NULL;
    if (!default_value)
        return field ? field->unset_means : NULL;
    text_init(&text, tour->arena);
    doc_quote(&text, default_value, LIMIT_QUOTE_BYTES);
    add_predicates(&text, field->default_if, false);
    return text_end(&text);
}

static void visit_type(struct tour *tour, const struct schema_path *schema_path)
{
    struct text text;
    struct constraint constraint = {
        .field = path_of(tour, schema_path), .rule = RULE_TYPE, .reason = rule_info(RULE_TYPE)->reason, .versions = schema_path->versions,
        .shape = schema_path->shape, .when = "", .source = schema_path->source, .gate = schema_path->gate,
        .default_value = default_of(tour, schema_path->field), .defaulted = schema_path->field && schema_path->field->default_value,
    };
    text_init(&text, tour->arena);
    text_add(&text, "must be of type ");
    add_type(&text, schema_path->shape);
    constraint.asks = text_end(&text);
    if (!tour->arena->failure && schema_path->shape->type != SHAPE_RAW)
        tour->visit(tour->self, &constraint);
}

static void visit_checks(struct tour *tour, const struct schema_path *schema_path, const struct check *checks)
{
    struct skips skips = { .count = 0 };
    for (; checks && checks->op != CHECK_END; checks++) {
        if (!concerns(tour, checks))
            continue;
        if (checks->op == CHECK_SKIP) {
            if (!checks->when && !count_predicates(checks->only_if))
                return; /* always, for this kind */
            if (skips.count < sizeof skips.rows / sizeof *skips.rows)
                skips.rows[skips.count++] = checks;
        } else if (checks->op == CHECK_KEYS) {
            struct schema_path keys = *schema_path;
            keys.up = schema_path;
            keys.segment = "{key}";
            keys.shape = &shape_string;
            keys.field = NULL;
            visit_checks(tour, &keys, checks->each);
        } else if (checks->op != CHECK_RATCHET) {
            const struct constraint constraint = {
                .field = path_of(tour, schema_path), .rule = checks->rule, .severity = checks->severity,
                .versions = both(schema_path->versions, checks->versions),
                .reason = checks->reason ? checks->reason : rule_info(checks->rule)->reason, .shape = schema_path->shape, .check = checks,
                .asks = asks(tour, checks), .when = when(tour, checks, &skips),
                .source = checks->source ? checks->source : schema_path->source, .gate = schema_path->gate,
            };
            if (!tour->arena->failure)
                tour->visit(tour->self, &constraint);
        }
    }
}

static void visit_value(struct tour *tour, const struct schema_path *schema_path)
{
    const struct shape *shape = schema_path->shape;
    visit_checks(tour, schema_path, shape->checks);
    if (shape->type == SHAPE_LIST || shape->type == SHAPE_MAP) {
        const char *source = shape->of->source ? shape->of->source : schema_path->source;
        const struct schema_path element = {
            schema_path, shape->type == SHAPE_LIST ? "[]" : "{}", shape->of, source, schema_path->versions, schema_path->gate, NULL
        };
        visit_value(tour, &element);
    }
    for (uint16_t i = 0; i < shape->field_count; i++) {
        const struct field *field = &shape->fields[i];
        const struct schema_path member = {
            schema_path, field->name.data, field->shape, field->shape->source ? field->shape->source : schema_path->source,
            both(schema_path->versions, field->versions), field->gate ? field->gate : schema_path->gate, field
        };
        visit_type(tour, &member);
        visit_checks(tour, &member, field->checks);
        visit_value(tour, &member);
    }
}

const char *explain_check(const struct check *check, struct arena *arena)
{
    struct tour tour = { .arena = arena };
    const struct skips none = { .count = 0 };
    const char *asked = asks(&tour, check), *condition = when(&tour, check, &none);
    struct text text;
    text_init(&text, arena);
    if (!asked || !condition)
        return NULL;
    text_add(&text, asked);
    text_add(&text, *asked && *condition ? ", " : "");
    text_add(&text, condition);
    return text_end(&text);
}

enum failure explain_kind(const struct kind *kind, struct arena *arena, constraint_visitor *visit, void *self)
{
    struct tour tour = { kind, arena, visit, self };
    const struct schema_path root = { NULL, "", kind->shape, kind->shape->source ? kind->shape->source : "", { 0, 0 }, NULL, NULL };
    visit_value(&tour, &root);
    return arena->failure;
}

void explain_plain_path(char *plain, size_t size, const char *path)
{
    size_t length = 0;
    bool inside = false;
    for (; *path && length + 1 < size; path++) {
        inside = (inside || *path == '[' || *path == '{') && *path != ']' && *path != '}';
        if (!inside && *path != ']' && *path != '}')
            plain[length++] = *path;
    }
    while (length && plain[length - 1] == '.')
        length--;
    plain[length] = '\0';
}
