#include "check/checks.h"

const struct doc_node *cross_value(const struct cross *cross)
{
    return cross->place->node;
}

const struct shape *cross_shape(const struct cross *cross)
{
    return cross->place->shape;
}

const struct doc_node *cross_member(struct cross *cross, const struct shape *shape, const struct doc_node *object, const char *name)
{
    return place_element_member(cross->run, shape, object, name);
}

const struct shape *cross_member_shape(const struct shape *shape, const char *name)
{
    return shape->fields[place_field(shape, name)].shape;
}

const struct doc_node *cross_sibling(const struct cross *cross, const char *name, bool old)
{
    const struct doc_node *const *members = old ? cross->place->old_members : cross->place->members;
    return members ? members[place_field(cross->place->shape, name)] : NULL;
}

const struct shape *cross_object_shape(const struct cross *cross)
{
    return cross->place->shape;
}

struct bytes cross_texts(struct cross *cross, const struct shape *shape, const struct doc_node *object, const char *const *members)
{
    return index_key(cross->run, shape, object, members);
}

struct arena *cross_arena(const struct cross *cross)
{
    return &cross->run->worker->arena;
}

struct set_key cross_key(const struct cross *cross)
{
    return cross->run->worker->context->key;
}

void cross_fail(struct cross *cross, enum failure failure)
{
    cross->run->failure = failure;
}

void cross_report(struct cross *cross, uint32_t index, const struct doc_node *element, const char *below, const char *detail)
{
    struct place place = { .up = cross->place, .shape = cross->place->shape->of, .node = element, .index = index };
    struct check check = *cross->check;
    check.below = below;
    report(cross->run, &place, &check, REASON_OF_RULE, NULL, detail_text(detail));
    cross->broken = true;
}
