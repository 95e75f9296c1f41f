/* Brings an object of a document into the form that rules are written for: binds members to fields, checks types, merges repeated members,
 * and converts to the API version of the rules. */
#ifndef DRAWBRIDGE_OBJECT_OBJECT_H
#define DRAWBRIDGE_OBJECT_OBJECT_H

#include "check/evaluation.h"

/* Whether the value can contain others, and has the JSON type for that. */
static inline bool object_has_members(const struct shape *shape, const struct doc_node *node)
{
    return shape->type == SHAPE_LIST ? node->type == DOC_ARRAY
                                     : (shape->type == SHAPE_OBJECT || shape->type == SHAPE_MAP) && node->type == DOC_OBJECT;
}

/* ---- bind.c: fields of members ---- */

/* What a reader knows of the schema. Its states are shapes; the state of an object is its kind's shape. Fields that `version` does not have
 * are unknown fields. */
struct object_schema {
    struct doc_schema schema; /* for the reader */
    minor version;
};

void object_schema_init(struct object_schema *schema, minor version);

/* Its two functions, for schemas that wrap it: the state of a member's value; and of an element of a list or a value of a map. */
const void *object_schema_member(minor version, const struct shape *shape, struct bytes name, uint16_t *field);
const void *object_schema_element(const struct shape *shape);

/* Binds a tree that was read without a schema: sets the field of each member of `node` and below, by `shape`. It is part of reading; nodes
 * do not change after it. */
void object_bind(minor version, const struct shape *shape, const struct doc_node *node);

/* ---- types.c ---- */

/* Reports values of `node` and below that do not have the type of their shape. Messages begin with `prefix`. */
void object_check_types(struct evaluation *eval, const struct shape *shape, const struct doc_node *node, const char *prefix);

/* A copy with a null in place of each of these values, as check/partial.h has it; `node` itself if there is none. */
const struct doc_node *object_without_wrong(struct evaluation *eval, const struct shape *shape, const struct doc_node *node);

/* ---- unknown.c ---- */

/* Reports members of `node` and below that are not fields of their shape. */
void object_check_unknown(struct evaluation *eval, const struct shape *shape, const struct doc_node *node);

/* ---- duplicates.c, conversion.c: these return a changed copy, or `node` itself if nothing changes ---- */

/* Merges repeated members as the API server's decoder does. */
const struct doc_node *object_merge_duplicates(struct evaluation *eval, const struct shape *shape, const struct doc_node *node);

/* Converts objects of shapes with CONVERTS_TO() to the shape named there. */
const struct doc_node *object_convert(struct evaluation *eval, const struct shape *shape, const struct doc_node *node);

/* The shape that validates objects of `shape`: the one that it converts to, or `shape` itself. */
const struct shape *object_canonical_shape(const struct shape *shape);

/* The object merged and converted, for that shape. */
const struct doc_node *object_canonical(struct evaluation *eval, const struct shape *shape, const struct doc_node *object);

/* ---- gates.c ---- */

/* The object, of a shape that converts to no other, without the fields whose feature gates are off, each of which it reports. `old` is the
 * stored object; NULL: there is none. Returns a changed copy, or `object` itself if nothing changes. */
const struct doc_node *object_drop_gated(struct evaluation *eval, const struct shape *shape, const struct doc_node *object,
                                         const struct doc_node *old);

#endif
