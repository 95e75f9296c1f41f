/* Objects of an API version whose members stand elsewhere, in terms of the version in which the rules are written: members of AS()
 * shapes move up (out of a LIFTED field) or down (into the field that has them). Copies; places in the source stay. */
#include "check/run.h"

struct target {
    struct doc_node *object, *last;
};

static void append(struct run *run, struct target *target, const struct doc_node *member, uint16_t field, uint8_t flags)
{
    struct doc_node *copy = run_alloc(run, sizeof *copy);
    if (!copy)
        return;
    *copy = *member;
    copy->next = NULL;
    copy->field = field;
    copy->flags |= flags;
    if (target->last)
        target->last->next = copy;
    else
        target->object->first = copy;
    target->last = copy;
    target->object->count++;
}

static struct target new_object(struct run *run, const struct doc_node *like)
{
    struct target target = { run_alloc(run, sizeof *target.object), NULL };
    if (target.object) {
        *target.object = *like;
        target.object->first = NULL;
        target.object->count = 0;
    }
    return target;
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
    struct target target;
    uint16_t field;
    bool exists, has_defaults;
};

/* Where members of `from` go in `to`. */
static void place_members_of(struct run *run, const struct shape *from, const struct shape *to, const struct doc_node *object, struct target *target, struct inlined *inlined, uint8_t flags)
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
    struct target target = new_object(run, object);
    struct inlined inlined = { .target = new_object(run, object) };
    if (!target.object || !inlined.target.object)
        return object;
    place_members_of(run, shape, to, object, &target, &inlined, 0);
    if (!inlined.exists)
        return target.object;
    inlined.target.object->flags |= (uint8_t)(DOC_INLINED | (inlined.has_defaults ? 0 : DOC_BARE));
    append(run, &target, inlined.target.object, inlined.field, 0);
    return target.object;
}

static const struct doc_node *convert_elements(struct run *run, const struct shape *shape, const struct doc_node *container)
{
    struct target target = new_object(run, container);
    if (!target.object)
        return container;
    doc_each(container, element)
        append(run, &target, convert_value(run, shape->of, element), element->field, 0);
    return target.object;
}

const struct doc_node *convert_value(struct run *run, const struct shape *shape, const struct doc_node *node)
{
    if (shape->type == SHAPE_OBJECT && node->type == DOC_OBJECT)
        return convert_object(run, shape, node);
    bool elements = (shape->type == SHAPE_LIST && node->type == DOC_ARRAY) || (shape->type == SHAPE_MAP && node->type == DOC_OBJECT);
    return elements && shape->of->type != SHAPE_RAW && node->first ? convert_elements(run, shape, node) : node;
}
