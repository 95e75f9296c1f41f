/* The public functions of libdrawbridge: what src/drawbridge.h promises, on top of lint/. */
#include "drawbridge.h"

#include "base/limits.h"
#include "base/text.h"
#include "lint/judge.h"

_Static_assert(DRAWBRIDGE_MAX_BYTES == LIMIT_BODY_BYTES, "the header says how much may be read");

struct drawbridge_context {
    struct memory memory;
    struct context context; /* its memory is the one above */
};

/* A report keeps nothing of its context but the memory's functions. */
struct drawbridge_report {
    struct memory memory;
    struct arena arena; /* of the findings */
    struct drawbridge_finding *findings;
    size_t count, errors, warnings, infos, judged, skipped, updates, no_objects;
};

const char *drawbridge_version(void)
{
    return DRAWBRIDGE_VERSION;
}

const char *drawbridge_result_text(enum drawbridge_result result)
{
    switch (result) {
    case DRAWBRIDGE_OK:          return "no failure";
    case DRAWBRIDGE_NO_MEMORY:   return "out of memory";
    case DRAWBRIDGE_LIMIT:       return "too much: a text of more than 8 MiB, or objects and findings of more than 64 MiB";
    case DRAWBRIDGE_BAD_VERSION: return "no Kubernetes version from 1.31 to 1.36";
    case DRAWBRIDGE_BAD_OPTION:  return "an option has a value that it cannot have";
    case DRAWBRIDGE_INTERNAL:    return "the library could not decide";
    }
    return "unknown result";
}

static enum drawbridge_result result_of(enum failure failure)
{
    switch (failure) {
    case FAILURE_NONE:    return DRAWBRIDGE_OK;
    case FAILURE_MEMORY:  return DRAWBRIDGE_NO_MEMORY;
    case FAILURE_LIMIT:   return DRAWBRIDGE_LIMIT;
    case FAILURE_SYNTAX:
    case FAILURE_PATTERN: break;
    }
    return DRAWBRIDGE_INTERNAL;
}

/* ---- contexts ---- */

enum drawbridge_result drawbridge_context_new(const struct drawbridge_allocator *allocator, struct drawbridge_context **context)
{
    struct memory memory = memory_malloc;
    if (allocator)
        memory = (struct memory){ allocator->allocate, allocator->release, allocator->data };
    struct drawbridge_context *made = memory.allocate(sizeof *made, memory.data);
    if (!made)
        return DRAWBRIDGE_NO_MEMORY;
    made->memory = memory;
    enum failure failure = context_init(&made->context, &made->memory);
    if (failure) {
        memory.release(made, memory.data);
        return failure == FAILURE_MEMORY ? DRAWBRIDGE_NO_MEMORY : DRAWBRIDGE_INTERNAL;
    }
    *context = made;
    return DRAWBRIDGE_OK;
}

void drawbridge_context_free(struct drawbridge_context *context)
{
    if (!context)
        return;
    struct memory memory = context->memory;
    context_done(&context->context);
    memory.release(context, memory.data);
}

/* ---- options ---- */

/* What the first version of the structure had. A member that is added later counts only where options->size covers it. */
enum { FIRST_OPTIONS_BYTES = offsetof(struct drawbridge_options, as_status) + sizeof(int) };

/* Whether the structure of the caller has the member. */
#define HAS_OPTION(options, member) ((options)->size >= offsetof(struct drawbridge_options, member) + sizeof (options)->member)

static enum drawbridge_result read_options(const struct drawbridge_options *options, struct judge_settings *settings)
{
    static const enum unknown_fields unknown_fields[] = {
        [DRAWBRIDGE_UNKNOWN_ERROR] = UNKNOWN_REFUSED, [DRAWBRIDGE_UNKNOWN_WARNING] = UNKNOWN_WARNED, [DRAWBRIDGE_UNKNOWN_IGNORE] = UNKNOWN_IGNORED,
    };
    *settings = (struct judge_settings){ .version = MINOR_DEFAULT, .unknown_fields = UNKNOWN_REFUSED };
    if (!options)
        return DRAWBRIDGE_OK;
    if (options->size < FIRST_OPTIONS_BYTES || options->unknown_fields < 0 || options->unknown_fields > DRAWBRIDGE_UNKNOWN_IGNORE)
        return DRAWBRIDGE_BAD_OPTION;
    if (options->kubernetes_version && !version_read(options->kubernetes_version, &settings->version))
        return DRAWBRIDGE_BAD_VERSION;
    settings->unknown_fields = unknown_fields[options->unknown_fields];
    settings->as_status = options->as_status != 0;
    if (HAS_OPTION(options, judge_as) && options->judge_as && !(settings->as = kind_find_role(options->judge_as)))
        return DRAWBRIDGE_BAD_OPTION;
    return DRAWBRIDGE_OK;
}

/* ---- reports ---- */

static const char *copy_text(struct arena *arena, struct bytes bytes)
{
    char *copy = arena_text(arena, (size_t)bytes.length + 1);
    if (!copy)
        return NULL;
    if (bytes.length)
        memcpy(copy, bytes.data, bytes.length);
    copy[bytes.length] = '\0';
    return copy;
}

/* Names of objects come from texts, where they may hold anything. */
static const char *copy_name(struct arena *arena, struct bytes bytes)
{
    struct text text;
    text_init(&text, arena);
    text_add_echo(&text, bytes, LIMIT_NAME_BYTES);
    return text_end(&text);
}

static const int severities[] = { [SEVERITY_ERROR] = DRAWBRIDGE_ERROR, [SEVERITY_WARNING] = DRAWBRIDGE_WARNING, [SEVERITY_INFO] = DRAWBRIDGE_INFO };

static enum failure fill_finding(struct arena *arena, const struct source *source, const struct problem *problem, struct drawbridge_finding *finding)
{
    const struct item *item = problem->item;
    struct api_version api = api_version_split(item->api_version);
    struct position position;
    if (lines_find(&problem->source->lines, problem->offset, &position))
        return FAILURE_MEMORY;
    *finding = (struct drawbridge_finding){
        .severity = severities[problem->severity],
        .in_old = problem->source != source,
        .rule = rule_info(problem->rule)->id,
        .reason = reason_info(problem->reason)->cause,
        .path = copy_text(arena, bytes_of(problem->path)),
        .message = copy_text(arena, bytes_of(problem->message)),
        .hint = problem->hint ? copy_text(arena, bytes_of(problem->hint)) : NULL,
        .offset = problem->offset, .size = problem->size, .line = position.line, .column = position.column,
        .group = copy_name(arena, api.group), .version = copy_name(arena, api.version), .kind = copy_name(arena, item->kind_name),
        .object_namespace = copy_name(arena, item->space), .object_name = copy_name(arena, item->name),
    };
    return arena->failure;
}

static enum failure fill_report(struct drawbridge_report *made, const struct source *source, const struct report *report)
{
    made->errors = report->errors;
    made->warnings = report->warnings;
    made->infos = report->infos;
    made->judged = report->judged;
    made->skipped = report->other_kinds;
    made->updates = report->updates;
    made->no_objects = report->no_objects;
    made->findings = arena_alloc(&made->arena, (report->count + 1) * sizeof *made->findings);
    enum failure failure = made->arena.failure;
    for (; made->count < report->count && !failure; made->count++)
        failure = fill_finding(&made->arena, source, &report->problems[made->count], &made->findings[made->count]);
    return failure;
}

/* ---- validation ---- */

/* The two texts of one validation. */
struct job {
    struct source source, old;
    struct pairs pairs;
    struct report report;
};

static enum failure read_old(struct job *job, struct worker *worker, const struct judge_settings *settings, struct bytes text)
{
    uint32_t twice = 0;
    enum failure failure = source_read(&job->old, worker->context, "", text, settings->version, settings->as);
    if (!failure)
        failure = pairs_init(&job->pairs, &job->old.arena, pairs_count(&job->old), worker->context->key);
    return failure ? failure : pairs_add(&job->pairs, &job->old, &twice);
}

static enum failure judge(struct worker *worker, const struct judge_settings *settings, struct bytes text, struct bytes old_text, struct drawbridge_report *made)
{
    struct job job = { .pairs = { NULL, { 0 } } };
    enum failure failure = source_read(&job.source, worker->context, "", text, settings->version, settings->as);
    if (old_text.data && !failure)
        failure = read_old(&job, worker, settings, old_text);
    if (!failure)
        failure = source_judge(worker, settings, &job.source, old_text.data ? &job.pairs : NULL, &job.report);
    if (!failure)
        failure = fill_report(made, &job.source, &job.report);
    source_done(&job.source);
    if (old_text.data)
        source_done(&job.old);
    return failure;
}

enum drawbridge_result drawbridge_validate(const struct drawbridge_context *context, const struct drawbridge_options *options, const char *text, size_t length,
                                           const char *old_text, size_t old_length, struct drawbridge_report **report)
{
    struct judge_settings settings;
    struct worker worker;
    enum drawbridge_result result = read_options(options, &settings);
    if (result)
        return result;
    if (length > DRAWBRIDGE_MAX_BYTES || old_length > DRAWBRIDGE_MAX_BYTES)
        return DRAWBRIDGE_LIMIT;
    struct drawbridge_report *made = context->memory.allocate(sizeof *made, context->memory.data);
    if (!made)
        return DRAWBRIDGE_NO_MEMORY;
    *made = (struct drawbridge_report){ .memory = context->memory };
    arena_init(&made->arena, &made->memory, LIMIT_ARENA_BYTES);
    enum failure failure = worker_init(&worker, &context->context);
    if (!failure) {
        failure = judge(&worker, &settings, (struct bytes){ text, (uint32_t)length }, (struct bytes){ old_text, (uint32_t)old_length }, made);
        worker_done(&worker);
    }
    if (failure)
        drawbridge_report_free(made);
    else
        *report = made;
    return result_of(failure);
}

size_t drawbridge_report_count(const struct drawbridge_report *report)
{
    return report->count;
}

const struct drawbridge_finding *drawbridge_report_finding(const struct drawbridge_report *report, size_t index)
{
    return index < report->count ? &report->findings[index] : NULL;
}

size_t drawbridge_report_errors(const struct drawbridge_report *report)
{
    return report->errors;
}

size_t drawbridge_report_warnings(const struct drawbridge_report *report)
{
    return report->warnings;
}

size_t drawbridge_report_infos(const struct drawbridge_report *report)
{
    return report->infos;
}

size_t drawbridge_report_judged(const struct drawbridge_report *report)
{
    return report->judged;
}

size_t drawbridge_report_skipped(const struct drawbridge_report *report)
{
    return report->skipped;
}

size_t drawbridge_report_updates(const struct drawbridge_report *report)
{
    return report->updates;
}

size_t drawbridge_report_no_objects(const struct drawbridge_report *report)
{
    return report->no_objects;
}

void drawbridge_report_free(struct drawbridge_report *report)
{
    if (!report)
        return;
    struct memory memory = report->memory;
    arena_done(&report->arena);
    memory.release(report, memory.data);
}
