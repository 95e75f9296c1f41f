/* Reports of `match` for programs. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/match.h"

struct printer {
    struct match_output *output;
    struct match_report *report;
    const struct match_request *request;
    struct match_groups groups;
    enum failure failure;
};

static bool add_bytes(struct printer *p, cJSON *object, const char *name, struct bytes bytes)
{
    const char *text = match_escaped(&p->output->arena, bytes);
    return text && cJSON_AddStringToObject(object, name, text);
}

/* Appends an object to a list. */
static cJSON *append(cJSON *list)
{
    cJSON *object = cJSON_CreateObject();
    if (object && cJSON_AddItemToArray(list, object))
        return object;
    cJSON_Delete(object);
    return NULL;
}

/* ---- devices ---- */

static bool add_selector(const struct printer *p, cJSON *object, const struct match_verdict *verdict)
{
    if (verdict->reason != MATCH_REFUSED && verdict->reason != MATCH_ERROR)
        return true;
    const struct match_selector *selector = &p->request->selectors[verdict->selector];
    cJSON *added = cJSON_AddObjectToObject(object, "selector");
    return added && cJSON_AddStringToObject(added, "of", selector->of_class ? "class" : "request") &&
           cJSON_AddNumberToObject(added, "index", selector->index);
}

static bool add_also(cJSON *object, const struct match_verdict *verdict)
{
    cJSON *list = verdict->also ? cJSON_AddArrayToObject(object, "also") : NULL;
    for (unsigned reason = 0; list && reason < MATCH_REASONS; reason++) {
        cJSON *text = verdict->also & 1u << reason ? cJSON_CreateString(match_reason_name(reason)) : NULL;
        if ((verdict->also & 1u << reason) && (!text || !cJSON_AddItemToArray(list, text)))
            return false;
    }
    return list || !verdict->also;
}

static bool add_words(struct printer *p, cJSON *object, uint32_t device)
{
    struct text text;
    text_init(&text, &p->output->arena);
    p->failure = match_explain(p->report, p->request, device, &text);
    const char *words = text_end(&text);
    return !p->failure && words && cJSON_AddStringToObject(object, "words", words);
}

static bool add_device(struct printer *p, cJSON *list, uint32_t number)
{
    const struct match_device *device = &p->report->world->devices[number];
    const struct match_verdict *verdict = &p->request->verdicts[number];
    bool fits = verdict->reason == MATCH_FITS;
    cJSON *object = append(list);
    arena_clear(&p->output->arena);
    return object && add_bytes(p, object, "driver", device->slice->driver) && add_bytes(p, object, "pool", device->slice->pool->name) &&
           add_bytes(p, object, "device", device->name) &&
           cJSON_AddStringToObject(object, "reason", match_reason_name(verdict->reason)) &&
           (fits || (cJSON_AddStringToObject(object, "label", p->groups.list[p->groups.of_device[number]].label) &&
                     add_selector(p, object, verdict) && add_also(object, verdict) && add_words(p, object, number)));
}

static bool add_devices(struct printer *p, cJSON *object)
{
    p->failure = match_groups_of(p->report, p->request, &p->groups);
    cJSON *counts = p->failure ? NULL : cJSON_AddArrayToObject(object, "groups");
    for (uint32_t i = 0; counts && i < p->groups.count; i++) {
        cJSON *group = append(counts);
        if (!group || !cJSON_AddStringToObject(group, "label", p->groups.list[i].label) ||
            !cJSON_AddNumberToObject(group, "count", p->groups.list[i].count))
            return false;
    }
    cJSON *list = counts ? cJSON_AddArrayToObject(object, "devices") : NULL;
    for (uint32_t i = 0; list && i < p->report->world->device_count; i++)
        if (!add_device(p, list, i))
            return false;
    return list;
}

/* ---- requests ---- */

static bool add_request(struct printer *p, cJSON *list)
{
    const struct match_request *request = p->request;
    cJSON *object = append(list);
    arena_clear(&p->output->arena);
    const char *words = match_outcome_text(p->output, request);
    return object && words && (!request->name.data || add_bytes(p, object, "request", request->name)) &&
           (!request->choice.data || add_bytes(p, object, "choice", request->choice)) &&
           add_bytes(p, object, "class", request->class_name) &&
           cJSON_AddStringToObject(object, "mode", request->all ? "All" : "ExactCount") &&
           (request->all || cJSON_AddNumberToObject(object, "count", (double)request->wanted)) &&
           (!request->admin || cJSON_AddBoolToObject(object, "adminAccess", true)) &&
           cJSON_AddNumberToObject(object, "matching", request->counts[MATCH_FITS]) &&
           cJSON_AddStringToObject(object, "outcome", match_outcome_name(request->outcome)) &&
           cJSON_AddStringToObject(object, "words", words) &&
           (!request->verdicts || add_devices(p, object));
}

static bool fill(struct printer *p, cJSON *object, uint32_t line)
{
    const struct match_report *report = p->report;
    const struct item *item = report->item;
    bool good = add_bytes(p, object, "kind", item->kind_name) && (!item->space.length || add_bytes(p, object, "namespace", item->space)) &&
                add_bytes(p, object, "name", item->name) && add_bytes(p, object, "file", bytes_of(item->source->name)) &&
                cJSON_AddNumberToObject(object, "line", line) &&
                (!report->world->node.data || add_bytes(p, object, "node", report->world->node)) &&
                cJSON_AddBoolToObject(object, "enough", report->enough) &&
                (!report->fault || cJSON_AddStringToObject(object, "error", report->fault));
    cJSON *list = good ? cJSON_AddArrayToObject(object, "requests") : NULL;
    for (uint32_t i = 0; list && i < report->count && !report->fault; i++) {
        p->request = &report->requests[i];
        if (!add_request(p, list))
            return false;
    }
    return list;
}

enum failure match_print_json(struct match_output *output, struct match_report *report, uint32_t line)
{
    struct printer printer = { .output = output, .report = report };
    cJSON *object = cJSON_CreateObject();
    char *json = object && fill(&printer, object, line) ? cJSON_PrintUnformatted(object) : NULL;
    cJSON_Delete(object);
    if (json)
        puts(json);
    free(json);
    return json ? FAILURE_NONE : printer.failure ? printer.failure : FAILURE_MEMORY;
}
