/* Whether constants are regular expressions: all those of one expression. */
#ifndef DRAWBRIDGE_CEL_PATTERN_H
#define DRAWBRIDGE_CEL_PATTERN_H

#include "cel/regexp.h"

struct cel_patterns {
    struct arena kept, scratch; /* for classes; for one regular expression. Each takes at most LIMIT_CEL_PATTERN_ARENA */
    struct cel_regexp_classes classes;
};

/* Allocates nothing yet. `version` is the minor version of Kubernetes. It must not be copied. */
void cel_patterns_init(struct cel_patterns *patterns, unsigned version, const struct memory *memory);
void cel_patterns_done(struct cel_patterns *patterns);

/* Sets *error to Go's words for why the text is no regular expression, in `arena`, or to NULL. FAILURE_LIMIT where reading takes more than
 * LIMIT_CEL_PATTERN_ARENA. */
enum failure cel_pattern_error(struct cel_patterns *patterns, struct bytes text, struct arena *arena, const char **error) MUST_USE;

#endif
