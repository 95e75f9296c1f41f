/* What an implementation of a function has at hand. The rows name implementations (struct cel_function); rules/cel/ holds them. */
#ifndef DRAWBRIDGE_CEL_EVALUATION_H
#define DRAWBRIDGE_CEL_EVALUATION_H

#include "cel/library.h"
#include "cel/match.h"
#include "cel/value.h"

struct cel_own_object;
struct cel_zone;

struct cel_evaluation {
    struct arena *arena; /* of this evaluation: for everything that it makes */
    unsigned version;    /* minor version of Kubernetes */
    uint64_t cost;       /* so far */
    uint64_t steps;      /* work that costs nothing in CEL's terms, so far; see cel_steps() */
    const char *stopped; /* the words of an error that nothing absorbs; NULL: it goes on */
    enum failure failure;
    struct cel_matcher matcher; /* for regular expressions */
    struct cel_own_object *own; /* copies of the input's objects that were changed */
    const struct cel_zone *zones; /* time zones that were read */
};

/* A call: `arguments` are no errors, and fit `overload`, which is NULL for functions that take any (CEL_FORM_ANY). */
struct cel_invocation {
    struct cel_evaluation *evaluation;
    const struct cel_function *function;
    const struct cel_overload *overload;
    const struct cel_value *arguments; /* what it is called on first */
    uint32_t count;
    const struct cel_regexp_program *pattern; /* the second argument, compiled, if it is a constant regular expression; else NULL */
};

/* ---- errors: values that && and || absorb ---- */

/* `words` for ever, or in the arena. */
struct cel_value cel_fail(struct cel_evaluation *evaluation, const char *words);

/* The words and what they are about, quoted and cut: 'no such key: "model"'. */
struct cel_value cel_fail_about(struct cel_evaluation *evaluation, const char *words, struct bytes about);

/* "no such overload" */
struct cel_value cel_no_overload(struct cel_evaluation *evaluation);

/* An error that nothing absorbs: it ends the evaluation. */
struct cel_value cel_stop(struct cel_evaluation *evaluation, const char *words);

/* ---- memory and time ---- */

/* Memory of the evaluation, for `count` things of `size` bytes each. NULL: there is none; then the evaluation is stopped, and the
 * implementation returns cel_stopped(). Counts 0 gives memory, too. */
void *cel_evaluation_alloc(struct cel_evaluation *evaluation, uint64_t count, size_t size) MUST_USE;

/* Counts work that CEL's cost does not: elements compared, bytes searched. False: there was too much, and the evaluation is stopped. */
bool cel_steps(struct cel_evaluation *evaluation, uint64_t steps) MUST_USE;

/* The same for going through the bytes of texts: 64 of them are a step. */
static inline bool cel_steps_bytes(struct cel_evaluation *evaluation, uint64_t bytes) MUST_USE;
static inline bool cel_steps_bytes(struct cel_evaluation *evaluation, uint64_t bytes)
{
    return bytes < 64 || cel_steps(evaluation, bytes / 64);
}

/* The same for a value that is hashed, or compared without cel_values_equal(): only texts take steps. */
static inline bool cel_steps_value(struct cel_evaluation *evaluation, const struct cel_value *value) MUST_USE;
static inline bool cel_steps_value(struct cel_evaluation *evaluation, const struct cel_value *value)
{
    bool text = value->type == CEL_STRING || value->type == CEL_BYTES;
    return !text || cel_steps_bytes(evaluation, value->text.length);
}

/* The error of an evaluation that is stopped. */
struct cel_value cel_stopped(struct cel_evaluation *evaluation);

/* A builder's text as a value; it stops the evaluation if the builder failed. */
struct cel_value cel_text_value(struct cel_evaluation *evaluation, struct text *text);

/* A copy of a value, in the arena, for what points to values. NULL: as cel_evaluation_alloc(). */
const struct cel_value *cel_value_keep(struct cel_evaluation *evaluation, const struct cel_value *value) MUST_USE;

/* The object that functions of this evaluation use in place of one of the input: itself, or the copy that was made to change it.
 * With `size`, the bytes of its struct, makes that copy. NULL: as cel_evaluation_alloc(). */
struct cel_object *cel_object_own(struct cel_evaluation *evaluation, struct cel_object *object, size_t size) MUST_USE;

/* ---- comparing ---- */

/* a == b, as CEL has it: numbers across kinds; values of two kinds differ; null equals null. */
enum cel_equality_result cel_values_equal(struct cel_evaluation *evaluation, const struct cel_value *a, const struct cel_value *b);

enum cel_order {
    CEL_LESS = -1,
    CEL_SAME = 0,
    CEL_GREATER = 1,
    CEL_UNORDERED,   /* NaN */
    CEL_NOT_ORDERED, /* kinds that have no order together */
};

enum cel_order cel_values_compare(const struct cel_value *a, const struct cel_value *b);

/* a + b, a - b, a * b, a / b, a % b: `operator` is that character. */
struct cel_value cel_arithmetic(struct cel_evaluation *evaluation, char operator, const struct cel_value *a, const struct cel_value *b);

#endif
