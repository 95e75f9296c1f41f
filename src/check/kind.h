/* The kinds that have rules, by API version. The table is rules/kinds.def. */
#ifndef DRAWBRIDGE_CHECK_KIND_H
#define DRAWBRIDGE_CHECK_KIND_H

#include <stddef.h>

#include "base/bytes.h"
#include "check/rule.h"

struct shape;

struct kind {
    struct bytes group, version, kind; /* as in apiVersion and kind of an object */
    struct bytes resource;             /* as in a URL: lower case plural */
    const struct shape *shape;
    uint32_t traits;          /* KIND_NAMESPACED and bits that rules/ defines; tables ask for them with TRAIT() */
    struct versions served;   /* minors whose API server knows this API version */
    const char *role;         /* judged by these rules only when asked for, by this name; NULL: always */
    const char *successor;    /* what replaces an API version that no API server has by itself any more; NULL: it is current */
};

extern const struct kind kinds[];
extern const size_t kind_count;

/* A feature gate. The table is rules/gates.def. */
struct gate {
    const char *name;
    minor on_since; /* the first minor that has it on by default; 0: none that is known */
};

extern const struct gate gates[];
extern const size_t gate_count;

/* Whether that version has the gate on, unless it is told otherwise. */
bool gate_is_on(const char *name, minor version);

/* The end of an API version. The table is rules/lifecycle.def. */
struct api_end {
    struct bytes group, version, kind;
    minor last;         /* that serves it; 0: none known here has ended it */
    minor deprecated;   /* the first that warns of it; 0: none did as long as it was served */
    const char *change; /* what changes with the API version to use instead, a clause in English */
};

extern const char api_end_same[]; /* as .change: nothing but the apiVersion */
extern const struct api_end api_ends[];
extern const size_t api_end_count;

/* The row of that API version, or, with version.data NULL, the first of that kind; NULL: it goes on. */
const struct api_end *api_end_find(struct bytes group, struct bytes version, struct bytes kind);

/* The newest API version of the kind that an API server of that version serves; NULL: none. */
const struct kind *kind_newest(struct bytes group, struct bytes kind, minor version);

/* The kind of that group, version and kind, or NULL; none with a role. */
const struct kind *kind_find(struct bytes group, struct bytes version, struct bytes kind);

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

/* Whether both are the same kind of the same group, in any API version. */
bool kind_same(const struct kind *a, const struct kind *b);

#endif
