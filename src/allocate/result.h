/* An allocation as status.allocation has it. */
#ifndef DRAWBRIDGE_ALLOCATE_RESULT_H
#define DRAWBRIDGE_ALLOCATE_RESULT_H

#include "allocate/attempt.h"

/* Adds the JSON of an AllocationResult for that claim of an attempt that ended with ALLOCATE_DONE. share: the number of the first share
 * ID, which names itself share-N; upstream draws them at random. ALLOCATE_FATAL: it has no node selector; attempt->error. */
enum allocate_outcome allocate_result_add(struct allocate_attempt *attempt, const struct allocate_claim *claim, uint32_t *share,
                                          struct text *json) MUST_USE;

/* Adds a value, and a text, as JSON. */
void allocate_json_add(struct text *json, const struct doc_node *node);
void allocate_json_add_text(struct text *json, struct bytes text);

#endif
