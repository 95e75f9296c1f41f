/* Operators of numbers, times, texts and lists. Source: cel-go v0.26.0 common/types. */
#include "cel/convert.h"
#include "cel/evaluation.h"

static struct cel_value integers(struct cel_evaluation *evaluation, char operator, int64_t a, int64_t b)
{
    int64_t result = 0;
    bool overflow = false;
    if ((operator == '/' || operator == '%') && b == 0)
        return cel_fail(evaluation, operator == '/' ? "division by zero" : "modulus by zero");
    switch (operator) {
    case '+': overflow = __builtin_add_overflow(a, b, &result); break;
    case '-': overflow = __builtin_sub_overflow(a, b, &result); break;
    case '*': overflow = __builtin_mul_overflow(a, b, &result); break;
    default:
        overflow = a == INT64_MIN && b == -1;
        result = overflow ? 0 : operator == '/' ? a / b : a % b;
    }
    return overflow ? cel_fail(evaluation, "integer overflow") : cel_integer(result);
}

static struct cel_value unsigned_integers(struct cel_evaluation *evaluation, char operator, uint64_t a, uint64_t b)
{
    uint64_t result = 0;
    bool overflow = false;
    if ((operator == '/' || operator == '%') && b == 0)
        return cel_fail(evaluation, operator == '/' ? "division by zero" : "modulus by zero");
    switch (operator) {
    case '+': overflow = __builtin_add_overflow(a, b, &result); break;
    case '-': overflow = __builtin_sub_overflow(a, b, &result); break;
    case '*': overflow = __builtin_mul_overflow(a, b, &result); break;
    default:  result = operator == '/' ? a / b : a % b;
    }
    return overflow ? cel_fail(evaluation, "unsigned integer overflow") : cel_unsigned(result);
}

static struct cel_value doubles(struct cel_evaluation *evaluation, char operator, double a, double b)
{
    switch (operator) {
    case '+': return cel_double(a + b);
    case '-': return cel_double(a - b);
    case '*': return cel_double(a * b);
    case '/': return cel_double(a / b);
    default:  return cel_no_overload(evaluation);
    }
}

/* ---- texts and lists: one after the other ---- */

static struct cel_value join_texts(struct cel_evaluation *evaluation, const struct cel_value *a, const struct cel_value *b)
{
    uint64_t length = (uint64_t)a->text.length + b->text.length;
    char *data = cel_evaluation_alloc(evaluation, length, 1);
    if (!data)
        return cel_stopped(evaluation);
    if (a->text.length)
        memcpy(data, a->text.data, a->text.length);
    if (b->text.length)
        memcpy(data + a->text.length, b->text.data, b->text.length);
    struct cel_value result = *a;
    result.text = (struct bytes){ data, (uint32_t)length };
    return result;
}

static struct cel_value join_lists(struct cel_evaluation *evaluation, const struct cel_list *a, const struct cel_list *b)
{
    if (a->count == 0 || b->count == 0)
        return (struct cel_value){ .type = CEL_LIST, .list = a->count == 0 ? *b : *a };
    uint64_t count = (uint64_t)a->count + b->count;
    struct cel_value *items = cel_evaluation_alloc(evaluation, count, sizeof *items);
    if (!items)
        return cel_stopped(evaluation);
    memcpy(items, a->items, a->count * sizeof *items);
    memcpy(items + a->count, b->items, b->count * sizeof *items);
    return (struct cel_value){ .type = CEL_LIST, .list = { items, (uint32_t)count, true } };
}

/* ---- times ---- */

#define SECOND INT64_C(1000000000)

__extension__ typedef __int128 wide; /* holds every sum and difference of times in nanoseconds */

static struct cel_value move_time(struct cel_evaluation *evaluation, char operator, const struct instant *time, int64_t duration)
{
    wide nanoseconds = (wide)time->seconds * SECOND + time->nanoseconds;
    nanoseconds += operator == '+' ? (wide)duration : -(wide)duration;
    int64_t seconds = (int64_t)(nanoseconds / SECOND), rest = (int64_t)(nanoseconds % SECOND);
    if (rest < 0) {
        seconds--;
        rest += SECOND;
    }
    bool no_opposite = operator == '-' && duration == INT64_MIN; /* Go's, which adds the opposite */
    if (no_opposite || seconds < CEL_TIME_MIN || seconds > CEL_TIME_MAX)
        return cel_fail(evaluation, "timestamp overflow");
    return (struct cel_value){ .type = CEL_TIMESTAMP, .time = { seconds, (int32_t)rest, time->zone } };
}

static struct cel_value duration_of(struct cel_evaluation *evaluation, wide nanoseconds)
{
    if (nanoseconds < INT64_MIN || nanoseconds > INT64_MAX)
        return cel_fail(evaluation, "duration overflow");
    return (struct cel_value){ .type = CEL_DURATION, .integer = (int64_t)nanoseconds };
}

static struct cel_value between(struct cel_evaluation *evaluation, const struct instant *a, const struct instant *b)
{
    return duration_of(evaluation, (wide)(a->seconds - b->seconds) * SECOND + (a->nanoseconds - b->nanoseconds));
}

static struct cel_value times(struct cel_evaluation *evaluation, char operator, const struct cel_value *a, const struct cel_value *b)
{
    bool add = operator == '+', subtract = operator == '-';
    if (a->type == CEL_DURATION && b->type == CEL_DURATION && (add || subtract))
        return duration_of(evaluation, add ? (wide)a->integer + b->integer : (wide)a->integer - b->integer);
    if (a->type == CEL_TIMESTAMP && b->type == CEL_DURATION && (add || subtract))
        return move_time(evaluation, operator, &a->time, b->integer);
    if (a->type == CEL_DURATION && b->type == CEL_TIMESTAMP && add)
        return move_time(evaluation, operator, &b->time, a->integer);
    if (a->type == CEL_TIMESTAMP && b->type == CEL_TIMESTAMP && subtract)
        return between(evaluation, &a->time, &b->time);
    return cel_no_overload(evaluation);
}

struct cel_value cel_arithmetic(struct cel_evaluation *evaluation, char operator, const struct cel_value *a, const struct cel_value *b)
{
    if (a->type == CEL_DURATION || a->type == CEL_TIMESTAMP)
        return times(evaluation, operator, a, b);
    if (a->type != b->type)
        return cel_no_overload(evaluation);
    switch (a->type) {
    case CEL_INT:    return integers(evaluation, operator, a->integer, b->integer);
    case CEL_UINT:   return unsigned_integers(evaluation, operator, a->unsigned_integer, b->unsigned_integer);
    case CEL_DOUBLE: return doubles(evaluation, operator, a->number, b->number);
    case CEL_STRING: case CEL_BYTES:
        return operator == '+' ? join_texts(evaluation, a, b) : cel_no_overload(evaluation);
    case CEL_LIST: return operator == '+' ? join_lists(evaluation, &a->list, &b->list) : cel_no_overload(evaluation);
    default:       return cel_no_overload(evaluation);
    }
}
