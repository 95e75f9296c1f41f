/* The slices of a pool: ResourceSlices of one driver and pool name that are given together.
 * Source: k8s.io/api v0.35.4 resource/v1/types.go ResourcePool, Device, CounterSet, DeviceCounterConsumption. */
#include "rules/cross/common.h"

#define SLICES .group = "resource.k8s.io", .kind = "ResourceSlice"

/* What is known of a pool when all its slices were counted. */
struct pool {
    int64_t generation;            /* the highest one: slices of others do not count */
    uint32_t slices;               /* of it, by name: files may hold one slice several times */
    const struct indexed *newest;  /* the first slice of it */
    const struct indexed *second;  /* another one; NULL: there is none */
    int64_t said;                  /* how many slices the first one says there are */
    bool complete;                 /* as many as they say */
};

static bool holds_template(struct bytes name)
{
    return name.length && memchr(name.data, '{', name.length);
}

/* Slices of templates that are not rendered seem to be of one pool, and are not. */
bool cross_is_template(struct cross *cross, struct value slice)
{
    return holds_template(value_text_at(cross, slice, "spec.pool.name")) || holds_template(value_text_at(cross, slice, "metadata.name")) ||
           holds_template(value_text_at(cross, slice, "spec.driver"));
}

static struct bytes pool_key(struct cross *cross, struct value slice)
{
    return cross_key(cross, value_text_at(cross, slice, "spec.driver"), value_text_at(cross, slice, "spec.pool.name"));
}

static void index_slice(struct cross *cross, struct value root)
{
    struct value pool = value_at(cross, root, "spec.pool");
    if (!cross_is_template(cross, root))
        cross_index_add(cross, pool_key(cross, root), pool);
}

static const struct index_definition slices = { SLICES, .add = index_slice };

static int64_t generation_of(struct cross *cross, struct value slice)
{
    return value_integer(value_at(cross, slice, "spec.pool.generation"));
}

/* What the slice says of the number of slices. */
static int64_t count_said(struct cross *cross, struct value slice)
{
    return value_integer(value_at(cross, slice, "spec.pool.resourceSliceCount"));
}

/* Counts a slice of the newest generation, unless one of its name is counted already. */
static void count_slice(struct pool *pool, struct map *names, const struct indexed *slice)
{
    struct bytes name = indexed_name(slice);
    if (name.length && map_add(names, name, slice))
        return;
    pool->slices++;
    if (slice != pool->newest && !pool->second)
        pool->second = slice;
}

/* Counts all slices of a pool. */
static void count_slices(struct cross *cross, struct pool *pool, const struct indexed *first)
{
    struct map names;
    int64_t *generations = cross_alloc(cross, cross_scratch(cross), first->count * sizeof *generations);
    uint32_t i = 0;
    if (!generations || !cross_map(cross, &names, cross_scratch(cross), first->count))
        return;
    for (const struct indexed *slice = first; slice; slice = slice->next, i++) {
        generations[i] = generation_of(cross, indexed_root(slice));
        if (!pool->newest || generations[i] > pool->generation)
            *pool = (struct pool){ .newest = slice, .generation = generations[i] };
    }
    i = 0;
    for (const struct indexed *slice = first; slice; slice = slice->next, i++)
        if (generations[i] == pool->generation)
            count_slice(pool, &names, slice);
    pool->said = count_said(cross, indexed_root(pool->newest));
    pool->complete = pool->slices == pool->said;
}

/* The pool with that key; NULL: no slice of it is given, or there is no memory. */
static const struct pool *pool_with(struct cross *cross, struct bytes key)
{
    struct indexed *first = cross_find(cross, &slices, key);
    if (!first || first->memo)
        return first ? first->memo : NULL;
    struct pool *pool = cross_alloc(cross, cross_kept_arena(cross), sizeof *pool);
    if (pool)
        count_slices(cross, pool, first);
    if (cross_failed(cross))
        return NULL;
    first->memo = pool;
    return pool;
}

static const struct pool *pool_of(struct cross *cross, struct value slice)
{
    return pool_with(cross, pool_key(cross, slice));
}

/* The pool, where the slice that is validated belongs to its newest generation. */
static const struct pool *own_pool(struct cross *cross)
{
    const struct pool *pool = pool_of(cross, cross_root(cross));
    return pool && generation_of(cross, cross_root(cross)) == pool->generation ? pool : NULL;
}

/* ---- the slices ---- */

void cross_pool_generation(struct cross *cross)
{
    const struct pool *pool = pool_of(cross, cross_root(cross));
    if (pool && generation_of(cross, cross_root(cross)) < pool->generation)
        cross_report(cross, (struct cross_report){ .quoted = true, .other = pool->newest });
}

void cross_pool_count(struct cross *cross)
{
    const struct pool *pool = own_pool(cross);
    int64_t said = count_said(cross, cross_root(cross));
    if (!pool || said < 1)
        return;
    if (said != pool->said)
        cross_report(cross, (struct cross_report){
            .quoted = true, .other = pool->newest,
            .detail = "is not what another slice of the pool says",
        });
    else if (said < pool->slices && cross_is_own(cross, pool->newest))
        cross_report(cross, (struct cross_report){
            .quoted = true, .other = pool->second,
            .detail = "is less than the slices of the pool that are given",
        });
}

void cross_pool_incomplete(struct cross *cross)
{
    const struct pool *pool = own_pool(cross);
    if (pool && cross_is_own(cross, pool->newest) && count_said(cross, cross_root(cross)) > pool->slices)
        cross_report(cross, (struct cross_report){ .quoted = true });
}

void cross_pool_nodes(struct cross *cross)
{
    static const char *const members[] = { "nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection", NULL };
    const struct pool *pool = own_pool(cross);
    if (!pool || cross_is_same(cross, pool->newest))
        return;
    struct value other = value_at(cross, indexed_root(pool->newest), "spec");
    for (const char *const *member = members; *member; member++) {
        struct value mine = value_at(cross, cross_value(cross), *member), theirs = value_at(cross, other, *member);
        bool is_text = mine.shape->type == SHAPE_STRING; /* selectors may differ */
        if (is_text ? value_equal(cross, mine, theirs) : value_is_set(mine) == value_is_set(theirs))
            continue;
        cross_report(cross, (struct cross_report){ .below = *member, .quoted = true, .other = pool->newest });
        return;
    }
}

/* ---- names in a pool ---- */

/* The generation of a pool in which a slice is: devices and counter sets have names of their own in it. */
static struct bytes generation_key(struct cross *cross, struct value slice)
{
    return cross_key(cross, value_text_at(cross, slice, "spec.driver"), value_text_at(cross, slice, "spec.pool.name"),
                     value_text_at(cross, slice, "spec.pool.generation"));
}

static struct bytes name_key(struct cross *cross, struct bytes generation, struct bytes name)
{
    return generation.data ? cross_key(cross, generation, name) : generation;
}

static void index_names(struct cross *cross, struct value root, const char *list)
{
    if (cross_is_template(cross, root))
        return;
    struct bytes generation = generation_key(cross, root);
    value_each(value_at(cross, root, list), element)
        cross_index_add(cross, name_key(cross, generation, value_text_at(cross, element, "name")), element);
}

static void index_devices(struct cross *cross, struct value root)
{
    index_names(cross, root, "spec.devices");
}

static void index_counter_sets(struct cross *cross, struct value root)
{
    index_names(cross, root, "spec.sharedCounters");
}

static const struct index_definition devices = { SLICES, .add = index_devices, .first_only = true };
static const struct index_definition counter_sets = { SLICES, .add = index_counter_sets, .first_only = true };

/* Names of the elements here that another slice has, too. */
static void unique_names(struct cross *cross, const struct index_definition *all)
{
    if (cross_is_template(cross, cross_root(cross)))
        return;
    struct bytes generation = generation_key(cross, cross_root(cross));
    value_each(cross_value(cross), element) {
        const struct indexed *first = cross_find(cross, all, name_key(cross, generation, value_text_at(cross, element, "name")));
        if (first && !cross_is_same(cross, first))
            cross_report(cross, (struct cross_report){ .at = element, .below = "name", .quoted = true, .other = first });
    }
}

void cross_pool_devices(struct cross *cross)
{
    unique_names(cross, &devices);
}

void cross_pool_counter_sets(struct cross *cross)
{
    unique_names(cross, &counter_sets);
}

/* ---- counters that a device takes ---- */

static void find_counters(struct cross *cross, const struct indexed *set)
{
    struct lookup known;
    lookup_init(cross, &known, value_at(cross, indexed_value(set), "counters"), NULL);
    value_each(cross_value(cross), counter) {
        struct value there = lookup_find(&known, value_name(counter));
        if (!value_is_set(there))
            cross_report(cross, (struct cross_report){ .at = counter, .other = set, .detail = "is no counter of that set" });
        else if (value_compare(cross, value_at(cross, counter, "value"), value_at(cross, there, "value")) > 0)
            cross_report(cross, (struct cross_report){
                .at = counter, .below = "value", .other = set,
                .detail = "is more than the set has: the device can never be allocated",
            });
    }
}

/* On the counters of one element of consumesCounters. */
void cross_pool_counters(struct cross *cross)
{
    struct bytes name = value_text(cross_sibling(cross, "counterSet"));
    const struct pool *pool = own_pool(cross);
    if (!pool || !name.length)
        return;
    const struct indexed *set = cross_find(cross, &counter_sets, name_key(cross, generation_key(cross, cross_root(cross)), name));
    if (set)
        find_counters(cross, set);
    else if (pool->complete)
        cross_report(cross, (struct cross_report){
            .beside = "counterSet", .quoted = true,
            .detail = "is no counter set of the pool, of which all slices are given",
        });
}

/* ---- for other subjects ---- */

static const struct pool *pool_named(struct cross *cross, struct value named)
{
    return pool_with(cross, cross_key(cross, value_text_at(cross, named, "driver"), value_text_at(cross, named, "pool")));
}

bool cross_pool_is_given(struct cross *cross, struct value named)
{
    const struct pool *pool = pool_named(cross, named);
    return pool && pool->complete;
}

const struct indexed *cross_pool_device(struct cross *cross, struct value named)
{
    const struct pool *pool = pool_named(cross, named);
    if (!pool)
        return NULL;
    struct bytes generation = generation_key(cross, indexed_root(pool->newest));
    return cross_find(cross, &devices, name_key(cross, generation, value_text_at(cross, named, "device")));
}

bool cross_pool_is_whole(struct cross *cross, struct value slice)
{
    const struct pool *pool = pool_of(cross, slice);
    return pool && pool->complete;
}

bool cross_pool_is_newest(struct cross *cross, struct value slice)
{
    const struct pool *pool = pool_of(cross, slice);
    return pool && generation_of(cross, slice) == pool->generation;
}
