/* Conversions of constants, as int("3") and timestamp("2026-01-02T03:04:05Z") do them. */
#ifndef DRAWBRIDGE_CEL_CONVERT_H
#define DRAWBRIDGE_CEL_CONVERT_H

#include "cel/node.h"
#include "value/time.h"

/* A value that is known before evaluation. Of a list, map or type only that it is one. */
struct cel_value {
    enum cel_type_kind type;
    union {
        bool boolean;
        int64_t integer; /* of CEL_DURATION: nanoseconds */
        uint64_t unsigned_integer;
        double number;
        struct bytes text; /* of CEL_STRING and CEL_BYTES */
        struct instant time;
    };
};

struct cel_value cel_value_of(const struct cel_literal *literal);

/* Converts to a kind of CEL_BOOL … CEL_DURATION, CEL_DYN (the same value) or CEL_TYPE. *error is NULL, or cel-go's words for why not: "type
 * conversion error from 'string' to 'int'"; in the arena or for ever. Texts of the result are in the arena or the value's own. */
enum failure cel_convert(const struct cel_value *value, enum cel_type_kind to, struct arena *arena, struct cel_value *result,
                         const char **error) MUST_USE;

#endif
