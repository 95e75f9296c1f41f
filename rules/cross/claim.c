/* ResourceClaim status: what the API server does with the status of devices that are no longer allocated.
 * Source: k8s.io/kubernetes v1.35.4 pkg/registry/resource/resourceclaim/strategy.go dropDeallocatedStatusDevices. */
#include "check/cross.h"
#include "rules/tables.h"

static const char *const device_key[] = { "driver", "pool", "device", "shareID", NULL };

/* The results of an allocation, by the devices they are about. */
static bool index_results(struct cross *cross, const struct doc_node *allocation, struct map *map, const struct shape **result)
{
    const struct shape *status = cross_shape(cross), *of_allocation = cross_member_shape(status, "allocation");
    const struct shape *of_devices = cross_member_shape(of_allocation, "devices"), *of_results = cross_member_shape(of_devices, "results");
    const struct doc_node *devices = allocation ? cross_member(cross, of_allocation, allocation, "devices") : NULL;
    const struct doc_node *results = devices ? cross_member(cross, of_devices, devices, "results") : NULL;
    *result = of_results->of;
    if (!cross_map(cross, map, cross_arena(cross), results ? results->count : 0))
        return false;
    if (results)
        doc_each(results, element)
            (void)map_add(map, cross_texts(cross, *result, element, device_key), element);
    return true;
}

/* The list without the devices that the old allocation has and the new one has not. */
const struct doc_node *cross_drop_deallocated(struct cross *cross, const struct doc_node *devices)
{
    struct map before, now;
    const struct shape *result, *device = cross_member_shape(cross_shape(cross), "devices")->of;
    if (!index_results(cross, cross_sibling(cross, "allocation", true), &before, &result) ||
        !index_results(cross, cross_sibling(cross, "allocation", false), &now, &result))
        return devices;
    struct arena *arena = cross_arena(cross);
    struct doc_builder list = doc_build(arena, devices);
    for (const struct doc_node *element = doc_first(devices); element && !arena->failure; element = element->next) {
        struct bytes key = cross_texts(cross, device, element, device_key);
        bool deallocated = map_find(&before, key) && !map_find(&now, key);
        if (!deallocated && !doc_append(&list, arena, element))
            break;
    }
    if (arena->failure)
        cross_fail(cross, arena->failure);
    return arena->failure ? devices : list.container;
}
