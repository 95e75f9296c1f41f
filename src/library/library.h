/* What the files of the library share: the structures that drawbridge.h declares, and what is read from its arguments. */
#ifndef DRAWBRIDGE_LIBRARY_LIBRARY_H
#define DRAWBRIDGE_LIBRARY_LIBRARY_H

#include "base/bytes.h"
#include "drawbridge.h"
#include "validate/context.h"
#include "validate/source_set.h"

struct drawbridge_context {
    struct memory memory;
    struct context context; /* its memory is the one above */
};

/* A report keeps nothing of its context but the memory's functions. */
struct drawbridge_report {
    struct memory memory;
    struct arena arena; /* of the findings */
    struct drawbridge_finding *findings;
    size_t capacity, count;
    struct counts counts;
};

/* What a failure inside is called outside. */
enum drawbridge_result library_result(enum failure failure);

/* The severity in the words of drawbridge.h. */
enum drawbridge_severity library_severity(enum severity severity);

/* Reads options (NULL: the defaults): DRAWBRIDGE_OK, DRAWBRIDGE_BAD_OPTION or DRAWBRIDGE_BAD_VERSION. */
enum drawbridge_result library_options(const struct drawbridge_options *options, struct validate_settings *settings) MUST_USE;

/* Reads a text (not NULL) of at most DRAWBRIDGE_MAX_BYTES: DRAWBRIDGE_OK, DRAWBRIDGE_BAD_ARGUMENT or DRAWBRIDGE_LIMIT. The bytes stay the
 * caller's. */
enum drawbridge_result library_text(const struct drawbridge_text *text, struct bytes *bytes) MUST_USE;

/* Adds the findings in one source. */
enum failure report_add(struct drawbridge_report *made, const struct source *source, const struct report *report) MUST_USE;

#endif
