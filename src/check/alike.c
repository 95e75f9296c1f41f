#include "check/alike.h"

#include "base/fast_paths.h"
#include "check/shape_summary.h"
#include "check/skip.h"

/* With other objects, with gates that drop fields, or with a trace, rows do more than to look at values; where members are repeated, nodes
 * are not as they were read. */
bool alike_allowed(const struct check_request *request)
{
    const struct document *document = request->document;
    bool plain = document->shares_nodes && !document->has_duplicates && !request->several_versions;
    return FAST_PATHS && plain && !request->others && !request->trace && !request->gates_off;
}

static bool is_container(const struct doc_node *node)
{
    return node->type == DOC_OBJECT || node->type == DOC_ARRAY;
}

/* Whether rows that only count cannot tell one from the other. */
static bool counts_alike(const struct field *field, const struct doc_node *a, const struct doc_node *b)
{
    return a->type == b->type && (is_container(a) ? a->count == b->count : field->pointer);
}

/* The members by field, and the set of them. False when one is repeated. */
static bool members_by_field(const struct shape *shape, const struct doc_node *object, const struct doc_node *members[LIMIT_FIELDS],
                             uint64_t *set)
{
    *set = 0;
    for (const struct doc_node *member = object->first; member; member = member->next) {
        uint64_t bit = member->field < shape->field_count ? (uint64_t)1 << member->field : 0;
        if (*set & bit)
            return false;
        if (bit)
            members[member->field] = member;
        *set |= bit;
    }
    return true;
}

/* Which members differ, and which of them not only in their value. */
static void compare_members(const struct shape *shape, const struct doc_node *const *members, const struct alike *alike, uint64_t *changed,
                            uint64_t *counted)
{
    for (uint64_t left = alike->pairs; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctzll(left);
        uint64_t bit = (uint64_t)1 << i;
        if (alike_same(members[i], alike->others[i]))
            continue;
        *changed |= bit;
        *counted |= counts_alike(&shape->fields[i], members[i], alike->others[i]) ? 0 : bit;
    }
}

/* The members with rows that look at others that changed. */
static uint64_t lookers(const struct looks *looks, uint64_t changed)
{
    uint64_t members = 0;
    for (uint64_t left = looks->watchers; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctzll(left);
        members |= looks->watched[i] & changed ? (uint64_t)1 << i : 0;
    }
    return members;
}

/* The members that are set and break no row, whatever stands beside them. */
static uint64_t clean_members(const struct evaluation *eval, const struct shape *shape, const struct doc_node *const *members, uint64_t set)
{
    uint64_t clean = 0;
    for (uint64_t left = set; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctzll(left);
        clean |= skip_member(eval, &shape->fields[i], members[i]) ? (uint64_t)1 << i : 0;
    }
    return clean;
}

bool alike_compare(struct evaluation *eval, const struct cursor *cursor, struct alike *alike)
{
    const struct shape *shape = cursor->shape;
    const struct doc_node *node = cursor->node, *other = cursor->alike, *members[LIMIT_FIELDS];
    struct shape_summary scratch;
    const struct looks *looks = &shape_summary_of(&eval->workspace->context->shape_summaries, shape, &scratch)->looks;
    const bool old = eval->request->old;
    uint64_t set, other_set;
    if (!looks->known || node->type != DOC_OBJECT || other->type != DOC_OBJECT || (node->flags ^ other->flags) & ~DOC_WELL_TYPED)
        return false;
    alike->walked = looks->always | (old ? looks->old : 0);
    alike->own_checks = looks->own_always || (old && looks->own_old);
    alike->pairs = 0;
    if (alike_same(node, other) && !alike->walked)
        return true;
    if (!members_by_field(shape, node, members, &set) || !members_by_field(shape, other, alike->others, &other_set))
        return false;
    alike->pairs = set & other_set;
    const uint64_t gated = looks->gated & alike->walked; /* the rows below may not have been run */
    uint64_t changed = set ^ other_set, counted = changed;
    compare_members(shape, members, alike, &changed, &counted);
    alike->own_checks |= (changed & looks->own_values) || (counted & looks->own_counts);
    uint64_t doubted = lookers(looks, changed), walked = changed | doubted;
    alike->pairs &= ~(doubted | gated | (looks->gated_by_value & changed)); /* nothing is known of what is below them */
    alike->walked |= walked & ~clean_members(eval, shape, members, walked & set);
    return true;
}

bool alike_settles(const struct evaluation *eval, const struct shape *shape)
{
    struct shape_summary scratch;
    if (shape->type != SHAPE_OBJECT)
        return false;
    const struct looks *looks = &shape_summary_of(&eval->workspace->context->shape_summaries, shape, &scratch)->looks;
    const bool old = eval->request->old;
    return looks->known && !looks->always && !looks->own_always && !(old && (looks->old || looks->own_old));
}

bool alike_keys(const struct doc_node *map, const struct doc_node *other)
{
    if (map->type != DOC_OBJECT || other->type != DOC_OBJECT || map->count != other->count)
        return false;
    const struct doc_node *entry = map->first;
    for (const struct doc_node *before = other->first; entry && before; entry = entry->next, before = before->next)
        if (entry->name_length != before->name_length || (entry->name != before->name && !bytes_equal(doc_name(entry), doc_name(before))))
            return false;
    return true;
}
