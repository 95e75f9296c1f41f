/* Quotes values in messages. */
#ifndef DRAWBRIDGE_DOC_QUOTE_H
#define DRAWBRIDGE_DOC_QUOTE_H

#include "base/text.h"
#include "doc/doc.h"

/* Appends the value as compact JSON, also when it was written in YAML: safe for terminals and logs, cut at about `limit` bytes. What the
 * reader skipped is "...". */
void doc_quote(struct text *text, const struct doc_node *node, size_t limit);

#endif
