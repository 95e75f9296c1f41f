#include "doc/anchor.h"

#include "base/limits.h"

enum { FIRST_CAPACITY = 16 };

/* A name and what it stands for at the moment; the set's value, which never changes. */
struct entry {
    struct anchor *anchor;
};

/* A set of twice the size with the same members. */
static enum failure grow(struct anchors *anchors)
{
    uint32_t capacity = anchors->capacity ? anchors->capacity * 2 : FIRST_CAPACITY;
    struct set larger;
    struct bytes *names = arena_alloc(anchors->arena, capacity * sizeof *names);
    if (!names || set_init(&larger, anchors->arena, capacity, anchors->key) != FAILURE_NONE)
        return anchors->arena->failure;
    for (uint32_t i = 0; i < anchors->count; i++) {
        names[i] = anchors->names[i];
        (void)set_add(&larger, names[i], set_find(&anchors->set, names[i]));
    }
    anchors->set = larger;
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
    (void)set_add(&anchors->set, anchors->names[anchors->count++], *entry);
    return FAILURE_NONE;
}

/* Owned by the arena, which is not constant. */
static struct entry *find_entry(const struct anchors *anchors, struct bytes name)
{
    union {
        const void *constant;
        struct entry *entry;
    } value = { anchors->capacity ? set_find(&anchors->set, name) : NULL };
    return value.entry;
}

enum failure anchor_define(struct anchors *anchors, const char *name, struct anchor **anchor)
{
    struct entry *entry = find_entry(anchors, bytes_of(name));
    enum failure failure = entry ? FAILURE_NONE : add_entry(anchors, bytes_of(name), &entry);
    if (failure)
        return failure;
    struct anchor *made = arena_alloc(anchors->arena, sizeof *made);
    if (!made)
        return anchors->arena->failure;
    *made = (struct anchor){ .open = true };
    entry->anchor = made;
    *anchor = made;
    return FAILURE_NONE;
}

const struct anchor *anchor_find(const struct anchors *anchors, const char *name)
{
    const struct entry *entry = find_entry(anchors, bytes_of(name));
    return entry ? entry->anchor : NULL;
}
