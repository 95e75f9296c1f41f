/* Inside check/: the expression that was compiled last. Several rows ask about the same one. */
#ifndef DRAWBRIDGE_CHECK_EXPRESSION_H
#define DRAWBRIDGE_CHECK_EXPRESSION_H

#include "cel/compile.h"
#include "check/evaluation.h"

/* Compiles an expression for the request's version, unless it is the one that was compiled last. The answer is valid until the next one is
 * compiled, or the workspace is cleared. NULL: a failure, which eval->failure says. */
const struct cel_expression *expression_compiled(struct evaluation *eval, const struct cel_library *library, struct bytes text);

#endif
