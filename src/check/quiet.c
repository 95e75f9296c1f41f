/* Values about which no row has anything to say, seen at a glance: without a place, siblings or conditions. Most values of a large
 * object are of that kind. What is not seen here is nothing against a value: then the walk asks its rows one by one. */
#include "check/run.h"

static bool is_text(const struct shape *shape, const struct doc_node *node)
{
    return shape->type == SHAPE_STRING && node->type == DOC_STRING;
}

/* Whether the check passes, in whatever operation and condition it applies. */
static inline bool passes(const struct shape *shape, const struct check *check, const struct doc_node *node)
{
    int64_t value;
    switch (check->op) {
    case CHECK_WRITTEN:   return !(node->flags & DOC_IMPLIED);
    case CHECK_REQUIRED:
    case CHECK_NON_EMPTY: return is_text(shape, node) && node->count;
    case CHECK_MAX_BYTES: return node->count <= check->high;
    case CHECK_FORMAT:    return is_text(shape, node) && format_is_plain(check->format, doc_text(node));
    case CHECK_RANGE:     return shape->type != SHAPE_QUANTITY && doc_integer(node, check->low, check->high, &value);
    default:              return false; /* of so many operations, these few can be told */
    }
}

bool quiet_rows(const struct run *run, const struct shape *shape, const struct check *checks, const struct doc_node *node)
{
    if (checks)
        for (; checks->op != CHECK_END; checks++)
            if (versions_include(checks->versions, run->request->version) && !passes(shape, checks, node))
                return false;
    return true;
}

/* A value that holds no others. */
static inline bool quiet_scalar(const struct run *run, const struct shape *shape, const struct check *checks, const struct doc_node *node)
{
    bool holds = shape->type == SHAPE_OBJECT || shape->type == SHAPE_LIST || shape->type == SHAPE_MAP;
    return !holds && node->type != DOC_NULL && quiet_rows(run, shape, checks, node) && quiet_rows(run, shape, shape->checks, node);
}

static inline bool is_single(uint64_t bits)
{
    return bits && !(bits & (bits - 1));
}

static bool quiet_object(struct run *run, const struct shape *shape, const struct doc_node *node)
{
    const struct outline *outline = outline_of(&run->worker->outlines, shape);
    uint64_t set = 0;
    if (!outline->plain || node->type != DOC_OBJECT || (run->request->default_gates && outline->gated))
        return false;
    for (const struct doc_node *member = node->first; member; member = member->next) {
        if (member->field >= shape->field_count)
            continue;
        const struct field *field = &shape->fields[member->field];
        uint64_t bit = (uint64_t)1 << member->field;
        if (set & bit || member->type == DOC_NULL || (outline->heard & bit && !quiet_scalar(run, field->shape, field->checks, member)))
            return false;
        set |= bit;
    }
    for (unsigned i = 0; i < outline->choice_count; i++)
        if (!is_single(outline->choices[i] & set))
            return false;
    return !((outline->heard_unset | (outline->heard & outline->filled)) & ~set);
}

static inline bool same_scalar(const struct doc_node *a, const struct doc_node *b)
{
    bool has_text = a->type == DOC_STRING || a->type == DOC_NUMBER;
    return a->type == b->type && a->flags == b->flags && a->type != DOC_OBJECT && a->type != DOC_ARRAY && a->type != DOC_SKIPPED &&
           (!has_text || bytes_equal(doc_text(a), doc_text(b)));
}

bool quiet_twins(const struct doc_node *a, const struct doc_node *b)
{
    if (a->type != DOC_OBJECT || b->type != DOC_OBJECT || a->flags != b->flags || a->count != b->count)
        return same_scalar(a, b);
    const struct doc_node *other = b->first;
    for (const struct doc_node *member = a->first; member; member = member->next, other = other->next)
        if (member->field != other->field || !same_scalar(member, other))
            return false;
    return true;
}

bool quiet_value(struct run *run, const struct shape *shape, const struct doc_node *node)
{
    return shape->type == SHAPE_OBJECT ? quiet_object(run, shape, node) : quiet_scalar(run, shape, NULL, node);
}
