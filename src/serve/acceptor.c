#include "serve/acceptor.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "serve/accept_filter.h"
#include "serve/limits.h"

static bool has_room(const struct acceptor *acceptor)
{
    return atomic_load(&acceptor->held) < acceptor->max;
}

/* The library's threads close what is ended, within a millisecond or two. Others wait in the socket's queue meanwhile. */
static void make_room(struct acceptor *acceptor)
{
    const struct timespec pause = { 0, LIMIT_ROOM_PAUSE_MS * 1000000L };
    for (unsigned i = 0; !has_room(acceptor) && !thread_is_stopping(&acceptor->thread); i++) {
        if (i % LIMIT_ROOM_PAUSES == 0)
            acceptor->make_room(acceptor->closure);
        nanosleep(&pause, NULL);
    }
}

void acceptor_pass(void *closure, int client)
{
    struct acceptor *acceptor = closure;
    struct sockaddr_storage address = { .ss_family = AF_UNSPEC };
    socklen_t length = sizeof address;
    if (getpeername(client, (struct sockaddr *)&address, &length) != 0) {
        close(client); /* it is gone again */
        return;
    }
    if (acceptor->make_room)
        make_room(acceptor);
    atomic_fetch_add(&acceptor->held, 1);
    if (MHD_add_connection(acceptor->daemon, client, (const struct sockaddr *)&address, length) != MHD_YES)
        acceptor_closed(acceptor); /* by the library */
}

static bool is_open(const struct acceptor *acceptor)
{
    return acceptor->make_room ? acceptor->max > 0 : has_room(acceptor);
}

/* Whether another one can be tried at once. */
static bool accept_one(struct acceptor *acceptor, bool *none_left)
{
    int client = accept4(acceptor->socket, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    *none_left = client < 0 && errno == EAGAIN;
    if (client < 0)
        return errno == EAGAIN || errno == EINTR || errno == ECONNABORTED;
    accept_filter_hold(acceptor->filter, client);
    return true;
}

/* Those that wait; no more than a listening socket holds, so that the stop is seen. Whether others can be tried at once. */
static bool accept_all(struct acceptor *acceptor)
{
    bool ready = true, none_left = false;
    for (unsigned i = 0; i < LIMIT_BACKLOG && ready && !none_left && is_open(acceptor); i++)
        ready = accept_one(acceptor, &none_left);
    return ready;
}

/* Milliseconds to wait for something to happen. */
static int pause_for(const struct acceptor *acceptor, bool open)
{
    int pause = open ? -1 : LIMIT_ACCEPT_PAUSE_MS, due = accept_filter_wait(acceptor->filter);
    return due < 0 || (pause >= 0 && pause < due) ? pause : due;
}

static void *run(void *argument)
{
    struct acceptor *acceptor = argument;
    bool ready = true;
    while (!thread_is_stopping(&acceptor->thread)) {
        bool open = ready && is_open(acceptor);
        struct pollfd events[] = {
            { .fd = acceptor->thread.wake, .events = POLLIN },
            { .fd = open ? acceptor->socket : -1, .events = POLLIN },
            { .fd = acceptor->filter->poll, .events = POLLIN },
        };
        (void)poll(events, sizeof events / sizeof *events, pause_for(acceptor, open));
        accept_filter_run(acceptor->filter);
        ready = !events[1].revents || accept_all(acceptor);
    }
    (void)accept_all(acceptor);
    while (acceptor->make_room && has_room(acceptor) && accept_filter_pass_oldest(acceptor->filter))
        continue;
    return NULL;
}

int acceptor_start(struct acceptor *acceptor)
{
    return thread_start(&acceptor->thread, run, acceptor);
}

void acceptor_closed(struct acceptor *acceptor)
{
    atomic_fetch_sub(&acceptor->held, 1);
}

void acceptor_stop(struct acceptor *acceptor)
{
    if (acceptor->socket < 0)
        return;
    thread_stop(&acceptor->thread);
    close(acceptor->socket);
    acceptor->socket = -1;
}
