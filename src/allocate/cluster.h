/* The objects of manifests and dumps as the allocator needs them. */
#ifndef DRAWBRIDGE_ALLOCATE_CLUSTER_H
#define DRAWBRIDGE_ALLOCATE_CLUSTER_H

#include "allocate/world.h"

/* An object, and where it was read. */
struct allocate_object {
    const struct item *item;
    struct value root;
    bool released; /* a claim that only a pod had which is gone: its allocation does not count */
    bool gone;     /* that pod, and claims that were made for it */
};

struct allocate_list {
    struct allocate_object *list;
    uint32_t count;
};

struct allocate_cluster {
    struct match_world matching;  /* for expressions, and for objects that cannot be read: matching.undecodable */
    struct arena arena;           /* of the lists */
    struct allocate_list nodes, slices, classes, rules, claims, templates, pods, workloads;
    struct allocate_objects objects; /* the first four, for allocate_world_init() */
    bool nodes_are_known;         /* false: no Node is given, and their names are those that slices have */
    struct map claims_by_name, templates_by_name;
    struct map extended;          /* classes by extendedResourceName */
};

/* Reads the objects of the sources, which outlive the cluster. Of several objects of one kind, namespace and name the first one counts.
 * After a failure (memory, a limit), too, allocate_cluster_done() ends it. */
enum failure allocate_cluster_init(struct allocate_cluster *cluster, const struct context *context, const struct source *sources,
                                   minor version) MUST_USE;
void allocate_cluster_done(struct allocate_cluster *cluster);

/* Takes a pod away, by "name" or "namespace/name", with its claims. False: there is none. */
bool allocate_cluster_remove(struct allocate_cluster *cluster, struct bytes name);

/* Makes the world of the cluster, in which nothing is allocated. */
enum failure allocate_cluster_world(struct allocate_cluster *cluster, const struct allocate_mode *mode, struct allocate_world *world)
    MUST_USE;

/* The claim, or template, of that namespace and name; NULL: it is not given, or cluster->arena has failed. An object without a
 * namespace is in "default". */
const struct allocate_object *allocate_cluster_claim(struct allocate_cluster *cluster, struct bytes space, struct bytes name);
const struct allocate_object *allocate_cluster_template(struct allocate_cluster *cluster, struct bytes space, struct bytes name);

/* Whether devices of a class can serve the extended resource of that name. */
bool allocate_cluster_has_extended(const struct allocate_cluster *cluster, struct bytes resource);

#endif
