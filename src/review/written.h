/* Inside review/: what was stored last, of as many objects as fit into LIMIT_WRITTEN_BYTES; those that were used last stay. */
#ifndef DRAWBRIDGE_REVIEW_WRITTEN_H
#define DRAWBRIDGE_REVIEW_WRITTEN_H

#include "base/failure.h"
#include "base/map.h"
#include "base/memory.h"


struct written_entry;

struct written {
    const struct memory *memory; /* not owned */
    struct map_key key;
    size_t limit, held;          /* bytes */
    struct written_entry **buckets;      /* NULL until the first object */
    struct written_entry *newest, *oldest; /* in the order of their use */
};

/* Allocates nothing yet. */
void written_init(struct written *written, const struct memory *memory, struct map_key key, size_t limit);
void written_done(struct written *written);

/* The JSON of the object of that name, valid until the next written_keep or written_forget; empty: it is not known. */
struct bytes written_find(struct written *written, struct bytes name);

/* Keeps a copy in place of what it was before. An object that does not fit is forgotten, and that is no failure. */
enum failure written_keep(struct written *written, struct bytes name, struct bytes json) MUST_USE;

void written_forget(struct written *written, struct bytes name);

#endif
