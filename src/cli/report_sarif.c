/* SARIF 2.1.0, for code scanning and editors. Results are printed as they come; the rules that they name follow them.
 * Source: docs.oasis-open.org/sarif/sarif/v2.1.0. */
#include <string.h>

#include "base/utf8.h"
#include "cli/report_part.h"
#include "drawbridge.h"
#include "review/limits.h"

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

/* The rules that results name, in the order of their first result. */
struct state {
    uint16_t index[RULE_COUNT]; /* from 1; 0: none named it yet */
    uint16_t count;
    enum rule rules[RULE_COUNT];
};

/* ---- places ---- */

/* The column at a position, from 1, in UTF-16 code units; 0: too far in the line. */
static uint32_t utf16_column(const struct position *position)
{
    uint32_t column = 1;
    if (position->at > LIMIT_UTF16_BYTES)
        return 0;
    for (uint32_t at = 0, length; at < position->at; at += length)
        column += utf8_units((const unsigned char *)position->text.data + at, position->text.length - at, &length);
    return column;
}

static cJSON *add_region(cJSON *object, const char *name, const struct region *region)
{
    uint32_t from = utf16_column(&region->from), to = utf16_column(&region->to);
    cJSON *added = cJSON_AddObjectToObject(object, name);
    bool good = added && cJSON_AddNumberToObject(added, "startLine", region->from.line) &&
                (!from || cJSON_AddNumberToObject(added, "startColumn", from)) &&
                cJSON_AddNumberToObject(added, "endLine", region->to.line) && (!to || cJSON_AddNumberToObject(added, "endColumn", to)) &&
                cJSON_AddNumberToObject(added, "byteOffset", (double)region->from.offset) &&
                cJSON_AddNumberToObject(added, "byteLength", region->size);
    return good ? added : NULL;
}

static bool add_artifact(struct workspace *workspace, cJSON *object, const char *path)
{
    struct text uri;
    text_init(&uri, &workspace->arena);
    text_add_uri(&uri, path);
    cJSON *location = cJSON_AddObjectToObject(object, "artifactLocation");
    return json_add_text(location, "uri", text_end(&uri)) && (*path == '/' || json_add_text(location, "uriBaseId", "%SRCROOT%"));
}

static bool add_place(struct workspace *workspace, cJSON *location, struct source *source, uint32_t offset, uint32_t size)
{
    struct region region;
    cJSON *physical = cJSON_AddObjectToObject(location, "physicalLocation");
    if (!physical || region_find(source, offset, size, &region) || !add_artifact(workspace, physical, source->name))
        return false;
    cJSON *added = add_region(physical, "region", &region);
    cJSON *context = added ? cJSON_AddObjectToObject(added, "snippet") : NULL;
    struct bytes value = { source->text.data + offset, region.marked_size };
    return context && json_add_bytes(workspace, context, "text", value);
}

static const char *object_of(struct workspace *workspace, const struct item *item)
{
    struct text text;
    text_init(&text, &workspace->arena);
    text_add_object(&text, item);
    return text_end(&text);
}

/* An object in an array of that name. */
static cJSON *add_first(cJSON *object, const char *name)
{
    cJSON *list = cJSON_AddArrayToObject(object, name), *first = cJSON_CreateObject();
    if (list && first && cJSON_AddItemToArray(list, first))
        return first;
    cJSON_Delete(first);
    return NULL;
}

static bool add_location(struct workspace *workspace, cJSON *result, const struct problem *problem)
{
    cJSON *location = add_first(result, "locations");
    if (!location || !add_place(workspace, location, problem->source, problem->offset, problem->size))
        return false;
    const char *object = object_of(workspace, problem->item);
    if (!object || !*object)
        return object;
    struct text text;
    text_init(&text, &workspace->arena);
    text_add(&text, object);
    text_add(&text, *problem->path ? ": " : "");
    text_add_escaped(&text, bytes_of(problem->path), LIMIT_MESSAGE_BYTES);
    cJSON *logical = add_first(location, "logicalLocations");
    return logical && json_add_text(logical, "fullyQualifiedName", text_end(&text)) && json_add_text(logical, "kind", "member");
}

static bool add_related(struct workspace *workspace, cJSON *result, const struct problem *problem)
{
    const char *object = problem->note ? problem->note : object_of(workspace, problem->other);
    cJSON *location = add_first(result, "relatedLocations");
    cJSON *message = location && object ? cJSON_AddObjectToObject(location, "message") : NULL;
    return json_add_text(message, "text", object && *object ? object : "the other object") &&
           add_place(workspace, location, problem->other->source, problem->other_offset, problem->other_size);
}

/* ---- results ---- */

static bool add_replacement(struct workspace *workspace, cJSON *list, const struct problem *problem, const struct edit *edit)
{
    struct region region;
    cJSON *replacement = cJSON_CreateObject();
    if (!replacement || !cJSON_AddItemToArray(list, replacement)) {
        cJSON_Delete(replacement);
        return false;
    }
    return !region_find(problem->source, edit->from, edit->to - edit->from, &region) &&
           add_region(replacement, "deletedRegion", &region) &&
           json_add_bytes(workspace, cJSON_AddObjectToObject(replacement, "insertedContent"), "text", edit->text);
}

static bool add_fix(struct workspace *workspace, cJSON *result, const struct problem *problem)
{
    cJSON *fix = add_first(result, "fixes");
    cJSON *description = fix ? cJSON_AddObjectToObject(fix, "description") : NULL;
    if (!json_add_text(description, "text", problem->fix->words))
        return false;
    cJSON *change = add_first(fix, "artifactChanges");
    cJSON *list = change && add_artifact(workspace, change, problem->source->name) ? cJSON_AddArrayToObject(change, "replacements") : NULL;
    for (uint32_t i = 0; i < problem->fix->count && list; i++)
        if (!add_replacement(workspace, list, problem, &problem->fix->edits[i]))
            return false;
    return list;
}

/* Readers take [words](address) for a link: a backslash keeps what a manifest says from being one. */
static const char *message_of(struct workspace *workspace, const struct problem *problem)
{
    struct text text, safe;
    text_init(&text, &workspace->arena);
    text_add_message(&text, problem);
    if (problem->hint) {
        text_add(&text, "\n");
        text_add(&text, problem->hint);
    }
    const char *words = text_end(&text);
    if (!words || !strstr(words, "]("))
        return words;
    text_init(&safe, &workspace->arena);
    for (; *words; words++) {
        text_add(&safe, *words == '[' || *words == ']' ? "\\" : "");
        text_add_bytes(&safe, (struct bytes){ words, 1 });
    }
    return text_end(&safe);
}

static uint16_t rule_index(struct state *state, enum rule rule)
{
    if (!state->index[rule]) {
        state->rules[state->count] = rule;
        state->index[rule] = ++state->count;
    }
    return state->index[rule] - 1;
}

static bool add_properties(cJSON *result, const struct problem *problem)
{
    cJSON *properties = cJSON_AddObjectToObject(result, "properties");
    return json_add_text(properties, "reason", reason_info(problem->reason)->cause) &&
           (!problem->change || json_add_text(properties, "change", problem->change)) &&
           (!problem->versions || json_add_text(properties, "kubernetesVersions", version_set_words(problem->versions).text)) &&
           (!problem->source_of_rule || json_add_text(properties, "ruleSource", problem->source_of_rule));
}

/* What hides it: a comment or annotation, or a baseline. Of each result it is said whether anything does. */
static bool add_suppressions(struct workspace *workspace, cJSON *result, const struct problem *problem, bool hidden)
{
    cJSON *list = cJSON_AddArrayToObject(result, "suppressions"), *suppression = hidden ? cJSON_CreateObject() : NULL;
    if (!hidden)
        return list;
    if (!list || !suppression || !cJSON_AddItemToArray(list, suppression)) {
        cJSON_Delete(suppression);
        return false;
    }
    const char *reason = problem->suppressed ? problem->suppressed : "";
    return json_add_text(suppression, "kind", problem->suppressed ? "inSource" : "external") &&
           (!*reason || json_add_bytes(workspace, suppression, "justification", bytes_of(reason)));
}

static bool fill_result(struct reporter *reporter, struct workspace *workspace, cJSON *result, const struct problem *problem, bool hidden)
{
    static const char *const levels[] = { [SEVERITY_ERROR] = "error", [SEVERITY_WARNING] = "warning", [SEVERITY_INFO] = "note" };
    const char *message = message_of(workspace, problem);
    return message && json_add_text(result, "ruleId", rule_info(problem->rule)->id) &&
           cJSON_AddNumberToObject(result, "ruleIndex", rule_index(reporter->state, problem->rule)) &&
           json_add_text(result, "level", levels[problem->severity]) &&
           json_add_bytes(workspace, cJSON_AddObjectToObject(result, "message"), "text", bytes_of(message)) &&
           add_location(workspace, result, problem) && (!problem->other || add_related(workspace, result, problem)) &&
           json_add_text(cJSON_AddObjectToObject(result, "partialFingerprints"), "drawbridge/v1", fingerprint_of(problem, false).text) &&
           (!problem->fix || add_fix(workspace, result, problem)) && add_suppressions(workspace, result, problem, hidden) &&
           add_properties(result, problem);
}

static bool fill(struct reporter *reporter, struct workspace *workspace, cJSON *result, const struct problem *problem)
{
    return fill_result(reporter, workspace, result, problem, false);
}

static bool fill_hidden(struct reporter *reporter, struct workspace *workspace, cJSON *result, const struct problem *problem)
{
    return fill_result(reporter, workspace, result, problem, true);
}

static enum failure begin(struct reporter *reporter)
{
    reporter->state = arena_alloc(&reporter->arena, sizeof(struct state));
    if (!reporter->state)
        return reporter->arena.failure;
    memset(reporter->state, 0, sizeof(struct state));
    fputs("{\"$schema\":\"" SCHEMA "\",\"version\":\"2.1.0\",\"runs\":[{\"columnKind\":\"utf16CodeUnits\",\"results\":[\n", reporter->out);
    return FAILURE_NONE;
}

static enum failure print(struct reporter *reporter, struct workspace *workspace, const struct source *source, const struct report *report)
{
    (void)source;
    const struct report hidden = { .problems = report->hidden, .count = report->hidden_count };
    enum failure failure = json_print_each(reporter, workspace, report, ",", fill);
    return failure ? failure : json_print_each(reporter, workspace, &hidden, ",", fill_hidden);
}

/* ---- the tool and the run ---- */

static bool add_message(cJSON *object, const char *name, const char *text, const char *markdown)
{
    cJSON *message = cJSON_AddObjectToObject(object, name);
    return json_add_text(message, "text", text) && (!markdown || json_add_text(message, "markdown", markdown));
}

static bool add_rule(struct arena *arena, cJSON *rules, enum rule rule)
{
    const struct rule_info *info = rule_info(rule);
    struct text text, markdown;
    text_init(&text, arena);
    text_add(&text, "Kubernetes asks that ");
    text_add(&text, info->asks);
    text_add(&text, ". drawbridge explain ");
    text_add(&text, info->id);
    text_add(&text, " says for which fields.");
    text_init(&markdown, arena);
    text_add(&markdown, "**");
    text_add(&markdown, info->id);
    text_add(&markdown, "**: Kubernetes asks that ");
    text_add(&markdown, info->asks);
    text_add(&markdown, ".\n\n`drawbridge explain ");
    text_add(&markdown, info->id);
    text_add(&markdown, "` says for which fields.");
    cJSON *object = cJSON_CreateObject();
    if (!object || !cJSON_AddItemToArray(rules, object)) {
        cJSON_Delete(object);
        return false;
    }
    return json_add_text(object, "id", info->id) && add_message(object, "shortDescription", info->asks, NULL) &&
           add_message(object, "help", text_end(&text), text_end(&markdown));
}

static cJSON *make_tool(struct reporter *reporter)
{
    const struct state *state = reporter->state;
    cJSON *tool = cJSON_CreateObject();
    cJSON *driver = tool ? cJSON_AddObjectToObject(tool, "driver") : NULL;
    bool good = json_add_text(driver, "name", "drawbridge") && json_add_text(driver, "version", DRAWBRIDGE_VERSION) &&
                json_add_text(driver, "semanticVersion", DRAWBRIDGE_VERSION);
    cJSON *rules = good ? cJSON_AddArrayToObject(driver, "rules") : NULL;
    for (uint16_t i = 0; i < state->count && rules; i++)
        if (!add_rule(&reporter->arena, rules, state->rules[i]))
            rules = NULL;
    if (rules)
        return tool;
    cJSON_Delete(tool);
    return NULL;
}

static cJSON *make_invocation(const struct report_run *run)
{
    cJSON *invocation = cJSON_CreateObject();
    bool good = invocation && cJSON_AddNumberToObject(invocation, "exitCode", run->status) &&
                cJSON_AddBoolToObject(invocation, "executionSuccessful", run->status <= EXIT_FOUND);
    cJSON *properties = good ? cJSON_AddObjectToObject(invocation, "properties") : NULL;
    good = json_add_text(properties, "kubernetesVersion", versions_words(run->versions).text) &&
           cJSON_AddNumberToObject(properties, "files", (double)run->file_count) &&
           cJSON_AddNumberToObject(properties, "objects", (double)run->counts.validated);
    if (good)
        return invocation;
    cJSON_Delete(invocation);
    return NULL;
}

static enum failure end(struct reporter *reporter)
{
    cJSON *tool = make_tool(reporter), *invocation = make_invocation(reporter->run);
    enum failure failure = json_print(reporter->out, "],\"tool\":", tool, tool);
    enum failure other = json_print(reporter->out, ",\"invocations\":[", invocation, invocation);
    fputs("]}]}\n", reporter->out);
    return failure ? failure : other;
}

const struct report_format report_sarif = { .name = "sarif", .begin = begin, .report = print, .end = end };
