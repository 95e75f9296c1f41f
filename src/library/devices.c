/* The devices of a set, as values for expressions. */
#include "library/library.h"

#include "library/limits.h"

static enum failure add_device(struct drawbridge_devices *devices, const struct item *item, struct value slice, struct value device,
                               minor version)
{
    struct arena *arena = &devices->arena;
    struct bytes driver = value_text(match_at(slice, "spec.driver"));
    struct cel_device made;
    struct library_device *list = library_make_room(arena, devices->list, devices->count, 1, sizeof *list, &devices->capacity);
    if (!list)
        return arena->failure;
    devices->list = list;
    struct library_device *added = &list[devices->count];
    *added = (struct library_device){ .fault = NULL };
    enum failure failure = match_device_value(arena, driver, device, match_is_multiple(device), true, version, &made, &added->value);
    if (failure)
        return failure;
    added->fault = made.fault;
    added->device = (struct drawbridge_device){
        .driver = library_copy_name(arena, driver),
        .pool = library_copy_name(arena, value_text(match_at(slice, "spec.pool.name"))),
        .name = library_copy_name(arena, value_text(match_at(device, "name"))),
        .node = library_copy_name(arena, value_text(match_at(slice, "spec.nodeName"))),
        .source = library_copy_text(arena, bytes_of(item->source->name)),
    };
    devices->count++;
    return arena->failure;
}

static enum failure add_slice(struct drawbridge_devices *devices, const struct item *item, minor version)
{
    struct check_result result;
    struct value slice;
    enum failure failure = match_slice(&devices->workspace, item, version, &result, &slice);
    if (failure)
        return failure;
    if (!value_is_set(slice) && result.findings.first)
        return library_errors_add(&devices->errors, &devices->arena, item, result.findings.first->offset, result.findings.first->path,
                                  result.findings.first->message);
    value_each(match_at(slice, "spec.devices"), device)
        failure = failure ? failure : add_device(devices, item, slice, device, version);
    return failure;
}

static enum failure add_item(struct drawbridge_devices *devices, const struct item *item, minor version)
{
    return match_is_slice(item) ? add_slice(devices, item, version)
                                : library_errors_add_unreadable(&devices->errors, &devices->arena, item);
}

enum drawbridge_result drawbridge_set_devices(struct drawbridge_set *set, struct drawbridge_devices **devices)
{
    if (!set || !devices)
        return DRAWBRIDGE_BAD_ARGUMENT;
    if (set->source_set.settings.versions)
        return DRAWBRIDGE_BAD_VERSION;
    const struct memory *memory = &set->context->memory;
    struct drawbridge_devices *made = memory->allocate(sizeof *made, memory->data);
    if (!made)
        return DRAWBRIDGE_NO_MEMORY;
    *made = (struct drawbridge_devices){ .memory = *memory };
    arena_init(&made->arena, &made->memory, LIMIT_LIBRARY_DEVICES);
    enum failure failure = workspace_init(&made->workspace, &set->context->context);
    if (failure) {
        memory->release(made, memory->data);
        return library_result(failure);
    }
    made->workspace.arena.limit = LIMIT_LIBRARY_DEVICES;
    for (const struct source *source = set->source_set.sources.first; source && !failure; source = source->next)
        for (const struct item *item = source->first; item && !failure; item = item->next)
            failure = add_item(made, item, set->source_set.settings.version);
    if (failure)
        drawbridge_devices_free(made);
    else
        *devices = made;
    return library_result(failure);
}

void drawbridge_devices_free(struct drawbridge_devices *devices)
{
    if (!devices)
        return;
    struct memory memory = devices->memory;
    workspace_done(&devices->workspace);
    arena_done(&devices->arena);
    memory.release(devices, memory.data);
}

size_t drawbridge_devices_count(const struct drawbridge_devices *devices)
{
    return devices ? devices->count : 0;
}

const struct drawbridge_device *drawbridge_devices_device(const struct drawbridge_devices *devices, size_t index)
{
    return devices && index < devices->count ? &devices->list[index].device : NULL;
}

size_t drawbridge_devices_error_count(const struct drawbridge_devices *devices)
{
    return devices ? devices->errors.count : 0;
}

const struct drawbridge_error *drawbridge_devices_error(const struct drawbridge_devices *devices, size_t index)
{
    return devices && index < devices->errors.count ? &devices->errors.list[index] : NULL;
}
