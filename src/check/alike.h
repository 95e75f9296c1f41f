/* Inside check/, a fast path: the walk of an object that is like another one in which no row found anything. Only what differs is walked,
 * and what looks at it.
 *
 * Both stand in the same list, or in counterparts: at the same place in objects that are such a pair themselves. So the objects around them
 * are the same, or alike as far as rows look at them. Whether values are the same is known by their nodes, which the reader of reviews lets
 * them share (doc/json_model.h). */
#ifndef DRAWBRIDGE_CHECK_ALIKE_H
#define DRAWBRIDGE_CHECK_ALIKE_H

#include "check/cursor.h"

struct alike {
    uint64_t walked;  /* members whose rows are run */
    bool own_checks;  /* so are the checks of the shape itself */
    uint64_t pairs;   /* members that are in both … */
    const struct doc_node *others[LIMIT_FIELDS]; /* … and those of the other object */
};

/* Whether the evaluation may use it at all. */
bool alike_allowed(const struct check_request *request);

/* Compares the object at the cursor with cursor->alike. False: everything is to be walked. */
bool alike_compare(struct evaluation *eval, const struct cursor *cursor, struct alike *alike);

/* Whether no row finds anything in an object of a list or map that is the same as its counterpart, in which none did. */
bool alike_settles(const struct evaluation *eval, const struct shape *shape);

/* Whether the reader found both to be written alike, or both are the same word. */
static inline bool alike_same(const struct doc_node *a, const struct doc_node *b)
{
    return a->first == b->first && a->type == b->type && a->flags == b->flags && a->count == b->count;
}

/* Whether the maps have the same keys in the same order. */
bool alike_keys(const struct doc_node *map, const struct doc_node *other);

#endif
