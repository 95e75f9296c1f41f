/* Extended resources that devices serve: which classes they stand for, and the requests that are made of a pod's containers. */
#ifndef DRAWBRIDGE_ALLOCATE_EXTENDED_H
#define DRAWBRIDGE_ALLOCATE_EXTENDED_H

#include "allocate/pod.h"

/* Classes by the names of resources. */
struct allocate_extended {
    struct names names;
    const struct allocate_class **classes; /* by number */
};

/* Of the world's classes, and in its memory. */
enum failure allocate_extended_init(struct allocate_extended *extended, struct allocate_world *world) MUST_USE;

/* What a container wants of a resource. */
struct allocate_cell {
    int64_t count;  /* 0: nothing */
    uint32_t index; /* of the resource among the container's */
};

/* A resource that a pod wants. */
struct allocate_need {
    struct bytes name;
    const struct allocate_class *class; /* NULL: no class stands for it */
    struct allocate_cell *cells;        /* by container: those of initContainers come first */
    bool by_device;                     /* on the node: devices serve it, and not a device plugin */
};

struct allocate_needs {
    struct allocate_need *list; /* sorted by name */
    uint32_t count;
    const struct doc_node *containers[LIMIT_ALLOCATE_CONTAINERS];
    uint32_t container_count, init_count;
    bool has_class;             /* devices can serve some of it */
    bool too_many;              /* containers or resources */
};

/* The extended resources of the pod. defaults: requests that are left out are what limits say, as API servers set them. */
enum failure allocate_needs_read(const struct allocate_extended *extended, const struct allocate_pod *pod, bool defaults,
                                 struct arena *arena, struct allocate_needs *needs) MUST_USE;

/* Sets by_device for the node. Returns false when it lacks a resource. *some: devices serve at least one. */
bool allocate_needs_on(struct allocate_needs *needs, const struct allocate_node *node, bool defaults, bool *some);

/* A request of the claim for extended resources. */
struct allocate_extra {
    struct bytes name;
    const struct allocate_class *class;
    int64_t count;
    bool short_lived; /* for init containers that end */
};

/* Which request has the devices for a container's resource. */
struct allocate_mapping {
    struct allocate_mapping *next;
    struct bytes container, resource;
    const struct allocate_extra *request;
};

struct allocate_extras {
    struct allocate_extra **list; /* sorted by name */
    uint32_t count;
    struct allocate_mapping *mappings;
};

/* The requests for what devices serve. */
enum failure allocate_extras_make(const struct allocate_needs *needs, struct arena *arena, struct allocate_extras *extras) MUST_USE;

/* Adds the requests as the value of spec.devices of a claim. */
void allocate_extras_add_devices(struct text *json, const struct allocate_extras *extras);

#endif
