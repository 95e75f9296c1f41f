#include "observe/observe.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "observe/limits.h"
#include "observe/process.h"

enum {
    SECOND_MS = 1000,
    MINUTE_MS = 60000,
};

enum { HTTP_BAD_REQUEST = 400, HTTP_FORBIDDEN = 403, HTTP_INTERNAL_SERVER_ERROR = 500, HTTP_SERVICE_UNAVAILABLE = 503 };

/* ---- reviews ---- */

/* The rules of errors and warnings, each once, in the order of the findings. */
static void list_rules(const struct findings *findings, char words[LIMIT_LOG_RULES_BYTES])
{
    bool seen[RULE_COUNT] = { false };
    unsigned count = 0;
    size_t length = 0;
    for (const struct finding *finding = findings->first; finding; finding = finding->next) {
        if (finding->severity == SEVERITY_INFO || seen[finding->rule])
            continue;
        seen[finding->rule] = true;
        if (count++ == LIMIT_LOG_RULES) {
            snprintf(words + length, LIMIT_LOG_RULES_BYTES - length, ",...");
            return;
        }
        int size = snprintf(words + length, LIMIT_LOG_RULES_BYTES - length, "%s%s", length ? "," : "", rule_info(finding->rule)->id);
        length += size > 0 && (size_t)size < LIMIT_LOG_RULES_BYTES - length ? (size_t)size : 0;
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

/* Text of a request, cut: line_add() escapes it. */
static const char *cut(char *text, size_t size, struct bytes bytes)
{
    snprintf(text, size, "%.*s", (int)(bytes.length < size ? bytes.length : size - 1), bytes.length ? bytes.data : "");
    return text;
}

/* The namespace and name of a request, if they are to be in the log; an object without a namespace has only a name. Returns the fields. */
struct object_fields {
    char space[LIMIT_LOG_NAME_BYTES + 1], name[LIMIT_LOG_NAME_BYTES + 1];
};

static unsigned add_object(const struct observer *observer, const struct review *review, struct object_fields *object,
                           struct log_field *fields)
{
    unsigned count = 0;
    if (!observer->config.log_objects)
        return 0;
    if (review->space.length)
        fields[count++] = (struct log_field){ .name = "namespace", .text = cut(object->space, sizeof object->space, review->space) };
    fields[count++] = (struct log_field){ .name = "name", .text = cut(object->name, sizeof object->name, review->name) };
    return count;
}

enum { REVIEW_FIELDS = 15 };

/* One line about a review; what the table of kinds does not have is "other". */
static void log_review(struct observer *observer, enum log_event event, const struct review *review, const struct slow_review *facts)
{
    if (!log_wants(observer->log, event))
        return;
    static const struct kind other = { .group = { "other", 5 }, .version = { "other", 5 }, .kind = { "other", 5 } };
    const struct kind *kind = review->rules ? review->rules : &other;
    const struct word group = word_of(kind->group), version = word_of(kind->version), name = word_of(kind->kind);
    const char *reason = event == LOG_DEMOTED ? demotion_of(review) : review->outcome == REVIEW_FAILED ? review->message : NULL;
    char uid[LIMIT_LOG_UID_BYTES + 1], rules[LIMIT_LOG_RULES_BYTES] = "none", milliseconds[32];
    struct object_fields object;
    snprintf(milliseconds, sizeof milliseconds, "%.3f", (double)facts->nanoseconds / 1e6);
    list_rules(&review->findings, rules);
    struct log_field fields[REVIEW_FIELDS] = {
        { .name = "uid", .text = cut(uid, sizeof uid, review->uid) },
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
    };
    unsigned count = REVIEW_FIELDS - 3;
    count += add_object(observer, review, &object, fields + count);
    if (reason && *reason)
        fields[count++] = (struct log_field){ .name = "reason", .text = reason };
    log_write(observer->log, event, fields, count);
}

void observe_review(struct observer *observer, const struct review *review, enum metrics_path path, uint64_t nanoseconds, size_t bytes)
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
    metrics_count_review(&observer->metrics, review, path, nanoseconds);
    history_record(&observer->history, &facts);
    if (review->outcome == REVIEW_DENIED)
        log_review(observer, LOG_DENIED, review, &facts);
    if (review->outcome == REVIEW_ALLOWED && demotion_of(review))
        log_review(observer, LOG_DEMOTED, review, &facts);
    if (review->outcome == REVIEW_FAILED)
        log_review(observer, LOG_FAILED, review, &facts);
    if (nanoseconds > LIMIT_LOG_SLOW_MS * UINT64_C(1000000))
        log_review(observer, LOG_SLOW, review, &facts);
}

/* ---- requests ---- */

void observe_rejection(struct observer *observer, enum metrics_rejection cause)
{
    const struct log_field cause_field = { .name = "cause", .text = metrics_rejection_labels[cause] };
    metrics_count_rejection(&observer->metrics, cause);
    log_write(observer->log, LOG_REFUSED, &cause_field, 1);
}

/* What the library answers by itself, it answers to requests that it cannot read. */
void observe_library_answer(struct observer *observer, unsigned status)
{
    const struct log_field status_field = { .name = "status", .number = status };
    metrics_count_answer(&observer->metrics, status);
    log_write(observer->log, LOG_REFUSED, &status_field, 1);
}

/* A refusal with a cause has its line already. */
void observe_answer(struct observer *observer, unsigned status)
{
    const struct log_field status_field = { .name = "status", .number = status };
    metrics_count_answer(&observer->metrics, status);
    if (status == HTTP_INTERNAL_SERVER_ERROR)
        log_write(observer->log, LOG_FAILED, &status_field, 1);
    else if (status >= HTTP_BAD_REQUEST && status != HTTP_SERVICE_UNAVAILABLE && status != HTTP_FORBIDDEN)
        log_write(observer->log, LOG_REFUSED, &status_field, 1);
}

/* ---- files ---- */

static void count_reload(struct observer *observer, const char *what, bool success)
{
    for (int i = 0; i < METRICS_RELOADS; i++)
        if (strcmp(what, metrics_reload_labels[i]) == 0)
            metrics_count_reload(&observer->metrics, (enum metrics_reload)i, success);
}

void observe_reload(struct observer *observer, const char *what, bool success, const char *text)
{
    const struct log_field fields[] = { { .name = "what", .text = what }, { .name = "reason", .text = text } };
    count_reload(observer, what, success);
    log_write(observer->log, success ? LOG_RELOADED : LOG_RELOAD_FAILED, fields, 2);
}

void observe_certificate_end(struct observer *observer, const char *what, const char *text)
{
    const struct log_field fields[] = { { .name = "what", .text = what }, { .name = "reason", .text = text } };
    log_write(observer->log, LOG_CERTIFICATE_ENDS, fields, 2);
}

/* ---- the life of the server ---- */

void observe_start(struct observer *observer, unsigned threads, unsigned connections, const char *https, const char *status)
{
    const struct log_field started[] = {
        { .name = "version", .text = observer->config.program_version },
        { .name = "libmicrohttpd", .text = observer->config.http_library },
        { .name = "gnutls", .text = observer->config.tls_library },
        { .name = "threads", .number = threads },
        { .name = "connections", .number = connections },
    };
    const struct log_field ready[] = { { .name = "https", .text = https }, { .name = "status", .text = status } };
    struct process_figures figures;
    process_read(&figures); /* when it began, before anybody sets the clock */
    log_write(observer->log, LOG_STARTED, started, sizeof started / sizeof *started);
    log_write(observer->log, LOG_READY, ready, 2);
    atomic_store(&observer->announced, true);
}

void observe_event(struct observer *observer, enum log_event event)
{
    if (atomic_load(&observer->announced))
        log_write(observer->log, event, NULL, 0);
}

/* ---- the thread; when no request is there, memory of the last ones goes back to the system ---- */

static void *run(void *argument)
{
    struct observer *observer = argument;
    int64_t turn = clock_milliseconds() + MINUTE_MS, trim = clock_milliseconds() + LIMIT_TRIM_MS;
    while (thread_sleep(&observer->thread, SECOND_MS)) {
        int64_t now = clock_milliseconds();
        if (now >= turn) {
            history_turn(&observer->history);
            turn += MINUTE_MS;
        }
        if (now >= trim) {
            if (!atomic_load(&observer->metrics.requests))
                malloc_trim(0);
            trim = now + LIMIT_TRIM_MS;
        }
    }
    return NULL;
}

int observer_start(struct observer *observer, const struct observer_config *config)
{
    observer->config = *config;
    observer->log = log_start(config->log_descriptor, config->log_format);
    if (!observer->log)
        return ENOMEM;
    int error = history_init(&observer->history, &observer->metrics);
    if (!error) {
        error = thread_start(&observer->thread, run, observer);
        if (!error)
            return 0;
        history_done(&observer->history);
    }
    log_stop(observer->log);
    return error;
}

void observer_stop(struct observer *observer)
{
    thread_stop(&observer->thread);
    history_done(&observer->history);
    observe_event(observer, LOG_STOPPED);
    log_stop(observer->log);
}
