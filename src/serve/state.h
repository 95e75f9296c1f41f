/* Inside serve/: what the servers' threads share. */
#ifndef DRAWBRIDGE_SERVE_STATE_H
#define DRAWBRIDGE_SERVE_STATE_H

#include <stdatomic.h>
#include <microhttpd.h>

#include "serve/deadline.h"
#include "serve/metrics.h"
#include "serve/pool.h"
#include "serve/server.h"

enum { ERROR_BYTES = 256 };

struct server {
    struct server_config config;
    struct MHD_Daemon *https, *status;
    struct pool pool;
    struct deadlines deadlines;
    struct metrics metrics;
    atomic_bool draining;
    char library_error[ERROR_BYTES]; /* what libmicrohttpd said last while it was started */
    pthread_t starter;               /* the thread that starts and stops the server */
    int quiet_socket; /* the listening socket that server_drain took from the library, or -1 */
};

/* request.c: POST /validate. Callbacks of the HTTPS daemon; `server` is their closure. */
enum MHD_Result request_handle(void *server, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
                               const char *data, size_t *data_size, void **state);
void request_completed(void *server, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode code);

/* status.c: GET /livez, /readyz, /metrics. */
enum MHD_Result status_handle(void *server, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
                              const char *data, size_t *data_size, void **state);
void status_completed(void *server, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode code);

/* server.c: the connection's deadline, NULL when there was no memory for one; and its time until the next request. */
struct connection *server_connection(struct MHD_Connection *connection);
void server_rest(struct server *server, struct MHD_Connection *connection);

/* answer.c: queues an answer. `text` is copied; answer_owned takes a text from malloc, freed even when queueing fails. allow: the
 * Allow header, or NULL. retry: adds Retry-After. close: ends the connection. */
struct answer {
    unsigned status;
    const char *type; /* Content-Type */
    const char *allow;
    bool retry, close;
};
enum MHD_Result answer_copied(struct MHD_Connection *connection, const struct answer *answer, const char *text);
enum MHD_Result answer_owned(struct MHD_Connection *connection, const struct answer *answer, char *text);

#endif
