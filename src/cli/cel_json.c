/* Expressions as JSON objects. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cel/limits.h"
#include "cli/cel_print.h"

static int compare_texts(const void *a, const void *b)
{
    const char *const *one = a, *const *other = b;
    return strcmp(*one, *other);
}

/* "line:column", sorted as text; errors without a place are left out. */
static bool add_places(struct cel_shown *shown, cJSON *object)
{
    const struct cel_errors *errors = &shown->compiled.errors;
    const char *places[LIMIT_CEL_ERRORS];
    int count = 0;
    for (uint32_t i = 0; i < errors->count; i++) {
        int line, column;
        char *place = arena_text(&shown->arena, 24);
        if (!place)
            return false;
        cel_place(shown->text, errors->list[i].offset, &line, &column);
        snprintf(place, 24, "%d:%d", line, column);
        if (errors->list[i].offset != CEL_NO_PLACE)
            places[count++] = place;
    }
    if (!count)
        return true;
    qsort(places, (size_t)count, sizeof *places, compare_texts);
    cJSON *array = cJSON_CreateStringArray(places, count);
    return array && cJSON_AddItemToObject(object, "errors", array);
}

/* "line:column: text" of each error, in cel-go's words. */
static bool add_messages(struct cel_shown *shown, cJSON *object)
{
    const struct cel_errors *errors = &shown->compiled.errors;
    cJSON *array = errors->count ? cJSON_AddArrayToObject(object, "messages") : NULL;
    for (uint32_t i = 0; i < errors->count; i++) {
        const struct cel_error *error = &errors->list[i];
        bool whole = error->offset == CEL_NO_PLACE && shown->compiled.class != CEL_SYNTAX && errors->count == 1;
        int line, column;
        struct text text;
        text_init(&text, &shown->arena);
        cel_place(shown->text, error->offset, &line, &column);
        if (!whole) {
            text_add_integer(&text, line);
            text_add(&text, ":");
            text_add_integer(&text, column);
            text_add(&text, ": ");
        }
        text_add(&text, error->text);
        const char *message = text_end(&text);
        cJSON *item = message && array ? cJSON_CreateString(message) : NULL;
        if (!item || !cJSON_AddItemToArray(array, item)) {
            cJSON_Delete(item);
            return false;
        }
    }
    return true;
}

static bool add_estimate(struct cel_shown *shown, cJSON *object)
{
    char cost[24];
    if (shown->compiled.class != CEL_GOOD && shown->compiled.class != CEL_TOO_COSTLY)
        return true;
    snprintf(cost, sizeof cost, "%llu", (unsigned long long)shown->compiled.estimate.cost);
    return cJSON_AddStringToObject(object, "type", cel_shown_type(shown)) && cJSON_AddStringToObject(object, "maxCost", cost);
}

/* Why an evaluation failed, and where. */
static bool add_reason(struct cel_shown *shown, const struct cel_fault *fault, cJSON *object)
{
    char place[24];
    int line, column;
    if (!cJSON_AddStringToObject(object, "reason", fault->words))
        return false;
    if (!fault->node)
        return true;
    cel_place(shown->text, fault->node->offset, &line, &column);
    snprintf(place, sizeof place, "%d:%d", line, column);
    return cJSON_AddStringToObject(object, "at", place);
}

static bool add_result(struct cel_shown *shown, const struct cel_named_device *device, bool any_type, cJSON *object)
{
    struct cel_result result;
    const struct cel_value *value = &result.value;
    char cost[24];
    if (cel_shown_evaluate(shown, device, any_type, &result))
        return false;
    snprintf(cost, sizeof cost, "%llu", (unsigned long long)result.cost);
    if (!cJSON_AddStringToObject(object, "device", device->name))
        return false;
    if (value->type == CEL_BOOL && !cJSON_AddBoolToObject(object, "match", value->boolean))
        return false;
    if (value->type == CEL_ERROR && (!cJSON_AddTrueToObject(object, "error") || !add_reason(shown, &value->fault, object)))
        return false;
    if (value->type != CEL_BOOL && value->type != CEL_ERROR && !cJSON_AddStringToObject(object, "value", cel_shown_value(shown, value)))
        return false;
    return cJSON_AddRawToObject(object, "cost", cost);
}

static bool add_results(struct cel_shown *shown, const struct cel_devices *devices, bool any_type, cJSON *object)
{
    cJSON *array = cJSON_AddArrayToObject(object, "eval");
    bool good = array != NULL;
    for (const struct cel_named_device *device = devices->first; device && good; device = device->next) {
        cJSON *item = cJSON_CreateObject();
        good = item && cJSON_AddItemToArray(array, item);
        if (!good)
            cJSON_Delete(item);
        good = good && add_result(shown, device, any_type, item);
    }
    return good;
}

bool cel_fill_object(struct cel_shown *shown, const struct cel_devices *devices, bool any_type, cJSON *object)
{
    enum cel_class class = shown->compiled.class;
    const char *hint = cel_shown_hint(shown);
    return cJSON_AddBoolToObject(object, "ok", class == CEL_GOOD) &&
           (class == CEL_GOOD || cJSON_AddStringToObject(object, "class", cel_class_name(class))) && add_places(shown, object) &&
           add_messages(shown, object) && add_estimate(shown, object) && (!hint || cJSON_AddStringToObject(object, "hint", hint)) &&
           (!shown->program || add_results(shown, devices, any_type, object));
}
