/* Inside check/: the walk's position in the object, and the effective values there: what the API server validates after it has replaced
 * nulls and absent members by zero values and defaults, and dropped members or kept old ones, as the operation asks. */
#ifndef DRAWBRIDGE_CHECK_CURSOR_H
#define DRAWBRIDGE_CHECK_CURSOR_H

#include "check/evaluation.h"
#include "doc/limits.h"

/* One value on the path from the object's root. Cursors are on the stack of the walk. */
struct cursor {
    const struct cursor *up;     /* the object, list or map around it; NULL at the root */
    const struct field *field;   /* the value's field in up's shape; NULL for elements, map values and the root */
    const struct shape *shape;
    const struct doc_node *node; /* the effective value; NULL: an unset pointer */
    const struct doc_node *old;  /* its counterpart in the old object */
    bool has_old;                /* there is a counterpart; then old is NULL if that is an unset pointer */
    bool is_key;                 /* the value is the key of a map entry */
    bool is_kept;                /* node belongs to the old object, because the operation keeps it; so does everything below */
    uint32_t index;              /* of an element of a list */
    uint32_t options;            /* ratchets that are on */
    const struct doc_node *const *members; /* of an object: its effective values by field */
    const struct doc_node *const *old_members;
    const struct doc_node *alike; /* the value's counterpart where no row found anything, see alike.h; NULL: none */
    bool same_keys;              /* it is a map with the same keys as that */
    const bool *rest_skipped;    /* of a list: elements that are not checked any further; NULL: none */
};

/* The effective members of an object and of its old counterpart, by field. */
struct members {
    const struct doc_node *members[LIMIT_FIELDS], *old_members[LIMIT_FIELDS];
};

/* The value at a path. */
struct found_value {
    const struct field *field; /* NULL: the kind has no such path */
    const struct shape *shape;
    const struct doc_node *node;
};

/* The effective value of `raw`, a member of `field`; or, if field is NULL, an element of `shape`. A member that is not set becomes its
 * default. Otherwise null and absence become NULL for a pointer, and the zero value of the shape for anything else. */
const struct doc_node *cursor_value(struct evaluation *eval, const struct field *field, const struct shape *shape,
                                    const struct doc_node *raw);

/* The effective members of `node`, an object of `shape`, before the operation drops or keeps any. */
void cursor_members(struct evaluation *eval, const struct shape *shape, const struct doc_node *node,
                    const struct doc_node *members[LIMIT_FIELDS]);

/* Sets `members` to the effective members of the object at the cursor and of its old counterpart, and points the cursor to them. */
void cursor_open(struct evaluation *eval, struct cursor *cursor, struct members *members);

/* The effective member `name`, or that of a field, of an element of a list; the element itself if name is NULL. */
const struct doc_node *cursor_element_member(struct evaluation *eval, const struct shape *element, const struct doc_node *node,
                                             const char *name);
const struct doc_node *cursor_element_field(struct evaluation *eval, const struct shape *element, const struct doc_node *node,
                                            uint16_t field);

/* The effective value at a path of member names from the root of the new object or, if `old`, of the old one. */
struct found_value cursor_find(struct evaluation *eval, const struct cursor *cursor, const char *path, bool old);

/* A member by its name, as rows name members: of the object around the value or, in the checks of a shape (shape_check), of the object
 * itself. "../name" goes one object further up. The result's field is NULL when there is no such object. */
struct member {
    const struct field *field;
    const struct doc_node *node;
};
struct member cursor_member(struct evaluation *eval, const struct cursor *cursor, const char *name, bool shape_check, bool old);

/* The object of which that is a member, and the name without "../"; NULL: there is none. */
const struct cursor *cursor_object(const struct cursor *cursor, const char **name, bool shape_check);

/* The sibling of that name in the new object. */
const struct doc_node *cursor_sibling(struct evaluation *eval, const struct cursor *cursor, const char *name);

/* The cursor at the key of a map's entry. *text becomes its node. */
struct cursor cursor_key(const struct cursor *map, const struct doc_node *entry, struct doc_node *text);

/* Whether the requested version has the field. */
bool field_exists(const struct evaluation *eval, const struct field *field);

/* Whether the feature gate of the field is off: only what a stored object had already has it. */
bool field_gated(const struct evaluation *eval, const struct field *field);

/* Whether a member is set: a pointer that is not NULL, or a string, number, list, map or object that is not zero. */
bool member_is_set(const struct field *field, const struct doc_node *node);

/* Whether a member is not zero, even if its field is a pointer. An object is never zero. */
bool member_is_nonzero(const struct doc_node *node);

#endif
