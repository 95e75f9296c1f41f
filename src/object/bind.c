/* Binds members to fields by the shapes, and lets readers skip values that no rule checks. */
#include "check/row_counts.h"
#include "object/object.h"

/* The first field of that name in [from, to); `to` when there is none. */
static inline unsigned search(minor version, const struct shape *shape, struct bytes name, unsigned from, unsigned to)
{
    while (from < to && !(bytes_equal(shape->fields[from].name, name) && versions_include(shape->fields[from].versions, version)))
        from++;
    return from;
}

/* Counts a member whose field only other versions have. */
static inline void count_excluded(minor version, const struct shape *shape, struct bytes name)
{
    for (uint16_t i = 0; COUNTING_ROWS && i < shape->field_count; i++)
        if (bytes_equal(shape->fields[i].name, name))
            row_count(&shape->fields[i], version, ROW_EXCLUDED);
}

/* Most writers keep the order of the fields, so the search begins after the field of the member before. */
static const void *find_field(minor version, const struct shape *shape, struct bytes name, uint16_t *field)
{
    unsigned hint = *field == DOC_NO_FIELD ? 0 : *field + 1u, count = shape->field_count;
    unsigned found = search(version, shape, name, hint, count);
    *field = DOC_NO_FIELD;
    if (found == count && (found = search(version, shape, name, 0, hint)) == hint) {
        count_excluded(version, shape, name);
        return doc_skip;
    }
    *field = (uint16_t)found;
    return shape->fields[found].shape->type == SHAPE_RAW ? (const void *)doc_skip : shape->fields[found].shape;
}

const void *object_schema_member(minor version, const struct shape *shape, struct bytes name, uint16_t *field)
{
    if (shape->type != SHAPE_MAP)
        return find_field(version, shape, name, field);
    *field = DOC_NO_FIELD;
    return object_schema_element(shape);
}

const void *object_schema_element(const struct shape *shape)
{
    return !shape->of || shape->of->type == SHAPE_RAW ? (const void *)doc_skip : shape->of;
}

/* Nodes are in an arena, which is writable, although the tree is passed as const. */
static void set_field(const struct doc_node *member, uint16_t field)
{
    ((struct doc_node *)(uintptr_t)member)->field = field;
}

void object_bind(minor version, const struct shape *shape, const struct doc_node *node)
{
    uint16_t field = DOC_NO_FIELD;
    if (node->type == DOC_ARRAY && shape->type == SHAPE_LIST && shape->of->type != SHAPE_RAW)
        doc_each(node, element)
            object_bind(version, shape->of, element);
    if (node->type != DOC_OBJECT || (shape->type != SHAPE_OBJECT && shape->type != SHAPE_MAP))
        return;
    doc_each(node, member) {
        const void *below = object_schema_member(version, shape, doc_name(member), &field);
        set_field(member, field);
        if (below != doc_skip)
            object_bind(version, below, member);
    }
}

static const void *schema_member(void *self, const void *state, const struct doc_node *object, struct bytes name, uint16_t *field)
{
    const struct object_schema *schema = self;
    (void)object;
    return object_schema_member(schema->version, state, name, field);
}

static const void *schema_each(void *self, const void *state, bool object)
{
    const struct shape *shape = state;
    (void)self;
    return object && shape->type != SHAPE_MAP ? NULL : object_schema_element(shape);
}

void object_schema_init(struct object_schema *schema, minor version)
{
    *schema = (struct object_schema){ { schema_member, schema_each, schema }, version };
}
