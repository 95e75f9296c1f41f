/* Where in the file the value of a YAML event stands, without the anchor and the tag before it. */
#ifndef DRAWBRIDGE_DOC_YAML_PLACE_H
#define DRAWBRIDGE_DOC_YAML_PLACE_H

#include <yaml.h>

#include "doc/chunk.h"

struct yaml_place {
    uint32_t offset, end; /* bytes of the source */
};

/* The place of an event that has up to `properties` anchors and tags in front. `written` is where the text that has been read ends: what
 * is not written at all stands there, and not where libyaml puts it, before the next thing. Returns false, with place->offset at
 * it, when a tag runs into a comma or bracket, where libyaml ends it and the Go library does not. In UTF-16 anchor and tag are not told
 * from the value. */
bool yaml_place_find(struct chunk *chunk, const yaml_event_t *event, unsigned properties, uint32_t written, struct yaml_place *place);

#endif
