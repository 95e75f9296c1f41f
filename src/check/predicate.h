/* Inside check/: the conditions of checks. */
#ifndef DRAWBRIDGE_CHECK_PREDICATE_H
#define DRAWBRIDGE_CHECK_PREDICATE_H

#include "check/cursor.h"

/* The first predicate that does not hold, or NULL; with NULL all hold. shape_check: they are in the checks of a shape, so members are those
 * of the value itself. */
const struct predicate *predicates_unmet(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicates,
                                         bool shape_check);

/* Whether the text begins with one of the prefixes, which end in NULL. */
bool text_begins(struct bytes text, const char *const *prefixes);

/* Whether the node is a string and one of these texts, which end in NULL. */
bool text_is_one_of(const struct doc_node *node, const char *const *texts);

#endif
