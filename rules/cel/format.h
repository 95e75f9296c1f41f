/* Values as the clauses of format() write them. */
#ifndef DRAWBRIDGE_RULES_CEL_FORMAT_H
#define DRAWBRIDGE_RULES_CEL_FORMAT_H

#include "cel/evaluation.h"

/* %f and %e, in English: 1,234.500000 and 1.234500×10⁰³. `precision`: -1 if none is given. What Go's golang.org/x/text makes of large
 * ones is its own: of decimals it keeps 16 bits, and 8 of those that are filled with zeros; of the width of %e 16 bits. */
void format_fixed(struct text *text, double value, int64_t precision);
void format_scientific(struct text *text, double value, int64_t precision);

/* %s. False: *error says why not. */
bool format_value(struct cel_evaluation *evaluation, struct text *text, const struct cel_value *value, struct cel_value *error);

#endif
