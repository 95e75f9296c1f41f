/* Takes connections to the HTTPS port and hands them to the library, in a thread of its own. The library could do that itself, but
 * when it is told to stop taking them, one of its threads may meet that halfway, and then it aborts (0.9.75, MHD_quiesce_daemon with
 * a thread pool: twice in 200 ends under load); and without a file descriptor left it tries again at once, for ever. */
#ifndef DRAWBRIDGE_SERVE_ACCEPTOR_H
#define DRAWBRIDGE_SERVE_ACCEPTOR_H

#include <pthread.h>
#include <stdatomic.h>

#include <microhttpd.h>

struct acceptor {
    struct MHD_Daemon *daemon; /* not owned */
    const atomic_uint *open;   /* connections now */
    unsigned most;             /* beyond which clients wait */
    int socket;                /* listening; owned, -1 after acceptor_stop */
    int stop;                  /* an eventfd: readable when the thread shall end */
    pthread_t thread;
};

/* Starts the thread. The fields that are not owned must be set, and `socket`. Returns 0 or an errno; the socket stays open then. */
int acceptor_start(struct acceptor *acceptor) __attribute__((warn_unused_result));

/* Takes those that the system has connected already, and ends the thread; whoever comes later is refused. May be called twice. */
void acceptor_stop(struct acceptor *acceptor);

#endif
