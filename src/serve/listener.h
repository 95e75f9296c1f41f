/* Listening sockets from HOST:PORT. */
#ifndef DRAWBRIDGE_SERVE_LISTENER_H
#define DRAWBRIDGE_SERVE_LISTENER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct listener_address {
    char host[256]; /* a name or a numeric address, without brackets; "": every address */
    char port[6];   /* digits */
};

/* Reads HOST:PORT, [IPV6]:PORT, or :PORT for every address. Returns false when it is none of these. */
bool listener_parse(const char *text, struct listener_address *address) MUST_USE;

/* Opens a listening socket; port 0 takes a free one. Returns false with *error set otherwise. */
bool listener_open(const struct listener_address *address, int *socket, struct error *error) MUST_USE;

enum { LISTENER_NAME = 160 }; /* bytes of an address as text, with its NUL */

/* The address that the socket has: numeric HOST:PORT. */
void listener_name(int socket, char text[LISTENER_NAME]);

#endif
