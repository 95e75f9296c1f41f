#include "match/world.h"

#include "base/limits.h"
#include "cel/limits.h"
#include "match/limits.h"
#include "match/pool.h"
#include "match/selector.h"
#include "match/taint.h"

static const char resource[] = "resource.k8s.io";

/* ---- objects ---- */

static void *allocate(struct match_world *world, size_t count, size_t size)
{
    void *made = arena_alloc(&world->workspace.arena, (count + 1) * size);
    if (made)
        memset(made, 0, (count + 1) * size);
    return made;
}

/* Objects of the sources that fit. */
static uint32_t count_items(const struct source *sources, const char *group, const char *kind)
{
    uint32_t count = 0;
    for (const struct source *source = sources; source; source = source->next)
        for (const struct item *item = source->first; item; item = item->next)
            count += match_is(item, group, kind);
    return count;
}

static uint32_t count_slices(const struct source *sources)
{
    uint32_t count = 0;
    for (const struct source *source = sources; source; source = source->next)
        for (const struct item *item = source->first; item; item = item->next)
            count += match_is_slice(item);
    return count;
}

typedef enum failure reader(struct match_world *world, const struct item *item, struct value root);

static enum failure read_kind(struct match_world *world, const struct source *sources, const char *group, const char *kind, reader *read)
{
    enum failure failure = FAILURE_NONE;
    for (const struct source *source = sources; source && !failure; source = source->next) {
        for (const struct item *item = source->first; item && !failure; item = item->next) {
            struct value root;
            if (!match_is(item, group, kind))
                continue;
            failure = match_read(world, item, &root);
            if (!failure && value_is_set(root))
                failure = read(world, item, root);
        }
    }
    return failure;
}

static struct match_named *make_named(struct match_world *world, const struct item *item, struct value root)
{
    struct match_named *made = allocate(world, 1, sizeof *made);
    if (made)
        *made = (struct match_named){ .item = item, .root = root, .name = value_text(match_at(root, "metadata.name")) };
    return made;
}

static enum failure read_class(struct match_world *world, const struct item *item, struct value root)
{
    struct match_named *class = make_named(world, item, root);
    if (class && class->name.length && !map_add(&world->classes, class->name, class)) {
        class->next = world->all_classes;
        world->all_classes = class;
    }
    return world->workspace.arena.failure;
}

static enum failure read_node(struct match_world *world, const struct item *item, struct value root)
{
    struct match_named *node = &world->all_nodes[world->node_count];
    *node = (struct match_named){ .item = item, .root = root, .name = value_text(match_at(root, "metadata.name")) };
    if (node->name.length && !map_add(&world->nodes, node->name, node))
        world->node_count++;
    return FAILURE_NONE;
}

static enum failure read_rule(struct match_world *world, const struct item *item, struct value root)
{
    struct match_named *rule = make_named(world, item, root);
    return rule ? match_rule_add(world, rule) : world->workspace.arena.failure;
}

static void add_slice(struct match_world *world, const struct item *item, struct value root)
{
    struct value spec = match_at(root, "spec");
    world->slices[world->slice_count++] = (struct match_slice){
        .item = item,
        .spec = spec,
        .name = value_text(match_at(root, "metadata.name")),
        .driver = value_text(match_at(spec, "driver")),
        .generation = value_integer(match_at(spec, "pool.generation")),
    };
}

static enum failure read_slices(struct match_world *world, const struct source *sources)
{
    enum failure failure = FAILURE_NONE;
    for (const struct source *source = sources; source && !failure; source = source->next) {
        for (const struct item *item = source->first; item && !failure; item = item->next) {
            struct check_result result;
            struct value root;
            if (!match_is_slice(item))
                continue;
            failure = match_slice(&world->workspace, item, world->version, &result, &root);
            if (!failure && value_is_set(root))
                add_slice(world, item, root);
            else if (!failure)
                failure = match_refuse(world, item, &result);
        }
    }
    return failure;
}

/* ---- devices ---- */

/* Adds the devices of a slice; `names` has those of the pool's other slices. */
static void add_devices(struct match_world *world, const struct match_slice *slice, struct map *names)
{
    value_each(match_at(slice->spec, "devices"), element) {
        struct match_device *device = &world->devices[world->device_count++];
        *device = (struct match_device){ .slice = slice, .value = element, .name = value_text(match_at(element, "name")) };
        if (slice->currency == MATCH_CURRENT && device->name.length && map_add(names, device->name, device) && !slice->pool->twice.data)
            slice->pool->twice = device->name;
    }
}

static enum failure read_devices(struct match_world *world)
{
    size_t count = 0;
    enum failure failure = FAILURE_NONE;
    for (uint32_t i = 0; i < world->slice_count; i++)
        if (world->slices[i].currency != MATCH_REPEATED)
            count += value_count(match_at(world->slices[i].spec, "devices"));
    world->devices = allocate(world, count, sizeof *world->devices);
    if (!world->devices)
        return world->workspace.arena.failure;
    for (uint32_t i = 0; i < world->slice_count && !failure;) {
        const struct match_pool *pool = world->slices[i].pool;
        struct map names;
        uint32_t of_pool = 0, j = i;
        for (; j < world->slice_count && world->slices[j].pool == pool; j++)
            of_pool += value_count(match_at(world->slices[j].spec, "devices"));
        arena_clear(&world->scratch);
        failure = map_init(&names, &world->scratch, of_pool, world->workspace.context->key);
        for (; i < j && !failure; i++)
            if (world->slices[i].currency != MATCH_REPEATED)
                add_devices(world, &world->slices[i], &names);
    }
    return failure;
}

/* ---- the whole ---- */

static enum failure make_maps(struct match_world *world, const struct source *sources)
{
    struct arena *arena = &world->workspace.arena;
    struct map_key key = world->workspace.context->key;
    uint32_t node_count = count_items(sources, "", "Node");
    world->slices = allocate(world, count_slices(sources), sizeof *world->slices);
    world->all_nodes = allocate(world, node_count, sizeof *world->all_nodes);
    enum failure failure = map_init(&world->classes, arena, count_items(sources, resource, "DeviceClass"), key);
    if (!failure)
        failure = map_init(&world->nodes, arena, node_count, key);
    if (!failure)
        failure = map_init(&world->rules, arena, count_items(sources, resource, "DeviceTaintRule"), key);
    if (!failure)
        failure = map_init(&world->expression_map, &world->selectors, LIMIT_MATCH_EXPRESSIONS, key);
    if (!failure)
        failure = map_init(&world->attribute_map, &world->selectors, LIMIT_MATCH_EXPRESSIONS, key);
    return failure ? failure : arena->failure;
}

static enum failure read_world(struct match_world *world, const struct source *sources)
{
    enum failure failure = make_maps(world, sources);
    if (!failure)
        failure = read_kind(world, sources, resource, "DeviceClass", read_class);
    if (!failure)
        failure = read_kind(world, sources, resource, "DeviceTaintRule", read_rule);
    if (!failure)
        failure = read_kind(world, sources, "", "Node", read_node);
    if (!failure)
        failure = read_slices(world, sources);
    world->node_given = world->node.data && !failure ? map_find(&world->nodes, world->node) : NULL;
    if (!failure)
        failure = match_pools_read(world);
    return failure ? failure : read_devices(world);
}

enum failure match_world_init_within(struct match_world *world, const struct context *context, const struct source *sources, minor version,
                                     struct bytes node, const struct match_bounds *bounds)
{
    *world = (struct match_world){ .bounds = *bounds, .version = version, .node = node };
    arena_init(&world->values, context->memory, bounds->values);
    arena_init(&world->scratch, context->memory, LIMIT_ARENA_BYTES);
    arena_init(&world->evaluation, context->memory, LIMIT_CEL_EVALUATION_ARENA);
    arena_init(&world->selectors, context->memory, LIMIT_ARENA_BYTES);
    enum failure failure = workspace_init(&world->workspace, context);
    world->workspace.arena.limit = bounds->objects;
    return failure ? failure : read_world(world, sources);
}

enum failure match_world_init(struct match_world *world, const struct context *context, const struct source *sources, minor version,
                              struct bytes node)
{
    static const struct match_bounds bounds = {
        .objects = LIMIT_MATCH_BYTES, .values = LIMIT_MATCH_VALUES, .report = LIMIT_MATCH_REPORT, .work = LIMIT_MATCH_WORK,
    };
    return match_world_init_within(world, context, sources, version, node, &bounds);
}

void match_world_done(struct match_world *world)
{
    match_expressions_done(world);
    arena_done(&world->values);
    arena_done(&world->scratch);
    arena_done(&world->evaluation);
    arena_done(&world->selectors);
    workspace_done(&world->workspace);
}
