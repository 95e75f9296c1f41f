/* The feature gates. */
#include "schema/gate.h"

const struct gate gates[] = {
#define GATE_ROW(name, on_since) { name, on_since },
#include "rules/gates.def"
#undef GATE_ROW
};

const size_t gate_count = sizeof gates / sizeof *gates;
