#include "serve/deadline.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

enum { ROUND_MS = 250 }; /* how often deadlines are looked at, and how late one may be */

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The library notices the shutdown and closes the connection by itself. */
static void shut_down_expired(struct deadlines *deadlines)
{
    int64_t now = now_ms();
    for (struct connection *connection = deadlines->first; connection; connection = connection->next) {
        if (connection->deadline > now)
            continue;
        shutdown(connection->socket, SHUT_RDWR);
        connection->deadline = INT64_MAX;
        atomic_fetch_add(&deadlines->expired, 1);
    }
}

static void *watch(void *argument)
{
    struct deadlines *deadlines = argument;
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    pthread_mutex_lock(&deadlines->lock);
    while (!deadlines->stopping) {
        next.tv_nsec += ROUND_MS * 1000000L;
        next.tv_sec += next.tv_nsec / 1000000000;
        next.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&deadlines->wake, &deadlines->lock, &next);
        shut_down_expired(deadlines);
    }
    pthread_mutex_unlock(&deadlines->lock);
    return NULL;
}

int deadlines_start(struct deadlines *deadlines)
{
    pthread_condattr_t monotonic;
    *deadlines = (struct deadlines){ .first = NULL };
    int error = pthread_mutex_init(&deadlines->lock, NULL);
    if (error)
        return error;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&deadlines->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    error = pthread_create(&deadlines->thread, NULL, watch, deadlines);
    if (error) {
        pthread_cond_destroy(&deadlines->wake);
        pthread_mutex_destroy(&deadlines->lock);
    }
    return error;
}

void deadlines_stop(struct deadlines *deadlines)
{
    pthread_mutex_lock(&deadlines->lock);
    deadlines->stopping = true;
    pthread_cond_signal(&deadlines->wake);
    pthread_mutex_unlock(&deadlines->lock);
    pthread_join(deadlines->thread, NULL);
    pthread_cond_destroy(&deadlines->wake);
    pthread_mutex_destroy(&deadlines->lock);
}

struct connection *deadlines_open(struct deadlines *deadlines, int socket, int64_t milliseconds)
{
    struct connection *connection = malloc(sizeof *connection);
    if (!connection)
        return NULL;
    *connection = (struct connection){ .socket = socket, .deadline = now_ms() + milliseconds };
    pthread_mutex_lock(&deadlines->lock);
    connection->next = deadlines->first;
    if (deadlines->first)
        deadlines->first->previous = connection;
    deadlines->first = connection;
    pthread_mutex_unlock(&deadlines->lock);
    atomic_fetch_add(&deadlines->open, 1);
    return connection;
}

void deadlines_set(struct deadlines *deadlines, struct connection *connection, int64_t milliseconds)
{
    int64_t deadline = now_ms() + milliseconds;
    pthread_mutex_lock(&deadlines->lock);
    if (connection->deadline != INT64_MAX) /* a connection that was shut down stays so */
        connection->deadline = deadline;
    pthread_mutex_unlock(&deadlines->lock);
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
    atomic_fetch_sub(&deadlines->open, 1);
    free(connection);
}
