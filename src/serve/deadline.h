/* Total deadlines of connections, and which of them a client is using. The HTTP library's timeout is an idle timer, which a
 * client resets with every byte; here a thread shuts down the sockets of connections whose time is up. */
#ifndef DRAWBRIDGE_SERVE_DEADLINE_H
#define DRAWBRIDGE_SERVE_DEADLINE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/thread.h"
#include "observe/metrics.h"
#include "serve/clients.h"

struct server;

/* What a client is doing with a connection. */
enum phase {
    PHASE_NEW,     /* connecting, or sending the first request line */
    PHASE_REQUEST, /* a request line is here, but not all of the request */
    PHASE_ANSWER,  /* the request is complete, and no answer is out */
    PHASE_REST,    /* an answer is out, and no other request line is here */
};

/* Its own thread writes, without a lock, as it does so at each request; the others only read. */
struct connection {
    TAILQ_ENTRY(connection) link; /* guarded by the lock of struct deadlines */
    int socket;
    struct server *server;    /* not owned */
    struct MHD_Connection *library; /* the library's own; HTTPS only */
    bool secured;             /* the TLS handshake is done */
    struct {
        struct connection *next, *previous; /* guarded by the lock of struct handshakes */
        bool known;                         /* the epoll descriptor of struct handshakes has the socket */
    } waits;                  /* among the handshakes that wait for their client */
    struct client client;     /* who it is */
    enum port port;
    _Atomic(int64_t) deadline;         /* milliseconds of the monotonic clock */
    _Atomic(int64_t) crowded_deadline; /* the same while connections are scarce; never later */
    _Atomic(int64_t) since;            /* when the phase began, or the header was complete */
    _Atomic(enum phase) phase;
    atomic_bool asked;       /* a request line has come */
    unsigned requests_left;  /* after which the connection is spent */
    int64_t spent;           /* milliseconds of the monotonic clock: when it is spent anyway */
    bool ended;        /* shut down; guarded by the lock of struct deadlines */
    uint64_t received; /* bytes that had come in when the end of the server began, or at the last check after that; the ending thread's */
    int64_t moved;     /* when enough of them had come */
};

TAILQ_HEAD(connection_list, connection);

struct deadlines {
    struct thread thread;
    pthread_mutex_t lock; /* guards the list */
    struct connection_list connections; /* the one that was opened first in front */
    bool was_crowded;            /* when the end of the server began */
    unsigned crowd;              /* HTTPS connections beyond this are a crowd; fixed */
    atomic_uint open[PORTS];     /* connections */
    atomic_ulong expired[PORTS]; /* connections shut down so far */
};

/* Whether the client has sent anything. Asks the system. */
bool connection_has_spoken(const struct connection *connection);

/* Whether its next answer is to end the connection: after so many requests and so much time each API server connects anew, perhaps with
 * another replica. */
bool connection_is_spent(const struct connection *connection) MUST_USE;

/* Starts the thread. Returns 0 or an errno. */
int deadlines_start(struct deadlines *deadlines, unsigned crowd) MUST_USE;

/* Ends the thread; every connection must be closed. */
void deadlines_stop(struct deadlines *deadlines);

/* Watches `socket` for `milliseconds` from now. NULL: out of memory. */
struct connection *deadlines_open(struct deadlines *deadlines, enum port port, int socket, int64_t milliseconds) MUST_USE;

/* A request line has been read. */
void deadlines_begin(struct connection *connection);

/* The header is complete: the connection has `milliseconds` from now. */
void deadlines_work(struct connection *connection, int64_t milliseconds);

/* The request is complete; its deadline stays. */
void deadlines_answer(struct connection *connection);

/* Its answer is out: the next request has `milliseconds` from now, `crowded` while connections are scarce. */
void deadlines_rest(struct connection *connection, int64_t milliseconds, int64_t crowded);

/* Ends HTTPS connections, as others are waited for and there is no place left. Those that have never asked anything go first, the oldest
 * of them, as far as they have more than half of the places: others could keep them all by saying nothing. Otherwise it is one that
 * is at rest, or has been sending a request for LIMIT_ROOM_REQUEST_MS: the one that has been quiet for longest. */
void deadlines_make_room(struct deadlines *deadlines);

/* The end of the server begins: what clients send after this counts as new. Asks the system about every connection. */
void deadlines_end(struct deadlines *deadlines);

/* After that: whether a client is still to be waited for. One that is connecting, or has begun a request line, is as long as
 * something comes; one that has sent a request or a part of it, always. When connections were scarce, parts only as long as something
 * comes: those who took the connections would hold up the end. */
bool deadlines_unfinished(struct deadlines *deadlines) MUST_USE;

/* Forgets the connection; its socket must still be open, so that no other connection has its number yet. */
void deadlines_close(struct deadlines *deadlines, struct connection *connection);

#endif
