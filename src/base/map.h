/* A hash map with byte strings as keys, in an arena: finds duplicate names, and pairs old with new. The hash has a secret key, so that
 * nobody who chooses the strings can make the map slow. */
#ifndef DRAWBRIDGE_BASE_MAP_H
#define DRAWBRIDGE_BASE_MAP_H

#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"

struct map_key {
    uint64_t word[2]; /* secret: random numbers of the system */
};

struct map_slot;

struct map {
    struct map_slot *slots; /* in the arena; their number is a power of two */
    uint32_t mask, count, capacity;
    struct map_key key;
};

/* Sets *key to random numbers. Returns false when the system has none to give. */
bool map_key_random(struct map_key *key) MUST_USE;

/* The hash of a text under a key. */
uint64_t map_hash(struct bytes bytes, struct map_key key);

/* An empty map for `capacity` members. FAILURE_MEMORY or FAILURE_LIMIT when the arena fails. */
enum failure map_init(struct map *map, struct arena *arena, uint32_t capacity, struct map_key key) MUST_USE;

/* Adds `member` with `value`, which must not be NULL. The text of `member` must outlive the map. Returns NULL when it is new, else the
 * value that it has already and keeps. At most `capacity` members may be added. */
void *map_add(struct map *map, struct bytes member, const void *value);

/* The value of `member`, or NULL. */
void *map_find(const struct map *map, struct bytes member);

#endif
