/* Checks that compare the elements of a list, the entries of a map, or the members of an object with each other. */
#include "check/name_index.h"
#include "check/ops.h"
#include "check/report.h"
#include "check/skip.h"
#include "check/walk.h"

bool check_keys(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    struct doc_node text = { .type = DOC_STRING };
    struct cursor key = { .up = cursor, .shape = &shape_string, .node = &text, .is_key = true };
    bool broken = false;
    doc_each(cursor->node, entry) {
        text.text = entry->name;
        text.count = entry->name_length;
        if (skip_checks(eval, &shape_string, check->each, &text) && !eval->trace)
            continue;
        text.offset = entry->name_offset;
        text.size = entry->offset - entry->name_offset;
        key.options = cursor->options;
        broken |= walk_checks(eval, &key, check->each, true);
    }
    return broken;
}

/* Marks element `index`: it is not checked any further. */
static void skip_rest_of(struct evaluation *eval, struct cursor *cursor, bool **marks, uint32_t index)
{
    if (!*marks) {
        *marks = evaluation_alloc(eval, cursor->node->count * sizeof **marks);
        if (!*marks)
            return;
        memset(*marks, 0, cursor->node->count * sizeof **marks);
        cursor->rest_skipped = *marks;
    }
    (*marks)[index] = true;
}

bool check_unique(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    const struct shape *of = cursor->shape->of;
    struct cursor element = { .up = cursor, .shape = of };
    int field = check->name ? evaluation_field(eval, of, check->name) : -1;
    bool broken = false, *marks = NULL;
    struct map seen;
    if (!cursor->node || cursor->node->count < 2 || !evaluation_map(eval, &seen, cursor->node->count))
        return false;
    doc_each(cursor->node, raw) {
        element.node = cursor_value(eval, NULL, of, raw);
        const struct doc_node *key = check->names || field < 0 ? element.node : cursor_element_field(eval, of, raw, (uint16_t)field);
        if (key && map_add(&seen, check->names ? name_index_key(eval, of, element.node, check->names) : doc_text(key), raw)) {
            struct cursor member = { .up = &element, .field = field < 0 ? NULL : &of->fields[field], .shape = of, .node = key };
            report(eval, check->name ? &member : &element, check, REASON_OF_RULE, key, detail_text(NULL));
            broken = true;
            if (check->rest_skipped)
                skip_rest_of(eval, cursor, &marks, element.index);
        }
        element.index++;
    }
    return broken;
}

bool check_exclusive(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    for (const char *const *name = check->names; *name; name++) {
        bool found = false;
        doc_each(cursor->node, element)
            found |= element->type == DOC_STRING && bytes_equal_text(doc_text(element), *name);
        if (!found)
            return false;
    }
    report(eval, cursor, check, REASON_OF_RULE, cursor->node, detail_names("must not be combined: ", check->names));
    return true;
}

bool check_at_most_one(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    struct cursor element = { .up = cursor, .shape = cursor->shape->of };
    uint32_t marked = 0;
    doc_each(cursor->node, raw) {
        element.node = cursor_value(eval, NULL, element.shape, raw);
        const struct doc_node *mark = cursor_element_member(eval, element.shape, raw, check->name);
        if (mark && mark->type == DOC_TRUE && marked++)
            report(eval, &element, check, REASON_OF_RULE, element.node, detail_text(NULL));
        element.index++;
    }
    return marked > 1;
}

static bool counts_as_set(const struct check *check, const struct field *field, const struct doc_node *member)
{
    if (!member || (check->is_union && member->type == DOC_ARRAY && !member->count))
        return false;
    return check->nonzero ? member_is_nonzero(member) : member_is_set(field, member);
}

/* How many of the members are set. */
static int count_set(const struct cursor *cursor, const struct check *check)
{
    const struct shape *shape = cursor->shape;
    int set = 0;
    for (unsigned i = 0, n = 0; check->names[n]; n++, i++) {
        i = shape_field_index_from(shape, i, check->names[n]);
        set += counts_as_set(check, &shape->fields[i], cursor->members[i]);
    }
    return set;
}

bool check_one_of(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    int set = count_set(cursor, check);
    enum reason reason = set == 0 ? check->none_reason : set > 1 ? check->many_reason : REASON_OF_RULE;
    if (reason == REASON_OF_RULE)
        return false;
    report(eval, cursor, check, reason, cursor->node, detail_names(set ? "must set only one of " : "must set one of ", check->names));
    return true;
}

