/* The objects that claims are matched with: slices by pool, classes, taint rules, nodes. */
#ifndef DRAWBRIDGE_MATCH_WORLD_H
#define DRAWBRIDGE_MATCH_WORLD_H

#include "base/map.h"
#include "match/device.h"

/* The slices of one driver and pool name. */
struct match_pool {
    struct bytes driver, name;
    int64_t generation;   /* the highest one that counts */
    uint32_t slices;      /* of it */
    int64_t said;         /* how many the first of them says there are */
    struct bytes twice;   /* the name of two of its devices; no data: there is none */
    struct bytes unknown; /* a counter set that a device consumes, and that is not there, or not with these counters, or twice; the same */
};

enum match_currency {
    MATCH_CURRENT,
    MATCH_OLD,       /* the pool has a slice of a higher generation */
    MATCH_ELSEWHERE, /* no device in it can be used on the node that is asked for */
    MATCH_REPEATED,  /* the same slice is given several times: the first one counts */
};

struct match_slice {
    const struct item *item;
    struct value spec;
    struct bytes name, driver;
    int64_t generation;
    struct match_pool *pool;
    enum match_currency currency;
};

struct match_device {
    const struct match_slice *slice;
    struct value value;
    struct bytes name;
    const struct cel_value *evaluated; /* see match_device_evaluated(); NULL: not made yet, or not kept */
};

/* A DeviceClass, a node, or a taint rule. */
struct match_named {
    const struct item *item;
    struct value root;
    struct bytes name;
    struct match_named *next; /* of classes: any; of taint rules: for the same device */
};

/* An object that has a value of a wrong type, and counts as not given. */
struct match_undecodable {
    struct match_undecodable *next;
    const struct item *item;
    const char *path, *message;
    uint32_t offset;
};

struct match_request;

/* What a world and its reports may take, and how they are made. */
struct match_bounds {
    size_t objects, values, report; /* bytes */
    uint64_t work;
    bool without_class; /* a request whose class is not given is matched by its own selectors */
    bool (*wants)(const struct match_request *request); /* a claim without such a request gets no verdicts; NULL: all get them */
};

struct match_world {
    struct match_bounds bounds;
    struct workspace workspace; /* its arena has everything but … */
    struct arena values;        /* … values of devices that are kept, … */
    struct arena scratch;       /* … a value that is not, … */
    struct arena evaluation;    /* … and what one evaluation makes */
    struct arena selectors;     /* what is known of each expression; the expressions have arenas of their own */
    minor version;
    bool hides_multiple;                  /* evaluations do not see that a device can be allocated several times, … */
    bool hides_lists;                     /* … and attributes that are lists have no value */
    struct bytes node;                    /* the one that is asked for; no data: any */
    const struct match_named *node_given; /* with its labels; NULL: it is not given */
    struct match_slice *slices; /* by driver, pool and name */
    struct match_pool *pools;
    struct match_device *devices; /* in the order of slices */
    uint32_t slice_count, pool_count, device_count;
    struct map classes, nodes;    /* struct match_named by name */
    struct map rules;             /* the first struct match_named by match_rule_key() */
    unsigned rule_forms;          /* a bit for each combination of driver, pool and device that a rule names */
    struct match_named *all_classes; /* linked by `next` */
    struct match_named *all_nodes;
    uint32_t node_count;
    struct match_undecodable *undecodable;
    struct match_expression *expressions;
    struct map expression_map, attribute_map; /* by text: of selectors, of derived attributes */
    uint64_t work; /* so far */
};

/* Reads the objects of these sources, which outlive the world; as they are for that node (no data: for any). After a failure (memory, a
 * limit), too, match_world_done() ends it. */
enum failure match_world_init(struct match_world *world, const struct context *context, const struct source *sources, minor version,
                              struct bytes node) MUST_USE;
enum failure match_world_init_within(struct match_world *world, const struct context *context, const struct source *sources, minor version,
                                     struct bytes node, const struct match_bounds *bounds) MUST_USE;
void match_world_done(struct match_world *world);

/* The object in the terms in which rules are written; not set: it has a value of a wrong type, which world->undecodable says then. */
enum failure match_read(struct match_world *world, const struct item *item, struct value *root) MUST_USE;

/* Remembers an object that cannot be read, and what was found there. */
enum failure match_refuse(struct match_world *world, const struct item *item, const struct check_result *result) MUST_USE;

/* Whether the item is of that kind of that group, in an API version that can be read. */
bool match_is(const struct item *item, const char *group, const char *kind);

/* Counts work. FAILURE_LIMIT: there was too much. */
enum failure match_work(struct match_world *world, uint64_t amount) MUST_USE;

/* Whether all slices of the pool's newest generation are given. */
static inline bool match_pool_is_complete(const struct match_pool *pool)
{
    return pool->slices == pool->said;
}

/* Whether the scheduler uses nothing of it. */
static inline bool match_pool_is_invalid(const struct match_pool *pool)
{
    return pool->twice.data || pool->unknown.data;
}

/* The device as evaluations see it, or an error if one of its attributes has no value: made the first time, and kept as long as there is
 * room; else valid until the next call. */
enum failure match_device_evaluated(struct match_world *world, struct match_device *device, const struct cel_value **value) MUST_USE;

#endif
