/* The tables in words: every constraint of a kind, for people and for programs. */
#ifndef DRAWBRIDGE_SCHEMA_EXPLAIN_H
#define DRAWBRIDGE_SCHEMA_EXPLAIN_H

#include "schema/kind.h"
#include "schema/shape.h"

/* One constraint as a row states it. Texts live in the arena, or for ever. */
struct constraint {
    const char *field;         /* spec.drivers[].name; {} stands for a map's values, {key} for its keys; "" is the object itself */
    enum rule rule;            /* of RULE_TYPE there is one for each field: the type of its value */
    enum reason reason;
    enum severity severity;
    struct versions versions;  /* minors in which it holds */
    const struct shape *shape; /* of the value */
    const struct check *check; /* NULL for RULE_TYPE */
    const char *asks;          /* "must be one of a, b" */
    const char *when;          /* "on create, if spec.x is set"; "" for always */
    const char *source;        /* never NULL */
    const char *default_value;      /* of RULE_TYPE: what counts where nothing is written; NULL: nothing in particular */
    bool defaulted;            /* the API server writes that value */
    const char *gate;          /* the feature gate that brought the field or one around it; NULL: none */
};

/* What a constraint names and bounds, for programs. Nothing of it is owned: rows hold it. */
struct constraint_arguments {
    const char *const *values;  /* texts, ended by NULL: of RULE_ENUM those that are allowed; NULL: it names none */
    const char *const *members; /* members of objects, the same */
    const char *key;            /* a single member, path or key; NULL: none */
    bool has_min, has_max;
    int64_t min, max;           /* of numbers, bytes or entries, both included */
};

struct constraint_arguments explain_arguments(const struct constraint *constraint);

typedef void constraint_visitor(void *self, const struct constraint *constraint);

/* Visits every constraint of the kind, in the order of its tables. FAILURE_MEMORY or FAILURE_LIMIT as the arena has it. */
enum failure explain_kind(const struct kind *kind, struct arena *arena, constraint_visitor *visit, void *self) MUST_USE;

/* The check in one clause, with its conditions: "must be set, on create, if spec.x is set". In the arena; NULL: out of memory. */
const char *explain_check(const struct check *check, struct arena *arena) MUST_USE;

/* Copies a path without brackets, indexes and keys in them, and a dot at the end: spec.drivers[0].name and spec.drivers[].name both become
 * spec.drivers.name. Cut to `size` bytes with the NUL. */
void explain_plain_path(char *plain, size_t size, const char *path);

/* A type in a word or two: "string", "list of objects". In the arena, or for ever; NULL: out of memory. */
const char *explain_type(const struct shape *shape, struct arena *arena) MUST_USE;

#endif
