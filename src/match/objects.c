/* What everything needs of a world: its objects as they are read, devices as values, work that is counted. */
#include "match/limits.h"
#include "match/world.h"

bool match_is(const struct item *item, const char *group, const char *kind)
{
    const struct kind *known = item->kind;
    return known && bytes_equal_text(known->group, group) && bytes_equal_text(known->kind, kind);
}

enum failure match_work(struct match_world *world, uint64_t amount)
{
    uint64_t most = world->bounds.work;
    world->work += amount < most ? amount : most;
    return world->work > most ? FAILURE_LIMIT : FAILURE_NONE;
}

enum failure match_refuse(struct match_world *world, const struct item *item, const struct check_result *result)
{
    const struct finding *finding = result->findings.first;
    struct match_undecodable *made = arena_alloc(&world->workspace.arena, sizeof *made);
    if (!made)
        return world->workspace.arena.failure;
    *made = (struct match_undecodable){ .next = world->undecodable, .item = item, .path = "", .message = "has values of wrong types" };
    if (finding) {
        made->path = finding->path;
        made->message = finding->message;
        made->offset = finding->offset;
    }
    world->undecodable = made;
    return FAILURE_NONE;
}

enum failure match_read(struct match_world *world, const struct item *item, struct value *root)
{
    struct check_result result;
    enum failure failure =
        match_canonical(&world->workspace, item->document, item->kind->shape, item->node, world->version, &result, root);
    return !failure && result.undecodable ? match_refuse(world, item, &result) : failure;
}

enum failure match_device_evaluated(struct match_world *world, struct match_device *device, const struct cel_value **value)
{
    struct arena *arena = &world->values;
    struct cel_device made;
    *value = device->evaluated;
    if (*value)
        return FAILURE_NONE;
    if (arena->failure) { /* full: values are kept no more */
        arena = &world->scratch;
        arena_clear(arena);
    }
    struct cel_value *kept = arena_alloc(arena, sizeof *kept);
    bool multiple = !world->hides_multiple && match_is_multiple(device->value);
    enum failure failure = kept ? match_device_value(arena, device->slice->driver, device->value, multiple, !world->hides_lists,
                                                     world->version, &made, kept)
                                : arena->failure;
    if (!failure && made.fault)
        *kept = (struct cel_value){ .type = CEL_ERROR, .fault = { made.fault, NULL } };
    if (failure == FAILURE_LIMIT && arena == &world->values)
        return match_device_evaluated(world, device, value);
    if (failure)
        return failure;
    if (arena == &world->values)
        device->evaluated = kept;
    *value = kept;
    return FAILURE_NONE;
}
