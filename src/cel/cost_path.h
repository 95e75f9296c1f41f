/* Where a value comes from: device.attributes["a"] has the path device, attributes, @values. From it follows how large it may be. */
#ifndef DRAWBRIDGE_CEL_COST_PATH_H
#define DRAWBRIDGE_CEL_COST_PATH_H

#include "cel/library.h"

/* Steps that are no field. */
extern const struct bytes cel_path_keys, cel_path_values, cel_path_items, cel_path_indices;

struct cel_path;

/* The path with one more part; NULL as `path`: a path of that part alone. NULL: no memory. Paths share their storage as slices of Go do,
 * since the API server's estimate shows it: a part that is added twice to the same path is overwritten the second time, if there was room
 * for it. */
struct cel_path *cel_path_add(struct arena *arena, const struct cel_path *path, struct bytes part) MUST_USE;

/* Whether the size is known of what is at the path (NULL: nowhere), followed by `more` if that has data. Sets *size then. */
bool cel_path_size(const struct cel_library *library, const struct cel_path *path, struct bytes more, uint64_t *size);

#endif
