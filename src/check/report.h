/* Inside check/: turns broken checks into findings. */
#ifndef DRAWBRIDGE_CHECK_REPORT_H
#define DRAWBRIDGE_CHECK_REPORT_H

#include "check/cross.h"
#include "check/cursor.h"

/* Why a value is refused. Written out only when the finding is kept: `before`, the numbers with `between` between them or the names in
 * quotes, `after`. Everything it points to outlives the finding. */
struct detail {
    const char *before, *between, *after;
    int64_t numbers[2];
    int number_count;
    const char *const *names;
};

static inline struct detail detail_text(const char *text)
{
    return (struct detail){ .before = text };
}

static inline struct detail detail_number(const char *before, int64_t number, const char *after)
{
    return (struct detail){ .before = before, .after = after, .numbers = { number }, .number_count = 1 };
}

static inline struct detail detail_names(const char *before, const char *const *names)
{
    return (struct detail){ .before = before, .names = names };
}

/* Adds a finding of `check` at the cursor, with the path that the check asks for. value: quoted in the message, if its reason does that;
 * NULL: none. A DETAIL of the row replaces `detail`. */
void report(struct evaluation *eval, const struct cursor *cursor, const struct check *check, enum reason reason,
            const struct doc_node *value, struct detail detail);

/* The same. Returns the finding, for its caller to add to; NULL when it is only counted, or memory is short. */
struct finding *report_finding(struct evaluation *eval, const struct cursor *cursor, const struct check *check, enum reason reason,
                               const struct doc_node *value, struct detail detail);

/* The same for a row about other objects. `other` is the value with which this one is in conflict; NULL: none. */
void report_conflict(struct evaluation *eval, const struct cursor *cursor, const struct check *check, const struct doc_node *value,
                     const char *detail, const struct indexed *other);

/* A finding of a rule that needs no row. */
struct rule_report {
    enum rule rule;
    enum severity severity;
    const struct doc_node *value; /* see report() */
    const char *prefix;           /* begins the message; NULL: nothing */
    const char *text;             /* why */
};

void report_rule(struct evaluation *eval, const struct cursor *cursor, const struct rule_report *about);

/* The finding for which a hint is wanted; see check_request.hint. */
struct hint {
    enum rule rule;
    const struct check *check;    /* NULL: the rule has no row */
    const struct cursor *cursor;  /* of the value; for an unknown field, of the object around it */
    const struct doc_node *value; /* NULL: none */
};

#endif
