/* Whether a device can serve the capacities that a request asks for. */
#ifndef DRAWBRIDGE_MATCH_CAPACITY_H
#define DRAWBRIDGE_MATCH_CAPACITY_H

#include "base/text.h"
#include "match/world.h"

enum match_shortage_kind {
    MATCH_SERVED,
    MATCH_LACKED,    /* the device has no such capacity */
    MATCH_TOO_LITTLE,
    MATCH_ABOVE_MAX, /* of the range that its policy allows */
    MATCH_NO_VALUE,  /* of those that its policy allows is as large */
};

/* What of a request a device cannot serve. */
struct match_shortage {
    enum match_shortage_kind kind;
    struct bytes name;      /* of the capacity */
    struct bytes near;      /* of MATCH_LACKED: one of the device that may be meant; no data: none */
    struct value asked;     /* not set: the policy's default is taken */
    struct value capacity;
    bool rounded;           /* by the steps or values of the policy, … */
    int64_t amount;         /* … to so many; */
    struct value raised;    /* … or to this value */
};

/* The first that the device cannot serve; `requests` is a map of quantities. */
enum failure match_capacity_find(struct match_world *world, const struct match_device *device, struct value requests,
                                 struct match_shortage *shortage) MUST_USE;

/* Adds why, in words. */
void match_shortage_add(struct text *text, const struct match_shortage *shortage);

#endif
