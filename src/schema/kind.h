/* The kinds that have rules, by API version. The table is rules/kinds.def. */
#ifndef DRAWBRIDGE_SCHEMA_KIND_H
#define DRAWBRIDGE_SCHEMA_KIND_H

#include <stddef.h>

#include "base/bytes.h"
#include "schema/rule.h"

struct shape;

/* Who writes objects of a kind in a cluster. */
enum writer {
    WRITER_NONE,        /* nobody whose writes reach a webhook */
    WRITER_PEOPLE,      /* and what acts for them */
    WRITER_CONTROLLERS, /* and nodes, and the scheduler */
};

struct kind_writes {
    enum writer by;
    const char *outage; /* what stands still while these writes are refused, a clause in English */
};

struct kind {
    struct bytes group, version, kind; /* as in apiVersion and kind of an object */
    struct bytes resource;             /* as in a URL: lower case plural */
    const struct shape *shape;
    uint32_t traits;          /* KIND_NAMESPACED and bits that rules/ defines; tables ask for them with TRAIT() */
    struct versions served;   /* minors whose API server knows this API version */
    const char *role;         /* validated by these rules only when asked for, by this name; NULL: always */
    const char *short_name;   /* as kubectl takes it: sc; in every API version of a kind; NULL: none */
    const char *successor;    /* what replaces an API version that no API server has by itself any more; NULL: it is current */
    struct kind_writes written, status_written; /* in the first row of a kind, for all its API versions; the status subresource */
};

extern const struct kind kinds[];
extern const size_t kind_count;

/* Whether it is an API version that is neither alpha nor beta: v1. */
static inline bool api_is_stable(struct bytes version)
{
    return version.length == 2;
}

/* The newest API version of the kind that an API server of that version serves; NULL: none. */
const struct kind *kind_newest(struct bytes group, struct bytes kind, minor version);

/* The newest of those that are older than that one; NULL: none. */
const struct kind *kind_older(const struct kind *kind, minor version);

/* The kind of that group, version and kind, or NULL; none with a role. */
const struct kind *kind_find(struct bytes group, struct bytes version, struct bytes kind);

/* The same by its name in URLs. */
const struct kind *kind_find_resource(struct bytes group, struct bytes version, struct bytes resource);

/* An apiVersion as objects have it, "group/version"; the core group is "". */
struct api_version {
    struct bytes group, version;
};

struct api_version api_version_split(struct bytes api_version);

/* The same for an apiVersion as objects have it: "group/version". */
const struct kind *kind_find_api_version(struct bytes api_version, struct bytes kind);

/* The kind with that role, or NULL. */
const struct kind *kind_find_role(const char *role);

/* Whether an object of that apiVersion and kind is one of `kind`. */
bool kind_is(const struct kind *kind, struct bytes api_version, struct bytes name);

/* Whether reviews of such objects are validated. */
bool kind_is_reviewed(const struct kind *kind);

/* Whether both are the same kind of the same group, in any API version. */
static inline bool kind_same(const struct kind *a, const struct kind *b)
{
    return a && b && bytes_equal(a->kind, b->kind) && bytes_equal(a->group, b->group);
}

#endif
