/* Networks in lists, up to 1.32: those that are written in different ways are one, and so are all that are none.
 * Source: k8s.io/kubernetes v1.32.13 pkg/apis/resource/validation/validation.go validateNetworkDeviceData. */
#include "rules/cross/common.h"

void cross_unique_networks(struct cross *cross)
{
    struct map seen;
    struct value list = cross_value(cross);
    if (!cross_map(cross, &seen, cross_scratch(cross), value_count(list)))
        return;
    value_each(list, element) {
        struct bytes key = value_network(cross, element);
        if (map_find(&seen, key))
            cross_report(cross, (struct cross_report){ .at = element });
        else
            (void)map_add(&seen, key, element.node);
    }
}
