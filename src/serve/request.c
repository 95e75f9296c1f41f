/* POST /validate: collects the body within bounds, validates, answers. Small reviews are validated at once; for a large one the connection
 * is suspended until a worker has its answer. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "serve/limits.h"
#include "serve/state.h"

/* What to answer with, before it is handed to the library. */
struct reply {
    const struct answer *answer; /* NULL: not known yet */
    const char *text;            /* NULL: `owned` */
    char *owned;                 /* from malloc */
};

struct request {
    struct job job; /* for the worker pool */
    struct server *server;
    struct MHD_Connection *connection;
    struct connection *watched;
    struct request_line line;
    int64_t timeout;     /* milliseconds */
    uint64_t began;      /* nanoseconds of the monotonic clock, when the header was complete */
    bool header_seen, answered;
    bool too_large;      /* the rest of the body is read and thrown away */
    const char *no_room; /* the same: what to say at its end; NULL: there is room */
    char *body;
    size_t length, capacity; /* bytes */
    size_t charged;          /* bytes that count into metrics.body_bytes */
    size_t max;             /* that the body may have: announced, or the limit when it comes in chunks */
    struct reply reply;
};

/* ---- answers ---- */

static const struct answer too_large = { .status = MHD_HTTP_CONTENT_TOO_LARGE, .close = true };
static const struct answer busy = { .status = MHD_HTTP_SERVICE_UNAVAILABLE, .retry = true };
static const struct answer failed = { .status = MHD_HTTP_INTERNAL_SERVER_ERROR };
static const struct answer bad_review = { .status = MHD_HTTP_BAD_REQUEST };
static const struct answer good = { .status = MHD_HTTP_OK, .type = "application/json" };

static struct reply say(const struct answer *answer, const char *text)
{
    return (struct reply){ .answer = answer, .text = text };
}

/* Takes what the reply owns. */
static enum MHD_Result send_reply(struct request *request, struct reply *reply)
{
    struct server *server = request->server;
    char *owned = reply->owned;
    reply->owned = NULL;
    enum MHD_Result queued = reply->text ? answer_copied(server, request->connection, reply->answer, reply->text) :
                                           answer_owned(server, request->connection, reply->answer, owned);
    if (queued == MHD_YES) {
        request->answered = true;
        observe_answer(&server->observer, reply->answer->status);
    }
    return queued;
}

static enum MHD_Result refuse(struct request *request, const struct answer *answer, const char *text)
{
    struct reply reply = say(answer, text);
    return send_reply(request, &reply);
}

/* ---- the body ---- */

static void drop_body(struct request *request)
{
    atomic_fetch_sub(&request->server->observer.metrics.body_bytes, request->charged);
    free(request->body);
    request->body = NULL;
    request->capacity = request->length = request->charged = 0;
}

/* The request is not validated. The rest of its body is thrown away, so that the client is answered when it has sent all. */
static void turn_away(struct request *request, enum metrics_rejection cause)
{
    static const char *const texts[METRICS_REJECTIONS] = {
        [REJECTION_REQUESTS] = "too many requests at once; try again\n", [REJECTION_BYTES] = "too much at once; try again\n",
        [REJECTION_QUEUE] = "too many large reviews wait; try again\n",  [REJECTION_DEADLINE] = "it waited too long; try again\n",
        [REJECTION_DRAINING] = "shutting down; try again\n",
    };
    request->no_room = texts[cause];
    observe_rejection(&request->server->observer, cause);
    drop_body(request);
}

/* Counts `length` bytes, in steps, towards what all bodies may take together. */
static bool charge(struct request *request, size_t length)
{
    atomic_ulong *all = &request->server->observer.metrics.body_bytes;
    size_t steps = (length + LIMIT_BODY_FIRST_BYTES - 1) / LIMIT_BODY_FIRST_BYTES, wanted = steps * LIMIT_BODY_FIRST_BYTES;
    size_t together = wanted > LIMIT_SMALL_BODY_BYTES ? LIMIT_LARGE_BODIES_BYTES : LIMIT_BODIES_BYTES;
    if (wanted <= request->charged)
        return true;
    size_t more = wanted - request->charged;
    if (atomic_fetch_add(all, more) + more > together) {
        atomic_fetch_sub(all, more);
        return false;
    }
    request->charged = wanted;
    return true;
}

/* Room for at least `needed` bytes, at most request->max. Pages that nothing is written to take no memory. */
static bool grow(struct request *request, size_t needed)
{
    size_t capacity = LIMIT_BODY_FIRST_BYTES;
    if (needed <= request->capacity)
        return true;
    if (request->capacity || needed > capacity)
        capacity = LIMIT_BODY_SECOND_BYTES;
    while (capacity < needed)
        capacity *= 4;
    capacity = capacity < request->max ? capacity : request->max;
    char *body = realloc(request->body, capacity);
    if (!body)
        return false;
    request->body = body;
    request->capacity = capacity;
    return true;
}

static void append(struct request *request, const char *data, size_t size)
{
    size_t needed = request->length + size;
    if (request->too_large || request->no_room)
        return;
    if (needed > request->max) {
        request->too_large = true;
        drop_body(request);
    } else if (charge(request, needed) && grow(request, needed)) {
        memcpy(request->body + request->length, data, size);
        request->length = needed;
    } else {
        turn_away(request, REJECTION_BYTES);
    }
}

/* ---- validation ---- */

/* Why there is no verdict. */
static struct reply complain(const struct review *review)
{
    struct reply reply = { .answer = &failed };
    if (review->outcome == REVIEW_BAD)
        reply.answer = &bad_review;
    if (review->outcome == REVIEW_TOO_LARGE)
        reply.answer = &too_large;
    if (asprintf(&reply.owned, "byte %u: %s\n", review->offset, review->message) < 0)
        return say(&failed, "out of memory\n");
    return reply;
}

static struct reply respond(struct workspace *workspace, const struct review *review)
{
    if (review->outcome == REVIEW_BAD || review->outcome == REVIEW_TOO_LARGE || review->outcome == REVIEW_FAILED)
        return complain(review);
    char *json = review_response(workspace, review);
    return json ? (struct reply){ .answer = &good, .owned = json } : say(&failed, "out of memory\n");
}

/* In any thread. The body is not needed any more afterwards. */
static void validate(struct request *request, enum metrics_path path)
{
    struct server *server = request->server;
    struct review review;
    struct workspace *workspace = workspace_pool_take(&server->workspaces);
    struct settings *settings = settings_take(server->config.settings);
    review_validate(workspace, &settings->review, (struct bytes){ request->body, (uint32_t)request->length }, 0, true, &review);
    settings_give(server->config.settings, settings);
    request->reply = respond(workspace, &review);
    observe_review(&server->observer, &review, path, clock_nanoseconds() - request->began, request->length);
    workspace_pool_return(&server->workspaces, workspace);
    drop_body(request);
}

/* In a thread of the worker pool, or in ours when the worker pool does not take it; the connection is suspended. */
static void run_job(struct job *job, enum job_order order)
{
    struct request *request = (struct request *)((char *)job - offsetof(struct request, job));
    switch (order) {
    case JOB_VALIDATE:   validate(request, PATH_WORKER); break;
    case JOB_LATE:    turn_away(request, REJECTION_DEADLINE); break;
    case JOB_DROPPED: turn_away(request, REJECTION_DRAINING); break;
    case JOB_REFUSED: turn_away(request, atomic_load(&request->server->draining) ? REJECTION_DRAINING : REJECTION_QUEUE); break;
    }
    if (request->no_room)
        request->reply = say(&busy, request->no_room);
    MHD_resume_connection(request->connection); /* request_handle is called once more */
}

/* The body is complete. */
static enum MHD_Result finish(struct request *request)
{
    deadlines_answer(request->watched);
    if (request->too_large)
        return refuse(request, &too_large, "the review is too large\n");
    if (request->no_room)
        return refuse(request, &busy, request->no_room);
    if (request->length <= LIMIT_INLINE_BYTES) {
        validate(request, PATH_INLINE);
        return send_reply(request, &request->reply);
    }
    request->job.bytes = request->length;
    request->job.run = run_job;
    MHD_suspend_connection(request->connection); /* first: the worker may be quicker than we are */
    if (worker_pool_submit(&request->server->workers, &request->job))
        return MHD_YES;
    run_job(&request->job, JOB_REFUSED);
    return MHD_YES;
}

/* ---- callbacks ---- */

void *request_begin(void *closure, const char *target, struct MHD_Connection *connection)
{
    struct server *server = closure;
    struct connection *watched = connection_of(connection);
    struct request *request = watched ? calloc(1, sizeof *request) : NULL;
    if (!request)
        return NULL; /* out of memory: request_handle ends the connection */
    request->server = server;
    request->connection = connection;
    request->watched = watched;
    request->line.after_target = target + strlen(target) + 1;
    request->line.known_path = header_is_validate(target);
    request->timeout = header_timeout(target);
    deadlines_begin(watched);
    atomic_fetch_add(&server->observer.metrics.requests, 1);
    return request;
}

/* The header is complete. Its time is over; that of body and answer begins. */
static enum MHD_Result take_header(struct request *request)
{
    const struct answer *answer;
    struct server *server = request->server;
    request->began = clock_nanoseconds();
    request->job.deadline = (int64_t)(request->began / 1000000) + request->timeout;
    deadlines_work(request->watched, request->timeout + LIMIT_GRACE_MS);
    const char *text = clients_check(server, request->connection, &request->watched->client, &answer);
    if (!text)
        text = header_check(request->connection, &request->line, server->config.max_body, &request->max, &answer);
    if (text)
        return refuse(request, answer, text);
    if (atomic_load(&server->observer.metrics.requests) > LIMIT_REQUESTS)
        turn_away(request, REJECTION_REQUESTS);
    return MHD_YES;
}

enum MHD_Result request_handle(void *closure, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
                               const char *data, size_t *data_size, void **state)
{
    struct request *request = *state;
    (void)closure;
    (void)connection;
    (void)url; /* decoded, and cut at a NUL */
    if (!request)
        return MHD_NO;
    if (!request->header_seen) {
        request->header_seen = true;
        request->line.method = method;
        request->line.version = version;
        return take_header(request);
    }
    if (*data_size) {
        append(request, data, *data_size);
        *data_size = 0;
        return MHD_YES;
    }
    return request->reply.answer ? send_reply(request, &request->reply) : finish(request);
}

/* The time until the next request: long only for clients whose last one was good. */
static void rest(const struct request *request, unsigned status)
{
    int idle = status == MHD_HTTP_OK ? LIMIT_IDLE_MS : LIMIT_SHORT_IDLE_MS;
    deadlines_rest(request->watched, idle, LIMIT_SHORT_IDLE_MS);
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
    if (status && !request->answered)
        observe_library_answer(&server->observer, status);
    free(request->reply.owned); /* of a client that went away while its review was validated */
    rest(request, status);
    drop_body(request);
    atomic_fetch_sub(&server->observer.metrics.requests, 1);
    free(request);
    *state = NULL;
}
