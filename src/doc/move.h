/* Moves a member of an object one level up or down in a text, YAML or JSON. Its lines are indented anew, its comments go with it, and
 * everything else stays as it is written. */
#ifndef DRAWBRIDGE_DOC_MOVE_H
#define DRAWBRIDGE_DOC_MOVE_H

#include "doc/doc.h"
#include "doc/edit.h"

struct move {
    struct edits *edits;           /* gets two changes */
    struct bytes source;
    const struct doc_node *object; /* that has the member, and others */
    const struct doc_node *member;
    const struct doc_node *to;     /* the object around it, or one of its members, an object that has members: the member comes last there,
                                    * or after `object` */
};

/* Returns whether that could be done. All of it must be written as it is, without aliases (reshape_is_plain). The arena of the edits may
 * fail. */
bool move_member(const struct move *move) MUST_USE;

#endif
