#include "cel/cost_path.h"

const struct bytes cel_path_keys = BYTES("@keys"), cel_path_values = BYTES("@values"), cel_path_items = BYTES("@items");
const struct bytes cel_path_indices = BYTES("@indices");

struct storage {
    uint32_t capacity;
    struct bytes parts[];
};

struct cel_path {
    struct storage *storage; /* shared */
    uint32_t length;
};

static struct storage *storage_new(struct arena *arena, const struct cel_path *path)
{
    uint32_t capacity = path ? 2 * path->storage->capacity : 1;
    struct storage *storage = arena_alloc(arena, sizeof *storage + capacity * sizeof *storage->parts);
    if (!storage)
        return NULL;
    storage->capacity = capacity;
    if (path)
        memcpy(storage->parts, path->storage->parts, path->length * sizeof *storage->parts);
    return storage;
}

struct cel_path *cel_path_add(struct arena *arena, const struct cel_path *path, struct bytes part)
{
    struct cel_path *longer = arena_alloc(arena, sizeof *longer);
    if (!longer)
        return NULL;
    bool room = path && path->length < path->storage->capacity;
    *longer = (struct cel_path){ room ? path->storage : storage_new(arena, path), path ? path->length : 0 };
    if (!longer->storage)
        return NULL;
    longer->storage->parts[longer->length++] = part;
    return longer;
}

/* The place below a place; 0: not known. */
static unsigned place_below(const struct cel_place_size *place, struct bytes part)
{
    if (bytes_equal(part, cel_path_keys))
        return place->keys;
    if (bytes_equal(part, cel_path_values))
        return place->values;
    if (bytes_equal(part, cel_path_items))
        return place->items;
    for (const struct cel_place_field *field = place->fields; field && field->name; field++)
        if (bytes_equal_text(part, field->name))
            return field->place;
    return place->any_field;
}

bool cel_path_size(const struct cel_library *library, const struct cel_path *path, struct bytes more, uint64_t *size)
{
    if (!path || !bytes_equal_text(path->storage->parts[0], library->variable))
        return false;
    unsigned place = 1;
    for (uint32_t i = 1; place && i < path->length; i++)
        place = place_below(&library->places[place], path->storage->parts[i]);
    if (place && more.data)
        place = place_below(&library->places[place], more);
    if (place)
        *size = library->places[place].size;
    return place != 0;
}
