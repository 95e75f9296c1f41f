/* Regular expressions on PCRE2, with hard limits. A pattern that cannot be decided is a failure, never a mismatch. */
#ifndef DRAWBRIDGE_VALUE_PATTERN_H
#define DRAWBRIDGE_VALUE_PATTERN_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/failure.h"
#include "base/memory.h"

struct pattern; /* compiled; immutable, shared by threads */
struct matcher; /* the working space of matches; one a thread */

/* Compiles `source` (NUL-terminated; `.` matches any byte or character). utf: subjects are UTF-8 and the unit is the
 * character, else the byte. FAILURE_PATTERN when the source is no pattern, FAILURE_MEMORY. Free with pattern_free. */
enum failure pattern_new(const char *source, bool utf, const struct memory *memory, struct pattern **pattern) MUST_USE;
void pattern_free(struct pattern *pattern);

enum failure matcher_new(const struct memory *memory, struct matcher **matcher) MUST_USE;
void matcher_free(struct matcher *matcher);

/* Sets *matched to whether `pattern` matches somewhere in `subject`. FAILURE_PATTERN when a limit of base/limits.h is
 * reached or the subject is not UTF-8 although it should be; FAILURE_MEMORY. */
enum failure pattern_match(struct matcher *matcher, const struct pattern *pattern, struct bytes subject, bool *matched) MUST_USE;

#endif
