/* What a node sees of pools. Source: k8s.io/dynamic-resource-allocation v0.36.3 structured/internal/experimental/pools_experimental.go,
 * the same of v0.35.4, and its stable variant. */
#ifndef DRAWBRIDGE_ALLOCATE_POOL_H
#define DRAWBRIDGE_ALLOCATE_POOL_H

#include "allocate/world.h"

/* A pool as it is made of those of its slices that a node sees. Nodes that see the same slices share it. */
struct allocate_pool {
    struct allocate_pool *next;      /* of the same name, for other nodes */
    struct allocate_pool_name *name;
    struct allocate_slice **as_seen; /* what it is made of, in the order in which the node sees it, */
    struct allocate_slice **seen;    /* and in the order of a pool */
    uint32_t seen_count;
    bool ignored;                    /* a slice that the node does not see has a newer generation */
    bool incomplete;                 /* slices are missing */
    bool invalid;                    /* two devices have one name, or consumed counters are not there */
    bool last;                       /* a device has binding conditions */
    struct allocate_slice **here;    /* slices with devices to search */
    uint32_t here_count;
    struct allocate_slice **counting; /* slices with counter sets that count */
    uint32_t counting_count;
    struct allocate_slice **elsewhere; /* others of the pool that the node does not see */
    uint32_t elsewhere_count;
    /* Why it is invalid or incomplete, for people. */
    struct bytes twice;              /* a device, or a counter set; no data: none */
    const struct allocate_device *lacking; /* it consumes a counter that is not there */
    uint32_t found;                  /* slices of its generation, */
    int64_t wanted;                  /* and how many there should be */
};

/* The pools of a node, in the order in which they are searched. */
struct allocate_view {
    struct allocate_pool **pools;
    uint32_t count;
    bool has_invalid;
};

/* A device, by its place in a view. */
struct allocate_position {
    uint32_t pool, slice, device;
};

/* Whether devices of the pool may be taken. */
static inline bool allocate_pool_is_usable(const struct allocate_pool *pool)
{
    return !pool->incomplete && !pool->invalid;
}

/* The device at the position, to which it moves if there is none; NULL: there are no more. usable: only of pools that are. */
static inline const struct allocate_device *allocate_view_device(const struct allocate_view *view, struct allocate_position *at,
                                                                 bool usable)
{
    for (; at->pool < view->count; at->pool++, at->slice = at->device = 0) {
        const struct allocate_pool *pool = view->pools[at->pool];
        if (usable && !allocate_pool_is_usable(pool))
            continue;
        for (; at->slice < pool->here_count; at->slice++, at->device = 0)
            if (at->device < pool->here[at->slice]->device_count)
                return &pool->here[at->slice]->devices[at->device];
    }
    return NULL;
}

/* The view of a node, which is made the first time. */
enum failure allocate_view_of(struct allocate_world *world, struct allocate_node *node, const struct allocate_view **view) MUST_USE;

/* The pool of that name in a view; NULL: it is ignored, or not seen. */
const struct allocate_pool *allocate_pool_in(struct allocate_world *world, const struct allocate_view *view,
                                             struct allocate_pool_name *name);

/* Whether the node sees the slice. */
enum failure allocate_slice_is_seen(struct allocate_world *world, const struct allocate_slice *slice, const struct allocate_node *node,
                                    bool *seen) MUST_USE;

#endif
