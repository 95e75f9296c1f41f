/* What an expression gives on a device of which only driver and names are looked at, not values. */
#ifndef DRAWBRIDGE_RULES_CROSS_OUTCOME_H
#define DRAWBRIDGE_RULES_CROSS_OUTCOME_H

#include "rules/cross/lookup.h"

enum outcome {
    OUTCOME_OPEN, /* it depends on values */
    OUTCOME_FALSE,
    OUTCOME_TRUE,
    OUTCOME_FAILS, /* a name is looked up that is not there, and nothing absorbs the error */
};

struct outcome_device {
    struct cross *cross;
    struct bytes driver;      /* without data: another driver than any that is written out */
    struct value device;      /* of a slice; nothing: one without attributes and capacity */
    bool failed;              /* whether a lookup failed, and the first that did */
    struct lookup_use lookup;
};

/* Follows the evaluator: a side of && that is false decides even if the other fails; a call fails with any of its arguments. Source:
 * k8s.io/dynamic-resource-allocation v0.35.4 cel/compile.go for what a device has: an empty map for a domain without names. */
enum outcome outcome_of(struct outcome_device *device, const struct cel_node *node);

/* Whether the device has the name, or any in the domain; OUTCOME_OPEN: it has too many. */
enum outcome outcome_of_presence(const struct outcome_device *device, const struct lookup_use *use);

/* What all selectors in a list give, in their order: the first that is not true decides, and *at is that one. */
enum outcome outcome_of_selectors(struct outcome_device *device, struct value selectors, struct value *at);

#endif
