/* Hints about names of the same object, and about what an update changes. */
#ifndef DRAWBRIDGE_VALIDATE_HINT_NAMES_H
#define DRAWBRIDGE_VALIDATE_HINT_NAMES_H

#include "validate/fix.h"

/* What a reference may name: the one that is probably meant, or some of them. */
bool hint_reference(struct guess *guess, const struct reference *reference, const struct doc_node *value);

/* What has changed in a value that must not: `parameters[type]: "a" -> "b"`, with a note on the first such place in the old object. */
void hint_changes(struct guess *guess, struct finding *finding);

#endif
