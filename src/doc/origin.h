/* Where a part of a string is written: through quotes, escapes, and lines that YAML folds. */
#ifndef DRAWBRIDGE_DOC_ORIGIN_H
#define DRAWBRIDGE_DOC_ORIGIN_H

#include "doc/doc.h"

/* The offset in document->source of what byte `at` of a string's text comes from; `at` may be its length: the place after it. Of a line
 * break that YAML made, the end of the line. Takes time in proportion to the string. */
uint32_t doc_origin(const struct document *document, const struct doc_node *node, uint32_t at);

/* Where that ends: after the last character of an escape. */
uint32_t doc_origin_end(const struct document *document, const struct doc_node *node, uint32_t at);

/* The same for each byte of the text and the place after it, in proportion to the string: `starts` has room for one more than that. */
void doc_origins(const struct document *document, const struct doc_node *node, uint32_t *starts);

/* Where what is written at such a start ends: a byte, or an escape. */
uint32_t doc_origin_after(const struct document *document, const struct doc_node *node, uint32_t start);

#endif
