/* Wrong apiVersion or kind of objects that are probably meant to be of a kind with rules. */
#ifndef DRAWBRIDGE_VALIDATE_NAMING_H
#define DRAWBRIDGE_VALIDATE_NAMING_H

#include "validate/report.h"

/* Whether apiVersion or kind of the item is wrong: missing, misspelt, of another API version, or not served by an API server of the version
 * in `settings`. Then sets *problem, with texts in the arena; the caller checks arena->failure. */
bool naming_problem(const struct item *item, const struct validate_settings *settings, struct arena *arena, struct problem *problem);

/* Whether the item's kind came to Kubernetes later than the version in `settings`: it is of no kind then, and not validated. */
bool naming_is_later(const struct item *item, const struct validate_settings *settings) MUST_USE;

#endif
