/* The one result type of functions that can fail. A finding about a document is data, not a failure. */
#ifndef DRAWBRIDGE_BASE_FAILURE_H
#define DRAWBRIDGE_BASE_FAILURE_H

enum failure {
    FAILURE_NONE,
    FAILURE_MEMORY,  /* an allocation failed */
    FAILURE_LIMIT,   /* a bound of base/limits.h was reached */
    FAILURE_SYNTAX,  /* the text is not what it should be; place and reason are given beside it */
    FAILURE_PATTERN, /* a pattern gave neither a match nor a mismatch */
};

/* A fixed description in English, without a final stop; never NULL. */
static inline const char *failure_text(enum failure failure)
{
    switch (failure) {
    case FAILURE_NONE:    return "no failure";
    case FAILURE_MEMORY:  return "out of memory";
    case FAILURE_LIMIT:   return "a limit was reached";
    case FAILURE_SYNTAX:  return "the text cannot be read";
    case FAILURE_PATTERN: return "a pattern could not be decided";
    }
    return "unknown failure";
}

#define MUST_USE __attribute__((warn_unused_result))

#endif
