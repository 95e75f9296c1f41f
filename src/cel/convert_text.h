/* Numbers and durations as Go reads and writes them. */
#ifndef DRAWBRIDGE_CEL_CONVERT_TEXT_H
#define DRAWBRIDGE_CEL_CONVERT_TEXT_H

#include "base/text.h"

/* strconv.ParseInt, ParseUint and ParseFloat in base 10, time.ParseDuration: false where they fail. */
bool cel_read_integer(struct bytes text, int64_t *value);
bool cel_read_unsigned(struct bytes text, uint64_t *value);
bool cel_read_double(struct bytes text, double *value);
bool cel_read_duration(struct bytes text, int64_t *nanoseconds);

void cel_write_unsigned(struct text *text, uint64_t value);

/* strconv.FormatFloat: the shortest digits that give the number again; `plain` never writes an exponent. */
void cel_write_double(struct text *text, double value, bool plain);

#endif
