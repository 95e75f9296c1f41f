/* What `drawbridge explain cel` prints. */
#ifndef DRAWBRIDGE_CLI_EXPLAIN_CEL_H
#define DRAWBRIDGE_CLI_EXPLAIN_CEL_H

#include "cli/cli.h"

/* Explains a function or macro; NULL: lists all of them, and what is known of the device. Returns the exit status. */
int explain_cel(const struct command *command, const char *name);

#endif
