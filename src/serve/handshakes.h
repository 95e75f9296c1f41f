/* TLS handshakes that wait for their client. The library goes on asking such a connection until the client sends something, and takes a
 * whole processor for it (0.9.75, MHD_run_tls_handshake_ leaves it marked as ready); so it is suspended, and a thread resumes it. */
#ifndef DRAWBRIDGE_SERVE_HANDSHAKES_H
#define DRAWBRIDGE_SERVE_HANDSHAKES_H

#include <gnutls/gnutls.h>
#include <microhttpd.h>
#include <pthread.h>

#include "base/thread.h"

struct connection;

struct handshakes {
    struct thread thread;
    pthread_mutex_t lock;      /* guards first and the list */
    struct connection *first;  /* of those that are suspended */
    int poll;                  /* an epoll descriptor for their sockets */
};

/* Starts the thread. Returns 0 or an errno; nothing needs stopping then. */
int handshakes_start(struct handshakes *handshakes) MUST_USE;

/* A connection has begun: its session reads through us from now on. */
void handshakes_attend(struct connection *connection, struct MHD_Connection *library, gnutls_session_t session);

/* Resumes them all and ends the thread; later ones are not suspended. May be called twice. */
void handshakes_dismiss(struct handshakes *handshakes);

/* The same, and there are no connections any more. */
void handshakes_stop(struct handshakes *handshakes);

#endif
