/* What the files of the command `upgrade` share. */
#ifndef DRAWBRIDGE_CLI_UPGRADE_H
#define DRAWBRIDGE_CLI_UPGRADE_H

#include "cli/inputs.h"

/* Rewrites the files of the inputs for Kubernetes `to`. diff: prints what would change, as a unified diff, and writes nothing. What cannot
 * be rewritten is said on standard error. Returns the exit status. */
int upgrade_fix(struct inputs *inputs, minor to, bool diff);

#endif
