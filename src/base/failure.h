/* The result of a function that can fail. A finding about a document is data, not a failure. */
#ifndef DRAWBRIDGE_BASE_FAILURE_H
#define DRAWBRIDGE_BASE_FAILURE_H

enum failure {
    FAILURE_NONE,
    FAILURE_MEMORY,   /* an allocation failed */
    FAILURE_LIMIT,    /* a bound of a limits.h was reached */
    FAILURE_SYNTAX,   /* the text is malformed; position and reason are returned beside the failure */
    FAILURE_INPUT,    /* what was given cannot be used: a file, a name, a certificate; a struct error says why */
    FAILURE_PATTERN,  /* PCRE2 could not decide a pattern within its limits */
    FAILURE_INTERNAL, /* a bug of the program or of its tables; tests prove that there is none */
};

/* A fixed description in English, without a full stop; never NULL. */
static inline const char *failure_text(enum failure failure)
{
    switch (failure) {
    case FAILURE_NONE:     return "no failure";
    case FAILURE_MEMORY:   return "out of memory";
    case FAILURE_LIMIT:    return "a limit was reached";
    case FAILURE_SYNTAX:   return "the text cannot be read";
    case FAILURE_INPUT:    return "the input cannot be used";
    case FAILURE_PATTERN:  return "a pattern could not be decided";
    case FAILURE_INTERNAL: return "internal error";
    }
    return "unknown failure";
}

#define MUST_USE __attribute__((warn_unused_result))

#endif
