/* Conversions, as int("3") and timestamp("2026-01-02T03:04:05Z") do them. */
#ifndef DRAWBRIDGE_CEL_CONVERT_H
#define DRAWBRIDGE_CEL_CONVERT_H

#include "cel/value.h"

/* Seconds since 1970 that a timestamp may have: from the beginning of the year 1 to the last second of the year 9999. */
#define CEL_TIME_MIN INT64_C(-62135596800)
#define CEL_TIME_MAX INT64_C(253402300799)

/* Converts to a kind of CEL_BOOL … CEL_DURATION, CEL_DYN (the same value) or CEL_TYPE. *error is NULL, or cel-go's words for why not: "type
 * conversion error from 'string' to 'int'"; in the arena or for ever. Texts of the result are in the arena or the value's own. */
enum failure cel_convert(const struct cel_value *value, enum cel_type_kind to, struct arena *arena, struct cel_value *result,
                         const char **error) MUST_USE;

#endif
