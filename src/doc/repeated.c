#include "doc/repeated.h"

/* Whether the member's name must be compared. It has no name yet when the text ended before it. */
static bool counts_as_name(const struct doc_node *member)
{
    return member->name && member->field == DOC_NO_FIELD && member->type != DOC_SKIPPED;
}

/* Whether the names are in ascending order, as API servers write the keys of maps. Then none is there twice. */
static bool is_sorted(const struct doc_node *object)
{
    const struct doc_node *before = NULL;
    for (const struct doc_node *member = object->first; member; member = member->next) {
        if (!counts_as_name(member))
            continue;
        if (before && bytes_compare(doc_name(before), doc_name(member)) >= 0)
            return false;
        before = member;
    }
    return true;
}

/* A fast hash without a secret: whoever chooses the names can make them collide. */
static uint64_t hash_name(struct bytes name)
{
    const uint64_t odd = 0x9E3779B97F4A7C15;
    uint64_t number = name.length, word;
    uint32_t i = 0;
    for (; i + 8 <= name.length; i += 8) {
        memcpy(&word, name.data + i, 8);
        number = (number ^ word) * odd;
        number ^= number >> 32;
    }
    for (; i < name.length; i++)
        number = (number ^ (unsigned char)name.data[i]) * odd;
    return number;
}

/* Whether the hashes of all names select different bits. Then no name is there twice. Names that collide only make this false, and cost a
 * search in a map. */
static bool have_own_bits(const struct doc_node *object)
{
    enum { BITS = 4096 };
    uint64_t taken[BITS / 64] = { 0 };
    for (const struct doc_node *member = object->first; member; member = member->next) {
        if (!counts_as_name(member))
            continue;
        uint64_t bit = hash_name(doc_name(member)) >> 52; /* the highest bits depend on the whole name */
        if (taken[bit / 64] >> bit % 64 & 1)
            return false;
        taken[bit / 64] |= (uint64_t)1 << bit % 64;
    }
    return true;
}

/* Finds the first repeated name with a hash map. */
static enum failure find_with_map(const struct doc_node *object, struct arena *arena, struct map_key key, const struct doc_node **repeated)
{
    struct map map;
    enum failure failure = map_init(&map, arena, object->count, key);
    for (const struct doc_node *member = object->first; member && !failure; member = member->next)
        if (counts_as_name(member) && map_add(&map, doc_name(member), member)) {
            *repeated = member;
            break;
        }
    if (!failure)
        arena_take_back(arena, map.slots); /* nothing was allocated after it */
    return failure;
}

/* Finds the first repeated name of a few: each is compared with those before it. */
static const struct doc_node *find_by_comparing(const struct doc_node *object)
{
    for (const struct doc_node *member = object->first; member; member = member->next)
        for (const struct doc_node *other = object->first; other != member && counts_as_name(member); other = other->next)
            if (counts_as_name(other) && bytes_equal(doc_name(other), doc_name(member)))
                return member;
    return NULL;
}

/* Most objects are proved unique by their order or by their bits. Among more than SOME names two would share a bit too often. */
enum failure repeated_name(const struct doc_node *object, uint32_t names, struct arena *arena, struct map_key key,
                           const struct doc_node **member)
{
    enum { FEW = 8, SOME = 64 };
    *member = NULL;
    if (is_sorted(object) || (names <= SOME && have_own_bits(object)))
        return FAILURE_NONE;
    if (names > FEW)
        return find_with_map(object, arena, key, member);
    *member = find_by_comparing(object);
    return FAILURE_NONE;
}
