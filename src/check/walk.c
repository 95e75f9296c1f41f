/* The one walk over an object and its old counterpart: down the shapes, with the checks that stand on the way. */
#include "check/run.h"

static inline bool applies(struct run *run, const struct place *place, const struct check *check, bool shape_check)
{
    unsigned operation = run->request->operation;
    if (check->among && !run->request->objects)
        return false;
    if (check->when && !(check->when & operation) && !(check->when == CREATE_CLEAN && operation == CREATE))
        return false;
    return versions_include(check->versions, run->request->version) && (!check->only_if || predicates_hold(run, place, check->only_if, shape_check));
}

bool walk_checks(struct run *run, struct place *place, const struct check *checks, bool shape_check)
{
    for (; checks->op != CHECK_END && !run->failure; checks++)
        if (applies(run, place, checks, shape_check) && check_run(run, place, checks) && checks->stop)
            return true;
    return false;
}

/* The same for a row that may be missing, as most are. */
static inline bool stops(struct run *run, struct place *place, const struct check *checks, bool shape_check)
{
    return checks && walk_checks(run, place, checks, shape_check);
}

/* Members that the API server drops, ignores or refuses, because a gate is off. */
static void tell_gates(struct run *run, const struct place *place, uint64_t gated)
{
    for (uint64_t left = gated; left && !run->failure; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctzll(left);
        const struct field *field = &place->shape->fields[i];
        const struct place member = { .up = place, .field = field, .shape = field->shape, .node = place->members[i] };
        bool written = member.node && !(member.node->flags & DOC_IMPLIED);
        bool stays = place->old_members && place->old_members[i]; /* what the old object has is kept, whatever the gate */
        if (written && !stays && place_knows(run, field) && !gate_is_on(field->gate, run->request->version))
            report_rule(run, &member, &(struct rule_report){ .rule = RULE_GATE, .severity = SEVERITY_INFO, .prefix = field->gate, .text = "is a feature gate that is off by default in this version: the field is dropped, ignored, or refused without it" });
    }
}

static void walk_object(struct run *run, struct place *place)
{
    const struct shape *shape = place->shape;
    struct frame frame;
    place_open(run, place, &frame);
    if (stops(run, place, shape->checks, true))
        return;
    const struct outline *outline = outline_of(&run->worker->outlines, shape);
    uint64_t heard = outline->heard, heard_unset = outline->heard_unset;
    if (run->request->default_gates)
        tell_gates(run, place, outline->gated);
    for (uint64_t left = heard | heard_unset; left && !run->failure; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctzll(left);
        const struct field *field = &shape->fields[i];
        if (!((frame.members[i] ? heard : heard_unset) >> i & 1) || !place_knows(run, field))
            continue;
        struct place member = {
            .up = place, .field = field, .shape = field->shape, .node = frame.members[i], .options = place->options,
            .has_old = place->old_members, .old = place->old_members ? frame.old_members[i] : NULL,
        };
        member.is_kept = member.has_old && member.node && member.node == member.old;
        walk_value(run, &member);
    }
}

/* The old list's elements by the member that pairs them, the first of each. */
static bool index_pairs(struct run *run, const struct place *place, struct set *old)
{
    const struct shape *of = place->shape->of;
    if (!run_set(run, old, place->old->count))
        return false;
    doc_each(place->old, raw)
        (void)set_add(old, doc_text(place_element_member(run, of, raw, place->shape->paired)), place_value(run, NULL, of, raw));
    return !run->failure;
}

/* Out of line, as walk_value runs for every member, and most are neither lists nor maps. */
__attribute__((noinline)) static void walk_elements(struct run *run, struct place *place)
{
    const struct shape *of = place->shape->of;
    bool anything = of->checks || of->type == SHAPE_OBJECT || of->type == SHAPE_LIST || of->type == SHAPE_MAP;
    if (stops(run, place, place->shape->checks, true) || !anything)
        return;
    struct set old_by_key = { 0 };
    bool paired = place->shape->paired && place->has_old && place->old && index_pairs(run, place, &old_by_key);
    uint32_t index = 0;
    const struct doc_node *model = quiet_model(run, of);
    bool quiet = true;
    for (const struct doc_node *raw = place->node->first; raw && !run->failure; raw = raw->next, index++, model = quiet_next(model)) {
        if ((model && quiet_twins(model, raw)) || quiet_value(run, of, raw))
            continue;
        quiet = false;
        if (place->aside && place->aside[index])
            continue;
        struct place element = { .up = place, .shape = of, .node = raw, .index = index, .options = place->options };
        if (raw->type == DOC_NULL)
            element.node = place_value(run, NULL, of, raw);
        element.old = paired ? set_find(&old_by_key, doc_text(place_element_member(run, of, raw, place->shape->paired))) : NULL;
        element.has_old = element.old != NULL;
        walk_value(run, &element);
    }
    if (quiet)
        quiet_remember(run, of, place->node);
}

void walk_value(struct run *run, struct place *place)
{
    const struct shape *shape = place->shape;
    if (place->field && stops(run, place, place->field->checks, false))
        return;
    if (!place->node || run->failure)
        return;
    if (shape->type == SHAPE_OBJECT)
        walk_object(run, place);
    else if (shape->type == SHAPE_LIST || shape->type == SHAPE_MAP)
        walk_elements(run, place);
    else
        (void)stops(run, place, shape->checks, true);
}

bool walk_old_invalid(struct run *run, const struct place *place)
{
    if (!place->has_old || !place->old)
        return false;
    struct findings counted = { .kept = LIMIT_FINDINGS }; /* so that none is worded */
    struct check_request request = *run->request;
    request.operation = CREATE;
    request.kind = run->request->old_kind;
    request.old = NULL;
    struct run probe = { .request = &request, .worker = run->worker, .findings = &counted };
    struct place old = { .up = place->up, .field = place->field, .shape = place->shape, .node = place->old };
    walk_value(&probe, &old);
    run->failure = probe.failure;
    return counted.errors > 0;
}

/* A finding that counts only where nothing else is wrong goes where something else is. */
static void drop_when_clean(struct findings *findings)
{
    struct finding **link = &findings->first;
    uint32_t others = findings->left_out;
    for (const struct finding *finding = findings->first; finding; finding = finding->next)
        others += finding->severity == SEVERITY_ERROR && !finding->when_clean;
    if (others == 0)
        return;
    findings->last = NULL;
    while (*link) {
        if ((*link)->when_clean) {
            findings->errors -= (*link)->severity == SEVERITY_ERROR;
            findings->kept--;
            *link = (*link)->next;
        } else {
            findings->last = *link;
            link = &(*link)->next;
        }
    }
}

const struct shape *walk_judged_shape(const struct shape *shape)
{
    return shape->as ? shape->as : shape;
}

const struct doc_node *walk_judged_object(struct run *run, const struct shape *shape, const struct doc_node *object)
{
    const struct doc_node *merged = merge_object(run, shape, object);
    return shape->as ? convert_value(run, shape, merged) : merged;
}

enum failure check_object(const struct check_request *request, struct check_result *result)
{
    struct run run = { .request = request, .worker = request->worker, .findings = &result->findings };
    *result = (struct check_result){ .undecodable = false };
    decode_object(&run, request->kind->shape, request->object, "");
    result->undecodable = result->findings.errors > 0;
    if (request->old && !result->undecodable) {
        struct check_request old = *request;
        struct run run_old = { .request = &old, .worker = request->worker, .findings = &result->findings, .failure = run.failure };
        run_old.reads_old = true;
        run_old.other_shape = request->kind != request->old_kind;
        old.document = request->old_document;
        decode_object(&run_old, request->old_kind->shape, request->old, "in the old object: ");
        run.failure = run_old.failure;
        result->old_undecodable = result->findings.errors > 0;
    }
    if (request->unknown_fields && !(request->kind->traits & KIND_PARTIAL))
        unknown_fields(&run, request->kind->shape, request->object);
    if (result->undecodable || result->old_undecodable || run.failure)
        return run.failure;
    struct place root = { .shape = walk_judged_shape(request->kind->shape), .has_old = request->old != NULL, .options = request->options };
    root.node = walk_judged_object(&run, request->kind->shape, request->object);
    root.old = request->old ? walk_judged_object(&run, request->old_kind->shape, request->old) : NULL;
    walk_value(&run, &root);
    drop_when_clean(&result->findings);
    return run.failure;
}

enum failure check_types(struct worker *worker, const struct document *document, const struct shape *shape, const struct doc_node *node,
                         struct check_result *result)
{
    const struct check_request request = { .document = document };
    struct run run = { .request = &request, .worker = worker, .findings = &result->findings };
    *result = (struct check_result){ .undecodable = false };
    decode_object(&run, shape, node, "");
    result->undecodable = result->findings.errors > 0;
    return run.failure;
}

enum failure check_changes_only(const struct check_request *request, const char *const *names, bool *only)
{
    static const char *const metadata[] = { "metadata", NULL };
    struct run run = { .request = request, .worker = request->worker };
    const struct shape *shape = walk_judged_shape(request->kind->shape);
    const struct doc_node *object = walk_judged_object(&run, request->kind->shape, request->object), *old = walk_judged_object(&run, request->old_kind->shape, request->old);
    const struct shape *meta = shape->fields[place_field(shape, metadata[0])].shape;
    *only = !run.failure && equal_objects(&run, shape, object, old, metadata, false) &&
            (!names || equal_objects(&run, meta, place_element_member(&run, shape, object, metadata[0]), place_element_member(&run, shape, old, metadata[0]), names, false));
    return run.failure;
}
