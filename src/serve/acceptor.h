/* Takes connections to the HTTPS port and hands them to the library, in a thread of its own. The library could do that itself, but
 * when it is told to stop taking them, one of its threads may meet that halfway, and then it aborts (0.9.75, MHD_quiesce_daemon with
 * a thread pool: twice in 200 ends under load); and without a file descriptor left it tries again at once, for ever. The
 * library's own limit of connections must never be met: its thread would wait for a lock that it holds (new_connection_process_). */
#ifndef DRAWBRIDGE_SERVE_ACCEPTOR_H
#define DRAWBRIDGE_SERVE_ACCEPTOR_H

#include <pthread.h>
#include <stdatomic.h>

#include <microhttpd.h>

struct acceptor {
    struct MHD_Daemon *daemon; /* not owned */
    unsigned most;             /* connections beyond which clients wait */
    atomic_uint held;          /* connections taken and not yet closed; one that the library loses for want of memory stays in it */
    int socket;                /* listening; owned, -1 after acceptor_stop */
    int stop;                  /* an eventfd: readable when the thread shall end */
    pthread_t thread;
};

/* Starts the thread. The fields that are not owned must be set, and `socket`. Returns 0 or an errno; the socket stays open then. */
int acceptor_start(struct acceptor *acceptor) __attribute__((warn_unused_result));

/* A connection is being closed: there is room for another. From any thread. */
void acceptor_closed(struct acceptor *acceptor);

/* Takes those that the system has connected already, and ends the thread; whoever comes later is refused. May be called twice. */
void acceptor_stop(struct acceptor *acceptor);

#endif
