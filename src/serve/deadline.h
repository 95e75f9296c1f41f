/* Total deadlines of connections. The HTTP library's timeout is an idle timer, which a client resets with every byte; here a
 * thread shuts down the sockets of connections whose time is up. */
#ifndef DRAWBRIDGE_SERVE_DEADLINE_H
#define DRAWBRIDGE_SERVE_DEADLINE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct connection {
    struct connection *next, *previous;
    int socket;
    int64_t deadline; /* milliseconds of the monotonic clock */
};

struct deadlines {
    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t wake;
    pthread_t thread;
    struct connection *first;
    bool stopping;
    atomic_uint open;     /* connections */
    atomic_ulong expired; /* connections shut down so far */
};

/* Starts the thread. Returns 0 or an errno. */
int deadlines_start(struct deadlines *deadlines) __attribute__((warn_unused_result));

/* Ends the thread; every connection must be closed. */
void deadlines_stop(struct deadlines *deadlines);

/* Watches `socket` for `milliseconds` from now. NULL: out of memory. */
struct connection *deadlines_open(struct deadlines *deadlines, int socket, int64_t milliseconds) __attribute__((warn_unused_result));

/* Gives the connection `milliseconds` from now. */
void deadlines_set(struct deadlines *deadlines, struct connection *connection, int64_t milliseconds);

/* Forgets the connection; its socket must still be open, so that no other connection has its number yet. */
void deadlines_close(struct deadlines *deadlines, struct connection *connection);

#endif
