/* The one walk over an object and its old counterpart: down the shapes, with the checks that stand on the way. */
#include "check/walk.h"

#include "check/alike.h"
#include "check/ops.h"
#include "check/partial.h"
#include "check/predicate.h"
#include "check/report.h"
#include "check/row_counts.h"
#include "check/shape_summary.h"
#include "check/skip.h"
#include "check/trace.h"

/* Whether the check is for this operation and set. */
static inline bool is_meant(const struct evaluation *eval, const struct check *check)
{
    unsigned operation = eval->request->operation;
    if (check->needs_set && !eval->request->others)
        return false;
    return !check->when || (check->when & operation) || (check->when == CREATE_CLEAN && operation == CREATE);
}

/* Whether it is, and its condition holds. */
static inline bool applies(struct evaluation *eval, const struct cursor *cursor, const struct check *check, bool shape_check)
{
    if (!is_meant(eval, check))
        return false;
    return !check->only_if || !predicates_unmet(eval, cursor, check->only_if, shape_check);
}

/* walk_checks(). `traced` is a constant where this is called, so that what is not traced does not pay for it. */
static inline bool run_checks(struct evaluation *eval, struct cursor *cursor, const struct check *checks, bool shape_check, bool traced)
{
    for (; checks->op != CHECK_END && !eval->failure; checks++) {
        bool in_version = versions_include(checks->versions, eval->request->version);
        if (!(in_version || COUNTING_ROWS || traced) || (cursor->same_keys && looks_at_keys(checks)))
            continue;
        const struct finding *last = traced ? eval->findings->last : NULL;
        bool applied = applies(eval, cursor, checks, shape_check), broken = in_version && applied && ops_run(eval, cursor, checks);
        row_count_check(eval, cursor, checks, applied, broken);
        if (traced)
            trace_check(eval, cursor, checks, predicates_unmet(eval, cursor, checks->only_if, shape_check), broken, last);
        bool stopped = broken && checks->stop && eval->request->version >= checks->stop_since;
        if (traced && stopped)
            trace_stopped(eval, cursor, checks);
        if (stopped)
            return true;
    }
    return false;
}

__attribute__((cold, noinline)) static bool trace_checks(struct evaluation *eval, struct cursor *cursor, const struct check *checks,
                                                         bool shape_check)
{
    return run_checks(eval, cursor, checks, shape_check, true);
}

/* The same for an object with values of wrong types. */
__attribute__((cold, noinline)) static bool partial_checks(struct evaluation *eval, struct cursor *cursor, const struct check *checks,
                                                           bool shape_check)
{
    for (; checks->op != CHECK_END && !eval->failure; checks++) {
        if (!versions_include(checks->versions, eval->request->version) || !is_meant(eval, checks))
            continue;
        bool allowed = partial_allows(cursor, checks, shape_check);
        if (!allowed && partial_excuses(checks))
            return true;
        bool broken = allowed && applies(eval, cursor, checks, shape_check) && ops_run(eval, cursor, checks);
        if (broken && checks->stop && eval->request->version >= checks->stop_since)
            return true;
    }
    return false;
}

bool walk_checks(struct evaluation *eval, struct cursor *cursor, const struct check *checks, bool shape_check)
{
    if (eval->partial)
        return partial_checks(eval, cursor, checks, shape_check);
    if (eval->trace)
        return trace_checks(eval, cursor, checks, shape_check);
    return run_checks(eval, cursor, checks, shape_check, false);
}

/* The same for a row that may be missing, as most are. */
static inline bool stops(struct evaluation *eval, struct cursor *cursor, const struct check *checks, bool shape_check)
{
    return checks && walk_checks(eval, cursor, checks, shape_check);
}

/* Whether there is nothing to check, as the feature gate of a field is off and nobody has written it. */
static bool is_gated(struct evaluation *eval, const struct cursor *member)
{
    bool written = member->node && !(member->node->flags & DOC_IMPLIED), gated = !written && field_gated(eval, member->field);
    if (gated && eval->trace)
        trace_value(eval, member, TRACE_VALUE);
    return gated;
}

static void walk_member(struct evaluation *eval, struct cursor *cursor, const struct members *members, unsigned i,
                        const struct doc_node *alike)
{
    const struct field *field = &cursor->shape->fields[i];
    if (!field_exists(eval, field)) {
        if (eval->trace)
            trace_no_field(eval, cursor, field);
        return;
    }
    struct cursor member = {
        .up = cursor, .field = field, .shape = field->shape, .node = members->members[i], .options = cursor->options,
        .has_old = cursor->old_members, .old = cursor->old_members ? members->old_members[i] : NULL, .alike = alike,
    };
    /* Or both are written alike and share a node: then they are in one document, so it does not matter. */
    member.is_kept = member.has_old && member.node && member.node == member.old;
    if (!is_gated(eval, &member))
        walk_value(eval, &member);
}

static void walk_object(struct evaluation *eval, struct cursor *cursor)
{
    const struct shape *shape = cursor->shape;
    struct members members;
    struct alike alike; /* not cleared: it is large */
    if (!cursor->alike || !alike_compare(eval, cursor, &alike)) {
        alike.walked = UINT64_MAX;
        alike.pairs = 0;
        alike.own_checks = true;
    }
    if (!alike.walked && !alike.own_checks)
        return;
    cursor_open(eval, cursor, &members);
    if (alike.own_checks && stops(eval, cursor, shape->checks, true))
        return;
    struct shape_summary scratch;
    const struct shape_summary *summary = shape_summary_of(&eval->workspace->context->shape_summaries, shape, &scratch);
    uint64_t every = eval->trace ? shape_summary_all(shape->field_count) : 0;
    uint64_t checked_if_set = summary->checked_if_set | every, checked_if_unset = summary->checked_if_unset | every;
    uint64_t wrong = eval->partial ? partial_wrong_fields(cursor) : 0;
    for (uint64_t left = (checked_if_set | checked_if_unset) & alike.walked & ~wrong; left && !eval->failure; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctzll(left);
        if ((members.members[i] ? checked_if_set : checked_if_unset) >> i & 1)
            walk_member(eval, cursor, &members, i, alike.pairs >> i & 1 ? alike.others[i] : NULL);
    }
}

/* What an element has in common with its old counterpart: the text of a member, or its key in the map. */
static struct bytes pair_key(struct evaluation *eval, const struct shape *container, const struct doc_node *raw)
{
    return container->type == SHAPE_MAP ? doc_name(raw) : doc_text(cursor_element_member(eval, container->of, raw, container->paired));
}

/* The elements of the old list or map that are counterparts, the first of each key; made when the first of the new ones is checked. */
struct pairs {
    struct map old_by_key;
    bool made, any;
};

static const struct doc_node *find_pair(struct evaluation *eval, const struct cursor *cursor, struct pairs *pairs,
                                        const struct doc_node *raw)
{
    bool has_pairs = cursor->shape->paired && cursor->has_old && cursor->old;
    if (!pairs->made && has_pairs && evaluation_map(eval, &pairs->old_by_key, cursor->old->count)) {
        doc_each(cursor->old, old)
            (void)map_add(&pairs->old_by_key, pair_key(eval, cursor->shape, old), cursor_value(eval, NULL, cursor->shape->of, old));
        pairs->any = !eval->failure;
    }
    pairs->made = true;
    return pairs->any ? map_find(&pairs->old_by_key, pair_key(eval, cursor->shape, raw)) : NULL;
}

static uint64_t found_so_far(const struct evaluation *eval)
{
    return (uint64_t)eval->findings->errors + eval->findings->warnings + eval->findings->infos;
}

/* Out of line, as walk_value runs for every member, and most are neither lists nor maps. */
__attribute__((noinline)) static void walk_elements(struct evaluation *eval, struct cursor *cursor)
{
    const struct shape *of = cursor->shape->of;
    bool anything = of->checks || of->type == SHAPE_OBJECT || of->type == SHAPE_LIST || of->type == SHAPE_MAP;
    if (stops(eval, cursor, cursor->shape->checks, true) || !(anything || eval->trace))
        return;
    struct pairs pairs = { .made = false };
    uint32_t index = 0;
    bool in_step = cursor->alike && (cursor->shape->type == SHAPE_LIST || cursor->same_keys);
    const struct doc_node *before = NULL, *counterpart = in_step ? doc_first(cursor->alike) : NULL;
    bool settled = counterpart && alike_settles(eval, of);
    for (const struct doc_node *raw = cursor->node->first; raw && !eval->failure;
         raw = raw->next, index++, counterpart = counterpart ? counterpart->next : NULL) {
        if (settled && counterpart && alike_same(raw, counterpart))
            continue;
        enum trace_result skipped = skip_value(eval, of, raw) ? TRACE_CLEAN : TRACE_VALUE;
        if (cursor->rest_skipped && cursor->rest_skipped[index])
            skipped = TRACE_REST_SKIPPED;
        if (eval->partial && partial_is_wrong(raw))
            continue;
        if (skipped != TRACE_VALUE && !eval->trace)
            continue;
        struct cursor element = { .up = cursor, .shape = of, .node = raw, .index = index, .options = cursor->options };
        if (raw->type == DOC_NULL)
            element.node = cursor_value(eval, NULL, of, raw);
        element.old = find_pair(eval, cursor, &pairs, raw);
        element.has_old = element.old != NULL;
        if (skipped != TRACE_VALUE)
            trace_value(eval, &element, skipped);
        element.alike = counterpart ? counterpart : before;
        const uint64_t found = found_so_far(eval);
        if (skipped != TRACE_REST_SKIPPED)
            walk_value(eval, &element);
        before = eval->may_compare && cursor->shape->type == SHAPE_LIST && found_so_far(eval) == found ? raw : before;
    }
}

void walk_value(struct evaluation *eval, struct cursor *cursor)
{
    const struct shape *shape = cursor->shape;
    if (eval->trace)
        trace_value(eval, cursor, TRACE_VALUE);
    cursor->same_keys = cursor->alike && cursor->node && shape->type == SHAPE_MAP && alike_keys(cursor->node, cursor->alike);
    if (cursor->field && stops(eval, cursor, cursor->field->checks, false))
        return;
    if (!cursor->node || eval->failure)
        return;
    if (shape->type == SHAPE_OBJECT)
        walk_object(eval, cursor);
    else if (shape->type == SHAPE_LIST || shape->type == SHAPE_MAP)
        walk_elements(eval, cursor);
    else
        (void)stops(eval, cursor, shape->checks, true);
}

bool walk_old_invalid(struct evaluation *eval, const struct cursor *cursor)
{
    if (!cursor->has_old || !cursor->old)
        return false;
    struct findings counted = { .kept = LIMIT_FINDINGS }; /* so that none is worded */
    struct check_request request = *eval->request;
    request.operation = CREATE;
    request.kind = eval->request->old_kind;
    request.old = NULL;
    struct evaluation probe = { .request = &request, .workspace = eval->workspace, .findings = &counted };
    struct cursor old = { .up = cursor->up, .field = cursor->field, .shape = cursor->shape, .node = cursor->old };
    walk_value(&probe, &old);
    eval->failure = probe.failure;
    return counted.errors > 0;
}
