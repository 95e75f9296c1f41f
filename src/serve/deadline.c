#include "serve/deadline.h"

#include <errno.h>
#include <linux/tcp.h> /* netinet/tcp.h lacks tcpi_bytes_received */
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/random.h>
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

bool connection_is_spent(const struct connection *connection)
{
    return !connection->requests_left || clock_milliseconds() >= connection->spent;
}

/* The library notices the shutdown and closes the connection by itself. */
static void end(struct deadlines *deadlines, struct connection *connection)
{
    shutdown(connection->socket, SHUT_RDWR);
    connection->ended = true;
    atomic_fetch_add(&deadlines->expired[connection->port], 1);
}

static void end_expired(struct deadlines *deadlines)
{
    int64_t now = clock_milliseconds();
    unsigned open = atomic_load(&deadlines->open[PORT_HTTPS]), excess = open > deadlines->crowd ? open - deadlines->crowd : 0;
    struct connection *connection;
    TAILQ_FOREACH (connection, &deadlines->connections, link) {
        bool in_the_way =
            excess && connection->port == PORT_HTTPS && atomic_load_explicit(&connection->crowded_deadline, memory_order_relaxed) <= now;
        if (connection->ended || (atomic_load_explicit(&connection->deadline, memory_order_relaxed) > now && !in_the_way))
            continue;
        excess -= in_the_way;
        end(deadlines, connection);
    }
}

static void *watch(void *argument)
{
    struct deadlines *deadlines = argument;
    while (thread_sleep(&deadlines->thread, LIMIT_LATE_MS)) {
        pthread_mutex_lock(&deadlines->lock);
        end_expired(deadlines);
        pthread_mutex_unlock(&deadlines->lock);
    }
    return NULL;
}

int deadlines_start(struct deadlines *deadlines, unsigned crowd)
{
    *deadlines = (struct deadlines){ .crowd = crowd };
    TAILQ_INIT(&deadlines->connections);
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
    atomic_store_explicit(&connection->since, now, memory_order_relaxed);
    atomic_store_explicit(&connection->phase, phase, memory_order_relaxed);
}

/* From three quarters of `most` to all of it, by chance: so that connections that began together do not end together. */
static unsigned some_of(unsigned most)
{
    uint32_t chance = 0;
    if (getrandom(&chance, sizeof chance, GRND_NONBLOCK) != (ssize_t)sizeof chance)
        return most;
    return most - chance % (most / 4 + 1);
}

struct connection *deadlines_open(struct deadlines *deadlines, enum port port, int socket, int64_t milliseconds)
{
    struct connection *connection = calloc(1, sizeof *connection);
    if (!connection)
        return NULL;
    connection->requests_left = some_of(LIMIT_CONNECTION_REQUESTS);
    connection->spent = clock_milliseconds() + some_of(LIMIT_CONNECTION_MS);
    connection->socket = socket;
    connection->port = port;
    set(connection, PHASE_NEW, milliseconds, milliseconds < LIMIT_CROWDED_CONNECT_MS ? milliseconds : LIMIT_CROWDED_CONNECT_MS);
    pthread_mutex_lock(&deadlines->lock);
    TAILQ_INSERT_TAIL(&deadlines->connections, connection, link);
    pthread_mutex_unlock(&deadlines->lock);
    atomic_fetch_add(&deadlines->open[port], 1);
    return connection;
}

void deadlines_begin(struct connection *connection)
{
    atomic_store_explicit(&connection->asked, true, memory_order_relaxed);
    connection->requests_left -= connection->requests_left > 0;
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

/* ---- when there is no place left ---- */

/* Whether a connection that has asked something may be ended. */
static bool is_dispensable(const struct connection *connection, int64_t now)
{
    switch (atomic_load_explicit(&connection->phase, memory_order_relaxed)) {
    case PHASE_REST:    return true;
    case PHASE_REQUEST: return now - atomic_load_explicit(&connection->since, memory_order_relaxed) > LIMIT_ROOM_REQUEST_MS;
    case PHASE_NEW:
    case PHASE_ANSWER:  break;
    }
    return false;
}

static bool is_open(const struct connection *connection)
{
    return connection->port == PORT_HTTPS && !connection->ended;
}

static bool has_asked(const struct connection *connection)
{
    return atomic_load_explicit(&connection->asked, memory_order_relaxed);
}

static bool is_quieter(const struct connection *connection, const struct connection *other)
{
    return !other || atomic_load_explicit(&connection->since, memory_order_relaxed) <
                         atomic_load_explicit(&other->since, memory_order_relaxed);
}

/* Several at once, as each time all are looked at. */
static void end_silent(struct deadlines *deadlines)
{
    unsigned left = 1 + deadlines->crowd / LIMIT_ROOM_SHARE;
    struct connection *connection;
    TAILQ_FOREACH (connection, &deadlines->connections, link) {
        if (!left || !is_open(connection) || has_asked(connection))
            continue;
        end(deadlines, connection);
        left--;
    }
}

void deadlines_make_room(struct deadlines *deadlines)
{
    unsigned silent = 0, others = 0;
    int64_t now = clock_milliseconds();
    struct connection *connection, *quietest = NULL;
    pthread_mutex_lock(&deadlines->lock);
    TAILQ_FOREACH (connection, &deadlines->connections, link) {
        bool asked = is_open(connection) && has_asked(connection);
        silent += is_open(connection) && !asked;
        others += asked;
        if (asked && is_dispensable(connection, now) && is_quieter(connection, quietest))
            quietest = connection;
    }
    if (silent > others || !quietest)
        end_silent(deadlines);
    else
        end(deadlines, quietest);
    pthread_mutex_unlock(&deadlines->lock);
}

/* ---- the end of the server ---- */

void deadlines_end(struct deadlines *deadlines)
{
    int64_t now = clock_milliseconds();
    struct connection *connection;
    pthread_mutex_lock(&deadlines->lock);
    deadlines->was_crowded = atomic_load(&deadlines->open[PORT_HTTPS]) > deadlines->crowd;
    TAILQ_FOREACH (connection, &deadlines->connections, link) {
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
    struct connection *connection;
    pthread_mutex_lock(&deadlines->lock);
    TAILQ_FOREACH (connection, &deadlines->connections, link)
        unfinished = unfinished || (connection->port == PORT_HTTPS && is_unfinished(connection, deadlines->was_crowded, now));
    pthread_mutex_unlock(&deadlines->lock);
    return unfinished;
}

void deadlines_close(struct deadlines *deadlines, struct connection *connection)
{
    pthread_mutex_lock(&deadlines->lock);
    TAILQ_REMOVE(&deadlines->connections, connection, link);
    pthread_mutex_unlock(&deadlines->lock);
    atomic_fetch_sub(&deadlines->open[connection->port], 1);
    free(connection);
}
