/* `drawbridge lint --trace PATH`: what became of each row at a path, in words. */
#ifndef DRAWBRIDGE_CLI_TRACE_H
#define DRAWBRIDGE_CLI_TRACE_H

#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"
#include "check/trace.h"
#include "validate/source.h"

struct trace_printer {
    struct trace trace;            /* for validate_settings.trace */
    FILE *out;                     /* not owned; the caller looks at ferror */
    const char *path;              /* as findings or `explain` have it; not owned */
    struct source *source;         /* that is validated now; the caller sets it */
    struct arena arena, headings;  /* words of one event; the last heading */
    const char *heading;           /* a path, in `headings`; NULL: none yet */
    bool key_heading;              /* it is of a key */
    minor version;                 /* that the object is validated for */
    bool follows, printed;         /* of the object: its kind has the path; something was printed about it */
    bool known;                    /* the kind of some object has the path */
    const struct kind *missing_in; /* the first kind without it; NULL: none */
    struct bytes near;             /* a name of that kind that may be meant; data NULL: none */
};

void trace_printer_init(struct trace_printer *printer, FILE *out, const char *path, const struct memory *memory);
void trace_printer_done(struct trace_printer *printer);

/* False with *error set if no object that was validated can have the path. */
bool trace_printer_check(const struct trace_printer *printer, struct error *error) MUST_USE;

#endif
