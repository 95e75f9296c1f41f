/* The anchors of one YAML document: what each names, and how much an alias to it would add to the tree. */
#ifndef DRAWBRIDGE_DOC_ANCHOR_H
#define DRAWBRIDGE_DOC_ANCHOR_H

#include "base/set.h"
#include "doc/doc.h"
#include "doc/scalar.h"

/* What has been read, in a document or in a part of one. */
struct amount {
    uint32_t nodes;
    uint64_t text;    /* bytes of names, strings and numbers */
    uint64_t visits;  /* as the Go library counts: values, names, and aliases beside what they stand for */
    uint64_t aliased; /* those of the visits that came through aliases */
};

struct anchor {
    const struct doc_node *node; /* what it names; only offset and size count if it is a scalar */
    struct scalar scalar;        /* of a scalar, as both key and value may be made of it */
    bool is_scalar;
    bool open;                   /* its end has not been read yet: an alias would contain itself */
    uint8_t height;              /* levels of nesting below it */
    struct amount amount;        /* of all of it, itself included */
};

struct anchors {
    struct arena *arena; /* holds everything */
    struct set_key key;
    struct set set;
    uint32_t capacity;   /* of the set; 0 before the first anchor */
    struct bytes *names; /* all of them, for making the set larger */
    uint32_t count;
};

/* The anchor of that name for what comes now; an earlier one of the same name is forgotten. FAILURE_LIMIT over LIMIT_ANCHORS, or as
 * the arena has it. */
enum failure anchor_define(struct anchors *anchors, const char *name, struct anchor **anchor) MUST_USE;

/* The latest anchor of that name, or NULL. */
const struct anchor *anchor_find(const struct anchors *anchors, const char *name);

#endif
