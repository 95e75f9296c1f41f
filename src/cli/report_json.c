/* Problems for programs: one JSON object a line, the last one a summary. */
#include "cli/report_part.h"
#include "drawbridge.h"

static bool add_place(struct workspace *workspace, cJSON *object, struct source *source, uint32_t offset)
{
    struct position position;
    return !lines_find(&source->lines, offset, &position) && json_add_bytes(workspace, object, "file", bytes_of(source->name)) &&
           cJSON_AddNumberToObject(object, "line", position.line) && cJSON_AddNumberToObject(object, "column", position.column) &&
           cJSON_AddNumberToObject(object, "offset", (double)position.offset);
}

static bool add_object(struct workspace *workspace, cJSON *object, const struct item *item)
{
    struct api_version api = api_version_split(item->api_version);
    return json_add_bytes(workspace, object, "group", api.group) && json_add_bytes(workspace, object, "version", api.version) &&
           json_add_bytes(workspace, object, "kind", item->kind_name) &&
           (!item->space.length || json_add_bytes(workspace, object, "namespace", item->space)) &&
           json_add_bytes(workspace, object, "name", item->name);
}

/* The object with which this one clashes. */
static bool add_other(struct workspace *workspace, cJSON *object, const struct problem *problem)
{
    cJSON *other = cJSON_AddObjectToObject(object, "other");
    return other && add_place(workspace, other, problem->other->source, problem->other_offset) &&
           add_object(workspace, other, problem->other) && (!problem->note || json_add_text(other, "note", problem->note));
}

/* The versions in which it holds, if not in all that were asked for. */
static bool add_versions(cJSON *object, version_set versions)
{
    cJSON *list = cJSON_AddArrayToObject(object, "kubernetesVersions");
    for (minor version = MINOR_OLDEST; version <= MINOR_NEWEST && list; version++) {
        const struct versions one = { version, version };
        if (!(versions & version_bit(version)))
            continue;
        cJSON *word = cJSON_CreateString(versions_words(one).text);
        if (!word || !cJSON_AddItemToArray(list, word)) {
            cJSON_Delete(word);
            return false;
        }
    }
    return list;
}

/* Where it ends, and what is there. */
static bool add_region(struct workspace *workspace, cJSON *object, const struct problem *problem)
{
    struct region region;
    return !region_find(problem->source, problem->offset, problem->size, &region) &&
           cJSON_AddNumberToObject(object, "endLine", region.to.line) && cJSON_AddNumberToObject(object, "endColumn", region.to.column) &&
           cJSON_AddNumberToObject(object, "length", region.size) && json_add_bytes(workspace, object, "source", region.excerpt);
}

static bool add_fix(struct workspace *workspace, cJSON *object, const struct problem *problem)
{
    const struct problem_fix *fix = problem->fix;
    const uint64_t before = problem->source->lines.before.bytes; /* edits count from the start of the piece */
    cJSON *added = cJSON_AddObjectToObject(object, "fix");
    cJSON *edits = json_add_text(added, "words", fix->words) ? cJSON_AddArrayToObject(added, "edits") : NULL;
    for (uint32_t i = 0; i < fix->count && edits; i++) {
        const struct edit *edit = &fix->edits[i];
        cJSON *one = cJSON_CreateObject();
        if (!one || !cJSON_AddItemToArray(edits, one) || !cJSON_AddNumberToObject(one, "offset", (double)(before + edit->from)) ||
            !cJSON_AddNumberToObject(one, "length", edit->to - edit->from) || !json_add_bytes(workspace, one, "text", edit->text))
            return false;
    }
    return edits;
}

/* Where the rule is from, and what says more of it. */
static bool add_documents(struct workspace *workspace, cJSON *object, const struct problem *problem)
{
    struct text text;
    text_init(&text, &workspace->arena);
    text_add(&text, "drawbridge explain ");
    text_add(&text, rule_info(problem->rule)->id);
    return (!problem->source_of_rule || json_add_text(object, "ruleSource", problem->source_of_rule)) &&
           json_add_text(object, "documentation", text_end(&text));
}

static bool fill(struct reporter *reporter, struct workspace *workspace, cJSON *object, const struct problem *problem)
{
    (void)reporter;
    return add_place(workspace, object, problem->source, problem->offset) &&
           (!problem->change || json_add_text(object, "change", problem->change)) &&
           json_add_text(object, "severity", severity_word(problem->severity)) &&
           json_add_text(object, "rule", rule_info(problem->rule)->id) &&
           json_add_text(object, "reason", reason_info(problem->reason)->cause) && json_add_text(object, "path", problem->path) &&
           json_add_text(object, "message", problem->message) && add_object(workspace, object, problem->item) &&
           (!problem->hint || json_add_text(object, "hint", problem->hint)) && (!problem->other || add_other(workspace, object, problem)) &&
           (!problem->versions || add_versions(object, problem->versions)) && add_region(workspace, object, problem) &&
           add_documents(workspace, object, problem) && (!problem->fix || add_fix(workspace, object, problem));
}

static enum failure print(struct reporter *reporter, struct workspace *workspace, const struct source *source, const struct report *report)
{
    (void)source;
    return json_print_each(reporter, workspace, report, "", fill);
}

static bool fill_summary(cJSON *summary, const struct report_run *run)
{
    const struct counts *counts = &run->counts;
    return summary && json_add_text(summary, "command", run->command) && json_add_text(summary, "drawbridge", DRAWBRIDGE_VERSION) &&
           (!run->from || json_add_text(summary, "from", versions_words((struct versions){ run->from, run->from }).text)) &&
           json_add_text(summary, "kubernetesVersion", versions_words(run->versions).text) &&
           cJSON_AddNumberToObject(summary, "exitStatus", run->status) &&
           cJSON_AddNumberToObject(summary, "errors", (double)counts->errors) &&
           cJSON_AddNumberToObject(summary, "warnings", (double)counts->warnings) &&
           cJSON_AddNumberToObject(summary, "infos", (double)counts->infos) &&
           cJSON_AddNumberToObject(summary, "files", (double)run->file_count) &&
           cJSON_AddNumberToObject(summary, "objects", (double)counts->validated) &&
           cJSON_AddNumberToObject(summary, "updates", (double)counts->updates) &&
           cJSON_AddNumberToObject(summary, "skippedObjects", (double)counts->other_kinds) &&
           cJSON_AddNumberToObject(summary, "skippedDocuments", (double)counts->no_objects) &&
           cJSON_AddNumberToObject(summary, "skippedTemplates", (double)counts->templates);
}

/* The last line. */
static enum failure print_summary(struct reporter *reporter)
{
    cJSON *object = cJSON_CreateObject();
    return json_print(reporter->out, "", object && fill_summary(cJSON_AddObjectToObject(object, "summary"), reporter->run), object);
}

const struct report_format report_json = { .name = "json", .report = print, .end = print_summary };
