/* What comments and annotations say about findings: "# drawbridge: ignore[rule, rule] reason" counts for its line, for the one below it
 * where it stands alone, and for the whole document at its head; "ignore-file[rule]" for the file; the annotation drawbridge.dev/ignore for
 * its object. */
#ifndef DRAWBRIDGE_LINT_SUPPRESSION_H
#define DRAWBRIDGE_LINT_SUPPRESSION_H

#include "lint/limits.h"
#include "validate/report.h"

enum suppression_scope {
    SUPPRESSION_NOWHERE, /* nothing follows for which it could count */
    SUPPRESSION_LINE,    /* findings that begin from `from` up to `to` */
    SUPPRESSION_FILE,
    SUPPRESSION_OBJECT,  /* of item */
};

struct suppression {
    enum suppression_scope scope;
    uint32_t offset, size;         /* of the comment or the annotation's value */
    uint32_t from, to;             /* bytes of the source */
    uint32_t part_from, part_to;   /* of the part of the file, between separators, in which the comment is */
    uint32_t inside;               /* the end of a scalar around it: it is no comment; 0: there is none */
    const struct item *item;
    bool all;                      /* every rule */
    bool rules[RULE_COUNT], used[RULE_COUNT], locked[RULE_COUNT];
    struct bytes wrong;            /* the first id that is none, or the wrong word; data NULL: all is well */
    const char *mistake;           /* what is wrong with it */
    struct bytes meant;            /* for wrong */
    const char *reason;            /* "" if none is written */
};

/* In the order of the text, comments first. */
struct suppressions {
    struct suppression *list;
    uint32_t count;
    bool more; /* there are more than LIMIT_SUPPRESSIONS */
};

/* Finds those of a source; everything is in the arena. FAILURE_MEMORY, FAILURE_LIMIT. */
enum failure suppressions_find(const struct source *source, struct arena *arena, struct suppressions *suppressions) MUST_USE;

/* What a caller says: whether nothing may hide a problem. */
struct suppression_lock {
    bool (*locks)(void *self, const struct problem *problem);
    void *self;
};

/* Hides in the report on that source what is suppressed. Adds problems about suppressions: those that are wrong, and those that suppress
 * nothing. *count: what was suppressed. */
enum failure suppressions_apply(const struct source *source, const struct suppression_lock *lock, struct arena *arena,
                                struct report *report, size_t *count) MUST_USE;

#endif
