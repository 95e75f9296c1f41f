/* Reports: findings copied out of a validation, and what is asked of them. */
#include "library/library.h"

#include "base/limits.h"
#include "validate/limits.h"
#include "base/text.h"

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
    text_add_escaped(&text, bytes, LIMIT_NAME_BYTES);
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
        .source = copy_text(arena, bytes_of(item->source->name)),
        .offset = problem->other_offset, .size = problem->other_size, .line = position.line, .column = position.column,
        .group = copy_name(arena, api.group), .version = copy_name(arena, api.version), .kind = copy_name(arena, item->kind_name),
        .object_namespace = copy_name(arena, item->space), .object_name = copy_name(arena, item->name),
    };
    return other;
}

static enum failure fill_finding(struct arena *arena, const struct source *source, const struct problem *problem,
                                 struct drawbridge_finding *finding)
{
    const struct item *item = problem->item;
    struct api_version api = api_version_split(item->api_version);
    struct position position;
    if (lines_find(&problem->source->lines, problem->offset, &position))
        return FAILURE_MEMORY;
    *finding = (struct drawbridge_finding){
        .severity = library_severity(problem->severity),
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

enum failure report_add(struct drawbridge_report *made, const struct source *source, const struct report *report)
{
    counts_add(&made->counts, &report->counts);
    enum failure failure = make_room(made, report->count);
    for (uint32_t i = 0; i < report->count && !failure; i++) {
        failure = fill_finding(&made->arena, source, &report->problems[i], &made->findings[made->count]);
        made->count += !failure;
    }
    return failure == FAILURE_LIMIT ? FAILURE_NONE : failure; /* further ones are only counted */
}

/* ---- what is asked ---- */

size_t drawbridge_report_count(const struct drawbridge_report *report)
{
    return report ? report->count : 0;
}

const struct drawbridge_finding *drawbridge_report_finding(const struct drawbridge_report *report, size_t index)
{
    return report && index < report->count ? &report->findings[index] : NULL;
}

size_t drawbridge_report_errors(const struct drawbridge_report *report)
{
    return report ? report->counts.errors : 0;
}

size_t drawbridge_report_warnings(const struct drawbridge_report *report)
{
    return report ? report->counts.warnings : 0;
}

size_t drawbridge_report_infos(const struct drawbridge_report *report)
{
    return report ? report->counts.infos : 0;
}

size_t drawbridge_report_validated(const struct drawbridge_report *report)
{
    return report ? report->counts.validated : 0;
}

size_t drawbridge_report_skipped(const struct drawbridge_report *report)
{
    return report ? report->counts.other_kinds : 0;
}

size_t drawbridge_report_updates(const struct drawbridge_report *report)
{
    return report ? report->counts.updates : 0;
}

size_t drawbridge_report_no_objects(const struct drawbridge_report *report)
{
    return report ? report->counts.no_objects : 0;
}

void drawbridge_report_free(struct drawbridge_report *report)
{
    if (!report)
        return;
    struct memory memory = report->memory;
    arena_done(&report->arena);
    memory.release(report, memory.data);
}
