#include "base/set.h"

#include <assert.h>
#include <endian.h>
#include <sys/random.h>

struct set_slot {
    const char *data;
    const void *value; /* NULL: free */
    uint32_t length;
    uint32_t hash;
};

bool set_key_random(struct set_key *key)
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

/* The bytes behind the last whole word, the first of them lowest. Those of a longer text come with its last eight bytes: copying
 * one by one, or waiting for the copy, would take longer than hashing them. */
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

/* SipHash-1-3 (Aumasson and Bernstein), without its fixed byte order: the value never leaves the process. */
static uint64_t hash_bytes(struct bytes bytes, struct set_key key)
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

enum failure set_init(struct set *set, struct arena *arena, uint32_t capacity, struct set_key key)
{
    uint32_t slots = 8;
    assert(capacity <= UINT32_MAX / 4);
    while (slots < capacity * 2)
        slots *= 2;
    *set = (struct set){ .mask = slots - 1, .capacity = capacity, .key = key };
    set->slots = arena_alloc(arena, slots * sizeof *set->slots);
    if (!set->slots)
        return arena->failure;
    memset(set->slots, 0, slots * sizeof *set->slots);
    return FAILURE_NONE;
}

/* The slot of `member`, or the free one where it belongs. Never full: half of the slots stay free. */
static struct set_slot *find_slot(const struct set *set, struct bytes member, uint32_t hash)
{
    uint32_t i = hash & set->mask;
    for (;; i = (i + 1) & set->mask) {
        struct set_slot *slot = &set->slots[i];
        if (!slot->value)
            return slot;
        if (slot->hash == hash && bytes_equal((struct bytes){ slot->data, slot->length }, member))
            return slot;
    }
}

const void *set_add(struct set *set, struct bytes member, const void *value)
{
    uint32_t hash = (uint32_t)hash_bytes(member, set->key);
    struct set_slot *slot = find_slot(set, member, hash);
    if (slot->value)
        return slot->value;
    assert(set->count < set->capacity);
    set->count++;
    *slot = (struct set_slot){ member.data, value, member.length, hash };
    return NULL;
}

const void *set_find(const struct set *set, struct bytes member)
{
    return find_slot(set, member, (uint32_t)hash_bytes(member, set->key))->value;
}
