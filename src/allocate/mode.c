#include "allocate/mode.h"

struct allocate_features allocate_features_of(const struct gate_settings *settings, minor version)
{
    gate_set off = gates_off(settings, version);
#define ON(gate) (!(off & gate_bit(gate)))
    return (struct allocate_features){
        .admin = ON("DRAAdminAccess"),
        .list = ON("DRAPrioritizedList"),
        .part = ON("DRAPartitionableDevices"),
        .taints = ON("DRADeviceTaints"),
        .rules = ON("DRADeviceTaintRules"),
        .consume = ON("DRAConsumableCapacity"),
        .bind = ON("DRADeviceBindingConditions") && ON("DRAResourceClaimDeviceStatus"),
        .lists = version >= 36 && ON("DRAListTypeAttributes"),
        .fraction = version >= 37 && ON("DRAFractionalCapacityRange"),
        .derive = version >= 37 && ON("DRADerivedAttributes"),
        .operations = version >= 37 && ON("DRAOptionalNodeOperations"),
        .groups = version >= 37 && ON("DRADeviceCompatibilityGroups"),
        .extended = ON("DRAExtendedResource"),
    };
#undef ON
}

static enum allocate_variant variant_of(bool new, const struct allocate_features *on)
{
    bool capacity = on->consume || on->bind || on->fraction, parts = on->admin || on->list || on->part || on->taints;
    if (on->lists || on->derive || on->operations || on->groups)
        return ALLOCATE_EXPERIMENTAL;
    if (new)
        return capacity ? ALLOCATE_INCUBATING : ALLOCATE_STABLE;
    if (capacity)
        return ALLOCATE_EXPERIMENTAL;
    return parts ? ALLOCATE_INCUBATING : ALLOCATE_STABLE;
}

struct allocate_mode allocate_mode_of(minor version, struct allocate_features features)
{
    return allocate_mode_of_variant(version, features, variant_of(version >= 36, &features));
}

struct allocate_mode allocate_mode_of_variant(minor version, struct allocate_features features, enum allocate_variant variant)
{
    bool new = version >= 36, newest = version >= 37;
    bool rich = variant == ALLOCATE_EXPERIMENTAL || (new && variant == ALLOCATE_INCUBATING);
    return (struct allocate_mode){
        .version = version,
        .on = features,
        .variant = variant,
        .rich = rich,
        .with_tolerations = new || variant != ALLOCATE_STABLE,
        .combinations = new && rich,
        .node_first = new && rich,
        .conditions_last = !new && rich,
        .shares_count = new && rich,
        .old_stable = !new && variant == ALLOCATE_STABLE,
        .by_request = newest,
        .all_static = newest,
        .strict_capacity = newest,
        .counters_placed = newest && rich,
        .shares_reserve = newest,
        .refuses_groups = newest && !features.groups,
        .refuses_derived = newest && !features.derive,
        .refuses_skipping = newest && variant == ALLOCATE_EXPERIMENTAL,
        .names_device = newest,
        .hides_lists = new && !newest && !features.lists,
        .old_words = !new,
        .timeout_ends = new,
        .score_is_gated = new,
        .leaks = !new,
        .wrong_choice = !new,
        .all_panics = !new,
        .score_mixes = !new,
        .pool_names_mix = !newest,
        .forgets = !newest,
        .stays_narrow = !newest,
        .config_repeats = !newest,
    };
}

const char *allocate_variant_name(enum allocate_variant variant)
{
    static const char *const names[] = { "stable", "incubating", "experimental" };
    return names[variant];
}
