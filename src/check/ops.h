/* Inside check/: the operations of schema/ops.def. */
#ifndef DRAWBRIDGE_CHECK_OPS_H
#define DRAWBRIDGE_CHECK_OPS_H

#include "check/cursor.h"

/* Runs a check whose conditions hold. Reports what is wrong, and returns whether anything is. */
bool ops_run(struct evaluation *eval, struct cursor *cursor, const struct check *check);

typedef bool check_function(struct evaluation *eval, struct cursor *cursor, const struct check *check);

#define OP(id, function, ...) check_function function;
#include "schema/ops.def"
#undef OP

#endif
