/* The names of the modes in configurations and options. */
#ifndef DRAWBRIDGE_REVIEW_ENFORCEMENT_H
#define DRAWBRIDGE_REVIEW_ENFORCEMENT_H

#include "review/review.h"

/* "enforce", "warn", "audit", by enum enforcement; ended by NULL. */
extern const char *const enforcement_words[];

/* Sets *enforcement to the mode of that name. Returns false when there is none. */
bool enforcement_read(struct bytes text, enum enforcement *enforcement) MUST_USE;

#endif
