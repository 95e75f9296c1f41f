/* Gives a tree texts of its own. */
#ifndef DRAWBRIDGE_DOC_OWN_H
#define DRAWBRIDGE_DOC_OWN_H

#include "base/map.h"
#include "doc/doc.h"

/* Texts that were copied last: names and values are mostly those that were there before. Begins with zeroes. */
struct own_texts {
    struct bytes last[1024];
};

/* Copies names and texts that point into the document's source to the arena, so that its pages are not needed any more to read the tree.
 * What asks for the source itself (doc_source) still reads it. */
enum failure own_tree(struct own_texts *texts, const struct document *document, struct arena *arena, struct map_key key) MUST_USE;

#endif
