/* The metrics as Prometheus reads them: its text format, version 0.0.4. */
#ifndef DRAWBRIDGE_OBSERVE_EXPOSITION_H
#define DRAWBRIDGE_OBSERVE_EXPOSITION_H

#include "observe/observe.h"

/* In a buffer from malloc; NULL: out of memory. */
char *exposition_text(struct observer *observer) MUST_USE;

#endif
