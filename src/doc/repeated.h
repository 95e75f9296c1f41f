/* Finds a name that an object has twice. */
#ifndef DRAWBRIDGE_DOC_REPEATED_H
#define DRAWBRIDGE_DOC_REPEATED_H

#include "base/map.h"
#include "doc/doc.h"

/* Sets *member to the first member whose name an earlier member has, or to NULL. Members with a field and skipped members are left out: the
 * reader has checked those. `names` is the number of the others. FAILURE_MEMORY or FAILURE_LIMIT when the arena fails. */
enum failure repeated_name(const struct doc_node *object, uint32_t names, struct arena *arena, struct map_key key,
                           const struct doc_node **member) MUST_USE;

#endif
