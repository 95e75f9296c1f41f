/* Selectors: compiled once, however many requests and devices they are for. */
#ifndef DRAWBRIDGE_MATCH_SELECTOR_H
#define DRAWBRIDGE_MATCH_SELECTOR_H

#include "cel/evaluate.h"
#include "match/world.h"

/* An expression of selectors. */
struct match_expression {
    struct match_expression *next;
    const struct cel_library *library;
    struct bytes text;
    struct arena arena;
    struct cel_expression compiled;
    const struct cel_program *program; /* NULL: an API server refuses the expression; `fault` says why */
    const char *fault;
};

/* The expression, compiled in an environment of devices: cel_device_library or cel_attribute_library. FAILURE_LIMIT: there are too many. */
enum failure match_expression_of(struct match_world *world, const struct cel_library *library, struct bytes text,
                                 const struct match_expression **expression) MUST_USE;

/* Ends the arenas of the expressions. */
void match_expressions_done(struct match_world *world);

enum match_truth { MATCH_TRUE, MATCH_UNTRUE, MATCH_FAILED };

/* Evaluates the whole expression, or a part, on a device; on one that has no value, as match_device_evaluated() says, the error is the
 * result. *result is valid until the next evaluation. */
enum failure match_evaluate(struct match_world *world, const struct match_expression *expression, const struct cel_node *part,
                            const struct cel_value *device, struct cel_result *result) MUST_USE;

static inline enum match_truth match_truth(const struct cel_result *result)
{
    struct cel_result truth = *result;
    cel_result_make_bool(&truth);
    if (truth.value.type != CEL_BOOL)
        return MATCH_FAILED;
    return truth.value.boolean ? MATCH_TRUE : MATCH_UNTRUE;
}

#endif
