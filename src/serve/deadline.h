/* Total deadlines of connections, and which of them a client is using. The HTTP library's timeout is an idle timer, which a
 * client resets with every byte; here a thread shuts down the sockets of connections whose time is up. */
#ifndef DRAWBRIDGE_SERVE_DEADLINE_H
#define DRAWBRIDGE_SERVE_DEADLINE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum port { PORT_HTTPS, PORT_STATUS, PORTS };

struct server;

struct connection {
    struct connection *next, *previous;
    int socket;
    struct server *server;    /* not owned */
    bool secured;             /* the TLS handshake is done */
    enum port port;
    int64_t deadline;         /* milliseconds of the monotonic clock */
    int64_t crowded_deadline; /* the same while connections are scarce; never later */
    uint64_t received;        /* bytes that had come in when the last answer was out */
};

struct deadlines {
    pthread_mutex_t lock; /* guards first, stopping and what is in connections */
    pthread_cond_t wake;
    pthread_t thread;
    struct connection *first;
    bool stopping;
    unsigned crowd;              /* HTTPS connections beyond this are a crowd; fixed */
    atomic_uint open[PORTS];     /* connections */
    atomic_ulong expired[PORTS]; /* connections shut down so far */
};

/* Whether the client has sent anything. Asks the system. */
bool connection_has_spoken(const struct connection *connection);

/* Milliseconds of the monotonic clock. */
int64_t deadlines_now(void);

/* Starts the thread. Returns 0 or an errno. */
int deadlines_start(struct deadlines *deadlines, unsigned crowd) __attribute__((warn_unused_result));

/* Ends the thread; every connection must be closed. */
void deadlines_stop(struct deadlines *deadlines);

/* Watches `socket` for `milliseconds` from now. NULL: out of memory. */
struct connection *deadlines_open(struct deadlines *deadlines, enum port port, int socket, int64_t milliseconds)
    __attribute__((warn_unused_result));

/* A request has begun: the connection has `milliseconds` from now. */
void deadlines_work(struct deadlines *deadlines, struct connection *connection, int64_t milliseconds);

/* Its answer is out: the next request has `milliseconds` from now, `crowded` while connections are scarce. */
void deadlines_rest(struct deadlines *deadlines, struct connection *connection, int64_t milliseconds, int64_t crowded);

/* Whether a client has sent something on a connection to the HTTPS port that has not been answered: half a handshake, half a
 * header, or a request. Asks the system about every connection, so not for every request. */
bool deadlines_unfinished(struct deadlines *deadlines) __attribute__((warn_unused_result));

/* Forgets the connection; its socket must still be open, so that no other connection has its number yet. */
void deadlines_close(struct deadlines *deadlines, struct connection *connection);

#endif
