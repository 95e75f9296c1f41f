/* Documents in the text of a string, such as those in a ConfigMap: their places are those in the document around them. */
#ifndef DRAWBRIDGE_DOC_INNER_H
#define DRAWBRIDGE_DOC_INNER_H

#include "doc/doc.h"

/* A string with the place of each byte of its text, as doc_origins() says. */
struct inner_text {
    const struct document *outer;
    const struct doc_node *string;
    const uint32_t *starts;
};

/* The place of a byte of the text in the outer source. */
uint32_t inner_place(const struct inner_text *text, uint32_t at);

/* A copy of a document that was read from the text, with the outer source and places in it. Texts stay where they are. NULL: the arena
 * failed. */
const struct document *inner_document(const struct inner_text *text, const struct document *read, struct arena *arena) MUST_USE;

#endif
