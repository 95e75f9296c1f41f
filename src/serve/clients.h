/* Who may ask: certificates of clients, against CAs that are read again when they change. The TLS library only sees to it that a client has
 * the key of what it shows; the rest is verified here, before the first request of a connection. */
#ifndef DRAWBRIDGE_SERVE_CLIENTS_H
#define DRAWBRIDGE_SERVE_CLIENTS_H

#include <gnutls/gnutls.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>

#include "pki/client.h"
#include "observe/expiry.h"
#include "observe/limits.h"
#include "serve/watch.h"

#define CLIENTS_WHAT "client_ca" /* the source's name; the metrics know it by the same */

/* Begins with the fields that are set by hand, and zeroes. */
struct clients {
    const char *file;                      /* the CAs, PEM; NULL: clients are not asked */
    const char *names[LIMIT_CLIENT_NAMES]; /* common names that are allowed; not owned */
    unsigned name_count;                   /* 0: any */
    bool observe;                          /* refuses no client, only counts */
    pthread_mutex_t lock;                  /* guards store */
    X509_STORE *store;
    atomic_uint generation;                /* of the store, from 1 */
    struct expiry expiry;                  /* of the CA that ends first */
};

/* What is known of a connection's client; its thread's. Begins with zeroes. */
struct client {
    unsigned generation; /* of the CAs against which it was verified; 0: not yet */
    int64_t until;       /* milliseconds of the monotonic clock: when to verify it again, as certificates end */
    unsigned char result; /* enum metrics_client */
    unsigned char name;  /* as metrics_count_client has it */
};

/* Returns 0 or an errno. */
int clients_init(struct clients *clients) MUST_USE;
void clients_done(struct clients *clients);

/* What to watch; `clients` outlives the watch. */
struct watch_source clients_source(struct clients *clients);

/* Has the client of a new session asked for a certificate; it may have none. */
void clients_ask(gnutls_session_t session);

/* In a handshake, when the client's signature is here and not checked yet: 0, or an error of GnuTLS that ends the handshake. A key can be
 * made so that checking takes many seconds. */
int clients_bear(gnutls_session_t session);

/* For each request: counts its client. NULL when it may go on; otherwise the text to answer with, and *answer is set. */
struct answer;
struct server;
const char *clients_check(struct server *server, struct MHD_Connection *connection, struct client *client, const struct answer **answer)
    MUST_USE;

#endif
