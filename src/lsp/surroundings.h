/* Where a cursor is in a text that cannot be parsed yet, because somebody is typing it: YAML by its indentation, JSON by its brackets. */
#ifndef DRAWBRIDGE_LSP_SURROUNDINGS_H
#define DRAWBRIDGE_LSP_SURROUNDINGS_H

#include "base/bytes.h"
#include "lsp/limits.h"

struct surroundings {
    struct bytes path[LIMIT_LSP_DEPTH]; /* keys around the cursor, from the innermost one to that of the object's own member */
    unsigned depth;
    struct bytes siblings[LIMIT_LSP_SIBLINGS]; /* keys beside the one at the cursor */
    unsigned sibling_count;
    struct bytes key;                   /* whose value is being typed; length 0: a key is */
    struct bytes api_version, kind;     /* of the object around, as written */
    uint32_t from, to;                  /* what has been typed of the key or value */
    bool is_json;
    bool quoted;                        /* it is in quotes already */
};

/* False: the cursor is where neither a key nor a value of an object can be completed. The keys point into the text. */
bool surroundings_find(struct bytes text, uint32_t cursor, struct surroundings *around);

#endif
