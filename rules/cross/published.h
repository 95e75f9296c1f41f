/* What the slices that are given publish. */
#ifndef DRAWBRIDGE_RULES_CROSS_PUBLISHED_H
#define DRAWBRIDGE_RULES_CROSS_PUBLISHED_H

#include "rules/cross/lookup.h"

/* The first slice of the driver; NULL: none is given. */
const struct indexed *published_driver(struct cross *cross, struct bytes driver);

/* The first attribute or capacity of that domain and name; NULL: no slice has one. */
const struct indexed *published_name(struct cross *cross, struct bytes domain, struct bytes name, bool capacity);

/* Whether the driver itself publishes the name. */
bool published_by(struct cross *cross, struct bytes driver, const struct lookup_use *use);

/* Whether it is a driver or a domain in the slices. The one there of which it is a slip, *near, and where that is; NULL: none. */
bool published_domain(struct cross *cross, struct bytes domain);
const struct indexed *published_near(struct cross *cross, struct bytes domain, struct bytes *near);

/* The attribute of a device of the driver, *near with its domain, of whose name the one that is looked up is a slip. */
bool published_near_name(struct cross *cross, struct bytes driver, const struct lookup_use *use, struct bytes *near);

/* The types (attribute_type.h) of the attributes of that domain and name, and the first that is of one of them; 0: no slice has one. */
unsigned published_types(struct cross *cross, struct bytes domain, struct bytes name, const struct indexed **first);

/* The first device of the driver that does not have the name; NULL: all have it, or no slice of the driver is given. Devices of old
 * generations of their pools do not count. */
const struct indexed *published_lacking(struct cross *cross, struct bytes driver, const struct lookup_use *use);

/* The first attribute of that name as a slice of the driver writes it: with a domain, or without in that of the driver. */
const struct indexed *published_attribute(struct cross *cross, struct bytes driver, struct bytes name);

#endif
