/* What checks ask of a value that may be any JSON, even when the reader has skipped it. */
#ifndef DRAWBRIDGE_DOC_JSON_VALUE_H
#define DRAWBRIDGE_DOC_JSON_VALUE_H

#include "doc/doc.h"

struct json_value {
    uint64_t bytes; /* its length in JSON: as it is written, or without white space when it is written in YAML */
    bool is_object;
    bool overflows; /* contains a number too large for a double */
};

void json_value_measure(const struct document *document, const struct doc_node *node, struct json_value *value);

#endif
