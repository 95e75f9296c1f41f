/* Parts of expressions as people write them, and what they look up on the device. */
#ifndef DRAWBRIDGE_MATCH_PART_H
#define DRAWBRIDGE_MATCH_PART_H

#include "base/text.h"
#include "cel/value.h"

/* Adds the part; macros as they are written in the expression, of which the part is. What is long is cut. */
void match_part_add(struct text *text, const struct cel_node *node, struct bytes expression);

/* What a part looks up: device.attributes["domain"].name. */
struct match_lookup {
    const char *field;   /* "attributes" or "capacity"; NULL: nothing */
    struct bytes domain; /* no data: it is not written out */
    struct bytes name;   /* the same */
};

struct match_lookup match_lookup_of(const struct cel_node *node);

bool match_is_call(const struct cel_node *node, const char *name);

/* What has a name in the part, for a few words: model of device.attributes["d"].model, driver of device.driver. No data: nothing. */
struct bytes match_part_name(const struct cel_node *node);

/* Whether the part depends on nothing. */
bool match_is_constant(const struct cel_node *node);

#endif
