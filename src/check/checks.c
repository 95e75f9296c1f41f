/* What each check does. One function an operation; a check that is broken reports and returns true. */
#include "check/checks.h"
#include "value/quantity.h"

/* ---- presence ---- */

static bool check_required(struct run *run, struct place *place, const struct check *check)
{
    if (place_is_set(place->field, place->node))
        return false;
    report(run, place, check, REASON_OF_RULE, place->node, detail_text(NULL));
    return true;
}

/* What is left out of an object that is left out itself is not missed there. */
static bool check_written(struct run *run, struct place *place, const struct check *check)
{
    bool around = place->up && place->up->node && !(place->up->node->flags & DOC_IMPLIED);
    if (!around || (place->node && !(place->node->flags & DOC_IMPLIED)))
        return false;
    report(run, place, check, REASON_OF_RULE, NULL, detail_text("should be written, not left out"));
    return true;
}

static bool check_non_empty(struct run *run, struct place *place, const struct check *check)
{
    if (!place->node || place->node->count)
        return false;
    report(run, place, check, REASON_OF_RULE, place->node, detail_text("must not be empty"));
    return true;
}

static bool check_forbidden(struct run *run, struct place *place, const struct check *check)
{
    if (!place_is_set(place->field, place->node))
        return false;
    report(run, place, check, REASON_OF_RULE, place->node, detail_text("must not be set here"));
    return true;
}

/* ---- single values ---- */

static void report_parts(struct run *run, const struct place *place, const struct check *check, unsigned broken)
{
    const struct format_part *parts = format_infos[check->format].parts;
    for (int i = 0; broken >> i; i++) {
        if (!(broken >> i & 1))
            continue;
        bool length = parts[i].kind == PART_TOO_LONG || parts[i].kind == PART_LONGEST;
        struct detail detail = length ? detail_number("must be no more than ", parts[i].most, " bytes") : detail_text(parts[i].detail);
        report(run, place, check, parts[i].kind == PART_TOO_LONG ? REASON_TOO_LONG : REASON_INVALID, place->node, detail);
    }
}

static bool check_format(struct run *run, struct place *place, const struct check *check)
{
    unsigned broken;
    if (!place->node || format_is_plain(check->format, doc_text(place->node)) || !run_format(run, check->format, doc_text(place->node), &broken) || !broken)
        return false;
    report_parts(run, place, check, broken);
    return true;
}

static bool is_named(const struct doc_node *node, const char *const *names)
{
    for (; *names; names++)
        if (bytes_equal_text(doc_text(node), *names))
            return true;
    return false;
}

static bool check_enum(struct run *run, struct place *place, const struct check *check)
{
    if (!place->node || is_named(place->node, check->names))
        return false;
    const char *const *shown = **check->names ? check->names : check->names + 1; /* "" may be allowed, but is no advice */
    report(run, place, check, REASON_OF_RULE, place->node, detail_names("supported values: ", shown));
    return true;
}

static bool check_listed(struct run *run, struct place *place, const struct check *check)
{
    if (!place->node || !is_named(place->node, check->names))
        return false;
    report(run, place, check, REASON_OF_RULE, place->node, detail_text("is deprecated"));
    return true;
}

static enum failure integer_quantity(int64_t value, struct arena *arena, struct quantity *quantity)
{
    struct text text;
    text_init(&text, arena);
    text_add_integer(&text, value);
    const char *end = text_end(&text);
    return end ? quantity_read(bytes_of(end), arena, quantity) : arena->failure;
}

static bool quantity_in_range(struct run *run, const struct doc_node *node, int64_t low, int64_t high)
{
    struct quantity value, least, most;
    struct arena *arena = &run->worker->arena;
    enum failure failure = quantity_read(doc_text(node), arena, &value);
    if (!failure)
        failure = integer_quantity(low, arena, &least);
    if (!failure)
        failure = integer_quantity(high, arena, &most);
    if (failure) {
        run->failure = failure;
        return true;
    }
    return quantity_compare(&value, &least) >= 0 && (high == INT64_MAX || quantity_compare(&value, &most) <= 0);
}

static bool check_range(struct run *run, struct place *place, const struct check *check)
{
    int64_t value;
    if (!place->node)
        return false;
    if (place->shape->type == SHAPE_QUANTITY ? quantity_in_range(run, place->node, check->low, check->high)
                                             : doc_integer(place->node, check->low, check->high, &value))
        return false;
    struct detail detail = detail_number("must be at least ", check->low, NULL);
    if (check->high != INT64_MAX)
        detail = (struct detail){ .before = "must be between ", .between = " and ", .after = ", both included", .numbers = { check->low, check->high }, .number_count = 2 };
    report(run, place, check, REASON_OF_RULE, place->node, detail);
    return true;
}

/* ---- sizes ---- */

static bool check_max_bytes(struct run *run, struct place *place, const struct check *check)
{
    if (!place->node || place->node->count <= check->high)
        return false;
    report(run, place, check, REASON_OF_RULE, place->node, detail_number("may not be more than ", check->high, " bytes"));
    return true;
}

static bool check_max_items(struct run *run, struct place *place, const struct check *check)
{
    if (!place->node || place->node->count <= check->high)
        return false;
    struct detail detail = { .between = ": must have at most ", .after = " items", .numbers = { place->node->count, check->high }, .number_count = 2 };
    report(run, place, check, REASON_OF_RULE, NULL, detail);
    return true;
}

static bool check_total_bytes(struct run *run, struct place *place, const struct check *check)
{
    int64_t total = 0;
    doc_each(place->node, entry)
        total += entry->name_length + (entry->type == DOC_STRING ? entry->count : 0);
    if (total <= check->high)
        return false;
    report(run, place, check, REASON_OF_RULE, NULL, detail_number("may not be more than ", check->high, " bytes in keys and values together"));
    return true;
}

/* ---- lists and maps ---- */

static bool check_keys(struct run *run, struct place *place, const struct check *check)
{
    struct doc_node text = { .type = DOC_STRING };
    struct place key = { .up = place, .shape = STRING, .node = &text, .is_key = true };
    bool broken = false, quiet = true;
    const struct doc_node *model = quiet_model(run, check);
    for (const struct doc_node *entry = doc_first(place->node); entry; entry = entry->next, model = quiet_next(model)) {
        text.text = entry->name;
        text.count = entry->name_length;
        if ((model && bytes_equal(doc_name(model), doc_name(entry))) || quiet_rows(run, STRING, check->each, &text))
            continue;
        quiet = false;
        text.offset = entry->name_offset;
        text.size = entry->offset - entry->name_offset;
        key.options = place->options;
        broken |= walk_checks(run, &key, check->each, true);
    }
    if (quiet)
        quiet_remember(run, check, place->node);
    return broken;
}

/* Marks element `index` as one about which nothing more is said. */
static void set_aside(struct run *run, struct place *place, bool **marks, uint32_t index)
{
    if (!*marks) {
        *marks = run_alloc(run, place->node->count * sizeof **marks);
        if (!*marks)
            return;
        memset(*marks, 0, place->node->count * sizeof **marks);
        place->aside = *marks;
    }
    (*marks)[index] = true;
}

static bool check_unique(struct run *run, struct place *place, const struct check *check)
{
    const struct shape *of = place->shape->of;
    struct place element = { .up = place, .shape = of };
    int field = check->name ? place_field(of, check->name) : -1;
    bool broken = false, *marks = NULL;
    struct set seen;
    if (!place->node || place->node->count < 2 || !run_set(run, &seen, place->node->count))
        return false;
    doc_each(place->node, raw) {
        element.node = place_value(run, NULL, of, raw);
        const struct doc_node *key = check->names ? element.node : place_element_member(run, of, raw, check->name);
        if (key && set_add(&seen, check->names ? index_key(run, of, element.node, check->names) : doc_text(key), raw)) {
            struct place member = { .up = &element, .field = field < 0 ? NULL : &of->fields[field], .shape = of, .node = key };
            report(run, check->name ? &member : &element, check, REASON_OF_RULE, key, detail_text(NULL));
            broken = true;
            if (check->aside)
                set_aside(run, place, &marks, element.index);
        }
        element.index++;
    }
    return broken;
}

static bool check_clash(struct run *run, struct place *place, const struct check *check)
{
    for (const char *const *name = check->names; *name; name++) {
        bool found = false;
        doc_each(place->node, element)
            found |= element->type == DOC_STRING && bytes_equal_text(doc_text(element), *name);
        if (!found)
            return false;
    }
    report(run, place, check, REASON_OF_RULE, place->node, detail_names("not together: ", check->names));
    return true;
}

static bool check_at_most_one(struct run *run, struct place *place, const struct check *check)
{
    struct place element = { .up = place, .shape = place->shape->of };
    uint32_t marked = 0;
    doc_each(place->node, raw) {
        element.node = place_value(run, NULL, element.shape, raw);
        const struct doc_node *mark = place_element_member(run, element.shape, raw, check->name);
        if (mark && mark->type == DOC_TRUE && marked++)
            report(run, &element, check, REASON_OF_RULE, element.node, detail_text(NULL));
        element.index++;
    }
    return marked > 1;
}

static int count_set(const struct place *place, const char *const *names, bool filled)
{
    const struct shape *shape = place->shape;
    int set = 0;
    for (unsigned i = 0; *names; names++, i++) {
        i = place_field_from(shape, i, *names);
        const struct doc_node *member = place->members[i];
        if (member)
            set += filled ? place_is_filled(member) : place_is_set(&shape->fields[i], member);
    }
    return set;
}

static bool check_one_of(struct run *run, struct place *place, const struct check *check)
{
    int set = count_set(place, check->names, check->filled);
    enum reason reason = set == 0 ? check->none_reason : set > 1 ? check->many_reason : REASON_OF_RULE;
    if (reason == REASON_OF_RULE)
        return false;
    report(run, place, check, reason, place->node, detail_names(set ? "must set only one of " : "must set one of ", check->names));
    return true;
}

/* ---- updates ---- */

static bool check_immutable(struct run *run, struct place *place, const struct check *check)
{
    if (!place->has_old || equal_values(run, place->shape, place->node, place->old, check->strict))
        return false;
    report(run, place, check, REASON_OF_RULE, place->node, detail_text("field is immutable"));
    return true;
}

/* The old elements of one key: equal to each other or not. */
struct twins {
    const struct doc_node *first;
    bool differ;
};

static struct twins *index_old(struct run *run, const struct place *place, const struct check *check, struct set *index)
{
    const struct shape *of = place->shape->of;
    struct twins *all = run_alloc(run, (place->old->count + 1) * sizeof *all), *next = all;
    if (!all)
        return NULL;
    doc_each(place->old, raw) {
        const struct doc_node *element = place_value(run, NULL, of, raw);
        *next = (struct twins){ element, false };
        const struct twins *known = set_add(index, doc_text(place_element_member(run, of, raw, check->name)), next);
        if (known && !equal_objects(run, of, element, known->first, check->names, false))
            all[known - all].differ = true; /* the set hands out constants */
        next += !known;
    }
    return all;
}

static bool check_immutable_by_key(struct run *run, struct place *place, const struct check *check)
{
    const struct shape *of = place->shape->of;
    struct set index;
    if (!place->has_old || !place->old || !place->node || !run_set(run, &index, place->old->count) || !index_old(run, place, check, &index))
        return false;
    struct place element = { .up = place, .shape = of };
    bool broken = false;
    doc_each(place->node, raw) {
        element.node = place_value(run, NULL, of, raw);
        const struct twins *old = set_find(&index, doc_text(place_element_member(run, of, raw, check->name)));
        if (old && (old->differ || !equal_objects(run, of, element.node, old->first, check->names, false))) {
            report(run, &element, check, REASON_OF_RULE, element.node, detail_text("field is immutable"));
            broken = true;
        }
        element.index++;
    }
    return broken;
}

/* What an element is known by: its text, or those of some members. */
static struct bytes key_of(struct run *run, const struct shape *shape, const struct doc_node *element, const struct check *check)
{
    return check->names ? index_key(run, shape, element, check->names) : doc_text(element);
}

static bool check_no_new(struct run *run, struct place *place, const struct check *check)
{
    struct place element = { .up = place, .shape = place->shape->of };
    struct set old;
    bool broken = false;
    if (!place->has_old || !run_set(run, &old, place->old ? place->old->count : 0))
        return false;
    doc_each(place->old, raw)
        (void)set_add(&old, key_of(run, element.shape, place_value(run, NULL, element.shape, raw), check), raw);
    doc_each(place->node, raw) {
        element.node = place_value(run, NULL, element.shape, raw);
        if (!set_find(&old, key_of(run, element.shape, element.node, check))) {
            report(run, &element, check, REASON_OF_RULE, element.node, detail_text("may not be added now"));
            broken = true;
        }
        element.index++;
    }
    return broken;
}

/* ---- control ---- */

static bool check_refuse(struct run *run, struct place *place, const struct check *check)
{
    report(run, place, check, REASON_OF_RULE, place->node, detail_text(NULL));
    return true;
}

static bool check_skip(struct run *run, struct place *place, const struct check *check)
{
    (void)run;
    (void)place;
    (void)check;
    return true;
}

static bool check_ratchet(struct run *run, struct place *place, const struct check *check)
{
    (void)run;
    place->options |= check->option;
    return false;
}

static bool check_call(struct run *run, struct place *place, const struct check *check)
{
    struct cross cross = { .run = run, .place = place, .check = check };
    check->call(&cross);
    struct arena *scratch = &run->worker->scratch;
    if (scratch->failure && !run->failure)
        run->failure = scratch->failure;
    if (scratch->blocks || scratch->failure)
        arena_clear(scratch);
    return cross.broken;
}

static check_function *const functions[CHECK_OPS] = {
    [CHECK_REQUIRED] = check_required,
    [CHECK_WRITTEN] = check_written,
    [CHECK_FORBIDDEN] = check_forbidden,
    [CHECK_NON_EMPTY] = check_non_empty,
    [CHECK_FORMAT] = check_format,
    [CHECK_ENUM] = check_enum,
    [CHECK_LISTED] = check_listed,
    [CHECK_RANGE] = check_range,
    [CHECK_MAX_BYTES] = check_max_bytes,
    [CHECK_MAX_ITEMS] = check_max_items,
    [CHECK_TOTAL_BYTES] = check_total_bytes,
    [CHECK_KEYS] = check_keys,
    [CHECK_EXACT_ITEMS] = check_exact_items,
    [CHECK_SUM_ITEMS] = check_sum_items,
    [CHECK_UNIQUE] = check_unique,
    [CHECK_UNIQUE_NUMBERS] = check_unique_numbers,
    [CHECK_SORTED] = check_sorted,
    [CHECK_HOLDS] = check_holds,
    [CHECK_DISJOINT] = check_disjoint,
    [CHECK_MATCHES] = check_matches,
    [CHECK_REFERENCE] = check_reference,
    [CHECK_COMPARE] = check_compare,
    [CHECK_ON_GRID] = check_on_grid,
    [CHECK_JSON_OBJECT] = check_json_object,
    [CHECK_JSON_PAIR] = check_json_pair,
    [CHECK_CLASH] = check_clash,
    [CHECK_AT_MOST_ONE] = check_at_most_one,
    [CHECK_ONE_OF] = check_one_of,
    [CHECK_IMMUTABLE] = check_immutable,
    [CHECK_IMMUTABLE_BY_KEY] = check_immutable_by_key,
    [CHECK_NO_NEW] = check_no_new,
    [CHECK_REFUSE] = check_refuse,
    [CHECK_SKIP] = check_skip,
    [CHECK_RATCHET] = check_ratchet,
    [CHECK_CALL] = check_call,
    [CHECK_NAMES_OBJECT] = check_names_object,
    [CHECK_WHOLE] = check_whole,
    [CHECK_ALSO_IN] = check_also_in,
};
_Static_assert(sizeof functions / sizeof *functions == CHECK_OPS, "a function for each operation");

/* Operations that say nothing about an unset value; SKIP and RATCHET speak of what is below it, which is nothing. */
#define BIT(op) ((uint64_t)1 << CHECK_##op)
static const uint64_t needs_value =
    BIT(NON_EMPTY) | BIT(FORBIDDEN) | BIT(FORMAT) | BIT(ENUM) | BIT(LISTED) | BIT(RANGE) | BIT(MAX_BYTES) | BIT(MAX_ITEMS) | BIT(EXACT_ITEMS) | BIT(KEYS) |
    BIT(UNIQUE) | BIT(UNIQUE_NUMBERS) | BIT(SORTED) | BIT(HOLDS) | BIT(DISJOINT) | BIT(COMPARE) | BIT(ON_GRID) | BIT(JSON_OBJECT) | BIT(JSON_PAIR) | BIT(NAMES_OBJECT) | BIT(SKIP) | BIT(RATCHET);
#undef BIT
_Static_assert(CHECK_OPS <= 64, "needs_value has 64 bits");

bool check_all_need_value(const struct check *checks)
{
    while (needs_value >> checks->op & 1)
        checks++;
    return checks->op == CHECK_END;
}

bool check_run(struct run *run, struct place *place, const struct check *check)
{
    return functions[check->op](run, place, check);
}
