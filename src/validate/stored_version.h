/* API versions by which an object was stored, as managers of its fields and kubectl remember them: those that are deprecated or gone. */
#ifndef DRAWBRIDGE_VALIDATE_STORED_VERSION_H
#define DRAWBRIDGE_VALIDATE_STORED_VERSION_H

#include "validate/report.h"

/* Of which object, and what becomes of each problem. */
struct stored_versions {
    const struct item *item; /* an ITEM_OBJECT */
    minor version;           /* of the API server */
    struct arena *arena;     /* of the problems' texts */
    struct arena *scratch;
    struct map_key key;
    void (*add)(void *self, const struct problem *problem);
    void *self;
};

/* Without memory, less is reported: the arenas know it. */
void stored_versions_report(const struct stored_versions *stored);

/* Whether such a problem has that path. */
bool stored_version_path(const char *path) MUST_USE;

#endif
