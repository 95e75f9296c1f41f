/* On which nodes devices are. */
#ifndef DRAWBRIDGE_MATCH_NODE_H
#define DRAWBRIDGE_MATCH_NODE_H

#include "match/world.h"

/* Whether what is at this location can be used on a node of that name; of `node`, the labels are known (NULL: they are not, and selectors
 * by label, but for that of the host's name, count as fulfilled). */
enum failure match_on_node(struct match_world *world, struct value location, struct bytes name, const struct match_named *node,
                           bool *on) MUST_USE;

/* The object that says where the device is, with nodeName, allNodes or nodeSelector: the device itself, or the spec of its slice. */
struct value match_location(const struct match_device *device);

/* The node that a device is bound to by name; no data: it is for several, or for none. */
struct bytes match_bound_to(const struct match_device *device);

#endif
