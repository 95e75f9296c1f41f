/* What of a report on a file is reported: what its comments and annotations do not suppress, as options and policies say. */
#ifndef DRAWBRIDGE_LINT_REPORTED_H
#define DRAWBRIDGE_LINT_REPORTED_H

#include "lint/selection.h"

struct reported {
    const struct selection *selection;
    struct bytes file; /* absolute path */
    bool no_suppressions;
};

/* Whether a policy locks the finding; self is a struct reported. */
bool reported_locks(void *self, const struct problem *problem);

/* Removes from a report or hides in it what is not reported, and sets severities. Adds findings about suppressions, in the arena.
 * *suppressed: what these hide. FAILURE_MEMORY, FAILURE_LIMIT. */
enum failure reported_apply(struct reported *reported, const struct source *source, struct arena *arena, struct report *report,
                            size_t *suppressed) MUST_USE;

#endif
