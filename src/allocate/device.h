/* Reading devices of slices into plain structures. For world.c. */
#ifndef DRAWBRIDGE_ALLOCATE_DEVICE_H
#define DRAWBRIDGE_ALLOCATE_DEVICE_H

#include "allocate/world.h"

/* A rule's selector names some of driver, pool and device: a bit each. */
enum { ALLOCATE_RULE_FORMS = 8 };

/* Taint rules by what they select. */
struct allocate_rules {
    struct names keys;
    struct allocate_rule **by_key; /* the first of each key */
    unsigned forms;                /* a bit for each combination of driver, pool and device that a rule names */
    const struct allocate_rule *found[ALLOCATE_RULE_FORMS]; /* those that select … */
    const struct allocate_device *last; /* … the last device without taints of its own; NULL: none yet */
};

enum failure allocate_rules_read(struct allocate_world *world, const struct allocate_objects *objects, struct allocate_rules *rules)
    MUST_USE;

/* Reads an element of spec.devices. */
enum failure allocate_device_read(struct allocate_world *world, struct allocate_rules *rules, struct allocate_slice *slice,
                                  struct value element, struct allocate_device *device) MUST_USE;

/* Reads sharedCounters. */
enum failure allocate_sets_read(struct allocate_world *world, struct allocate_slice *slice) MUST_USE;

/* nodeName, allNodes and nodeSelector of a slice's spec or a device. */
struct allocate_place allocate_place_of(struct value at);

/* Memory of the world, all zero; for no elements, too, it is not NULL unless the arena failed. */
void *allocate_make(struct allocate_world *world, size_t count, size_t size) MUST_USE;

/* The number of several texts together. */
enum failure allocate_name_join(struct allocate_world *world, struct names *names, const struct bytes *parts, unsigned count,
                                uint32_t *number) MUST_USE;

/* The last of the texts of which such a name was made. */
struct bytes allocate_name_last(struct bytes joined);

/* The same of texts that are there already; NAMES_NONE: they are not, or the scratch memory failed. */
uint32_t allocate_name_look(struct allocate_world *world, const struct names *names, const struct bytes *parts, unsigned count);

#endif
