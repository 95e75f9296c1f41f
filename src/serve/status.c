/* The plain port: probes, metrics and a page for people. One request a connection, as nobody asks often enough to need more. */
#include <string.h>

#include "serve/exposition.h"
#include "serve/page.h"

static enum MHD_Result answer_text(struct server *server, struct MHD_Connection *connection, unsigned status, const char *text)
{
    const char *allow = status == MHD_HTTP_METHOD_NOT_ALLOWED ? "GET, HEAD" : NULL;
    const struct answer answer = { .status = status, .allow = allow, .close = true };
    return answer_copied(server, connection, &answer, text);
}

static enum MHD_Result answer_metrics(struct server *server, struct MHD_Connection *connection)
{
    const struct answer answer = { .status = MHD_HTTP_OK, .type = "text/plain; version=0.0.4; charset=utf-8", .close = true };
    char *text = exposition_text(server);
    return text ? answer_owned(server, connection, &answer, text) : MHD_NO;
}

static enum MHD_Result answer_page(struct server *server, struct MHD_Connection *connection)
{
    char policy[PAGE_POLICY_BYTES];
    const struct answer answer = { .status = MHD_HTTP_OK, .type = "text/html; charset=utf-8", .policy = policy, .close = true };
    char *text = page_policy(policy) ? page_text(server) : NULL;
    return text ? answer_owned(server, connection, &answer, text) : MHD_NO;
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
    (void)version;
    (void)data;
    if (!*state && !has_body(connection)) { /* answer when the whole request is there, so that closing the connection loses nothing */
        *state = &seen;
        return MHD_YES;
    }
    *data_size = 0;
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
        return answer_text(server, connection, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET is allowed here\n");
    if (has_body(connection))
        return answer_text(server, connection, MHD_HTTP_BAD_REQUEST, "no body is taken here\n");
    if (strcmp(url, "/livez") == 0)
        return answer_text(server, connection, MHD_HTTP_OK, "ok\n");
    if (strcmp(url, "/readyz") == 0 && atomic_load(&server->draining))
        return answer_text(server, connection, MHD_HTTP_SERVICE_UNAVAILABLE, "shutting down\n");
    if (strcmp(url, "/readyz") == 0)
        return answer_text(server, connection, MHD_HTTP_OK, "ok\n");
    if (strcmp(url, "/metrics") == 0)
        return answer_metrics(server, connection);
    if (strcmp(url, "/") == 0)
        return answer_page(server, connection);
    return answer_text(server, connection, MHD_HTTP_NOT_FOUND, "there is /, /livez, /readyz and /metrics\n");
}
