/* Leaves out fields whose feature gate is off, as API servers do before they validate an object: each such field goes, unless the stored
 * object uses one of the same gate already. */
#include "check/report.h"
#include "check/row_counts.h"
#include "object/object.h"

/* The field of a member of an object; NULL: it has none. */
static const struct field *field_of(const struct shape *shape, const struct doc_node *member)
{
    return shape->type == SHAPE_OBJECT && member->field < shape->field_count ? &shape->fields[member->field] : NULL;
}

/* The gates of fields that are set in the value; it nests as its shape does. */
static gate_set gates_used(const struct shape *shape, const struct doc_node *node)
{
    gate_set used = 0;
    if (!node || !object_has_members(shape, node))
        return 0;
    doc_each(node, member) {
        const struct field *field = field_of(shape, member);
        if (shape->type == SHAPE_OBJECT && !field)
            continue;
        used |= field && field->gate && member_is_set(field, member) ? gate_bit(field->gate) : 0;
        used |= gates_used(field ? field->shape : shape->of, member);
    }
    return used;
}

/* ---- leaving out ---- */

/* Whether what the request says of the field counts, so that people want to know what becomes of it. */
static bool counts(const struct evaluation *eval, const struct field *field)
{
    return field->on[eval->request->operation] == PREPARE_NONE;
}

static void report_dropped(struct evaluation *eval, const struct cursor *member)
{
    struct text text;
    text_init(&text, &eval->workspace->arena);
    text_add(&text, "the feature gate ");
    text_add(&text, member->field->gate);
    text_add(&text, " (");
    text_add(&text, gate_stage(member->field->gate, eval->request->version));
    if (!eval->request->several_versions) {
        text_add(&text, " in 1.");
        text_add_integer(&text, eval->request->version);
    }
    text_add(&text, ") is off: the API server drops this field");
    report_rule(eval, member, &(struct rule_report){
        .rule = RULE_FEATURE_GATE, .severity = SEVERITY_WARNING, .text = evaluation_text(eval, &text),
    });
}

static const struct doc_node *keep_members(struct evaluation *eval, const struct cursor *cursor, gate_set off, bool told);

/* What is left of a member, an element or an entry: itself, a copy, or NULL. */
static const struct doc_node *keep(struct evaluation *eval, struct cursor *member, gate_set off, bool told)
{
    const struct field *field = member->field;
    bool gated = field && field->gate && eval->request->version >= field->gated_since;
    bool dropped = gated && (gate_bit(field->gate) & off), set = gated && member_is_set(field, member->node);
    if (gated && set)
        row_count(ROW_GATE(field), eval->request->version, dropped ? ROW_BROKEN : ROW_PASSED);
    if (dropped && set && told)
        report_dropped(eval, member);
    if (dropped)
        return NULL;
    return object_has_members(member->shape, member->node) ? keep_members(eval, member, off, told && !(field && !counts(eval, field)))
                                                    : member->node;
}

/* Copies the members of `whole` before `end`. */
static struct doc_builder copy_before(struct evaluation *eval, const struct doc_node *whole, const struct doc_node *end)
{
    struct arena *arena = &eval->workspace->arena;
    struct doc_builder builder = doc_build(arena, whole);
    for (const struct doc_node *member = whole->first; member != end && builder.container; member = member->next)
        if (!doc_append(&builder, arena, member))
            builder.container = NULL;
    return builder;
}

/* The object, list or map without what is dropped: itself where that is nothing. It nests as its shape does. */
static const struct doc_node *keep_members(struct evaluation *eval, const struct cursor *cursor, gate_set off, bool told)
{
    struct doc_builder builder = { NULL, NULL };
    uint32_t index = 0;
    doc_each(cursor->node, raw) {
        const struct field *field = field_of(cursor->shape, raw);
        struct cursor member = { .up = cursor, .field = field, .shape = field ? field->shape : cursor->shape->of, .node = raw };
        member.index = index++;
        const struct doc_node *kept = member.shape ? keep(eval, &member, off, told) : raw;
        if (kept != raw && !builder.container)
            builder = copy_before(eval, cursor->node, raw);
        if (builder.container && kept && !doc_append(&builder, &eval->workspace->arena, kept))
            builder.container = NULL;
        eval->failure = eval->failure ? eval->failure : eval->workspace->arena.failure;
        if (eval->failure)
            return cursor->node;
    }
    return builder.container ? builder.container : cursor->node;
}

const struct doc_node *object_drop_gated(struct evaluation *eval, const struct shape *shape, const struct doc_node *object,
                                         const struct doc_node *old)
{
    gate_set off = eval->request->gates_off;
    if (!off && !COUNTING_ROWS)
        return object;
    off &= old ? ~gates_used(shape, old) : ~(gate_set)0;
    const struct cursor root = { .shape = shape, .node = object };
    return (off || COUNTING_ROWS) && object_has_members(shape, object) ? keep_members(eval, &root, off, true) : object;
}
