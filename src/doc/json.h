/* The JSON reader (RFC 8259): reads a text into the document tree, without recursion, in one arena. */
#ifndef DRAWBRIDGE_DOC_JSON_H
#define DRAWBRIDGE_DOC_JSON_H

#include "base/failure.h"
#include "base/map.h"
#include "doc/doc.h"

enum json_profile {
    /* For files: refuses repeated names, unpaired surrogates and bytes that are not UTF-8. LIMIT_NODES holds for each item of a List. */
    JSON_STRICT,
    /* For reviews, which must never be refused for these: sets document->has_duplicates, reads an unpaired surrogate or an invalid byte as
     * U+FFFD, and checks only the grammar of values that the schema skips. Values that are written alike may share nodes, which have the
     * offsets of the first of them and count once for LIMIT_NODES. */
    JSON_REVIEW,
};

struct json_input {
    struct bytes source; /* offsets count from its start; a file: at most LIMIT_FILE_BYTES, a review: LIMIT_BODY_BYTES */
    uint32_t start;      /* offset at which the value begins */
    bool alone;          /* only white space may follow the value */
    enum json_profile profile;
    bool lists;          /* of JSON_STRICT: not only the items of a List, but each list in the root contains objects */
    const struct doc_schema *schema; /* NULL: everything becomes nodes */
    const void *state;               /* of the schema, for the value */
    struct arena *arena;             /* for nodes and decoded strings */
    struct map_key key;
};

/* Reads one value. On FAILURE_NONE document->root is set, and *end is the offset after the value (with `alone`, after the white space that
 * follows it). On any other failure *error says what is wrong and where: at the first byte that cannot be right, at the end of a text that
 * ends too early, at the start of invalid UTF-8, of an unpaired surrogate, of a repeated name. The tree points into source and arena. */
enum failure json_read(const struct json_input *input, struct document *document, uint32_t *end, struct doc_error *error) MUST_USE;

#endif
