/* What the files of this folder share. */
#ifndef DRAWBRIDGE_RULES_CEL_H
#define DRAWBRIDGE_RULES_CEL_H

#include "schema/cel.h"

extern const struct cel_macro cel_macros[];

/* Guesses what was meant; see cel_library.hint. */
const char *cel_device_hint(const struct cel_library *library, const struct cel_expression *expression, struct bytes text,
                            struct arena *arena);

#endif
