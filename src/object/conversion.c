/* Converts objects to the API version of the rules, in which some members are in other objects. Members of shapes with CONVERTS_TO() move
 * up, out of a FLATTENED field, or down, into the field that has them. Works on copies, which keep their offsets in the source. */
#include "check/cursor.h"
#include "object/object.h"

static void append(struct evaluation *eval, struct doc_builder *builder, const struct doc_node *member, uint16_t field, uint8_t flags)
{
    struct doc_node *copy = doc_append(builder, &eval->workspace->arena, member);
    if (!copy) {
        eval->failure = eval->workspace->arena.failure;
        return;
    }
    copy->field = field;
    copy->flags |= flags;
}

static struct doc_builder build(struct evaluation *eval, const struct doc_node *like)
{
    struct doc_builder builder = doc_build(&eval->workspace->arena, like);
    if (!builder.container)
        eval->failure = eval->workspace->arena.failure;
    return builder;
}

/* The index of the field of that name, or DOC_NO_FIELD. */
static uint16_t field_named(const struct shape *shape, struct bytes name)
{
    for (uint16_t i = 0; i < shape->field_count; i++)
        if (bytes_equal(shape->fields[i].name, name))
            return i;
    return DOC_NO_FIELD;
}

/* The index of the field of `shape` whose object has a field of that name, or DOC_NO_FIELD. */
static uint16_t parent_field(const struct shape *shape, struct bytes name)
{
    for (uint16_t i = 0; i < shape->field_count; i++) {
        const struct field *field = &shape->fields[i];
        if (field->shape->type == SHAPE_OBJECT && field->pointer && field_named(field->shape, name) != DOC_NO_FIELD)
            return i;
    }
    return DOC_NO_FIELD;
}

/* Whether conversion drops the value: Go has no pointer for such a field, so an empty value counts as unset. */
static bool is_dropped(const struct field *field, const struct doc_node *member)
{
    return field->empty_is_unset && !member_is_set(NULL, member) && !(member->flags & DOC_WRONG);
}

/* Whether the object that the member moves into exists because of it. Lists and objects create it, even empty ones, and so does false. */
static bool makes_object(const struct doc_node *member)
{
    return member->type == DOC_FALSE || member->type == DOC_ARRAY || member->type == DOC_OBJECT || (member->flags & DOC_WRONG) ||
           member_is_set(NULL, member);
}

/* The object that members move down into. */
struct inlined {
    struct doc_builder target;
    uint16_t field; /* of the object around it */
    bool exists, has_defaults;
};

/* A conversion from one shape to another. */
struct conversion {
    const struct shape *to;
    struct doc_builder target;
    struct inlined inlined;
};

/* Appends a member to the inlined object, which is field `parent` of the target. */
static void move_down(struct evaluation *eval, struct conversion *conversion, uint16_t parent, const struct shape *from,
                      const struct field *field, const struct doc_node *member, const struct doc_node *value)
{
    struct inlined *inlined = &conversion->inlined;
    inlined->field = parent;
    inlined->exists |= makes_object(member);
    bool always = !from->defaults_if || eval->request->version < from->defaults_if_since;
    inlined->has_defaults |= always || (bytes_equal_text(field->name, from->defaults_if) && member_is_set(NULL, member));
    append(eval, &inlined->target, value, field_named(conversion->to->fields[parent].shape, field->name), 0);
}

/* Copies the members of `object`, which has the shape `from`, to where they belong in the target. */
static void convert_members(struct evaluation *eval, const struct shape *from, const struct doc_node *object,
                            struct conversion *conversion, uint8_t flags)
{
    doc_each(object, member) {
        if (member->field >= from->field_count || eval->failure)
            continue;
        const struct field *field = &from->fields[member->field];
        uint16_t same = field_named(conversion->to, field->name);
        uint16_t parent = same == DOC_NO_FIELD ? parent_field(conversion->to, field->name) : DOC_NO_FIELD;
        const struct doc_node *value = object_convert(eval, field->shape, member);
        if (is_dropped(field, member))
            continue;
        if (same != DOC_NO_FIELD)
            append(eval, &conversion->target, value, same, flags);
        else if (field->flattened && member->type == DOC_OBJECT)
            convert_members(eval, field->shape, member, conversion, DOC_FLATTENED);
        else if (parent != DOC_NO_FIELD)
            move_down(eval, conversion, parent, from, field, member, value);
    }
}

/* Whether the object has no member from which others move up. */
static bool lacks_flattened(const struct shape *shape, const struct doc_node *object)
{
    bool flattens = false, has = false;
    for (uint16_t i = 0; i < shape->field_count; i++)
        flattens |= shape->fields[i].flattened;
    doc_each(object, member)
        has |= member->field < shape->field_count && shape->fields[member->field].flattened && member->type == DOC_OBJECT;
    return flattens && !has;
}

static const struct doc_node *convert_object(struct evaluation *eval, const struct shape *shape, const struct doc_node *object)
{
    struct conversion conversion = { .to = object_canonical_shape(shape), .target = build(eval, object) };
    struct inlined *inlined = &conversion.inlined;
    inlined->target = build(eval, object);
    if (!conversion.target.container || !inlined->target.container)
        return object;
    convert_members(eval, shape, object, &conversion, 0);
    if (lacks_flattened(shape, object))
        conversion.target.container->flags |= DOC_BARE;
    if (inlined->exists) {
        inlined->target.container->flags |= (uint8_t)(DOC_INLINED | (inlined->has_defaults ? 0 : DOC_BARE));
        append(eval, &conversion.target, inlined->target.container, inlined->field, 0);
    }
    return conversion.target.container;
}

static const struct doc_node *convert_elements(struct evaluation *eval, const struct shape *shape, const struct doc_node *container)
{
    struct doc_builder target = build(eval, container);
    if (!target.container)
        return container;
    doc_each(container, element)
        append(eval, &target, object_convert(eval, shape->of, element), element->field, 0);
    return target.container;
}

const struct doc_node *object_convert(struct evaluation *eval, const struct shape *shape, const struct doc_node *node)
{
    if (shape->type == SHAPE_OBJECT && node->type == DOC_OBJECT)
        return convert_object(eval, shape, node);
    return object_has_members(shape, node) && shape->of->type != SHAPE_RAW && node->first ? convert_elements(eval, shape, node) : node;
}

/* ---- merged and converted ---- */

const struct shape *object_canonical_shape(const struct shape *shape)
{
    return shape->converts_to ? shape->converts_to : shape;
}

const struct doc_node *object_canonical(struct evaluation *eval, const struct shape *shape, const struct doc_node *object)
{
    const struct doc_node *merged = object_merge_duplicates(eval, shape, object);
    return shape->converts_to ? object_convert(eval, shape, merged) : merged;
}
