/* The claims of a cluster as they are while pods are scheduled one after the other: what is allocated, and reserved for whom. */
#ifndef DRAWBRIDGE_ALLOCATE_STORE_H
#define DRAWBRIDGE_ALLOCATE_STORE_H

#include "allocate/world.h"

/* An entry of status.reservedFor. */
struct allocate_consumer {
    struct allocate_consumer *next;
    struct bytes name, uid;
    const struct doc_node *given; /* as it was read; NULL: it was added */
};

struct allocate_stored {
    struct value root;        /* the object; of a claim that stands for a template: its spec, in which the claim's spec is */
    struct bytes name, space, uid;
    struct value allocation;  /* not set: it is not allocated */
    struct value devices;     /* status.devices */
    struct allocate_consumer *consumers;
    uint32_t consumer_count;
    bool finalizer;           /* the scheduler added its own */
    bool gone;                /* it was deleted */
    bool again;               /* it was allocated again: the world holds the first allocation */
};

/* Claims by a text. */
struct allocate_index {
    struct names names;
    struct allocate_stored **list; /* by number */
    uint32_t room;
};

struct allocate_store {
    struct allocate_world *world;
    struct arena arena;           /* of everything here */
    struct allocate_index by_name;  /* "namespace/name" */
    struct allocate_index by_owner; /* those for extended resources, by the pod that owns them */
    uint64_t writes;              /* how often something was written: claims that are made get numbers as names */
    bool stale;                   /* what the world holds must be counted anew */
};

/* Begins without claims. allocate_store_done() ends it, after a failure, too. */
void allocate_store_init(struct allocate_store *store, struct allocate_world *world);
void allocate_store_done(struct allocate_store *store);

/* Adds a claim, which outlives the store. Of one namespace and name, the first one counts. */
enum failure allocate_store_add(struct allocate_store *store, struct value root) MUST_USE;

/* Adds a claim of that name that stands for one that is generated from a template. */
enum failure allocate_store_add_generated(struct allocate_store *store, struct value template, struct bytes space, struct bytes name,
                                          struct allocate_stored **made) MUST_USE;

/* The claim, or NULL. */
struct allocate_stored *allocate_store_find(struct allocate_store *store, struct bytes space, struct bytes name);

/* The claim that a scheduler made earlier for the pod's extended resources, or NULL. */
struct allocate_stored *allocate_store_find_owned(struct allocate_store *store, struct bytes pod, struct bytes uid);

/* Begins a scheduling cycle: the world holds what is allocated now. */
enum failure allocate_store_begin(struct allocate_store *store) MUST_USE;

/* Gives the claim an allocation, the JSON of an AllocationResult; takes it away. */
enum failure allocate_store_allocate(struct allocate_store *store, struct allocate_stored *claim, struct bytes json) MUST_USE;
void allocate_store_deallocate(struct allocate_store *store, struct allocate_stored *claim);
void allocate_store_delete(struct allocate_store *store, struct allocate_stored *claim);

/* Reserves it for a pod, at the end of the list; the opposite. */
enum failure allocate_store_reserve(struct allocate_store *store, struct allocate_stored *claim, struct bytes pod, struct bytes uid)
    MUST_USE;
void allocate_store_unreserve(struct allocate_stored *claim, struct bytes uid);
bool allocate_is_reserved(const struct allocate_stored *claim, struct bytes uid);

/* The claims of a namespace, sorted by name, in that arena. */
enum failure allocate_store_list(struct allocate_store *store, struct arena *arena, struct bytes space, struct allocate_stored ***list,
                                 uint32_t *count) MUST_USE;

/* A member of the claim's metadata; NULL: it has none, or null. */
const struct doc_node *allocate_claim_meta(struct value root, const char *name);

/* The owner with controller: true; NULL: none. */
const struct doc_node *allocate_claim_controller(const struct allocate_stored *claim);

/* Reads the JSON of a ResourceClaim. Text and value are in that arena, or in the world's. */
enum failure allocate_claim_parse(struct allocate_world *world, struct arena *arena, struct text *json, struct value *root) MUST_USE;

#endif
