/* Which allocator a scheduler runs: its release, its feature gates, and the variant that Kubernetes picks by them.
 * Source: k8s.io/dynamic-resource-allocation v0.35.4, v0.36.3 and v0.37.1 structured/allocator.go. */
#ifndef DRAWBRIDGE_ALLOCATE_MODE_H
#define DRAWBRIDGE_ALLOCATE_MODE_H

#include "schema/gate.h"

/* The releases that are known, by minor version: 1.35.4, 1.36.3, 1.37.1. */
enum { ALLOCATE_OLDEST = 35, ALLOCATE_NEWEST = 37 };

/* What feature gates switch on. */
struct allocate_features {
    bool admin;   /* DRAAdminAccess */
    bool list;    /* DRAPrioritizedList */
    bool part;    /* DRAPartitionableDevices */
    bool taints;  /* DRADeviceTaints */
    bool rules;   /* DRADeviceTaintRules: only the scheduler asks, the allocator has no switch for it */
    bool consume; /* DRAConsumableCapacity */
    bool bind;    /* DRADeviceBindingConditions and DRAResourceClaimDeviceStatus */
    bool lists;   /* DRAListTypeAttributes, since 1.36 */
    bool fraction;   /* DRAFractionalCapacityRange, since 1.37 like the following */
    bool derive;     /* DRADerivedAttributes */
    bool operations; /* DRAOptionalNodeOperations */
    bool groups;     /* DRADeviceCompatibilityGroups */
    bool extended; /* DRAExtendedResource: only the scheduler asks */
};

enum allocate_variant { ALLOCATE_STABLE, ALLOCATE_INCUBATING, ALLOCATE_EXPERIMENTAL };

/* A scheduler's allocator. */
struct allocate_mode {
    minor version;
    struct allocate_features on;
    enum allocate_variant variant;
    /* What the variant knows. */
    bool rich;            /* capacity, distinctAttribute, binding conditions, devices that bind to a node */
    bool with_tolerations; /* results have the tolerations */
    /* How the release does it. */
    bool combinations;    /* a request's next device is searched behind its last one */
    bool node_first;      /* slices that name the node come first, and slices of a pool are sorted by name */
    bool conditions_last; /* slices with binding conditions come last in their pool */
    bool shares_count;    /* devices of which shares are allocated consume their counters */
    bool old_stable;      /* the stable variant of 1.35, which looks less closely */
    bool by_request;      /* the limit of a claim's devices is looked at after each request */
    bool all_static;      /* devices of All need only have the capacity: that none is left of it ends the search */
    bool strict_capacity; /* amounts that cannot be counted, or are negative, are errors; steps have the notation of their range */
    bool counters_placed; /* slices with counter sets are seen on their nodes only, as others */
    bool shares_reserve;  /* a device of which shares are allocated has its counters, even if they consume nothing */
    bool refuses_groups;  /* slices with compatibility groups count as not there */
    bool refuses_derived; /* a request that derives attributes is an error */
    bool refuses_skipping; /* devices whose node operations are skipped need a node that can */
    bool names_device;    /* a selector that fails says on which device */
    bool hides_lists;     /* a device with an attribute that is a list cannot be evaluated */
    bool old_words;       /* how schedulers up to 1.35 say it */
    bool timeout_ends;    /* a search that takes too long ends the scheduling cycle: kubernetes#137607 */
    bool score_is_gated;  /* without DRAPrioritizedList all nodes are as good */
    /* Faults of releases. */
    bool leaks;           /* a device that is refused late stays reserved in part: kubernetes#140431 */
    bool wrong_choice;    /* allocationMode All among alternatives mixes them up: kubernetes#137347 */
    bool all_panics;      /* allocationMode All with counters panics: kubernetes#138882 */
    bool pool_names_mix;  /* counters are found by the pool's name without the driver: kubernetes#140434 */
    bool forgets;         /* distinctAttribute forgets all but the last device of a request: kubernetes#140438 */
    bool stays_narrow;    /* matchAttribute on lists keeps what it has narrowed: kubernetes#140300 */
    bool score_mixes;     /* scores mix up claims where some are allocated already: kubernetes#139016 */
    bool config_repeats;  /* a claim's configuration for two requests comes twice, and that for all requests names them */
};

/* The features that these gates switch on in that version. */
struct allocate_features allocate_features_of(const struct gate_settings *settings, minor version);

/* The allocator of that release. */
struct allocate_mode allocate_mode_of(minor version, struct allocate_features features);

/* The same with a variant that Kubernetes would not pick. */
struct allocate_mode allocate_mode_of_variant(minor version, struct allocate_features features, enum allocate_variant variant);

/* "stable", "incubating", "experimental". */
const char *allocate_variant_name(enum allocate_variant variant);

#endif
