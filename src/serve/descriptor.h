/* File descriptors: how many connections there can be. */
#ifndef DRAWBRIDGE_SERVE_DESCRIPTOR_H
#define DRAWBRIDGE_SERVE_DESCRIPTOR_H

#include <stdbool.h>

#include "base/error.h"

/* How many connections there may be. */
struct descriptors {
    unsigned https;          /* LIMIT_CONNECTIONS_MIN to LIMIT_CONNECTIONS */
    unsigned https_waiting;  /* without a ClientHello yet: LIMIT_HELLO_WAITING_MIN to LIMIT_HELLO_WAITING */
    unsigned status_waiting; /* to the status port, without a header yet: LIMIT_STATUS_WAITING_MIN to LIMIT_STATUS_WAITING */
};

/* Raises the soft limit as far as these need it, so that accepting one never fails for want of a descriptor. Where there are fewer, the
 * HTTPS port comes first. Returns false with a text in `error` when there are too few even for the minimum. */
bool descriptors_reserve(struct descriptors *descriptors, struct error *error) MUST_USE;

#endif
