/* Inside check/ and validate/: what a function of rules/cross/ works on, which rules/ knows only by name. */
#ifndef DRAWBRIDGE_CHECK_CROSS_CALL_H
#define DRAWBRIDGE_CHECK_CROSS_CALL_H

#include "check/cross.h"
#include "check/cursor.h"

struct cross {
    struct evaluation *eval;
    struct cursor *cursor;
    const struct check *check;
    bool broken;
    /* While an index is built, adds a value under a key; see cross_index_add(). NULL at any other time. */
    void (*index_add)(struct cross *cross, struct bytes key, struct value value);
    void *index; /* for that */
};

#endif
