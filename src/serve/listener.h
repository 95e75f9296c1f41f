/* Listening sockets from HOST:PORT. */
#ifndef DRAWBRIDGE_SERVE_LISTENER_H
#define DRAWBRIDGE_SERVE_LISTENER_H

#include <stdbool.h>
#include <stddef.h>

/* Opens a listening socket at `address`: HOST:PORT, [IPV6]:PORT, or :PORT for every address; port 0 takes a free one. Returns
 * false with a text in `error` (without a final stop) otherwise. */
bool listener_open(const char *address, int *socket, char *error, size_t room) __attribute__((warn_unused_result));

/* The address that the socket has: numeric HOST:PORT. */
void listener_address(int socket, char *address, size_t room);

#endif
