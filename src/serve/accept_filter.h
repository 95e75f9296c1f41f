/* An accept filter, as FreeBSD's accf_http(9) is one: it holds connections back from the HTTP library until their client has sent a
 * whole request header or, where TLS is spoken, a whole ClientHello. Clients that never do so can take a place here, and nothing else.
 * When all places are taken, the client that has waited longest loses its own: so there is always one for clients that speak at once,
 * as API servers and probes do. For one acceptor's thread. */
#ifndef DRAWBRIDGE_SERVE_ACCEPT_FILTER_H
#define DRAWBRIDGE_SERVE_ACCEPT_FILTER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/failure.h"
#include "serve/limits.h"

struct held_back {
    TAILQ_ENTRY(held_back) link;
    int socket;
    int64_t until; /* milliseconds of the monotonic clock */
};
TAILQ_HEAD(held_back_list, held_back);

struct accept_filter {
    void (*pass)(void *closure, int socket); /* takes a connection whose client has spoken; set before accept_filter_init */
    void *closure;
    bool (*is_whole)(const char *data, size_t length); /* what a client has to send first; set before, too */
    int milliseconds;             /* for how long it may take to; the same */
    int poll;                     /* an epoll descriptor: readable when accept_filter_run has something to do */
    struct held_back *places;     /* owned; each is in one of the lists */
    struct held_back_list waiting; /* the one that came first, and ends first, in front */
    struct held_back_list free;
    atomic_uint count;   /* connections held back; other threads read it */
    atomic_ulong ended;  /* connections ended here so far, for want of time or place; the same */
    char header[LIMIT_STATUS_HEADER_BYTES]; /* what one of the clients has sent */
};

/* Makes `places`, at least one. Returns 0 or an errno; nothing needs freeing then. */
int accept_filter_init(struct accept_filter *filter, unsigned places) MUST_USE;

/* Ends what is held back. */
void accept_filter_done(struct accept_filter *filter);

/* Takes a connection that was just accepted. */
void accept_filter_hold(struct accept_filter *filter, int socket);

/* Passes on those whose client has spoken by now, and ends those whose time is over. */
void accept_filter_run(struct accept_filter *filter);

/* Passes on the client that has waited longest, whatever it has sent. False: none is left. */
bool accept_filter_pass_oldest(struct accept_filter *filter) MUST_USE;

/* Ends the client that has waited longest. One that turns out to have spoken is passed on, and the next one has its turn. False:
 * none is left. */
bool accept_filter_end_oldest(struct accept_filter *filter);

/* Milliseconds until accept_filter_run has something to do even if nobody speaks; -1: for ever. */
int accept_filter_wait(const struct accept_filter *filter) MUST_USE;

/* Whether the bytes, the first that a client has sent, hold a whole request header as far as the HTTP library is concerned: it then answers
 * or hangs up, but waits for nothing more than a body. */
bool accept_filter_is_header(const char *data, size_t length) MUST_USE;

/* The same for a whole TLS record, the first of a handshake. What is none is whole, too: the TLS library refuses it. */
bool accept_filter_is_hello(const char *data, size_t length) MUST_USE;

#endif
