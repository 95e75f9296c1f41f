/* Values as messages repeat them. */
#ifndef DRAWBRIDGE_DOC_ECHO_H
#define DRAWBRIDGE_DOC_ECHO_H

#include "base/text.h"
#include "doc/doc.h"

/* Appends the value as compact JSON, whatever it was written in, safe for terminals and logs, and cut at about `limit` bytes;
 * what the reader skipped is "...". */
void doc_echo(struct text *text, const struct doc_node *node, size_t limit);

#endif
