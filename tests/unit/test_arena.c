/* The arena: alignment, growth, its limit to the byte, failures that stick, what a clear keeps, and no leak; the texts of failures. */
#include "unit.h"

#include <stdalign.h>

static void start(struct arena *arena, struct counted_memory *counted, size_t limit)
{
    counted_init(counted, 0);
    arena_init(arena, &counted->memory, limit);
}

static void finish(struct arena *arena, const struct counted_memory *counted)
{
    arena_done(arena);
    assert_int_equal(arena->taken, 0);
    assert_int_equal(counted->live, 0);
}

/* What a block costs beside its content. */
static size_t block_overhead(void)
{
    struct counted_memory counted;
    struct arena arena;
    start(&arena, &counted, SIZE_MAX);
    assert_non_null(arena_text(&arena, 1));
    size_t overhead = arena.taken - 1 - (size_t)(arena.end - arena.at);
    finish(&arena, &counted);
    return overhead;
}

static void test_init_allocates_nothing(void **state)
{
    struct counted_memory counted;
    struct arena arena;
    (void)state;
    start(&arena, &counted, 100);
    assert_int_equal(counted.calls, 0);
    arena_clear(&arena);
    assert_int_equal(arena.failure, FAILURE_NONE);
    finish(&arena, &counted);
    assert_int_equal(counted.calls, 0);
}

static void test_objects_are_aligned_whatever_stands_before(void **state)
{
    struct counted_memory counted;
    struct arena arena;
    (void)state;
    start(&arena, &counted, SIZE_MAX);
    for (size_t text = 0; text < 40; text++) {
        if (text)
            memset(arena_text(&arena, text), 'x', text);
        char *object = arena_alloc(&arena, text + 1);
        assert_non_null(object);
        EXPECT((uintptr_t)object % alignof(max_align_t) == 0, "behind %zu bytes", text);
        memset(object, 'y', text + 1);
    }
    assert_rows();
    finish(&arena, &counted);
}

/* What is left of a block may be enough for the object, but not from the next aligned byte on. */
static void test_objects_at_the_end_of_a_block_are_aligned(void **state)
{
    enum { BLOCK = 512, OBJECT = 48 };
    (void)state;
    for (size_t left = 0; left < 2 * OBJECT; left++) {
        struct counted_memory counted;
        struct arena arena;
        start(&arena, &counted, SIZE_MAX);
        memset(arena_text(&arena, BLOCK), 'x', BLOCK);
        size_t text = (size_t)(arena.end - arena.at) - left;
        memset(arena_text(&arena, text), 'x', text);
        char *object = arena_alloc(&arena, OBJECT);
        assert_non_null(object);
        EXPECT((uintptr_t)object % alignof(max_align_t) == 0 && object + OBJECT <= arena.end, "%zu bytes left", left);
        memset(object, 'y', OBJECT);
        finish(&arena, &counted);
    }
    assert_rows();
}

/* Each of many pieces holds its own bytes to the end, over several blocks. */
static void test_pieces_do_not_overlap(void **state)
{
    enum { PIECES = 2000 };
    static unsigned char *pieces[PIECES];
    struct counted_memory counted;
    struct arena arena;
    (void)state;
    start(&arena, &counted, SIZE_MAX);
    for (size_t i = 0; i < PIECES; i++) {
        pieces[i] = i % 2 ? arena_alloc(&arena, i) : (unsigned char *)arena_text(&arena, i + 1);
        assert_non_null(pieces[i]);
        memset(pieces[i], (int)(i % 251), i);
    }
    for (size_t i = 0; i < PIECES; i++)
        for (size_t j = 0; j < i; j++)
            assert_int_equal(pieces[i][j], i % 251);
    finish(&arena, &counted);
}

static void test_number_of_blocks_is_logarithmic(void **state)
{
    struct counted_memory counted;
    struct arena arena;
    (void)state;
    start(&arena, &counted, SIZE_MAX);
    for (size_t i = 0; i < (64u << 20) / 1024; i++)
        assert_non_null(arena_alloc(&arena, 1024));
    assert_in_range(counted.calls, 2, 16);
    assert_in_range(arena.taken, 64u << 20, 3 * (64u << 20));
    finish(&arena, &counted);
}

/* The first block has room for what is expected, and no more; too much, or more than that, changes nothing. */
static void test_first_block_as_expected(void **state)
{
    struct counted_memory counted;
    struct arena arena;
    (void)state;
    start(&arena, &counted, SIZE_MAX);
    arena_expect(&arena, 300);
    assert_non_null(arena_text(&arena, 300));
    assert_int_equal(counted.calls, 1);
    assert_int_equal(arena.taken, 300 + block_overhead());
    assert_non_null(arena_text(&arena, 1));
    assert_int_equal(counted.calls, 2);
    finish(&arena, &counted);
    start(&arena, &counted, SIZE_MAX);
    arena_expect(&arena, 1 << 20);
    assert_non_null(arena_text(&arena, 1));
    assert_int_equal(arena.taken, 4096);
    finish(&arena, &counted);
}

/* What was there before the mark stays where it is; what came after it is free, and so is a failure. */
static void test_rewinding(void **state)
{
    (void)state;
    for (size_t before = 0; before < 9000; before += 1000) {
        struct counted_memory counted;
        struct arena arena;
        start(&arena, &counted, 100000);
        char *kept = before ? arena_text(&arena, before) : NULL;
        if (kept)
            memset(kept, 'k', before);
        const struct arena_mark mark = arena_mark(&arena);
        const size_t used = arena_used(&arena), blocks = counted.live;
        while (arena_text(&arena, 700))
            ;
        EXPECT(arena.failure == FAILURE_LIMIT, "%zu bytes", before);
        arena_rewind(&arena, mark);
        EXPECT(!arena.failure && arena_used(&arena) == used && counted.live == blocks, "%zu bytes", before);
        EXPECT(!before || (kept[0] == 'k' && kept[before - 1] == 'k'), "%zu bytes", before);
        EXPECT(arena_alloc(&arena, 10) != NULL, "%zu bytes", before);
        finish(&arena, &counted);
    }
    assert_rows();
}

static void test_piece_larger_than_any_block(void **state)
{
    struct counted_memory counted;
    struct arena arena;
    (void)state;
    start(&arena, &counted, 8u << 20);
    char *large = arena_text(&arena, 5u << 20);
    assert_non_null(large);
    memset(large, 'x', 5u << 20);
    assert_int_equal(counted.calls, 1);
    finish(&arena, &counted);
}

/* ---- the limit ---- */

static void test_limit_holds_to_the_byte(void **state)
{
    static const size_t limits[] = { 100, 4096, 65536, 65537, 200000, 1u << 20 };
    size_t overhead = block_overhead();
    (void)state;
    for (size_t i = 0; i < COUNT(limits); i++) {
        for (size_t more = 0; more < 3; more++) { /* one byte less than fits, what fits, one more */
            struct counted_memory counted;
            struct arena arena;
            start(&arena, &counted, limits[i]);
            bool fits = arena_text(&arena, limits[i] - overhead - 1 + more) != NULL;
            EXPECT(fits == (more < 2), "limit %zu, %zu more", limits[i], more);
            EXPECT(arena.failure == (fits ? FAILURE_NONE : FAILURE_LIMIT), "limit %zu, %zu more", limits[i], more);
            EXPECT(arena.taken <= limits[i], "limit %zu, %zu more", limits[i], more);
            finish(&arena, &counted);
        }
    }
    assert_rows();
}

/* Small pieces use a limit up: what is left over is less than a block's overhead and a piece for each block. */
static void test_small_pieces_fill_the_limit(void **state)
{
    static const size_t limits[] = { 1000, 65536, 65536 + 100, 1000000 };
    (void)state;
    for (size_t i = 0; i < COUNT(limits); i++) {
        struct counted_memory counted;
        struct arena arena;
        size_t got = 0;
        start(&arena, &counted, limits[i]);
        while (arena_text(&arena, 10))
            got += 10;
        EXPECT(arena.failure == FAILURE_LIMIT, "limit %zu", limits[i]);
        EXPECT(arena.taken <= limits[i], "limit %zu", limits[i]);
        EXPECT(got <= limits[i] && got + 200 >= limits[i], "limit %zu, %zu got", limits[i], got);
        finish(&arena, &counted);
    }
    assert_rows();
}

/* Nobody has that much memory, and a sum that wraps around must not ask for little. */
static void test_sizes_that_overflow_are_refused(void **state)
{
    static const size_t sizes[] = { SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 14, SIZE_MAX - 64, SIZE_MAX / 2 + 1 };
    static const size_t limits[] = { LIMIT_ARENA_BYTES, SIZE_MAX };
    size_t overhead = block_overhead();
    (void)state;
    for (size_t i = 0; i < 2 * COUNT(sizes); i++) {
        for (size_t j = 0; j < COUNT(limits); j++) {
            struct counted_memory counted;
            struct arena arena;
            size_t size = sizes[i / 2];
            start(&arena, &counted, limits[j]);
            counted.failing = (size_t)UNIT_ALWAYS;
            bool asks = limits[j] == SIZE_MAX && size + overhead > size;
            EXPECT((i % 2 ? arena_alloc(&arena, size) : arena_text(&arena, size)) == NULL, "%zu", size);
            EXPECT(arena.failure == (asks ? FAILURE_MEMORY : FAILURE_LIMIT), "%zu, limit %zu", size, limits[j]);
            EXPECT(counted.calls == asks, "%zu, limit %zu", size, limits[j]);
            finish(&arena, &counted);
        }
    }
    assert_rows();
}

/* NULL always means failure, so a piece of no bytes is somewhere too. */
static void test_piece_of_no_bytes(void **state)
{
    struct counted_memory counted;
    struct arena arena;
    (void)state;
    start(&arena, &counted, SIZE_MAX);
    assert_non_null(arena_text(&arena, 0));
    arena_done(&arena);
    arena_init(&arena, &counted.memory, SIZE_MAX);
    assert_non_null(arena_alloc(&arena, 0));
    finish(&arena, &counted);
}

static void test_limit_failure_sticks_until_clear(void **state)
{
    struct counted_memory counted;
    struct arena arena;
    (void)state;
    start(&arena, &counted, 1000);
    assert_non_null(arena_alloc(&arena, 10));
    assert_null(arena_alloc(&arena, 5000));
    assert_int_equal(arena.failure, FAILURE_LIMIT);
    assert_null(arena_alloc(&arena, 1));
    assert_null(arena_text(&arena, 1));
    assert_null(arena_text(&arena, 0));
    arena_clear(&arena);
    assert_int_equal(arena.failure, FAILURE_NONE);
    assert_non_null(arena_alloc(&arena, 10));
    finish(&arena, &counted);
}

/* ---- memory that fails ---- */

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    for (size_t failing = 1; failing <= 5; failing++) {
        struct counted_memory counted;
        struct arena arena;
        start(&arena, &counted, SIZE_MAX);
        counted.failing = failing;
        size_t pieces = 0;
        while (pieces < 200 && arena_alloc(&arena, 10000))
            pieces++;
        EXPECT(pieces < 200, "call %zu", failing);
        EXPECT(arena.failure == FAILURE_MEMORY, "call %zu", failing);
        EXPECT(arena_text(&arena, 1) == NULL, "call %zu", failing); /* although the next call would succeed */
        EXPECT(counted.calls == failing, "call %zu", failing);
        arena_clear(&arena);
        EXPECT(arena.failure == FAILURE_NONE && arena_alloc(&arena, 10000), "call %zu", failing);
        finish(&arena, &counted);
    }
    assert_rows();
}

/* ---- clear ---- */

static void test_clear_keeps_no_more_than_its_limit(void **state)
{
    static const size_t uses[] = { 1, 60000, 65536, 100000, LIMIT_ARENA_KEPT_BYTES - 16, LIMIT_ARENA_KEPT_BYTES, LIMIT_ARENA_KEPT_BYTES + 1,
                                   5u << 20, 64u << 20 };
    (void)state;
    for (size_t i = 0; i < COUNT(uses); i++) {
        for (size_t piece = 1000; piece <= uses[i] || piece == 1000; piece *= 100) {
            struct counted_memory counted;
            struct arena arena;
            start(&arena, &counted, SIZE_MAX);
            for (size_t used = 0; used < uses[i]; used += piece)
                assert_non_null(arena_alloc(&arena, piece));
            arena_clear(&arena);
            EXPECT(arena.taken <= LIMIT_ARENA_KEPT_BYTES, "%zu in pieces of %zu: %zu", uses[i], piece, arena.taken);
            EXPECT(counted.live <= 1, "%zu in pieces of %zu", uses[i], piece);
            EXPECT(arena_alloc(&arena, piece) != NULL, "%zu in pieces of %zu", uses[i], piece);
            finish(&arena, &counted);
        }
    }
    assert_rows();
}

/* One block of just the size that is kept, and one byte more. */
static void test_kept_block_to_the_byte(void **state)
{
    size_t overhead = block_overhead();
    (void)state;
    for (size_t bytes = LIMIT_ARENA_KEPT_BYTES - 1; bytes <= LIMIT_ARENA_KEPT_BYTES + 1; bytes++) {
        struct counted_memory counted;
        struct arena arena;
        start(&arena, &counted, SIZE_MAX);
        assert_non_null(arena_text(&arena, bytes - overhead));
        assert_int_equal(arena.taken, bytes);
        arena_clear(&arena);
        EXPECT(arena.taken == (bytes <= LIMIT_ARENA_KEPT_BYTES ? bytes : 0), "%zu bytes", bytes);
        finish(&arena, &counted);
    }
    assert_rows();
}

static void test_kept_block_is_used_again(void **state)
{
    struct counted_memory counted;
    struct arena arena;
    (void)state;
    start(&arena, &counted, SIZE_MAX);
    for (unsigned round = 0; round < 100; round++) {
        for (unsigned i = 0; i < 100; i++)
            memset(arena_alloc(&arena, 500), (int)round, 500);
        arena_clear(&arena);
        if (round == 3) /* by then the newest block holds all of it */
            counted.calls = 0;
    }
    assert_int_equal(counted.calls, 0);
    finish(&arena, &counted);
}

/* A clear gives the limit back too: a full arena can be filled again, any number of times. */
static void test_clear_gives_the_limit_back(void **state)
{
    struct counted_memory counted;
    struct arena arena;
    (void)state;
    start(&arena, &counted, 3u << 20);
    for (unsigned round = 0; round < 20; round++) {
        size_t pieces = 0;
        while (arena_alloc(&arena, 4096))
            pieces++;
        EXPECT(pieces > 700, "round %u: %zu pieces", round, pieces);
        EXPECT(arena.taken <= arena.limit, "round %u", round);
        arena_clear(&arena);
    }
    assert_rows();
    finish(&arena, &counted);
}

static void test_done_arena_can_be_used_after_init(void **state)
{
    struct counted_memory counted;
    struct arena arena;
    (void)state;
    start(&arena, &counted, SIZE_MAX);
    assert_non_null(arena_alloc(&arena, 1));
    arena_done(&arena);
    arena_done(&arena);
    arena_init(&arena, &counted.memory, SIZE_MAX);
    assert_non_null(arena_alloc(&arena, 1));
    finish(&arena, &counted);
}

/* Every failure has a text of its own, fit for the end of a line. */
static void test_failures_have_texts(void **state)
{
    (void)state;
    for (int failure = FAILURE_NONE; failure <= FAILURE_PATTERN; failure++) {
        const char *text = failure_text((enum failure)failure);
        EXPECT(text && *text && !strpbrk(text, ".\n"), "failure %d", failure);
        for (int other = FAILURE_NONE; other < failure; other++)
            EXPECT(strcmp(text, failure_text((enum failure)other)) != 0, "failures %d and %d", failure, other);
    }
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_init_allocates_nothing),
        cmocka_unit_test(test_objects_are_aligned_whatever_stands_before),
        cmocka_unit_test(test_objects_at_the_end_of_a_block_are_aligned),
        cmocka_unit_test(test_pieces_do_not_overlap),
        cmocka_unit_test(test_number_of_blocks_is_logarithmic),
        cmocka_unit_test(test_first_block_as_expected),
        cmocka_unit_test(test_rewinding),
        cmocka_unit_test(test_piece_larger_than_any_block),
        cmocka_unit_test(test_limit_holds_to_the_byte),
        cmocka_unit_test(test_small_pieces_fill_the_limit),
        cmocka_unit_test(test_sizes_that_overflow_are_refused),
        cmocka_unit_test(test_piece_of_no_bytes),
        cmocka_unit_test(test_limit_failure_sticks_until_clear),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_clear_keeps_no_more_than_its_limit),
        cmocka_unit_test(test_kept_block_to_the_byte),
        cmocka_unit_test(test_kept_block_is_used_again),
        cmocka_unit_test(test_clear_gives_the_limit_back),
        cmocka_unit_test(test_done_arena_can_be_used_after_init),
        cmocka_unit_test(test_failures_have_texts),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
