/* Feature gates. The table is rules/gates.def. */
#ifndef DRAWBRIDGE_SCHEMA_GATE_H
#define DRAWBRIDGE_SCHEMA_GATE_H

#include <stddef.h>

#include "schema/rule.h"

struct gate {
    const char *name;
    minor on_since; /* the first minor that has it on by default; 0: none that is known */
};

extern const struct gate gates[];
extern const size_t gate_count;

/* Whether that version has the gate on by default. */
bool gate_is_on(const char *name, minor version);

#endif
