/* Tells a visitor what becomes of each row: whether it ran and, if not, why not. For people who look for a mistake in a row. While an
 * object is traced, the walk visits every member and fast paths pass over nothing, so that each row is decided. */
#ifndef DRAWBRIDGE_CHECK_TRACE_H
#define DRAWBRIDGE_CHECK_TRACE_H

#include "check/cursor.h"

enum trace_result {
    TRACE_OBJECT,        /* the validation of request->object begins */
    TRACE_UNDECODABLE,   /* a value has a wrong type, so no row runs */
    TRACE_END,           /* of the object */
    TRACE_VALUE,         /* the walk comes to the value at the cursor */
    TRACE_NO_FIELD,      /* the version does not have the field of the value */
    TRACE_REST_SKIPPED,  /* nothing is checked in this element, because a row with REST_SKIPPED was broken by it */
    TRACE_CLEAN,         /* a fast path would pass over the value: it breaks no row, whatever is beside it */
    TRACE_PASSED,        /* the row ran, and is not broken */
    TRACE_BROKEN,        /* the row ran, and is broken */
    TRACE_STOPPED,       /* the row did not run: an earlier one, `stopper`, was broken */
    TRACE_VERSION,       /* … it is of other versions */
    TRACE_NEEDS_SET,     /* … it is about other objects, and this one is validated by itself */
    TRACE_OPERATION,     /* … it is for other operations */
    TRACE_CONDITION,     /* … `predicate` does not hold */
};

struct trace_event {
    enum trace_result result;
    const struct cursor *cursor;       /* NULL: TRACE_OBJECT to TRACE_END */
    const struct check *check;         /* the row, from TRACE_PASSED on */
    const struct check *stopper;
    const struct predicate *predicate;
    const struct finding *found;       /* the first of those that the row reports; NULL: it is only counted */
};

struct trace {
    void *self;
    void (*visit)(void *self, struct evaluation *eval, const struct trace_event *event);
};

#define TRACE_COLD __attribute__((cold))

/* Each of these does nothing but call the visitor; the evaluation must have a trace. */
TRACE_COLD void trace_object(struct evaluation *eval, enum trace_result result);
TRACE_COLD void trace_value(struct evaluation *eval, const struct cursor *cursor, enum trace_result result);
TRACE_COLD void trace_no_field(struct evaluation *eval, const struct cursor *object, const struct field *field);

/* What became of a check that the walk has come to. unmet: the predicate that does not hold, or NULL. last: the last finding before it. */
TRACE_COLD void trace_check(struct evaluation *eval, const struct cursor *cursor, const struct check *check, const struct predicate *unmet,
                            bool broken, const struct finding *last);

/* The checks after `stopper` in its row do not run. */
TRACE_COLD void trace_stopped(struct evaluation *eval, const struct cursor *cursor, const struct check *stopper);

#endif
