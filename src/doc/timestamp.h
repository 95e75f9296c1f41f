/* The four forms of a YAML timestamp that the Go library knows, for values with the tag !!timestamp. */
#ifndef DRAWBRIDGE_DOC_TIMESTAMP_H
#define DRAWBRIDGE_DOC_TIMESTAMP_H

#include <stdbool.h>

#include "base/bytes.h"

/* Whether `text` is one; go.yaml.in/yaml/v2 v2.4.3 parseTimestamp, with the liberties of Go's time.Parse. */
bool timestamp_valid(struct bytes text);

#endif
