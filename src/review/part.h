/* Inside review/: an object inside another document, which is read by itself and with its own shape. */
#ifndef DRAWBRIDGE_REVIEW_PART_H
#define DRAWBRIDGE_REVIEW_PART_H

#include "validate/validate.h"

/* The document's text up to the end of a value in it: offsets in that value count as in the document. */
static inline struct bytes part_of(const struct document *document, const struct doc_node *value)
{
    return (struct bytes){ document->source.data, value->offset + value->size };
}

/* Reads the value that begins at `start` and ends with the source, as objects of `shape` in that version are read. Allocates in the
 * workspace's arena. On a failure *error says why and where. */
enum failure part_read(struct workspace *workspace, minor version, const struct shape *shape, struct bytes source, uint32_t start,
                       struct document *document, struct doc_error *error) MUST_USE;

/* FAILURE_INPUT if a value has another type than its shape wants: *error names the first one, or `what` if it is the whole. */
enum failure part_check_types(struct workspace *workspace, const struct document *document, const struct shape *shape, const char *what,
                              struct doc_error *error) MUST_USE;

#endif
