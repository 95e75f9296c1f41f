#include "base/map.h"

#include <endian.h>
#include <sys/random.h>

struct map_slot {
    const char *data;
    void *value; /* NULL: the slot is free */
    uint32_t length;
    uint32_t hash;
};

bool map_key_random(struct map_key *key)
{
    return getrandom(key, sizeof *key, 0) == (ssize_t)sizeof *key;
}

static uint64_t rotate(uint64_t value, unsigned bits)
{
    return value << bits | value >> (64 - bits);
}

struct sip {
    uint64_t v[4];
};

static inline void sip_round(struct sip *s)
{
    s->v[0] += s->v[1];
    s->v[1] = rotate(s->v[1], 13) ^ s->v[0];
    s->v[0] = rotate(s->v[0], 32);
    s->v[2] += s->v[3];
    s->v[3] = rotate(s->v[3], 16) ^ s->v[2];
    s->v[0] += s->v[3];
    s->v[3] = rotate(s->v[3], 21) ^ s->v[0];
    s->v[2] += s->v[1];
    s->v[1] = rotate(s->v[1], 17) ^ s->v[2];
    s->v[2] = rotate(s->v[2], 32);
}

/* The bytes after the last whole word, the first of them lowest. In a text of more than eight bytes they are part of its last eight, which
 * are loaded at once: copying byte by byte, or waiting for that copy, would take longer than hashing. */
static inline uint64_t last_word(struct bytes bytes)
{
    uint32_t rest = bytes.length % 8;
    uint64_t word = 0;
    if (rest == 0)
        return 0;
    if (bytes.length > 8) {
        memcpy(&word, bytes.data + bytes.length - 8, 8);
        return le64toh(word) >> (8 - rest) * 8;
    }
    for (uint32_t i = rest; i-- > 0;)
        word = word << 8 | (unsigned char)bytes.data[i];
    return word;
}

/* SipHash-1-3 (Aumasson and Bernstein). Whole words are in the machine's byte order, because the value never leaves the process. */
uint64_t map_hash(struct bytes bytes, struct map_key key)
{
    struct sip s = { { key.word[0] ^ 0x736f6d6570736575, key.word[1] ^ 0x646f72616e646f6d,
                       key.word[0] ^ 0x6c7967656e657261, key.word[1] ^ 0x7465646279746573 } };
    uint32_t i = 0;
    for (; i + 8 <= bytes.length; i += 8) {
        uint64_t word;
        memcpy(&word, bytes.data + i, 8);
        s.v[3] ^= word;
        sip_round(&s);
        s.v[0] ^= word;
    }
    uint64_t last = last_word(bytes) | (uint64_t)bytes.length << 56;
    s.v[3] ^= last;
    sip_round(&s);
    s.v[0] ^= last;
    s.v[2] ^= 0xff;
    for (int round = 0; round < 3; round++)
        sip_round(&s);
    return s.v[0] ^ s.v[1] ^ s.v[2] ^ s.v[3];
}

enum failure map_init(struct map *map, struct arena *arena, uint32_t capacity, struct map_key key)
{
    uint32_t slots = 8;
    if (capacity > UINT32_MAX / 4)
        return FAILURE_LIMIT;
    while (slots < capacity + capacity / 2)
        slots *= 2;
    *map = (struct map){ .mask = slots - 1, .capacity = capacity, .key = key };
    map->slots = arena_alloc(arena, slots * sizeof *map->slots);
    if (!map->slots)
        return arena->failure;
    memset(map->slots, 0, slots * sizeof *map->slots);
    return FAILURE_NONE;
}

/* The slot of `member`, or the free slot where it belongs. There always is one: a third of the slots stays free. */
static struct map_slot *find_slot(const struct map *map, struct bytes member, uint32_t hash)
{
    uint32_t i = hash & map->mask;
    for (;; i = (i + 1) & map->mask) {
        struct map_slot *slot = &map->slots[i];
        if (!slot->value)
            return slot;
        if (slot->hash == hash && bytes_equal((struct bytes){ slot->data, slot->length }, member))
            return slot;
    }
}

void *map_add(struct map *map, struct bytes member, const void *value)
{
    uint32_t hash = (uint32_t)map_hash(member, map->key);
    struct map_slot *slot = find_slot(map, member, hash);
    if (slot->value)
        return slot->value;
    if (map->count == map->mask) /* far over the capacity; one slot must stay free, or find_slot would not end */
        return NULL;
    map->count++;
    *slot = (struct map_slot){ .data = member.data, .length = member.length, .hash = hash };
    memcpy(&slot->value, &value, sizeof value); /* drops const; the caller knows whether the value is constant */
    return NULL;
}

void *map_find(const struct map *map, struct bytes member)
{
    return find_slot(map, member, (uint32_t)map_hash(member, map->key))->value;
}
