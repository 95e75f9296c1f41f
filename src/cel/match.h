/* Where regular expressions match, as Go's package regexp says: of the matches that begin first, the one that alternatives and loops
 * prefer. Time is bounded by the length of the text times the size of the program; nothing is exponential. */
#ifndef DRAWBRIDGE_CEL_MATCH_H
#define DRAWBRIDGE_CEL_MATCH_H

#include "cel/regexp.h"

enum cel_regexp_purpose {
    CEL_REGEXP_TEST, /* whether it matches: what cannot change that is left out of the program */
    CEL_REGEXP_FIND, /* where, too */
};

struct cel_regexp_program; /* immutable, shared by threads */

/* Compiles a regular expression, in `arena`. *error is set to Go's words for why the text is none, in the arena, or to NULL. FAILURE_LIMIT:
 * more than LIMIT_CEL_REGEXP_BYTES, LIMIT_CEL_PATTERN_ARENA or LIMIT_CEL_REGEXP_PROGRAM, or the arena's limit; FAILURE_MEMORY. */
enum failure cel_regexp_compile(struct bytes text, enum cel_regexp_dialect dialect, enum cel_regexp_purpose purpose, struct arena *arena,
                                const struct cel_regexp_program **program, const char **error) MUST_USE;

/* What a thread needs for matching, kept from match to match. In `arena`: when that is cleared, the matcher must be initialised again. */
struct cel_matcher {
    struct arena *arena;
    uint64_t steps; /* how many are left */
    void *memory;   /* see regexp_match.c */
    size_t capacity;
    struct bytes last_text; /* what cel_matcher_compile() compiled last, and how */
    enum cel_regexp_dialect last_dialect;
    enum cel_regexp_purpose last_purpose;
    const struct cel_regexp_program *last_program;
};

/* From here on all matches together may take LIMIT_CEL_REGEXP_STEPS. Allocates nothing yet. */
void cel_matcher_init(struct cel_matcher *matcher, struct arena *arena);

/* As cel_regexp_compile(), in the arena of the matcher: for what is known only when it is needed. The text must live as long as the arena.
 * It takes steps as a match does; the one that was compiled last is not compiled again. */
enum failure cel_matcher_compile(struct cel_matcher *matcher, struct bytes text, enum cel_regexp_dialect dialect,
                                 enum cel_regexp_purpose purpose, const struct cel_regexp_program **program,
                                 const char **error) MUST_USE;

struct cel_match {
    bool found;
    uint32_t start, end; /* in bytes. Of a program for CEL_REGEXP_TEST they say nothing */
};

/* Searches the text, which is UTF-8, from byte `from` on; what is before it still counts for \b, ^ and \A. FAILURE_LIMIT: no steps are
 * left, or the arena's limit; FAILURE_MEMORY. */
enum failure cel_regexp_find(struct cel_matcher *matcher, const struct cel_regexp_program *program, struct bytes text, uint32_t from,
                             struct cel_match *match) MUST_USE;

/* All matches, one after the other: begin with { .from = 0 }. No match begins where the one before it ends with the empty string. */
struct cel_match_all {
    struct cel_match match; /* !match.found: there are no more */
    uint32_t from;          /* where to go on; beyond the text: it is done */
    bool again;             /* there was one before: it ends at match.end */
};

enum failure cel_regexp_next(struct cel_matcher *matcher, const struct cel_regexp_program *program, struct bytes text,
                             struct cel_match_all *all) MUST_USE;

#endif
