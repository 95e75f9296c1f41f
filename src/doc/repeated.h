/* Names that an object has twice. */
#ifndef DRAWBRIDGE_DOC_REPEATED_H
#define DRAWBRIDGE_DOC_REPEATED_H

#include "base/set.h"
#include "doc/doc.h"

/* Sets *member to the first member whose name an earlier one has, or to NULL. Of members that the guide gave a field or skipped, the
 * reader knows it already: they do not count. names: how many do. FAILURE_MEMORY or FAILURE_LIMIT as the arena has it. */
enum failure repeated_name(const struct doc_node *object, uint32_t names, struct arena *arena, struct set_key key, const struct doc_node **member) MUST_USE;

#endif
