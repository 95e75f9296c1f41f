/* Unknown fields: members that the kind does not have, by a typing error or because they belong elsewhere. */
#include "check/cursor.h"
#include "check/report.h"
#include "object/object.h"

static void report_unknown(struct evaluation *eval, const struct cursor *object, const struct doc_node *member)
{
    const struct cursor cursor = { .up = object, .node = member };
    enum severity severity = eval->request->unknown_fields == UNKNOWN_REFUSED ? SEVERITY_ERROR : SEVERITY_WARNING;
    const struct rule_report report = { .rule = RULE_UNKNOWN_FIELD, .severity = severity, .value = member, .text = "unknown field" };
    report_rule(eval, &cursor, &report);
}

static void check_value(struct evaluation *eval, const struct cursor *cursor)
{
    const struct shape *shape = cursor->shape;
    struct cursor child = { .up = cursor };
    if (!object_has_members(shape, cursor->node))
        return;
    for (const struct doc_node *inner = cursor->node->first; inner && !eval->failure; inner = inner->next, child.index++) {
        child.field = shape->type == SHAPE_OBJECT && inner->field < shape->field_count ? &shape->fields[inner->field] : NULL;
        if (shape->type == SHAPE_OBJECT && (!child.field || child.field->status_since > eval->request->version)) {
            report_unknown(eval, cursor, inner);
            continue;
        }
        child.shape = child.field ? child.field->shape : shape->of;
        child.node = inner;
        check_value(eval, &child);
    }
}

void object_check_unknown(struct evaluation *eval, const struct shape *shape, const struct doc_node *node)
{
    const struct cursor root = { .shape = shape, .node = node };
    check_value(eval, &root);
}
