#include "serve/server.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/limits.h"
#include "serve/state.h"

/* TLS 1.2 and 1.3 with AES-GCM, elliptic curves only, no finite field groups (one handshake with ffdhe8192 costs 288 ms) and no
 * signatures below SHA-256. */
#define TLS_PRIORITIES                                                                                                       \
    "NONE:+VERS-TLS1.3:+VERS-TLS1.2:+AES-128-GCM:+AES-256-GCM:+AEAD:+ECDHE-ECDSA:+ECDHE-RSA:+GROUP-X25519:+GROUP-SECP256R1:"  \
    "+SIGN-ECDSA-SECP256R1-SHA256:+SIGN-ECDSA-SECP384R1-SHA384:+SIGN-ECDSA-SHA256:+SIGN-ECDSA-SHA384:+SIGN-EDDSA-ED25519:"     \
    "+SIGN-RSA-PSS-RSAE-SHA256:+SIGN-RSA-PSS-RSAE-SHA384:+SIGN-RSA-SHA256:+SIGN-RSA-SHA384:+COMP-NULL:%SERVER_PRECEDENCE"

enum { SPARE_DESCRIPTORS = 64 };

/* The library's messages matter when it is started. Those of its threads do not: under attack there is one for each bad byte. */
__attribute__((format(printf, 2, 0)))
static void take_message(void *closure, const char *format, va_list arguments)
{
    struct server *server = closure;
    if (pthread_equal(pthread_self(), server->starter))
        vsnprintf(server->library_error, sizeof server->library_error, format, arguments);
}

static void watch_connection(void *closure, struct MHD_Connection *connection, void **context, enum MHD_ConnectionNotificationCode code)
{
    struct server *server = closure;
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (code == MHD_CONNECTION_NOTIFY_STARTED && info)
        *context = deadlines_open(&server->deadlines, info->connect_fd, LIMIT_HANDSHAKE_MS + LIMIT_HEADER_MS);
    if (code == MHD_CONNECTION_NOTIFY_CLOSED && *context)
        deadlines_close(&server->deadlines, *context);
}

/* As many connections as descriptors allow, at most LIMIT_CONNECTIONS; a multiple of the threads. */
static unsigned connection_limit(unsigned threads)
{
    struct rlimit files;
    unsigned limit = LIMIT_CONNECTIONS;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &files);
        if (files.rlim_max < limit + LIMIT_STATUS_CONNECTIONS + SPARE_DESCRIPTORS)
            limit = files.rlim_max > 2 * SPARE_DESCRIPTORS + LIMIT_STATUS_CONNECTIONS ? (unsigned)files.rlim_max - LIMIT_STATUS_CONNECTIONS - SPARE_DESCRIPTORS : SPARE_DESCRIPTORS;
    }
    return limit / threads * threads;
}

/* MHD_USE_ITC: without it, stopping hangs when the connection limit is reached. */
static struct MHD_Daemon *start_https(struct server *server)
{
    const struct server_config *config = &server->config;
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_USE_TLS | MHD_USE_ERROR_LOG, 0, NULL, NULL, request_handle, server,
        MHD_OPTION_EXTERNAL_LOGGER, take_message, server,
        MHD_OPTION_LISTEN_SOCKET, config->https_socket,
        MHD_OPTION_HTTPS_MEM_CERT, config->pair.certificate,
        MHD_OPTION_HTTPS_MEM_KEY, config->pair.key,
        MHD_OPTION_HTTPS_PRIORITIES, TLS_PRIORITIES,
        MHD_OPTION_NOTIFY_CONNECTION, watch_connection, server,
        MHD_OPTION_NOTIFY_COMPLETED, request_completed, server,
        MHD_OPTION_THREAD_POOL_SIZE, config->threads > 1 ? config->threads : 0u,
        MHD_OPTION_CONNECTION_LIMIT, connection_limit(config->threads),
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)LIMIT_HEADER_BYTES,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)(LIMIT_HANDSHAKE_MS / 1000),
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
        MHD_OPTION_END);
}

static struct MHD_Daemon *start_status(struct server *server)
{
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_USE_ERROR_LOG, 0, NULL, NULL, status_handle, server,
        MHD_OPTION_EXTERNAL_LOGGER, take_message, server,
        MHD_OPTION_LISTEN_SOCKET, server->config.status_socket,
        MHD_OPTION_NOTIFY_CONNECTION, watch_connection, server,
        MHD_OPTION_NOTIFY_COMPLETED, status_completed, server,
        MHD_OPTION_CONNECTION_LIMIT, LIMIT_STATUS_CONNECTIONS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)LIMIT_HEADER_BYTES,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)(LIMIT_HEADER_MS / 1000),
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
        MHD_OPTION_END);
}

struct connection *server_connection(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

void server_rest(struct server *server, struct MHD_Connection *connection)
{
    struct connection *watched = server_connection(connection);
    if (watched)
        deadlines_set(&server->deadlines, watched, LIMIT_IDLE_MS + LIMIT_HEADER_MS);
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, (unsigned)(LIMIT_IDLE_MS / 1000));
}

/* The parts of a server in the order in which they are started. */
enum part { PART_MEMORY, PART_POOL, PART_DEADLINES, PART_STATUS, PART_HTTPS, PARTS };

static bool start_part(struct server *server, enum part part)
{
    switch (part) {
    case PART_MEMORY:    return true;
    case PART_POOL:      return pool_init(&server->pool, server->config.threads) == FAILURE_NONE;
    case PART_DEADLINES: return deadlines_start(&server->deadlines) == 0;
    case PART_STATUS:    return (server->status = start_status(server)) != NULL;
    case PART_HTTPS:     return (server->https = start_https(server)) != NULL;
    case PARTS:          break;
    }
    return false;
}

/* Stops the parts before `part`, the last one first. */
static void stop_parts(struct server *server, int part)
{
    while (--part >= 0) {
        switch ((enum part)part) {
        case PART_MEMORY:    free(server); break;
        case PART_POOL:      pool_done(&server->pool); break;
        case PART_DEADLINES: deadlines_stop(&server->deadlines); break;
        case PART_STATUS:    MHD_stop_daemon(server->status); break;
        case PART_HTTPS:     MHD_stop_daemon(server->https); break;
        case PARTS:          break;
        }
    }
}

struct server *server_start(const struct server_config *config, char *error, size_t room)
{
    static const char *const names[PARTS] = {
        [PART_MEMORY] = "memory", [PART_POOL] = "the workers", [PART_DEADLINES] = "a thread", [PART_STATUS] = "the status server", [PART_HTTPS] = "the HTTPS server",
    };
    struct server *server = calloc(1, sizeof *server);
    if (!server) {
        snprintf(error, room, "out of memory");
        return NULL;
    }
    server->config = *config;
    server->quiet_socket = -1;
    server->starter = pthread_self();
    for (int part = 0; part < PARTS; part++) {
        if (start_part(server, (enum part)part))
            continue;
        snprintf(error, room, "cannot start %s%s%.*s", names[part], *server->library_error ? ": " : "", (int)strcspn(server->library_error, "\n"), server->library_error);
        stop_parts(server, part);
        return NULL;
    }
    return server;
}

void server_drain(struct server *server, bool (*hurry)(void))
{
    const struct timespec pause = { 0, 10 * 1000 * 1000 };
    atomic_store(&server->draining, true);
    server->quiet_socket = MHD_quiesce_daemon(server->https);
    if (server->quiet_socket >= 0)
        shutdown(server->quiet_socket, SHUT_RDWR); /* clients that come now are refused, not left waiting */
    for (int waited = 0; waited < LIMIT_DRAIN_MS && atomic_load(&server->metrics.requests) && !hurry(); waited += 10)
        nanosleep(&pause, NULL);
}

void server_stop(struct server *server)
{
    int quiet = server->quiet_socket;
    stop_parts(server, PARTS);
    if (quiet >= 0)
        close(quiet);
}
