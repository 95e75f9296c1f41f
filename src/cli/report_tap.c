/* Reports for test harnesses: TAP 14, a test an object, with its findings as diagnostics in YAML. */
#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "cli/report_part.h"
#include "review/limits.h"

/* A test's description: a backslash before what has a meaning there. */
static void add_description(struct text *text, const char *words)
{
    for (; words && *words; words++) {
        text_add(text, strchr("\\#", *words) ? "\\" : "");
        text_add_bytes(text, (struct bytes){ words, 1 });
    }
}

/* A name as a test is called: FILE: ResourceClaim team/gpu. */
static const char *name_of(struct arena *arena, const struct item *item)
{
    struct text text;
    text_init(&text, arena);
    text_add_escaped(&text, bytes_of(item->source->name), LIMIT_FILE_NAME_BYTES);
    text_add(&text, ": ");
    size_t before = text.length;
    text_add_object(&text, item);
    text_add(&text, text.length == before ? "document" : "");
    return text_end(&text);
}

static bool fill(struct workspace *workspace, cJSON *object, const struct problem *problem)
{
    struct region region;
    struct text path, message;
    text_init(&path, &workspace->arena);
    text_init(&message, &workspace->arena);
    text_add_escaped(&path, bytes_of(problem->path), LIMIT_MESSAGE_BYTES);
    text_add_escaped(&message, bytes_of(problem->message), LIMIT_MESSAGE_BYTES);
    return json_add_text(object, "severity", severity_word(problem->severity)) &&
           json_add_text(object, "rule", rule_info(problem->rule)->id) && json_add_text(object, "path", text_end(&path)) &&
           json_add_text(object, "message", text_end(&message)) && (!problem->hint || json_add_text(object, "hint", problem->hint)) &&
           !region_find(problem->source, problem->offset, problem->size, &region) &&
           cJSON_AddNumberToObject(object, "line", region.from.line) && cJSON_AddNumberToObject(object, "column", region.from.column);
}

/* The block of diagnostics: JSON is YAML, too. */
static enum failure print_problems(FILE *out, struct workspace *workspace, const struct problem *const *problems, uint32_t count)
{
    enum failure failure = FAILURE_NONE;
    fputs("  ---\n  findings:\n", out);
    for (uint32_t i = 0; i < count && !failure; i++) {
        cJSON *object = cJSON_CreateObject();
        workspace_clear(workspace);
        failure = json_print(out, "  - ", object && fill(workspace, object, problems[i]), object);
    }
    fputs("  ...\n", out);
    return failure;
}

static enum failure print_item(struct reporter *reporter, struct workspace *workspace, const struct item *item,
                               const struct by_item *by_item)
{
    uint32_t count, *number = reporter->state;
    bool good = true;
    const struct problem *const *problems = by_item_find(by_item, item, &count);
    for (uint32_t i = 0; i < count; i++)
        good &= problems[i]->severity != SEVERITY_ERROR;
    struct text text;
    workspace_clear(workspace);
    text_init(&text, &workspace->arena);
    text_add(&text, good ? "ok " : "not ok ");
    text_add_integer(&text, ++*number);
    text_add(&text, " - ");
    const char *name = name_of(&workspace->arena, item);
    text.failed |= !name;
    add_description(&text, name);
    if (!count && item->type != ITEM_OBJECT)
        text_add(&text, item->type == ITEM_OTHER_KIND ? " # SKIP a kind without rules" : " # SKIP no apiVersion and kind");
    const char *printed = text_end(&text);
    if (!printed)
        return workspace->arena.failure;
    fprintf(reporter->out, "%s\n", printed);
    return count ? print_problems(reporter->out, workspace, problems, count) : FAILURE_NONE;
}

static enum failure begin(struct reporter *reporter)
{
    uint32_t *number = arena_alloc(&reporter->arena, sizeof *number);
    if (!number)
        return reporter->arena.failure;
    *number = 0;
    reporter->state = number;
    fputs("TAP version 14\n", reporter->out);
    return FAILURE_NONE;
}

static enum failure print(struct reporter *reporter, struct workspace *workspace, const struct source *source, const struct report *report)
{
    struct by_item by_item;
    struct arena arena;
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    enum failure failure = by_item_make(&arena, report, &by_item);
    for (const struct item *item = source->first; item && !failure; item = item->next)
        failure = print_item(reporter, workspace, item, &by_item);
    arena_done(&arena);
    return failure;
}

/* The plan, which is known last. */
static enum failure end(struct reporter *reporter)
{
    fprintf(reporter->out, "1..%u\n", *(const uint32_t *)reporter->state);
    return FAILURE_NONE;
}

const struct report_format report_tap = { .name = "tap", .begin = begin, .report = print, .end = end };
