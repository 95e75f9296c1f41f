/* Attributes that requests derive from devices. Source: k8s.io/dynamic-resource-allocation v0.37.1 cel/compile.go,
 * EvaluateDerivedAttribute. */
#include "allocate/device.h"
#include "allocate/result.h"
#include "doc/json.h"
#include "match/device.h"
#include "match/limits.h"
#include "object/object.h"

enum failure allocate_derivation_of(struct allocate_world *world, struct bytes text, struct allocate_derivation **made)
{
    struct bytes kept;
    void *found;
    bool is_new;
    enum failure failure = allocate_expression_made(world, &world->derivations, text, sizeof **made, &kept, &found, &is_new);
    *made = found;
    if (failure || !is_new)
        return failure;
    (*made)->attributes = allocate_make(world, world->contents_by_text.count, sizeof(struct value));
    if (!(*made)->attributes)
        return world->arena.failure;
    return match_expression_of(world->matching, &cel_attribute_library, kept, &(*made)->expression);
}

/* ---- a value as an attribute ---- */

static const char *member_of(const struct cel_value *value, bool list)
{
    switch (value->type) {
    case CEL_BOOL:
        return list ? "bools" : "bool";
    case CEL_INT:
        return list ? "ints" : "int";
    case CEL_STRING:
        return list ? "strings" : "string";
    case CEL_STRUCT:
        return strcmp(value->object->class->type, "kubernetes.Semver") == 0 ? (list ? "versions" : "version") : NULL;
    default:
        return NULL;
    }
}

static void add_scalar(struct text *json, const struct cel_value *value)
{
    struct text words;
    text_init(&words, json->arena);
    if (value->type == CEL_BOOL) {
        text_add(json, value->boolean ? "true" : "false");
    } else if (value->type == CEL_INT) {
        text_add_integer(json, value->integer);
    } else if (value->type == CEL_STRING) {
        allocate_json_add_text(json, value->text);
    } else {
        value->object->class->print(value->object, &words);
        const char *end = text_end(&words);
        allocate_json_add_text(json, bytes_of(end ? end : ""));
    }
}

/* False: no attribute can be it. A list without elements is one of strings. */
static bool add_attribute(struct text *json, const struct cel_value *value)
{
    bool list = value->type == CEL_LIST;
    const struct cel_value *first = list && value->list.count ? value->list.items : value;
    const char *member = list && !value->list.count ? "strings" : member_of(first, list);
    if (!member)
        return false;
    text_add(json, "{\"");
    text_add(json, member);
    text_add(json, list ? "\":[" : "\":");
    if (!list)
        add_scalar(json, value);
    for (uint32_t i = 0; list && i < value->list.count; i++) {
        const char *other = member_of(&value->list.items[i], true);
        if (!other || strcmp(other, member) != 0)
            return false;
        text_add(json, i ? "," : "");
        add_scalar(json, &value->list.items[i]);
    }
    text_add(json, list ? "]}" : "}");
    return true;
}

/* Reads the text as an attribute, in the memory of the world. */
static enum failure read_attribute(struct allocate_world *world, struct text *json, struct value *attribute)
{
    const struct context *context = world->matching->workspace.context;
    const char *end = text_end(json);
    struct bytes source = { end, end ? (uint32_t)json->length : 0 };
    struct json_input input = { .source = source, .alone = true, .profile = JSON_STRICT, .arena = &world->arena, .key = context->key };
    struct value devices = { match_device_shape(), NULL, 0 };
    struct document document;
    struct doc_error error;
    uint32_t stop;
    if (!end)
        return world->arena.failure;
    enum failure failure = json_read(&input, &document, &stop, &error);
    if (failure)
        return failure;
    const struct shape *shape = match_at(devices, "attributes").shape->of;
    object_bind(world->mode.version, shape, document.root);
    *attribute = (struct value){ shape, document.root, 0 };
    return FAILURE_NONE;
}

enum failure allocate_derive(struct allocate_world *world, struct allocate_derivation *derivation, const struct allocate_device *device,
                             struct value *attribute, const char **fault)
{
    struct cel_result result;
    struct text json;
    *attribute = derivation->attributes[device->content];
    *fault = NULL;
    if (value_is_set(*attribute))
        return FAILURE_NONE;
    enum failure failure = allocate_evaluate(world, derivation->expression, device, &result);
    if (failure)
        return failure;
    text_init(&json, &world->arena);
    if (result.value.type == CEL_ERROR)
        *fault = result.value.fault.words;
    else if (!add_attribute(&json, &result.value))
        *fault = "unsupported CEL return type";
    if (*fault)
        return FAILURE_NONE;
    failure = read_attribute(world, &json, attribute);
    derivation->attributes[device->content] = *attribute;
    return failure;
}
