/* Objects that are judged together: what a row asks about the others. */
#ifndef DRAWBRIDGE_CHECK_OBJECTS_H
#define DRAWBRIDGE_CHECK_OBJECTS_H

#include "check/context.h"
#include "check/kind.h"
#include "doc/doc.h"

/* One of them. What it points to outlives the collection. */
struct object {
    const struct kind *kind;
    const struct document *document;
    const struct doc_node *node; /* bound to the kind's shape */
    const void *owner;           /* the caller's own: where it is from */
    struct bytes name, space;    /* set by the collection */
};

/* A collection; indexes are made when a row first asks. Not for several threads at a time. */
struct objects;

/* An empty collection with room for `capacity` objects, read as `version` knows them; its indexes take at most `bytes`. FAILURE_MEMORY or
 * FAILURE_LIMIT; nothing needs freeing then. */
enum failure objects_new(const struct context *context, minor version, uint32_t capacity, size_t bytes, struct objects **objects) MUST_USE;
void objects_free(struct objects *objects);

/* Adds an object, before the first judgement that uses the collection. Returns how the collection knows it, until it is freed. */
const struct object *objects_add(struct objects *objects, const struct object *object);

/* Why nothing more can be found out about the objects; FAILURE_NONE: it can. */
enum failure objects_failure(const struct objects *objects);

#endif
