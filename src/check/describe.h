/* The tables in words: every constraint of a kind, for people and for programs. */
#ifndef DRAWBRIDGE_CHECK_DESCRIBE_H
#define DRAWBRIDGE_CHECK_DESCRIBE_H

#include "check/kind.h"
#include "check/shape.h"

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
    const char *standard;      /* of RULE_TYPE: what counts where nothing is written; NULL: nothing in particular */
    bool defaulted;            /* the API server writes that value */
    const char *gate;          /* the feature gate that brought the field or one around it; NULL: none */
};

typedef void constraint_visitor(void *self, const struct constraint *constraint);

/* Visits every constraint of the kind, in the order of its tables. FAILURE_MEMORY or FAILURE_LIMIT as the arena has it. */
enum failure describe_kind(const struct kind *kind, struct arena *arena, constraint_visitor *visit, void *self) MUST_USE;

/* Copies a path without brackets, indexes and keys in them, and a dot at the end: spec.drivers[0].name and spec.drivers[].name both become
 * spec.drivers.name. Cut to `size` bytes with the NUL. */
void describe_plain_path(char *plain, size_t size, const char *path);

/* The most bytes that a text of that format has; 0 where the format does not say. */
int64_t describe_format_bytes(enum format format);

/* A type in a word or two: "string", "list of objects". In the arena, or for ever; NULL: out of memory. */
const char *describe_type(const struct shape *shape, struct arena *arena) MUST_USE;

#endif
