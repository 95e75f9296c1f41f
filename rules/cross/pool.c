/* The slices of a pool, needs_set others: ResourceSlices of one driver and pool name that are given together.
 * Source: k8s.io/api v0.35.4 resource/v1/types.go ResourcePool, Device, CounterSet, DeviceCounterConsumption. */
#include "check/cross.h"
#include "rules/tables.h"

/* What is known of a pool once all its slices were looked at. */
struct pool {
    int64_t generation;             /* the highest one: slices of others do not count */
    uint32_t slices;                /* of it, by name: files may hold one slice several times */
    const struct indexed *newest;  /* the first slice of it */
    const struct indexed *second;  /* another one; NULL: there is none */
    int64_t said;                   /* how many slices the first one says there are */
    struct bytes number;            /* its generation, as it is written */
    bool complete;                  /* as many as they say */
};

static bool holds_template(struct bytes name)
{
    return name.length && memchr(name.data, '{', name.length);
}

static int64_t number_at(struct cross *cross, const struct doc_node *root, const char *path)
{
    const struct doc_node *node = cross_at(cross, &resource_slice, root, path);
    int64_t number;
    return node && doc_integer(node, INT64_MIN, INT64_MAX, &number) ? number : 0;
}

/* Slices of templates that are not rendered seem to be of one pool, and are not. */
bool cross_is_template(struct cross *cross, const struct doc_node *slice)
{
    return holds_template(cross_text_at(cross, &resource_slice, slice, "spec.pool.name")) || holds_template(cross_text_at(cross, &resource_slice, slice, "metadata.name")) ||
           holds_template(cross_text_at(cross, &resource_slice, slice, "spec.driver"));
}

static struct bytes pool_key(struct cross *cross, const struct doc_node *root)
{
    const struct shape *shape = &resource_slice;
    return cross_join(cross, (const struct bytes[]){ cross_text_at(cross, shape, root, "spec.driver"), cross_text_at(cross, shape, root, "spec.pool.name") }, 2);
}

static void index_slice(struct cross *cross, const struct doc_node *root)
{
    const struct doc_node *pool = cross_at(cross, &resource_slice, root, "spec.pool");
    if (!cross_is_template(cross, root))
        cross_index_add(cross, pool_key(cross, root), pool ? pool : root);
}

static const struct index_definition slices = { .group = "resource.k8s.io", .kind = "ResourceSlice", .add = index_slice };

static int64_t generation_of(struct cross *cross, const struct doc_node *root)
{
    return number_at(cross, root, "spec.pool.generation");
}

/* What the slice says of the number of slices. */
static int64_t count_said(struct cross *cross, const struct doc_node *root)
{
    return number_at(cross, root, "spec.pool.resourceSliceCount");
}

/* Counts a slice of the newest generation, unless one of its name is counted already. */
static void count_slice(struct pool *pool, struct map *names, const struct indexed *slice)
{
    struct bytes name = cross_name(slice);
    if (name.length && map_add(names, name, slice))
        return;
    pool->slices++;
    if (slice != pool->newest && !pool->second)
        pool->second = slice;
}

/* Looks at all slices of a pool. */
static void look_at(struct cross *cross, struct pool *pool, const struct indexed *first)
{
    struct map names;
    int64_t *generations = arena_alloc(cross_scratch(cross), first->count * sizeof *generations);
    uint32_t i = 0;
    if (!generations)
        cross_fail(cross, cross_scratch(cross)->failure);
    if (!generations || !cross_map(cross, &names, cross_scratch(cross), first->count))
        return;
    for (const struct indexed *slice = first; slice; slice = slice->next, i++) {
        generations[i] = generation_of(cross, slice->root);
        if (!pool->newest || generations[i] > pool->generation)
            *pool = (struct pool){ .newest = slice, .generation = generations[i] };
    }
    i = 0;
    for (const struct indexed *slice = first; slice; slice = slice->next, i++)
        if (generations[i] == pool->generation)
            count_slice(pool, &names, slice);
    const struct doc_node *number = cross_at(cross, &resource_slice, pool->newest->root, "spec.pool.generation");
    pool->number = number ? doc_text(number) : (struct bytes){ "0", 1 };
    pool->said = count_said(cross, pool->newest->root);
    pool->complete = pool->slices == pool->said;
}

/* The pool with that key; NULL: no slice of it is given, or there is no memory. */
static const struct pool *pool_with(struct cross *cross, struct bytes key)
{
    struct indexed *first = cross_find(cross, &slices, key);
    if (!first || first->memo)
        return first ? first->memo : NULL;
    struct pool *pool = cross_keep(cross, sizeof *pool);
    if (!pool)
        return NULL;
    *pool = (struct pool){ .newest = NULL };
    look_at(cross, pool, first);
    if (cross_failed(cross))
        return NULL;
    first->memo = pool;
    return pool;
}

static const struct pool *pool_of(struct cross *cross, const struct doc_node *root)
{
    return pool_with(cross, pool_key(cross, root));
}

/* The pool, where the slice that is judged belongs to its newest generation. */
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
        cross_report(cross, &(struct cross_report){ .value = cross_value(cross), .other = pool->newest, .detail = "is lower than that of another slice of the pool: consumers ignore this one" });
}

void cross_pool_count(struct cross *cross)
{
    const struct pool *pool = own_pool(cross);
    int64_t said = count_said(cross, cross_root(cross));
    if (!pool || said < 1)
        return;
    if (said != pool->said)
        cross_report(cross, &(struct cross_report){ .value = cross_value(cross), .other = pool->newest, .detail = "is not what another slice of the pool says" });
    else if (said < pool->slices && cross_is_own(cross, pool->newest))
        cross_report(cross, &(struct cross_report){ .value = cross_value(cross), .other = pool->second, .detail = "is less than the slices of the pool that are given" });
}

void cross_pool_incomplete(struct cross *cross)
{
    const struct pool *pool = own_pool(cross);
    if (pool && cross_is_own(cross, pool->newest) && count_said(cross, cross_root(cross)) > pool->slices)
        cross_report(cross, &(struct cross_report){ .value = cross_value(cross), .detail = "is more than the slices of the pool that are given: nothing is allocated before all are there" });
}

void cross_pool_nodes(struct cross *cross)
{
    static const char *const members[] = { "nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection", NULL };
    const struct pool *pool = own_pool(cross);
    const struct shape *root = &resource_slice, *spec = cross_member_shape(root, "spec");
    const struct doc_node *own = cross_value(cross), *other = pool ? cross_at(cross, root, pool->newest->root, "spec") : NULL;
    if (!own || !other || cross_is_same(cross, pool->newest))
        return;
    for (const char *const *member = members; *member; member++) {
        const struct doc_node *mine = cross_member(cross, spec, own, *member);
        const struct doc_node *theirs = cross_member(cross, spec, other, *member);
        bool same = cross_member_shape(spec, *member) == STRING ? cross_equal(cross, STRING, mine, theirs) : !mine == !theirs; /* selectors may differ */
        if (same)
            continue;
        cross_report(cross, &(struct cross_report){ .below = *member, .value = mine, .other = pool->newest, .detail = "is not as in another slice of the pool: all of them are on the same nodes" });
        return;
    }
}

/* ---- names in a pool ---- */

/* The pool and generation of a slice, in which its devices and counter sets have names of their own. */
struct name_space {
    struct bytes driver, pool, generation;
};

static struct name_space name_space_of(struct cross *cross, const struct doc_node *root)
{
    const struct doc_node *generation = cross_at(cross, &resource_slice, root, "spec.pool.generation");
    return (struct name_space){ cross_text_at(cross, &resource_slice, root, "spec.driver"), cross_text_at(cross, &resource_slice, root, "spec.pool.name"),
                                generation ? doc_text(generation) : (struct bytes){ "0", 1 } };
}

static struct bytes name_key(struct cross *cross, const struct name_space *space, struct bytes name)
{
    return cross_join(cross, (const struct bytes[]){ space->driver, space->pool, space->generation, name }, 4);
}

static void index_names(struct cross *cross, const struct doc_node *root, const char *list)
{
    const struct shape *spec = cross_member_shape(&resource_slice, "spec"), *of = cross_member_shape(spec, list)->of;
    const struct doc_node *object = cross_at(cross, &resource_slice, root, "spec");
    const struct doc_node *elements = object ? cross_member(cross, spec, object, list) : NULL;
    if (!elements || cross_is_template(cross, root))
        return;
    struct name_space space = name_space_of(cross, root);
    for (const struct doc_node *element = doc_first(elements); element && !cross_failed(cross); element = element->next) {
        const struct doc_node *name = cross_member(cross, of, element, "name");
        cross_index_add(cross, name_key(cross, &space, doc_text(name)), element);
    }
}

static void index_devices(struct cross *cross, const struct doc_node *root)
{
    index_names(cross, root, "devices");
}

static void index_counter_sets(struct cross *cross, const struct doc_node *root)
{
    index_names(cross, root, "sharedCounters");
}

static const struct index_definition devices = { .group = "resource.k8s.io", .kind = "ResourceSlice", .add = index_devices, .first_only = true };
static const struct index_definition counter_sets = { .group = "resource.k8s.io", .kind = "ResourceSlice", .add = index_counter_sets, .first_only = true };

/* Names of the elements here that another slice has, too. */
static void unique_names(struct cross *cross, const struct index_definition *all)
{
    const struct doc_node *list = cross_value(cross);
    const struct shape *of = cross_shape(cross)->of;
    uint32_t index = 0;
    if (!list || cross_is_template(cross, cross_root(cross)))
        return;
    struct name_space space = name_space_of(cross, cross_root(cross));
    for (const struct doc_node *element = doc_first(list); element && !cross_failed(cross); element = element->next, index++) {
        const struct doc_node *name = cross_member(cross, of, element, "name");
        const struct indexed *first = cross_find(cross, all, name_key(cross, &space, doc_text(name)));
        if (first && !cross_is_same(cross, first))
            cross_report(cross, &(struct cross_report){ .element = element, .index = index, .below = "name", .value = name, .other = first, .detail = "is in another slice of the pool, too" });
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

static void look_for_counters(struct cross *cross, const struct doc_node *counters, const struct indexed *set)
{
    const struct shape *spec = cross_member_shape(&resource_slice, "spec"), *of = cross_member_shape(spec, "sharedCounters")->of;
    const struct doc_node *known = cross_member(cross, of, set->node, "counters");
    struct map names;
    if (!cross_names(cross, known, &names))
        return;
    doc_each(counters, counter) {
        const struct doc_node *there = map_find(&names, doc_name(counter));
        if (!there) {
            cross_report(cross, &(struct cross_report){ .element = counter, .other = set, .detail = "is no counter of that set" });
            continue;
        }
        if (cross_compare_quantities(cross, cross_member(cross, cross_member_shape(of, "counters")->of, counter, "value"), cross_member(cross, cross_member_shape(of, "counters")->of, there, "value")) > 0)
            cross_report(cross, &(struct cross_report){ .element = counter, .below = "value", .other = set, .detail = "is more than the set has: the device can never be allocated" });
    }
}

/* On the counters of one element of consumesCounters. */
void cross_pool_counters(struct cross *cross)
{
    const struct doc_node *name = cross_beside(cross, "counterSet");
    const struct pool *pool = own_pool(cross);
    if (!pool || !name || !name->count)
        return;
    struct name_space space = name_space_of(cross, cross_root(cross));
    const struct indexed *set = cross_find(cross, &counter_sets, name_key(cross, &space, doc_text(name)));
    if (set)
        look_for_counters(cross, cross_value(cross), set);
    else if (pool->complete && !cross_failed(cross))
        cross_report(cross, &(struct cross_report){ .beside = "counterSet", .value = name, .detail = "is no counter set of the pool, of which all slices are given" });
}

/* ---- for other subjects ---- */

bool cross_pool_is_given(struct cross *cross, struct bytes driver, struct bytes name)
{
    const struct pool *pool = pool_with(cross, cross_join(cross, (const struct bytes[]){ driver, name }, 2));
    return pool && pool->complete;
}

const struct indexed *cross_pool_device(struct cross *cross, struct bytes driver, struct bytes name, struct bytes device)
{
    const struct pool *pool = pool_with(cross, cross_join(cross, (const struct bytes[]){ driver, name }, 2));
    return pool ? cross_find(cross, &devices, name_key(cross, &(struct name_space){ driver, name, pool->number }, device)) : NULL;
}

bool cross_pool_is_whole(struct cross *cross, const struct doc_node *slice)
{
    const struct pool *pool = pool_of(cross, slice);
    return pool && pool->complete;
}

bool cross_pool_is_newest(struct cross *cross, const struct doc_node *slice)
{
    const struct pool *pool = pool_of(cross, slice);
    return pool && generation_of(cross, slice) == pool->generation;
}
