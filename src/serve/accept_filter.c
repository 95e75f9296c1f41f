#include "serve/accept_filter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"

/* What a client has sent so far: not all that it has to send first; all; it has closed the connection. */
enum speech { SPEECH_NONE, SPEECH_WHOLE, SPEECH_OVER };

/* A request line begins with a letter: before anything else the library may skip lines, and wait. Lines may end in a bare LF. */
bool accept_filter_is_header(const char *data, size_t length)
{
    const char *end = data + length, *at = data;
    if (length == 0 || (*data | 0x20) < 'a' || (*data | 0x20) > 'z')
        return false;
    while ((at = memchr(at, '\n', (size_t)(end - at)))) {
        at++;
        if ((at < end && *at == '\n') || (end - at >= 2 && at[0] == '\r' && at[1] == '\n'))
            return true;
    }
    return false;
}

/* RFC 8446, 5.1: type 22 is a handshake; the version; the length of what follows. */
bool accept_filter_is_hello(const char *data, size_t length)
{
    enum { TYPE_HANDSHAKE = 22, RECORD_HEADER_BYTES = 5 };
    const unsigned char *record = (const unsigned char *)data;
    if (length == 0 || record[0] != TYPE_HANDSHAKE)
        return length > 0;
    return length >= RECORD_HEADER_BYTES && length - RECORD_HEADER_BYTES >= ((size_t)record[3] << 8 | record[4]);
}

/* Leaves in the socket what the client has sent. What is too long is whole, too: the library refuses it, or takes it in pieces. */
static enum speech peek(struct accept_filter *filter, int socket)
{
    ssize_t got = recv(socket, filter->header, sizeof filter->header, MSG_PEEK | MSG_DONTWAIT);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR ? SPEECH_NONE : SPEECH_OVER;
    if (got == 0)
        return SPEECH_OVER;
    return got == sizeof filter->header || filter->is_whole(filter->header, (size_t)got) ? SPEECH_WHOLE : SPEECH_NONE;
}

/* Gives the place back; the socket is the caller's. Closing it takes it out of the epoll descriptor, so does this. */
static int let_go(struct accept_filter *filter, struct held_back *held)
{
    TAILQ_REMOVE(&filter->waiting, held, link);
    TAILQ_INSERT_HEAD(&filter->free, held, link);
    atomic_fetch_sub(&filter->count, 1);
    return held->socket;
}

/* By a reset, so that nothing of it stays in the kernel. */
static void drop(struct accept_filter *filter, struct held_back *held)
{
    const struct linger reset = { .l_onoff = 1, .l_linger = 0 };
    int client = let_go(filter, held);
    (void)setsockopt(client, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    close(client);
}

/* The client would have gone on waiting. */
static void end(struct accept_filter *filter, struct held_back *held)
{
    drop(filter, held);
    atomic_fetch_add(&filter->ended, 1);
}

static void pass(struct accept_filter *filter, struct held_back *held)
{
    int client = let_go(filter, held);
    (void)epoll_ctl(filter->poll, EPOLL_CTL_DEL, client, NULL);
    filter->pass(filter->closure, client);
}

bool accept_filter_pass_oldest(struct accept_filter *filter)
{
    if (TAILQ_EMPTY(&filter->waiting))
        return false;
    pass(filter, TAILQ_FIRST(&filter->waiting));
    return true;
}

bool accept_filter_end_oldest(struct accept_filter *filter)
{
    struct held_back *oldest;
    while ((oldest = TAILQ_FIRST(&filter->waiting))) {
        if (peek(filter, oldest->socket) != SPEECH_WHOLE) {
            end(filter, oldest);
            return true;
        }
        pass(filter, oldest);
    }
    return false;
}

void accept_filter_hold(struct accept_filter *filter, int socket)
{
    if (TAILQ_EMPTY(&filter->free))
        (void)accept_filter_end_oldest(filter); /* or it was passed on, which leaves a place, too */
    struct held_back *held = TAILQ_FIRST(&filter->free);
    struct epoll_event event = { .events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data.ptr = held };
    TAILQ_REMOVE(&filter->free, held, link);
    TAILQ_INSERT_TAIL(&filter->waiting, held, link);
    held->socket = socket;
    held->until = clock_milliseconds() + filter->milliseconds;
    atomic_fetch_add(&filter->count, 1);
    if (epoll_ctl(filter->poll, EPOLL_CTL_ADD, socket, &event) != 0)
        drop(filter, held);
}

/* What its client sends after this is another event. */
static void handle_event(struct accept_filter *filter, const struct epoll_event *event)
{
    struct held_back *held = event->data.ptr;
    enum speech speech = peek(filter, held->socket);
    if (speech == SPEECH_WHOLE)
        pass(filter, held);
    else if (speech == SPEECH_OVER || event->events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR))
        drop(filter, held);
}

void accept_filter_run(struct accept_filter *filter)
{
    struct epoll_event events[LIMIT_EVENTS];
    int count = epoll_wait(filter->poll, events, LIMIT_EVENTS, 0);
    for (int i = 0; i < count; i++) /* each of another connection, so none of a place that was given back since */
        handle_event(filter, &events[i]);
    int64_t now = clock_milliseconds();
    while (!TAILQ_EMPTY(&filter->waiting) && TAILQ_FIRST(&filter->waiting)->until <= now)
        end(filter, TAILQ_FIRST(&filter->waiting));
}

int accept_filter_wait(const struct accept_filter *filter)
{
    const struct held_back *oldest = TAILQ_FIRST(&filter->waiting);
    int64_t left = oldest ? oldest->until - clock_milliseconds() : -1;
    return oldest && left < 0 ? 0 : (int)left;
}

int accept_filter_init(struct accept_filter *filter, unsigned places)
{
    filter->poll = epoll_create1(EPOLL_CLOEXEC);
    if (filter->poll < 0)
        return errno;
    filter->places = calloc(places, sizeof *filter->places);
    if (!filter->places) {
        close(filter->poll);
        return ENOMEM;
    }
    TAILQ_INIT(&filter->waiting);
    TAILQ_INIT(&filter->free);
    for (unsigned i = 0; i < places; i++)
        TAILQ_INSERT_TAIL(&filter->free, &filter->places[i], link);
    return 0;
}

void accept_filter_done(struct accept_filter *filter)
{
    while (!TAILQ_EMPTY(&filter->waiting))
        drop(filter, TAILQ_FIRST(&filter->waiting));
    close(filter->poll);
    free(filter->places);
}
