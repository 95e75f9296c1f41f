/* The public functions of libdrawbridge: what src/drawbridge.h promises, on top of lint/. */
#include "drawbridge.h"

#include "base/limits.h"
#include "base/text.h"
#include "lint/batch.h"

_Static_assert(DRAWBRIDGE_MAX_BYTES == LIMIT_BODY_BYTES && DRAWBRIDGE_MAX_SET_BYTES == LIMIT_TOGETHER_BYTES, "the header says how much may be read");

struct drawbridge_context {
    struct memory memory;
    struct context context; /* its memory is the one above */
};

/* A report keeps nothing of its context but the memory's functions. */
struct drawbridge_report {
    struct memory memory;
    struct arena arena; /* of the findings */
    struct drawbridge_finding *findings;
    size_t capacity, count, errors, warnings, infos, judged, skipped, updates, no_objects;
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
    case DRAWBRIDGE_LIMIT:       return "too much: a text of more than 8 MiB, a set of more than 256 MiB, objects and findings of more than 64 MiB, or a name of more than 4,096 bytes";
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

/* What is said of an object that clashes with another. */
static const struct drawbridge_other *copy_other(struct arena *arena, const struct problem *problem)
{
    const struct item *item = problem->other;
    struct drawbridge_other *other = arena_alloc(arena, sizeof *other);
    struct position position;
    if (!other || lines_find(&item->source->lines, problem->other_offset, &position))
        return NULL;
    struct api_version api = api_version_split(item->api_version);
    *other = (struct drawbridge_other){
        .source = copy_text(arena, bytes_of(item->source->name)), .offset = problem->other_offset, .size = problem->other_size, .line = position.line, .column = position.column,
        .group = copy_name(arena, api.group), .version = copy_name(arena, api.version), .kind = copy_name(arena, item->kind_name),
        .object_namespace = copy_name(arena, item->space), .object_name = copy_name(arena, item->name),
    };
    return other;
}

static enum failure fill_finding(struct arena *arena, const struct source *source, const struct problem *problem, struct drawbridge_finding *finding)
{
    static const int severities[] = { [SEVERITY_ERROR] = DRAWBRIDGE_ERROR, [SEVERITY_WARNING] = DRAWBRIDGE_WARNING, [SEVERITY_INFO] = DRAWBRIDGE_INFO };
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
        .source = copy_text(arena, bytes_of(problem->source->name)),
    };
    if (problem->other && !(finding->other = copy_other(arena, problem)))
        return arena->failure ? arena->failure : FAILURE_MEMORY;
    return arena->failure;
}

/* Room for so many more findings. */
static enum failure make_room(struct drawbridge_report *made, size_t count)
{
    if (made->capacity - made->count >= count && made->findings)
        return FAILURE_NONE;
    size_t capacity = 2 * made->capacity + count + 1;
    struct drawbridge_finding *grown = arena_alloc(&made->arena, capacity * sizeof *grown);
    if (!grown)
        return made->arena.failure;
    if (made->count)
        memcpy(grown, made->findings, made->count * sizeof *grown);
    made->findings = grown;
    made->capacity = capacity;
    return FAILURE_NONE;
}

/* Adds what is wrong with one source. */
static enum failure fill_report(struct drawbridge_report *made, const struct source *source, const struct report *report)
{
    made->errors += report->errors;
    made->warnings += report->warnings;
    made->infos += report->infos;
    made->judged += report->judged;
    made->skipped += report->other_kinds;
    made->updates += report->updates;
    made->no_objects += report->no_objects;
    enum failure failure = make_room(made, report->count);
    for (uint32_t i = 0; i < report->count && !failure; i++) {
        failure = fill_finding(&made->arena, source, &report->problems[i], &made->findings[made->count]);
        made->count += !failure;
    }
    return failure == FAILURE_LIMIT ? FAILURE_NONE : failure; /* further ones are only counted */
}

/* ---- validation ---- */

static enum failure judge(struct batch *batch, struct worker *worker, struct drawbridge_report *made)
{
    enum failure failure = batch_pair(batch);
    if (!failure)
        failure = batch_prepare(batch);
    for (struct source *source = batch->sources.first; source && !failure; source = source->next) {
        struct report report;
        worker_clear(worker);
        failure = batch_judge(batch, worker, source, &report);
        if (!failure)
            failure = fill_report(made, source, &report);
    }
    return failure;
}

/* Judges what is in the batch. */
static enum drawbridge_result validate(struct batch *batch, const struct memory *memory, struct drawbridge_report **report)
{
    struct worker worker;
    struct drawbridge_report *made = memory->allocate(sizeof *made, memory->data);
    if (!made)
        return DRAWBRIDGE_NO_MEMORY;
    *made = (struct drawbridge_report){ .memory = *memory };
    arena_init(&made->arena, &made->memory, LIMIT_ARENA_BYTES);
    enum failure failure = worker_init(&worker, batch->context);
    if (!failure) {
        failure = judge(batch, &worker, made);
        worker_done(&worker);
    }
    if (failure)
        drawbridge_report_free(made);
    else
        *report = made;
    return result_of(failure);
}

enum drawbridge_result drawbridge_validate(const struct drawbridge_context *context, const struct drawbridge_options *options, const char *text, size_t length,
                                           const char *old_text, size_t old_length, struct drawbridge_report **report)
{
    struct judge_settings settings;
    struct batch batch;
    struct source *source;
    enum drawbridge_result result = read_options(options, &settings);
    if (result)
        return result;
    if (length > DRAWBRIDGE_MAX_BYTES || old_length > DRAWBRIDGE_MAX_BYTES)
        return DRAWBRIDGE_LIMIT;
    batch_init(&batch, &context->context, &settings);
    enum failure failure = batch_add(&batch, "", (struct bytes){ text, (uint32_t)length }, &source);
    if (!failure && old_text)
        failure = batch_add_old(&batch, "", (struct bytes){ old_text, (uint32_t)old_length }, &source);
    result = failure ? result_of(failure) : validate(&batch, &context->memory, report);
    batch_done(&batch);
    return result;
}

/* ---- sets ---- */

struct drawbridge_set {
    const struct drawbridge_context *context;
    struct batch batch;
    struct copied_text *texts;
    size_t bytes; /* of them */
};

/* A text and its name, in one piece of memory. */
struct copied_text {
    struct copied_text *next;
    char bytes[];
};

enum drawbridge_result drawbridge_set_new(const struct drawbridge_context *context, const struct drawbridge_options *options, struct drawbridge_set **set)
{
    struct judge_settings settings;
    enum drawbridge_result result = read_options(options, &settings);
    if (result)
        return result;
    struct drawbridge_set *made = context->memory.allocate(sizeof *made, context->memory.data);
    if (!made)
        return DRAWBRIDGE_NO_MEMORY;
    *made = (struct drawbridge_set){ .context = context };
    batch_init(&made->batch, &context->context, &settings);
    *set = made;
    return DRAWBRIDGE_OK;
}

void drawbridge_set_free(struct drawbridge_set *set)
{
    if (!set)
        return;
    const struct memory *memory = &set->context->memory;
    batch_done(&set->batch);
    while (set->texts) {
        struct copied_text *copy = set->texts;
        set->texts = copy->next;
        memory->release(copy, memory->data);
    }
    memory->release(set, memory->data);
}

typedef enum failure adder(struct batch *batch, const char *name, struct bytes text, struct source **source);

static enum drawbridge_result add(struct drawbridge_set *set, adder *add_to, const char *name, const char *text, size_t length)
{
    const struct memory *memory = &set->context->memory;
    size_t name_size = strlen(name) + 1;
    if (length > DRAWBRIDGE_MAX_BYTES || set->batch.bytes > DRAWBRIDGE_MAX_SET_BYTES || length > DRAWBRIDGE_MAX_SET_BYTES - set->bytes || name_size > LIMIT_FILE_NAME_BYTES + 1)
        return DRAWBRIDGE_LIMIT;
    struct copied_text *copy = memory->allocate(sizeof *copy + name_size + length, memory->data);
    if (!copy)
        return DRAWBRIDGE_NO_MEMORY;
    memcpy(copy->bytes, name, name_size);
    if (length)
        memcpy(copy->bytes + name_size, text, length);
    struct source *source;
    enum failure failure = add_to(&set->batch, copy->bytes, (struct bytes){ copy->bytes + name_size, (uint32_t)length }, &source);
    if (failure) {
        memory->release(copy, memory->data);
        return result_of(failure);
    }
    copy->next = set->texts;
    set->texts = copy;
    set->bytes += length;
    return DRAWBRIDGE_OK;
}

enum drawbridge_result drawbridge_set_add(struct drawbridge_set *set, const char *name, const char *text, size_t length)
{
    return add(set, batch_add, name, text, length);
}

enum drawbridge_result drawbridge_set_add_old(struct drawbridge_set *set, const char *name, const char *text, size_t length)
{
    return add(set, batch_add_old, name, text, length);
}

enum drawbridge_result drawbridge_set_validate(struct drawbridge_set *set, struct drawbridge_report **report)
{
    return validate(&set->batch, &set->context->memory, report);
}

/* ---- what reports say ---- */

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
