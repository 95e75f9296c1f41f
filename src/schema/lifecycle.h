/* The ends of API versions. The table is rules/lifecycle.def. */
#ifndef DRAWBRIDGE_SCHEMA_LIFECYCLE_H
#define DRAWBRIDGE_SCHEMA_LIFECYCLE_H

#include <stddef.h>

#include "base/bytes.h"
#include "schema/rule.h"

struct api_end {
    struct bytes group, version, kind;
    minor last;         /* that serves it; 0: none known here has ended it */
    minor deprecated;   /* the first that warns of it; 0: none did as long as it was served */
    const char *change; /* what changes with the API version to use instead, a clause in English */
};

extern const char api_end_same[]; /* as .change: nothing but the apiVersion */
extern const struct api_end api_ends[];
extern const size_t api_end_count;

/* The row of that API version, or, with version.data NULL, the first of that kind; NULL: it goes on. */
const struct api_end *api_end_find(struct bytes group, struct bytes version, struct bytes kind);

#endif
