/* The plain port: one request a connection, as probes and scrapers do not ask often enough to need more. What it answers is in observe/. */
#include <string.h>

#include "observe/status.h"
#include "serve/state.h"

static enum MHD_Result refuse(struct server *server, struct MHD_Connection *connection, unsigned status, const char *text)
{
    const char *allow = status == MHD_HTTP_METHOD_NOT_ALLOWED ? "GET, HEAD" : NULL;
    const struct answer answer = { .status = status, .allow = allow, .close = true };
    return answer_copied(server, connection, &answer, text);
}

/* Whoever announces one and does not send it would keep a connection, so it is not waited for. */
static bool has_body(struct MHD_Connection *connection)
{
    const char *length = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
    return (length && strcmp(length, "0") != 0) ||
           MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_TRANSFER_ENCODING);
}

enum MHD_Result status_handle(void *closure, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
                              const char *data, size_t *data_size, void **state)
{
    static char seen;
    struct server *server = closure;
    struct status_reply reply;
    (void)version;
    (void)data;
    if (!*state && !has_body(connection)) { /* answer when the whole request is there, so that closing the connection loses nothing */
        *state = &seen;
        return MHD_YES;
    }
    *data_size = 0;
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
        return refuse(server, connection, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET is allowed here\n");
    if (has_body(connection))
        return refuse(server, connection, MHD_HTTP_BAD_REQUEST, "no body is taken here\n");
    if (!status_reply(&server->observer, url, &reply))
        return MHD_NO;
    const struct answer answer = {
        .status = reply.status, .type = reply.type, .policy = *reply.policy ? reply.policy : NULL, .close = true
    };
    return reply.owned ? answer_owned(server, connection, &answer, reply.owned) : answer_copied(server, connection, &answer, reply.text);
}
