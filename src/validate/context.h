/* Makes and frees contexts, which know all kinds. */
#ifndef DRAWBRIDGE_VALIDATE_CONTEXT_H
#define DRAWBRIDGE_VALIDATE_CONTEXT_H

#include "check/context.h"

/* Free it with context_done, but not after a failure: FAILURE_MEMORY, or FAILURE_LIMIT when the system has no random numbers to give. */
enum failure context_init(struct context *context, const struct memory *memory) MUST_USE;
void context_done(struct context *context);

#endif
