/* What the library says of connections: they have begun, their handshake is done, they are closed. */
#include <gnutls/gnutls.h>

#include "serve/limits.h"
#include "serve/state.h"

struct connection *connection_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static void watch_connection(struct server *server, enum port port, int64_t milliseconds, struct MHD_Connection *connection,
                             void **context, enum MHD_ConnectionNotificationCode code)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (code == MHD_CONNECTION_NOTIFY_STARTED && info)
        *context = deadlines_open(&server->deadlines, port, info->connect_fd, milliseconds);
    if (code == MHD_CONNECTION_NOTIFY_CLOSED && *context)
        deadlines_close(&server->deadlines, *context);
}

/* A message of a TLS handshake. The library leaves its connection with the session (0.9.75). */
static int count_handshake(gnutls_session_t session, unsigned type, unsigned when, unsigned incoming, const gnutls_datum_t *message)
{
    (void)when;
    (void)message;
    if (incoming && type == GNUTLS_HANDSHAKE_CERTIFICATE_VERIFY)
        return clients_bear(session);
    struct connection *connection = type == GNUTLS_HANDSHAKE_FINISHED ? connection_of(gnutls_session_get_ptr(session)) : NULL;
    if (connection && incoming && !connection->secured) {
        connection->secured = true;
        deadlines_rest(connection, LIMIT_IDLE_MS, LIMIT_SHORT_IDLE_MS); /* clients keep connections that they did not need after all */
        atomic_fetch_add(&connection->server->observer.metrics.handshakes, 1);
    }
    return 0;
}

static void watch_handshake(struct server *server, struct MHD_Connection *connection, struct connection *watched,
                            enum MHD_ConnectionNotificationCode code)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    watched->server = server;
    if (code == MHD_CONNECTION_NOTIFY_STARTED && info) {
        handshakes_attend(watched, connection, info->tls_session);
        gnutls_handshake_set_hook_function(info->tls_session, GNUTLS_HANDSHAKE_ANY, GNUTLS_HOOK_POST, count_handshake);
    }
    if (code == MHD_CONNECTION_NOTIFY_STARTED && info && server->config.clients)
        clients_ask(info->tls_session);
    if (code == MHD_CONNECTION_NOTIFY_CLOSED && !watched->secured && connection_has_spoken(watched))
        atomic_fetch_add(&server->observer.metrics.handshake_failures, 1);
}

void connection_watch_https(void *closure, struct MHD_Connection *connection, void **context, enum MHD_ConnectionNotificationCode code)
{
    struct server *server = closure;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED && *context)
        watch_handshake(server, connection, *context, code);
    watch_connection(server, PORT_HTTPS, LIMIT_CONNECT_MS, connection, context, code);
    if (code == MHD_CONNECTION_NOTIFY_STARTED && *context)
        watch_handshake(server, connection, *context, code);
    if (code == MHD_CONNECTION_NOTIFY_CLOSED)
        acceptor_closed(&server->acceptor);
}

void connection_watch_status(void *closure, struct MHD_Connection *connection, void **context, enum MHD_ConnectionNotificationCode code)
{
    struct server *server = closure;
    watch_connection(server, PORT_STATUS, LIMIT_STATUS_MS, connection, context, code);
    if (code == MHD_CONNECTION_NOTIFY_CLOSED)
        acceptor_closed(&server->status_acceptor);
}
