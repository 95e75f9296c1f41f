/* Problems for programs: one JSON object a line. */
#include <cjson/cJSON.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/text.h"
#include "base/utf8.h"
#include "lint/report.h"

static bool add_text(cJSON *object, const char *name, const char *value)
{
    return value && cJSON_AddStringToObject(object, name, value);
}

/* The bytes as they are, but for what JSON cannot hold: U+FFFD for what is not UTF-8, and cJSON ends at U+0000. */
static bool add_bytes(struct worker *worker, cJSON *object, const char *name, struct bytes bytes)
{
    struct text text;
    uint32_t code;
    text_init(&text, &worker->arena);
    for (uint32_t at = 0, length; at < bytes.length; at += length) {
        unsigned character = utf8_decode((const unsigned char *)bytes.data + at, bytes.length - at, &code);
        length = character ? character : 1;
        text_add_bytes(&text, character ? (struct bytes){ bytes.data + at, length } : bytes_of(UTF8_REPLACEMENT));
    }
    return add_text(object, name, text_end(&text));
}

static bool add_place(struct worker *worker, cJSON *object, struct source *source, uint32_t offset)
{
    struct position position;
    return !lines_find(&source->lines, offset, &position) && add_bytes(worker, object, "file", bytes_of(source->name)) &&
           cJSON_AddNumberToObject(object, "line", position.line) && cJSON_AddNumberToObject(object, "column", position.column) &&
           cJSON_AddNumberToObject(object, "offset", offset);
}

static bool add_object(struct worker *worker, cJSON *object, const struct item *item)
{
    struct api_version api = api_version_split(item->api_version);
    return add_bytes(worker, object, "group", api.group) && add_bytes(worker, object, "version", api.version) &&
           add_bytes(worker, object, "kind", item->kind_name) &&
           (!item->space.length || add_bytes(worker, object, "namespace", item->space)) && add_bytes(worker, object, "name", item->name);
}

/* The object with which this one clashes. */
static bool add_other(struct worker *worker, cJSON *object, const struct problem *problem)
{
    cJSON *other = cJSON_AddObjectToObject(object, "other");
    return other && add_place(worker, other, problem->other->source, problem->other_offset) && add_object(worker, other, problem->other);
}

static bool fill(struct worker *worker, cJSON *object, const struct problem *problem)
{
    return add_place(worker, object, problem->source, problem->offset) && add_text(object, "severity", severity_word(problem->severity)) &&
           add_text(object, "rule", rule_info(problem->rule)->id) && add_text(object, "reason", reason_info(problem->reason)->cause) &&
           add_text(object, "path", problem->path) && add_text(object, "message", problem->message) &&
           add_object(worker, object, problem->item) && (!problem->hint || add_text(object, "hint", problem->hint)) &&
           (!problem->other || add_other(worker, object, problem));
}

enum failure report_json(const struct report_settings *settings, struct worker *worker, const struct report *report)
{
    for (uint32_t i = 0; i < report->count; i++) {
        cJSON *object = cJSON_CreateObject();
        char *json = object && fill(worker, object, &report->problems[i]) ? cJSON_PrintUnformatted(object) : NULL;
        cJSON_Delete(object);
        if (!json)
            return FAILURE_MEMORY;
        fprintf(settings->out, "%s\n", json);
        free(json);
    }
    return FAILURE_NONE;
}
