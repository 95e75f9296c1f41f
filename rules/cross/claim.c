/* ResourceClaim status: what the API server does with the status of devices that are no longer allocated.
 * Source: k8s.io/kubernetes v1.35.4 pkg/registry/resource/resourceclaim/strategy.go dropDeallocatedStatusDevices. */
#include "rules/cross/common.h"

static const char *const device_key[] = { "driver", "pool", "device", "shareID", NULL };

/* The results of a status, by the devices they are about. */
static bool map_results(struct cross *cross, struct value status, struct map *map)
{
    struct value results = value_at(cross, status, "allocation.devices.results");
    if (!cross_map(cross, map, cross_arena(cross), value_count(results)))
        return false;
    value_each(results, result)
        (void)map_add(map, value_key(cross, result, device_key), result.node);
    return true;
}

/* The list without the devices that the old allocation has and the new one has not. */
const struct doc_node *cross_drop_deallocated(struct cross *cross, const struct doc_node *devices)
{
    struct map before, now;
    if (!map_results(cross, cross_old(cross), &before) || !map_results(cross, cross_value(cross), &now))
        return devices;
    struct arena *arena = cross_arena(cross);
    struct doc_builder list = doc_build(arena, devices);
    value_each(value_at(cross, cross_value(cross), "devices"), device) {
        struct bytes key = value_key(cross, device, device_key);
        bool deallocated = map_find(&before, key) && !map_find(&now, key);
        if (!deallocated && !doc_append(&list, arena, device.node))
            break;
    }
    cross_fail(cross, arena->failure);
    return arena->failure ? devices : list.container;
}
