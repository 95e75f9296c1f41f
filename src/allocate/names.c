#include "allocate/names.h"

#include "allocate/limits.h"

enum { FIRST_ROOM = 64 };

void names_init(struct names *names, struct arena *arena, struct map_key key)
{
    *names = (struct names){ .arena = arena, .key = key };
}

/* Twice as much room; what was before stays in the arena. */
static bool grow(struct names *names)
{
    uint32_t room = names->room ? names->room * 2 : FIRST_ROOM;
    struct name *entries = arena_alloc(names->arena, room * sizeof *entries);
    struct map map;
    if (!entries || map_init(&map, names->arena, room, names->key))
        return false;
    for (uint32_t i = 0; i < names->count; i++) {
        entries[i] = names->entries[i];
        (void)map_add(&map, entries[i].text, &entries[i]);
    }
    names->map = map;
    names->entries = entries;
    names->room = room;
    return true;
}

uint32_t names_find(const struct names *names, struct bytes text)
{
    const struct name *found = names->count ? map_find(&names->map, text) : NULL;
    return found ? found->number : NAMES_NONE;
}

uint32_t names_add(struct names *names, struct bytes text, bool *is_new)
{
    uint32_t found = names_find(names, text);
    *is_new = found == NAMES_NONE;
    if (!*is_new)
        return found;
    if (names->count == names->room && !grow(names))
        return NAMES_NONE;
    char *copy = arena_text(names->arena, text.length + 1);
    if (!copy)
        return NAMES_NONE;
    if (text.length)
        memcpy(copy, text.data, text.length);
    copy[text.length] = '\0';
    struct name *entry = &names->entries[names->count];
    *entry = (struct name){ { copy, text.length }, names->count };
    (void)map_add(&names->map, entry->text, entry);
    return names->count++;
}
