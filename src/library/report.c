/* Reports: findings copied out of a validation, and what is asked of them. */
#include "library/library.h"

#include "base/limits.h"
#include "validate/limits.h"
#include "validate/range.h"
#include "base/text.h"

const char *library_copy_text(struct arena *arena, struct bytes bytes)
{
    char *copy = arena_text(arena, (size_t)bytes.length + 1);
    if (!copy)
        return NULL;
    if (bytes.length)
        memcpy(copy, bytes.data, bytes.length);
    copy[bytes.length] = '\0';
    return copy;
}

const char *library_copy_name(struct arena *arena, struct bytes bytes)
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
        .source = library_copy_text(arena, bytes_of(item->source->name)),
        .offset = problem->other_offset, .size = problem->other_size, .line = position.line, .column = position.column,
        .group = library_copy_name(arena, api.group), .version = library_copy_name(arena, api.version),
        .kind = library_copy_name(arena, item->kind_name),
        .object_namespace = library_copy_name(arena, item->space), .object_name = library_copy_name(arena, item->name),
    };
    return other;
}

/* The versions in words, ended by NULL; NULL: there are none, or the arena failed. */
static const char *const *copy_versions(struct arena *arena, version_set versions)
{
    const char **list = versions ? arena_alloc(arena, (RANGE_VERSIONS + 1) * sizeof *list) : NULL;
    size_t count = 0;
    for (minor version = MINOR_OLDEST; version <= MINOR_NEWEST && list; version++) {
        const struct versions one = { version, version };
        if (versions & version_bit(version))
            list[count++] = library_copy_text(arena, bytes_of(versions_words(one).text));
    }
    if (list)
        list[count] = NULL;
    return list;
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
        .path = library_copy_text(arena, bytes_of(problem->path)),
        .message = library_copy_text(arena, bytes_of(problem->message)),
        .hint = problem->hint ? library_copy_text(arena, bytes_of(problem->hint)) : NULL,
        .offset = problem->offset, .size = problem->size, .line = position.line, .column = position.column,
        .group = library_copy_name(arena, api.group), .version = library_copy_name(arena, api.version),
        .kind = library_copy_name(arena, item->kind_name),
        .object_namespace = library_copy_name(arena, item->space), .object_name = library_copy_name(arena, item->name),
        .source = library_copy_text(arena, bytes_of(problem->source->name)),
        .kubernetes_versions = copy_versions(arena, problem->versions),
    };
    if (problem->other && !(finding->other = copy_other(arena, problem)))
        return arena->failure ? arena->failure : FAILURE_MEMORY;
    return arena->failure;
}

void *library_make_room(struct arena *arena, void *list, size_t count, size_t more, size_t size, size_t *capacity)
{
    if (list && *capacity - count >= more)
        return list;
    size_t grown = 2 * *capacity + more + 1;
    void *made = arena_alloc(arena, grown * size);
    if (!made)
        return NULL;
    if (count)
        memcpy(made, list, count * size);
    *capacity = grown;
    return made;
}

enum failure library_errors_add(struct library_errors *errors, struct arena *arena, const struct item *item, uint32_t offset,
                                const char *path, const char *message)
{
    struct position position;
    struct drawbridge_error *list = library_make_room(arena, errors->list, errors->count, 1, sizeof *list, &errors->capacity);
    if (!list)
        return arena->failure;
    errors->list = list;
    if (lines_find(&item->source->lines, offset, &position))
        return FAILURE_MEMORY;
    list[errors->count++] = (struct drawbridge_error){
        .message = library_copy_text(arena, bytes_of(message)), .source = library_copy_text(arena, bytes_of(item->source->name)),
        .path = library_copy_text(arena, bytes_of(path)), .offset = offset, .line = position.line, .column = position.column,
    };
    return arena->failure;
}

enum failure library_errors_add_unreadable(struct library_errors *errors, struct arena *arena, const struct item *item)
{
    static const char unknown[] = "a ResourceSlice of no API version that is known: v1, v1beta2, v1beta1, v1alpha3 of resource.k8s.io";
    if (item->type == ITEM_UNREADABLE)
        return library_errors_add(errors, arena, item, item->error.offset, "", item->error.message);
    if (item->type == ITEM_OTHER_KIND && bytes_equal_text(item->kind_name, "ResourceSlice") && !match_is_slice(item))
        return library_errors_add(errors, arena, item, item->node->offset, "", unknown);
    return FAILURE_NONE;
}

enum failure library_errors_add_all(struct library_errors *errors, struct arena *arena, const struct source *sources,
                                    const struct match_undecodable *undecodable)
{
    enum failure failure = FAILURE_NONE;
    for (const struct source *source = sources; source; source = source->next)
        for (const struct item *item = source->first; item && !failure; item = item->next)
            failure = library_errors_add_unreadable(errors, arena, item);
    for (const struct match_undecodable *object = undecodable; object && !failure; object = object->next)
        failure = library_errors_add(errors, arena, object->item, object->offset, object->path, object->message);
    return failure;
}

enum failure report_add(struct drawbridge_report *made, const struct source *source, const struct report *report)
{
    counts_add(&made->counts, &report->counts);
    struct drawbridge_finding *list = library_make_room(&made->arena, made->findings, made->count, report->count, sizeof *list,
                                                        &made->capacity);
    enum failure failure = list ? FAILURE_NONE : made->arena.failure;
    made->findings = list ? list : made->findings;
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
