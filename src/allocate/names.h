/* Texts by number: 0 for the first, and so on. Grows as needed. */
#ifndef DRAWBRIDGE_ALLOCATE_NAMES_H
#define DRAWBRIDGE_ALLOCATE_NAMES_H

#include "base/map.h"

struct names {
    struct arena *arena;
    struct map map;      /* of entries */
    struct name *entries;
    uint32_t count, room;
    struct map_key key;
};

struct name {
    struct bytes text;
    uint32_t number;
};

#define NAMES_NONE 0xFFFFFFFFu

void names_init(struct names *names, struct arena *arena, struct map_key key);

/* The number of the text, which is copied if it is new. NAMES_NONE: the arena failed. */
uint32_t names_add(struct names *names, struct bytes text, bool *is_new) MUST_USE;

/* NAMES_NONE: there is no such text. */
uint32_t names_find(const struct names *names, struct bytes text);

/* The text of a number. */
static inline struct bytes names_text(const struct names *names, uint32_t number)
{
    return names->entries[number].text;
}

#endif
