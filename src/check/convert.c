/* Objects of an API version whose members stand elsewhere, in terms of the version in which the rules are written: members of AS()
 * shapes move up (out of a LIFTED field) or down (into the field that has them). Copies; places in the source stay. */
#include "check/run.h"

static void append(struct run *run, struct doc_builder *builder, const struct doc_node *member, uint16_t field, uint8_t flags)
{
    struct doc_node *copy = doc_append(builder, &run->worker->arena, member);
    if (!copy) {
        run->failure = run->worker->arena.failure;
        return;
    }
    copy->field = field;
    copy->flags |= flags;
}

static struct doc_builder build(struct run *run, const struct doc_node *like)
{
    struct doc_builder builder = doc_build(&run->worker->arena, like);
    if (!builder.container)
        run->failure = run->worker->arena.failure;
    return builder;
}

/* Index of the field of that name, or DOC_NO_FIELD. */
static uint16_t field_named(const struct shape *shape, struct bytes name)
{
    for (uint16_t i = 0; i < shape->field_count; i++)
        if (bytes_equal(shape->fields[i].name, name))
            return i;
    return DOC_NO_FIELD;
}

/* The field of `shape` whose objects have a field of that name, or DOC_NO_FIELD. */
static uint16_t field_around(const struct shape *shape, struct bytes name)
{
    for (uint16_t i = 0; i < shape->field_count; i++)
        if (shape->fields[i].shape->type == SHAPE_OBJECT && shape->fields[i].pointer && field_named(shape->fields[i].shape, name) != DOC_NO_FIELD)
            return i;
    return DOC_NO_FIELD;
}

static bool is_dropped(const struct field *field, const struct doc_node *member)
{
    return field->empty_is_unset && !place_is_set(NULL, member);
}

/* Whether a member makes the object exist that it moves into: lists and objects do, even empty ones, and so does false. */
static bool makes_object(const struct doc_node *member)
{
    return member->type == DOC_FALSE || member->type == DOC_ARRAY || member->type == DOC_OBJECT || place_is_set(NULL, member);
}

struct inlined {
    struct doc_builder target;
    uint16_t field;
    bool exists, has_defaults;
};

/* Where members of `from` go in `to`. */
static void place_members_of(struct run *run, const struct shape *from, const struct shape *to, const struct doc_node *object, struct doc_builder *target, struct inlined *inlined, uint8_t flags)
{
    doc_each(object, member) {
        if (member->field >= from->field_count || run->failure)
            continue;
        const struct field *field = &from->fields[member->field];
        uint16_t same = field_named(to, field->name), around = same == DOC_NO_FIELD ? field_around(to, field->name) : DOC_NO_FIELD;
        const struct doc_node *value = convert_value(run, field->shape, member);
        if (is_dropped(field, member))
            continue;
        if (same != DOC_NO_FIELD) {
            append(run, target, value, same, flags);
        } else if (field->lifted && member->type == DOC_OBJECT) {
            place_members_of(run, field->shape, to, member, target, inlined, DOC_LIFTED);
        } else if (around != DOC_NO_FIELD) {
            const struct shape *inner = to->fields[around].shape;
            inlined->field = around;
            inlined->exists |= makes_object(member);
            inlined->has_defaults |= !from->defaults_if || (bytes_equal_text(field->name, from->defaults_if) && place_is_set(NULL, member));
            append(run, &inlined->target, value, field_named(inner, field->name), 0);
        }
    }
}

static const struct doc_node *convert_object(struct run *run, const struct shape *shape, const struct doc_node *object)
{
    const struct shape *to = shape->as ? shape->as : shape;
    struct doc_builder target = build(run, object);
    struct inlined inlined = { .target = build(run, object) };
    if (!target.container || !inlined.target.container)
        return object;
    place_members_of(run, shape, to, object, &target, &inlined, 0);
    if (!inlined.exists)
        return target.container;
    inlined.target.container->flags |= (uint8_t)(DOC_INLINED | (inlined.has_defaults ? 0 : DOC_BARE));
    append(run, &target, inlined.target.container, inlined.field, 0);
    return target.container;
}

static const struct doc_node *convert_elements(struct run *run, const struct shape *shape, const struct doc_node *container)
{
    struct doc_builder target = build(run, container);
    if (!target.container)
        return container;
    doc_each(container, element)
        append(run, &target, convert_value(run, shape->of, element), element->field, 0);
    return target.container;
}

const struct doc_node *convert_value(struct run *run, const struct shape *shape, const struct doc_node *node)
{
    if (shape->type == SHAPE_OBJECT && node->type == DOC_OBJECT)
        return convert_object(run, shape, node);
    bool elements = (shape->type == SHAPE_LIST && node->type == DOC_ARRAY) || (shape->type == SHAPE_MAP && node->type == DOC_OBJECT);
    return elements && shape->of->type != SHAPE_RAW && node->first ? convert_elements(run, shape, node) : node;
}
