/* Whether a constant is a regular expression. */
#ifndef DRAWBRIDGE_CEL_PATTERN_H
#define DRAWBRIDGE_CEL_PATTERN_H

#include "base/arena.h"
#include "base/bytes.h"

/* Sets *error to Go's words for why the text is no regular expression, in the arena, or to NULL. What reading needs is given back: only the
 * words stay in the arena. FAILURE_LIMIT where reading takes more than LIMIT_CEL_PATTERN_ARENA. */
enum failure cel_pattern_error(struct bytes text, struct arena *arena, const char **error) MUST_USE;

#endif
