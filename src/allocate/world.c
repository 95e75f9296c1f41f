/* Source: k8s.io/kubernetes v1.36.3 pkg/scheduler/framework/plugins/dynamicresources, allocateddevices.go and dra_manager.go. */
#include "allocate/world.h"

#include <stdlib.h>

#include "allocate/device.h"
#include "allocate/limits.h"
#include "base/limits.h"
#include "match/device.h"
#include "match/node.h"

/* ---- slices ---- */

static int compare_slices(const void *a, const void *b)
{
    const struct allocate_slice *one = a, *other = b;
    int order = bytes_compare(one->name, other->name);
    return order ? order : (one->ordinal > other->ordinal) - (one->ordinal < other->ordinal);
}

static bool has_selection(struct value spec)
{
    return value_text(match_at(spec, "nodeName")).length || value_is_true(match_at(spec, "allNodes")) ||
           value_is_set(match_at(spec, "nodeSelector"));
}

static struct allocate_slice slice_of(struct value root, uint32_t ordinal)
{
    struct value spec = match_at(root, "spec");
    return (struct allocate_slice){
        .root = root,
        .spec = spec,
        .name = value_text(match_at(root, "metadata.name")),
        .generation = value_integer(match_at(spec, "pool.generation")),
        .said = value_integer(match_at(spec, "pool.resourceSliceCount")),
        .place = allocate_place_of(spec),
        .by_device = value_is_true(match_at(spec, "perDeviceNodeSelection")),
        .mentions_by_device = value_is_set(match_at(spec, "perDeviceNodeSelection")),
        .has_selection = has_selection(spec),
        .skipped = match_at(spec, "skipNodeOperations"),
        .ordinal = ordinal,
    };
}

/* The pool's counters are found by its name, or by that and the driver. */
static enum failure read_scope(struct allocate_world *world, struct allocate_pool_name *pool)
{
    const struct bytes parts[] = { pool->name, pool->driver };
    return allocate_name_join(world, &world->scopes_by_name, parts, world->mode.pool_names_mix ? 1 : 2, &pool->scope);
}

static enum failure read_pool(struct allocate_world *world, struct allocate_slice *slice)
{
    const struct bytes parts[] = { value_text(match_at(slice->spec, "driver")), value_text(match_at(slice->spec, "pool.name")) };
    uint32_t number;
    arena_clear(&world->scratch);
    enum failure failure = allocate_name_join(world, &world->pools, parts, 2, &number);
    if (failure)
        return failure;
    slice->pool = &world->pool_names[number];
    if (!slice->pool->slice_count++) {
        slice->pool->driver = parts[0];
        slice->pool->name = parts[1];
        failure = read_scope(world, slice->pool);
    }
    return failure;
}

/* Gives each pool the list of its slices, in their order. */
static enum failure fill_pools(struct allocate_world *world)
{
    for (uint32_t i = 0; i < world->pools.count; i++) {
        struct allocate_pool_name *pool = &world->pool_names[i];
        pool->slices = allocate_make(world, pool->slice_count, sizeof *pool->slices);
        if (!pool->slices)
            return world->arena.failure;
        pool->slice_count = 0;
    }
    for (uint32_t i = 0; i < world->slice_count; i++) {
        struct allocate_pool_name *pool = world->slices[i].pool;
        pool->slices[pool->slice_count++] = &world->slices[i];
    }
    return FAILURE_NONE;
}

static enum failure read_slices(struct allocate_world *world, const struct allocate_objects *objects)
{
    enum failure failure = FAILURE_NONE;
    uint32_t count = objects->slice_count;
    world->slices = allocate_make(world, count, sizeof *world->slices);
    world->common = allocate_make(world, count, sizeof(struct allocate_slice *));
    world->pool_names = allocate_make(world, count, sizeof *world->pool_names);
    world->scopes = allocate_make(world, count, sizeof *world->scopes);
    world->seen = allocate_make(world, count, sizeof(struct allocate_slice *));
    world->seen_late = allocate_make(world, count, sizeof(struct allocate_slice *));
    world->seen_before = allocate_make(world, count, sizeof(struct allocate_slice *));
    if (world->arena.failure)
        return world->arena.failure;
    for (uint32_t i = 0; i < count; i++)
        world->slices[i] = slice_of(objects->slices[i], i);
    qsort(world->slices, count, sizeof *world->slices, compare_slices);
    world->slice_count = count;
    for (uint32_t i = 0; i < count && !failure; i++) {
        world->slices[i].ordinal = i;
        failure = read_pool(world, &world->slices[i]);
    }
    return failure ? failure : fill_pools(world);
}

static enum failure read_devices(struct allocate_world *world, struct allocate_rules *rules)
{
    size_t count = 0;
    enum failure failure = FAILURE_NONE;
    for (uint32_t i = 0; i < world->slice_count; i++)
        count += value_count(match_at(world->slices[i].spec, "devices"));
    struct allocate_device *devices = allocate_make(world, count, sizeof *devices);
    world->identity_list = allocate_make(world, count, sizeof *world->identity_list);
    world->contents = allocate_make(world, count, sizeof *world->contents);
    if (!devices || !world->identity_list || !world->contents)
        return world->arena.failure;
    for (uint32_t i = 0; i < world->slice_count && !failure; i++) {
        struct allocate_slice *slice = &world->slices[i];
        slice->devices = devices;
        value_each(match_at(slice->spec, "devices"), element)
            failure = failure ? failure : allocate_device_read(world, rules, slice, element, &devices[slice->device_count++]);
        devices += slice->device_count;
        if (!failure)
            failure = allocate_sets_read(world, slice);
    }
    return failure;
}

static enum failure make_counters(struct allocate_world *world)
{
    world->slot_count = world->counters.count;
    world->available = allocate_make(world, world->slot_count, sizeof *world->available);
    world->is_available = allocate_make(world, world->slot_count, sizeof *world->is_available);
    world->group_sets = allocate_make(world, world->sets.count, sizeof *world->group_sets);
    world->pool_stamps = allocate_make(world, (size_t)world->slot_count + world->names.count, sizeof *world->pool_stamps);
    return world->available && world->is_available && world->group_sets && world->pool_stamps ? FAILURE_NONE : world->arena.failure;
}

/* ---- nodes and classes ---- */

/* Whether status.declaredFeatures has it. No rule concerns that member, so its shape is not known. */
static bool declares(struct value root, const char *feature)
{
    doc_each(doc_member(doc_member(root.node, "status"), "declaredFeatures"), element)
        if (element->type == DOC_STRING && bytes_equal_text(doc_text(element), feature))
            return true;
    return false;
}

static enum failure add_node(struct allocate_world *world, struct value root, struct bytes name)
{
    bool is_new;
    world->nodes[world->node_count].given = (struct match_named){ .root = root, .name = name };
    world->nodes[world->node_count].skips = declares(root, "DRAOptionalNodeOperations");
    uint32_t number = names_add(&world->nodes_by_name, name, &is_new);
    if (number == NAMES_NONE)
        return world->arena.failure;
    if (is_new)
        world->node_numbers[number] = world->node_count;
    world->node_count++;
    return FAILURE_NONE;
}

static enum failure read_nodes(struct allocate_world *world, const struct allocate_objects *objects)
{
    size_t room = (size_t)objects->node_count + objects->guessed_count;
    enum failure failure = FAILURE_NONE;
    world->nodes = allocate_make(world, room, sizeof *world->nodes);
    world->node_numbers = allocate_make(world, room, sizeof *world->node_numbers);
    if (!world->nodes || !world->node_numbers)
        return world->arena.failure;
    for (uint32_t i = 0; i < objects->node_count && !failure; i++)
        failure = add_node(world, objects->nodes[i], value_text(match_at(objects->nodes[i], "metadata.name")));
    for (uint32_t i = 0; i < objects->guessed_count && !failure; i++)
        failure = add_node(world, (struct value){ .shape = NULL }, objects->guessed[i]);
    return failure;
}

struct allocate_node *allocate_node_named(struct allocate_world *world, struct bytes name)
{
    uint32_t number = names_find(&world->nodes_by_name, name);
    return number == NAMES_NONE ? NULL : &world->nodes[world->node_numbers[number]];
}

static bool is_of_one_node(const struct allocate_world *world, const struct allocate_slice *slice)
{
    return slice->place.node.length && (!slice->set_count || world->mode.counters_placed);
}

/* Nodes of one name see the same slices, so the first of a name has them. */
static enum failure place_slices(struct allocate_world *world)
{
    for (uint32_t i = 0; i < world->slice_count; i++) {
        struct allocate_slice *slice = &world->slices[i];
        if (!is_of_one_node(world, slice)) {
            world->common[world->common_count++] = slice;
            continue;
        }
        struct allocate_node *node = allocate_node_named(world, slice->place.node);
        if (node)
            node->slice_room++;
    }
    for (uint32_t i = 0; i < world->node_count; i++) {
        world->nodes[i].slices = allocate_make(world, world->nodes[i].slice_room, sizeof(struct allocate_slice *));
        if (!world->nodes[i].slices)
            return world->arena.failure;
    }
    for (uint32_t i = 0; i < world->slice_count; i++) {
        struct allocate_slice *slice = &world->slices[i];
        struct allocate_node *node = is_of_one_node(world, slice) ? allocate_node_named(world, slice->place.node) : NULL;
        if (node)
            node->slices[node->slice_count++] = slice;
    }
    return FAILURE_NONE;
}

static enum failure read_class(struct allocate_world *world, struct value root)
{
    struct allocate_class *class = &world->classes[world->class_count];
    struct value selectors = match_at(root, "spec.selectors");
    bool is_new;
    *class = (struct allocate_class){ .root = root, .name = value_text(match_at(root, "metadata.name")) };
    class->selectors = allocate_make(world, value_count(selectors), sizeof(struct allocate_selector *));
    enum failure failure = class->selectors ? FAILURE_NONE : world->arena.failure;
    value_each(selectors, selector)
        failure = failure ? failure : allocate_selector_of(world, selector, &class->selectors[class->selector_count++]);
    uint32_t number = failure ? NAMES_NONE : names_add(&world->classes_by_name, class->name, &is_new);
    if (number == NAMES_NONE)
        return failure ? failure : world->arena.failure;
    world->class_count += is_new; /* of one name, the first one counts */
    return FAILURE_NONE;
}

struct allocate_class *allocate_class_named(struct allocate_world *world, struct bytes name)
{
    uint32_t number = names_find(&world->classes_by_name, name);
    return number == NAMES_NONE ? NULL : &world->classes[number];
}

/* ---- what is allocated ---- */

struct allocate_identity *allocate_identity_of(struct allocate_world *world, struct bytes driver, struct bytes pool, struct bytes device)
{
    const struct bytes ids[] = { driver, pool };
    uint32_t number = allocate_name_look(world, &world->pools, ids, 2);
    const struct bytes parts[] = { { (const char *)&number, sizeof number }, device };
    if (number != NAMES_NONE)
        number = allocate_name_look(world, &world->identities, parts, 2);
    return number == NAMES_NONE ? NULL : &world->identity_list[number];
}

/* Adds to what shares take. */
static enum failure add_parts(struct allocate_world *world, struct allocate_identity *identity, const struct allocate_part *parts,
                              uint32_t count)
{
    struct allocate_part *list = allocate_make(world, (size_t)identity->part_count + count, sizeof *list);
    if (!list)
        return world->arena.failure;
    if (identity->part_count)
        memcpy(list, identity->parts, identity->part_count * sizeof *list);
    identity->used = true;
    identity->parts = list;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = 0;
        while (j < identity->part_count && list[j].name != parts[i].name)
            j++;
        if (j == identity->part_count)
            list[identity->part_count++] = (struct allocate_part){ .name = parts[i].name };
        list[j].nano += parts[i].nano;
    }
    return FAILURE_NONE;
}

/* sign: 1, or -1 for what is given back. */
static enum failure use_parts(struct allocate_world *world, struct allocate_identity *identity, struct value from, int sign)
{
    struct allocate_part *parts = arena_alloc(&world->scratch, value_count(from) * sizeof *parts + 1);
    uint32_t count = 0;
    if (!parts)
        return world->scratch.failure;
    value_each(from, part) {
        struct amount amount;
        bool is_new;
        parts[count].name = names_add(&world->names, value_name(part), &is_new);
        if (parts[count].name == NAMES_NONE)
            return world->arena.failure;
        enum failure failure = amount_read(value_text(part), &world->scratch, &amount);
        if (failure)
            return failure;
        parts[count++].nano = sign * amount.nano;
    }
    return add_parts(world, identity, parts, count);
}

enum failure allocate_identity_use(struct allocate_world *world, struct allocate_identity *identity, struct value from)
{
    return use_parts(world, identity, from, 1);
}

/* A result of an allocation. */
struct held {
    struct allocate_identity *identity; /* NULL: no slice has the device, or it is not held */
    struct value parts;                 /* what is consumed of its capacity */
    bool share, uses;
};

static enum failure read_held(struct allocate_world *world, struct value result, struct held *held)
{
    struct value parts = match_at(result, "consumedCapacity");
    bool share = world->mode.on.consume && value_text(match_at(result, "shareID")).length;
    *held = (struct held){ .parts = parts, .share = share, .uses = share && value_is_set(parts) };
    arena_clear(&world->scratch);
    if (value_is_true(match_at(result, "adminAccess")))
        return FAILURE_NONE;
    held->identity = allocate_identity_of(world, value_text(match_at(result, "driver")), value_text(match_at(result, "pool")),
                                          value_text(match_at(result, "device")));
    return held->identity ? FAILURE_NONE : world->scratch.failure;
}

static enum failure hold_result(struct allocate_world *world, const struct allocate_stored *claim, struct value result)
{
    struct held held;
    enum failure failure = read_held(world, result, &held);
    if (failure || !held.identity)
        return failure;
    held.identity->taken |= !held.share;
    held.identity->shared |= held.share;
    struct allocate_holder *holder = claim ? allocate_make(world, 1, sizeof *holder) : NULL;
    if (claim && !holder)
        return world->arena.failure;
    if (claim) {
        *holder = (struct allocate_holder){ held.identity->holders, claim, held.share, held.uses };
        held.identity->holders = holder;
    }
    return held.uses ? use_parts(world, held.identity, held.parts, 1) : FAILURE_NONE;
}

static enum failure release_result(struct allocate_world *world, const struct allocate_stored *claim, struct value result)
{
    struct held held;
    enum failure failure = read_held(world, result, &held);
    struct allocate_identity *identity = held.identity;
    if (failure || !identity)
        return failure;
    struct allocate_holder **at = &identity->holders;
    while (*at && ((*at)->claim != claim || (*at)->share != held.share || (*at)->uses != held.uses))
        at = &(*at)->next;
    if (!*at)
        return FAILURE_INTERNAL;
    *at = (*at)->next;
    identity->taken = identity->shared = identity->used = false;
    for (const struct allocate_holder *holder = identity->holders; holder; holder = holder->next) {
        identity->taken |= !holder->share;
        identity->shared |= holder->share;
        identity->used |= holder->uses;
    }
    bool used = identity->used;
    failure = held.uses ? use_parts(world, identity, held.parts, -1) : FAILURE_NONE;
    identity->used = used;
    return failure;
}

enum failure allocate_world_release(struct allocate_world *world, const struct allocate_stored *claim, struct value allocation)
{
    enum failure failure = FAILURE_NONE;
    value_each(match_at(allocation, "devices.results"), result)
        failure = failure ? failure : release_result(world, claim, result);
    return failure;
}

enum failure allocate_world_hold(struct allocate_world *world, const struct allocate_stored *claim, struct value allocation)
{
    enum failure failure = FAILURE_NONE;
    value_each(match_at(allocation, "devices.results"), result)
        failure = failure ? failure : hold_result(world, claim, result);
    return failure;
}

void allocate_world_clear(struct allocate_world *world)
{
    for (uint32_t i = 0; i < world->identities.count; i++)
        world->identity_list[i] = (struct allocate_identity){ .name = world->identity_list[i].name, .sums = world->identity_list[i].sums };
    allocate_world_cycle(world);
}

void allocate_world_cycle(struct allocate_world *world)
{
    for (uint32_t i = 0; i < world->scopes_by_name.count; i++)
        world->scopes[i].known = world->scopes[i].grouped = false;
}

/* ---- places ---- */

enum failure allocate_on_node(struct allocate_world *world, const struct allocate_place *place, const struct allocate_node *node,
                              bool *on)
{
    *on = place->everywhere && !place->node.length;
    if (place->node.length)
        *on = bytes_equal(place->node, node->given.name);
    if (*on || place->node.length || !value_is_set(place->at))
        return FAILURE_NONE;
    const struct match_named *labels = value_is_set(node->given.root) ? &node->given : NULL;
    return match_on_node(world->matching, place->at, node->given.name, labels, on);
}

/* ---- the whole ---- */

static enum failure read_objects(struct allocate_world *world, const struct allocate_objects *objects)
{
    struct allocate_rules rules;
    enum failure failure = read_nodes(world, objects);
    if (!failure)
        failure = read_slices(world, objects);
    if (!failure)
        failure = allocate_rules_read(world, objects, &rules);
    if (!failure)
        failure = read_devices(world, &rules);
    if (!failure)
        failure = place_slices(world);
    if (!failure)
        failure = make_counters(world);
    world->classes = failure ? NULL : allocate_make(world, objects->class_count, sizeof *world->classes);
    if (!world->classes)
        return failure ? failure : world->arena.failure;
    for (uint32_t i = 0; i < objects->class_count && !failure; i++)
        failure = read_class(world, objects->classes[i]);
    return failure;
}

enum failure allocate_world_init(struct allocate_world *world, struct match_world *matching, const struct allocate_mode *mode,
                                 const struct allocate_objects *objects)
{
    const struct context *context = matching->workspace.context;
    *world = (struct allocate_world){ .mode = *mode, .matching = matching };
    matching->hides_multiple = !mode->rich;
    matching->hides_lists = mode->hides_lists;
    arena_init(&world->arena, context->memory, LIMIT_ALLOCATE_WORLD_BYTES);
    arena_init(&world->scratch, context->memory, LIMIT_ARENA_BYTES);
    arena_init(&world->viewing, context->memory, LIMIT_ARENA_BYTES);
    struct names *const all[] = { &world->names,            &world->counters,         &world->sets,
                                  &world->pools,            &world->identities,       &world->contents_by_text,
                                  &world->selectors.texts, &world->derivations.texts, &world->scopes_by_name,
                                  &world->nodes_by_name,    &world->classes_by_name };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        names_init(all[i], &world->arena, context->key);
    return read_objects(world, objects);
}

void allocate_world_done(struct allocate_world *world)
{
    arena_done(&world->arena);
    arena_done(&world->scratch);
    arena_done(&world->viewing);
}
