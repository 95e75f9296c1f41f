/* An expression, from text to cost: what the API server asks of a selector. Knows neither documents nor kinds. */
#ifndef DRAWBRIDGE_CEL_COMPILE_H
#define DRAWBRIDGE_CEL_COMPILE_H

#include "cel/cost.h"
#include "cel/error.h"
#include "cel/library.h"
#include "cel/parse.h"

enum cel_class {
    CEL_GOOD,
    CEL_TOO_LONG,    /* more than LIMIT_CEL_BYTES */
    CEL_SYNTAX,      /* an error of the grammar, perhaps with others */
    CEL_CHECK,       /* a name, a type or a literal is wrong, or it cannot be planned */
    CEL_RESULT_TYPE, /* the result is not bool or any */
    CEL_TOO_COSTLY,  /* by estimate more than LIMIT_CEL_COST */
    CEL_TOO_COMPLEX, /* a limit of this compiler; the API server would not answer in time, or fail */
};

struct cel_expression {
    enum cel_class class;
    struct cel_errors errors;       /* of CEL_SYNTAX, CEL_CHECK and CEL_RESULT_TYPE: sorted by place */
    struct cel_tree tree;           /* from CEL_RESULT_TYPE on: with types */
    bool no_program;                /* of CEL_CHECK: the types are right, but it cannot be planned */
    struct cel_estimate estimate;   /* of CEL_GOOD and CEL_TOO_COSTLY */
};

/* Compiles in one arena; `expression`, whose text must be UTF-8 and live as long, is set whatever is found. `options` are bits of the
 * library's environment. Where the arena is full, it is CEL_TOO_COMPLEX, and the
 * arena can only be cleared. FAILURE_MEMORY: there is no memory. */
enum failure cel_compile(struct bytes text, const struct cel_library *library, struct cel_environment environment, struct arena *arena,
                         struct cel_expression *expression) MUST_USE;

/* The same for an expression with a result of any type: it is never CEL_RESULT_TYPE. */
enum failure cel_compile_any(struct bytes text, const struct cel_library *library, struct cel_environment environment, struct arena *arena,
                             struct cel_expression *expression) MUST_USE;

/* The class as programs read it: "good", "too-long", "result-type". */
const char *cel_class_name(enum cel_class class);

/* Adds why an expression is refused that has no errors: it is too long, too costly or too complex. Nothing for other classes. */
void cel_class_text(struct text *text, const struct cel_expression *expression);

#endif
