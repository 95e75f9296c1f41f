#include "serve/deadline.h"

#include <errno.h>
#include <linux/tcp.h> /* netinet/tcp.h lacks tcpi_bytes_received */
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "serve/limits.h"

/* 0 where the system does not say. */
static uint64_t bytes_received(int socket)
{
    struct tcp_info info = { .tcpi_bytes_received = 0 };
    socklen_t length = sizeof info;
    return getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &length) == 0 ? info.tcpi_bytes_received : 0;
}

bool connection_has_spoken(const struct connection *connection)
{
    return bytes_received(connection->socket) > 1; /* the end of its stream counts as one */
}

/* The library notices the shutdown and closes the connection by itself. */
static void shut_down_expired(struct deadlines *deadlines)
{
    int64_t now = clock_milliseconds();
    unsigned open = atomic_load(&deadlines->open[PORT_HTTPS]), excess = open > deadlines->crowd ? open - deadlines->crowd : 0;
    for (struct connection *connection = deadlines->first; connection; connection = connection->next) {
        bool in_the_way =
            excess && connection->port == PORT_HTTPS && atomic_load_explicit(&connection->crowded_deadline, memory_order_relaxed) <= now;
        if (connection->ended || (atomic_load_explicit(&connection->deadline, memory_order_relaxed) > now && !in_the_way))
            continue;
        excess -= in_the_way;
        shutdown(connection->socket, SHUT_RDWR);
        connection->ended = true;
        atomic_fetch_add(&deadlines->expired[connection->port], 1);
    }
}

static void *watch(void *argument)
{
    struct deadlines *deadlines = argument;
    while (thread_sleep(&deadlines->thread, LIMIT_LATE_MS)) {
        pthread_mutex_lock(&deadlines->lock);
        shut_down_expired(deadlines);
        pthread_mutex_unlock(&deadlines->lock);
    }
    return NULL;
}

int deadlines_start(struct deadlines *deadlines, unsigned crowd)
{
    *deadlines = (struct deadlines){ .crowd = crowd };
    int error = pthread_mutex_init(&deadlines->lock, NULL);
    if (error)
        return error;
    error = thread_start(&deadlines->thread, watch, deadlines);
    if (error)
        pthread_mutex_destroy(&deadlines->lock);
    return error;
}

void deadlines_stop(struct deadlines *deadlines)
{
    thread_stop(&deadlines->thread);
    pthread_mutex_destroy(&deadlines->lock);
}

static void set(struct connection *connection, enum phase phase, int64_t milliseconds, int64_t crowded)
{
    int64_t now = clock_milliseconds();
    atomic_store_explicit(&connection->deadline, now + milliseconds, memory_order_relaxed);
    atomic_store_explicit(&connection->crowded_deadline, now + crowded, memory_order_relaxed);
    atomic_store_explicit(&connection->phase, phase, memory_order_relaxed);
}

struct connection *deadlines_open(struct deadlines *deadlines, enum port port, int socket, int64_t milliseconds)
{
    struct connection *connection = calloc(1, sizeof *connection);
    if (!connection)
        return NULL;
    connection->socket = socket;
    connection->port = port;
    set(connection, PHASE_NEW, milliseconds, milliseconds < LIMIT_CROWDED_CONNECT_MS ? milliseconds : LIMIT_CROWDED_CONNECT_MS);
    pthread_mutex_lock(&deadlines->lock);
    connection->next = deadlines->first;
    if (deadlines->first)
        deadlines->first->previous = connection;
    deadlines->first = connection;
    pthread_mutex_unlock(&deadlines->lock);
    atomic_fetch_add(&deadlines->open[port], 1);
    return connection;
}

void deadlines_begin(struct connection *connection)
{
    set(connection, PHASE_REQUEST, LIMIT_HEADER_MS, LIMIT_HEADER_MS);
}

void deadlines_work(struct connection *connection, int64_t milliseconds)
{
    set(connection, PHASE_REQUEST, milliseconds, milliseconds);
}

void deadlines_answer(struct connection *connection)
{
    atomic_store_explicit(&connection->phase, PHASE_ANSWER, memory_order_relaxed);
}

void deadlines_rest(struct connection *connection, int64_t milliseconds, int64_t crowded)
{
    set(connection, PHASE_REST, milliseconds, crowded);
}

/* ---- the end of the server ---- */

void deadlines_end(struct deadlines *deadlines)
{
    int64_t now = clock_milliseconds();
    pthread_mutex_lock(&deadlines->lock);
    deadlines->was_crowded = atomic_load(&deadlines->open[PORT_HTTPS]) > deadlines->crowd;
    for (struct connection *connection = deadlines->first; connection; connection = connection->next) {
        enum phase phase = atomic_load(&connection->phase);
        connection->received = phase == PHASE_NEW ? 0 : bytes_received(connection->socket);
        connection->moved = phase == PHASE_REQUEST ? now : 0;
    }
    pthread_mutex_unlock(&deadlines->lock);
}

/* Whether the client has sent something of late that counts. */
static bool is_moving(struct connection *connection, bool crowded, int64_t now)
{
    uint64_t received = bytes_received(connection->socket), min = crowded ? LIMIT_DRAIN_MIN_BYTES : 1;
    if (received >= connection->received + min) {
        connection->received = received;
        connection->moved = now;
    }
    return connection->moved && now - connection->moved < (crowded ? LIMIT_DRAIN_CROWDED_MS : LIMIT_DRAIN_SILENT_MS);
}

static bool is_unfinished(struct connection *connection, bool crowded, int64_t now)
{
    switch (atomic_load(&connection->phase)) {
    case PHASE_NEW:
    case PHASE_REST:    return is_moving(connection, crowded, now);
    case PHASE_REQUEST: return !crowded || is_moving(connection, crowded, now);
    case PHASE_ANSWER:  break;
    }
    return true;
}

bool deadlines_unfinished(struct deadlines *deadlines)
{
    int64_t now = clock_milliseconds();
    bool unfinished = false;
    pthread_mutex_lock(&deadlines->lock);
    for (struct connection *connection = deadlines->first; connection && !unfinished; connection = connection->next)
        unfinished = connection->port == PORT_HTTPS && is_unfinished(connection, deadlines->was_crowded, now);
    pthread_mutex_unlock(&deadlines->lock);
    return unfinished;
}

void deadlines_close(struct deadlines *deadlines, struct connection *connection)
{
    pthread_mutex_lock(&deadlines->lock);
    if (connection->next)
        connection->next->previous = connection->previous;
    if (connection->previous)
        connection->previous->next = connection->next;
    else
        deadlines->first = connection->next;
    pthread_mutex_unlock(&deadlines->lock);
    atomic_fetch_sub(&deadlines->open[connection->port], 1);
    free(connection);
}
