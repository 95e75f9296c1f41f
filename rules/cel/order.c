/* A pattern-defeating quicksort (Peters 2021, arXiv:2106.05123) that makes each comparison and each exchange that Go 1.19 and later make:
 * CEL's sort() shows the order of elements whose keys are equal. Source for those: Go's package sort. */
#include "rules/cel/order.h"

#include <stddef.h>

/* Ranges of at most INSERTED elements are sorted by insertion. Those of MIDDLING or more choose their pivot among three, those of LONG
 * among nine; ranges below LONG are not repaired when they are nearly sorted. REPAIRS: of a range that is nearly sorted. */
enum { INSERTED = 12, MIDDLING = 8, LONG = 50, REPAIRS = 5 };

/* Places in what is sorted are signed, as loops go to the one before the first. */
typedef int64_t place;

struct sorting {
    uint32_t *numbers;
    bool (*less)(void *context, uint32_t a, uint32_t b);
    void *context;
};

static bool less(struct sorting *s, place a, place b)
{
    return s->less(s->context, s->numbers[a], s->numbers[b]);
}

static void exchange(struct sorting *s, place a, place b)
{
    uint32_t number = s->numbers[a];
    s->numbers[a] = s->numbers[b];
    s->numbers[b] = number;
}

static void insert_all(struct sorting *s, place first, place end)
{
    for (place i = first + 1; i < end; i++)
        for (place j = i; j > first && less(s, j, j - 1); j--)
            exchange(s, j, j - 1);
}

/* ---- the heap, for ranges whose pivots were bad too often ---- */

static void sift_down(struct sorting *s, place first, place root, place count)
{
    for (place child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && less(s, first + child, first + child + 1))
            child++;
        if (!less(s, first + root, first + child))
            return;
        exchange(s, first + root, first + child);
    }
}

static void sort_by_heap(struct sorting *s, place first, place end)
{
    place count = end - first;
    for (place i = (count - 1) / 2; i >= 0; i--)
        sift_down(s, first, i, count);
    for (place i = count - 1; i >= 0; i--) {
        exchange(s, first, first + i);
        sift_down(s, first, 0, i);
    }
}

/* ---- the pivot ---- */

/* The middle one of three; counts pairs that were the wrong way round. */
static place median(struct sorting *s, place a, place b, place c, unsigned *wrong)
{
    place kept;
    if (less(s, b, a)) {
        ++*wrong;
        kept = a, a = b, b = kept;
    }
    if (less(s, c, b)) {
        ++*wrong;
        b = c;
    }
    if (less(s, b, a)) {
        ++*wrong;
        b = a;
    }
    return b;
}

/* How the elements that were looked at stand. */
enum pattern { RISING, FALLING, MIXED };

static place choose_pivot(struct sorting *s, place first, place end, enum pattern *pattern)
{
    place count = end - first, quarter = count / 4, a = first + quarter, b = first + quarter * 2, c = first + quarter * 3;
    unsigned wrong = 0;
    if (count >= LONG) {
        a = median(s, a - 1, a, a + 1, &wrong);
        b = median(s, b - 1, b, b + 1, &wrong);
        c = median(s, c - 1, c, c + 1, &wrong);
    }
    if (count >= MIDDLING)
        b = median(s, a, b, c, &wrong);
    *pattern = wrong == 0 ? RISING : wrong == 12 ? FALLING : MIXED; /* four medians, three pairs each */
    return b;
}

/* ---- patterns ---- */

static void reverse(struct sorting *s, place first, place end)
{
    for (place i = first, j = end - 1; i < j; i++, j--)
        exchange(s, i, j);
}

/* Exchanges three elements in the middle with others, which look as if they were chosen at random. */
static void break_patterns(struct sorting *s, place first, place end)
{
    uint64_t count = (uint64_t)(end - first), random = count, mask = 1;
    if (count < MIDDLING)
        return;
    while (mask <= count)
        mask *= 2;
    place middle = first + (place)(count / 4 * 2);
    for (place i = middle - 1; i <= middle + 1; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        uint64_t other = random & (mask - 1);
        exchange(s, i, first + (place)(other < count ? other : other - count));
    }
}

/* Repairs a range in which few neighbours are the wrong way round; false: it is not sorted yet. That elements can move to before `first`
 * is Go's. */
static bool repair(struct sorting *s, place first, place end)
{
    place i = first + 1;
    for (unsigned n = 0; n < REPAIRS; n++) {
        while (i < end && !less(s, i, i - 1))
            i++;
        if (i == end)
            return true;
        if (end - first < LONG)
            return false;
        exchange(s, i, i - 1);
        for (place j = i - 1; i - first >= 2 && j >= 1 && less(s, j, j - 1); j--)
            exchange(s, j, j - 1);
        for (place j = i + 1; end - i >= 2 && j < end && less(s, j, j - 1); j++)
            exchange(s, j, j - 1);
    }
    return false;
}

/* ---- parts ---- */

/* What is less than the pivot goes before it, all else after it. Returns where the pivot is then; sets whether nothing had to move. */
static place divide(struct sorting *s, place first, place end, place pivot, bool *divided)
{
    exchange(s, first, pivot);
    place i = first + 1, j = end - 1;
    for (*divided = true;; *divided = false) {
        while (i <= j && less(s, i, first))
            i++;
        while (i <= j && !less(s, j, first))
            j--;
        if (i > j)
            break;
        exchange(s, i++, j--);
    }
    exchange(s, j, first);
    return j;
}

/* Nothing is less than the pivot here: what equals it goes to the beginning. Returns where the rest begins. */
static place divide_equal(struct sorting *s, place first, place end, place pivot)
{
    exchange(s, first, pivot);
    for (place i = first + 1, j = end - 1;;) {
        while (i <= j && !less(s, first, i))
            i++;
        while (i <= j && less(s, first, j))
            j--;
        if (i > j)
            return i;
        exchange(s, i++, j--);
    }
}

/* `bad`: how many bad pivots there may still be. Calls itself for the smaller part only, so at most 32 deep. */
static void sort(struct sorting *s, place first, place end, unsigned bad)
{
    bool balanced = true, divided = true;
    for (place count; (count = end - first) > INSERTED;) {
        if (bad == 0) {
            sort_by_heap(s, first, end);
            return;
        }
        if (!balanced) {
            break_patterns(s, first, end);
            bad--;
        }
        enum pattern pattern;
        place pivot = choose_pivot(s, first, end, &pattern);
        if (pattern == FALLING) {
            reverse(s, first, end);
            pivot = end - 1 - (pivot - first);
            pattern = RISING;
        }
        if (balanced && divided && pattern == RISING && repair(s, first, end))
            return;
        if (first > 0 && !less(s, first - 1, pivot)) {
            first = divide_equal(s, first, end, pivot);
            continue;
        }
        place middle = divide(s, first, end, pivot, &divided), before = middle - first, after = end - middle;
        balanced = (before < after ? before : after) >= count / 8;
        if (before < after) {
            sort(s, first, middle, bad);
            first = middle + 1;
        } else {
            sort(s, middle + 1, end, bad);
            end = middle;
        }
    }
    insert_all(s, first, end);
}

void order_sort(uint32_t *numbers, uint32_t count, bool (*less_than)(void *context, uint32_t a, uint32_t b), void *context)
{
    struct sorting sorting = { numbers, less_than, context };
    unsigned bits = 0;
    while (count >> bits && bits < 31)
        bits++;
    sort(&sorting, 0, count, bits);
}
