/* Values of expressions in JSON. */
#ifndef DRAWBRIDGE_LIBRARY_VALUE_H
#define DRAWBRIDGE_LIBRARY_VALUE_H

#include "base/text.h"
#include "cel/value.h"

/* The value in the arena, as drawbridge.h says. FAILURE_LIMIT: it is too long or too deep. */
enum failure library_value_json(struct arena *arena, const struct cel_value *value, const char **json) MUST_USE;

#endif
