/* Code actions: what repairs a problem, and a comment that silences its rule. */
#include <string.h>

#include "base/text.h"
#include "lsp/place.h"
#include "lsp/server.h"

/* The file whose problems are asked for, and the part of it. */
struct asked {
    struct lsp_file *file;
    uint32_t from, to;
    cJSON *actions;
};

/* A list of edits of one file, which the action gets as its only ones. NULL: no memory. */
static cJSON *add_edits(cJSON *action, const char *uri)
{
    cJSON *edit = cJSON_AddObjectToObject(action, "edit"), *changes = cJSON_AddObjectToObject(edit, "changes");
    return cJSON_AddArrayToObject(changes, uri);
}

static bool add_edit(struct lsp *lsp, cJSON *edits, struct lines *lines, const struct edit *edit)
{
    struct text text;
    text_init(&text, &lsp->arena);
    text_add_bytes(&text, edit->text);
    const char *words = text_end(&text);
    cJSON *json = cJSON_CreateObject();
    if (words && json && lsp_add_range(json, "range", lines, edit->from, edit->to, lsp->utf8) &&
        cJSON_AddStringToObject(json, "newText", words) && cJSON_AddItemToArray(edits, json))
        return true;
    cJSON_Delete(json);
    return false;
}

/* An action for a problem; `title` from the request's arena. */
static bool add_action(struct lsp *lsp, const struct asked *selection, const struct problem *problem, const char *title,
                       const struct edit *list, uint32_t count)
{
    cJSON *action = cJSON_CreateObject(), *problems = cJSON_AddArrayToObject(action, "diagnostics"), *solved = lsp_diagnostic(lsp, problem);
    if (!problems || !solved || !cJSON_AddItemToArray(problems, solved)) {
        cJSON_Delete(solved);
        cJSON_Delete(action);
        return false;
    }
    cJSON *edits = add_edits(action, selection->file->uri);
    bool good = title && edits && cJSON_AddStringToObject(action, "title", title) && cJSON_AddStringToObject(action, "kind", "quickfix");
    for (uint32_t i = 0; i < count && good; i++)
        good = add_edit(lsp, edits, &problem->source->lines, &list[i]);
    if (good && cJSON_AddItemToArray(selection->actions, action))
        return true;
    cJSON_Delete(action);
    return false;
}

static bool add_repair(struct lsp *lsp, const struct asked *selection, const struct problem *problem)
{
    return !problem->fix ||
           add_action(lsp, selection, problem, problem->fix->words, problem->fix->edits, problem->fix->count);
}

/* A comment in the line above, as deep as the line is. JSON has no comments. */
static bool add_silence(struct lsp *lsp, const struct asked *selection, const struct problem *problem)
{
    struct position position;
    struct text title, comment;
    if (!problem->item || !problem->item->document || !problem->item->document->is_yaml)
        return true;
    if (lines_find(&problem->source->lines, problem->offset, &position))
        return false;
    const struct bytes line = position.text;
    uint32_t indent = 0, start = problem->offset - position.at;
    while (indent < line.length && line.data[indent] == ' ')
        indent++;
    const char *rule = rule_info(problem->rule)->id;
    text_init(&title, &lsp->arena);
    text_add(&title, "ignore ");
    text_add(&title, rule);
    text_add(&title, " here");
    const char *words = text_end(&title);
    text_init(&comment, &lsp->arena);
    text_add_bytes(&comment, (struct bytes){ line.data, indent });
    text_add(&comment, "# drawbridge: ignore[");
    text_add(&comment, rule);
    text_add(&comment, "]\n");
    const char *written = text_end(&comment);
    const struct edit edit = { start, start, { written, written ? (uint32_t)strlen(written) : 0 } };
    return written && add_action(lsp, selection, problem, words, &edit, 1);
}

static bool is_selected(const struct asked *selection, const struct problem *problem)
{
    return problem->source == selection->file->source && problem->offset <= selection->to &&
           problem->offset + problem->size >= selection->from;
}

cJSON *lsp_code_action(struct lsp *lsp, const cJSON *parameters)
{
    struct asked selection = { .file = lsp_file_find(lsp, lsp_text(lsp_member(parameters, "textDocument"), "uri")) };
    struct report report;
    selection.actions = cJSON_CreateArray();
    if (!selection.actions || !selection.file || !lsp_report(lsp, selection.file, &report))
        return selection.actions;
    const struct bytes text = selection.file->source->text;
    selection.from = lsp_offset(text, lsp_member(parameters, "range.start"), lsp->utf8);
    selection.to = lsp_offset(text, lsp_member(parameters, "range.end"), lsp->utf8);
    bool good = true;
    for (uint32_t i = 0; i < report.count && good; i++)
        if (is_selected(&selection, &report.problems[i]))
            good = add_repair(lsp, &selection, &report.problems[i]) && add_silence(lsp, &selection, &report.problems[i]);
    if (good)
        return selection.actions;
    cJSON_Delete(selection.actions);
    return NULL;
}
