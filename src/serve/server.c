#include "serve/server.h"

#include <gnutls/gnutls.h>
#include <limits.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "observe/limits.h"
#include "serve/limits.h"
#include "serve/listener.h"
#include "serve/priorities.h"
#include "serve/state.h"
#include "serve/tls.h"

_Static_assert(2 * LIMIT_THREADS <= LIMIT_SHARDS, "each thread that reads or validates has counters of its own");

/* The library's messages matter when it is started. Those of its threads do not: under attack there is one for each bad byte. */
__attribute__((format(printf, 2, 0)))
static void take_message(void *closure, const char *format, va_list arguments)
{
    struct server *server = closure;
    if (pthread_equal(pthread_self(), server->starter))
        vsnprintf(server->library_error, sizeof server->library_error, format, arguments);
}

/* In place of the library's own, which decodes: no path here needs it, and "/livez%00x" would become "/livez". */
static size_t leave_escaped(void *closure, struct MHD_Connection *connection, char *text)
{
    (void)closure;
    (void)connection;
    return strlen(text);
}

/* The connections of both servers come from acceptors. MHD_USE_ITC: without it, stopping hangs when the connection limit is reached. */
static struct MHD_Daemon *start_https(struct server *server)
{
    const struct server_config *config = &server->config;
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_TLS | MHD_USE_ERROR_LOG | MHD_ALLOW_SUSPEND_RESUME,
        0, NULL, NULL, request_handle, server,
        MHD_OPTION_EXTERNAL_LOGGER, take_message, server,
        MHD_OPTION_HTTPS_CERT_CALLBACK, tls_retrieve,
        MHD_OPTION_HTTPS_PRIORITIES, TLS_PRIORITIES,
        MHD_OPTION_NOTIFY_CONNECTION, connection_watch_https, server,
        MHD_OPTION_URI_LOG_CALLBACK, request_begin, server,
        MHD_OPTION_NOTIFY_COMPLETED, request_completed, server,
        MHD_OPTION_THREAD_POOL_SIZE, config->threads > 1 ? config->threads : 0u,
        MHD_OPTION_CONNECTION_LIMIT, UINT_MAX / 2, /* the acceptor sees to it */
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)LIMIT_HEADER_BYTES,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
        MHD_OPTION_END);
}

static struct MHD_Daemon *start_status(struct server *server)
{
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ERROR_LOG, 0, NULL, NULL, status_handle, server,
        MHD_OPTION_EXTERNAL_LOGGER, take_message, server,
        MHD_OPTION_NOTIFY_CONNECTION, connection_watch_status, server,
        MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, NULL,
        MHD_OPTION_CONNECTION_LIMIT, UINT_MAX / 2, /* the acceptor sees to it */
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)LIMIT_STATUS_HEADER_BYTES,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)(LIMIT_STATUS_MS / 1000),
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
        MHD_OPTION_END);
}

/* ---- what is observed ---- */

static void add_held_back(struct gauges *gauges, enum port port, const struct accept_filter *filter)
{
    gauges->connections[port] += atomic_load(&filter->count);
    gauges->expired[port] += atomic_load(&filter->ended);
}

/* Connections that the filters hold back are open, too. */
static void read_gauges(void *closure, struct gauges *gauges)
{
    struct server *server = closure;
    const struct stance stance = settings_stance(server->config.settings);
    *gauges = (struct gauges){
        .draining = atomic_load(&server->draining),
        .mode = stance.mode,
        .version = stance.version,
        .waiting = atomic_load(&server->workers.waiting),
        .busy = atomic_load(&server->workers.busy),
    };
    for (int i = 0; i < PORTS; i++) {
        gauges->connections[i] = atomic_load(&server->deadlines.open[i]);
        gauges->expired[i] = atomic_load(&server->deadlines.expired[i]);
    }
    add_held_back(gauges, PORT_HTTPS, &server->filter);
    add_held_back(gauges, PORT_STATUS, &server->status_filter);
}

static bool start_observer(struct server *server)
{
    struct observer_config config = {
        .gauges = read_gauges, .closure = server,
        .program_version = server->config.program_version, .http_library = MHD_get_version(), .tls_library = gnutls_check_version(NULL),
        .log_descriptor = STDERR_FILENO, .log_format = server->config.log_format,
        .log_objects = server->config.log_objects,
    };
    memcpy(config.expiries, server->config.expiries, sizeof config.expiries);
    if (server->config.clients) {
        config.client_names = server->config.clients->names;
        config.client_name_count = server->config.clients->name_count;
    }
    return observer_start(&server->observer, &config) == 0;
}

/* For watch_start, with the server as closure. */
static void report_news(void *closure, const char *what, enum watch_news news, const char *text)
{
    struct server *server = closure;
    switch (news) {
    case WATCH_LOADED:  observe_reload(&server->observer, what, true, text); break;
    case WATCH_REFUSED: observe_reload(&server->observer, what, false, text); break;
    case WATCH_WARNING: observe_certificate_end(&server->observer, what, text); break;
    }
}

static void announce(struct server *server)
{
    char https[LISTENER_NAME], status[LISTENER_NAME];
    listener_name(server->config.https_socket, https);
    listener_name(server->config.status_socket, status);
    observe_start(&server->observer, server->config.threads, server->descriptors.https, https, status);
}

/* ---- the parts ---- */

/* The parts of a server in the order in which they are started. The last ones take connections: those of the status port come last, so that
 * /readyz answers when reviews are taken. */
enum part {
    PART_MEMORY, PART_OBSERVER, PART_WORKSPACES, PART_WORKERS, PART_DEADLINES, PART_HANDSHAKES, PART_HTTPS, PART_STATUS,
    PART_WATCH, PART_FILTER, PART_ACCEPTOR, PART_STATUS_FILTER, PART_STATUS_ACCEPTOR, PARTS,
};

static const char *const part_names[PARTS] = {
    [PART_MEMORY] = "memory",
    [PART_OBSERVER] = "a thread",
    [PART_WORKSPACES] = "the workers",
    [PART_WORKERS] = "the workers",
    [PART_DEADLINES] = "a thread",
    [PART_HANDSHAKES] = "a thread",
    [PART_HTTPS] = "the HTTPS server",
    [PART_STATUS] = "the status server",
    [PART_WATCH] = "a thread",
    [PART_ACCEPTOR] = "a thread",
    [PART_FILTER] = "the HTTPS server",
    [PART_STATUS_FILTER] = "the status server",
    [PART_STATUS_ACCEPTOR] = "a thread",
};

/* Where HTTPS connections wait until their client has sent a ClientHello. */
static bool start_filter(struct server *server)
{
    server->filter.pass = acceptor_pass;
    server->filter.closure = &server->acceptor;
    server->filter.is_whole = accept_filter_is_hello;
    server->filter.milliseconds = LIMIT_CONNECT_MS;
    return accept_filter_init(&server->filter, server->descriptors.https_waiting) == 0;
}

static void make_room(void *closure)
{
    struct server *server = closure;
    deadlines_make_room(&server->deadlines);
}

static bool start_acceptor(struct server *server)
{
    server->acceptor = (struct acceptor){
        .daemon = server->https, .filter = &server->filter, .make_room = make_room, .closure = server,
        .max = server->taking ? server->descriptors.https : 0, .socket = server->config.https_socket };
    return acceptor_start(&server->acceptor) == 0;
}

/* Where connections to the status port wait until their client has sent a header. Their sockets take over the sizes of the listening
 * one: no client leaves much in the kernel, and every answer fits, so that clients who do not read it keep no connection. */
static bool start_status_filter(struct server *server)
{
    const int received = 2 * LIMIT_STATUS_HEADER_BYTES, sent = LIMIT_STATUS_ANSWER_BYTES, status = server->config.status_socket;
    (void)setsockopt(status, SOL_SOCKET, SO_RCVBUF, &received, sizeof received);
    (void)setsockopt(status, SOL_SOCKET, SO_SNDBUF, &sent, sizeof sent);
    server->status_filter.pass = acceptor_pass;
    server->status_filter.closure = &server->status_acceptor;
    server->status_filter.is_whole = accept_filter_is_header;
    server->status_filter.milliseconds = LIMIT_STATUS_MS;
    return accept_filter_init(&server->status_filter, server->descriptors.status_waiting) == 0;
}

static bool start_status_acceptor(struct server *server)
{
    server->status_acceptor = (struct acceptor){
        .daemon = server->status, .filter = &server->status_filter, .max = server->taking ? LIMIT_STATUS_CONNECTIONS : 0,
        .socket = server->config.status_socket };
    return acceptor_start(&server->status_acceptor) == 0;
}

/* Threads for large reviews: two at least, so that a very large one does not hold up the others. */
static unsigned worker_count(const struct server *server)
{
    return server->config.threads < 2 ? 2 : server->config.threads;
}

static bool start_part(struct server *server, enum part part)
{
    switch (part) {
    case PART_MEMORY:    return true;
    case PART_OBSERVER:  return start_observer(server);
    case PART_WORKSPACES: return workspace_pool_init(&server->workspaces, server->config.threads + worker_count(server)) == FAILURE_NONE;
    case PART_WORKERS:   return worker_pool_start(&server->workers, worker_count(server)) == 0;
    case PART_DEADLINES: return deadlines_start(&server->deadlines, server->descriptors.https * LIMIT_CROWDED_PERCENT / 100) == 0;
    case PART_HANDSHAKES: return handshakes_start(&server->handshakes) == 0;
    case PART_HTTPS:     return (server->https = start_https(server)) != NULL;
    case PART_STATUS:    return (server->status = start_status(server)) != NULL;
    case PART_WATCH:     return watch_start(server->config.watch, report_news, server) == 0;
    case PART_FILTER:    return start_filter(server);
    case PART_ACCEPTOR:  return start_acceptor(server);
    case PART_STATUS_FILTER: return start_status_filter(server);
    case PART_STATUS_ACCEPTOR: return start_status_acceptor(server);
    case PARTS:          break;
    }
    return false;
}

/* The library cannot stop while connections are suspended. */
static void stop_https(struct server *server)
{
    worker_pool_dismiss(&server->workers);
    handshakes_dismiss(&server->handshakes);
    MHD_stop_daemon(server->https);
}

/* Stops the parts before `part`, the last one first. */
static void stop_parts(struct server *server, int part)
{
    while (--part >= 0) {
        switch ((enum part)part) {
        case PART_MEMORY:    free(server); break;
        case PART_OBSERVER:  observer_stop(&server->observer); break;
        case PART_WORKSPACES: workspace_pool_done(&server->workspaces); break;
        case PART_WORKERS:   worker_pool_stop(&server->workers); break;
        case PART_DEADLINES: deadlines_stop(&server->deadlines); break;
        case PART_HANDSHAKES: handshakes_stop(&server->handshakes); break;
        case PART_HTTPS:     stop_https(server); break;
        case PART_STATUS:    MHD_stop_daemon(server->status); break;
        case PART_WATCH:     watch_stop(server->config.watch); break;
        case PART_ACCEPTOR:  acceptor_stop(&server->acceptor); break;
        case PART_FILTER:    accept_filter_done(&server->filter); break;
        case PART_STATUS_FILTER: accept_filter_done(&server->status_filter); break;
        case PART_STATUS_ACCEPTOR: acceptor_stop(&server->status_acceptor); break;
        case PARTS:          break;
        }
    }
}

/* Memory of very large bodies goes back when they are validated; that of smaller ones is used again, as a fresh page from the system
 * costs as much as the validation of 100 bytes. */
static void set_allocator(unsigned threads)
{
    mallopt(M_MMAP_THRESHOLD, LIMIT_HEAP_BLOCK_BYTES);
    mallopt(M_TRIM_THRESHOLD, LIMIT_HEAP_SPARE_BYTES);
    mallopt(M_TOP_PAD, LIMIT_HEAP_SPARE_BYTES);
    mallopt(M_ARENA_MAX, (int)threads + 1);
}

/* Starts all parts. Without `taking` the acceptors find no room for a connection. */
static struct server *start_parts(const struct server_config *config, bool taking, struct error *error)
{
    struct descriptors descriptors;
    if (!descriptors_reserve(&descriptors, error))
        return NULL;
    struct server *server = calloc(1, sizeof *server);
    if (!server) {
        (void)error_set(error, FAILURE_MEMORY, "out of memory");
        return NULL;
    }
    set_allocator(config->threads);
    server->config = *config;
    server->descriptors = descriptors;
    server->taking = taking;
    server->starter = pthread_self();
    for (int part = 0; part < PARTS; part++) {
        if (start_part(server, (enum part)part))
            continue;
        const char *said = server->library_error;
        (void)error_set(error, FAILURE_INTERNAL, "cannot start %s%s%.*s", part_names[part], *said ? ": " : "", (int)strcspn(said, "\n"),
                        said);
        stop_parts(server, part);
        return NULL;
    }
    return server;
}

struct server *server_start(const struct server_config *config, struct error *error)
{
    struct server *server = start_parts(config, true, error);
    if (server)
        announce(server);
    return server;
}

/* ---- the end ---- */

/* Waits a little. False: it is `end`, or the caller is in a hurry. */
static bool wait_more(int64_t end, bool (*hurry)(void))
{
    const struct timespec pause = { 0, LIMIT_DRAIN_PAUSE_MS * 1000000L };
    if (clock_milliseconds() >= end || hurry())
        return false;
    nanosleep(&pause, NULL);
    return true;
}

void server_drain(struct server *server, int64_t delay_ms, bool (*hurry)(void))
{
    atomic_store(&server->draining, true);
    observe_event(&server->observer, LOG_DRAINING);
    deadlines_end(&server->deadlines);
    int64_t end = clock_milliseconds() + delay_ms;
    while (wait_more(end, hurry))
        continue;
    acceptor_stop(&server->acceptor);
    end = clock_milliseconds() + LIMIT_DRAIN_MS;
    while (wait_more(end, hurry) && deadlines_unfinished(&server->deadlines))
        continue; /* waiting comes first: the last connections are still being handed over */
}

void server_stop(struct server *server)
{
    stop_parts(server, PARTS);
}

bool server_check(const struct server_config *config, struct error *error)
{
    struct server *server = start_parts(config, false, error);
    if (server)
        server_stop(server);
    return server != NULL;
}
