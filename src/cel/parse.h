/* From text to tree: grammar, literals and macros, with cel-go's errors at cel-go's places. */
#ifndef DRAWBRIDGE_CEL_PARSE_H
#define DRAWBRIDGE_CEL_PARSE_H

#include "cel/error.h"
#include "cel/node.h"

struct cel_macro;

struct cel_tree {
    struct cel_node *root; /* NULL where there are errors */
    uint32_t count;        /* of nodes: their numbers are below */
};

/* Reads an expression of at most LIMIT_CEL_BYTES; longer text is the caller's error. `macros` are the rows of the environment, `version` a
 * minor version of Kubernetes. The tree is in errors->arena, and lives as long as that and the expression. Errors are added as they are
 * found, not sorted. Returns errors->failure. */
enum failure cel_parse(struct bytes expression, const struct cel_macro *macros, unsigned version, struct cel_errors *errors,
                       struct cel_tree *tree) MUST_USE;

#endif
