/* A set of objects that are validated together: answers what rows ask about the other objects. Indexes are built when a row first needs
 * them. */
#ifndef DRAWBRIDGE_VALIDATE_OBJECT_SET_H
#define DRAWBRIDGE_VALIDATE_OBJECT_SET_H

#include "check/others.h"
#include "check/request.h"
#include "validate/matcher.h"

/* Only one thread at a time may use it. */
struct object_set;

/* An empty set with room for `capacity` objects, which are read as an API server of `version` reads them. Its indexes take at most `bytes`.
 * Fails with FAILURE_MEMORY or FAILURE_LIMIT. */
enum failure object_set_new(const struct context *context, minor version, uint32_t capacity, size_t bytes,
                            struct object_set **objects) MUST_USE;
void object_set_free(struct object_set *objects);

/* Adds a copy of *object, before the first validation that uses the set. Returns the copy, which lives as long as the set. */
const struct object *object_set_add(struct object_set *objects, const struct object *object);

/* Lets that matcher answer what rows ask about devices, which are in these sources. */
enum failure object_set_use(struct object_set *objects, const struct matcher *matcher, const struct source *sources) MUST_USE;

/* For check_request.others. Returns NULL for NULL. */
struct others *object_set_others(struct object_set *objects);

/* FAILURE_NONE, or why the set cannot answer any more. */
enum failure object_set_failure(const struct object_set *objects);

#endif
