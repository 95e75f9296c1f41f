/* Source: k8s.io/dynamic-resource-allocation v0.35.4 structured/internal/experimental/pools_experimental.go GatherPools. */
#include "match/pool.h"

#include <stdlib.h>

#include "match/node.h"

static struct bytes pool_name(const struct match_slice *slice)
{
    return value_text(match_at(slice->spec, "pool.name"));
}

/* The order in which the scheduler goes through them from 1.36 on; slices of one name as they are given. */
static int compare_slices(const void *a, const void *b)
{
    const struct match_slice *one = a, *other = b;
    uint32_t source = one->item->source->ordinal, other_source = other->item->source->ordinal;
    uint32_t offset = one->item->node->offset, other_offset = other->item->node->offset;
    int order = bytes_compare(one->driver, other->driver);
    order = order ? order : bytes_compare(pool_name(one), pool_name(other));
    order = order ? order : bytes_compare(one->name, other->name);
    order = order ? order : (source > other_source) - (source < other_source);
    return order ? order : (offset > other_offset) - (offset < other_offset);
}

static bool same_pool(const struct match_slice *a, const struct match_slice *b)
{
    return bytes_equal(a->driver, b->driver) && bytes_equal(pool_name(a), pool_name(b));
}

/* Whether the node that is asked for sees the slice: a device of it can be used there, or devices may take its counters. */
static enum failure is_seen(struct match_world *world, const struct match_slice *slice, bool *seen)
{
    enum failure failure = FAILURE_NONE;
    *seen = !world->node.data || value_count(match_at(slice->spec, "sharedCounters"));
    if (*seen || !value_is_true(match_at(slice->spec, "perDeviceNodeSelection")))
        return *seen ? failure : match_on_node(world, slice->spec, world->node, world->node_given, seen);
    value_each(match_at(slice->spec, "devices"), device)
        failure = failure || *seen ? failure : match_on_node(world, device, world->node, world->node_given, seen);
    return failure;
}

/* The slices of a pool. */
struct range {
    struct match_slice *first;
    const struct match_slice *end;
};

/* Sets the currency of each slice but for its age. */
static enum failure look(struct match_world *world, const struct range *range)
{
    enum failure failure = FAILURE_NONE;
    for (struct match_slice *slice = range->first; slice < range->end && !failure; slice++) {
        const struct match_slice *before = slice > range->first ? slice - 1 : NULL;
        bool seen = false, again = before && slice->name.length && bytes_equal(before->name, slice->name);
        slice->currency = MATCH_REPEATED;
        if (again && slice->generation == before->generation)
            continue;
        failure = is_seen(world, slice, &seen);
        slice->currency = seen ? MATCH_CURRENT : MATCH_ELSEWHERE;
    }
    return failure;
}

/* The highest generation of slices that are seen, or of all. */
static int64_t highest(const struct range *range, bool all)
{
    int64_t generation = INT64_MIN;
    for (const struct match_slice *slice = range->first; slice < range->end; slice++)
        if ((all || slice->currency == MATCH_CURRENT) && slice->generation > generation)
            generation = slice->generation;
    return generation;
}

static uint32_t count_of(const struct range *range, int64_t generation, bool all)
{
    uint32_t count = 0;
    for (const struct match_slice *slice = range->first; slice < range->end; slice++)
        count += slice->generation == generation && slice->currency != MATCH_REPEATED && (all || slice->currency == MATCH_CURRENT);
    return count;
}

/* What the first slice of that generation says that there are; slices for one node by name come before others. */
static int64_t count_said(const struct range *range, int64_t generation)
{
    const struct match_slice *first = NULL;
    for (const struct match_slice *slice = range->first; slice < range->end; slice++) {
        bool counts = slice->generation == generation && slice->currency == MATCH_CURRENT;
        bool named = value_text(match_at(slice->spec, "nodeName")).length && !value_count(match_at(slice->spec, "sharedCounters"));
        if (counts && named)
            return value_integer(match_at(slice->spec, "pool.resourceSliceCount"));
        first = counts && !first ? slice : first;
    }
    return first ? value_integer(match_at(first->spec, "pool.resourceSliceCount")) : 0;
}

/* A node that sees as many slices as they say looks no further; else those of other nodes count as well. */
static void settle(struct match_pool *pool, const struct range *range)
{
    int64_t seen = highest(range, false), newest = highest(range, true);
    pool->generation = seen;
    pool->slices = count_of(range, seen, false);
    pool->said = count_said(range, seen);
    if (pool->slices != pool->said && newest > seen)
        pool->generation = newest;
    else if (pool->slices != pool->said)
        pool->slices = count_of(range, seen, true);
    for (struct match_slice *slice = range->first; slice < range->end; slice++) {
        slice->pool = pool;
        if (slice->currency == MATCH_CURRENT && slice->generation < pool->generation)
            slice->currency = MATCH_OLD;
    }
}

/* ---- counters ---- */

static uint32_t count_sets(const struct range *range)
{
    uint32_t count = 0;
    for (const struct match_slice *slice = range->first; slice < range->end; slice++)
        count += value_count(match_at(slice->spec, "sharedCounters"));
    return count;
}

static void add_sets(struct match_pool *pool, struct map *sets, const struct match_slice *slice)
{
    value_each(match_at(slice->spec, "sharedCounters"), set) {
        struct bytes name = value_text(match_at(set, "name"));
        if (map_add(sets, name, set.node))
            pool->unknown = name;
    }
}

/* The counters of one set that a device consumes. */
static enum failure check_consumption(struct match_world *world, struct match_pool *pool, const struct map *sets, struct value consumption)
{
    struct bytes name = value_text(match_at(consumption, "counterSet"));
    const struct doc_node *set = sets->capacity ? map_find(sets, name) : NULL, *counters = doc_member(set, "counters");
    struct value consumed = match_at(consumption, "counters");
    bool known = set != NULL;
    value_each(consumed, counter)
        known = known && doc_member_named(counters, value_name(counter));
    if (!known)
        pool->unknown = name.data ? name : (struct bytes)BYTES("");
    return match_work(world, 1 + (uint64_t)value_count(consumed) * (1 + (counters ? counters->count : 0)));
}

static enum failure check_counters(struct match_world *world, struct match_pool *pool, const struct range *range)
{
    struct map sets;
    arena_clear(&world->scratch);
    enum failure failure = map_init(&sets, &world->scratch, count_sets(range), world->workspace.context->key);
    for (const struct match_slice *slice = range->first; slice < range->end && !failure; slice++)
        if (slice->currency == MATCH_CURRENT)
            add_sets(pool, &sets, slice);
    for (const struct match_slice *slice = range->first; slice < range->end && !failure; slice++) {
        if (slice->currency != MATCH_CURRENT)
            continue;
        value_each(match_at(slice->spec, "devices"), device)
            value_each(match_at(device, "consumesCounters"), consumption)
                failure = failure ? failure : check_consumption(world, pool, &sets, consumption);
    }
    return failure;
}

enum failure match_pools_read(struct match_world *world)
{
    struct arena *arena = &world->workspace.arena;
    struct match_slice *end = world->slices + world->slice_count;
    enum failure failure = FAILURE_NONE;
    world->pools = arena_alloc(arena, (world->slice_count + (size_t)1) * sizeof *world->pools);
    if (!world->pools)
        return arena->failure;
    if (world->slice_count)
        qsort(world->slices, world->slice_count, sizeof *world->slices, compare_slices);
    for (struct match_slice *slice = world->slices; slice < end && !failure;) {
        struct match_pool *pool = &world->pools[world->pool_count++];
        struct range range = { slice, slice };
        *pool = (struct match_pool){ .driver = slice->driver, .name = pool_name(slice) };
        while (range.end < end && same_pool(range.end, slice))
            range.end++;
        failure = look(world, &range);
        if (!failure) {
            settle(pool, &range);
            failure = check_counters(world, pool, &range);
        }
        slice += range.end - range.first;
    }
    return failure;
}
