/* From when until when certificates can be used. */
#ifndef DRAWBRIDGE_SERVE_VALIDITY_H
#define DRAWBRIDGE_SERVE_VALIDITY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"

/* Of the one that ends first in PEM text, in seconds since 1970. False: it cannot be read. */
bool validity_read(const char *pem, int64_t *begin, int64_t *end) MUST_USE;

#endif
