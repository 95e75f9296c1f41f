#include "cli/cel_devices.h"

#include "base/escape.h"
#include "doc/json.h"
#include "object/object.h"
#include "cli/limits.h"

static const char no_devices[] = "no devices: neither a ResourceSlice with any, nor a list of {\"name\": ..., \"driver\": ..., "
                                 "\"device\": {...}}";

static void fail(struct cel_devices *devices, enum failure failure)
{
    struct inputs *inputs = &devices->inputs;
    const char *words = failure == FAILURE_LIMIT ? "too many devices" : failure_text(failure);
    inputs->status = command_error(inputs->command, EXIT_USAGE, "%s", words);
}

/* The first value of a wrong type. */
static void say_wrong_type(struct cel_devices *devices, const char *name, struct lines *lines, const struct check_result *result)
{
    const struct finding *finding = result->findings.first;
    if (finding)
        inputs_say(&devices->inputs, name, lines, finding->offset, "%s: %s", escape_text(finding->path).text, finding->message);
}

static void add_device(struct cel_devices *devices, const char *name, struct bytes driver, struct value device)
{
    struct cel_device made;
    struct cel_named_device *named = arena_alloc(&devices->arena, sizeof *named);
    enum failure failure = named && name ? FAILURE_NONE : devices->arena.failure;
    if (!failure) {
        *named = (struct cel_named_device){ .name = name, .device = device, .driver = driver };
        failure = match_device_value(&devices->arena, driver, device, match_is_multiple(device), true, devices->version, &made,
                                     &named->value);
    }
    if (failure) {
        fail(devices, failure);
        return;
    }
    named->fault = made.fault;
    if (devices->last)
        devices->last->next = named;
    else
        devices->first = named;
    devices->last = named;
    devices->count++;
}

/* ---- slices ---- */

/* Texts with slashes between them. "driver/pool/device" is the name of no other device in a cluster. NULL: the arena failed. */
static const char *join(struct cel_devices *devices, const struct bytes *texts, unsigned count)
{
    struct text text;
    text_init(&text, &devices->arena);
    for (unsigned i = 0; i < count; i++) {
        text_add(&text, i ? "/" : "");
        text_add_bytes(&text, texts[i]);
    }
    return text_end(&text);
}

static void add_slice(struct cel_devices *devices, struct item *item)
{
    struct check_result result;
    struct value slice;
    enum failure failure = match_slice(&devices->inputs.workspace, item, devices->version, &result, &slice);
    if (failure) {
        fail(devices, failure);
        return;
    }
    if (!value_is_set(slice))
        say_wrong_type(devices, item->source->name, &item->source->lines, &result);
    struct bytes names[] = { value_text(match_at(slice, "spec.driver")), value_text(match_at(slice, "spec.pool.name")), BYTES("") };
    value_each(match_at(slice, "spec.devices"), device) {
        names[2] = value_text(match_at(device, "name"));
        if (!devices->inputs.status)
            add_device(devices, join(devices, names, 3), names[0], device);
    }
}

static void add_item(struct cel_devices *devices, struct item *item)
{
    if (match_is_slice(item))
        add_slice(devices, item);
    else if (item->type == ITEM_OTHER_KIND && bytes_equal_text(item->kind_name, "ResourceSlice"))
        inputs_say(&devices->inputs, item->source->name, &item->source->lines, item->node->offset,
                   "a ResourceSlice of no API version that is known: v1, v1beta2, v1beta1, v1alpha3 of resource.k8s.io");
}

/* ---- lists ---- */

/* A list in a file. */
struct listed {
    struct cel_devices *devices;
    const struct kept_file *file;
    const struct document *document;
    struct lines lines;
};

/* {"name": …, "driver": …, "device": {…}}, with a device as a slice of v1 has it. */
static void add_listed(struct listed *list, const struct doc_node *node)
{
    struct cel_devices *devices = list->devices;
    struct inputs *inputs = &devices->inputs;
    const struct shape *shape = match_device_shape();
    struct check_result result;
    struct value value;
    struct bytes name = doc_member_text(node, "name"), driver = doc_member_text(node, "driver");
    const struct doc_node *device = doc_member(node, "device");
    if (!name.data || !driver.data || !device || device->type != DOC_OBJECT) {
        inputs_say(inputs, list->file->name, &list->lines, node->offset,
                   "a device of a list has a \"name\", a \"driver\" and a \"device\"");
        return;
    }
    object_bind(devices->version, shape, device);
    enum failure failure = match_canonical(&inputs->workspace, list->document, shape, device, devices->version, &result, &value);
    if (failure)
        fail(devices, failure);
    else if (!value_is_set(value))
        say_wrong_type(devices, list->file->name, &list->lines, &result);
    else
        add_device(devices, join(devices, &name, 1), driver, value);
}

static void read_list(struct listed *list, struct bytes text)
{
    struct cel_devices *devices = list->devices;
    struct document *document = arena_alloc(&devices->arena, sizeof *document);
    const struct json_input input = {
        .source = text, .alone = true, .profile = JSON_STRICT, .arena = &devices->arena, .key = devices->inputs.context.key,
    };
    struct doc_error error;
    uint32_t end;
    if (!document) {
        fail(devices, devices->arena.failure);
        return;
    }
    *document = (struct document){ .source = text };
    if (json_read(&input, document, &end, &error)) {
        inputs_say(&devices->inputs, list->file->name, &list->lines, error.offset, "%s", error.message);
        return;
    }
    list->document = document;
    doc_each(document->root, element)
        if (!devices->inputs.status)
            add_listed(list, element);
}

/* What begins with a bracket is a list: no manifest does. */
static bool take_list(void *self, const struct kept_file *file)
{
    struct bytes text = buffer_bytes(&file->text);
    struct listed list = { .devices = self, .file = file };
    uint32_t at = 0;
    while (at < text.length && memchr(" \t\r\n", text.data[at], 4))
        at++;
    if (at == text.length || text.data[at] != '[')
        return false;
    lines_init(&list.lines, &memory_malloc, text);
    read_list(&list, text);
    lines_done(&list.lines);
    return true;
}

/* ---- all of them ---- */

static void add_path(struct cel_devices *devices, const char *path)
{
    struct inputs *inputs = &devices->inputs;
    const struct source *before = inputs->sources.sources.last;
    uint32_t count = devices->count;
    inputs_add(inputs, path);
    for (struct source *source = before ? before->next : inputs->sources.sources.first; source && !inputs->status; source = source->next)
        for (struct item *item = source->first; item && !inputs->status; item = item->next)
            add_item(devices, item);
    if (devices->count == count && !inputs->status)
        inputs->status = command_error(inputs->command, EXIT_USAGE, "%s: %s", escape_text(path).text, no_devices);
}

/* Whether that is the device's name, or what is after one of its slashes. */
static bool is_named(const char *name, const char *wanted)
{
    size_t length = strlen(name), end = strlen(wanted);
    return end <= length && strcmp(name + length - end, wanted) == 0 && (end == length || name[length - end - 1] == '/');
}

/* The last part of a name. */
static const char *short_name(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

/* Keeps the devices of that name; says so if there is none. */
static void choose(struct cel_devices *devices, const char *only)
{
    struct nearest nearest = { .wanted = bytes_of(only) };
    struct cel_named_device *all = devices->first, **link = &devices->first;
    devices->count = 0;
    for (; all; all = all->next) {
        near_consider(&nearest, bytes_of(all->name));
        near_consider(&nearest, bytes_of(short_name(all->name)));
        if (is_named(all->name, only)) {
            *link = devices->last = all;
            link = &all->next;
            devices->count++;
        }
    }
    *link = NULL;
    if (!devices->count)
        devices->inputs.status = usage_unknown(devices->inputs.command, only, "a device of those that are given", "", &nearest);
}

int cel_devices_read(struct cel_devices *devices, const struct command *command, const struct option_list *paths, const char *only,
                     minor version)
{
    *devices = (struct cel_devices){ .version = version };
    arena_init(&devices->arena, &memory_malloc, LIMIT_CEL_DEVICES_BYTES);
    enum failure failure = inputs_init(&devices->inputs, command, version);
    if (failure)
        return command_error(command, EXIT_USAGE, "%s", failure_text(failure));
    devices->inputs.take = take_list;
    devices->inputs.self = devices;
    for (unsigned i = 0; i < paths->count && !devices->inputs.status; i++)
        add_path(devices, paths->values[i]);
    if (only && !devices->inputs.status)
        choose(devices, only);
    return devices->inputs.status;
}

/* The keys of a map, and of maps in it down to `depth`. */
static void consider_keys(struct nearest *nearest, const struct cel_value *map, int depth)
{
    const struct cel_table *table = map->type == CEL_MAP ? map->map.table : NULL;
    for (uint32_t i = 0; table && i < table->count; i++) {
        if (table->pairs[i].key.type == CEL_STRING)
            near_consider(nearest, table->pairs[i].key.text);
        if (depth > 1)
            consider_keys(nearest, &table->pairs[i].value, depth - 1);
    }
}

void cel_devices_near(const struct cel_devices *devices, struct nearest *nearest)
{
    enum { DEPTH = 3 }; /* attributes, domain, name */
    for (const struct cel_named_device *device = devices->first; device; device = device->next)
        if (!device->fault)
            consider_keys(nearest, &device->value, DEPTH);
}

void cel_devices_done(struct cel_devices *devices)
{
    if (!devices->inputs.command)
        return;
    inputs_done(&devices->inputs);
    arena_done(&devices->arena);
}
