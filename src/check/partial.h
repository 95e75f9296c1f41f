/* An object with values of wrong types: an API server says only that, but the rest of it is worth a look. In place of such a value is a
 * null with DOC_WRONG, which is not checked. A row is left out where it may read that value: it would say what follows from it. */
#ifndef DRAWBRIDGE_CHECK_PARTIAL_H
#define DRAWBRIDGE_CHECK_PARTIAL_H

#include "check/cursor.h"

/* Whether the row does not depend on a value of a wrong type. */
bool partial_allows(const struct cursor *cursor, const struct check *check, bool shape_check) MUST_USE;

/* Whether a row that is left out could have excused what comes after it. */
static inline bool partial_excuses(const struct check *check)
{
    return check->op == CHECK_SKIP || check->op == CHECK_RATCHET;
}

/* Whether it stands for a value of a wrong type. */
static inline bool partial_is_wrong(const struct doc_node *node)
{
    return node->type == DOC_NULL && (node->flags & DOC_WRONG);
}

/* The fields of an object whose values are of wrong types, as bits; with them those whose defaults depend on other fields. */
uint64_t partial_wrong_fields(const struct cursor *object) MUST_USE;

#endif
