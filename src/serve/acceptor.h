/* Takes connections to a port and hands them to the library, in a thread of its own. The library could do that itself, but
 * when it has to stop taking them, one of its threads may be in the middle of it, and then it aborts (0.9.75, MHD_quiesce_daemon with
 * a thread pool: twice in 200 ends under load); and without a file descriptor left it tries again at once, for ever. The
 * library's own limit of connections must never be met: its thread would wait for a lock that it holds (new_connection_process_). */
#ifndef DRAWBRIDGE_SERVE_ACCEPTOR_H
#define DRAWBRIDGE_SERVE_ACCEPTOR_H

#include <stdatomic.h>

#include <microhttpd.h>

#include "base/thread.h"

struct accept_filter;

struct acceptor {
    struct MHD_Daemon *daemon;    /* not owned */
    struct accept_filter *filter; /* not owned; holds back what is accepted */
    void (*make_room)(void *closure); /* has connections of the library ended, as clients that speak want one; NULL: these wait */
    void *closure;
    unsigned max;                 /* connections of the library; without make_room a filter may pass on more, what it has by then */
    atomic_uint held;             /* connections that the library has; one that it loses for want of memory stays in it */
    int socket;                   /* listening; owned, -1 after acceptor_stop */
    struct thread thread;
};

/* Starts the thread, which alone uses the filter until acceptor_stop. The fields that are not owned must be set, and `socket`. Returns
 * 0 or an errno; the socket stays open then. */
int acceptor_start(struct acceptor *acceptor) MUST_USE;

/* Hands a connection to the library, what the filter passes on, when there is room. */
void acceptor_pass(void *acceptor, int client);

/* A connection of the library is being closed: there is room for another. From any thread. */
void acceptor_closed(struct acceptor *acceptor);

/* Takes those that the system has connected already, and ends the thread; later clients are refused. With make_room the library gets
 * all that the filter holds, as far as there is room. May be called twice. */
void acceptor_stop(struct acceptor *acceptor);

#endif
