/* Messages of google.protobuf as values: durations and times, wrappers, and JSON. Source: cel-go v0.26.0 common/types/provider.go. */
#include "cel/convert.h"
#include "rules/cel/calls.h"

/* The field; NULL: it is not written. */
static const struct cel_value *field(const struct cel_table *fields, const char *name)
{
    struct cel_value key = cel_string(bytes_of(name));
    const struct cel_pair *pair = cel_table_exact(fields, &key);
    return pair ? &pair->value : NULL;
}

static int64_t number(const struct cel_table *fields, const char *name)
{
    const struct cel_value *value = field(fields, name);
    return value && value->type == CEL_INT ? value->integer : 0;
}

static struct cel_value duration(struct cel_evaluation *evaluation, int64_t seconds, int64_t nanoseconds)
{
    int64_t sum;
    if (nanoseconds < INT32_MIN || nanoseconds > INT32_MAX || __builtin_mul_overflow(seconds, INT64_C(1000000000), &sum) ||
        __builtin_add_overflow(sum, nanoseconds, &sum))
        return cel_fail(evaluation, "duration overflow");
    return (struct cel_value){ .type = CEL_DURATION, .integer = sum };
}

static struct cel_value timestamp(struct cel_evaluation *evaluation, int64_t seconds, int64_t nanoseconds)
{
    if (nanoseconds < 0 || nanoseconds > 999999999 || seconds < CEL_TIME_MIN || seconds > CEL_TIME_MAX)
        return cel_fail(evaluation, "timestamp overflow");
    return (struct cel_value){ .type = CEL_TIMESTAMP, .time = { seconds, (int32_t)nanoseconds, 0 } };
}

/* A wrapper is the value in it; one that is not written is zero. */
static struct cel_value wrapped(struct cel_evaluation *evaluation, const struct cel_message *message, const struct cel_table *fields)
{
    const struct cel_value *value = field(fields, "value");
    struct cel_value result = { .type = message->type->parameters[0]->kind };
    if (result.type == CEL_STRING || result.type == CEL_BYTES)
        result.text = (struct bytes)BYTES("");
    if (!value || value->type == CEL_NULL)
        return result;
    bool narrow = strstr(message->name, "32") != NULL;
    if (value->type != result.type || (narrow && value->type == CEL_INT && value->integer != (int32_t)value->integer) ||
        (narrow && value->type == CEL_UINT && value->unsigned_integer != (uint32_t)value->unsigned_integer))
        return cel_fail(evaluation, "field type conversion error");
    result = *value;
    if (strstr(message->name, "Float"))
        result.number = (double)(float)result.number;
    return result;
}

/* A google.protobuf.Value: the field that is written. */
static struct cel_value any_value(const struct cel_table *fields)
{
    struct cel_value result = { .type = CEL_NULL };
    if (fields->count && !bytes_equal_text(fields->pairs[fields->count - 1].key.text, "null_value"))
        result = fields->pairs[fields->count - 1].value;
    return result;
}

/* All messages without fields are equal. */
static enum cel_equality_result equal_empty(const struct cel_object *a, const struct cel_object *b)
{
    (void)a, (void)b;
    return CEL_EQUAL;
}

static void print_empty(const struct cel_object *object, struct text *text)
{
    text_add(text, object->class->type);
    text_add(text, "{}");
}

static const struct cel_object_class empty_class = { .type = "google.protobuf.Empty", .equal = equal_empty, .print = print_empty };

static struct cel_value empty(struct cel_evaluation *evaluation)
{
    struct cel_object *object = cel_evaluation_alloc(evaluation, 1, sizeof *object);
    if (!object)
        return cel_stopped(evaluation);
    *object = (struct cel_object){ .class = &empty_class };
    return cel_object_value(object);
}

struct cel_value make_message(struct cel_evaluation *evaluation, const struct cel_message *message, const struct cel_table *fields)
{
    const struct cel_value *part;
    switch (message->type->kind) {
    case CEL_DURATION: return duration(evaluation, number(fields, "seconds"), number(fields, "nanos"));
    case CEL_TIMESTAMP: return timestamp(evaluation, number(fields, "seconds"), number(fields, "nanos"));
    case CEL_WRAPPER: return wrapped(evaluation, message, fields);
    case CEL_DYN: return any_value(fields);
    case CEL_LIST: part = field(fields, "values"); return part ? *part : cel_list_of(NULL, 0);
    case CEL_MAP: part = field(fields, "fields"); return part ? *part : (struct cel_value){ .type = CEL_MAP };
    case CEL_STRUCT: return empty(evaluation);
    default: return cel_fail(evaluation, "such a message cannot be evaluated");
    }
}
