/* Which findings of a file are reported, and how severe they are: what options and policies of a configuration make of them. */
#ifndef DRAWBRIDGE_LINT_SELECTION_H
#define DRAWBRIDGE_LINT_SELECTION_H

#include "base/ignore.h"
#include "review/policy.h"
#include "validate/report.h"

struct selection {
    const struct policies *policies; /* of a configuration, in whose arena they are; NULL: none */
    struct ignore *paths;            /* for each policy: the files that it is about */
    const bool *select, *ignore;     /* by enum rule: only these, but not those; NULL: all, none */
};

/* policies may be NULL; folder is that of the configuration, absolute, "" for the root. Call selection_done in the end, also after a
 * failure: false with *error set. */
bool selection_init(struct selection *selection, const struct policies *policies, const char *folder, struct error *error) MUST_USE;
void selection_done(struct selection *selection);

/* Removes from a report on one source what is not reported, and sets the severity of the rest. Of the problems that are only counted,
 * nothing changes. `file` is the absolute path of the source. */
void selection_apply(const struct selection *selection, struct bytes file, struct report *report);

/* Whether a policy locks the finding: nothing may lower it, or hide it. */
bool selection_locks(const struct selection *selection, struct bytes file, const struct problem *problem);

/* Sets the flags of a list of ids, "required,enum" or "all"; an id that a rule had before is fine. False with *error set: one is none. */
bool selection_rules(const char *text, bool rules[RULE_COUNT], struct error *error) MUST_USE;

#endif
