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

static const struct place *root_place(const struct cross *cross)
{
    const struct place *place = cross->place;
    while (place->up)
        place = place->up;
    return place;
}

const struct doc_node *cross_root(const struct cross *cross)
{
    return root_place(cross)->node;
}

const struct shape *cross_root_shape(const struct cross *cross)
{
    return root_place(cross)->shape;
}

const struct doc_node *cross_at(struct cross *cross, const struct shape *shape, const struct doc_node *root, const char *path)
{
    const struct place place = { .shape = shape, .node = root };
    return place_find(cross->run, &place, path, false).node;
}

/* ---- the other objects ---- */

struct gathered *cross_find(struct cross *cross, const struct gathering *what, struct bytes key)
{
    struct objects *objects = cross->run->request->objects;
    struct gathered *found = objects_find(objects, what, key);
    cross->run->failure = objects_failure(objects);
    return found;
}

struct gathered *cross_named(struct cross *cross, const char *group, const char *kind, struct bytes name)
{
    struct objects *objects = cross->run->request->objects;
    struct gathered *found = objects_named(objects, group, kind, name);
    cross->run->failure = objects_failure(objects);
    return found;
}

uint32_t cross_count(struct cross *cross, const char *group, const char *kind)
{
    return objects_count(cross->run->request->objects, group, kind);
}

void *cross_keep(struct cross *cross, size_t bytes)
{
    struct arena *arena = objects_arena(cross->run->request->objects);
    void *kept = arena_alloc(arena, bytes);
    cross->run->failure = arena->failure;
    return kept;
}

bool cross_is_own(const struct cross *cross, const struct gathered *value)
{
    return value->object == cross->run->request->self;
}

/* ---- findings ---- */

void cross_report(struct cross *cross, const struct cross_report *about)
{
    struct place element = { .up = cross->place, .shape = cross->place->shape->of, .node = about->element, .index = about->index };
    const struct place *place = about->element ? &element : cross->place;
    struct check check = *cross->check;
    struct place member = { .up = place };
    if (about->below) {
        member.field = &place->shape->fields[place_field(place->shape, about->below)];
        member.shape = member.field->shape;
        member.node = place_element_member(cross->run, place->shape, place->node, about->below);
        place = &member;
    }
    check.detail = NULL;
    report_clash(cross->run, place, &check, about->value, about->detail, about->other);
    cross->broken = true;
}
