/* The interface through which a set asks which devices are for the requests of its claims; match/in_set.c implements it, which is further
 * down. */
#ifndef DRAWBRIDGE_VALIDATE_MATCHER_H
#define DRAWBRIDGE_VALIDATE_MATCHER_H

#include "check/context.h"
#include "check/matched.h"
#include "schema/rule.h"

struct matching;
struct source;

struct matcher {
    /* For the objects of these sources, which outlive it. Nothing is read of them before the first question. */
    enum failure (*new)(const struct context *context, const struct source *sources, minor version, struct matching **matching);
    /* Answers cross_matched(). *known: whether there is an answer. FAILURE_MEMORY; what takes too long is not known. */
    enum failure (*find)(struct matching *matching, const struct object *object, struct bytes request, struct bytes choice, bool *known,
                         struct matched *matched);
    void (*free)(struct matching *matching);
};

#endif
