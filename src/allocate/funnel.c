/* What keeps each device from a request. */
#include "allocate/why.h"

/* ---- one device ---- */

/* What the selectors of the class, and then those of the request, say. */
static enum failure ask_selectors(struct allocate_world *world, const struct allocate_ask *ask, const struct allocate_device *device,
                                  enum allocate_obstacle *obstacle, uint32_t *index)
{
    const struct allocate_class *class = ask->class;
    uint32_t of_class = class ? class->selector_count : 0;
    *obstacle = OBSTACLE_NONE;
    for (uint32_t i = 0; i < of_class + ask->selector_count; i++) {
        struct allocate_selector *selector = i < of_class ? class->selectors[i] : ask->selectors[i - of_class];
        enum allocate_truth truth = ALLOCATE_TRUE;
        enum failure failure = selector->expression ? allocate_selector_ask(world, selector, device, &truth) : FAILURE_NONE;
        if (failure)
            return failure;
        if (truth == ALLOCATE_TRUE)
            continue;
        *obstacle = truth == ALLOCATE_FAILS ? OBSTACLE_ERROR : i < of_class ? OBSTACLE_CLASS : OBSTACLE_SELECTOR;
        *index = *obstacle == OBSTACLE_SELECTOR ? i - of_class : i;
        return FAILURE_NONE;
    }
    return FAILURE_NONE;
}

static enum allocate_obstacle ask_pool(const struct allocate_pool *pool, const struct allocate_slice *slice)
{
    if (!pool || pool->seen[0]->generation > slice->generation)
        return OBSTACLE_OLD;
    if (pool->incomplete)
        return OBSTACLE_INCOMPLETE;
    return pool->invalid ? OBSTACLE_INVALID : OBSTACLE_NONE;
}

/* An amount that cannot be counted ends a search, and fits nowhere. */
static bool fits(struct allocate_attempt *attempt, const struct allocate_ask *ask, const struct allocate_device *device, bool empty)
{
    bool fits;
    return allocate_fits(attempt, NULL, ask, device, empty, &fits) == ALLOCATE_DONE && fits;
}

/* What is allocated, and what is left. */
static enum allocate_obstacle ask_state(struct allocate_attempt *attempt, const struct allocate_ask *ask, const struct allocate_pool *pool,
                                        const struct allocate_device *device)
{
    const struct allocate_features *on = &attempt->world->mode.on;
    const struct allocate_identity *identity = device->identity;
    bool admin = ask->admin && !ask->request->alternatives, share = on->consume && device->multiple;
    if (!admin && identity->taken)
        return OBSTACLE_HELD;
    if (on->consume && !fits(attempt, ask, device, false))
        return fits(attempt, ask, device, true) ? OBSTACLE_SHARED : OBSTACLE_CAPACITY;
    if (on->taints && allocate_taint_of(ask, device))
        return OBSTACLE_TAINT;
    if (!device->use_count || (share && identity->used))
        return OBSTACLE_NONE;
    uint32_t before = attempt->change_count;
    bool joins = allocate_join(attempt, pool, device), left = joins && allocate_reserve(attempt, pool, device);
    if (left)
        allocate_release(attempt, device);
    if (joins)
        allocate_leave(attempt, before);
    return left ? OBSTACLE_NONE : OBSTACLE_COUNTERS;
}

/* What keeps a device of a slice that the node sees, or would see with other gates, from the ask. */
static enum failure look(struct allocate_attempt *attempt, const struct allocate_ask *ask, const struct allocate_pool *pool, bool gated,
                         const struct allocate_device *device, enum allocate_obstacle *obstacle, uint32_t *index)
{
    struct allocate_world *world = attempt->world;
    bool on = true;
    enum failure failure = ask_selectors(world, ask, device, obstacle, index);
    if (!failure && !*obstacle && device->slice->by_device)
        failure = allocate_on_node(world, &device->place, attempt->node, &on);
    if (failure || *obstacle)
        return failure;
    bool skips = allocate_may_skip(attempt, device);
    if (!on || (!skips && world->mode.on.operations))
        *obstacle = OBSTACLE_NODE;
    else if (gated || !skips || (device->has_conditions && !world->mode.on.bind) || (device->use_count && !world->mode.on.part))
        *obstacle = OBSTACLE_GATE;
    else
        *obstacle = ask_pool(pool, device->slice);
    if (!*obstacle)
        *obstacle = ask_state(attempt, ask, pool, device);
    return attempt->failure;
}

enum failure allocate_look(struct allocate_attempt *attempt, const struct allocate_ask *ask, const struct allocate_device *device,
                           enum allocate_obstacle *obstacle)
{
    uint32_t index;
    const struct allocate_pool *pool = allocate_pool_in(attempt->world, attempt->view, device->slice->pool);
    return look(attempt, ask, pool, false, device, obstacle, &index);
}

/* ---- the funnel ---- */

static void count(struct allocate_funnel *funnel, enum allocate_obstacle obstacle, const struct allocate_device *device, uint32_t index)
{
    const struct allocate_ask *ask = funnel->ask;
    if (funnel->counts[obstacle]++)
        return;
    funnel->first[obstacle] = device;
    if (obstacle == OBSTACLE_ERROR)
        funnel->failing = index < ask->class->selector_count ? ask->class->selectors[index]
                                                             : ask->selectors[index - ask->class->selector_count];
    if (obstacle == OBSTACLE_SELECTOR)
        funnel->selector = index;
}

static enum failure look_at_slice(struct allocate_attempt *attempt, const struct allocate_slice *slice, struct allocate_funnel *funnel)
{
    struct allocate_world *world = attempt->world;
    const struct allocate_pool *pool = allocate_pool_in(world, attempt->view, slice->pool);
    bool gated = !world->mode.on.part && slice->mentions_by_device, on = gated && slice->by_device;
    enum failure failure = on ? FAILURE_NONE : allocate_slice_is_seen(world, slice, attempt->node, &on);
    for (uint32_t i = 0; i < slice->device_count && on && !failure; i++) {
        enum allocate_obstacle obstacle;
        uint32_t index = 0;
        failure = look(attempt, funnel->ask, pool, gated, &slice->devices[i], &obstacle, &index);
        if (!failure)
            count(funnel, obstacle, &slice->devices[i], index);
    }
    return failure;
}

/* What the selectors of an ask take on all nodes together; the first time, all devices are looked at. */
static enum failure match_anywhere(struct allocate_attempt *attempt, const struct allocate_ask *ask, struct allocate_matches *matches)
{
    struct allocate_world *world = attempt->world;
    for (uint32_t i = 0; i < world->slice_count && !matches->known; i++)
        for (uint32_t j = 0; j < world->slices[i].device_count; j++) {
            const struct allocate_device *device = &world->slices[i].devices[j];
            enum allocate_obstacle obstacle;
            uint32_t index;
            enum failure failure = ask_selectors(world, ask, device, &obstacle, &index);
            if (failure)
                return failure;
            matches->count += !obstacle;
            if (!obstacle && !matches->where.data && world->slices[i].place.node.length)
                matches->where = world->slices[i].place.node;
        }
    matches->known = true;
    return FAILURE_NONE;
}

enum failure allocate_funnel_fill(struct allocate_attempt *attempt, const struct allocate_claim *claim, const struct allocate_ask *ask,
                                  struct allocate_funnel *funnel)
{
    const struct allocate_world *world = attempt->world;
    const struct allocate_node *named = allocate_node_named(attempt->world, attempt->node->given.name);
    struct allocate_matches *matches = &attempt->claims->matches[ask->number];
    *funnel = (struct allocate_funnel){ .claim = claim, .ask = ask, .needs = ask->mode == ALLOCATE_EXACT ? ask->count : 1 };
    enum failure failure = match_anywhere(attempt, ask, matches);
    for (uint32_t i = 0; named && i < named->slice_count && !failure; i++)
        failure = look_at_slice(attempt, named->slices[i], funnel);
    for (uint32_t i = 0; i < world->common_count && !failure; i++)
        failure = look_at_slice(attempt, world->common[i], funnel);
    uint32_t here = 0;
    for (unsigned obstacle = 0; obstacle < OBSTACLES; obstacle++)
        if (obstacle != OBSTACLE_CLASS && obstacle != OBSTACLE_SELECTOR && obstacle != OBSTACLE_ERROR && obstacle != OBSTACLE_NODE)
            here += funnel->counts[obstacle];
    if (ask->mode == ALLOCATE_ALL && here)
        funnel->needs = here;
    funnel->elsewhere = matches->count > here ? matches->count - here : 0;
    funnel->where = matches->where;
    return failure;
}
