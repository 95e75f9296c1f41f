/* POST /validate: checks the header, collects the body within bounds, judges, answers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "serve/state.h"

struct request {
    char *body;
    size_t length, capacity; /* bytes; capacity counts into metrics.body_bytes */
    bool too_large, no_room; /* the rest of the body is read and thrown away */
};

/* ---- answers ---- */

static enum MHD_Result refuse(struct server *server, struct MHD_Connection *connection, const struct answer *answer, const char *text)
{
    metrics_count_answer(&server->metrics, answer->status);
    return answer_copied(connection, answer, text);
}

static const struct answer not_found = { .status = MHD_HTTP_NOT_FOUND, .type = "text/plain; charset=utf-8" };
static const struct answer wrong_method = { .status = MHD_HTTP_METHOD_NOT_ALLOWED, .type = "text/plain; charset=utf-8", .allow = "POST" };
static const struct answer wrong_type = { .status = MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, .type = "text/plain; charset=utf-8" };
static const struct answer bad_framing = { .status = MHD_HTTP_BAD_REQUEST, .type = "text/plain; charset=utf-8", .close = true };
static const struct answer too_large = { .status = MHD_HTTP_CONTENT_TOO_LARGE, .type = "text/plain; charset=utf-8", .close = true };
static const struct answer busy = { .status = MHD_HTTP_SERVICE_UNAVAILABLE, .type = "text/plain; charset=utf-8", .retry = true };
static const struct answer failed = { .status = MHD_HTTP_INTERNAL_SERVER_ERROR, .type = "text/plain; charset=utf-8" };
static const struct answer bad_review = { .status = MHD_HTTP_BAD_REQUEST, .type = "text/plain; charset=utf-8" };

/* ---- the header ---- */

struct framing {
    const char *length; /* Content-Length */
    unsigned lengths, encodings;
    bool other_encoding; /* a Transfer-Encoding that is not chunked */
};

static enum MHD_Result take_header(void *closure, enum MHD_ValueKind kind, const char *name, const char *value)
{
    struct framing *framing = closure;
    (void)kind;
    if (strcasecmp(name, MHD_HTTP_HEADER_CONTENT_LENGTH) == 0) {
        framing->length = value;
        framing->lengths++;
    } else if (strcasecmp(name, MHD_HTTP_HEADER_TRANSFER_ENCODING) == 0) {
        framing->encodings++;
        framing->other_encoding |= !value || strcasecmp(value, "chunked") != 0;
    }
    return MHD_YES;
}

static bool is_json(const char *type)
{
    static const char json[] = "application/json";
    size_t length = sizeof json - 1;
    return type && strncasecmp(type, json, length) == 0 && (type[length] == '\0' || type[length] == ';' || type[length] == ' ' || type[length] == '\t');
}

/* Bytes that a Content-Length announces; more than any limit when it is no number. */
static size_t announced(const char *length)
{
    size_t value = 0;
    for (; *length; length++) {
        if (*length < '0' || *length > '9' || value > SIZE_MAX / 16)
            return SIZE_MAX;
        value = value * 10 + (size_t)(*length - '0');
    }
    return value;
}

static bool reserve(struct server *server, struct request *request, size_t capacity);

/* What the library lets pass and two programs could read in two ways is refused, and the connection ended. Returns NULL when the
 * body may come. */
static const char *check_header(struct server *server, struct MHD_Connection *connection, const char *url, const char *method, struct request *request, const struct answer **answer)
{
    struct framing framing = { .length = NULL };
    MHD_get_connection_values(connection, MHD_HEADER_KIND, take_header, &framing);
    *answer = &bad_framing;
    if (framing.lengths > 1)
        return "more than one Content-Length\n";
    if (framing.lengths && framing.encodings)
        return "both Content-Length and Transfer-Encoding\n";
    if (framing.encodings > 1 || framing.other_encoding)
        return "the only Transfer-Encoding is chunked\n";
    *answer = &not_found;
    if (strcmp(url, "/validate") != 0)
        return "reviews go to /validate\n";
    *answer = &wrong_method;
    if (strcmp(method, MHD_HTTP_METHOD_POST) != 0)
        return "reviews come by POST\n";
    *answer = &wrong_type;
    if (!is_json(MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_TYPE)))
        return "the Content-Type must be application/json\n";
    size_t length = framing.length ? announced(framing.length) : 0;
    *answer = &too_large;
    if (length > server->config.max_body)
        return "the review is too large\n";
    *answer = &busy;
    return length && !reserve(server, request, length) ? "too much at once; try again\n" : NULL;
}

/* ---- the body ---- */

/* Room for `capacity` bytes in all, within what all bodies may take together. */
static bool reserve(struct server *server, struct request *request, size_t capacity)
{
    size_t more = capacity - request->capacity;
    if (atomic_fetch_add(&server->metrics.body_bytes, more) + more > LIMIT_BODIES_BYTES) {
        atomic_fetch_sub(&server->metrics.body_bytes, more);
        return false;
    }
    char *body = realloc(request->body, capacity);
    if (!body) {
        atomic_fetch_sub(&server->metrics.body_bytes, more);
        return false;
    }
    request->body = body;
    request->capacity = capacity;
    return true;
}

static void append(struct server *server, struct request *request, const char *data, size_t size)
{
    size_t needed = request->length + size, limit = server->config.max_body;
    if (request->too_large || request->no_room)
        return;
    if (needed > limit) {
        request->too_large = true;
        return;
    }
    if (needed > request->capacity) { /* a chunked body; twice as much each time */
        size_t capacity = needed * 2 > limit ? limit : needed * 2;
        if (!reserve(server, request, capacity)) {
            request->no_room = true;
            return;
        }
    }
    memcpy(request->body + request->length, data, size);
    request->length = needed;
}

/* ---- judging ---- */

static enum MHD_Result answer_bad(struct server *server, struct MHD_Connection *connection, const struct review *review)
{
    char text[512];
    const struct answer *answer = review->outcome == REVIEW_BAD ? &bad_review : review->outcome == REVIEW_TOO_LARGE ? &too_large : &failed;
    snprintf(text, sizeof text, "byte %u: %s\n", review->offset, review->message);
    return refuse(server, connection, answer, text);
}

static enum MHD_Result answer_review(struct server *server, struct MHD_Connection *connection, struct worker *worker, const struct review *review)
{
    if (review->outcome == REVIEW_BAD || review->outcome == REVIEW_TOO_LARGE || review->outcome == REVIEW_FAILED)
        return answer_bad(server, connection, review);
    char *json = review_response(worker, review);
    if (!json)
        return refuse(server, connection, &failed, "out of memory\n");
    const struct answer good = { .status = MHD_HTTP_OK, .type = "application/json", .close = atomic_load(&server->draining) };
    metrics_count_answer(&server->metrics, MHD_HTTP_OK);
    return answer_owned(connection, &good, json);
}

static enum MHD_Result judge(struct server *server, struct MHD_Connection *connection, const struct request *request)
{
    struct review review;
    struct worker *worker = pool_take(&server->pool);
    if (!worker)
        return refuse(server, connection, &busy, "too much at once; try again\n");
    review_judge(worker, &server->config.settings, (struct bytes){ request->body, (uint32_t)request->length }, 0, true, &review);
    atomic_fetch_add(&server->metrics.reviews[review.outcome], 1);
    atomic_fetch_add(&server->metrics.disagreements, review.demoted && review.findings.errors);
    enum MHD_Result result = answer_review(server, connection, worker, &review);
    pool_give(&server->pool, worker);
    return result;
}

/* ---- callbacks ---- */

static enum MHD_Result begin(struct server *server, struct MHD_Connection *connection, const char *url, const char *method, void **state)
{
    struct request *request = calloc(1, sizeof *request);
    const struct answer *answer;
    if (!request)
        return MHD_NO;
    *state = request; /* request_completed frees it */
    atomic_fetch_add(&server->metrics.requests, 1);
    struct connection *watched = server_connection(connection);
    if (!watched)
        return MHD_NO;
    deadlines_set(&server->deadlines, watched, LIMIT_REQUEST_MS);
    const char *text = check_header(server, connection, url, method, request, &answer);
    return text ? refuse(server, connection, answer, text) : MHD_YES;
}

enum MHD_Result request_handle(void *closure, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
                               const char *data, size_t *data_size, void **state)
{
    struct server *server = closure;
    struct request *request = *state;
    (void)version;
    if (!request)
        return begin(server, connection, url, method, state);
    if (*data_size) {
        append(server, request, data, *data_size);
        *data_size = 0;
        return MHD_YES;
    }
    if (request->too_large)
        return refuse(server, connection, &too_large, "the review is too large\n");
    if (request->no_room)
        return refuse(server, connection, &busy, "too much at once; try again\n");
    return judge(server, connection, request);
}

void request_completed(void *closure, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode code)
{
    struct server *server = closure;
    struct request *request = *state;
    (void)code;
    if (!request)
        return;
    server_rest(server, connection);
    atomic_fetch_sub(&server->metrics.body_bytes, request->capacity);
    atomic_fetch_sub(&server->metrics.requests, 1);
    free(request->body);
    free(request);
    *state = NULL;
}
