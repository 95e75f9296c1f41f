/* Inside check/: semantic equality, as the API server compares an old object with a new one. */
#ifndef DRAWBRIDGE_CHECK_EQUAL_H
#define DRAWBRIDGE_CHECK_EQUAL_H

#include "check/evaluation.h"

/* Whether two values are equal; NULL is an unset pointer. strict: an unset list or map differs from an empty one. */
bool equal_values(struct evaluation *eval, const struct shape *shape, const struct doc_node *a, const struct doc_node *b, bool strict);

/* Whether two objects are equal without the members named in `except`, which ends in NULL and may be NULL. */
bool equal_objects(struct evaluation *eval, const struct shape *shape, const struct doc_node *a, const struct doc_node *b,
                   const char *const *except, bool strict);

#endif
