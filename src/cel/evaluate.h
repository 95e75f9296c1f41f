/* Evaluation of a compiled expression: values, errors and costs as cel-go and Kubernetes have them. */
#ifndef DRAWBRIDGE_CEL_EVALUATE_H
#define DRAWBRIDGE_CEL_EVALUATE_H

#include "cel/compile.h"
#include "cel/value.h"

struct cel_program;

/* Makes a program of an expression that is CEL_GOOD or CEL_TOO_COSTLY, in the arena, which may be that of the expression; it borrows the
 * tree. Threads may share it. FAILURE_MEMORY or FAILURE_LIMIT when the arena fails. */
enum failure cel_program_new(const struct cel_expression *expression, const struct cel_library *library, unsigned version,
                             struct arena *arena, const struct cel_program **program) MUST_USE;

struct cel_result {
    struct cel_value value; /* in the arena of the evaluation, of the program or of the variable; CEL_ERROR: why there is none */
    uint64_t cost;          /* of run time, in CEL's units */
};

/* Evaluates with that value of the variable. `arena` is for this evaluation only: it is cleared before the next, and bounded by the caller
 * (LIMIT_CEL_EVALUATION_ARENA). An evaluation that costs more than LIMIT_CEL_COST, that takes more than LIMIT_CEL_EVALUATION_STEPS or all
 * of the arena is an error, as others are. FAILURE_MEMORY: there is no memory. */
enum failure cel_evaluate(const struct cel_program *program, const struct cel_value *variable, struct arena *arena,
                          struct cel_result *result) MUST_USE;

/* The same as cel_evaluate() for a part of the expression. Names that cel.bind() gave around it have their values; variables of loops
 * around it are errors. */
enum failure cel_evaluate_part(const struct cel_program *program, const struct cel_node *part, const struct cel_value *variable,
                               struct arena *arena, struct cel_result *result) MUST_USE;

/* Makes true, false or an error of a result, as Kubernetes does for selectors: an optional that has a value counts as that value. */
void cel_result_make_bool(struct cel_result *result);

#endif
