/* Checks of updates: what must not change. */
#include "check/equal.h"
#include "check/name_index.h"
#include "check/ops.h"
#include "check/report.h"

bool check_immutable(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    if (!cursor->has_old || equal_values(eval, cursor->shape, cursor->node, cursor->old, check->strict))
        return false;
    report(eval, cursor, check, REASON_OF_RULE, cursor->node, detail_text("field is immutable"));
    return true;
}

/* The old elements with one key. */
struct old_elements {
    const struct doc_node *first;
    bool differ; /* they are not all equal */
};

/* Adds the elements of the old list to `index`, by their keys. Returns NULL when there is no memory. */
static struct old_elements *index_old(struct evaluation *eval, const struct cursor *cursor, const struct check *check, struct map *index)
{
    const struct shape *of = cursor->shape->of;
    struct old_elements *all = evaluation_alloc(eval, (cursor->old->count + 1) * sizeof *all), *next = all;
    if (!all)
        return NULL;
    doc_each(cursor->old, raw) {
        const struct doc_node *element = cursor_value(eval, NULL, of, raw);
        *next = (struct old_elements){ element, false };
        struct old_elements *earlier = map_add(index, doc_text(cursor_element_member(eval, of, raw, check->name)), next);
        if (earlier && !equal_objects(eval, of, element, earlier->first, check->names, false))
            earlier->differ = true;
        next += !earlier;
    }
    return all;
}

bool check_immutable_by_key(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    const struct shape *of = cursor->shape->of;
    struct map index;
    if (!cursor->has_old || !cursor->old || !cursor->node)
        return false;
    if (!evaluation_map(eval, &index, cursor->old->count) || !index_old(eval, cursor, check, &index))
        return false;
    struct cursor element = { .up = cursor, .shape = of };
    bool broken = false;
    doc_each(cursor->node, raw) {
        element.node = cursor_value(eval, NULL, of, raw);
        const struct old_elements *old = map_find(&index, doc_text(cursor_element_member(eval, of, raw, check->name)));
        element.old = old ? old->first : NULL;
        if (old && (old->differ || !equal_objects(eval, of, element.node, old->first, check->names, false))) {
            report(eval, &element, check, REASON_OF_RULE, element.node, detail_text("field is immutable"));
            broken = true;
        }
        element.index++;
    }
    return broken;
}

/* The key of an element: its text, or the texts of some members. */
static struct bytes key_of(struct evaluation *eval, const struct shape *shape, const struct doc_node *element, const struct check *check)
{
    return check->names ? name_index_key(eval, shape, element, check->names) : doc_text(element);
}

bool check_no_additions(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    struct cursor element = { .up = cursor, .shape = cursor->shape->of };
    struct map old;
    bool broken = false;
    if (!cursor->has_old || !evaluation_map(eval, &old, cursor->old ? cursor->old->count : 0))
        return false;
    doc_each(cursor->old, raw)
        (void)map_add(&old, key_of(eval, element.shape, cursor_value(eval, NULL, element.shape, raw), check), raw);
    doc_each(cursor->node, raw) {
        element.node = cursor_value(eval, NULL, element.shape, raw);
        if (!map_find(&old, key_of(eval, element.shape, element.node, check))) {
            report(eval, &element, check, REASON_OF_RULE, element.node, detail_text("must not be added by this update"));
            broken = true;
        }
        element.index++;
    }
    return broken;
}

