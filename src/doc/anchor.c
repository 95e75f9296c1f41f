#include "doc/anchor.h"

#include "doc/limits.h"

enum { FIRST_CAPACITY = 16 };

/* The map's value for a name: it stays, while the anchor of the name may be replaced. */
struct entry {
    struct anchor *anchor;
};

/* Moves the names to a map of twice the size. */
static enum failure grow(struct anchors *anchors)
{
    uint32_t capacity = anchors->capacity ? anchors->capacity * 2 : FIRST_CAPACITY;
    struct map larger;
    struct bytes *names = arena_alloc(anchors->arena, capacity * sizeof *names);
    if (!names || map_init(&larger, anchors->arena, capacity, anchors->key) != FAILURE_NONE)
        return anchors->arena->failure;
    for (uint32_t i = 0; i < anchors->count; i++) {
        names[i] = anchors->names[i];
        (void)map_add(&larger, names[i], map_find(&anchors->map, names[i]));
    }
    anchors->map = larger;
    anchors->names = names;
    anchors->capacity = capacity;
    return FAILURE_NONE;
}

static enum failure add_entry(struct anchors *anchors, struct bytes name, struct entry **entry)
{
    if (anchors->count == LIMIT_ANCHORS)
        return FAILURE_LIMIT;
    enum failure failure = anchors->count == anchors->capacity ? grow(anchors) : FAILURE_NONE;
    if (failure)
        return failure;
    char *copy = arena_text(anchors->arena, name.length);
    *entry = copy ? arena_alloc(anchors->arena, sizeof **entry) : NULL;
    if (!*entry)
        return anchors->arena->failure;
    memcpy(copy, name.data, name.length);
    anchors->names[anchors->count] = (struct bytes){ copy, name.length };
    (void)map_add(&anchors->map, anchors->names[anchors->count++], *entry);
    return FAILURE_NONE;
}

static struct entry *find_entry(const struct anchors *anchors, struct bytes name)
{
    return anchors->capacity ? map_find(&anchors->map, name) : NULL;
}

enum failure anchor_define(struct anchors *anchors, const char *name, struct anchor **anchor)
{
    struct entry *entry = find_entry(anchors, bytes_of(name));
    enum failure failure = entry ? FAILURE_NONE : add_entry(anchors, bytes_of(name), &entry);
    if (failure)
        return failure;
    struct anchor *defined = arena_alloc(anchors->arena, sizeof *defined);
    if (!defined)
        return anchors->arena->failure;
    *defined = (struct anchor){ .open = true };
    entry->anchor = defined;
    *anchor = defined;
    return FAILURE_NONE;
}

struct anchor *anchor_find(const struct anchors *anchors, const char *name)
{
    const struct entry *entry = find_entry(anchors, bytes_of(name));
    return entry ? entry->anchor : NULL;
}
