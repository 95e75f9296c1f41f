/* Conversions, as int("3") and timestamp("2026-01-02T03:04:05Z") do them. */
#ifndef DRAWBRIDGE_CEL_CONVERT_H
#define DRAWBRIDGE_CEL_CONVERT_H

#include "cel/value.h"

/* Converts to a kind of CEL_BOOL … CEL_DURATION, CEL_DYN (the same value) or CEL_TYPE. *error is NULL, or cel-go's words for why not: "type
 * conversion error from 'string' to 'int'"; in the arena or for ever. Texts of the result are in the arena or the value's own. */
enum failure cel_convert(const struct cel_value *value, enum cel_type_kind to, struct arena *arena, struct cel_value *result,
                         const char **error) MUST_USE;

#endif
