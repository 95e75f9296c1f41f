/* Quantities in expressions. Kubernetes keeps a number in one of two ways: small, an int64 with a decimal scale, or big, a decimal of any
 * size. Which one decides what isInteger() and asInteger() say; comparing and adding change it, and the sum of a big number is that number
 * itself, changed. Source: k8s.io/apimachinery v0.35.4 pkg/api/resource, k8s.io/apiserver v0.35.4 pkg/cel/library/quantity.go. */
#include <math.h>
#include <stdlib.h>

#include "rules/cel/calls.h"
#include "rules/cel/objects.h"
#include "value/quantity.h"

struct big {
    struct quantity number;
    int32_t places; /* Kubernetes keeps an integer and these decimal places, which asApproximateFloat() rounds one after the other */
    bool input;     /* it is only read */
};

enum notation { DECIMAL, EXPONENT, BINARY };

struct quantity_object {
    struct cel_object head;
    bool sum; /* of add() or sub(): == does not take it on the right */
    enum notation notation;
    struct quantity_small small; /* where it is not big */
    struct big *big;             /* shared by sums of a big number; NULL: it is small */
    struct bytes text;           /* as it was written; empty: it was computed */
};

/* ---- reading ---- */

/* What a text that is no quantity breaks, in Kubernetes' words. */
static const char *fault_words(struct bytes text)
{
    uint32_t i = text.length && (*text.data == '+' || *text.data == '-');
    bool digits = false;
    for (; i < text.length && ((text.data[i] >= '0' && text.data[i] <= '9') || text.data[i] == '.'); i++)
        digits = digits || text.data[i] != '.';
    bool suffix = i < text.length;
    while (i < text.length && strchr("eEinumkKMGTP", text.data[i]) && text.data[i])
        i++;
    i += i < text.length && (text.data[i] == '+' || text.data[i] == '-');
    while (i < text.length && text.data[i] >= '0' && text.data[i] <= '9')
        i++;
    if (i < text.length || (!digits && !suffix))
        return "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
    return digits ? "unable to parse quantity's suffix" : "unable to parse numeric part of quantity";
}

static bool may_end(char byte)
{
    return byte > ' ' && byte < 0x7F;
}

static enum notation notation_of(struct bytes text)
{
    for (uint32_t i = 0; i < text.length; i++) {
        if (text.data[i] == 'i')
            return BINARY;
        if ((text.data[i] == 'e' || text.data[i] == 'E') && i + 1 < text.length && text.data[i + 1] != 'i')
            return EXPONENT;
    }
    return DECIMAL;
}

/* Reads a number that is not small. False: it is no quantity, or the arena failed. */
static bool read_big(struct arena *arena, struct bytes text, bool input, struct quantity_object *object, const char **error)
{
    if (text.length == 0 || !may_end(text.data[0]) || !may_end(text.data[text.length - 1]) || quantity_fault(text)) {
        *error = fault_words(text);
        return false;
    }
    struct big *big = arena_alloc(arena, sizeof *big);
    if (!big || quantity_read(text, arena, &big->number))
        return false;
    static const struct quantity cap = { "9223372036854775807", 19, 19, false };
    struct quantity size = big->number;
    size.negative = false;
    /* It was rounded to nine places, or capped, if it had a binary suffix. */
    big->places = notation_of(text) == BINARY && quantity_compare(&size, &cap) == 0 ? 0 : 9;
    big->input = input;
    object->big = big;
    return true;
}

struct cel_object *quantity_object(struct arena *arena, struct bytes text, bool input, const char **error)
{
    *error = NULL;
    struct quantity_object *object = arena_alloc(arena, sizeof *object);
    if (!object)
        return NULL;
    *object = (struct quantity_object){ .head = { &quantity_class, input }, .text = text };
    if (!quantity_read_small(text, &object->small) && !read_big(arena, text, input, object, error))
        return NULL;
    return &object->head;
}

/* ---- both ways of keeping a number ---- */

/* The object with what this evaluation changed in it. */
static struct quantity_object *current(struct cel_evaluation *evaluation, struct cel_object *object)
{
    return (struct quantity_object *)(object->input ? cel_object_own(evaluation, object, 0) : object);
}

/* The same, to be changed. NULL: the evaluation is stopped. */
static struct quantity_object *changing(struct cel_evaluation *evaluation, struct cel_object *object)
{
    struct quantity_object *quantity = (struct quantity_object *)cel_object_own(evaluation, object, sizeof *quantity);
    if (!quantity || !quantity->big || !quantity->big->input)
        return quantity;
    struct big *own = cel_evaluation_alloc(evaluation, 1, sizeof *own);
    if (!own)
        return NULL;
    *own = *quantity->big;
    own->input = false;
    quantity->big = own;
    return quantity;
}

static const struct quantity *exact(const struct quantity_object *object, char digits[QUANTITY_SMALL_DIGITS], struct quantity *quantity)
{
    if (object->big)
        return &object->big->number;
    quantity_of_small(&object->small, digits, quantity);
    return quantity;
}

/* The big number that a small one becomes. NULL: the evaluation is stopped. */
static struct big *grow(struct cel_evaluation *evaluation, const struct quantity_small *small)
{
    struct big *big = cel_evaluation_alloc(evaluation, 1, sizeof *big);
    char *digits = cel_evaluation_alloc(evaluation, QUANTITY_SMALL_DIGITS, 1);
    if (!big || !digits)
        return NULL;
    *big = (struct big){ .places = -small->scale };
    quantity_of_small(small, digits, &big->number);
    return big;
}

/* number * 10^places. False: it is beyond int64. */
static bool shift(int64_t number, int64_t places, int64_t *result)
{
    for (; number && places > 0; places--)
        if (__builtin_mul_overflow(number, 10, &number))
            return false;
    *result = number;
    return true;
}

/* ---- comparing ---- */

static int compare(const struct quantity_object *a, const struct quantity_object *b)
{
    struct quantity_small left = a->small, right = b->small;
    bool higher = left.scale > right.scale;
    if (!a->big && !b->big && (higher ? shift(left.mantissa, (int64_t)left.scale - right.scale, &left.mantissa)
                                      : shift(right.mantissa, (int64_t)right.scale - left.scale, &right.mantissa)))
        return (left.mantissa > right.mantissa) - (left.mantissa < right.mantissa);
    char digits_a[QUANTITY_SMALL_DIGITS], digits_b[QUANTITY_SMALL_DIGITS];
    struct quantity exact_a, exact_b;
    int order = quantity_compare(exact(a, digits_a, &exact_a), exact(b, digits_b, &exact_b));
    return (order > 0) - (order < 0);
}

bool quantity_order(struct cel_evaluation *evaluation, struct cel_object *a, struct cel_object *b, int *order)
{
    struct quantity_object *left = current(evaluation, a), *right = current(evaluation, b);
    if (!left->big && right->big) {
        left = changing(evaluation, a);
        if (!left || !(left->big = grow(evaluation, &left->small)))
            return false;
    }
    *order = compare(left, right);
    return true;
}

static enum cel_equality_result equal(const struct cel_object *a, const struct cel_object *b)
{
    const struct quantity_object *left = (const struct quantity_object *)a, *right = (const struct quantity_object *)b;
    if (right->sum)
        return CEL_INCOMPARABLE;
    return compare(left, right) ? CEL_DIFFERENT : CEL_EQUAL;
}

/* ---- sums ---- */

/* Adds a small number to a small number, as Kubernetes does: 0 leaves the other as it is. False: it is beyond int64. */
static bool add_small(struct quantity_small *sum, struct quantity_small more)
{
    if (more.mantissa == 0)
        return true;
    if (sum->mantissa == 0) {
        *sum = more;
        return true;
    }
    int64_t mantissa = sum->mantissa, scale = sum->scale < more.scale ? sum->scale : more.scale;
    if (!shift(mantissa, sum->scale - scale, &mantissa) || !shift(more.mantissa, more.scale - scale, &more.mantissa) ||
        __builtin_add_overflow(mantissa, more.mantissa, &mantissa))
        return false;
    *sum = (struct quantity_small){ mantissa, (int32_t)scale };
    return true;
}

/* Adds to a big number in place. False: the evaluation is stopped. */
static bool add_big(struct cel_evaluation *evaluation, struct big *sum, const struct quantity_object *more, bool minus)
{
    const struct big *other = more->big ? more->big : grow(evaluation, &more->small);
    if (!other)
        return false;
    struct quantity amount = other->number, number = sum->number;
    amount.negative = amount.count && amount.negative != minus;
    if (!cel_steps(evaluation, quantity_sum_digits(&number, &amount)))
        return false;
    if (quantity_add(&number, &amount, evaluation->arena, &sum->number)) {
        (void)(evaluation->arena->failure ? object_fail(evaluation, NULL, more->text)
                                          : cel_stop(evaluation, "the sum of the quantities has too many digits"));
        return false;
    }
    sum->places = sum->places > other->places ? sum->places : other->places;
    return true;
}

static bool is_zero(const struct quantity_object *object)
{
    return object->big ? object->big->number.count == 0 : object->small.mantissa == 0;
}

static enum notation notation(const struct quantity_object *object)
{
    return object->text.length ? notation_of(object->text) : object->notation;
}

/* It is no longer what was written. */
static struct quantity_object *forget_text(struct quantity_object *object)
{
    if (object) {
        object->notation = notation(object);
        object->text = (struct bytes){ NULL, 0 };
    }
    return object;
}

/* The second argument of add() and sub(): a quantity, or an int. */
static const struct quantity_object *amount(const struct cel_invocation *call, struct quantity_object *of_int)
{
    const struct cel_value *value = &call->arguments[1];
    if (cel_is_object(value, &quantity_class))
        return current(call->evaluation, value->object);
    *of_int = (struct quantity_object){ .notation = EXPONENT, .small = { value->integer, 0 } };
    return value->type == CEL_INT ? of_int : NULL;
}

static struct cel_value add(const struct cel_invocation *call, bool minus)
{
    struct cel_evaluation *evaluation = call->evaluation;
    struct quantity_object of_int;
    const struct quantity_object *more = amount(call, &of_int);
    if (!cel_is_object(&call->arguments[0], &quantity_class) || !more)
        return cel_no_overload(evaluation);
    struct quantity_object *first = current(evaluation, call->arguments[0].object);
    if (first->big && !(first = forget_text(changing(evaluation, &first->head))))
        return cel_stopped(evaluation);
    struct quantity_object *sum = cel_evaluation_alloc(evaluation, 1, sizeof *sum);
    if (!sum)
        return cel_stopped(evaluation);
    *sum = (struct quantity_object){ .head = { &quantity_class, false }, .sum = true, .small = first->small, .big = first->big };
    sum->notation = notation(is_zero(first) ? more : first);
    struct quantity_small small = more->small;
    small.mantissa = minus ? (int64_t)(0 - (uint64_t)small.mantissa) : small.mantissa;
    if (!sum->big && !more->big && add_small(&sum->small, small))
        return cel_object_value(&sum->head);
    if (!sum->big && !(sum->big = grow(evaluation, &sum->small)))
        return cel_stopped(evaluation);
    if (!add_big(evaluation, sum->big, more, minus))
        return cel_stopped(evaluation);
    return cel_object_value(&sum->head);
}

struct cel_value call_quantity_add(const struct cel_invocation *call)
{
    return add(call, false);
}

struct cel_value call_quantity_sub(const struct cel_invocation *call)
{
    return add(call, true);
}

/* ---- other functions ---- */

struct cel_value call_quantity(const struct cel_invocation *call)
{
    const char *error;
    struct bytes text = call->arguments[0].text;
    struct cel_object *object = quantity_object(call->evaluation->arena, text, false, &error);
    return object ? cel_object_value(object) : object_fail(call->evaluation, error, text);
}

struct cel_value call_is_quantity(const struct cel_invocation *call)
{
    const char *error;
    bool is = quantity_object(call->evaluation->arena, call->arguments[0].text, false, &error) != NULL;
    return is || error ? cel_boolean(is) : object_fail(call->evaluation, NULL, call->arguments[0].text);
}

/* What is called on; NULL: that is no quantity. */
static const struct quantity_object *receiver(const struct cel_invocation *call)
{
    const struct cel_value *value = &call->arguments[0];
    return cel_is_object(value, &quantity_class) ? current(call->evaluation, value->object) : NULL;
}

static bool integer(const struct quantity_object *object, int64_t *value)
{
    return !object->big && object->small.scale >= 0 && shift(object->small.mantissa, object->small.scale, value);
}

struct cel_value call_is_integer(const struct cel_invocation *call)
{
    int64_t value;
    const struct quantity_object *object = receiver(call);
    return object ? cel_boolean(integer(object, &value)) : cel_no_overload(call->evaluation);
}

struct cel_value call_as_integer(const struct cel_invocation *call)
{
    int64_t value;
    const struct quantity_object *object = receiver(call);
    if (!object)
        return cel_no_overload(call->evaluation);
    return integer(object, &value) ? cel_integer(value) : cel_fail(call->evaluation, "cannot convert value to integer");
}

struct cel_value call_sign(const struct cel_invocation *call)
{
    const struct quantity_object *object = receiver(call);
    if (!object)
        return cel_no_overload(call->evaluation);
    bool negative = object->big ? object->big->number.negative : object->small.mantissa < 0;
    return cel_integer(is_zero(object) ? 0 : negative ? -1 : 1);
}

/* 10^n as Go's math.Pow10 has it: the product of two powers, in which it differs from the nearest double for some. */
static double power_of_ten(int32_t n)
{
    static const double low[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29, 1e30, 1e31 };
    static const double high[] = { 1e0, 1e32, 1e64, 1e96, 1e128, 1e160, 1e192, 1e224, 1e256, 1e288 };
    static const double small[] = { 1e-0, 1e-32, 1e-64, 1e-96, 1e-128, 1e-160, 1e-192, 1e-224, 1e-256, 1e-288, 1e-320 };
    if (n < -323 || n > 308)
        return n < 0 ? 0 : HUGE_VAL;
    return n < 0 ? small[-n / 32] / low[-n % 32] : high[n / 32] * low[n % 32];
}

/* The nearest double to number * 10^places, an integer. False: the evaluation is stopped. */
static bool integer_double(struct cel_evaluation *evaluation, const struct big *big, double *result)
{
    struct text text;
    text_init(&text, evaluation->arena);
    text_add(&text, big->number.negative ? "-0." : "0.");
    text_add_bytes(&text, (struct bytes){ big->number.digits, big->number.count });
    text_add(&text, "e");
    text_add_integer(&text, (int64_t)big->number.exponent + big->places);
    struct cel_value written = cel_text_value(evaluation, &text);
    if (written.type == CEL_STRING)
        *result = strtod(written.text.data, NULL);
    return written.type == CEL_STRING;
}

struct cel_value call_as_approximate_float(const struct cel_invocation *call)
{
    const struct quantity_object *object = receiver(call);
    if (!object)
        return cel_no_overload(call->evaluation);
    double number = (double)object->small.mantissa;
    int32_t exponent = object->big ? -object->big->places : object->small.scale;
    if (object->big && !integer_double(call->evaluation, object->big, &number))
        return cel_stopped(call->evaluation);
    return cel_double(exponent ? number * power_of_ten(exponent) : number);
}

/* ---- writing ---- */

/* Appends the digits and a suffix for the power of ten of the last one, which is a multiple of three. */
static void print_decimal(const struct quantity *number, enum notation notation, struct text *text)
{
    static const char letters[] = "num\0kMGTPE"; /* 10^-9 to 10^18 */
    int32_t power = number->exponent - (int32_t)number->count;
    text_add_bytes(text, (struct bytes){ number->digits, number->count });
    for (; power % 3; power--)
        text_add(text, "0");
    if (power && notation != EXPONENT && power >= -9 && power <= 18) {
        text_add_bytes(text, (struct bytes){ &letters[power / 3 + 3], 1 });
    } else if (power) {
        text_add(text, "e");
        text_add_integer(text, power);
    }
}

/* Appends an integer with a binary suffix, if it has one: not below 1024. */
static bool print_binary(const struct quantity_object *object, struct text *text)
{
    static const char *const suffixes[] = { "", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei" };
    int64_t value;
    unsigned twos = 0;
    if (!integer(object, &value) || (value < 1024 && value > -1024))
        return false;
    for (; value % 1024 == 0; twos++)
        value /= 1024;
    text_add_integer(text, value);
    text_add(text, suffixes[twos]);
    return true;
}

static void print(const struct cel_object *head, struct text *text)
{
    const struct quantity_object *object = (const struct quantity_object *)head;
    char digits[QUANTITY_SMALL_DIGITS];
    struct quantity small;
    if (object->text.length) {
        text_add_bytes(text, object->text);
    } else if (is_zero(object)) {
        text_add(text, "0");
    } else if (object->notation != BINARY || !print_binary(object, text)) {
        const struct quantity *number = exact(object, digits, &small);
        text_add(text, number->negative ? "-" : "");
        print_decimal(number, object->notation, text);
    }
}

const struct cel_object_class quantity_class = { .type = "kubernetes.Quantity", .equal = equal, .print = print };
