/* Checks that relate a value to others: in its list, beside it, or elsewhere in the object. */
#include "check/checks.h"
#include "doc/json_value.h"
#include "value/quantity.h"

/* ---- quantities ---- */

static bool read_quantity(struct run *run, const struct doc_node *node, struct quantity *quantity)
{
    enum failure failure = quantity_read(doc_text(node), &run->worker->arena, quantity);
    if (failure)
        run->failure = failure;
    return !failure;
}

static int compare_nodes(struct run *run, const struct doc_node *a, const struct doc_node *b)
{
    struct quantity x, y;
    return read_quantity(run, a, &x) && read_quantity(run, b, &y) ? quantity_compare(&x, &y) : 0;
}

static int64_t as_int64(struct run *run, const struct doc_node *node, bool big)
{
    int64_t value = 0;
    enum failure failure = quantity_int64(doc_text(node), big, &run->worker->arena, &value);
    if (failure)
        run->failure = failure;
    return value;
}

bool check_whole(struct run *run, struct place *place, const struct check *check)
{
    struct quantity value;
    if (!place->node || !read_quantity(run, place->node, &value) || value.count == 0 || (int64_t)value.count <= value.exponent)
        return false;
    report(run, place, check, REASON_OF_RULE, place->node, detail_text("must be a whole number"));
    return true;
}

bool check_sorted(struct run *run, struct place *place, const struct check *check)
{
    struct place element = { .up = place, .shape = place->shape->of };
    const struct doc_node *before = NULL;
    bool broken = false;
    doc_each(place->node, raw) {
        element.node = place_value(run, NULL, element.shape, raw);
        if (before && compare_nodes(run, before, element.node) > 0) {
            report(run, &element, check, REASON_OF_RULE, element.node, detail_text("must be in ascending order"));
            broken = true;
        }
        before = element.node;
        element.index++;
    }
    return broken;
}

/* A number becomes another int64 when it was compared with the one behind it, and that one is held as a decimal. */
bool check_unique_numbers(struct run *run, struct place *place, const struct check *check)
{
    struct place element = { .up = place, .shape = place->shape->of };
    struct set seen;
    bool broken = false;
    if (!place->node || !run_set(run, &seen, place->node->count))
        return false;
    doc_each(place->node, raw) {
        element.node = place_value(run, NULL, element.shape, raw);
        const struct doc_node *next = raw->next ? place_value(run, NULL, element.shape, raw->next) : NULL;
        bool big = quantity_is_big(doc_text(element.node)) || (next && quantity_is_big(doc_text(next)));
        int64_t *value = run_alloc(run, sizeof *value);
        if (!value)
            return false;
        *value = as_int64(run, element.node, big);
        if (set_add(&seen, (struct bytes){ (const char *)value, sizeof *value }, value)) {
            report(run, &element, check, REASON_OF_RULE, element.node, detail_text(NULL));
            broken = true;
        }
        element.index++;
    }
    return broken;
}

bool check_holds(struct run *run, struct place *place, const struct check *check)
{
    const struct doc_node *wanted = place_sibling(place, check->name);
    bool found = false;
    if (!place->node || !wanted)
        return false;
    if (place->node->count <= check->high)
        doc_each(place->node, raw)
            found |= compare_nodes(run, place_value(run, NULL, place->shape->of, raw), wanted) == 0;
    if (!found)
        report(run, place, check, REASON_OF_RULE, wanted, detail_text("must be one of the values listed"));
    return !found;
}

bool check_compare(struct run *run, struct place *place, const struct check *check)
{
    const struct doc_node *other = place_sibling(place, check->name), *addend = check->plus ? place_sibling(place, check->plus) : NULL;
    struct quantity value, bound, more = { NULL, 0, 0, false };
    int order = 0;
    if (!place->node || !other || (check->plus && !addend) || !read_quantity(run, place->node, &value) || !read_quantity(run, other, &bound) ||
        (addend && !read_quantity(run, addend, &more)))
        return false;
    enum failure failure = quantity_compare_sum(&value, &more, &bound, &run->worker->arena, &order);
    if (failure)
        run->failure = failure;
    if (failure || order * check->high <= 0)
        return false;
    report(run, place, check, REASON_OF_RULE, place->node, detail_text(check->high < 0 ? "is too small beside the others" : addend ? "is too large for one step" : "is too large beside the others"));
    return true;
}

static bool is_big(const struct doc_node *node)
{
    return node && quantity_is_big(doc_text(node));
}

/* A number becomes a decimal when it is compared with one. The others are compared among themselves, the base with them, and a value that is none
 * of them with all. Subtraction wraps and the remainder has its sign, as in Go; a step that is 0, on which the API server stops with a fault, is
 * broken. */
bool check_on_grid(struct run *run, struct place *place, const struct check *check)
{
    const struct doc_node *value = place_sibling(place, check->name), *base = place_sibling(place, check->plus);
    if (!place->node || !value || !base)
        return false;
    bool others_big = false, is_other = false;
    for (const char *const *other = check->names; *other; other++) {
        others_big |= is_big(place_sibling(place, *other));
        is_other |= strcmp(*other, check->name) == 0;
    }
    bool base_big = others_big || is_big(base), value_big = (is_other ? others_big : base_big) || is_big(value);
    int64_t step = as_int64(run, place->node, quantity_is_big(doc_text(place->node)));
    uint64_t distance = (uint64_t)as_int64(run, value, value_big) - (uint64_t)as_int64(run, base, base_big);
    if (run->failure || (step && (step == -1 || (int64_t)distance % step == 0)))
        return false;
    report(run, place, check, REASON_OF_RULE, place->node, detail_text("must divide the distance from the smallest value without a rest"));
    return true;
}

/* ---- lists ---- */

bool check_disjoint(struct run *run, struct place *place, const struct check *check)
{
    const struct doc_node *other = place_sibling(place, check->name);
    struct place element = { .up = place, .shape = place->shape->of };
    struct set taken;
    bool broken = false;
    if (!place->node || !other || !run_set(run, &taken, other->count))
        return false;
    doc_each(other, raw)
        (void)set_add(&taken, doc_text(place_value(run, NULL, element.shape, raw)), raw);
    doc_each(place->node, raw) {
        element.node = place_value(run, NULL, element.shape, raw);
        if (set_find(&taken, doc_text(element.node))) {
            report(run, &element, check, REASON_OF_RULE, element.node, detail_text("must not be in both lists"));
            broken = true;
        }
        element.index++;
    }
    return broken;
}

bool check_exact_items(struct run *run, struct place *place, const struct check *check)
{
    if (!place->node || place->node->count == check->high)
        return false;
    report(run, place, check, REASON_OF_RULE, NULL, detail_number("must have exactly ", check->high, check->high == 1 ? " entry" : " entries"));
    return true;
}

bool check_sum_items(struct run *run, struct place *place, const struct check *check)
{
    int64_t sum = 0;
    for (const char *const *name = check->names; *name; name++) {
        const struct doc_node *member = place->members[place_field(place->shape, *name)];
        sum += member ? member->count : 0;
    }
    if (sum <= check->high)
        return false;
    report(run, place, check, REASON_OF_RULE, NULL, detail_number("must have at most ", check->high, " of them together"));
    return true;
}

bool check_also_in(struct run *run, struct place *place, const struct check *check)
{
    const struct doc_node *other = place_sibling(place, check->name);
    struct set known;
    bool broken = false;
    if (!place->node || !run_set(run, &known, other ? other->count : 0))
        return false;
    doc_each(other, entry)
        (void)set_add(&known, doc_name(entry), entry);
    doc_each(place->node, entry) {
        if (!text_begins(doc_name(entry), check->names) || set_find(&known, doc_name(entry)))
            continue;
        struct doc_node text;
        struct place key = place_key(place, entry, &text);
        report(run, &key, check, REASON_OF_RULE, &text, (struct detail){ .before = "must also be in ", .after = check->name });
        broken = true;
    }
    return broken;
}

/* ---- other places ---- */

bool check_matches(struct run *run, struct place *place, const struct check *check)
{
    const struct index *index = index_of_objects(run, place, check->name, check->names);
    struct bytes key = index ? index_key(run, place->shape, place->node, check->names) : (struct bytes){ NULL, 0 };
    if (!index || run->failure || set_find(&index->set, key))
        return false;
    report(run, place, check, REASON_OF_RULE, NULL, detail_text("must be one of those at the place it refers to"));
    return true;
}

bool check_reference(struct run *run, struct place *place, const struct check *check)
{
    const struct index *index = index_of_names(run, place, check->reference);
    if (!index || !place->node || set_find(&index->set, doc_text(place->node)))
        return false;
    report(run, place, check, REASON_OF_RULE, place->node, detail_text("must name one of them, or one of them, a slash and one below it"));
    return true;
}

/* A value that the reader skipped has no children, so nothing is said about it. */
bool check_json_pair(struct run *run, struct place *place, const struct check *check)
{
    bool first = doc_member(place->node, check->names[0]) != NULL, second = doc_member(place->node, check->names[1]) != NULL;
    if (first == second)
        return false;
    report(run, place, check, REASON_OF_RULE, NULL, detail_names("should have both of these, or neither: ", check->names));
    return true;
}

bool check_json_object(struct run *run, struct place *place, const struct check *check)
{
    struct json_value value;
    if (!place->node)
        return false;
    json_value_look(run->request->document, place->node, &value);
    if (value.bytes > (uint64_t)check->high) {
        report(run, place, check, REASON_TOO_LONG, NULL, detail_number("may not be more than ", check->high, " bytes of JSON"));
        return true;
    }
    if (value.is_object && !value.overflows)
        return false;
    report(run, place, check, REASON_OF_RULE, NULL, detail_text(value.is_object ? "holds a number that is too large" : "must be an object"));
    return true;
}
