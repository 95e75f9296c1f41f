#include "check/describe.h"

#include "base/limits.h"
#include "base/text.h"
#include "doc/echo.h"

/* One value on the way down, as the path in the making. */
struct spot {
    const struct spot *up;
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
    [SHAPE_STRING] = "string", [SHAPE_BOOL] = "boolean", [SHAPE_INT32] = "int32", [SHAPE_INT64] = "int64", [SHAPE_QUANTITY] = "quantity",
    [SHAPE_TIME] = "time", [SHAPE_RAW] = "anything", [SHAPE_OBJECT] = "object", [SHAPE_LIST] = "list", [SHAPE_MAP] = "map",
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

const char *describe_type(const struct shape *shape, struct arena *arena)
{
    struct text text;
    text_init(&text, arena);
    add_type(&text, shape);
    return text_end(&text);
}

/* ---- words ---- */

static void add_names(struct text *text, const char *const *names, const char *last)
{
    for (const char *const *name = names; *name; name++) {
        text_add(text, name == names ? "" : name[1] ? ", " : last);
        text_add(text, **name ? *name : "\"\"");
    }
}

static void add_must(struct text *text, const struct check *check, const char *what)
{
    text_add(text, check->severity == SEVERITY_ERROR ? "must " : "should ");
    text_add(text, what);
}

static void add_range(struct text *text, const struct check *check)
{
    bool bounded = check->high != INT64_MAX;
    add_must(text, check, bounded ? "be from " : "be at least ");
    text_add_integer(text, check->low);
    text_add(text, bounded ? " to " : "");
    if (bounded)
        text_add_integer(text, check->high);
}

static void add_most(struct text *text, const char *before, int64_t most, const char *after)
{
    text_add(text, before);
    text_add_integer(text, most);
    text_add(text, after);
}

static void add_json_object(struct text *text, const struct check *check)
{
    text_add(text, "must be an object");
    if (check->high != INT64_MAX)
        add_most(text, ", of at most ", check->high, " bytes of JSON");
}

static void add_one_of(struct text *text, const struct check *check)
{
    text_add(text, !check->many_reason ? "must set one of " : !check->none_reason ? "may set only one of " : "must set exactly one of ");
    add_names(text, check->names, ", ");
}

static void add_by_key(struct text *text, const struct check *check)
{
    text_add(text, "an element of the same ");
    text_add(text, check->name);
    text_add(text, " cannot be changed");
    if (check->names && *check->names) {
        text_add(text, ", but for ");
        add_names(text, check->names, " and ");
    }
}

static void add_compare(struct text *text, const struct check *check)
{
    text_add(text, check->plus ? "with " : "");
    text_add(text, check->plus ? check->plus : "");
    text_add(text, check->plus ? " must be at most " : check->high > 0 ? "must be at most " : "must be at least ");
    text_add(text, check->name);
}

static void add_unique(struct text *text, const struct check *check)
{
    if (check->names) {
        text_add(text, "no two elements may have the same ");
        add_names(text, check->names, " and ");
        return;
    }
    text_add(text, check->name ? "no two elements may have the same " : "no value may come twice");
    text_add(text, check->name ? check->name : "");
}

static void add_forbidden(struct text *text, const struct check *check)
{
    bool needs = check->rule == RULE_REQUIRED;
    text_add(text, needs ? "needs " : "must not be set");
    text_add(text, needs && check->below ? check->below : "");
}

static void add_format(struct text *text, const struct check *check)
{
    int64_t most = describe_format_bytes(check->format);
    add_must(text, check, "be ");
    text_add(text, format_infos[check->format].what);
    if (most)
        add_most(text, ", of at most ", most, " bytes");
}

/* What the check asks for, without its detail. */
static void add_asks(struct text *text, const struct check *check)
{
    switch ((enum check_op)check->op) {
    case CHECK_REQUIRED:         add_must(text, check, "be set"); return;
    case CHECK_WRITTEN:          text_add(text, "should be written, not left out"); return;
    case CHECK_FORBIDDEN:        add_forbidden(text, check); return;
    case CHECK_NON_EMPTY:        text_add(text, "must not be empty"); return;
    case CHECK_FORMAT:           add_format(text, check); return;
    case CHECK_ENUM:             add_must(text, check, "be one of "); add_names(text, check->names, ", "); return;
    case CHECK_LISTED:           text_add(text, "should not be one of "); add_names(text, check->names, ", "); return;
    case CHECK_RANGE:            add_range(text, check); return;
    case CHECK_MAX_BYTES:        add_most(text, "must have at most ", check->high, " bytes"); return;
    case CHECK_MAX_ITEMS:        add_must(text, check, ""); add_most(text, "have at most ", check->high, " entries"); return;
    case CHECK_TOTAL_BYTES:      add_most(text, "keys and values must have at most ", check->high, " bytes together"); return;
    case CHECK_UNIQUE:           add_unique(text, check); return;
    case CHECK_CLASH:            text_add(text, "must not hold both "); add_names(text, check->names, " and "); return;
    case CHECK_AT_MOST_ONE:      text_add(text, "at most one element may set "); text_add(text, check->name); return;
    case CHECK_ONE_OF:           add_one_of(text, check); return;
    case CHECK_IMMUTABLE:        text_add(text, "cannot be changed"); return;
    case CHECK_IMMUTABLE_BY_KEY: add_by_key(text, check); return;
    case CHECK_NO_NEW:           text_add(text, "no value may be added"); return;
    case CHECK_REFUSE:           text_add(text, check->rule == RULE_IMMUTABLE ? "cannot be changed" : "is refused"); return;
    case CHECK_CALL:             text_add(text, rule_info(check->rule)->asks); return;
    case CHECK_NAMES_OBJECT:     text_add(text, "should be the name of a "); text_add(text, check->name); text_add(text, check->strict ? " among the objects given, not nearly" : " among the objects given, if there are any"); return;
    case CHECK_EXACT_ITEMS:      add_most(text, "must have exactly ", check->high, check->high == 1 ? " entry" : " entries"); return;
    case CHECK_SUM_ITEMS:        add_names(text, check->names, " and "); add_most(text, " may have at most ", check->high, " entries together"); return;
    case CHECK_UNIQUE_NUMBERS:   text_add(text, "no number may come twice"); return;
    case CHECK_SORTED:           text_add(text, "must be in ascending order"); return;
    case CHECK_HOLDS:            text_add(text, "must hold the value of "); text_add(text, check->name); return;
    case CHECK_DISJOINT:         text_add(text, "must hold nothing that is in "); text_add(text, check->name); return;
    case CHECK_MATCHES:          text_add(text, "must be one of "); text_add(text, check->name); text_add(text, ", by "); add_names(text, check->names, ", "); return;
    case CHECK_REFERENCE:        text_add(text, "must name one of "); add_names(text, check->reference->paths, " or "); return;
    case CHECK_COMPARE:          add_compare(text, check); return;
    case CHECK_ON_GRID:          text_add(text, "must divide "); text_add(text, check->name); text_add(text, " - "); text_add(text, check->plus); return;
    case CHECK_JSON_OBJECT:      add_json_object(text, check); return;
    case CHECK_JSON_PAIR:        text_add(text, "should have "); add_names(text, check->names, " and "); text_add(text, ", or neither"); return;
    case CHECK_WHOLE:            add_must(text, check, "be a whole number"); return;
    case CHECK_ALSO_IN:          text_add(text, "keys that begin with "); add_names(text, check->names, " or "); text_add(text, " "); add_must(text, check, "be in "); text_add(text, check->name); text_add(text, ", too"); return;
    case CHECK_KEYS:
    case CHECK_SKIP:
    case CHECK_RATCHET:
    case CHECK_END:
    case CHECK_OPS:              return;
    }
}

static const char *asks(struct tour *tour, const struct check *check)
{
    struct text text;
    text_init(&text, tour->arena);
    bool says_it_all = check->detail && (check->op == CHECK_REFUSE || check->severity != SEVERITY_ERROR);
    if (!says_it_all)
        add_asks(&text, check);
    if (check->detail) {
        text_add(&text, text.length ? ": " : "");
        text_add(&text, check->detail);
    }
    return text_end(&text);
}

int64_t describe_format_bytes(enum format format)
{
    for (const struct format_part *part = format_infos[format].parts; part->kind != PART_END && !format_part_narrows(part); part++)
        if (part->kind == PART_TOO_LONG || part->kind == PART_LONGEST)
            return part->most;
    return 0;
}

/* ---- conditions ---- */

static const char *option_words(const struct predicate *predicate)
{
    if (predicate->names)
        return predicate->names[0];
    if (predicate->bits == OLD_FROM_SERVER)
        return "the old object is a stored one";
    return predicate->negated ? "the old object did not have it already" : "the old object had it already";
}

static void add_entry(struct text *text, const struct predicate *predicate)
{
    text_add(text, predicate->member);
    text_add(text, predicate->negated ? " has no " : " has ");
    text_add(text, predicate->names[0]);
    text_add(text, predicate->names[1] ? ": " : "");
    text_add(text, predicate->names[1] ? predicate->names[1] : "");
}

static void add_predicate(struct text *text, const struct predicate *predicate)
{
    const char *subject = predicate->member ? predicate->member : "it";
    const char *is = predicate->negated ? " is not " : " is ";
    switch ((enum predicate_op)predicate->op) {
    case PREDICATE_SET:         text_add(text, subject); text_add(text, is); text_add(text, "set"); return;
    case PREDICATE_OLD_SET:     text_add(text, subject); text_add(text, predicate->negated ? " was not set" : " was set"); return;
    case PREDICATE_EQUALS:      text_add(text, subject); text_add(text, is); add_names(text, predicate->names, " or "); return;
    case PREDICATE_ANY_BEFORE:  text_add(text, predicate->negated ? "none of its group is set before it" : "another of its group is set before it"); return;
    case PREDICATE_OPTION:      text_add(text, option_words(predicate)); return;
    case PREDICATE_OLD_INVALID: text_add(text, predicate->negated ? "the old value was good" : "the old value was bad already"); return;
    case PREDICATE_CHANGED:     text_add(text, subject); text_add(text, predicate->negated ? " stays as it was" : " changes"); return;
    case PREDICATE_TRUE:        text_add(text, subject); text_add(text, is); text_add(text, "true"); return;
    case PREDICATE_OLD_HAS:     text_add(text, predicate->member); text_add(text, " was set"); return;
    case PREDICATE_ANY_SET:     add_names(text, predicate->names, " or "); text_add(text, " is set"); return;
    case PREDICATE_ANY_ELEMENT: text_add(text, "an element has "); add_names(text, predicate->names, " or "); return;
    case PREDICATE_FITS:        text_add(text, subject); text_add(text, is); text_add(text, format_infos[predicate->format].what); return;
    case PREDICATE_LISTS:       text_add(text, subject); text_add(text, predicate->negated ? " does not list " : " lists "); add_names(text, predicate->names, " or "); return;
    case PREDICATE_ENTRY:       add_entry(text, predicate); return;
    case PREDICATE_KEY:         text_add(text, "its key"); text_add(text, is); add_names(text, predicate->names, " or "); return;
    case PREDICATE_WRITTEN:     text_add(text, subject); text_add(text, is); text_add(text, "written"); return;
    case PREDICATE_KEY_BEGINS:  text_add(text, predicate->negated ? "its key does not begin with " : "its key begins with "); add_names(text, predicate->names, " or "); return;
    case PREDICATE_FIRST:       text_add(text, "it"); text_add(text, is); text_add(text, "the first of the list"); return;
    case PREDICATE_TRAIT:
    case PREDICATE_END:         return;
    }
}

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
        struct predicate predicate = *predicates;
        if (predicate.op == PREDICATE_TRAIT)
            continue;
        predicate.negated ^= contrary && single;
        bool begins = !text->length || text->data[text->length - 1] == ' ';
        text_add(text, any ? " and " : begins ? "" : ", ");
        text_add(text, any ? "" : contrary && !single ? "unless " : "if ");
        add_predicate(text, &predicate);
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

static void add_path(struct text *text, const struct spot *spot)
{
    if (!spot->up)
        return;
    add_path(text, spot->up); /* as deep as shapes nest */
    bool field = *spot->segment != '[' && *spot->segment != '{';
    text_add(text, field && text->length ? "." : "");
    text_add(text, spot->segment);
}

static const char *path_of(struct tour *tour, const struct spot *spot)
{
    struct text text;
    text_init(&text, tour->arena);
    add_path(&text, spot);
    return text_end(&text);
}

static struct versions both(struct versions a, struct versions b)
{
    minor until = a.until == 0 || (b.until && b.until < a.until) ? b.until : a.until;
    return (struct versions){ a.since > b.since ? a.since : b.since, until };
}

/* What counts where the field is not set, in words; NULL: nothing in particular. */
static const char *standard_of(struct tour *tour, const struct field *field)
{
    struct text text;
    const struct doc_node *standard = field ? field->standard : NULL;
    if (!standard)
        return field ? field->unset_means : NULL;
    text_init(&text, tour->arena);
    doc_echo(&text, standard, LIMIT_ECHO_BYTES);
    add_predicates(&text, field->standard_if, false);
    return text_end(&text);
}

static void visit_type(struct tour *tour, const struct spot *spot)
{
    struct text text;
    struct constraint constraint = { .field = path_of(tour, spot), .rule = RULE_TYPE, .reason = rule_info(RULE_TYPE)->reason, .versions = spot->versions,
                                     .shape = spot->shape, .when = "", .source = spot->source, .gate = spot->gate, .standard = standard_of(tour, spot->field), .defaulted = spot->field && spot->field->standard };
    text_init(&text, tour->arena);
    text_add(&text, "must be of type ");
    add_type(&text, spot->shape);
    constraint.asks = text_end(&text);
    if (!tour->arena->failure && spot->shape->type != SHAPE_RAW)
        tour->visit(tour->self, &constraint);
}

static void visit_checks(struct tour *tour, const struct spot *spot, const struct check *checks)
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
            const struct spot keys = { spot, "{key}", &shape_string, spot->source, spot->versions, spot->gate, NULL };
            visit_checks(tour, &keys, checks->each);
        } else if (checks->op != CHECK_RATCHET) {
            const struct constraint constraint = {
                .field = path_of(tour, spot), .rule = checks->rule, .severity = checks->severity, .versions = both(spot->versions, checks->versions),
                .reason = checks->reason ? checks->reason : rule_info(checks->rule)->reason, .shape = spot->shape, .check = checks,
                .asks = asks(tour, checks), .when = when(tour, checks, &skips), .source = checks->source ? checks->source : spot->source, .gate = spot->gate,
            };
            if (!tour->arena->failure)
                tour->visit(tour->self, &constraint);
        }
    }
}

static void visit_value(struct tour *tour, const struct spot *spot)
{
    const struct shape *shape = spot->shape;
    visit_checks(tour, spot, shape->checks);
    if (shape->type == SHAPE_LIST || shape->type == SHAPE_MAP) {
        const struct spot element = { spot, shape->type == SHAPE_LIST ? "[]" : "{}", shape->of, shape->of->source ? shape->of->source : spot->source, spot->versions, spot->gate, NULL };
        visit_value(tour, &element);
    }
    for (uint16_t i = 0; i < shape->field_count; i++) {
        const struct field *field = &shape->fields[i];
        const struct spot member = { spot, field->name.data, field->shape, field->shape->source ? field->shape->source : spot->source, both(spot->versions, field->versions),
                                    field->gate ? field->gate : spot->gate, field };
        visit_type(tour, &member);
        visit_checks(tour, &member, field->checks);
        visit_value(tour, &member);
    }
}

enum failure describe_kind(const struct kind *kind, struct arena *arena, constraint_visitor *visit, void *self)
{
    struct tour tour = { kind, arena, visit, self };
    const struct spot root = { NULL, "", kind->shape, kind->shape->source ? kind->shape->source : "", { 0, 0 }, NULL, NULL };
    visit_value(&tour, &root);
    return arena->failure;
}

void describe_plain_path(char *plain, size_t size, const char *path)
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
