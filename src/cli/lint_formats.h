/* The reports that a configuration of drawbridge lint asks for. */
#ifndef DRAWBRIDGE_CLI_LINT_FORMATS_H
#define DRAWBRIDGE_CLI_LINT_FORMATS_H

#include "cli/option.h"
#include "review/configuration.h"

/* Sets *list to the formats of the configuration in that file as --format takes them, with paths that can be opened, in the arena. False
 * with *error set to what is wrong with one, with its place. */
bool lint_formats(const struct configuration *configuration, const char *file, struct arena *arena, struct option_list *list,
                  struct error *error) MUST_USE;

#endif
