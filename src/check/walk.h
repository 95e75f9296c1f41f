/* The walk: goes down an object and its old counterpart by their shapes, and runs the checks on the way. */
#ifndef DRAWBRIDGE_CHECK_WALK_H
#define DRAWBRIDGE_CHECK_WALK_H

#include "check/cursor.h"

/* Checks the value at the cursor and everything below. */
void walk_value(struct evaluation *eval, struct cursor *cursor);

/* Runs the checks, which must not be NULL. shape_check: they are those of a shape, so members are those of the value itself. Returns
 * whether a broken check with STOP ended them; then the walk does not go further down. */
bool walk_checks(struct evaluation *eval, struct cursor *cursor, const struct check *checks, bool shape_check);

/* Whether the old value at the cursor would break an error row if it were created now. */
bool walk_old_invalid(struct evaluation *eval, const struct cursor *cursor);

#endif
