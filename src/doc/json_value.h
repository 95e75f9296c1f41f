/* Values that may be anything, which a reader has perhaps only skipped. */
#ifndef DRAWBRIDGE_DOC_JSON_VALUE_H
#define DRAWBRIDGE_DOC_JSON_VALUE_H

#include "doc/doc.h"

struct json_value {
    uint64_t bytes;  /* as JSON: as it is written, or compact where it is written as YAML */
    bool is_object;
    bool overflows;  /* holds a number that no double holds */
};

void json_value_look(const struct document *document, const struct doc_node *node, struct json_value *value);

#endif
