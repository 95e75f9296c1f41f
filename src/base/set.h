/* A set of byte strings in an arena: duplicate names, unique keys, pairing old with new. Hashed with a secret, so that
 * nobody who chooses the keys can make it slow. */
#ifndef DRAWBRIDGE_BASE_SET_H
#define DRAWBRIDGE_BASE_SET_H

#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"

struct set_key {
    uint64_t word[2]; /* secret, from the system's random numbers */
};

struct set_slot;

struct set {
    struct set_slot *slots; /* in the arena; a power of two of them */
    uint32_t mask, count, capacity;
    struct set_key key;
};

/* A key of random words. Returns false when the system has none to give. */
bool set_key_random(struct set_key *key) MUST_USE;

/* An empty set that can hold `capacity` members. FAILURE_MEMORY or FAILURE_LIMIT as the arena has it. */
enum failure set_init(struct set *set, struct arena *arena, uint32_t capacity, struct set_key key) MUST_USE;

/* Adds `member` with `value`, which must not be NULL; its text must outlive the set. Returns the value it already had, or
 * NULL when it is new. At most `capacity` new members may be added. */
const void *set_add(struct set *set, struct bytes member, const void *value);

/* The value of `member`, or NULL. */
const void *set_find(const struct set *set, struct bytes member);

#endif
