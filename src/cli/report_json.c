/* Problems for programs: one JSON object a line. */
#include <cjson/cJSON.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/utf8.h"
#include "cli/report.h"

static bool add_text(cJSON *object, const char *name, const char *value)
{
    return value && cJSON_AddStringToObject(object, name, value);
}

/* The bytes as they are, but for what JSON cannot hold: U+FFFD for what is not UTF-8, and cJSON ends at U+0000. */
static bool add_bytes(struct workspace *workspace, cJSON *object, const char *name, struct bytes bytes)
{
    struct text text;
    uint32_t code;
    text_init(&text, &workspace->arena);
    for (uint32_t at = 0, length; at < bytes.length; at += length) {
        unsigned character = utf8_decode((const unsigned char *)bytes.data + at, bytes.length - at, &code);
        length = character ? character : 1;
        text_add_bytes(&text, character ? (struct bytes){ bytes.data + at, length } : bytes_of(UTF8_REPLACEMENT));
    }
    return add_text(object, name, text_end(&text));
}

static bool add_place(struct workspace *workspace, cJSON *object, struct source *source, uint32_t offset)
{
    struct position position;
    return !lines_find(&source->lines, offset, &position) && add_bytes(workspace, object, "file", bytes_of(source->name)) &&
           cJSON_AddNumberToObject(object, "line", position.line) && cJSON_AddNumberToObject(object, "column", position.column) &&
           cJSON_AddNumberToObject(object, "offset", offset);
}

static bool add_object(struct workspace *workspace, cJSON *object, const struct item *item)
{
    struct api_version api = api_version_split(item->api_version);
    return add_bytes(workspace, object, "group", api.group) && add_bytes(workspace, object, "version", api.version) &&
           add_bytes(workspace, object, "kind", item->kind_name) &&
           (!item->space.length || add_bytes(workspace, object, "namespace", item->space)) &&
           add_bytes(workspace, object, "name", item->name);
}

/* The object with which this one clashes. */
static bool add_other(struct workspace *workspace, cJSON *object, const struct problem *problem)
{
    cJSON *other = cJSON_AddObjectToObject(object, "other");
    return other && add_place(workspace, other, problem->other->source, problem->other_offset) &&
           add_object(workspace, other, problem->other) && (!problem->note || add_text(other, "note", problem->note));
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

static bool fill(struct workspace *workspace, cJSON *object, const struct problem *problem)
{
    return add_place(workspace, object, problem->source, problem->offset) &&
           (!problem->change || add_text(object, "change", problem->change)) &&
           add_text(object, "severity", severity_word(problem->severity)) && add_text(object, "rule", rule_info(problem->rule)->id) &&
           add_text(object, "reason", reason_info(problem->reason)->cause) && add_text(object, "path", problem->path) &&
           add_text(object, "message", problem->message) && add_object(workspace, object, problem->item) &&
           (!problem->hint || add_text(object, "hint", problem->hint)) && (!problem->other || add_other(workspace, object, problem)) &&
           (!problem->versions || add_versions(object, problem->versions));
}

enum failure report_json(const struct report_settings *settings, struct workspace *workspace, const struct report *report)
{
    for (uint32_t i = 0; i < report->count; i++) {
        cJSON *object = cJSON_CreateObject();
        workspace_clear(workspace);
        char *json = object && fill(workspace, object, &report->problems[i]) ? cJSON_PrintUnformatted(object) : NULL;
        cJSON_Delete(object);
        if (!json)
            return FAILURE_MEMORY;
        fprintf(settings->out, "%s\n", json);
        free(json);
    }
    return FAILURE_NONE;
}
