/* Fields that no field of the kind is: typing errors, and what belongs elsewhere. */
#include "check/run.h"

/* The name is where the mistake is, so the finding stands there. */
static void report_unknown(struct run *run, const struct place *object, const struct doc_node *member)
{
    const struct place place = { .up = object, .node = member };
    enum severity severity = run->request->unknown_fields == UNKNOWN_REFUSED ? SEVERITY_ERROR : SEVERITY_WARNING;
    report_rule(run, &place, &(struct rule_report){ .rule = RULE_UNKNOWN_FIELD, .severity = severity, .value = member, .text = "unknown field" });
}

static void look(struct run *run, const struct place *place)
{
    const struct shape *shape = place->shape;
    bool container = shape->type == SHAPE_LIST ? place->node->type == DOC_ARRAY
                                               : (shape->type == SHAPE_OBJECT || shape->type == SHAPE_MAP) && place->node->type == DOC_OBJECT;
    struct place child = { .up = place };
    if (!container)
        return;
    for (const struct doc_node *inner = place->node->first; inner && !run->failure; inner = inner->next, child.index++) {
        if (shape->type == SHAPE_OBJECT && inner->field >= shape->field_count) {
            report_unknown(run, place, inner);
            continue;
        }
        child.field = shape->type == SHAPE_OBJECT ? &shape->fields[inner->field] : NULL;
        child.shape = child.field ? child.field->shape : shape->of;
        child.node = inner;
        look(run, &child);
    }
}

void unknown_fields(struct run *run, const struct shape *shape, const struct doc_node *node)
{
    const struct place root = { .shape = shape, .node = node };
    look(run, &root);
}
