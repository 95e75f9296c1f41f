/* The anchors of one YAML document: the value of each, and how much an alias to it would add to the tree. */
#ifndef DRAWBRIDGE_DOC_ANCHOR_H
#define DRAWBRIDGE_DOC_ANCHOR_H

#include "base/map.h"
#include "doc/doc.h"
#include "doc/scalar.h"

/* How much has been read, of a document or of a part of it. */
struct amount {
    uint32_t nodes;
    uint64_t text;    /* bytes of names, strings and numbers */
    uint64_t visits;  /* the Go library's count: values, names, aliases, and again the values that aliases repeat */
    uint64_t aliased; /* visits of values that aliases repeat */
};

struct anchor {
    const struct doc_node *node; /* the anchored value; of a scalar only offset and size are set */
    struct scalar scalar;        /* of a scalar: an alias to it may be a key or a value */
    bool is_scalar;
    bool used;                   /* an alias repeats the value */
    bool open;                   /* its end has not been read yet, so an alias to it would contain itself */
    uint8_t height;              /* levels of nesting below it */
    struct amount amount;        /* of the whole value, its own node included */
};

struct anchors {
    struct arena *arena; /* not owned; owns everything below */
    struct map_key key;
    struct map map;
    uint32_t capacity;   /* of the map; 0 before the first anchor */
    struct bytes *names; /* the keys of the map, to fill a larger one */
    uint32_t count;
};

/* Defines an anchor of that name for the value to be read next. It replaces an earlier anchor of the same name. FAILURE_LIMIT for more than
 * LIMIT_ANCHORS names; else the arena's failure. */
enum failure anchor_define(struct anchors *anchors, const char *name, struct anchor **anchor) MUST_USE;

/* The latest anchor of that name, or NULL. */
struct anchor *anchor_find(const struct anchors *anchors, const char *name);

#endif
