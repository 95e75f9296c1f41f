/* Regular expressions on PCRE2, with hard limits. A match that reaches a limit is a failure, never a mismatch. */
#ifndef DRAWBRIDGE_VALUE_PATTERN_H
#define DRAWBRIDGE_VALUE_PATTERN_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/failure.h"
#include "base/memory.h"

struct pattern; /* compiled; immutable, shared by threads */
struct matcher; /* memory for matching; one for each thread */

/* Compiles `source`, which is NUL-terminated; `.` matches line ends, too. utf: subjects are UTF-8, matched by character, not by byte. Free
 * with pattern_free. FAILURE_PATTERN when the source is not a regular expression; FAILURE_MEMORY. */
enum failure pattern_new(const char *source, bool utf, const struct memory *memory, struct pattern **pattern) MUST_USE;
void pattern_free(struct pattern *pattern);

enum failure matcher_new(const struct memory *memory, struct matcher **matcher) MUST_USE;
void matcher_free(struct matcher *matcher);

/* Sets *matched to whether `pattern` matches anywhere in `subject`. FAILURE_PATTERN when a LIMIT_MATCH is reached, or a `utf` subject is
 * not UTF-8; FAILURE_MEMORY. */
enum failure pattern_match(struct matcher *matcher, const struct pattern *pattern, struct bytes subject, bool *matched) MUST_USE;

#endif
