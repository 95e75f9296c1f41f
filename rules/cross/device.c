/* What the API server asks of a device's attributes and mappings since 1.36.
 * Source: k8s.io/kubernetes v1.36.3 pkg/apis/resource/validation/validation.go numEntriesDeviceAttribute,
 * validateNodeAllocatableResourceMappings; v1.37.1 validatePartitionTypeAttribute. */
#include "rules/cross/common.h"

enum { MAX_VALUES = 48, MAX_DEVICES = 64 };

/* How many values an attribute's lists have together; 1 where it has none, or only empty ones. */
static uint64_t count_values(struct value attribute)
{
    uint64_t count = 0;
    doc_each(attribute.node, member)
        if (member->type == DOC_ARRAY && member->field < attribute.shape->field_count)
            count += member->count;
    return count ? count : 1;
}

/* On devices: a slice with lists of values may have as few as one with taints. */
void cross_attribute_lists(struct cross *cross)
{
    if (value_count(cross_value(cross)) <= MAX_DEVICES)
        return;
    value_each(cross_value(cross), device)
        value_each(value_at(cross, device, "attributes"), attribute)
            doc_each(attribute.node, member)
                if (member->type == DOC_ARRAY && member->field < attribute.shape->field_count) {
                    cross_report(cross, (struct cross_report){ .detail = NULL });
                    return;
                }
}

/* On a device's attributes. */
void cross_attribute_values(struct cross *cross)
{
    uint64_t count = 0;
    value_each(cross_value(cross), attribute)
        count += count_values(attribute);
    if (count > MAX_VALUES)
        cross_report(cross, (struct cross_report){ .detail = NULL });
}

/* On a map of mappings: each capacityKey, which stands in `inner` of the mapping, or in the mapping itself, is a capacity of the device. */
static void check_mapped(struct cross *cross, const char *inner)
{
    struct lookup capacities;
    if (!value_count(cross_value(cross)))
        return;
    lookup_init(cross, &capacities, cross_sibling(cross, "capacity"), NULL);
    value_each(cross_value(cross), mapping) {
        struct bytes key = value_text_at(cross, inner ? value_at(cross, mapping, inner) : mapping, "capacityKey");
        if (key.length && !value_is_set(lookup_find(&capacities, key)))
            cross_report(cross, (struct cross_report){
                .at = mapping, .below = inner ? inner : "capacityKey", .inner = inner ? "capacityKey" : NULL, .quoted = true,
            });
    }
}

/* On a device's nodeAllocatableResourceMappings, of 1.36; on its nodeAllocatableResources, since 1.37. */
void cross_mapped_capacity(struct cross *cross)
{
    check_mapped(cross, NULL);
}

void cross_allocatable_capacity(struct cross *cross)
{
    check_mapped(cross, "mapping");
}

/* The attribute of that name; one in the driver's domain may be written without it. */
static struct value find_attribute(struct cross *cross, struct value device, struct bytes name, struct bytes driver)
{
    struct bytes bare = { NULL, 0 };
    struct value found = { NULL, NULL, 0 };
    if (name.length > driver.length && cross_refers_to(name, driver))
        bare = (struct bytes){ name.data + driver.length + 1, name.length - driver.length - 1 };
    value_each(value_at(cross, device, "attributes"), attribute) {
        if (bytes_equal(value_name(attribute), name))
            return attribute;
        if (bare.data && bytes_equal(value_name(attribute), bare))
            found = attribute;
    }
    return found;
}

/* On devices: each that consumes counters has the attribute that partitionTypeAttribute names. The argument says which devices are meant:
 * those where it is "missing", or is no "string". */
void cross_partition_types(struct cross *cross)
{
    struct bytes name = value_text(cross_sibling(cross, "partitionTypeAttribute")), driver = value_text(cross_sibling(cross, "driver"));
    bool missing = strcmp(cross_argument(cross), "missing") == 0;
    value_each(cross_value(cross), device) {
        if (!value_count(value_at(cross, device, "consumesCounters")))
            continue;
        struct value attribute = find_attribute(cross, device, name, driver);
        if (value_is_set(attribute) ? !missing && !value_is_set(value_at(cross, attribute, "string")) : missing)
            cross_report(cross, (struct cross_report){ .at = device, .below = "attributes", .key = name });
    }
}
