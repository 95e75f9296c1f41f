/* The JSON reader (RFC 8259): text into the document tree, without recursion, in one arena. */
#ifndef DRAWBRIDGE_DOC_JSON_H
#define DRAWBRIDGE_DOC_JSON_H

#include "base/failure.h"
#include "base/set.h"
#include "doc/doc.h"

enum json_profile {
    /* For people's files: refuses repeated names, lone surrogates and bytes that are not UTF-8, everywhere. */
    JSON_STRICT,
    /* For what an API server sends, which it must never refuse: notes repeated names in the document, reads a lone
     * surrogate or a bad byte as U+FFFD, and only checks the grammar of what its guide skips. */
    JSON_REVIEW,
};

struct json_input {
    struct bytes source; /* offsets count from its start; at most LIMIT_BODY_BYTES */
    uint32_t start;      /* where to begin reading */
    bool alone;          /* nothing but white space may follow the value */
    enum json_profile profile;
    const struct doc_guide *guide; /* NULL: everything becomes nodes */
    const void *state;             /* of the guide, for the value read */
    struct arena *arena;           /* for nodes and decoded strings */
    struct set_key key;
};

/* Reads one value. On FAILURE_NONE, document->root is set, *end is the offset behind the value (and the white space behind
 * it, when it is alone). On FAILURE_SYNTAX and on FAILURE_LIMIT because of nesting, size or node count, *error says what
 * and where: the first byte with which the text can no longer be right, or its length when it ends too early; invalid
 * UTF-8, lone surrogates and repeated names where they begin. The tree points into source and arena. */
enum failure json_read(const struct json_input *input, struct document *document, uint32_t *end, struct doc_error *error) MUST_USE;

#endif
