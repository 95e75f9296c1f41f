#include "cel/evaluation.h"

#include "base/limits.h"
#include "cel/limits.h"

/* ---- errors ---- */

struct cel_value cel_fail(struct cel_evaluation *evaluation, const char *words)
{
    (void)evaluation;
    return (struct cel_value){ .type = CEL_ERROR, .fault = { words, NULL } };
}

struct cel_value cel_fail_about(struct cel_evaluation *evaluation, const char *words, struct bytes about)
{
    struct text text;
    text_init(&text, evaluation->arena);
    text_add(&text, words);
    text_add_quoted(&text, about, LIMIT_QUOTE_BYTES);
    const char *made = text_end(&text);
    return cel_fail(evaluation, made ? made : words);
}

struct cel_value cel_no_overload(struct cel_evaluation *evaluation)
{
    return cel_fail(evaluation, "no such overload");
}

struct cel_value cel_stop(struct cel_evaluation *evaluation, const char *words)
{
    if (!evaluation->stopped)
        evaluation->stopped = words;
    return cel_stopped(evaluation);
}

struct cel_value cel_stopped(struct cel_evaluation *evaluation)
{
    return cel_fail(evaluation, evaluation->stopped);
}

/* ---- memory and time ---- */

/* What the arena's failure means: that there is no memory at all, or that the expression needs too much. */
static void stop_for_memory(struct cel_evaluation *evaluation)
{
    if (evaluation->arena->failure == FAILURE_MEMORY)
        evaluation->failure = FAILURE_MEMORY;
    (void)cel_stop(evaluation, "the evaluation needs too much memory");
}

void *cel_evaluation_alloc(struct cel_evaluation *evaluation, uint64_t count, size_t size)
{
    size_t bytes;
    void *start = NULL;
    if (__builtin_mul_overflow(count ? count : 1, size, &bytes) || bytes > LIMIT_CEL_EVALUATION_ARENA) {
        (void)cel_stop(evaluation, "the evaluation needs too much memory");
        return NULL;
    }
    if (!evaluation->stopped && !(start = arena_alloc(evaluation->arena, bytes)))
        stop_for_memory(evaluation);
    return start;
}

bool cel_steps(struct cel_evaluation *evaluation, uint64_t steps)
{
    evaluation->steps += steps;
    if (evaluation->steps > LIMIT_CEL_EVALUATION_STEPS || evaluation->steps < steps)
        (void)cel_stop(evaluation, "the evaluation takes too long");
    return !evaluation->stopped;
}

struct cel_value cel_text_value(struct cel_evaluation *evaluation, struct text *text)
{
    const char *data = text_end(text);
    if (!data) {
        stop_for_memory(evaluation);
        return cel_stopped(evaluation);
    }
    return cel_string((struct bytes){ data, (uint32_t)text->length });
}

const struct cel_value *cel_value_keep(struct cel_evaluation *evaluation, const struct cel_value *value)
{
    struct cel_value *kept = cel_evaluation_alloc(evaluation, 1, sizeof *kept);
    if (kept)
        *kept = *value;
    return kept;
}

/* ---- objects of the input ---- */

struct cel_own_object {
    const struct cel_object *original;
    struct cel_object *copy;
    struct cel_own_object *next;
};

struct cel_object *cel_object_own(struct cel_evaluation *evaluation, struct cel_object *object, size_t size)
{
    if (!object->input)
        return object;
    for (struct cel_own_object *own = evaluation->own; own; own = own->next) /* as many as the input has objects that can change */
        if (own->original == object)
            return own->copy;
    if (size == 0)
        return object;
    struct cel_own_object *own = cel_evaluation_alloc(evaluation, 1, sizeof *own);
    struct cel_object *copy = own ? cel_evaluation_alloc(evaluation, 1, size) : NULL;
    if (!copy)
        return NULL;
    memcpy(copy, object, size);
    copy->input = false;
    *own = (struct cel_own_object){ object, copy, evaluation->own };
    evaluation->own = own;
    return copy;
}

/* ---- numbers ---- */

static bool is_number(const struct cel_value *value)
{
    return value->type == CEL_INT || value->type == CEL_UINT || value->type == CEL_DOUBLE;
}

#define ORDER(a, b) ((a) < (b) ? CEL_LESS : (a) > (b) ? CEL_GREATER : CEL_SAME)

/* A double and an integer: outside the range of the integer's kind the double decides; inside, the integer becomes a double. */
static enum cel_order compare_double(double a, const struct cel_value *b)
{
    double low = b->type == CEL_INT ? -0x1p63 : 0, high = b->type == CEL_INT ? 0x1p63 : 0x1p64;
    double number = b->type == CEL_INT ? (double)b->integer : (double)b->unsigned_integer;
    if (a != a)
        return CEL_UNORDERED;
    if (a < low)
        return CEL_LESS;
    return a > high ? CEL_GREATER : ORDER(a, number);
}

static enum cel_order compare_numbers(const struct cel_value *a, const struct cel_value *b)
{
    if (a->type == CEL_DOUBLE && b->type == CEL_DOUBLE)
        return a->number != a->number || b->number != b->number ? CEL_UNORDERED : ORDER(a->number, b->number);
    if (a->type == CEL_DOUBLE)
        return compare_double(a->number, b);
    if (b->type == CEL_DOUBLE) {
        enum cel_order order = compare_double(b->number, a);
        return order == CEL_UNORDERED ? order : -order;
    }
    if (a->type == CEL_INT && b->type == CEL_INT)
        return ORDER(a->integer, b->integer);
    if (a->type == CEL_INT && a->integer < 0)
        return CEL_LESS;
    if (b->type == CEL_INT && b->integer < 0)
        return CEL_GREATER;
    return ORDER(a->unsigned_integer, b->unsigned_integer);
}

/* ---- order ---- */

enum cel_order cel_values_compare(const struct cel_value *a, const struct cel_value *b)
{
    if (is_number(a) && is_number(b))
        return compare_numbers(a, b);
    if (a->type != b->type)
        return CEL_NOT_ORDERED;
    switch (a->type) {
    case CEL_STRING:
    case CEL_BYTES: {
        int order = bytes_compare(a->text, b->text);
        return ORDER(order, 0);
    }
    case CEL_BOOL: return ORDER(a->boolean, b->boolean);
    case CEL_DURATION: return ORDER(a->integer, b->integer);
    case CEL_TIMESTAMP:
        return a->time.seconds != b->time.seconds ? ORDER(a->time.seconds, b->time.seconds)
                                                  : ORDER(a->time.nanoseconds, b->time.nanoseconds);
    default: return CEL_NOT_ORDERED;
    }
}

/* ---- equality ---- */

static enum cel_equality_result equal(struct cel_evaluation *evaluation, const struct cel_value *a, const struct cel_value *b,
                                      unsigned depth);

static enum cel_equality_result equal_lists(struct cel_evaluation *evaluation, const struct cel_list *a, const struct cel_list *b,
                                            unsigned depth)
{
    if (a->count != b->count)
        return CEL_DIFFERENT;
    for (uint32_t i = 0; i < a->count; i++) {
        enum cel_equality_result result = equal(evaluation, &a->items[i], &b->items[i], depth);
        if (result == CEL_DIFFERENT || (result == CEL_INCOMPARABLE && (a->joined || b->joined)))
            return result;
    }
    return CEL_EQUAL;
}

static enum cel_equality_result equal_maps(struct cel_evaluation *evaluation, const struct cel_map *a, const struct cel_map *b,
                                           unsigned depth)
{
    if (cel_map_count(a) != cel_map_count(b))
        return CEL_DIFFERENT;
    for (uint32_t i = 0; i < cel_map_count(a); i++) {
        const struct cel_pair *pair = &a->table->pairs[i];
        if (!cel_steps_value(evaluation, &pair->key))
            return CEL_INCOMPARABLE;
        const struct cel_pair *other = cel_table_find(b->table, &pair->key);
        if (!other || equal(evaluation, &pair->value, &other->value, depth) == CEL_DIFFERENT)
            return CEL_DIFFERENT;
    }
    return CEL_EQUAL;
}

static enum cel_equality_result equal_objects(struct cel_evaluation *evaluation, const struct cel_value *a, const struct cel_value *b)
{
    if (b->type != CEL_STRUCT || a->object->class != b->object->class)
        return CEL_INCOMPARABLE;
    return a->object->class->equal(cel_object_own(evaluation, a->object, 0), cel_object_own(evaluation, b->object, 0));
}

static enum cel_equality_result equal(struct cel_evaluation *evaluation, const struct cel_value *a, const struct cel_value *b,
                                      unsigned depth)
{
    if (depth == 0 || !cel_steps(evaluation, 1)) {
        (void)cel_stop(evaluation, "the evaluation takes too long");
        return CEL_INCOMPARABLE;
    }
    if (a->type == CEL_ERROR || b->type == CEL_ERROR)
        return CEL_INCOMPARABLE;
    if (is_number(a) && is_number(b))
        return compare_numbers(a, b) == CEL_SAME ? CEL_EQUAL : CEL_DIFFERENT;
    if (a->type == CEL_STRUCT && b->type != CEL_NULL)
        return equal_objects(evaluation, a, b);
    if (a->type != b->type)
        return CEL_DIFFERENT;
    switch (a->type) {
    case CEL_LIST: return equal_lists(evaluation, &a->list, &b->list, depth - 1);
    case CEL_MAP: return equal_maps(evaluation, &a->map, &b->map, depth - 1);
    case CEL_NULL: return CEL_EQUAL;
    case CEL_TYPE: return bytes_equal(a->text, b->text) ? CEL_EQUAL : CEL_DIFFERENT;
    case CEL_OPTIONAL:
        if (!a->content || !b->content)
            return a->content == b->content ? CEL_EQUAL : CEL_DIFFERENT;
        return equal(evaluation, a->content, b->content, depth - 1);
    case CEL_STRING: case CEL_BYTES:
        if (a->text.length != b->text.length || !cel_steps_bytes(evaluation, a->text.length))
            return CEL_DIFFERENT;
        return bytes_equal(a->text, b->text) ? CEL_EQUAL : CEL_DIFFERENT;
    default: return cel_values_compare(a, b) == CEL_SAME ? CEL_EQUAL : CEL_DIFFERENT;
    }
}

enum cel_equality_result cel_values_equal(struct cel_evaluation *evaluation, const struct cel_value *a, const struct cel_value *b)
{
    return equal(evaluation, a, b, LIMIT_CEL_VALUE_DEPTH);
}
