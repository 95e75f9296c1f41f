/* Inside serve/: what the servers' threads share. */
#ifndef DRAWBRIDGE_SERVE_STATE_H
#define DRAWBRIDGE_SERVE_STATE_H

#include <stdatomic.h>
#include <microhttpd.h>

#include "observe/observe.h"
#include "serve/accept_filter.h"
#include "serve/acceptor.h"
#include "serve/deadline.h"
#include "serve/descriptor.h"
#include "serve/handshakes.h"
#include "serve/limits.h"
#include "serve/server.h"
#include "serve/worker_pool.h"
#include "serve/workspace_pool.h"

struct server {
    struct server_config config;
    struct descriptors descriptors;
    bool taking; /* connections; false: only to see whether it starts */
    struct MHD_Daemon *https, *status;
    struct acceptor acceptor, status_acceptor;
    struct accept_filter filter, status_filter;
    struct workspace_pool workspaces;
    struct worker_pool workers;
    struct deadlines deadlines;
    struct handshakes handshakes;
    struct observer observer;
    atomic_bool draining;
    char library_error[LIMIT_LIBRARY_ERROR_BYTES]; /* what libmicrohttpd said last while it was started */
    pthread_t starter;               /* the thread that starts and stops the server */
};

/* ---- connection.c ---- */

/* What is known of the connection, NULL when there was no memory for it. */
struct connection *connection_of(struct MHD_Connection *connection);

/* Callbacks of the daemons; `server` is their closure. */
void connection_watch_https(void *server, struct MHD_Connection *connection, void **context, enum MHD_ConnectionNotificationCode code);
void connection_watch_status(void *server, struct MHD_Connection *connection, void **context, enum MHD_ConnectionNotificationCode code);

/* ---- request.c: POST /validate. Callbacks of the HTTPS daemon; `server` is their closure ---- */

/* The request line has been read. Returns the request's state, freed by request_completed. */
void *request_begin(void *server, const char *target, struct MHD_Connection *connection);
enum MHD_Result request_handle(void *server, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
                               const char *data, size_t *data_size, void **state);
void request_completed(void *server, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode code);

/* ---- status_port.c: GET /livez, /readyz, /metrics, and a page for people ---- */

enum MHD_Result status_handle(void *server, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
                              const char *data, size_t *data_size, void **state);

/* ---- header.c: what a request line and a header say ---- */

/* Where things stand in the library's buffer, and what it no longer has when the header is complete. */
struct request_line {
    const char *method, *version;
    const char *after_target; /* the byte after the target and the NUL with which the library ends it */
    bool known_path;           /* it is /validate */
};

/* Whether the target's path is /validate, spelled like that; a query, or scheme and host before it, do not matter. */
bool header_is_validate(const char *target) MUST_USE;

/* Milliseconds that the client gives the request, by timeout= in the target's query, as API servers say it; bounded. */
int64_t header_timeout(const char *target) MUST_USE;

/* NULL when a body may come, of at most *length bytes; otherwise the text to answer with, and *answer is set. */
struct answer;
const char *header_check(struct MHD_Connection *connection, const struct request_line *line, size_t max_body, size_t *length,
                         const struct answer **answer) MUST_USE;

/* ---- answer.c: queues an answer; while the server drains, or when the connection is spent, it ends the connection ---- */

struct answer {
    unsigned status;
    const char *type;  /* Content-Type; NULL: plain text */
    const char *allow; /* the Allow header, or NULL */
    const char *policy; /* Content-Security-Policy of a page, or NULL */
    bool retry;        /* adds Retry-After */
    bool close;        /* ends the connection */
};

/* `text` is copied; answer_owned takes a text from malloc, freed even when queueing fails. MHD_NO: nothing was queued, and the
 * library shall close the connection. */
enum MHD_Result answer_copied(struct server *server, struct MHD_Connection *connection, const struct answer *answer, const char *text);
enum MHD_Result answer_owned(struct server *server, struct MHD_Connection *connection, const struct answer *answer, char *text);

#endif
