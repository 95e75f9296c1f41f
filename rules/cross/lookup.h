/* What an expression of a selector looks up on a device: from its tree. */
#ifndef DRAWBRIDGE_RULES_CROSS_LOOKUP_H
#define DRAWBRIDGE_RULES_CROSS_LOOKUP_H

#include "cel/compile.h"
#include "check/cross.h"

/* device.attributes["domain"], and what is asked of it. */
struct lookup_use {
    bool capacity;              /* device.capacity */
    struct bytes domain;
    struct bytes name;          /* that follows; without data: none that is written out */
    bool guarded;               /* it is asked whether the name is there: has(), in, .?, [?], or by going through all names */
    bool presence;              /* with has() or in: the result is only whether it is there */
};

/* The tree of an expression, valid until another one is compiled. NULL: it has errors, which are reported elsewhere, or there was a
 * failure. */
const struct cel_node *lookup_tree(struct cross *cross, struct bytes expression);

/* Whether the node looks up a domain, or a name in one. */
bool lookup_of(const struct cel_node *node, struct lookup_use *use);

/* Whether the node is the value of an attribute or a capacity, perhaps out of an optional: .?name.orValue(""), or behind dyn(). */
bool lookup_value(const struct cel_node *node, struct lookup_use *use);

/* Why no device has the domain or name that is looked up; NULL: one may. */
const char *lookup_fault(const struct lookup_use *use);

/* Adds 'attribute "name"' or 'capacity "name"'. */
void lookup_add_words(struct text *text, const struct lookup_use *use);

static inline bool lookup_is_call(const struct cel_node *node, const char *name)
{
    return node->kind == CEL_NODE_CALL && bytes_equal_text(node->call.name, name);
}

static inline bool lookup_is_text(const struct cel_node *node)
{
    return node->kind == CEL_NODE_LITERAL && node->literal.type == CEL_STRING;
}

bool lookup_is_driver_field(const struct cel_node *node);

/* Whether the expression is true for one driver only, as device.driver == "name" is; then *driver is that name. */
bool lookup_one_driver(const struct cel_node *node, struct bytes *driver);

/* Calls visit() for each node, from the outside; it ends when that returns false. */
bool lookup_walk(const struct cel_node *node, bool (*visit)(const struct cel_node *node, void *self), void *self);

#endif
