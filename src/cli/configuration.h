/* Options about answers that `serve` and `review` share: a configuration's file, and what comes before it. */
#ifndef DRAWBRIDGE_CLI_CONFIGURATION_H
#define DRAWBRIDGE_CLI_CONFIGURATION_H

#include "base/buffer.h"
#include "cli/cli.h"
#include "review/configuration.h"

/* Reads the file, of at most `max` bytes; *text is freed with buffer_free. Returns 0, or `status` after an error message. */
int configuration_text(const struct command *command, int status, const char *file, uint32_t max, struct buffer *text) MUST_USE;

/* Says of each word that will not be valid for ever what to write instead: "FILE:LINE:COLUMN: warning: reason". */
void configuration_warnings(const struct command *command, const char *file, const struct configuration_mistakes *mistakes);

/* Says what is wrong with it, "FILE:LINE:COLUMN: reason" for each mistake; returns `status`. */
int configuration_error(const struct command *command, int status, const char *file, enum failure failure,
                        const struct configuration_mistakes *mistakes);

#endif
