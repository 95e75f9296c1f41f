/* Fast paths: recognises values that break no row, by the value and its rows alone, without cursors, siblings and conditions. Most values
 * of a large object are of that kind. For all others the walk runs the rows one by one. */
#include "check/skip.h"

#include "base/fast_paths.h"
#include "check/shape_summary.h"

static bool is_string(const struct shape *shape, const struct doc_node *node)
{
    return shape->type == SHAPE_STRING && node->type == DOC_STRING;
}

/* Whether the check passes, whatever the operation and its conditions are. */
static inline bool passes(const struct shape *shape, const struct check *check, const struct doc_node *node)
{
    int64_t value;
    switch (check->op) {
    case CHECK_EXPLICIT:   return !(node->flags & DOC_IMPLIED);
    case CHECK_REQUIRED:
    case CHECK_NON_EMPTY: return is_string(shape, node) && node->count;
    case CHECK_MAX_BYTES: return node->count <= check->high;
    case CHECK_FORMAT:    return is_string(shape, node) && format_is_plain(check->format, doc_text(node));
    case CHECK_RANGE:     return shape->type != SHAPE_QUANTITY && doc_integer(node, check->low + check->strict, check->high, &value);
    default:              return false; /* the other operations need more than the value */
    }
}

bool skip_checks(const struct evaluation *eval, const struct shape *shape, const struct check *checks, const struct doc_node *node)
{
    if (!FAST_PATHS)
        return false;
    if (checks)
        for (; checks->op != CHECK_END; checks++)
            if (versions_include(checks->versions, eval->request->version) && !passes(shape, checks, node))
                return false;
    return true;
}

/* A value that is no container: neither the checks of its field nor those of its shape are broken. */
static inline bool skip_scalar(const struct evaluation *eval, const struct shape *shape, const struct check *checks,
                               const struct doc_node *node)
{
    bool container = shape->type == SHAPE_OBJECT || shape->type == SHAPE_LIST || shape->type == SHAPE_MAP;
    return !container && node->type != DOC_NULL && skip_checks(eval, shape, checks, node) && skip_checks(eval, shape, shape->checks, node);
}

bool skip_member(const struct evaluation *eval, const struct field *field, const struct doc_node *member)
{
    return FAST_PATHS && skip_scalar(eval, field->shape, field->checks, member);
}

static inline bool is_single(uint64_t bits)
{
    return bits && !(bits & (bits - 1));
}

static bool skip_object(struct evaluation *eval, const struct shape *shape, const struct doc_node *node)
{
    struct shape_summary scratch;
    const struct shape_summary *summary = shape_summary_of(&eval->workspace->context->shape_summaries, shape, &scratch);
    uint64_t set = 0;
    if (!summary->plain || node->type != DOC_OBJECT)
        return false;
    for (const struct doc_node *member = node->first; member; member = member->next) {
        if (member->field >= shape->field_count)
            continue;
        const struct field *field = &shape->fields[member->field];
        uint64_t bit = (uint64_t)1 << member->field;
        if (set & bit || member->type == DOC_NULL)
            return false;
        if (summary->checked_if_set & bit && !skip_scalar(eval, field->shape, field->checks, member))
            return false;
        set |= bit;
    }
    for (unsigned i = 0; i < summary->choice_count; i++)
        if (!is_single(summary->choices[i] & set))
            return false;
    return !((summary->checked_if_unset | (summary->checked_if_set & summary->valued_if_unset)) & ~set);
}

bool skip_value(struct evaluation *eval, const struct shape *shape, const struct doc_node *node)
{
    if (!FAST_PATHS)
        return false;
    return shape->type == SHAPE_OBJECT ? skip_object(eval, shape, node) : skip_scalar(eval, shape, NULL, node);
}
