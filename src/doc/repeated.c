#include "doc/repeated.h"

/* A name that has to be compared; none yet, where the text broke off. */
static bool counts_as_name(const struct doc_node *member)
{
    return member->name && member->field == DOC_NO_FIELD && member->type != DOC_SKIPPED;
}

/* API servers sort the keys of maps; where each name comes behind the one before it, none is there twice. */
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

/* Equal names have equal numbers, and most others do not. */
static uint64_t number_of_name(struct bytes name)
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

/* Whether each name has a bit of its own, so that none is there twice. Who chooses the names can only make that false. */
static bool are_surely_unique(const struct doc_node *object)
{
    enum { BITS = 4096 };
    uint64_t taken[BITS / 64] = { 0 };
    for (const struct doc_node *member = object->first; member; member = member->next) {
        if (!counts_as_name(member))
            continue;
        uint64_t bit = number_of_name(doc_name(member)) >> 52; /* its highest bits depend on all of the name */
        if (taken[bit / 64] >> bit % 64 & 1)
            return false;
        taken[bit / 64] |= (uint64_t)1 << bit % 64;
    }
    return true;
}

/* The first repeated name of more than a few. */
static enum failure find_in_set(const struct doc_node *object, struct arena *arena, struct set_key key, const struct doc_node **repeated)
{
    struct set set;
    enum failure failure = set_init(&set, arena, object->count, key);
    for (const struct doc_node *member = object->first; member && !failure; member = member->next)
        if (counts_as_name(member) && set_add(&set, doc_name(member), member)) {
            *repeated = member;
            break;
        }
    if (!failure)
        arena_take_back(arena, set.slots); /* nothing was allocated behind it */
    return failure;
}

/* The same of a few: each is compared with those before it. */
static const struct doc_node *find_by_comparing(const struct doc_node *object)
{
    for (const struct doc_node *member = object->first; member; member = member->next)
        for (const struct doc_node *other = object->first; other != member && counts_as_name(member); other = other->next)
            if (counts_as_name(other) && bytes_equal(doc_name(other), doc_name(member)))
                return member;
    return NULL;
}

/* That names are unique is most often sure at once, but of more than SOME two would have the same bit too often. */
enum failure repeated_name(const struct doc_node *object, uint32_t names, struct arena *arena, struct set_key key, const struct doc_node **member)
{
    enum { FEW = 8, SOME = 64 };
    *member = NULL;
    if (is_sorted(object) || (names <= SOME && are_surely_unique(object)))
        return FAILURE_NONE;
    if (names > FEW)
        return find_in_set(object, arena, key, member);
    *member = find_by_comparing(object);
    return FAILURE_NONE;
}
