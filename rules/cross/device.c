/* What the API server of 1.36 asks of a device's attributes and mappings.
 * Source: k8s.io/kubernetes v1.36.3 pkg/apis/resource/validation/validation.go numEntriesDeviceAttribute, validateNodeAllocatableResourceMappings. */
#include "check/cross.h"
#include "rules/tables.h"

enum { MAX_VALUES = 48 };

/* How many values an attribute's lists have together; 1 where it has none, or only empty ones. */
static uint64_t count_values(const struct shape *shape, const struct doc_node *attribute)
{
    uint64_t count = 0;
    doc_each(attribute, member)
        if (member->type == DOC_ARRAY && member->field < shape->field_count)
            count += member->count;
    return count ? count : 1;
}

/* On a device's attributes. */
void cross_attribute_values(struct cross *cross)
{
    uint64_t count = 0;
    doc_each(cross_value(cross), attribute)
        count += count_values(cross_shape(cross)->of, attribute);
    if (count > MAX_VALUES)
        cross_report(cross, &(struct cross_report){ .detail = "the attributes must have at most 48 values together, those in lists included" });
}

/* On a device's nodeAllocatableResourceMappings. */
void cross_mapped_capacity(struct cross *cross)
{
    const struct doc_node *mappings = cross_value(cross);
    struct map names = { 0 };
    if (!mappings || !mappings->first || !cross_names(cross, cross_beside(cross, "capacity"), &names))
        return;
    doc_each(mappings, mapping) {
        const struct doc_node *key = cross_member(cross, cross_shape(cross)->of, mapping, "capacityKey");
        if (key && key->count && !map_find(&names, doc_text(key)))
            cross_report(cross, &(struct cross_report){ .element = mapping, .below = "capacityKey", .value = key, .detail = "must be the name of a capacity of the device" });
    }
}
