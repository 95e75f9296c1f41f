#include "cel/ranges.h"

#include <stdlib.h>
#include <string.h>

enum { LOOSE_RANGES = 64 }; /* single ranges that are kept before they are sorted; more if the set is large, so that each is moved seldom */

bool ranges_equal(struct ranges a, struct ranges b)
{
    return a.count == b.count && (a.list == b.list || a.count == 0 || memcmp(a.list, b.list, a.count * sizeof *a.list) == 0);
}

uint32_t ranges_find(struct ranges set, uint32_t code)
{
    uint32_t low = 0, high = set.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (set.list[middle].high < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool ranges_contain(struct ranges set, uint32_t code)
{
    uint32_t i = ranges_find(set, code);
    return i < set.count && set.list[i].low <= code;
}

void ranges_init(struct ranges_builder *builder, struct arena *arena)
{
    *builder = (struct ranges_builder){ .arena = arena };
}

/* Room for `count` ranges; keeps the first `kept`. */
static bool reserve(struct ranges_builder *builder, struct range **list, uint32_t *capacity, uint32_t count, uint32_t kept)
{
    if (builder->failed || count <= *capacity)
        return !builder->failed;
    uint32_t larger = count + count / 2 + 16;
    struct range *copy = arena_alloc(builder->arena, larger * sizeof *copy);
    if (!copy) {
        builder->failed = true;
        return false;
    }
    if (kept)
        memcpy(copy, *list, kept * sizeof *copy);
    *list = copy;
    *capacity = larger;
    return true;
}

/* Appends a range that does not begin before the last one; `count` are there. Returns how many are there then. */
static uint32_t append(struct range *list, uint32_t count, struct range next)
{
    if (count && next.low <= list[count - 1].high + 1) {
        if (next.high > list[count - 1].high)
            list[count - 1].high = next.high;
        return count;
    }
    list[count] = next;
    return count + 1;
}

/* Merges `set`, of which ranges may overlap, into the sorted ones. */
static void merge(struct ranges_builder *builder, struct ranges set)
{
    if (set.count == 0 || !reserve(builder, &builder->spare, &builder->spare_capacity, builder->sorted_count + set.count, 0))
        return;
    struct range *result = builder->spare;
    uint32_t count = 0, i = 0, j = 0;
    while (i < builder->sorted_count || j < set.count) {
        bool from_set = i == builder->sorted_count || (j < set.count && set.list[j].low < builder->sorted[i].low);
        count = append(result, count, from_set ? set.list[j++] : builder->sorted[i++]);
    }
    uint32_t capacity = builder->spare_capacity;
    builder->spare = builder->sorted;
    builder->spare_capacity = builder->sorted_capacity;
    builder->sorted = result;
    builder->sorted_count = count;
    builder->sorted_capacity = capacity;
}

static int by_low(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return (x->low > y->low) - (x->low < y->low);
}

static bool is_sorted(const struct range *list, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (list[i].low < list[i - 1].low)
            return false;
    return true;
}

static void settle(struct ranges_builder *builder)
{
    if (!is_sorted(builder->loose, builder->loose_count))
        qsort(builder->loose, builder->loose_count, sizeof *builder->loose, by_low);
    merge(builder, (struct ranges){ builder->loose, builder->loose_count });
    builder->loose_count = 0;
}

void ranges_add(struct ranges_builder *builder, uint32_t low, uint32_t high)
{
    struct range *last = builder->loose_count ? &builder->loose[builder->loose_count - 1] : NULL;
    if (last && last->high + 1 == low) {
        last->high = high;
        return;
    }
    if (builder->loose_count >= LOOSE_RANGES && builder->loose_count >= builder->sorted_count)
        settle(builder);
    if (!reserve(builder, &builder->loose, &builder->loose_capacity, builder->loose_count + 1, builder->loose_count))
        return;
    builder->loose[builder->loose_count++] = (struct range){ low, high };
}

void ranges_add_set(struct ranges_builder *builder, struct ranges set)
{
    if (builder->sorted_count) {
        merge(builder, set);
    } else if (set.count && reserve(builder, &builder->sorted, &builder->sorted_capacity, set.count, 0)) {
        memcpy(builder->sorted, set.list, set.count * sizeof *set.list);
        builder->sorted_count = set.count;
    }
}

void ranges_negate(struct ranges_builder *builder)
{
    settle(builder);
    if (!reserve(builder, &builder->spare, &builder->spare_capacity, builder->sorted_count + 1, 0))
        return;
    uint32_t count = 0, next = 0;
    for (uint32_t i = 0; i < builder->sorted_count; i++) {
        if (next < builder->sorted[i].low)
            builder->spare[count++] = (struct range){ next, builder->sorted[i].low - 1 };
        next = builder->sorted[i].high + 1;
    }
    if (next <= UNICODE_MAX)
        builder->spare[count++] = (struct range){ next, UNICODE_MAX };
    struct range *list = builder->sorted;
    uint32_t capacity = builder->sorted_capacity;
    builder->sorted = builder->spare;
    builder->sorted_capacity = builder->spare_capacity;
    builder->sorted_count = count;
    builder->spare = list;
    builder->spare_capacity = capacity;
}

struct ranges ranges_look(struct ranges_builder *builder)
{
    settle(builder);
    return (struct ranges){ builder->sorted, builder->sorted_count };
}

void ranges_clear(struct ranges_builder *builder)
{
    builder->sorted_count = builder->loose_count = 0;
}

bool ranges_finish(struct ranges_builder *builder, struct ranges *set)
{
    struct ranges made = ranges_look(builder);
    if (!builder->failed && made.count && !ranges_equal(made, builder->last)) {
        struct range *copy = arena_alloc(builder->arena, made.count * sizeof *copy);
        builder->failed = !copy;
        if (copy)
            memcpy(copy, made.list, made.count * sizeof *copy);
        builder->last = (struct ranges){ copy, made.count };
    }
    if (builder->failed)
        return false;
    *set = made.count ? builder->last : (struct ranges){ NULL, 0 };
    ranges_clear(builder);
    return true;
}
