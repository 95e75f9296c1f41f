/* apiVersion and kind: objects that mean a kind with rules, but do not name it. */
#ifndef DRAWBRIDGE_LINT_NAMING_H
#define DRAWBRIDGE_LINT_NAMING_H

#include "lint/judge.h"

/* Whether apiVersion or kind of the item is a mistake about a kind with rules: missing, misspelt, of another API version, or not
 * served by an API server of that version. Then *problem says so; its texts are in the arena, whose failure is the caller's to look at. */
bool naming_problem(const struct item *item, minor version, struct arena *arena, struct problem *problem);

#endif
