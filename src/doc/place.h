/* Where people look for a value: at a text or number itself, but at the name of a list or object, which may go on for pages. */
#ifndef DRAWBRIDGE_DOC_PLACE_H
#define DRAWBRIDGE_DOC_PLACE_H

#include "doc/doc.h"

struct doc_place {
    uint32_t offset, size; /* bytes of the source, with quotes; size 0: nothing is written there */
};

/* Of a list, an object or a null, its name; of an object without one, the name of its first member. Of anything else, the value. */
struct doc_place doc_place(const struct document *document, const struct doc_node *node) MUST_USE;

/* Of the object as a whole: the name `kind`, or that of its first member. */
struct doc_place doc_place_of_root(const struct document *document, const struct doc_node *root) MUST_USE;

/* Of a name that begins at `offset`, with its quotes. The size is 0 if it cannot be told where it ends. */
struct doc_place doc_place_of_name(const struct document *document, struct bytes name, uint32_t offset) MUST_USE;

#endif
