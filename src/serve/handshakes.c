#include "serve/handshakes.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "serve/limits.h"
#include "serve/state.h"

/* ---- the list; the lock is held ---- */

static void link_in(struct handshakes *handshakes, struct connection *connection)
{
    connection->waits.previous = NULL;
    connection->waits.next = handshakes->first;
    if (handshakes->first)
        handshakes->first->waits.previous = connection;
    handshakes->first = connection;
}

/* When the connection is resumed, its thread may free it at once. */
static void resume(struct handshakes *handshakes, struct connection *connection)
{
    struct connection *next = connection->waits.next, *previous = connection->waits.previous;
    if (next)
        next->waits.previous = previous;
    if (previous)
        previous->waits.next = next;
    else
        handshakes->first = next;
    MHD_resume_connection(connection->library);
}

/* ---- the connection's thread ---- */

/* One event and no more; a connection may wait several times. */
static bool arm(const struct handshakes *handshakes, struct connection *connection)
{
    struct epoll_event event = { .events = EPOLLIN | EPOLLRDHUP | EPOLLONESHOT, .data.ptr = connection };
    int operation = connection->waits.known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    connection->waits.known = true;
    return epoll_ctl(handshakes->poll, operation, connection->socket, &event) == 0;
}

/* Suspends the connection until its client sends something. Where that cannot be, the library asks again and again. */
static void wait_for_client(struct handshakes *handshakes, struct connection *connection)
{
    pthread_mutex_lock(&handshakes->lock);
    if (!thread_is_stopping(&handshakes->thread)) {
        MHD_suspend_connection(connection->library); /* first: the thread may be quicker than we are */
        link_in(handshakes, connection);
        if (!arm(handshakes, connection))
            resume(handshakes, connection);
    }
    pthread_mutex_unlock(&handshakes->lock);
}

/* What the TLS library reads with, called by the library's thread of this connection. */
static ssize_t pull(gnutls_transport_ptr_t pointer, void *data, size_t size)
{
    struct connection *connection = pointer;
    ssize_t got = recv(connection->socket, data, size, 0);
    int error = errno;
    if (got < 0 && error == EAGAIN && !connection->secured)
        wait_for_client(&connection->server->handshakes, connection);
    errno = error;
    return got;
}

void handshakes_attend(struct connection *connection, struct MHD_Connection *library, gnutls_session_t session)
{
    connection->library = library;
    gnutls_transport_set_ptr2(session, connection, (gnutls_transport_ptr_t)(intptr_t)connection->socket); /* writing stays as it was */
    gnutls_transport_set_pull_function(session, pull);
}

/* ---- the thread ---- */

static void *run(void *argument)
{
    struct handshakes *handshakes = argument;
    struct epoll_event events[LIMIT_EVENTS];
    struct pollfd ready[] = { { .fd = handshakes->thread.wake, .events = POLLIN }, { .fd = handshakes->poll, .events = POLLIN } };
    while (!thread_is_stopping(&handshakes->thread)) {
        (void)poll(ready, sizeof ready / sizeof *ready, -1);
        int count = epoll_wait(handshakes->poll, events, LIMIT_EVENTS, 0);
        pthread_mutex_lock(&handshakes->lock);
        for (int i = 0; i < count; i++)
            resume(handshakes, events[i].data.ptr);
        pthread_mutex_unlock(&handshakes->lock);
    }
    return NULL;
}

int handshakes_start(struct handshakes *handshakes)
{
    *handshakes = (struct handshakes){ .poll = epoll_create1(EPOLL_CLOEXEC) };
    if (handshakes->poll < 0)
        return errno;
    int error = pthread_mutex_init(&handshakes->lock, NULL);
    if (!error) {
        error = thread_start(&handshakes->thread, run, handshakes);
        if (!error)
            return 0;
        pthread_mutex_destroy(&handshakes->lock);
    }
    close(handshakes->poll);
    return error;
}

/* A connection that wants to wait sees the stop, or is in the list that is taken apart here. */
void handshakes_dismiss(struct handshakes *handshakes)
{
    thread_stop(&handshakes->thread);
    pthread_mutex_lock(&handshakes->lock);
    while (handshakes->first)
        resume(handshakes, handshakes->first);
    pthread_mutex_unlock(&handshakes->lock);
}

void handshakes_stop(struct handshakes *handshakes)
{
    handshakes_dismiss(handshakes);
    close(handshakes->poll);
    pthread_mutex_destroy(&handshakes->lock);
}
