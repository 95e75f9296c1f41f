#include "serve/observe.h"

#include <gnutls/gnutls.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "serve/limits.h"
#include "serve/listener.h"
#include "serve/process.h"

enum {
    SECOND_MS = 1000,
    MINUTE_MS = 60000,
    TRIM_MS = 5000,
    SLOW_NS = 1000000000,  /* a review that takes longer is worth a line */
    ADDRESS_BYTES = 160,
    WORDS_BYTES = 512,      /* rules of a line: LIMIT_LOG_RULES of at most 40 bytes */
};

/* ---- reviews ---- */

/* The rules of errors and warnings, each once, in the order of the findings. */
static void list_rules(const struct findings *findings, char words[WORDS_BYTES])
{
    bool seen[RULE_COUNT] = { false };
    unsigned count = 0;
    size_t length = 0;
    for (const struct finding *finding = findings->first; finding; finding = finding->next) {
        if (finding->severity == SEVERITY_INFO || seen[finding->rule])
            continue;
        seen[finding->rule] = true;
        if (count++ == LIMIT_LOG_RULES) {
            snprintf(words + length, WORDS_BYTES - length, ",...");
            return;
        }
        int size = snprintf(words + length, WORDS_BYTES - length, "%s%s", length ? "," : "", rule_info(finding->rule)->id);
        length += size > 0 && (size_t)size < WORDS_BYTES - length ? (size_t)size : 0;
    }
}

/* The first reason why something that would deny does not; NULL: there is nothing. */
static const char *demotion_of(const struct review *review)
{
    for (int i = 0; i < REVIEW_DEMOTIONS; i++)
        if (review->demoted[i])
            return metrics_demotion_labels[i];
    return NULL;
}

/* A word of the kind table. */
struct word {
    char text[64];
};

static struct word word_of(struct bytes bytes)
{
    struct word word;
    snprintf(word.text, sizeof word.text, "%.*s", (int)bytes.length, bytes.data);
    return word;
}

/* One line about a review; what the table of kinds does not have is "other". */
static void log_review(struct server *server, enum log_event event, const struct review *review, const struct slow_review *facts)
{
    if (!log_wants(server->log, event))
        return;
    static const struct kind other = { .group = { "other", 5 }, .version = { "other", 5 }, .kind = { "other", 5 } };
    const struct kind *kind = review->rules ? review->rules : &other;
    const struct word group = word_of(kind->group), version = word_of(kind->version), name = word_of(kind->kind);
    char uid[LIMIT_LOG_UID_BYTES + 1], rules[WORDS_BYTES] = "none", milliseconds[32];
    snprintf(uid, sizeof uid, "%.*s", (int)(review->uid.length < LIMIT_LOG_UID_BYTES ? review->uid.length : LIMIT_LOG_UID_BYTES), review->uid.length ? review->uid.data : "");
    snprintf(milliseconds, sizeof milliseconds, "%.3f", (double)facts->nanoseconds / 1e6);
    list_rules(&review->findings, rules);
    const struct log_field fields[] = {
        { .name = "uid", .text = uid },
        { .name = "operation", .text = metrics_operation_labels[facts->operation] },
        { .name = "group", .text = group.text },
        { .name = "version", .text = version.text },
        { .name = "kind", .text = name.text },
        { .name = "verdict", .text = metrics_verdict_labels[facts->verdict] },
        { .name = "rules", .text = rules },
        { .name = "errors", .number = review->findings.errors },
        { .name = "warnings", .number = review->findings.warnings },
        { .name = "bytes", .number = facts->bytes },
        { .name = "path", .text = metrics_path_labels[facts->path] },
        { .name = "ms", .text = milliseconds },
        { .name = "reason", .text = event == LOG_DEMOTED ? demotion_of(review) : review->outcome == REVIEW_FAILED ? review->message : "" },
    };
    unsigned count = sizeof fields / sizeof *fields;
    log_write(server->log, event, fields, fields[count - 1].text && *fields[count - 1].text ? count : count - 1);
}

void observe_review(struct server *server, const struct review *review, enum metrics_path path, uint64_t nanoseconds, size_t bytes)
{
    const struct slow_review facts = {
        .nanoseconds = nanoseconds,
        .at = clock_wall_seconds(),
        .bytes = (uint32_t)bytes,
        .kind = (uint8_t)(review->rules ? review->rules - kinds : METRICS_OTHER_KIND),
        .operation = (uint8_t)metrics_operation_of(review),
        .verdict = (uint8_t)metrics_verdict_of(review),
        .path = (uint8_t)path,
    };
    metrics_count_review(&server->metrics, review, path, nanoseconds);
    history_record(&server->history, &facts);
    if (review->outcome == REVIEW_DENIED)
        log_review(server, LOG_DENIED, review, &facts);
    if (review->outcome == REVIEW_ALLOWED && demotion_of(review))
        log_review(server, LOG_DEMOTED, review, &facts);
    if (review->outcome == REVIEW_FAILED)
        log_review(server, LOG_FAILED, review, &facts);
    if (nanoseconds > SLOW_NS)
        log_review(server, LOG_SLOW, review, &facts);
}

/* ---- requests ---- */

void observe_rejection(struct server *server, enum metrics_rejection cause)
{
    const struct log_field cause_field = { .name = "cause", .text = metrics_rejection_labels[cause] };
    metrics_count_rejection(&server->metrics, cause);
    log_write(server->log, LOG_REFUSED, &cause_field, 1);
}

/* What the library answers by itself, it answers to requests that it cannot read. */
void observe_library_answer(struct server *server, unsigned status)
{
    const struct log_field status_field = { .name = "status", .number = status };
    metrics_count_answer(&server->metrics, status);
    log_write(server->log, LOG_REFUSED, &status_field, 1);
}

/* A refusal with a cause has its line already. */
void observe_answer(struct server *server, unsigned status)
{
    const struct log_field status_field = { .name = "status", .number = status };
    metrics_count_answer(&server->metrics, status);
    if (status == MHD_HTTP_INTERNAL_SERVER_ERROR)
        log_write(server->log, LOG_FAILED, &status_field, 1);
    else if (status >= MHD_HTTP_BAD_REQUEST && status != MHD_HTTP_SERVICE_UNAVAILABLE && status != MHD_HTTP_FORBIDDEN)
        log_write(server->log, LOG_REFUSED, &status_field, 1);
}

/* ---- files ---- */

static void count_reload(struct server *server, const char *what, bool success)
{
    for (int i = 0; i < METRICS_RELOADS; i++)
        if (strcmp(what, metrics_reload_labels[i]) == 0)
            metrics_count_reload(&server->metrics, (enum metrics_reload)i, success);
}

void observe_news(void *closure, const char *what, enum watch_news news, const char *text)
{
    struct server *server = closure;
    const struct log_field fields[] = { { .name = "what", .text = what }, { .name = "reason", .text = text } };
    switch (news) {
    case WATCH_LOADED:
        count_reload(server, what, true);
        log_write(server->log, LOG_RELOADED, fields, 2);
        break;
    case WATCH_REFUSED:
        count_reload(server, what, false);
        log_write(server->log, LOG_RELOAD_FAILED, fields, 2);
        break;
    case WATCH_WARNING:
        log_write(server->log, LOG_CERTIFICATE_ENDS, fields, 2);
        break;
    }
}

/* ---- the life of the server ---- */

void observe_start(struct server *server)
{
    char https[ADDRESS_BYTES], status[ADDRESS_BYTES];
    listener_name(server->config.https_socket, https, sizeof https);
    listener_name(server->config.status_socket, status, sizeof status);
    const struct log_field started[] = {
        { .name = "version", .text = server->config.program_version },
        { .name = "libmicrohttpd", .text = MHD_get_version() },
        { .name = "gnutls", .text = gnutls_check_version(NULL) },
        { .name = "threads", .number = server->config.threads },
        { .name = "connections", .number = server->descriptors.https },
    };
    const struct log_field ready[] = { { .name = "https", .text = https }, { .name = "status", .text = status } };
    struct process_figures figures;
    process_read(&figures); /* when it began, before anybody sets the clock */
    log_write(server->log, LOG_STARTED, started, sizeof started / sizeof *started);
    log_write(server->log, LOG_READY, ready, 2);
    server->observed = true;
}

void observe_event(struct server *server, enum log_event event)
{
    if (server->observed)
        log_write(server->log, event, NULL, 0);
}

/* ---- the thread; when no request is there, memory of the last ones goes back to the system ---- */

static void *run(void *argument)
{
    struct observer *observer = argument;
    int64_t turn = clock_milliseconds() + MINUTE_MS, trim = clock_milliseconds() + TRIM_MS;
    while (thread_sleep(&observer->thread, SECOND_MS)) {
        int64_t now = clock_milliseconds();
        if (now >= turn) {
            history_turn(&observer->server->history);
            turn += MINUTE_MS;
        }
        if (now >= trim) {
            if (!atomic_load(&observer->server->metrics.requests))
                malloc_trim(0);
            trim = now + TRIM_MS;
        }
    }
    return NULL;
}

int observer_start(struct observer *observer, struct server *server)
{
    *observer = (struct observer){ .server = server };
    return thread_start(&observer->thread, run, observer);
}

void observer_stop(struct observer *observer)
{
    thread_stop(&observer->thread);
}
