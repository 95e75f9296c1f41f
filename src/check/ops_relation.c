/* Checks that compare a value with other values: its siblings, values elsewhere in the object, or other objects. */
#include "base/limits.h"
#include "check/name_index.h"
#include "check/ops.h"
#include "check/others.h"
#include "check/predicate.h"
#include "check/report.h"
#include "doc/json_value.h"
#include "value/quantity.h"

/* ---- quantities ---- */

static bool read_quantity(struct evaluation *eval, const struct doc_node *node, struct quantity *quantity)
{
    enum failure failure = quantity_read(doc_text(node), &eval->workspace->arena, quantity);
    if (failure)
        eval->failure = failure;
    return !failure;
}

static int compare_nodes(struct evaluation *eval, const struct doc_node *a, const struct doc_node *b)
{
    struct quantity x, y;
    return read_quantity(eval, a, &x) && read_quantity(eval, b, &y) ? quantity_compare(&x, &y) : 0;
}

static int64_t as_int64(struct evaluation *eval, const struct doc_node *node, bool big)
{
    int64_t value = 0;
    enum failure failure = quantity_int64(doc_text(node), big, &eval->workspace->arena, &value);
    if (failure)
        eval->failure = failure;
    return value;
}

bool check_integer(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    struct quantity value;
    if (!cursor->node || !read_quantity(eval, cursor->node, &value) || value.count == 0 || (int64_t)value.count <= value.exponent)
        return false;
    report(eval, cursor, check, REASON_OF_RULE, cursor->node, detail_text("must be a whole number"));
    return true;
}

bool check_sorted(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    struct cursor element = { .up = cursor, .shape = cursor->shape->of };
    const struct doc_node *before = NULL;
    bool broken = false;
    doc_each(cursor->node, raw) {
        element.node = cursor_value(eval, NULL, element.shape, raw);
        if (before && compare_nodes(eval, before, element.node) > 0) {
            report(eval, &element, check, REASON_OF_RULE, element.node, detail_text("must be in ascending order"));
            broken = true;
        }
        before = element.node;
        element.index++;
    }
    return broken;
}

/* Whether an element before this one, in a list of a few, is the same number. */
static bool is_repeated(struct evaluation *eval, const struct cursor *list, const struct doc_node *raw, const struct doc_node *value)
{
    for (const struct doc_node *before = list->node->first; before && before != raw; before = before->next)
        if (compare_nodes(eval, cursor_value(eval, NULL, list->shape->of, before), value) == 0)
            return true;
    return false;
}

bool check_unique_quantities(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    struct cursor element = { .up = cursor, .shape = cursor->shape->of };
    bool broken = false;
    if (!cursor->node || cursor->node->count > (uint64_t)check->high)
        return false;
    doc_each(cursor->node, raw) {
        element.node = cursor_value(eval, NULL, element.shape, raw);
        if (is_repeated(eval, cursor, raw, element.node)) {
            report(eval, &element, check, REASON_OF_RULE, element.node, detail_text(NULL));
            broken = true;
        }
        element.index++;
    }
    return broken;
}

/* The API server compares each number with the next one before it takes its int64. If the next one is stored as a decimal, the comparison
 * turns the number into a decimal, too, and its int64 may be another one. */
bool check_unique_numbers(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    struct cursor element = { .up = cursor, .shape = cursor->shape->of };
    struct map seen;
    bool broken = false;
    if (!cursor->node || !evaluation_map(eval, &seen, cursor->node->count))
        return false;
    doc_each(cursor->node, raw) {
        element.node = cursor_value(eval, NULL, element.shape, raw);
        const struct doc_node *next = raw->next ? cursor_value(eval, NULL, element.shape, raw->next) : NULL;
        bool big = quantity_is_big(doc_text(element.node)) || (next && quantity_is_big(doc_text(next)));
        int64_t *value = evaluation_alloc(eval, sizeof *value);
        if (!value)
            return false;
        *value = as_int64(eval, element.node, big);
        if (map_add(&seen, (struct bytes){ (const char *)value, sizeof *value }, value)) {
            report(eval, &element, check, REASON_OF_RULE, element.node, detail_text(NULL));
            broken = true;
        }
        element.index++;
    }
    return broken;
}

bool check_contains(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    const struct doc_node *wanted = cursor_sibling(eval, cursor, check->name);
    bool found = false;
    if (!cursor->node || !wanted)
        return false;
    if (cursor->node->count <= check->high)
        doc_each(cursor->node, raw)
            found |= compare_nodes(eval, cursor_value(eval, NULL, cursor->shape->of, raw), wanted) == 0;
    if (!found)
        report(eval, cursor, check, REASON_OF_RULE, wanted, detail_text("must be one of the values listed"));
    return !found;
}

bool check_compare(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    const struct doc_node *other = cursor_sibling(eval, cursor, check->name);
    const struct doc_node *addend = check->plus ? cursor_sibling(eval, cursor, check->plus) : NULL;
    struct quantity value, bound, more = { NULL, 0, 0, false };
    int order = 0;
    if (!cursor->node || !other || (check->plus && !addend))
        return false;
    if (!read_quantity(eval, cursor->node, &value) || !read_quantity(eval, other, &bound))
        return false;
    if (addend && !read_quantity(eval, addend, &more))
        return false;
    enum failure failure = quantity_compare_sum(&value, &more, &bound, &eval->workspace->arena, &order);
    if (failure)
        eval->failure = failure;
    if (failure || order * check->high <= 0)
        return false;
    report(eval, cursor, check, REASON_OF_RULE, cursor->node, detail_text(check->high < 0 ? "is too small" : "is too large"));
    return true;
}

static bool is_big(const struct doc_node *node)
{
    return node && quantity_is_big(doc_text(node));
}

/* A number becomes a decimal when the API server compares it with one. It compares the others with each other, the base with the others,
 * and a value that is not one of the others with all of them. Subtraction wraps, and the remainder has the sign of the difference, as in
 * Go. A step of 0 is refused: on it the API server panics. */
bool check_on_grid(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    const struct doc_node *value = cursor_sibling(eval, cursor, check->name), *base = cursor_sibling(eval, cursor, check->plus);
    if (!cursor->node || !value || !base)
        return false;
    bool others_big = false, is_other = false;
    for (const char *const *other = check->names; *other; other++) {
        others_big |= is_big(cursor_sibling(eval, cursor, *other));
        is_other |= strcmp(*other, check->name) == 0;
    }
    bool base_big = others_big || is_big(base), value_big = (is_other ? others_big : base_big) || is_big(value);
    int64_t step = as_int64(eval, cursor->node, quantity_is_big(doc_text(cursor->node)));
    uint64_t distance = (uint64_t)as_int64(eval, value, value_big) - (uint64_t)as_int64(eval, base, base_big);
    if (eval->failure || (step && (step == -1 || (int64_t)distance % step == 0)))
        return false;
    report(eval, cursor, check, REASON_OF_RULE, cursor->node, detail_text("must divide the distance from the smallest value"));
    return true;
}

/* ---- lists ---- */

bool check_disjoint(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    const struct doc_node *other = cursor_sibling(eval, cursor, check->name);
    struct cursor element = { .up = cursor, .shape = cursor->shape->of };
    struct map taken;
    bool broken = false;
    if (!cursor->node || !other || !evaluation_map(eval, &taken, other->count))
        return false;
    doc_each(other, raw)
        (void)map_add(&taken, doc_text(cursor_value(eval, NULL, element.shape, raw)), raw);
    doc_each(cursor->node, raw) {
        element.node = cursor_value(eval, NULL, element.shape, raw);
        if (map_find(&taken, doc_text(element.node))) {
            report(eval, &element, check, REASON_OF_RULE, element.node, detail_text("must not be in both lists"));
            broken = true;
        }
        element.index++;
    }
    return broken;
}

bool check_exact_items(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    if (!cursor->node || cursor->node->count == check->high)
        return false;
    report(eval, cursor, check, REASON_OF_RULE, NULL,
           detail_number("must have exactly ", check->high, check->high == 1 ? " entry" : " entries"));
    return true;
}

bool check_sum_items(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    int64_t sum = 0;
    for (const char *const *name = check->names; *name; name++) {
        const struct doc_node *member = cursor->members[evaluation_field(eval, cursor->shape, *name)];
        sum += member ? member->count : 0;
    }
    if (sum <= check->high)
        return false;
    report(eval, cursor, check, REASON_OF_RULE, NULL, detail_number("must have at most ", check->high, " entries together"));
    return true;
}

bool check_keys_in(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    const struct doc_node *other = cursor_sibling(eval, cursor, check->name);
    struct map known;
    bool broken = false;
    if (!cursor->node || !evaluation_map(eval, &known, other ? other->count : 0))
        return false;
    doc_each(other, entry)
        (void)map_add(&known, doc_name(entry), entry);
    doc_each(cursor->node, entry) {
        if (!text_begins(doc_name(entry), check->names) || map_find(&known, doc_name(entry)))
            continue;
        struct doc_node text;
        struct cursor key = cursor_key(cursor, entry, &text);
        report(eval, &key, check, REASON_OF_RULE, &text, (struct detail){ .before = "must also be in ", .after = check->name });
        broken = true;
    }
    return broken;
}

/* ---- elsewhere in the object ---- */

bool check_matches(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    const struct name_index *index = name_index_of_texts(eval, cursor, check->name, check->names);
    struct bytes key = index ? name_index_key(eval, cursor->shape, cursor->node, check->names) : (struct bytes){ NULL, 0 };
    if (!index || eval->failure || map_find(&index->map, key))
        return false;
    report(eval, cursor, check, REASON_OF_RULE, NULL, (struct detail){ .before = "must match an entry of ", .after = check->name });
    return true;
}

bool check_reference(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    const struct name_index *index = name_index_of(eval, cursor, check->reference);
    if (!index || !cursor->node || map_find(&index->map, doc_text(cursor->node)))
        return false;
    report(eval, cursor, check, REASON_OF_RULE, cursor->node, detail_text("must be the name of an entry, or NAME/NAME of one below it"));
    return true;
}

/* A value that the reader skipped has no children, so nothing is reported. */
bool check_json_pair(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    bool first = doc_member(cursor->node, check->names[0]) != NULL, second = doc_member(cursor->node, check->names[1]) != NULL;
    if (first == second)
        return false;
    report(eval, cursor, check, REASON_OF_RULE, NULL, detail_names("should have both of these, or neither: ", check->names));
    return true;
}

bool check_json_object(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    struct json_value value;
    if (!cursor->node)
        return false;
    json_value_measure(eval->request->document, cursor->node, &value);
    if (value.bytes > (uint64_t)check->high) {
        report(eval, cursor, check, REASON_TOO_LONG, NULL, detail_number("may not be more than ", check->high, " bytes of JSON"));
        return true;
    }
    if (value.is_object && !value.overflows)
        return false;
    report(eval, cursor, check, REASON_OF_RULE, NULL,
           detail_text(value.is_object ? "contains a number that is too large" : "must be an object"));
    return true;
}

/* ---- other objects ---- */

bool check_wanted(struct evaluation *eval, const struct cursor *cursor, const struct check *check, struct bytes text,
                  struct wanted *wanted)
{
    uint32_t before = check->names ? (uint32_t)strlen(check->names[0]) : 0;
    if (text.length <= before || memcmp(text.data, before ? check->names[0] : "", before) != 0)
        return false;
    const struct doc_node *space = cursor_find(eval, cursor, "metadata.namespace", false).node;
    *wanted = (struct wanted){
        .group = check->plus, .kind = check->name, .name = { text.data + before, text.length - before },
        .space = space && space->type == DOC_STRING ? doc_text(space) : (struct bytes){ "", 0 },
    };
    return true;
}

/* "names no Kind that is given", and why not the one of that name. */
static const char *missing_words(struct evaluation *eval, const struct wanted *wanted, enum presence presence)
{
    struct text text;
    text_init(&text, &eval->workspace->arena);
    text_add(&text, "names no ");
    text_add(&text, wanted->kind);
    text_add(&text, " that is given");
    if (presence == PRESENCE_ELSEWHERE) {
        text_add(&text, " in namespace ");
        text_add_quoted(&text, wanted->space, LIMIT_QUOTE_BYTES);
        text_add(&text, ", only one in another");
    }
    return evaluation_text(eval, &text);
}

/* A name that no given object has: many objects may have it, so it is reported once. A typing error is always reported, as a warning. */
bool check_names_object(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    struct others *others = eval->request->others;
    struct wanted wanted;
    if (!cursor->node || cursor->node->type != DOC_STRING || !check_wanted(eval, cursor, check, doc_text(cursor->node), &wanted))
        return false;
    enum presence presence = others->presence(others, &wanted);
    eval->failure = others->failure(others);
    if (presence == PRESENCE_GIVEN || presence == PRESENCE_UNKNOWN || eval->failure)
        return false;
    struct bytes near = others->near(others, &wanted);
    bool typo = near.data && presence == PRESENCE_MISSING;
    if (!typo && (check->strict || !others->missed_first(others, check->name, wanted.name)))
        return false;
    struct check row = *check;
    if (typo)
        row.severity = SEVERITY_WARNING;
    report_conflict(eval, cursor, &row, cursor->node, missing_words(eval, &wanted, presence), NULL);
    return true;
}
