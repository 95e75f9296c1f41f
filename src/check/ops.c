/* The dispatch of operations, and those that do not test a value. */
#include "check/ops.h"

#include "check/cross_call.h"
#include "check/report.h"

bool check_refuse(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    report(eval, cursor, check, REASON_OF_RULE, cursor->node, detail_text(NULL));
    return true;
}

bool check_skip(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    (void)eval;
    (void)cursor;
    (void)check;
    return true;
}

bool check_ratchet(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    (void)eval;
    cursor->options |= check->option;
    return false;
}

bool check_call(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    struct cross cross = { .eval = eval, .cursor = cursor, .check = check };
    check->call(&cross);
    struct arena *scratch = &eval->workspace->scratch;
    if (scratch->failure && !eval->failure)
        eval->failure = scratch->failure;
    if (scratch->blocks || scratch->failure)
        arena_clear(scratch);
    return cross.broken;
}

/* ---- dispatch ---- */

static check_function *const functions[CHECK_OPS] = {
#define OP(id, function, ...) [CHECK_##id] = function,
#include "schema/ops.def"
#undef OP
};

bool ops_run(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    return functions[check->op](eval, cursor, check);
}
