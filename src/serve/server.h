/* The webhook: an HTTPS server for reviews and a plain one for probes and metrics, on libmicrohttpd. */
#ifndef DRAWBRIDGE_SERVE_SERVER_H
#define DRAWBRIDGE_SERVE_SERVER_H

#include <stdbool.h>

#include "pki/pki.h"
#include "review/review.h"

struct server_config {
    int https_socket, status_socket; /* listening; owned by the server once it is started */
    struct pki_pair pair;            /* not owned, must outlive the server */
    struct review_settings settings;
    unsigned max_body;               /* bytes of one review, at most LIMIT_BODY_BYTES */
    unsigned threads;                /* that read, judge and answer */
};

struct server;

/* Starts both servers. Returns NULL with a text in `error` otherwise. Signals for which the caller waits must be blocked. */
struct server *server_start(const struct server_config *config, char *error, size_t room) __attribute__((warn_unused_result));

/* Ends gracefully: /readyz fails, no new connections are taken, every answer ends its connection, requests in flight have
 * LIMIT_DRAIN_MS to end, unless `hurry` returns true. */
void server_drain(struct server *server, bool (*hurry)(void));

/* Stops both servers at once and frees everything. */
void server_stop(struct server *server);

#endif
