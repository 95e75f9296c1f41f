/* The feature gates. */
#include "schema/gate.h"

const struct gate gates[] = {
#define NEEDS(...) { __VA_ARGS__ }
#define GATE_ROW(name, ...) { name, __VA_ARGS__ },
#include "rules/gates.def"
#undef GATE_ROW
};

_Static_assert(sizeof gates / sizeof *gates <= 8 * sizeof(gate_set), "a bit for each gate");

const size_t gate_count = sizeof gates / sizeof *gates;
