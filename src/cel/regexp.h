/* Regular expressions as Go's package regexp reads them (RE2 syntax with Perl's extensions), which CEL's functions take: refused in Go's
 * words, or translated for PCRE2. Source: Go's regexp/syntax, 1.24 to 1.26, with which this is compared. */
#ifndef DRAWBRIDGE_CEL_REGEXP_H
#define DRAWBRIDGE_CEL_REGEXP_H

#include "base/arena.h"
#include "cel/unicode.h"

struct cel_regexp {
    struct bytes error;   /* why Go refuses it, in its words, with a NUL after; length 0: it does not */
    struct bytes pattern; /* else the same for pattern_new() with utf, with a NUL after. data NULL: too long for PCRE2 */
};

/* Reads a regular expression. What is in *result is in `arena`. FAILURE_LIMIT: longer than LIMIT_CEL_REGEXP_BYTES, or the arena's limit;
 * FAILURE_MEMORY.
 *
 * The translation matches where Go matches, and the same text, but has no groups that capture: CEL has no use for them. It says itself what
 * case, line ends and classes mean, so that nothing depends on PCRE2's settings or on its version of Unicode. */
enum failure cel_regexp_read(struct bytes text, enum cel_regexp_dialect dialect, struct arena *arena, struct cel_regexp *result) MUST_USE;

#endif
