/* What evaluating an expression costs at most, as cel-go estimates it before it runs, with the sizes that the API server declares. */
#ifndef DRAWBRIDGE_CEL_COST_H
#define DRAWBRIDGE_CEL_COST_H

#include "cel/library.h"
#include "cel/parse.h"

struct cel_estimate {
    uint64_t cost;   /* of the whole; UINT64_MAX: that or more */
    uint64_t *nodes; /* of each node by its number, with its parts; once, where it is in a loop. In the arena */
};

/* For a tree that was checked without an error. */
enum failure cel_estimate(const struct cel_tree *tree, const struct cel_library *library, struct arena *arena,
                          struct cel_estimate *estimate) MUST_USE;

#endif
