/* Objects that an API server has stored, as `kubectl get` writes them: their status is validated, too, although nobody creates it. */
#ifndef DRAWBRIDGE_VALIDATE_STORED_H
#define DRAWBRIDGE_VALIDATE_STORED_H

#include "check/finding.h"
#include "doc/doc.h"
#include "schema/shape.h"

/* Whether an object was stored, and its kind has a status in that version, and it has one. */
bool stored_has_status(const struct shape *shape, const struct doc_node *object, minor version);

/* The object as it was before somebody set its status. NULL: the arena failed. */
const struct doc_node *stored_without_status(struct arena *arena, const struct doc_node *object) MUST_USE;

/* Leaves what is found in the status. */
void stored_keep_status(struct findings *findings);

#endif
