#include "match/taint.h"

#include "allocate/attempt.h"

const struct allocate_taint *allocate_taint_of(const struct allocate_ask *ask, const struct allocate_device *device)
{
    for (uint32_t i = 0; i < device->taint_count; i++)
        if (match_keeps_out(device->taints[i].value, ask->tolerations))
            return &device->taints[i];
    return NULL;
}
