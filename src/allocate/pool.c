#include "allocate/pool.h"

#include <stdlib.h>

#include "allocate/device.h"

/* ---- which slices a node sees ---- */

static enum failure any_device_on_node(struct allocate_world *world, const struct allocate_slice *slice, const struct allocate_node *node,
                                       bool *on)
{
    enum failure failure = FAILURE_NONE;
    *on = false;
    for (uint32_t i = 0; i < slice->device_count && !*on && !failure; i++)
        failure = allocate_on_node(world, &slice->devices[i].place, node, on);
    return failure;
}

/* *late: it is added after all others. */
static enum failure is_seen(struct allocate_world *world, const struct allocate_slice *slice, const struct allocate_node *node, bool *seen,
                            bool *late)
{
    const struct allocate_mode *mode = &world->mode;
    bool counters = slice->set_count && !mode->old_stable;
    bool everywhere = counters && !mode->counters_placed;
    *late = mode->conditions_last && slice->lists_conditions && !counters;
    *seen = false;
    if (!mode->on.part && (slice->mentions_by_device || counters))
        return FAILURE_NONE;
    if (mode->refuses_groups && slice->has_groups)
        return FAILURE_NONE;
    if (everywhere) {
        *seen = true;
        return FAILURE_NONE;
    }
    if (slice->has_selection)
        return allocate_on_node(world, &slice->place, node, seen);
    return slice->by_device ? any_device_on_node(world, slice, node, seen) : FAILURE_NONE;
}

enum failure allocate_slice_is_seen(struct allocate_world *world, const struct allocate_slice *slice, const struct allocate_node *node,
                                    bool *seen)
{
    bool late;
    return is_seen(world, slice, node, seen, &late);
}

/* ---- making a pool ---- */

static int compare_slices(const void *a, const void *b)
{
    const struct allocate_slice *const *one = a, *const *other = b;
    return ((*one)->ordinal > (*other)->ordinal) - ((*one)->ordinal < (*other)->ordinal);
}

/* The name that two devices of these slices have. */
static enum failure find_twice(struct allocate_world *world, struct allocate_pool *pool)
{
    struct map names;
    uint32_t count = 0;
    for (uint32_t i = 0; i < pool->here_count; i++)
        count += pool->here[i]->device_count;
    arena_clear(&world->scratch);
    enum failure failure = map_init(&names, &world->scratch, count, world->names.key);
    for (uint32_t i = 0; i < pool->here_count && !failure; i++)
        for (uint32_t j = 0; j < pool->here[i]->device_count; j++) {
            const struct allocate_device *device = &pool->here[i]->devices[j];
            if (map_add(&names, device->name, device) && !pool->twice.data)
                pool->twice = device->name;
        }
    return failure;
}

/* Stamps the counter sets of the slices and their counters; false: two sets have one name. */
static bool stamp_sets(struct allocate_world *world, struct allocate_pool *pool)
{
    uint32_t *of_sets = world->pool_stamps + world->slot_count;
    world->stamp++;
    for (uint32_t i = 0; i < pool->counting_count; i++)
        for (uint32_t j = 0; j < pool->counting[i]->set_count; j++) {
            const struct allocate_set *set = &pool->counting[i]->sets[j];
            if (of_sets[set->name] == world->stamp) {
                pool->twice = names_text(&world->names, set->name);
                return false;
            }
            of_sets[set->name] = world->stamp;
            for (uint32_t k = 0; k < set->count; k++)
                world->pool_stamps[set->counters[k].slot] = world->stamp;
        }
    return true;
}

/* The first device that consumes what is not stamped; NULL: none. */
static const struct allocate_device *find_lacking(const struct allocate_world *world, struct allocate_slice **slices, uint32_t count)
{
    const uint32_t *of_sets = world->pool_stamps + world->slot_count;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < slices[i]->device_count; j++) {
            const struct allocate_device *device = &slices[i]->devices[j];
            for (uint32_t k = 0; k < device->use_count; k++) {
                const struct allocate_use *use = &device->uses[k];
                if (of_sets[use->set] != world->stamp ||
                    (use->slot != ALLOCATE_NO_SLOT && world->pool_stamps[use->slot] != world->stamp))
                    return device;
            }
        }
    return NULL;
}

/* Whether it is one of the slices of that generation that count. */
static bool is_counted(const struct allocate_world *world, const struct allocate_slice *slice, int64_t generation)
{
    return slice->generation == generation && !(world->mode.refuses_groups && slice->has_groups);
}

static bool has_counters(const struct allocate_world *world, const struct allocate_slice *slice)
{
    return world->mode.on.part && slice->set_count;
}

/* What slices of all nodes say of the pool, once. */
static void know(const struct allocate_world *world, struct allocate_pool_name *name)
{
    if (name->known)
        return;
    name->known = true;
    name->newest = name->slices[0]->generation;
    for (uint32_t i = 0; i < name->slice_count; i++) {
        name->newest = name->slices[i]->generation > name->newest ? name->slices[i]->generation : name->newest;
        name->has_uses |= name->slices[i]->has_uses;
        name->counting_count += has_counters(world, name->slices[i]);
    }
    for (uint32_t i = 0; i < name->slice_count; i++)
        name->newest_count += is_counted(world, name->slices[i], name->newest);
}

/* Slices of the newest generation that the node does not see, and that have to do with counters: each node with slices of its own in one
 * pool has such a list. */
static enum failure find_elsewhere(struct allocate_world *world, struct allocate_pool *pool)
{
    const struct allocate_pool_name *name = pool->name;
    if (!name->counting_count && !name->has_uses)
        return FAILURE_NONE;
    pool->elsewhere = allocate_make(world, name->slice_count, sizeof(struct allocate_slice *));
    if (!pool->elsewhere)
        return world->arena.failure;
    arena_clear(&world->scratch);
    struct map seen;
    enum failure failure = map_init(&seen, &world->scratch, pool->seen_count, world->names.key);
    for (uint32_t i = 0; i < pool->seen_count && !failure; i++)
        (void)map_add(&seen, pool->seen[i]->name, pool->seen[i]);
    for (uint32_t i = 0; i < name->slice_count && !failure; i++) {
        struct allocate_slice *slice = name->slices[i];
        if (!is_counted(world, slice, pool->seen[0]->generation) || map_find(&seen, slice->name))
            continue;
        if (has_counters(world, slice))
            pool->counting[pool->counting_count++] = slice;
        else if (slice->has_uses)
            pool->elsewhere[pool->elsewhere_count++] = slice;
    }
    return failure;
}

/* Checks a pool of which all slices are there; `all`: it was counted in the whole cluster. */
static enum failure build(struct allocate_world *world, struct allocate_pool *pool, bool all)
{
    if (world->mode.node_first)
        qsort(pool->seen, pool->seen_count, sizeof(struct allocate_slice *), compare_slices);
    know(world, pool->name);
    pool->counting = allocate_make(world, pool->name->counting_count, sizeof(struct allocate_slice *));
    if (!pool->counting)
        return world->arena.failure;
    for (uint32_t i = 0; i < pool->seen_count; i++)
        if (has_counters(world, pool->seen[i]))
            pool->counting[pool->counting_count++] = pool->seen[i];
        else
            pool->here[pool->here_count++] = pool->seen[i];
    enum failure failure = find_twice(world, pool);
    pool->invalid = pool->twice.data;
    if (failure || pool->invalid || !world->mode.on.part)
        return failure;
    if (all && pool->found != pool->seen_count)
        failure = find_elsewhere(world, pool);
    if (failure)
        return failure;
    pool->invalid = !stamp_sets(world, pool);
    if (!pool->invalid)
        pool->lacking = find_lacking(world, pool->here, pool->here_count);
    if (!pool->invalid && !pool->lacking && !world->mode.counters_placed)
        pool->lacking = find_lacking(world, pool->counting, pool->counting_count);
    if (!pool->invalid && !pool->lacking)
        pool->lacking = find_lacking(world, pool->elsewhere, pool->elsewhere_count);
    pool->invalid |= pool->lacking != NULL;
    return failure;
}

static bool lists_conditions(const struct allocate_pool *pool)
{
    for (uint32_t i = 0; i < pool->here_count; i++)
        if (pool->here[i]->lists_conditions)
            return true;
    return false;
}

static enum failure settle(struct allocate_world *world, struct allocate_pool *pool)
{
    enum failure failure = FAILURE_NONE;
    pool->found = pool->seen_count;
    pool->wanted = pool->seen[0]->said;
    bool all = pool->found != pool->wanted; /* then those of the whole cluster count */
    if (all) {
        know(world, pool->name);
        pool->ignored = pool->name->newest > pool->seen[0]->generation;
        pool->found = pool->name->newest_count;
    }
    if (pool->ignored)
        return FAILURE_NONE;
    pool->incomplete = pool->found != pool->wanted;
    if (world->mode.old_stable) {
        memcpy(pool->here, pool->seen, pool->seen_count * sizeof(struct allocate_slice *));
        pool->here_count = pool->seen_count;
        failure = find_twice(world, pool);
        pool->invalid = pool->twice.data;
    } else if (!pool->incomplete) {
        failure = build(world, pool, all);
        pool->last = !pool->invalid && world->mode.rich && lists_conditions(pool);
    }
    if (pool->invalid)
        pool->here_count = 0;
    return failure;
}

/* The pool of these slices, which another node may have seen already. */
static enum failure pool_of(struct allocate_world *world, struct allocate_slice **seen, uint32_t count, struct allocate_pool **found)
{
    struct allocate_pool_name *name = seen[0]->pool;
    for (struct allocate_pool *pool = name->built; pool; pool = pool->next)
        if (pool->seen_count == count && memcmp(pool->as_seen, seen, count * sizeof(struct allocate_slice *)) == 0) {
            *found = pool;
            return FAILURE_NONE;
        }
    struct allocate_pool *made = allocate_make(world, 1, sizeof *made);
    struct allocate_slice **lists = allocate_make(world, (size_t)count * 3, sizeof(struct allocate_slice *));
    if (!made || !lists)
        return world->arena.failure;
    *made = (struct allocate_pool){
        .next = name->built,
        .name = name,
        .as_seen = lists,
        .seen = lists + count,
        .here = lists + 2 * (size_t)count,
        .seen_count = count,
    };
    memcpy(made->as_seen, seen, count * sizeof(struct allocate_slice *));
    memcpy(made->seen, seen, count * sizeof(struct allocate_slice *));
    name->built = made;
    *found = made;
    return settle(world, made);
}

/* ---- the view of a node ---- */

/* The slices that the node sees, in the order in which they are added. */
struct seen {
    struct allocate_slice **list, **late; /* late: those that come after all others */
    uint32_t count, late_count;
};

static enum failure see(struct allocate_world *world, const struct allocate_node *node, struct allocate_slice *slice, struct seen *seen)
{
    bool is, late;
    enum failure failure = is_seen(world, slice, node, &is, &late);
    if (failure || !is)
        return failure;
    if (late)
        seen->late[seen->late_count++] = slice;
    else
        seen->list[seen->count++] = slice;
    return FAILURE_NONE;
}

static enum failure see_all(struct allocate_world *world, const struct allocate_node *node, const struct allocate_node *named,
                            struct seen *seen)
{
    enum failure failure = FAILURE_NONE;
    uint32_t i = 0, j = 0;
    while ((i < named->slice_count || j < world->common_count) && !failure) {
        bool own = i < named->slice_count &&
                   (j == world->common_count || world->mode.node_first || named->slices[i]->ordinal < world->common[j]->ordinal);
        failure = see(world, node, own ? named->slices[i++] : world->common[j++], seen);
    }
    for (uint32_t late = 0; late < seen->late_count; late++)
        seen->list[seen->count++] = seen->late[late];
    return failure;
}

/* Slices that are sorted, with their number among those that are seen. */
struct entry {
    struct allocate_slice *slice;
    uint32_t number;
};

/* By driver and pool, then the highest generation first, then in the order in which they are added. */
static int compare_entries(const void *a, const void *b)
{
    const struct entry *one = a, *other = b;
    const struct allocate_pool_name *pool = one->slice->pool, *other_pool = other->slice->pool;
    if (pool != other_pool) {
        int order = bytes_compare(pool->driver, other_pool->driver);
        return order ? order : bytes_compare(pool->name, other_pool->name);
    }
    if (one->slice->generation != other->slice->generation)
        return one->slice->generation < other->slice->generation ? 1 : -1;
    return (one->number > other->number) - (one->number < other->number);
}

/* Adds the pool of the entries from `from` on, and returns where the next one begins. */
static enum failure add_pool(struct allocate_world *world, const struct entry *entries, uint32_t count, uint32_t *from,
                             struct allocate_slice **slices, struct allocate_pool **pool)
{
    uint32_t first = *from, taken = 0;
    for (; *from < count && entries[*from].slice->pool == entries[first].slice->pool; ++*from)
        if (entries[*from].slice->generation == entries[first].slice->generation)
            slices[taken++] = entries[*from].slice;
    return pool_of(world, slices, taken, pool);
}

static void add_to_view(struct allocate_view *view, struct allocate_pool *const *pools, uint32_t count, bool last)
{
    for (uint32_t i = 0; i < count; i++) {
        if (pools[i]->ignored || pools[i]->last != last)
            continue;
        view->pools[view->count++] = pools[i];
        view->has_invalid |= pools[i]->invalid;
    }
}

static enum failure make_view(struct allocate_world *world, const struct seen *seen, struct allocate_view *view)
{
    struct arena *arena = &world->viewing;
    arena_clear(arena);
    struct entry *entries = arena_alloc(arena, (seen->count + 1) * sizeof *entries);
    struct allocate_slice **slices = arena_alloc(arena, (seen->count + 1) * sizeof(struct allocate_slice *));
    struct allocate_pool **pools = arena_alloc(arena, (seen->count + 1) * sizeof(struct allocate_pool *));
    uint32_t count = 0;
    enum failure failure = FAILURE_NONE;
    if (!entries || !slices || !pools)
        return arena->failure;
    for (uint32_t i = 0; i < seen->count; i++)
        entries[i] = (struct entry){ seen->list[i], i };
    qsort(entries, seen->count, sizeof *entries, compare_entries);
    for (uint32_t from = 0; from < seen->count && !failure;)
        failure = add_pool(world, entries, seen->count, &from, slices, &pools[count++]);
    view->pools = failure ? NULL : allocate_make(world, count, sizeof(struct allocate_pool *));
    if (!view->pools)
        return failure ? failure : world->arena.failure;
    add_to_view(view, pools, count, false);
    add_to_view(view, pools, count, true);
    return FAILURE_NONE;
}

/* Whether the last view is of the same slices. */
static bool is_seen_again(const struct allocate_world *world, const struct seen *seen)
{
    return world->last_view && seen->count == world->seen_before_count &&
           (!seen->count || memcmp(seen->list, world->seen_before, seen->count * sizeof(struct allocate_slice *)) == 0);
}

/* Nodes that see the same as the one before share its view: without slices of their own, all do. */
enum failure allocate_view_of(struct allocate_world *world, struct allocate_node *node, const struct allocate_view **view)
{
    *view = node->view;
    if (*view)
        return FAILURE_NONE;
    struct seen seen = { .list = world->seen, .late = world->seen_late };
    enum failure failure = see_all(world, node, allocate_node_named(world, node->given.name), &seen);
    if (!failure && !is_seen_again(world, &seen)) {
        struct allocate_view *made = allocate_make(world, 1, sizeof *made);
        failure = made ? make_view(world, &seen, made) : world->arena.failure;
        if (failure)
            return failure;
        world->seen = world->seen_before;
        world->seen_before = seen.list;
        world->seen_before_count = seen.count;
        world->last_view = made;
    }
    node->view = failure ? NULL : world->last_view;
    *view = node->view;
    return failure;
}

const struct allocate_pool *allocate_pool_in(struct allocate_world *world, const struct allocate_view *view,
                                             struct allocate_pool_name *name)
{
    for (uint32_t i = 0; i < view->count && world->viewer != view; i++) {
        view->pools[i]->name->viewed = view->pools[i];
        view->pools[i]->name->viewer = view;
    }
    world->viewer = view;
    return name->viewer == view ? name->viewed : NULL;
}
