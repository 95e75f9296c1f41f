/* The commands of `drawbridge cel`. */
#ifndef DRAWBRIDGE_CLI_CEL_H
#define DRAWBRIDGE_CLI_CEL_H

#include "cli/cli.h"

extern const struct command cel_check_command, cel_eval_command, cel_repl_command;

#endif
