#include <stdlib.h>
#include <string.h>

#include "serve/state.h"

static bool add_headers(struct MHD_Response *response, const struct answer *answer, bool close)
{
    const char *type = answer->type ? answer->type : "text/plain; charset=utf-8";
    return MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type) == MHD_YES &&
           (!answer->allow || MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, answer->allow) == MHD_YES) &&
           (!answer->policy || (MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_SECURITY_POLICY, answer->policy) == MHD_YES &&
                                MHD_add_response_header(response, "X-Content-Type-Options", "nosniff") == MHD_YES &&
                                MHD_add_response_header(response, "Referrer-Policy", "no-referrer") == MHD_YES &&
                                MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store") == MHD_YES)) &&
           (!answer->retry || MHD_add_response_header(response, MHD_HTTP_HEADER_RETRY_AFTER, "1") == MHD_YES) &&
           (!close || MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close") == MHD_YES);
}

static enum MHD_Result queue(struct server *server, struct MHD_Connection *connection, const struct answer *answer,
                             struct MHD_Response *response)
{
    if (!response)
        return MHD_NO; /* out of memory */
    const struct connection *watched = connection_of(connection);
    bool close = answer->close || atomic_load(&server->draining) || (watched && connection_is_spent(watched));
    enum MHD_Result result = add_headers(response, answer, close) ? MHD_queue_response(connection, answer->status, response) : MHD_NO;
    MHD_destroy_response(response);
    return result;
}

/* The library wants memory that it may write to, but only reads what it copies. */
static struct MHD_Response *copy(const char *text)
{
    union {
        const char *constant;
        void *plain;
    } data = { text };
    return MHD_create_response_from_buffer(strlen(text), data.plain, MHD_RESPMEM_MUST_COPY);
}

enum MHD_Result answer_copied(struct server *server, struct MHD_Connection *connection, const struct answer *answer, const char *text)
{
    return queue(server, connection, answer, copy(text));
}

enum MHD_Result answer_owned(struct server *server, struct MHD_Connection *connection, const struct answer *answer, char *text)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE);
    if (!response)
        free(text);
    return queue(server, connection, answer, response);
}
