/* File descriptors: how many connections there can be. */
#ifndef DRAWBRIDGE_SERVE_DESCRIPTOR_H
#define DRAWBRIDGE_SERVE_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>

/* How many are open; -1: the system does not tell. */
int descriptors_count(void);

/* Raises the soft limit as far as LIMIT_CONNECTIONS need it. *connections: how many HTTPS connections fit beside all else, so that
 * accepting one never fails for want of a descriptor (on the status port, the library would try again at once, for ever). Returns false with a
 * text in `error` when that is less than LIMIT_CONNECTIONS_LEAST. */
bool descriptors_reserve(unsigned *connections, char *error, size_t room) __attribute__((warn_unused_result));

#endif
