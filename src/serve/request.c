/* POST /validate: collects the body within bounds, judges, answers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/limits.h"
#include "serve/state.h"

struct request {
    struct request_line line;
    bool header_seen, answered;
    bool too_large, no_room; /* the rest of the body is read and thrown away */
    char *body;
    size_t length, capacity; /* bytes; capacity counts into metrics.body_bytes */
    uint64_t began;          /* nanoseconds of the monotonic clock, when the header was complete */
    size_t most;             /* that the body may have: announced, or the limit when it comes in chunks */
};

/* ---- answers ---- */

static const struct answer too_large = { .status = MHD_HTTP_CONTENT_TOO_LARGE, .close = true };
static const struct answer busy = { .status = MHD_HTTP_SERVICE_UNAVAILABLE, .retry = true };
static const struct answer failed = { .status = MHD_HTTP_INTERNAL_SERVER_ERROR };
static const struct answer bad_review = { .status = MHD_HTTP_BAD_REQUEST };
static const struct answer good = { .status = MHD_HTTP_OK, .type = "application/json" };

/* Counts what was queued. */
static enum MHD_Result count(struct server *server, struct request *request, unsigned status, enum MHD_Result queued)
{
    if (queued == MHD_YES) {
        request->answered = true;
        metrics_count_answer(&server->metrics, status);
    }
    return queued;
}

static enum MHD_Result refuse(struct server *server, struct MHD_Connection *connection, struct request *request, const struct answer *answer,
                              const char *text)
{
    return count(server, request, answer->status, answer_copied(server, connection, answer, text));
}

static enum MHD_Result reject(struct server *server, struct MHD_Connection *connection, struct request *request, enum metrics_rejection cause)
{
    metrics_count_rejection(&server->metrics, cause);
    return refuse(server, connection, request, &busy, "too much at once; try again\n");
}

/* ---- the body ---- */

static void drop_body(struct server *server, struct request *request)
{
    atomic_fetch_sub(&server->metrics.body_bytes, request->capacity);
    free(request->body);
    request->body = NULL;
    request->capacity = request->length = 0;
}

/* Room for `capacity` bytes in all, within what all bodies may take together. */
static bool reserve(struct server *server, struct request *request, size_t capacity)
{
    size_t together = capacity > LIMIT_SMALL_BODY_BYTES ? LIMIT_LARGE_BODIES_BYTES : LIMIT_BODIES_BYTES, more = capacity - request->capacity;
    char *body = NULL;
    if (atomic_fetch_add(&server->metrics.body_bytes, more) + more <= together)
        body = realloc(request->body, capacity);
    if (!body) {
        atomic_fetch_sub(&server->metrics.body_bytes, more);
        return false;
    }
    request->body = body;
    request->capacity = capacity;
    return true;
}

/* Room for at least `needed` bytes, at most request->most: doubled as the body grows, whatever was announced. */
static bool grow(struct server *server, struct request *request, size_t needed)
{
    size_t capacity = request->capacity ? request->capacity : LIMIT_BODY_FIRST_BYTES;
    if (needed <= request->capacity)
        return true;
    while (capacity < needed)
        capacity *= 2;
    return reserve(server, request, capacity < request->most ? capacity : request->most);
}

static void append(struct server *server, struct request *request, const char *data, size_t size)
{
    size_t needed = request->length + size;
    if (request->too_large || request->no_room)
        return;
    request->too_large = needed > request->most;
    request->no_room = !request->too_large && !grow(server, request, needed);
    if (request->too_large || request->no_room) {
        drop_body(server, request);
        return;
    }
    memcpy(request->body + request->length, data, size);
    request->length = needed;
}

/* ---- judging ---- */

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static enum MHD_Result answer_review(struct server *server, struct MHD_Connection *connection, struct request *request,
                                     struct worker *worker, const struct review *review)
{
    if (review->outcome == REVIEW_BAD || review->outcome == REVIEW_TOO_LARGE || review->outcome == REVIEW_FAILED) {
        const struct answer *answer = review->outcome == REVIEW_BAD ? &bad_review : review->outcome == REVIEW_TOO_LARGE ? &too_large : &failed;
        char text[512];
        snprintf(text, sizeof text, "byte %u: %s\n", review->offset, review->message);
        return refuse(server, connection, request, answer, text);
    }
    char *json = review_response(worker, review);
    if (!json)
        return refuse(server, connection, request, &failed, "out of memory\n");
    return count(server, request, good.status, answer_owned(server, connection, &good, json));
}

static enum MHD_Result judge(struct server *server, struct MHD_Connection *connection, struct request *request)
{
    struct review review;
    struct worker *worker = pool_take(&server->pool);
    review_judge(worker, &server->config.settings, (struct bytes){ request->body, (uint32_t)request->length }, 0, true, &review);
    enum MHD_Result result = answer_review(server, connection, request, worker, &review);
    metrics_count_review(&server->metrics, &review, PATH_INLINE, now_ns() - request->began);
    pool_give(&server->pool, worker);
    return result;
}

/* ---- callbacks ---- */

void *request_begin(void *closure, const char *target, struct MHD_Connection *connection)
{
    struct server *server = closure;
    struct request *request = calloc(1, sizeof *request);
    (void)connection;
    if (!request)
        return NULL; /* request_handle ends the connection */
    request->line.behind_target = target + strlen(target) + 1;
    request->line.known_path = header_is_validate(target);
    atomic_fetch_add(&server->metrics.requests, 1);
    return request;
}

/* The header is complete. Its time is over; that of body and answer begins. */
static enum MHD_Result take_header(struct server *server, struct MHD_Connection *connection, struct request *request)
{
    const struct answer *answer;
    struct connection *watched = server_connection(connection);
    if (!watched)
        return MHD_NO;
    request->began = now_ns();
    deadlines_work(&server->deadlines, watched, LIMIT_REQUEST_MS);
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, (unsigned)(LIMIT_REQUEST_MS / 1000));
    const char *text = header_check(connection, &request->line, server->config.max_body, &request->most, &answer);
    return text ? refuse(server, connection, request, answer, text) : MHD_YES;
}

enum MHD_Result request_handle(void *closure, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
                               const char *data, size_t *data_size, void **state)
{
    struct server *server = closure;
    struct request *request = *state;
    (void)url; /* decoded, and cut at a NUL */
    if (!request)
        return MHD_NO;
    if (!request->header_seen) {
        request->header_seen = true;
        request->line.method = method;
        request->line.version = version;
        return take_header(server, connection, request);
    }
    if (*data_size) {
        append(server, request, data, *data_size);
        *data_size = 0;
        return MHD_YES;
    }
    if (request->too_large)
        return refuse(server, connection, request, &too_large, "the review is too large\n");
    if (request->no_room)
        return reject(server, connection, request, REJECTION_BYTES);
    return judge(server, connection, request);
}

/* The time until the next request: long only for clients whose last one was good. */
static void rest(struct server *server, struct MHD_Connection *connection, unsigned status)
{
    struct connection *watched = server_connection(connection);
    int idle = status == MHD_HTTP_OK ? LIMIT_IDLE_MS : LIMIT_SHORT_IDLE_MS;
    if (watched)
        deadlines_rest(&server->deadlines, watched, idle + LIMIT_HEADER_MS, LIMIT_SHORT_IDLE_MS);
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, (unsigned)(idle / 1000));
}

void request_completed(void *closure, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode code)
{
    struct server *server = closure;
    struct request *request = *state;
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_HTTP_STATUS);
    unsigned status = info ? info->http_status : 0;
    (void)code;
    if (!request)
        return;
    if (status && !request->answered) /* the library's own refusal */
        metrics_count_answer(&server->metrics, status);
    rest(server, connection, status);
    drop_body(server, request);
    atomic_fetch_sub(&server->metrics.requests, 1);
    free(request);
    *state = NULL;
}
