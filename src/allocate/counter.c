/* Shared counters. Source: k8s.io/dynamic-resource-allocation v0.36.3 structured/internal/experimental/allocator_experimental.go,
 * checkAvailableCounters and its neighbours. */
#include "allocate/attempt.h"
#include "allocate/device.h"

bool allocate_consumes(const struct allocate_world *world, const struct allocate_device *device)
{
    const struct allocate_identity *identity = device->identity;
    return identity->taken || (world->mode.shares_count && (identity->shared || identity->used));
}

static void subtract(struct allocate_world *world, struct allocate_slice *const *slices, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < slices[i]->device_count; j++) {
            const struct allocate_device *device = &slices[i]->devices[j];
            if (!device->use_count || !allocate_consumes(world, device))
                continue;
            for (uint32_t k = 0; k < device->use_count; k++)
                if (device->uses[k].slot != ALLOCATE_NO_SLOT)
                    world->available[device->uses[k].slot] -= device->uses[k].nano;
        }
}

static uint32_t count_slots(const struct allocate_pool *pool)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < pool->counting_count; i++)
        for (uint32_t j = 0; j < pool->counting[i]->set_count; j++)
            count += pool->counting[i]->sets[j].count;
    return count;
}

/* Forgets the counters of the last cycle, which may have been those of another pool. */
static enum failure clear(struct allocate_world *world, struct allocate_scope *scope, const struct allocate_pool *pool)
{
    uint32_t count = count_slots(pool);
    for (uint32_t i = 0; i < scope->count; i++)
        world->is_available[scope->slots[i]] = false;
    if (count > scope->room) {
        scope->slots = allocate_make(world, count, sizeof *scope->slots);
        scope->room = scope->slots ? count : 0;
    }
    scope->count = 0;
    return scope->slots || !count ? FAILURE_NONE : world->arena.failure;
}

/* Counts what is left in the pool. */
static enum failure know(struct allocate_world *world, struct allocate_scope *scope, const struct allocate_pool *pool)
{
    enum failure failure = clear(world, scope, pool);
    if (failure)
        return failure;
    for (uint32_t i = 0; i < pool->counting_count; i++)
        for (uint32_t j = 0; j < pool->counting[i]->set_count; j++)
            for (uint32_t k = 0; k < pool->counting[i]->sets[j].count; k++) {
                const struct allocate_counter *counter = &pool->counting[i]->sets[j].counters[k];
                scope->slots[scope->count++] = counter->slot;
                world->available[counter->slot] = counter->nano;
                world->is_available[counter->slot] = true;
            }
    subtract(world, pool->here, pool->here_count);
    subtract(world, pool->elsewhere, pool->elsewhere_count);
    scope->overdrawn = false;
    for (uint32_t i = 0; i < scope->count; i++)
        scope->overdrawn |= world->available[scope->slots[i]] < 0;
    scope->known = true;
    return FAILURE_NONE;
}

static void count_uses(struct allocate_attempt *attempt, const struct allocate_device *device, int sign)
{
    for (uint32_t i = 0; i < device->use_count; i++)
        if (device->uses[i].slot != ALLOCATE_NO_SLOT)
            *allocate_consumed_of(attempt, device->uses[i].slot) += sign * device->uses[i].nano;
}

/* Counters that other devices consume hold, as they were looked at when those were reserved; but one that is overdrawn by what was
 * allocated before blocks all devices of the pool. */
bool allocate_reserve(struct allocate_attempt *attempt, const struct allocate_pool *pool, const struct allocate_device *device)
{
    struct allocate_world *world = attempt->world;
    struct allocate_scope *scope = &world->scopes[pool->name->scope];
    if (!scope->known && !attempt->failure)
        attempt->failure = know(world, scope, pool);
    bool left = !scope->overdrawn && !attempt->failure;
    allocate_refuse(attempt, REFUSED_OVERDRAWN, 0); /* or else by the counter that is not left */
    attempt->looks += device->use_count;
    count_uses(attempt, device, 1);
    for (uint32_t i = 0; i < device->use_count && left; i++) {
        uint32_t slot = device->uses[i].slot;
        left = slot == ALLOCATE_NO_SLOT || !world->is_available[slot] || world->available[slot] >= *allocate_consumed_of(attempt, slot);
        if (!left)
            allocate_refuse(attempt, REFUSED_COUNTER, slot);
    }
    if (!left)
        count_uses(attempt, device, -1);
    return left;
}

void allocate_release(struct allocate_attempt *attempt, const struct allocate_device *device)
{
    count_uses(attempt, device, -1);
}
