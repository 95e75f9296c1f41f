/* The document tree: what the JSON and YAML readers make, and what everything else looks at. */
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
    DOC_SKIPPED, /* any value whose inside was only checked for grammar; see offset and size */
};

enum doc_flag {
    DOC_ESCAPED = 1, /* a string whose source holds escapes or folds lines, so that text is not the source */
    DOC_IMPLIED = 2, /* not written anywhere: a default or a zero value */
    DOC_NIL = 4,     /* an unset list or map: not written, or null */
    DOC_INLINED = 8, /* not written as an object of its own: its members stand in the object around it */
    DOC_LIFTED = 16, /* a member that is written one object further down */
    DOC_BARE = 32,   /* an object without defaults */
    DOC_FITTING = 64, /* an object or array: its guide knows that it and all below it are of the types that they should be of */
};

/* Types of JSON as bits, with which a guide's state begins: a value of one of these surely fits it. */
#define DOC_BIT(type) (1u << DOC_##type)
#define DOC_BIT_SHORT (1u << 8) /* a whole number of at most nine digits */

enum { DOC_NO_FIELD = 0xFFFF };

/* One value, 48 bytes. Lives in the document's arena; never changed once it is read. */
struct doc_node {
    const struct doc_node *next; /* next element or member of the same container */
    union {
        const char *text;             /* of a string, decoded; of a number, its token; see count */
        const struct doc_node *first; /* of an array or object */
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

_Static_assert(sizeof(struct doc_node) == 48 || sizeof(void *) != 8, "limits.h counts on 48 bytes a node");

struct document {
    const struct doc_node *root;
    struct bytes source;  /* not owned */
    bool has_duplicates;  /* some object has two members of one name */
    bool is_yaml;         /* then a value's place in the source holds YAML, not JSON; see doc_source() */
};

/* Why and where a text could not be read. */
struct doc_error {
    const char *message; /* fixed text in English */
    uint32_t offset;     /* bytes from the start of the source */
    bool truncated;      /* the text is right so far, it only ends too early */
    bool in_yaml;        /* the text was being read as YAML, not as JSON */
    bool stricter;       /* in YAML: Kubernetes would read it, but lose or change something in silence */
};

/* Knows what a document should look like while it is being read: names a member's field, and says what need not become
 * nodes. States are the guide's own and opaque to the reader, but that each begins with a uint16_t: see DOC_BIT. A NULL state means that
 * nothing is known below. */
struct doc_guide {
    /* The state for the value of member `name` of `object` (whose earlier members are there already), itself read under
     * `state`. *field holds the field of the member before it (DOC_NO_FIELD at first); set to this one's. Returns
     * doc_skip for a value that need only be checked for grammar. */
    const void *(*member)(void *self, const void *state, const struct doc_node *object, struct bytes name, uint16_t *field);
    /* The one state that all elements of an array read under `state` have, or all members of an object, which then have no
     * fields. NULL, for objects only: `member` knows. */
    const void *(*each)(void *self, const void *state, bool object);
    void *self;
};

extern const char doc_skip[1];

/* The first element or member of an array or object; NULL for any other value and for NULL. */
static inline const struct doc_node *doc_first(const struct doc_node *node)
{
    return node && (node->type == DOC_ARRAY || node->type == DOC_OBJECT) ? node->first : NULL;
}

/* Loops over the elements or members of an array or object; not at all over any other value and NULL. */
#define doc_each(container, child) for (const struct doc_node *child = doc_first(container); child; child = child->next)

static inline struct bytes doc_text(const struct doc_node *node)
{
    return (struct bytes){ node->text, node->count };
}

static inline struct bytes doc_name(const struct doc_node *node)
{
    return (struct bytes){ node->name, node->name_length };
}

/* The value as it stands in the source, as JSON or as YAML. */
struct bytes doc_source(const struct document *document, const struct doc_node *node);

/* The last member of that name, or NULL; also NULL when `object` is NULL or no object. */
const struct doc_node *doc_member_named(const struct doc_node *object, struct bytes name);

static inline const struct doc_node *doc_member(const struct doc_node *object, const char *name)
{
    return doc_member_named(object, bytes_of(name)); /* compilers know how long a literal is */
}

/* A container in the making, of copies. Nodes themselves never change, so what counts instead of a container is a new one. */
struct doc_builder {
    struct doc_node *container, *last; /* container NULL: the arena failed */
};

/* Begins with a copy of `like` without its children. */
struct doc_builder doc_build(struct arena *arena, const struct doc_node *like) MUST_USE;

/* Appends a copy of the node, whose own children stay shared; returns it, NULL when the arena failed. */
struct doc_node *doc_append(struct doc_builder *builder, struct arena *arena, const struct doc_node *node) MUST_USE;

/* Reads a number token as an integer: an optional minus and digits, within [low, high]. Returns false for anything else. */
bool doc_integer(const struct doc_node *number, int64_t low, int64_t high, int64_t *value) MUST_USE;

#endif
