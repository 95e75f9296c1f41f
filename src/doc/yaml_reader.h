/* Shared by the files of the YAML reader, and by no others: its state while it reads a document. */
#ifndef DRAWBRIDGE_DOC_YAML_READER_H
#define DRAWBRIDGE_DOC_YAML_READER_H

#include "doc/anchor.h"
#include "doc/limits.h"
#include "doc/yaml_span.h"
#include "doc/yaml.h"

/* What becomes of a sequence or mapping. */
enum yaml_role {
    YAML_IN_TREE,
    YAML_MERGED,      /* the mapping of a merge key (<<): its members are copied into the object around it */
    YAML_MERGED_LIST, /* the sequence of a merge key: a list of such mappings */
};

/* A sequence or mapping whose end has not been read yet. */
struct yaml_level {
    struct doc_node *node, *last; /* newest element or member */
    struct anchor *anchor;        /* its anchor, or NULL */
    struct amount before;         /* how much had been read when it began */
    enum yaml_role role;
    uint32_t end;                 /* offset of the end of what has been read of it */
    uint32_t merge_offset;        /* of the newest << */
    uint8_t depth;                /* its level in the finished tree, from 1 */
    uint8_t height;               /* levels of nesting below it */
    bool flow;                    /* written in brackets */
    bool has_key;                 /* a key has been read; its value comes next */
    bool merging;                 /* that key is << */
    struct bytes name;            /* that key, unless it is << */
    uint32_t name_offset;
};

struct yaml_reader {
    yaml_parser_t parser;
    const struct yaml_input *input;
    struct chunk chunk;
    struct anchors anchors;
    struct amount total;
    uint32_t nodes;    /* so far; in the items of a List, of the newest object */
    struct doc_range *shared; /* as in struct document */
    uint8_t shared_count;
    uint64_t repeated; /* bytes of text that came through aliases */
    struct doc_node *root;
    struct doc_error *error;
    enum failure failure;
    unsigned depth;
    struct yaml_level levels[LIMIT_TEXT_DEPTH];
};

_Static_assert(LIMIT_DEPTH < 256, "levels are counted in a byte");

/* These set the reader's failure and error, and return false. */
bool yaml_fail(struct yaml_reader *r, enum failure failure, uint32_t offset, const char *message);
bool yaml_fail_syntax(struct yaml_reader *r, uint32_t offset, const char *message);

/* For text that Kubernetes would read, but not as its author means it. */
bool yaml_fail_stricter(struct yaml_reader *r, uint32_t offset, const char *message);

/* For a failure of the arena. */
bool yaml_fail_memory(struct yaml_reader *r, uint32_t offset);

/* The innermost open sequence or mapping, or NULL. */
struct yaml_level *yaml_top(struct yaml_reader *r);

/* Before each value: the objects of a List have each its own count of nodes. */
void yaml_begin_value(struct yaml_reader *r);

/* Makes a sequence or mapping the innermost level. Fails when it is too deep. */
bool yaml_open_level(struct yaml_reader *r, const struct yaml_level *opened, uint32_t offset);

/* The innermost level has a complete value, which ends at `end` and has `height` levels of nesting. */
void yaml_end_value(struct yaml_reader *r, uint32_t end, unsigned height);

/* ---- yaml_simple.c: without libyaml ---- */

/* Reads the document if it is simple. False: nothing is known of it, and the reader has to begin again; or there is no memory. */
bool yaml_read_simple(struct yaml_reader *r);

/* ---- yaml_tree.c: nodes ---- */

/* Adds a node to the tree as the next value: an element, the member whose key was read before, or the root. NULL on failure. */
struct doc_node *yaml_add_node(struct yaml_reader *r, struct yaml_span span);

/* Makes a node that is not in the tree. NULL on failure. */
struct doc_node *yaml_make_node(struct yaml_reader *r, struct yaml_span span);

/* Appends copies of everything below `from` to `to`, after *last. */
bool yaml_copy_children(struct yaml_reader *r, const struct doc_node *from, struct doc_node *to, struct doc_node **last);

/* The object into which the innermost merge copies members. */
struct yaml_level *yaml_merge_target(struct yaml_reader *r);

/* Copies the members of a mapping into that object. `height` is the levels of nesting below the mapping. */
bool yaml_merge(struct yaml_reader *r, const struct doc_node *mapping, unsigned height);

/* Fails when the object has two members of one name. */
bool yaml_check_names(struct yaml_reader *r, const struct yaml_level *level);

/* ---- yaml_value.c: scalars ---- */

/* Reads the value of a scalar event. Its text outlives the event. */
bool yaml_read_scalar(struct yaml_reader *r, const yaml_event_t *event, struct yaml_span span, struct scalar *scalar);

/* Adds a scalar to the tree as the next value. */
bool yaml_add_scalar(struct yaml_reader *r, struct yaml_span span, const struct scalar *scalar);

/* Takes a scalar as the key of the next value. */
bool yaml_take_key(struct yaml_reader *r, struct yaml_span span, const struct scalar *scalar);

#endif
