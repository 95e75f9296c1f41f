/* YAML timestamps, for values with the tag !!timestamp: the four forms that the Go library knows. */
#ifndef DRAWBRIDGE_DOC_TIMESTAMP_H
#define DRAWBRIDGE_DOC_TIMESTAMP_H

#include <stdbool.h>

#include "base/bytes.h"

/* Whether `text` is a timestamp for parseTimestamp of go.yaml.in/yaml/v2 v2.4.3, which takes all that Go's time.Parse takes. */
bool timestamp_valid(struct bytes text);

#endif
