/* The span of a YAML event's value in the file, without the anchor and the tag before it. */
#ifndef DRAWBRIDGE_DOC_YAML_SPAN_H
#define DRAWBRIDGE_DOC_YAML_SPAN_H

#include <yaml.h>

#include "doc/chunk.h"

struct yaml_span {
    uint32_t offset, end; /* bytes of the source */
};

/* Finds the span of an event that has up to `properties` anchors and tags before its value. `written` is the end of the text read so far:
 * an empty value is there, not before the next token, where libyaml has it. Returns false when a comma or bracket is part of a tag:
 * libyaml ends the tag there, the Go library does not; span->offset is then that of the tag. In UTF-16 the span includes both. */
bool yaml_span_find(struct chunk *chunk, const yaml_event_t *event, unsigned properties, uint32_t written, struct yaml_span *span);

#endif
