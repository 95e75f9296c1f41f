/* Diagnostics: what lint finds in the files that are open. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lint/reported.h"
#include "lsp/place.h"
#include "lsp/server.h"

enum { DIAGNOSTIC_ERROR = 1, DIAGNOSTIC_WARNING = 2, DIAGNOSTIC_INFORMATION = 3 };

static int severity_of(enum severity severity)
{
    switch (severity) {
    case SEVERITY_ERROR:   return DIAGNOSTIC_ERROR;
    case SEVERITY_WARNING: return DIAGNOSTIC_WARNING;
    case SEVERITY_INFO:    return DIAGNOSTIC_INFORMATION;
    }
    return DIAGNOSTIC_INFORMATION;
}

/* "path: message; hint" */
static const char *words_of(struct lsp *lsp, const struct problem *problem)
{
    struct text text;
    text_init(&text, &lsp->arena);
    text_add(&text, problem->path);
    text_add(&text, *problem->path ? ": " : "");
    text_add(&text, problem->message);
    text_add(&text, problem->hint ? "; hint: " : "");
    text_add(&text, problem->hint ? problem->hint : "");
    return text_end(&text);
}

/* Where the object is with which this one clashes. */
static bool add_related(struct lsp *lsp, cJSON *diagnostic, const struct problem *problem)
{
    struct source *source = problem->other->source;
    struct text text;
    text_init(&text, &lsp->arena);
    text_add_escaped(&text, problem->other->kind_name, LIMIT_QUOTE_BYTES);
    text_add(&text, " ");
    text_add_quoted(&text, problem->other->name, LIMIT_QUOTE_BYTES);
    text_add(&text, " is here");
    const char *words = text_end(&text);
    cJSON *list = cJSON_AddArrayToObject(diagnostic, "relatedInformation"), *related = cJSON_CreateObject();
    if (!list || !related || !cJSON_AddItemToArray(list, related)) {
        cJSON_Delete(related);
        return false;
    }
    cJSON *location = cJSON_AddObjectToObject(related, "location");
    return words && location && cJSON_AddStringToObject(location, "uri", source->name) &&
           lsp_add_range(location, "range", &source->lines, problem->other_offset, problem->other_offset + problem->other_size,
                         lsp->utf8) &&
           cJSON_AddStringToObject(related, "message", words);
}

cJSON *lsp_diagnostic(struct lsp *lsp, const struct problem *problem)
{
    cJSON *diagnostic = cJSON_CreateObject();
    const char *words = words_of(lsp, problem);
    if (diagnostic && words &&
        lsp_add_range(diagnostic, "range", &problem->source->lines, problem->offset, problem->offset + problem->size, lsp->utf8) &&
        cJSON_AddNumberToObject(diagnostic, "severity", severity_of(problem->severity)) &&
        cJSON_AddStringToObject(diagnostic, "code", rule_info(problem->rule)->id) &&
        cJSON_AddStringToObject(diagnostic, "source", "drawbridge") && cJSON_AddStringToObject(diagnostic, "message", words) &&
        (!problem->other || add_related(lsp, diagnostic, problem)))
        return diagnostic;
    cJSON_Delete(diagnostic);
    return NULL;
}

/* Whether two files are in one folder. */
static bool same_folder(const char *a, const char *b)
{
    const char *end_a = strrchr(a, '/'), *end_b = strrchr(b, '/');
    return end_a && end_b && end_a - a == end_b - b && memcmp(a, b, (size_t)(end_a - a)) == 0;
}

/* Objects that clash over folders are often the same object for two clusters. And text without objects is for others to check. */
static bool is_wanted(const struct problem *problem, bool has_objects)
{
    if (problem->item && problem->item->type == ITEM_UNREADABLE)
        return has_objects;
    return !problem->other || same_folder(problem->source->name, problem->other->source->name);
}

static bool mentions_objects(struct bytes text)
{
    static const char word[] = "apiVersion";
    return text.length && memmem(text.data, text.length, word, sizeof word - 1);
}

bool lsp_report(struct lsp *lsp, struct lsp_file *file, struct report *report)
{
    if (!file->source)
        return false;
    workspace_clear(&lsp->workspace);
    struct source_set *set = &file->group->set;
    struct reported reported = { &file->group->scope.selection, bytes_of(file->path ? file->path : ""), false };
    size_t suppressed;
    enum failure failure = source_set_validate(set, &lsp->workspace, file->source, report);
    failure = failure ? failure : reported_apply(&reported, file->source, &set->reports, report, &suppressed);
    lsp->output.failed |= failure == FAILURE_MEMORY;
    if (failure)
        return false;
    bool has_objects = mentions_objects(file->source->text);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < report->count; i++)
        if (is_wanted(&report->problems[i], has_objects))
            report->problems[kept++] = report->problems[i];
    report->count = kept;
    return true;
}

static cJSON *diagnostics_of(struct lsp *lsp, struct lsp_file *file)
{
    struct report report = { .count = 0 };
    cJSON *list = cJSON_CreateArray();
    if (!lsp_report(lsp, file, &report))
        report.count = 0;
    for (uint32_t i = 0; i < report.count; i++) {
        cJSON *diagnostic = lsp_diagnostic(lsp, &report.problems[i]);
        if (!list || !diagnostic || !cJSON_AddItemToArray(list, diagnostic)) {
            cJSON_Delete(diagnostic);
            cJSON_Delete(list);
            return NULL;
        }
    }
    return list;
}

/* Sends them, unless they are what the client has. */
static void publish(struct lsp *lsp, struct lsp_file *file)
{
    arena_clear(&lsp->arena);
    cJSON *parameters = cJSON_CreateObject(), *list = file->open ? diagnostics_of(lsp, file) : cJSON_CreateArray();
    bool good = parameters && list && cJSON_AddStringToObject(parameters, "uri", file->uri) &&
                (file->version < 0 || cJSON_AddNumberToObject(parameters, "version", file->version)) &&
                cJSON_AddItemToObject(parameters, "diagnostics", list);
    char *text = good ? cJSON_PrintUnformatted(parameters) : NULL;
    if (!text) {
        cJSON_Delete(good ? NULL : list);
        cJSON_Delete(parameters);
        lsp->output.failed = true;
        return;
    }
    if (file->published && strcmp(file->published, text) == 0) {
        cJSON_Delete(parameters);
        free(text);
        return;
    }
    free(file->published);
    file->published = text;
    lsp_notify(&lsp->output, "textDocument/publishDiagnostics", parameters);
    if (file->open)
        return;
    free(file->published);
    file->published = NULL;
}

void lsp_diagnose(struct lsp *lsp)
{
    lsp->stale = false;
    lsp->loaded &= lsp->found_next < lsp->found_count;
    if (lsp_refresh(lsp)) {
        lsp->output.failed = true;
        return;
    }
    for (struct lsp_file *file = lsp->files; file; file = file->next)
        if (file->open || file->published)
            publish(lsp, file);
}
