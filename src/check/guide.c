/* Tells a reader what the shapes know, so that it binds members to fields and skips what no rule looks at. */
#include "check/check.h"

/* The field of that name among those from `from` to before `to`; `to`: there is none. */
static inline unsigned search(minor version, const struct shape *shape, struct bytes name, unsigned from, unsigned to)
{
    while (from < to && !(bytes_equal(shape->fields[from].name, name) && versions_include(shape->fields[from].versions, version)))
        from++;
    return from;
}

/* Writers keep the order of the fields, so the search begins behind the one before. */
static const void *find_field(minor version, const struct shape *shape, struct bytes name, uint16_t *field)
{
    unsigned hint = *field == DOC_NO_FIELD ? 0 : *field + 1u, count = shape->field_count, found = search(version, shape, name, hint, count);
    *field = DOC_NO_FIELD;
    if (found == count && (found = search(version, shape, name, 0, hint)) == hint)
        return doc_skip;
    *field = (uint16_t)found;
    return shape->fields[found].shape->type == SHAPE_RAW ? (const void *)doc_skip : shape->fields[found].shape;
}

const void *shape_guide_member(minor version, const struct shape *shape, struct bytes name, uint16_t *field)
{
    if (shape->type != SHAPE_MAP)
        return find_field(version, shape, name, field);
    *field = DOC_NO_FIELD;
    return shape_guide_element(shape);
}

const void *shape_guide_element(const struct shape *shape)
{
    return !shape->of || shape->of->type == SHAPE_RAW ? (const void *)doc_skip : shape->of;
}

/* The arena that nodes come from is writable; only the tree is handed on as constant. */
static void set_field(const struct doc_node *member, uint16_t field)
{
    ((struct doc_node *)(uintptr_t)member)->field = field;
}

void shape_bind(minor version, const struct shape *shape, const struct doc_node *node)
{
    uint16_t field = DOC_NO_FIELD;
    if (node->type == DOC_ARRAY && shape->type == SHAPE_LIST && shape->of->type != SHAPE_RAW)
        doc_each(node, element)
            shape_bind(version, shape->of, element);
    if (node->type != DOC_OBJECT || (shape->type != SHAPE_OBJECT && shape->type != SHAPE_MAP))
        return;
    doc_each(node, member) {
        const void *below = shape_guide_member(version, shape, doc_name(member), &field);
        set_field(member, field);
        if (below != doc_skip)
            shape_bind(version, below, member);
    }
}

static const void *guide_member(void *self, const void *state, const struct doc_node *object, struct bytes name, uint16_t *field)
{
    const struct shape_guide *guide = self;
    (void)object;
    return shape_guide_member(guide->version, state, name, field);
}

static const void *guide_each(void *self, const void *state, bool object)
{
    const struct shape *shape = state;
    (void)self;
    return object && shape->type != SHAPE_MAP ? NULL : shape_guide_element(shape);
}

void shape_guide_init(struct shape_guide *guide, minor version)
{
    *guide = (struct shape_guide){ { guide_member, guide_each, guide }, version };
}
