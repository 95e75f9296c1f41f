/* Findings as GitLab's merge requests show them: its code quality report, an array of objects. */
#include <string.h>

#include "cli/report_part.h"

static const char *description_of(struct workspace *workspace, const struct problem *problem)
{
    struct text text;
    text_init(&text, &workspace->arena);
    text_add_finding(&text, problem);
    return text_end(&text);
}

static bool add_location(struct workspace *workspace, cJSON *object, const struct problem *problem, const struct region *region)
{
    const char *path = problem->source->name;
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    cJSON *location = cJSON_AddObjectToObject(object, "location");
    cJSON *lines = json_add_bytes(workspace, location, "path", bytes_of(path)) ? cJSON_AddObjectToObject(location, "lines") : NULL;
    return lines && cJSON_AddNumberToObject(lines, "begin", region->from.line) && cJSON_AddNumberToObject(lines, "end", region->to.line);
}

static bool fill(struct reporter *reporter, struct workspace *workspace, cJSON *object, const struct problem *problem)
{
    (void)reporter;
    static const char *const severities[] = { [SEVERITY_ERROR] = "major", [SEVERITY_WARNING] = "minor", [SEVERITY_INFO] = "info" };
    struct region region;
    const char *description = description_of(workspace, problem);
    return description && !region_find(problem->source, problem->offset, problem->size, &region) &&
           json_add_bytes(workspace, object, "description", bytes_of(description)) &&
           json_add_text(object, "check_name", rule_info(problem->rule)->id) &&
           json_add_text(object, "fingerprint", fingerprint_of(problem, true).text) &&
           json_add_text(object, "severity", severities[problem->severity]) && add_location(workspace, object, problem, &region);
}

static enum failure begin(struct reporter *reporter)
{
    fputs("[\n", reporter->out);
    return FAILURE_NONE;
}

static enum failure print(struct reporter *reporter, struct workspace *workspace, const struct source *source, const struct report *report)
{
    (void)source;
    return json_print_each(reporter, workspace, report, ",", fill);
}

static enum failure end(struct reporter *reporter)
{
    fputs("]\n", reporter->out);
    return FAILURE_NONE;
}

const struct report_format report_gitlab = { .name = "gitlab", .begin = begin, .report = print, .end = end };
