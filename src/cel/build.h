/* What builds a tree: nodes, their errors and their limits. */
#ifndef DRAWBRIDGE_CEL_BUILD_H
#define DRAWBRIDGE_CEL_BUILD_H

#include "cel/error.h"
#include "cel/library.h"
#include "cel/node.h"
#include "cel/token.h"

struct cel_builder {
    struct bytes text;
    const struct cel_token *tokens;
    const struct cel_macro *macros;
    unsigned version; /* minor version of Kubernetes */
    struct cel_errors *errors;
    uint32_t count;  /* of nodes */
    unsigned nested; /* selections, calls on something, indexes and binary operators that are open */
    bool stopped;    /* at a limit: no more errors are added */
    struct cel_node spare; /* where there is no memory, or the limit of nodes is reached */
};

/* A new node without contents. Never NULL: after a failure it is the spare one, and the tree is not used. */
struct cel_node *cel_build_node(struct cel_builder *b, enum cel_node_kind kind, uint32_t offset);

/* Memory for `count` objects; NULL for none, and after a failure, which ends the build. */
void *cel_build_array(struct cel_builder *b, uint32_t count, size_t size);

/* An error, and the node that stands for what it is about. */
struct cel_node *cel_build_error(struct cel_builder *b, uint32_t offset, const char *text);

/* The same, with a text that is made of two. */
struct cel_node *cel_build_error_about(struct cel_builder *b, uint32_t offset, const char *words, struct bytes about);

/* Ends the build. */
void cel_build_stop(struct cel_builder *b, enum failure failure);

#endif
