/* Sets of characters, as ranges of code points: what a class of a regular expression matches. */
#ifndef DRAWBRIDGE_CEL_RANGES_H
#define DRAWBRIDGE_CEL_RANGES_H

#include <stdbool.h>

#include "base/arena.h"

#define UNICODE_MAX 0x10FFFFu

struct range {
    uint32_t low, high; /* both belong to it */
};

/* Sorted, and neither overlapping nor touching; the list is in an arena and does not change. */
struct ranges {
    const struct range *list;
    uint32_t count;
};

bool ranges_equal(struct ranges a, struct ranges b);
bool ranges_contain(struct ranges set, uint32_t code);

/* The first range that ends at `code` or later; set.count if there is none. */
uint32_t ranges_find(struct ranges set, uint32_t code);

/* Makes sets. Failure is sticky; may be used again after ranges_finish, and keeps its memory then. */
struct ranges_builder {
    struct arena *arena; /* not owned */
    struct range *sorted, *spare, *loose; /* a set; room to make the next; ranges that are not in it yet */
    uint32_t sorted_count, sorted_capacity, spare_capacity, loose_count, loose_capacity;
    struct ranges last; /* what was finished last */
    bool failed;
};

void ranges_init(struct ranges_builder *builder, struct arena *arena);
void ranges_add(struct ranges_builder *builder, uint32_t low, uint32_t high);
void ranges_add_set(struct ranges_builder *builder, struct ranges set);

/* The set so far becomes what is not in it. */
void ranges_negate(struct ranges_builder *builder);

/* The set so far, until the builder is changed. */
struct ranges ranges_look(struct ranges_builder *builder);

/* Empties the builder. */
void ranges_clear(struct ranges_builder *builder);

/* Sets *set to the set, in the arena, and empties the builder. A set that equals the last one has the same list. Returns false when any
 * step failed. */
bool ranges_finish(struct ranges_builder *builder, struct ranges *set) MUST_USE;

#endif
