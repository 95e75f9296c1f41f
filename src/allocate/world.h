/* What a scheduler knows when it allocates devices: nodes, slices by pool, classes, taint rules, what is allocated already. Objects are
 * read once, into plain structures; many attempts use them. */
#ifndef DRAWBRIDGE_ALLOCATE_WORLD_H
#define DRAWBRIDGE_ALLOCATE_WORLD_H

#include "allocate/amount.h"
#include "allocate/mode.h"
#include "allocate/names.h"
#include "match/selector.h"

struct allocate_pool;
struct allocate_stored;

/* ---- devices ---- */

/* How much of a capacity a request may take; see allocate_taken(). */
struct allocate_policy {
    bool has_default, has_range, has_min, has_max, has_step;
    struct amount default_amount, min, max, step;
    amount_nano unit;            /* in which steps are counted: AMOUNT_UNIT or AMOUNT_MILLI */
    const struct amount *values; /* validValues; NULL: none are given */
    uint32_t value_count;
};

struct allocate_capacity {
    uint32_t name; /* of world->names */
    struct amount value;
    const struct allocate_policy *policy; /* NULL: none */
};

/* A counter of which a device consumes so much. */
struct allocate_use {
    uint32_t set;  /* the counter set: a name of world->names */
    uint32_t group_set; /* where only the set is named: the same in its scope, of world->sets */
    uint32_t slot; /* the counter: of world->counters; ALLOCATE_NO_SLOT: only the set is named */
    amount_nano nano;
    const uint32_t *groups; /* where only the set is named: compatibilityGroups, names of world->names */
    uint32_t group_count;
};

#define ALLOCATE_NO_SLOT 0xFFFFFFFFu

/* The compatibility groups that all devices have which consume a counter set. */
struct allocate_groups {
    uint64_t attempt;     /* the number of the attempt whose own it is; 0: of none */
    bool any;             /* there is such a device */
    const uint32_t *list; /* of the first device: names of world->names, … */
    uint32_t count;       /* … 0: none of these devices has groups */
    uint64_t common;      /* those that the others have, too; a bit each */
};

/* A part of a capacity that is allocated. */
struct allocate_part {
    uint32_t name;
    amount_nano nano;
};

/* What is known of a device by its driver, pool and name: several slices may have one, of several generations. */
struct allocate_identity {
    struct bytes name;
    bool taken;                  /* allocated */
    bool shared;                 /* shares of it are allocated, … */
    bool used;                   /* … with what they consume of its capacity: */
    struct allocate_part *parts; /* the sums by capacity */
    uint32_t part_count;
    struct allocate_holder *holders; /* the claims that have it */
    /* Of the attempt: */
    uint64_t doing;              /* a bit for each claim that gets it */
    bool touched;                /* it has marks of the attempt */
    bool taking;                 /* shares of it are being allocated … */
    amount_nano *sums;           /* … so much by capacity of the device; NULL: not yet */
};

/* A claim that has a device. */
struct allocate_holder {
    struct allocate_holder *next;
    const struct allocate_stored *claim; /* see store.h */
    bool share;                  /* a part of the device, … */
    bool uses;                   /* … and it is known how much */
};

struct allocate_taint {
    struct value value;
    struct bytes rule;           /* the DeviceTaintRule that has it; no data: the device itself */
};

/* Which nodes a slice or device is for. */
struct allocate_place {
    struct bytes node; /* nodeName */
    bool everywhere;   /* allNodes */
    struct value at;   /* the object with nodeSelector; not set: none */
};

struct allocate_device {
    const struct allocate_slice *slice;
    struct allocate_identity *identity;
    struct value value;          /* the element of spec.devices */
    struct bytes name;
    uint32_t content;            /* of world->contents: devices with the same are the same to selectors */
    struct allocate_place place;
    bool multiple;               /* allowMultipleAllocations */
    bool binds_to_node;
    bool has_conditions;         /* bindingConditions, not empty */
    bool lists_conditions;       /* bindingConditions, perhaps empty */
    const struct allocate_taint *taints; /* its own and those of rules that keep something out */
    uint32_t taint_count;
    const struct allocate_capacity *capacities;
    uint32_t capacity_count;
    const struct allocate_use *uses;
    uint32_t use_count;
};

struct allocate_counter {
    uint32_t slot;
    amount_nano nano;
};

struct allocate_set {
    uint32_t name;
    const struct allocate_counter *counters;
    uint32_t count;
};

struct allocate_slice {
    struct value root, spec;
    struct bytes name;
    struct allocate_pool_name *pool;
    int64_t generation, said;    /* resourceSliceCount */
    struct allocate_place place;
    bool by_device;              /* perDeviceNodeSelection: true */
    bool mentions_by_device;     /* perDeviceNodeSelection, perhaps false */
    bool has_selection;          /* one of the four ways to say on which nodes */
    bool lists_conditions;       /* of a device */
    bool has_groups;             /* a device has compatibility groups */
    bool has_uses;               /* a device consumes counters */
    struct value skipped;        /* skipNodeOperations */
    struct allocate_set *sets;   /* sharedCounters */
    uint32_t set_count;
    struct allocate_device *devices;
    uint32_t device_count;
    uint32_t ordinal;            /* in the order of world->slices */
};

/* A pool by driver and name, whatever nodes see of it. */
struct allocate_pool_name {
    struct bytes driver, name;
    uint32_t scope;              /* of its counters: world->scopes */
    struct allocate_slice **slices;
    uint32_t slice_count;
    struct allocate_pool *built; /* what nodes see of it: see pool.h */
    const struct allocate_pool *viewed; /* what `viewer` sees of it: see allocate_pool_in() */
    const struct allocate_view *viewer;
    bool known;                  /* the following is: see know() in pool.c */
    bool has_uses;               /* a device of it consumes counters */
    int64_t newest;              /* generation */
    uint32_t newest_count;       /* slices of that generation that count */
    uint32_t counting_count;     /* slices with counter sets */
};

/* A counter set's counters that are left, once for each cycle. */
struct allocate_scope {
    uint32_t *slots;             /* those of the first pool that was asked */
    uint32_t count, room;
    bool known;
    bool grouped;                /* its compatibility groups are known */
    bool overdrawn;              /* more is allocated of a counter than there is */
};

/* ---- selectors ---- */

/* What an expression says of a content. */
enum allocate_truth { ALLOCATE_UNKNOWN, ALLOCATE_TRUE, ALLOCATE_FALSE, ALLOCATE_FAILS };

struct allocate_selector {
    struct bytes text;
    const struct match_expression *expression; /* NULL: there is no cel */
    uint8_t *truths; /* by content */
};

/* An expression that makes an attribute of a device. */
struct allocate_derivation {
    const struct match_expression *expression;
    struct value *attributes; /* by content; not set: not made yet, or it fails */
};

/* What was made of expressions, by their texts. */
struct allocate_expressions {
    struct names texts;
    void **made; /* NULL: nothing yet */
};

struct allocate_content {
    const struct allocate_device *example;
    struct match_device device; /* for evaluations */
    struct match_slice slice;
};

/* ---- other objects ---- */

struct allocate_class {
    struct value root;
    struct bytes name;
    struct allocate_selector **selectors;
    uint32_t selector_count;
};

struct allocate_node {
    struct match_named given;    /* its name and object */
    struct allocate_slice **slices; /* those that name it; see pool.h for what it sees */
    uint32_t slice_count, slice_room;
    struct allocate_view *view;  /* NULL: not made yet */
    bool skips;                  /* it declares DRAOptionalNodeOperations */
};

struct allocate_world {
    struct allocate_mode mode;
    struct match_world *matching; /* for expressions; not owned */
    struct arena arena;           /* of everything here */
    struct arena scratch;         /* for one reading */
    struct arena viewing;         /* for making one view */
    struct names names;           /* of capacities and counter sets */
    struct names counters, sets;  /* by scope, set and name; by scope and set */
    struct names pools, identities, contents_by_text, scopes_by_name, nodes_by_name, classes_by_name;
    struct allocate_slice *slices; /* sorted by name */
    uint32_t slice_count;
    struct allocate_slice **common; /* those that no single node has, in that order */
    uint32_t common_count;
    struct allocate_node *nodes;
    uint32_t node_count;
    uint32_t *node_numbers;       /* of nodes_by_name: the first node of a name */
    struct allocate_class *classes;
    uint32_t class_count;
    struct allocate_pool_name *pool_names;
    struct allocate_identity *identity_list;
    struct allocate_content *contents;
    struct allocate_expressions selectors, derivations;
    struct allocate_scope *scopes;
    uint32_t slot_count;
    amount_nano *available;       /* by slot, where the scope is known */
    bool *is_available;           /* by slot: the set is the pool's */
    struct allocate_groups *group_sets; /* by counter set: those of devices that are allocated */
    struct allocate_slice **seen, **seen_late, **seen_before; /* for making a view; those of the last view */
    uint32_t seen_before_count;
    struct allocate_view *last_view; /* NULL: none yet */
    const struct allocate_view *viewer; /* whose pools their names know */
    uint32_t *pool_stamps;        /* by slot: the last pool that was built with it */
    uint32_t stamp;
};

/* The objects of a world, in the terms in which rules are written. */
struct allocate_objects {
    const struct value *slices, *nodes, *classes, *rules;
    uint32_t slice_count, node_count, class_count, rule_count;
    const struct bytes *guessed; /* names of nodes that are not given: whatever is asked of their labels counts as fulfilled */
    uint32_t guessed_count;
};

/* Reads the objects, which outlive the world. After a failure (memory, a limit), too, allocate_world_done() ends it. */
enum failure allocate_world_init(struct allocate_world *world, struct match_world *matching, const struct allocate_mode *mode,
                                 const struct allocate_objects *objects) MUST_USE;
void allocate_world_done(struct allocate_world *world);

/* Forgets what is allocated, and begins a scheduling cycle: counters are counted anew. */
void allocate_world_clear(struct allocate_world *world);
void allocate_world_cycle(struct allocate_world *world);

/* What an allocation holds, the value of a claim's status.allocation. `claim`: whose it is; NULL: it is not known. */
enum failure allocate_world_hold(struct allocate_world *world, const struct allocate_stored *claim, struct value allocation) MUST_USE;

/* The opposite. A failure (memory, or it is not held): all must be forgotten, and counted anew. */
enum failure allocate_world_release(struct allocate_world *world, const struct allocate_stored *claim, struct value allocation) MUST_USE;

/* The identity of that driver, pool and device; NULL: no slice has it. */
struct allocate_identity *allocate_identity_of(struct allocate_world *world, struct bytes driver, struct bytes pool, struct bytes device);

/* Adds "driver/pool", "driver/pool/name". */
void allocate_pool_add_id(struct text *text, const struct allocate_pool_name *pool);
void allocate_device_add_id(struct text *text, const struct allocate_device *device);

/* Adds to what shares consume. `parts` is a map of quantities. */
enum failure allocate_identity_use(struct allocate_world *world, struct allocate_identity *identity, struct value parts) MUST_USE;

struct allocate_node *allocate_node_named(struct allocate_world *world, struct bytes name);
struct allocate_class *allocate_class_named(struct allocate_world *world, struct bytes name);

/* What was made of the text; is_new: so many bytes of zeroes, which are to be made. *kept: the text, as long as the world lives. */
enum failure allocate_expression_made(struct allocate_world *world, struct allocate_expressions *expressions, struct bytes text,
                                      size_t bytes, struct bytes *kept, void **made, bool *is_new) MUST_USE;

/* The expression of a derived attribute, compiled. */
enum failure allocate_derivation_of(struct allocate_world *world, struct bytes text, struct allocate_derivation **made) MUST_USE;

/* Sets *attribute to what it makes of the device: an attribute as slices have it; or *fault to why it cannot, in the arena. */
enum failure allocate_derive(struct allocate_world *world, struct allocate_derivation *derivation, const struct allocate_device *device,
                             struct value *attribute, const char **fault) MUST_USE;

/* The selector of that text, compiled. */
enum failure allocate_selector_of(struct allocate_world *world, struct value selector, struct allocate_selector **made) MUST_USE;

/* Evaluates an expression on the device. *result is valid until the next evaluation. */
enum failure allocate_evaluate(struct allocate_world *world, const struct match_expression *expression,
                               const struct allocate_device *device, struct cel_result *result) MUST_USE;

/* What it says of the device. */
enum failure allocate_selector_ask(struct allocate_world *world, struct allocate_selector *selector, const struct allocate_device *device,
                                   enum allocate_truth *truth) MUST_USE;

/* Why it fails, as cel-go says it. */
enum failure allocate_selector_error(struct allocate_world *world, struct allocate_selector *selector,
                                     const struct allocate_device *device, struct text *text) MUST_USE;

/* The device for functions of match/, or one that is the same to selectors. */
struct match_device *allocate_evaluated(struct allocate_world *world, const struct allocate_device *device);

/* Whether a place is on the node. */
enum failure allocate_on_node(struct allocate_world *world, const struct allocate_place *place, const struct allocate_node *node,
                              bool *on) MUST_USE;

#endif
