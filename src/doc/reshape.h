/* Rewrites the text of an object, YAML or JSON, some of whose members move into a new object below it, or out of one: lines are indented
 * anew, and everything else stays as it is written, comments included. */
#ifndef DRAWBRIDGE_DOC_RESHAPE_H
#define DRAWBRIDGE_DOC_RESHAPE_H

#include "doc/doc.h"
#include "doc/edit.h"

enum reshape_fate {
    RESHAPE_STAYS,
    RESHAPE_DOWN, /* moves into the new object */
    RESHAPE_UP,   /* an object, or null, in whose place its members are */
};

struct reshape {
    struct edits *edits;         /* gets one change */
    struct bytes source;
    const struct doc_node *object;
    const enum reshape_fate *fates; /* one for each member of it, in their order */
    const char *below;           /* the name of the new object, which comes last; NULL: nothing moves down */
};

/* NULL, or why that cannot be done, a clause in English. The object must be written as it is, without aliases (reshape_is_plain). The
 * arena of the edits may fail. */
const char *reshape_object(const struct reshape *reshape) MUST_USE;

/* Whether each value of the tree is written inside the one around it, after the one before it: nothing comes from an alias. */
bool reshape_is_plain(const struct doc_node *node);

#endif
