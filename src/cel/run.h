/* A run of a program: one evaluation. Shared by evaluate.c, chain.c and run_cost.c. */
#ifndef DRAWBRIDGE_CEL_RUN_H
#define DRAWBRIDGE_CEL_RUN_H

#include "cel/program.h"

struct cel_slot {
    struct cel_value value;
    const struct cel_plan *lazy; /* of a binding that was not read yet; NULL: the value is there */
};

struct cel_run {
    struct cel_evaluation evaluation;
    const struct cel_program *program;
    const struct cel_value *variable;
    struct cel_slot *slots;
    unsigned depth; /* of calls of cel_eval() inside each other */
};

struct cel_value cel_eval(struct cel_run *run, const struct cel_plan *plan);

/* As a side of a condition or as an index: a variable costs nothing of its own there. */
struct cel_value cel_eval_side(struct cel_run *run, const struct cel_plan *plan);

/* a ? b : c */
struct cel_value cel_eval_condition(struct cel_run *run, const struct cel_plan *plan);

/* ---- chains ---- */

struct cel_value cel_eval_chain(struct cel_run *run, const struct cel_plan *plan);

/* What a chain begins with; it costs nothing here. */
struct cel_value cel_eval_base(struct cel_run *run, const struct cel_plan *plan);

/* The steps of a chain, from a value. */
struct cel_value cel_eval_steps(struct cel_run *run, const struct cel_plan *plan, struct cel_value value);

/* has(). As a side of a condition or an index, one that goes through an optional gives that optional, as in cel-go. */
struct cel_value cel_eval_presence(struct cel_run *run, const struct cel_plan *plan, bool side);

/* An optional as cel-go has it after it was the value of a variable or of a condition: it loses a level, and most objects. */
struct cel_value cel_unwrap_optional(struct cel_run *run, struct cel_value value);

/* ---- costs and errors ---- */

/* Adds to the cost; beyond LIMIT_CEL_COST the evaluation stops. */
void cel_charge(struct cel_run *run, uint64_t cost);

/* What calling costs at run time; `overload` NULL: several were left. Some arguments stop the evaluation, as they end cel-go's in a panic.
 * Source: k8s.io/apiserver v0.35.4 pkg/cel/library/cost.go, cel-go v0.26.0 interpreter/runtimecost.go. */
uint64_t cel_run_cost(struct cel_evaluation *evaluation, const struct cel_plan *plan, const struct cel_value *arguments,
                       const struct cel_value *result);


/* The value; an error gets its place, unless it has one. */
struct cel_value cel_placed(struct cel_value value, const struct cel_plan *plan);

/* An error at the plan's place. */
struct cel_value cel_run_fail(struct cel_run *run, const struct cel_plan *plan, const char *words);

#endif
