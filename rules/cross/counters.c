/* Counters of a slice up to 1.34: those that devices take are in the same slice, and limited together.
 * Source: k8s.io/kubernetes v1.34.4 pkg/apis/resource/validation/validation.go validateResourceSliceSpec, validateDevice. */
#include "rules/cross/common.h"

enum { MAX_COUNTERS = 32, MAX_COUNTERS_OF_DEVICES = 1024 };

/* More sets, or counters of a set, are not looked through for each that takes some: a slice may have 32 counters. */
enum { MAX_LOOKED_THROUGH = 256 };

static struct value find_set(struct cross *cross, struct bytes name)
{
    struct value sets = value_at(cross, cross_root(cross), "spec.sharedCounters"), found = { NULL, NULL, 0 };
    if (value_count(sets) <= MAX_LOOKED_THROUGH)
        value_each(sets, set)
            if (bytes_equal(value_text_at(cross, set, "name"), name))
                found = set;
    return found;
}

/* On the counters of one element of consumesCounters. */
void cross_counters_defined(struct cross *cross)
{
    struct value counters = value_at(cross, find_set(cross, value_text(cross_sibling(cross, "counterSet"))), "counters");
    struct lookup defined;
    bool all = true;
    if (!value_is_set(counters) || value_count(counters) > MAX_LOOKED_THROUGH)
        return;
    lookup_init(cross, &defined, counters, NULL);
    value_each(cross_value(cross), counter)
        all &= value_is_set(lookup_find(&defined, value_name(counter)));
    if (!all)
        cross_report(cross, (struct cross_report){ 0 });
}

static uint64_t sum_counters(struct cross *cross, struct value list)
{
    uint64_t sum = 0;
    value_each(list, element)
        sum += value_count(value_at(cross, element, "counters"));
    return sum;
}

/* On a list of sets, or of what a device takes from sets. */
void cross_counters_sum(struct cross *cross)
{
    if (sum_counters(cross, cross_value(cross)) > MAX_COUNTERS)
        cross_report(cross, (struct cross_report){ 0 });
}

/* On devices. */
void cross_device_counters_sum(struct cross *cross)
{
    uint64_t sum = 0;
    value_each(cross_value(cross), device)
        sum += sum_counters(cross, value_at(cross, device, "consumesCounters"));
    if (sum > MAX_COUNTERS_OF_DEVICES)
        cross_report(cross, (struct cross_report){ 0 });
}
