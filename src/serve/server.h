/* The webhook: an HTTPS server for reviews and a plain one for probes and metrics, on libmicrohttpd. */
#ifndef DRAWBRIDGE_SERVE_SERVER_H
#define DRAWBRIDGE_SERVE_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "observe/expiry.h"
#include "observe/log.h"
#include "observe/metrics.h"
#include "serve/settings.h"
#include "serve/watch.h"

struct server_config {
    int https_socket, status_socket; /* listening; owned by the server once it is started */
    struct watch *watch;             /* its sources are loaded, the certificate's among them; started and stopped by the server */
    struct clients *clients;         /* NULL: clients are not asked who they are; its source is among those of the watch */
    const struct expiry *expiries[METRICS_CERTIFICATES]; /* NULL: there is no such certificate; not owned */
    struct settings_holder *settings; /* not owned, must outlive the server */
    unsigned max_body;               /* bytes of one review, at most LIMIT_BODY_BYTES */
    unsigned threads;                /* that read, validate and answer; at most LIMIT_THREADS */
    enum log_format log_format;      /* of the log, on standard error */
    bool log_objects;                /* lines have the namespace and name of a request */
    const char *program_version;     /* not owned */
};

struct server;

/* Starts both servers. Returns NULL with a text in `error` otherwise. Signals for which the caller waits must be blocked. */
struct server *server_start(const struct server_config *config, struct error *error) MUST_USE;

/* Starts both servers, has them take no connections, and stops them. Returns false with a text in `error` when they do not start. */
bool server_check(const struct server_config *config, struct error *error) MUST_USE;

/* Ends gracefully. At once /readyz fails, and every answer ends its connection; for `delay_ms` milliseconds all is served, so that
 * clients learn of it. Then no new connections are taken, and what clients have begun to send has LIMIT_DRAIN_MS to end. Returns as
 * soon as `hurry` returns true, which it must go on to do. */
void server_drain(struct server *server, int64_t delay_ms, bool (*hurry)(void));

/* Stops both servers at once and frees everything. */
void server_stop(struct server *server);

#endif
