/* Compatibility groups: devices that consume one counter set must all have a group in common, or all have none.
 * Source: k8s.io/dynamic-resource-allocation v0.37.1 structured/internal/experimental/compatibility_groups.go. */
#include "allocate/attempt.h"

enum { MASK_BITS = 64 }; /* groups of a device that count; API servers take two */

/* What a change was before it. */
struct allocate_change {
    uint32_t set;
    struct allocate_groups groups;
};

static uint64_t common_of(const struct allocate_groups *groups, const struct allocate_use *use)
{
    uint64_t common = 0;
    for (uint32_t i = 0; i < groups->count && i < MASK_BITS; i++)
        for (uint32_t j = 0; j < use->group_count; j++)
            if (groups->list[i] == use->groups[j])
                common |= 1ull << i;
    return common & groups->common;
}

static bool admits(const struct allocate_groups *groups, const struct allocate_use *use)
{
    if (!groups->any || !use->group_count || !groups->count)
        return !groups->any || use->group_count == groups->count;
    return common_of(groups, use);
}

static void add(struct allocate_groups *groups, const struct allocate_use *use)
{
    if (!groups->any)
        *groups = (struct allocate_groups){ groups->attempt, true, use->groups, use->group_count, UINT64_MAX };
    else if (groups->count && use->group_count)
        groups->common = common_of(groups, use);
}

/* The groups of devices that are allocated. */
static void add_known(struct allocate_world *world, struct allocate_slice *const *slices, uint32_t count, bool empty)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < slices[i]->device_count; j++) {
            const struct allocate_device *device = &slices[i]->devices[j];
            for (uint32_t k = 0; k < device->use_count; k++) {
                const struct allocate_use *use = &device->uses[k];
                if (use->slot == ALLOCATE_NO_SLOT && empty)
                    world->group_sets[use->group_set].any = false;
                else if (use->slot == ALLOCATE_NO_SLOT && allocate_consumes(world, device))
                    add(&world->group_sets[use->group_set], use);
            }
        }
}

/* Once for a cycle. */
static void know(struct allocate_world *world, const struct allocate_pool *pool)
{
    struct allocate_scope *scope = &world->scopes[pool->name->scope];
    for (int empty = 1; empty >= 0 && !scope->grouped; empty--) {
        add_known(world, pool->here, pool->here_count, empty);
        add_known(world, pool->elsewhere, pool->elsewhere_count, empty);
    }
    scope->grouped = true;
}

static bool remember(struct allocate_attempt *attempt, uint32_t set)
{
    if (attempt->change_count == attempt->change_room) {
        uint32_t room = attempt->change_room ? attempt->change_room * 2 : 64;
        struct allocate_change *list = arena_alloc(&attempt->arena, room * sizeof *list);
        if (!list) {
            attempt->failure = attempt->arena.failure;
            return false;
        }
        if (attempt->change_count)
            memcpy(list, attempt->changes, attempt->change_count * sizeof *list);
        attempt->changes = list;
        attempt->change_room = room;
    }
    attempt->changes[attempt->change_count++] = (struct allocate_change){ set, attempt->groups[set] };
    return true;
}

bool allocate_join(struct allocate_attempt *attempt, const struct allocate_pool *pool, const struct allocate_device *device)
{
    uint32_t before = attempt->change_count;
    if (!attempt->world->mode.on.groups)
        return true;
    know(attempt->world, pool);
    bool joins = !attempt->failure;
    for (uint32_t i = 0; i < device->use_count && joins; i++) {
        const struct allocate_use *use = &device->uses[i];
        if (use->slot != ALLOCATE_NO_SLOT)
            continue;
        struct allocate_groups *groups = &attempt->groups[use->group_set];
        joins = remember(attempt, use->group_set);
        if (groups->attempt != attempt->number)
            *groups = attempt->world->group_sets[use->group_set];
        groups->attempt = attempt->number;
        joins = joins && admits(groups, use);
        if (joins)
            add(groups, use);
        else
            allocate_refuse(attempt, REFUSED_GROUPS, use->set);
    }
    if (!joins)
        allocate_leave(attempt, before);
    return joins;
}

void allocate_leave(struct allocate_attempt *attempt, uint32_t before)
{
    while (attempt->change_count > before) {
        const struct allocate_change *change = &attempt->changes[--attempt->change_count];
        attempt->groups[change->set] = change->groups;
    }
}
