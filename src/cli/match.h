/* drawbridge match: how its reports are printed. */
#ifndef DRAWBRIDGE_CLI_MATCH_H
#define DRAWBRIDGE_CLI_MATCH_H

#include "match/report.h"

struct match_output {
    struct arena arena; /* for words; cleared in between */
    bool all;           /* every device is shown */
};

/* Prints a report. `line`: where the claim begins in its file. */
typedef enum failure match_printer(struct match_output *output, struct match_report *report, uint32_t line);

match_printer match_print_text; /* a table for people */
match_printer match_print_json; /* a JSON object in a line */

/* match_outcome_add() in the output's arena. NULL: the arena failed. */
const char *match_outcome_text(struct match_output *output, const struct match_request *request);

/* Text from a document as a string, in that arena, with what could confuse a terminal escaped. NULL: the arena failed. */
const char *match_escaped(struct arena *arena, struct bytes text);

#endif
