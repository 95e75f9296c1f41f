/* What the files of the YAML reader share: the state of one reading. Nobody else includes this. */
#ifndef DRAWBRIDGE_DOC_YAML_READER_H
#define DRAWBRIDGE_DOC_YAML_READER_H

#include "base/limits.h"
#include "doc/anchor.h"
#include "doc/yaml_place.h"
#include "doc/yaml.h"

/* What the node of a level becomes. */
enum yaml_role {
    YAML_IN_TREE,
    YAML_MERGED,      /* the mapping of a merge key: its members are copied into the object */
    YAML_MERGED_LIST, /* the sequence of a merge key, whose elements are such mappings */
};

/* A sequence or mapping whose end has not been read yet. */
struct yaml_level {
    struct doc_node *node, *last; /* newest element or member */
    struct anchor *anchor;        /* names it, or NULL */
    struct amount before;         /* what had been read when it began */
    enum yaml_role role;
    uint32_t end;                 /* of what has been read of it */
    uint32_t merge_offset;        /* of the newest << */
    uint8_t depth, height;        /* its level in the finished tree, from 1; levels below it */
    bool flow;                    /* in brackets */
    bool has_key, merging;        /* the key has been read, it is <<: now comes its value */
    struct bytes name;            /* that key */
    uint32_t name_offset;
};

struct yaml_reader {
    yaml_parser_t parser;
    const struct yaml_input *input;
    struct chunk chunk;
    struct anchors anchors;
    struct amount total;
    struct doc_node *root;
    struct doc_error *error;
    enum failure failure;
    unsigned depth;
    struct yaml_level levels[LIMIT_TEXT_DEPTH];
};

_Static_assert(LIMIT_DEPTH < 256, "levels are counted in a byte");

/* What cannot go on returns false, with the reason in the reader and its error. */
bool yaml_fail(struct yaml_reader *r, enum failure failure, uint32_t offset, const char *message);
bool yaml_fail_syntax(struct yaml_reader *r, uint32_t offset, const char *message);

/* The same for what Kubernetes reads, but otherwise than it looks. */
bool yaml_fail_stricter(struct yaml_reader *r, uint32_t offset, const char *message);

/* The arena has nothing left. */
bool yaml_fail_memory(struct yaml_reader *r, uint32_t offset);

/* The innermost list or mapping that is open, or NULL. */
struct yaml_level *yaml_top(struct yaml_reader *r);

/* ---- yaml_tree.c: nodes ---- */

/* A node at that place, in the tree as the next value: element, member with the name read before it, or root; or in no tree yet. NULL on
 * failure. */
struct doc_node *yaml_add_node(struct yaml_reader *r, struct yaml_place place);
struct doc_node *yaml_make_node(struct yaml_reader *r, struct yaml_place place);

/* Everything below `from` once more, below `to`, behind *last. */
bool yaml_copy_children(struct yaml_reader *r, const struct doc_node *from, struct doc_node *to, struct doc_node **last);

/* The members of a mapping, `height` levels of nesting below it, into the object that the merge being read is for. */
bool yaml_merge(struct yaml_reader *r, const struct doc_node *mapping, unsigned height);
struct yaml_level *yaml_merge_target(struct yaml_reader *r);

/* Refuses a name that comes twice. */
bool yaml_check_names(struct yaml_reader *r, const struct yaml_level *level);

/* ---- yaml_value.c: scalars ---- */

/* What a scalar event means; its text lasts. */
bool yaml_read_scalar(struct yaml_reader *r, const yaml_event_t *event, struct yaml_place place, struct scalar *scalar);

/* A scalar as the next value, or as the key of the value to come. */
bool yaml_add_scalar(struct yaml_reader *r, struct yaml_place place, const struct scalar *scalar);
bool yaml_take_key(struct yaml_reader *r, struct yaml_place place, const struct scalar *scalar);

#endif
