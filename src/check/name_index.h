/* Inside check/: indexes of an object's lists, by the names to which other values of the same object refer. Built once for each
 * validation. */
#ifndef DRAWBRIDGE_CHECK_NAME_INDEX_H
#define DRAWBRIDGE_CHECK_NAME_INDEX_H

#include "base/map.h"
#include "check/cursor.h"

struct name_index {
    const struct name_index *next;
    const void *row; /* the row for which it was built: a reference, or a path */
    struct map map;
};

/* The names that a reference allows. NULL, with eval->failure set, when there is no memory. */
const struct name_index *name_index_of(struct evaluation *eval, const struct cursor *cursor, const struct reference *reference);

/* The name that was probably meant by `name`, which the reference does not allow; { NULL, 0 }: none of the first LIMIT_NEAR_NAMES. */
struct bytes name_index_near(struct evaluation *eval, const struct cursor *cursor, const struct reference *reference, struct bytes name);

/* The objects of the list at `path` from the root, by name_index_key(). NULL, with eval->failure set, when there is no memory. */
const struct name_index *name_index_of_texts(struct evaluation *eval, const struct cursor *cursor, const char *path,
                                             const char *const *members);

/* The texts of these members (ended by NULL) joined to one key; an unset member is "". Different texts give different keys. */
struct bytes name_index_key(struct evaluation *eval, const struct shape *shape, const struct doc_node *object,
                            const char *const *members);

#endif
