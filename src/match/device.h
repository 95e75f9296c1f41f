/* Slices, and their devices as the values on which selectors run. */
#ifndef DRAWBRIDGE_MATCH_DEVICE_H
#define DRAWBRIDGE_MATCH_DEVICE_H

#include "check/cross.h"
#include "schema/cel.h"
#include "validate/source.h"

/* ---- objects ---- */

/* Whether it is a ResourceSlice, in an API version that can be read: v1alpha3, too, for which there are no rows. */
bool match_is_slice(const struct item *item);

/* match_canonical() of a slice. */
enum failure match_slice(struct workspace *workspace, const struct item *item, minor version, struct check_result *result,
                         struct value *slice) MUST_USE;

/* The shape of a device, in the terms in which rules are written. */
const struct shape *match_device_shape(void);

/* Sets *value to a node, which is of that shape in some API version and bound to it, in the terms in which rules are written; or, if
 * something in it has a wrong type, only result->findings. Both are in the workspace's arena. */
enum failure match_canonical(struct workspace *workspace, const struct document *document, const struct shape *shape,
                             const struct doc_node *node, minor version, struct check_result *result, struct value *value) MUST_USE;

/* The value at a path of members, "spec.pool.name", as it is written: without defaults, and null is not set. */
struct value match_at(struct value value, const char *path);

/* ---- devices ---- */

/* Whether a device can be allocated several times. */
bool match_is_multiple(struct value device);

/* Sets *value to a device of a slice, an element of spec.devices, as an evaluation of that version of Kubernetes sees it, and *made to
 * what it was made from; `fault` there is why there is no value. multiple: whether it says that it can be
 * allocated several times, which schedulers without that feature do not tell. lists: whether attributes can be lists, which some do not
 * know. Texts are of the document, everything else is in the arena.
 * FAILURE_MEMORY or FAILURE_LIMIT: the arena failed. */
enum failure match_device_value(struct arena *arena, struct bytes driver, struct value device, bool multiple, bool lists, minor version,
                                struct cel_device *made, struct cel_value *value) MUST_USE;

#endif
