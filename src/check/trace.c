#include "check/trace.h"

static void visit(struct evaluation *eval, const struct trace_event *event)
{
    eval->trace->visit(eval->trace->self, eval, event);
}

void trace_object(struct evaluation *eval, enum trace_result result)
{
    visit(eval, &(struct trace_event){ .result = result });
}

void trace_value(struct evaluation *eval, const struct cursor *cursor, enum trace_result result)
{
    visit(eval, &(struct trace_event){ .result = result, .cursor = cursor });
}

void trace_no_field(struct evaluation *eval, const struct cursor *object, const struct field *field)
{
    const struct cursor member = { .up = object, .field = field, .shape = field->shape };
    trace_value(eval, &member, TRACE_NO_FIELD);
}

void trace_check(struct evaluation *eval, const struct cursor *cursor, const struct check *check, const struct predicate *unmet,
                 bool broken, const struct finding *last)
{
    struct trace_event event = { .result = TRACE_PASSED, .cursor = cursor, .check = check };
    unsigned when = check->when & CREATE_CLEAN ? check->when | CREATE : check->when;
    if (broken) {
        event.result = TRACE_BROKEN;
        event.found = last ? last->next : eval->findings->first;
    } else if (!versions_include(check->versions, eval->request->version)) {
        event.result = TRACE_VERSION;
    } else if (check->needs_set && !eval->request->others) {
        event.result = TRACE_NEEDS_SET;
    } else if (when && !(when & eval->request->operation)) {
        event.result = TRACE_OPERATION;
    } else if (unmet) {
        event.result = TRACE_CONDITION;
        event.predicate = unmet;
    }
    visit(eval, &event);
}

void trace_stopped(struct evaluation *eval, const struct cursor *cursor, const struct check *stopper)
{
    struct trace_event event = { .result = TRACE_STOPPED, .cursor = cursor, .stopper = stopper };
    for (event.check = stopper + 1; event.check->op != CHECK_END; event.check++)
        visit(eval, &event);
}
