/* Formats of reports, one file each. */
#ifndef DRAWBRIDGE_CLI_REPORT_H
#define DRAWBRIDGE_CLI_REPORT_H

#include <stdio.h>

#include "validate/report.h"

struct report_settings {
    FILE *out; /* not owned; the caller looks at ferror */
    bool colour;
};

/* Prints the problems of one report, whose words are made in the worker's arena. FAILURE_MEMORY; what was printed before it is whole. */
typedef enum failure report_function(const struct report_settings *settings, struct workspace *workspace, const struct report *report);

report_function report_text; /* for people: place, message, source line, caret, hint */
report_function report_json; /* one JSON object a line */

#endif
