#include "serve/handshakes.h"

#include <errno.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "serve/state.h"

enum { EVENTS = 64 }; /* taken at a time */

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
    if (!handshakes->stopping) {
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
    struct epoll_event events[EVENTS];
    for (bool stopping = false; !stopping;) {
        int count = epoll_wait(handshakes->poll, events, EVENTS, -1);
        pthread_mutex_lock(&handshakes->lock);
        for (int i = 0; i < count; i++) {
            if (events[i].data.ptr)
                resume(handshakes, events[i].data.ptr);
            else
                stopping = true;
        }
        pthread_mutex_unlock(&handshakes->lock);
    }
    return NULL;
}

static int open_descriptors(struct handshakes *handshakes)
{
    struct epoll_event stop = { .events = EPOLLIN, .data.ptr = NULL };
    handshakes->poll = epoll_create1(EPOLL_CLOEXEC);
    handshakes->stop = eventfd(0, EFD_CLOEXEC);
    if (handshakes->poll >= 0 && handshakes->stop >= 0 && epoll_ctl(handshakes->poll, EPOLL_CTL_ADD, handshakes->stop, &stop) == 0)
        return 0;
    return errno;
}

static void close_descriptors(struct handshakes *handshakes)
{
    if (handshakes->poll >= 0)
        close(handshakes->poll);
    if (handshakes->stop >= 0)
        close(handshakes->stop);
}

int handshakes_start(struct handshakes *handshakes)
{
    *handshakes = (struct handshakes){ .stopping = false };
    int error = pthread_mutex_init(&handshakes->lock, NULL);
    if (error)
        return error;
    error = open_descriptors(handshakes);
    if (!error)
        error = pthread_create(&handshakes->thread, NULL, run, handshakes);
    if (!error)
        return 0;
    close_descriptors(handshakes);
    pthread_mutex_destroy(&handshakes->lock);
    return error;
}

void handshakes_dismiss(struct handshakes *handshakes)
{
    const uint64_t one = 1;
    pthread_mutex_lock(&handshakes->lock);
    handshakes->stopping = true;
    pthread_mutex_unlock(&handshakes->lock);
    while (write(handshakes->stop, &one, sizeof one) < 0 && errno == EINTR)
        continue;
    pthread_join(handshakes->thread, NULL);
    pthread_mutex_lock(&handshakes->lock);
    while (handshakes->first)
        resume(handshakes, handshakes->first);
    pthread_mutex_unlock(&handshakes->lock);
}

void handshakes_stop(struct handshakes *handshakes)
{
    close_descriptors(handshakes);
    pthread_mutex_destroy(&handshakes->lock);
}
