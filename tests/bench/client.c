#include "tests/bench/client.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <openssl/err.h>

uint64_t client_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- opening and closing ---- */

static bool watch(struct client *client, uint32_t events)
{
    struct epoll_event event = { .events = events, .data.ptr = client };
    if (client->events == events)
        return true;
    int operation = client->events ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    client->events = events;
    return epoll_ctl(client->target->epoll, operation, client->socket, &event) == 0;
}

bool client_open(struct client *client)
{
    static const int one = 1;
    const struct client_target *target = client->target;
    client->socket = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    client->events = 0;
    if (client->socket < 0)
        return false;
    setsockopt(client->socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    client->tls = SSL_new(target->tls);
    if (!client->tls || SSL_set_fd(client->tls, client->socket) != 1 || SSL_set_tlsext_host_name(client->tls, target->host) != 1 ||
        SSL_set1_host(client->tls, target->host) != 1) {
        client_close(client);
        return false;
    }
    client->state = CLIENT_CONNECTING;
    bool begun = connect(client->socket, (const struct sockaddr *)&target->address, sizeof target->address) == 0 || errno == EINPROGRESS;
    if (begun && watch(client, EPOLLOUT))
        return true;
    client_close(client);
    return false;
}

void client_close(struct client *client)
{
    SSL_free(client->tls);
    client->tls = NULL;
    close(client->socket);
    client->socket = -1;
    client->state = CLIENT_CLOSED;
}

/* ---- TLS ---- */

/* After a call that returned `result`: whether waiting helps, and for what. */
static enum client_event must_wait(struct client *client, int result)
{
    int error = SSL_get_error(client->tls, result);
    bool writes = error == SSL_ERROR_WANT_WRITE;
    if (!writes && error != SSL_ERROR_WANT_READ) {
        ERR_clear_error(); /* it would be taken for the next call's */
        return CLIENT_LOST;
    }
    return watch(client, writes ? EPOLLOUT : EPOLLIN) ? CLIENT_NOTHING : CLIENT_LOST;
}

static enum client_event step_connect(struct client *client)
{
    int error = 0;
    socklen_t length = sizeof error;
    if (getsockopt(client->socket, SOL_SOCKET, SO_ERROR, &error, &length) != 0 || error)
        return CLIENT_LOST;
    client->state = CLIENT_SHAKING;
    return client_step(client);
}

static enum client_event step_handshake(struct client *client)
{
    int result = SSL_connect(client->tls);
    if (result != 1)
        return must_wait(client, result);
    client->state = CLIENT_READY;
    return watch(client, EPOLLIN) ? CLIENT_SHAKEN : CLIENT_LOST;
}

/* ---- requests and answers ---- */

void client_send(struct client *client, const struct client_request *request)
{
    client->request = request;
    client->written = client->received = client->expected = 0;
    client->started = client_now();
    client->state = CLIENT_WRITING;
}

static enum client_event step_write(struct client *client)
{
    while (client->written < client->request->size) {
        size_t left = client->request->size - client->written;
        int sent = SSL_write(client->tls, client->request->data + client->written, left > INT32_MAX ? INT32_MAX : (int)left);
        if (sent <= 0)
            return must_wait(client, sent);
        client->written += (size_t)sent;
    }
    client->state = CLIENT_READING;
    return watch(client, EPOLLIN) ? CLIENT_NOTHING : CLIENT_LOST;
}

/* The value of a header in what was received; NULL: there is none. */
static const char *header_value(const struct client *client, const char *name)
{
    size_t size = strlen(name);
    for (const char *line = strstr(client->answer, "\r\n"); line && line[2] != '\r'; line = strstr(line + 2, "\r\n"))
        if (strncasecmp(line + 2, name, size) == 0 && line[2 + size] == ':')
            return line + 2 + size + 1 + strspn(line + 2 + size + 1, " ");
    return NULL;
}

/* Looks at a complete header; answers without a length are not understood. */
static bool take_header(struct client *client, const char *body)
{
    const char *length = header_value(client, "content-length"), *connection = header_value(client, "connection"), *retry = header_value(client, "retry-after");
    if (strncmp(client->answer, "HTTP/1.1 ", 9) != 0 || !length)
        return false;
    client->status = (unsigned)strtoul(client->answer + 9, NULL, 10);
    client->closes = connection && strncasecmp(connection, "close", 5) == 0;
    client->retry_after = retry ? (unsigned)strtoul(retry, NULL, 10) : 0;
    client->expected = (size_t)(body - client->answer) + strtoul(length, NULL, 10);
    return client->expected <= CLIENT_ANSWER_BYTES;
}

static enum client_event step_read(struct client *client)
{
    while (!client->expected || client->received < client->expected) {
        size_t room = CLIENT_ANSWER_BYTES - client->received;
        int size = room ? SSL_read(client->tls, client->answer + client->received, (int)room) : -1;
        if (room == 0)
            return CLIENT_LOST;
        if (size <= 0)
            return must_wait(client, size);
        client->received += (size_t)size;
        client->answer[client->received] = '\0';
        const char *end = client->expected ? NULL : strstr(client->answer, "\r\n\r\n");
        if (end && !take_header(client, end + 4))
            return CLIENT_LOST;
    }
    client->state = CLIENT_READY;
    return CLIENT_ANSWERED;
}

/* Nothing is expected: the server closed, or wrote what TLS keeps to itself, such as tickets. */
static enum client_event step_rest(struct client *client)
{
    char byte;
    int size = SSL_read(client->tls, &byte, 1);
    return size > 0 ? CLIENT_LOST : must_wait(client, size);
}

/* A server may answer and close before it has read everything, which a request that cannot be written any more shows. */
static enum client_event step_answered_early(struct client *client)
{
    client->state = CLIENT_READING;
    return step_read(client);
}

enum client_event client_step(struct client *client)
{
    enum client_event event = CLIENT_NOTHING;
    switch (client->state) {
    case CLIENT_CONNECTING: return step_connect(client);
    case CLIENT_SHAKING:    return step_handshake(client);
    case CLIENT_READY:
    case CLIENT_WAITING:    return step_rest(client);
    case CLIENT_READING:    return step_read(client);
    case CLIENT_WRITING:
        event = step_write(client);
        return event == CLIENT_LOST ? step_answered_early(client) : event;
    case CLIENT_CLOSED:     break;
    }
    return event;
}
