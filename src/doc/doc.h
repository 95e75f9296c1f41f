/* The document tree: the JSON and YAML readers build it, everything else reads it. */
#ifndef DRAWBRIDGE_DOC_DOC_H
#define DRAWBRIDGE_DOC_DOC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"

enum doc_type {
    DOC_NULL,
    DOC_FALSE,
    DOC_TRUE,
    DOC_NUMBER,
    DOC_STRING,
    DOC_ARRAY,
    DOC_OBJECT,
    DOC_SKIPPED, /* a value of any type that was only checked for grammar; offset and size say where it is */
};

enum doc_flag {
    DOC_ESCAPED = 1,     /* a string with escapes or folded lines in the source: its text differs from the source */
    DOC_IMPLIED = 2,     /* not in the source: a default or a zero value */
    DOC_NIL = 4,         /* an unset list or map: left out, or null */
    DOC_INLINED = 8,     /* an object that is not in the source: its members are written in the object around it */
    DOC_FLATTENED = 16,  /* a member that is written in an object one level further down */
    DOC_BARE = 32,       /* an object without defaults, or without the one whose members move up into it */
    DOC_WELL_TYPED = 64, /* an object or array: it and everything below it have the types that the schema wants */
    DOC_WRONG = 128,     /* a null in place of a value of a wrong type; or an object or array that contains one */
};

/* Types of JSON as bits. A schema's state begins with those that it accepts whatever the value is. */
#define DOC_BIT(type) (1u << DOC_##type)
#define DOC_BIT_SHORT (1u << 8) /* an integer of at most nine digits without a sign: fits int32 */
#define DOC_BIT_AMOUNT (1u << 9) /* a text of at most 15 digits, and perhaps k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi or Ei after them */

enum { DOC_NO_FIELD = 0xFFFF };

/* One value, 48 bytes. Lives in the document's arena and never changes once it is read. */
struct doc_node {
    const struct doc_node *next; /* next element or member of the same container */
    union {
        const char *text;             /* of a string: decoded; of a number: its token; count says how long */
        const struct doc_node *first; /* of an array or object: its first element or member */
    };
    const char *name;     /* of a member, decoded */
    uint32_t name_length; /* bytes */
    uint32_t name_offset; /* of the name's first byte in the source */
    uint32_t offset;      /* of the value's first byte in the source */
    uint32_t size;        /* bytes of the value in the source */
    uint32_t count;       /* bytes of text, or the number of elements or members */
    uint16_t field;       /* of a member: its index in the object's shape, or DOC_NO_FIELD */
    uint8_t type;         /* enum doc_type */
    uint8_t flags;        /* enum doc_flag */
};

_Static_assert(sizeof(struct doc_node) == 48 || sizeof(void *) != 8, "LIMIT_NODES counts on 48 bytes a node");

/* A part of a source. */
struct doc_range {
    uint32_t from, to; /* `to` is after it */
};

struct document {
    const struct doc_node *root;
    struct bytes source;  /* not owned */
    bool has_duplicates;  /* some object has two members of one name */
    bool is_yaml;         /* the source is YAML, not JSON */
    bool shares_nodes;    /* values that are written alike may have the same text or children: see doc/json_model.h */
    uint8_t shared_count;
    const struct doc_range *shared; /* values that aliases repeat elsewhere; a single range for all of the source if they are many */
};

/* Why and where a text could not be read. */
struct doc_error {
    const char *message; /* fixed text in English */
    uint32_t offset;     /* bytes from the start of the source */
    uint32_t first;      /* of a repeated name, where it stands first */
    bool has_first;
    bool truncated;      /* the text is correct so far, but ends too early */
    bool in_yaml;        /* the text was read as YAML, not as JSON */
    bool stricter;       /* YAML that Kubernetes would read, but silently lose or change something of */
};

/* What a reader knows of the schema while it reads: which field a member is, and which values need no nodes. States belong to the schema
 * and are opaque to the reader, except that each begins with a uint16_t of DOC_BITs. A NULL state: nothing is known below. */
struct doc_schema {
    /* The state for the value of member `name`. `object` contains it, was itself read under `state`, and has its earlier members already.
     * *field is the field of the member before it (DOC_NO_FIELD for the first member), and is set to the field of this one. Returns
     * doc_skip for a value of which only the grammar must be checked. */
    const void *(*member)(void *self, const void *state, const struct doc_node *object, struct bytes name, uint16_t *field);
    /* The state of all elements of an array that is read under `state`; or of all members of an object, which then have no fields. NULL,
     * for objects only: ask `member` about each. */
    const void *(*each)(void *self, const void *state, bool object);
    void *self;
};

extern const char doc_skip[1];

/* The first element or member of an array or object; NULL when `node` is another value or NULL. */
static inline const struct doc_node *doc_first(const struct doc_node *node)
{
    return node && (node->type == DOC_ARRAY || node->type == DOC_OBJECT) ? node->first : NULL;
}

/* Loops over the elements or members of an array or object; does nothing for another value and for NULL. */
#define doc_each(container, child) for (const struct doc_node *child = doc_first(container); child; child = child->next)

static inline struct bytes doc_text(const struct doc_node *node)
{
    return (struct bytes){ node->text, node->count };
}

static inline struct bytes doc_name(const struct doc_node *node)
{
    return (struct bytes){ node->name, node->name_length };
}

/* The value as it is written in the source, in JSON or YAML. */
struct bytes doc_source(const struct document *document, const struct doc_node *node);

/* Whether some of that part of the source is repeated elsewhere by an alias. */
bool doc_is_shared(const struct document *document, uint32_t from, uint32_t to);

/* The last member of that name; NULL when there is none, or `object` is NULL or another value. */
const struct doc_node *doc_member_named(const struct doc_node *object, struct bytes name);

static inline const struct doc_node *doc_member(const struct doc_node *object, const char *name)
{
    return doc_member_named(object, bytes_of(name)); /* compilers know how long a literal is */
}

/* The text of the last member of that name that is not null, as the API server's decoder has it. { NULL, 0 } when there is none, or it is
 * not a string. */
struct bytes doc_member_text(const struct doc_node *object, const char *name);

/* Builds a changed copy of an object or array. Nodes never change, so a change makes a new container with copies of the children. */
struct doc_builder {
    struct doc_node *container, *last; /* container is NULL when the arena failed */
};

/* Begins with a copy of `like`, without its children. */
struct doc_builder doc_build(struct arena *arena, const struct doc_node *like) MUST_USE;

/* Appends a copy of `node`; both share their children. Returns the copy, or NULL when the arena failed. */
struct doc_node *doc_append(struct doc_builder *builder, struct arena *arena, const struct doc_node *node) MUST_USE;

/* Reads a number token as an integer within [low, high]: an optional minus and digits. Returns false for anything else. */
bool doc_integer(const struct doc_node *number, int64_t low, int64_t high, int64_t *value) MUST_USE;

#endif
