/* Conversions: int(), string() and the like. */
#include "cel/convert.h"
#include "rules/cel/calls.h"

static struct cel_value print_object(const struct cel_invocation *call)
{
    struct text text;
    text_init(&text, call->evaluation->arena);
    call->arguments->object->class->print(call->arguments->object, &text);
    return cel_text_value(call->evaluation, &text);
}

/* To the type that the overload results in. */
struct cel_value call_convert(const struct cel_invocation *call)
{
    struct cel_value result;
    const char *error;
    if (call->arguments->type == CEL_STRUCT)
        return print_object(call);
    if (call->arguments->type == CEL_STRING && !cel_steps_bytes(call->evaluation, UINT64_C(4) * call->arguments->text.length))
        return cel_stopped(call->evaluation);
    enum failure failure = cel_convert(call->arguments, call->overload->result->kind, call->evaluation->arena, &result, &error);
    if (failure)
        return cel_stop(call->evaluation, "the evaluation needs too much memory");
    return error ? cel_fail(call->evaluation, error) : result;
}

struct cel_value call_dyn(const struct cel_invocation *call)
{
    return *call->arguments;
}

struct cel_value call_type(const struct cel_invocation *call)
{
    return (struct cel_value){ .type = CEL_TYPE, .text = cel_value_type(call->arguments) };
}
