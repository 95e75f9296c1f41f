/* One connection of the load generator: a TLS client that writes a request, reads the answer, and does so again. */
#ifndef DRAWBRIDGE_TESTS_BENCH_CLIENT_H
#define DRAWBRIDGE_TESTS_BENCH_CLIENT_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/ssl.h>

enum { CLIENT_ANSWER_BYTES = 32 << 10 }; /* a denial's message and causes at their limits have less */

struct client_target {
    struct sockaddr_in address;
    SSL_CTX *tls;
    const char *host; /* for SNI; verified when tls verifies */
    int epoll;
};

/* A request as it goes over the line, header and body. */
struct client_request {
    char *data;
    size_t size;
};

enum client_state { CLIENT_CLOSED, CLIENT_CONNECTING, CLIENT_SHAKING, CLIENT_READY, CLIENT_WRITING, CLIENT_READING, CLIENT_WAITING };

struct client {
    const struct client_target *target;
    enum client_state state;
    int socket;
    uint32_t events; /* that epoll has been asked for */
    SSL *tls;
    const struct client_request *request;
    size_t written;
    char answer[CLIENT_ANSWER_BYTES + 1];
    size_t received, expected; /* expected: header and body, 0 until the header is complete */
    unsigned status, retry_after; /* of the last answer; seconds, 0: no such header */
    bool closes;                  /* the server ends the connection behind it */
    uint64_t started;             /* ns, when the request's first byte was to be written */
    uint64_t resume;              /* ns, while it is CLIENT_WAITING */
    void *owner;
};

enum client_event { CLIENT_NOTHING, CLIENT_SHAKEN, CLIENT_ANSWERED, CLIENT_LOST };

uint64_t client_now(void); /* ns */

/* Begins to connect; false: no socket. */
bool client_open(struct client *client);

/* Begins to write a request; the client must be CLIENT_READY. */
void client_send(struct client *client, const struct client_request *request);

/* Goes on where it stopped, until there is something to tell or the socket has to be waited for. CLIENT_LOST: the connection broke;
 * the caller closes it. */
enum client_event client_step(struct client *client);

void client_close(struct client *client);

#endif
