/* Regular expressions as Go's package regexp reads them (RE2 syntax with Perl's extensions), which CEL's functions take: refused in Go's
 * words, or a tree (regexp_node.h). Source: Go's regexp/syntax, 1.24 to 1.26, with which this is compared. */
#ifndef DRAWBRIDGE_CEL_REGEXP_H
#define DRAWBRIDGE_CEL_REGEXP_H

#include "base/arena.h"
#include "cel/unicode.h"

struct regexp_node;

/* How the API server of a minor version of Kubernetes reads regular expressions. */
enum cel_regexp_dialect cel_regexp_dialect(unsigned version);

/* Classes with names, made when a regular expression first has them, and kept for others. Is in `arena`, which is the caller's. */
struct cel_regexp_classes {
    struct arena *arena;
    enum cel_regexp_dialect dialect;
    struct ranges_builder builder;
    struct regexp_class **list; /* see regexp_class.c; NULL: none has been needed */
    uint32_t brackets;          /* how many have been read */
};

void cel_regexp_classes_init(struct cel_regexp_classes *classes, enum cel_regexp_dialect dialect, struct arena *arena);

struct cel_regexp {
    struct bytes error;       /* why Go refuses it, in its words, with a NUL after; length 0: it does not */
    struct regexp_node *root; /* else what it is */
};

/* Reads a regular expression. What is in *result is in `arena`, and in that of the classes. FAILURE_LIMIT: longer than
 * LIMIT_CEL_REGEXP_BYTES, or an arena's limit; FAILURE_MEMORY. */
enum failure cel_regexp_read(struct bytes text, struct cel_regexp_classes *classes, struct arena *arena,
                             struct cel_regexp *result) MUST_USE;

#endif
