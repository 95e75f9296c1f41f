/* Inside check/: the path of a cursor, in the workspace's arena. NULL, with eval->failure set, when there is no memory. */
#ifndef DRAWBRIDGE_CHECK_PATH_H
#define DRAWBRIDGE_CHECK_PATH_H

#include "check/cursor.h"

/* The path in findings of that version, in an empty text: goes `up` segments up, then appends `below` (NULL: nothing). Nothing at the
 * root. */
void path_add(struct text *text, const struct cursor *cursor, minor version, unsigned up, const char *below);

/* The same as a text of its own. "" at the root. */
const char *path_of(struct evaluation *eval, const struct cursor *cursor, unsigned up, const char *below);

/* The same without indexes and keys, and with all fields named as in JSON. */
const char *path_of_field(struct evaluation *eval, const struct cursor *cursor, unsigned up, const char *below);

/* The path as Go's JSON decoder writes it, for unknown fields: spec.attributes.KEY.field. */
const char *path_of_json(struct evaluation *eval, const struct cursor *cursor);

#endif
