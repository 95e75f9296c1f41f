/* Changes of a text: parts that are replaced by others. */
#ifndef DRAWBRIDGE_DOC_EDIT_H
#define DRAWBRIDGE_DOC_EDIT_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/text.h"

struct edit {
    uint32_t from, to; /* offsets in the text; `to` is after the part */
    struct bytes text; /* in its place */
};

struct edits {
    struct arena *arena; /* not owned; owns the list and the texts */
    struct edit *list;
    uint32_t count, capacity;
};

/* Adds a change, in any order. The text must live as long as the arena, which may fail. */
void edits_add(struct edits *edits, uint32_t from, uint32_t to, struct bytes text);

/* Sorts the changes by place. False: some overlap. */
bool edits_sort(struct edits *edits) MUST_USE;

/* The changed text, in the arena; data NULL: the arena failed. The changes must be sorted. */
struct bytes edits_apply(const struct edits *edits, struct bytes source);

/* Makes of changes, and of further changes in the text that they make, changes of the first text. Both must be sorted, and are then. The
 * arena of `edits` may fail. */
void edits_then(struct edits *edits, const struct edits *further);

/* Appends the changes as a unified diff with three lines of context; nothing where nothing changes. The changes must be sorted. `name`
 * stands in its head, and must be escaped. */
void edits_diff(const struct edits *edits, struct bytes source, const char *name, struct text *diff);

#endif
