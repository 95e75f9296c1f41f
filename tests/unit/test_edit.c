/* Changes of a text, and the diff that shows them. */
#include "doc/edit.h"
#include "unit.h"

static const char text[] = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nlast";

static struct bytes source_of(void)
{
    return bytes_of(text);
}

static void test_apply(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    struct edits edits = { .arena = &arena };
    edits_add(&edits, 24, 28, bytes_of("end")); /* in any order */
    edits_add(&edits, 0, 1, bytes_of("A"));
    edits_add(&edits, 2, 2, bytes_of("new\n"));
    edits_add(&edits, 2, 4, bytes_of(""));
    assert_true(edits_sort(&edits));
    struct bytes changed = edits_apply(&edits, source_of());
    assert_true(bytes_equal_text(changed, "A\nnew\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nend"));
    edits_add(&edits, 3, 5, bytes_of("x"));
    assert_false(edits_sort(&edits));
    arena_done(&arena);
}

static void test_diff(void **state)
{
    static const char wanted[] = "--- n\n+++ n\n"
                                 "@@ -1,4 +1,5 @@\n a\n+x\n b\n c\n d\n"
                                 "@@ -9,5 +10,4 @@\n i\n j\n k\n-l\n-last\n\\ No newline at end of file\n+L\n\\ No newline at end of file\n";
    struct arena arena;
    struct text diff;
    (void)state;
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    struct edits edits = { .arena = &arena };
    edits_add(&edits, 2, 2, bytes_of("x\n"));
    edits_add(&edits, 22, 28, bytes_of("L"));
    assert_true(edits_sort(&edits));
    text_init(&diff, &arena);
    edits_diff(&edits, source_of(), "n", &diff);
    assert_string_equal(text_end(&diff), wanted);

    edits.count = 0;
    edits_add(&edits, 4, 7, bytes_of("c\nd")); /* changes nothing */
    text_init(&diff, &arena);
    edits_diff(&edits, source_of(), "n", &diff);
    assert_string_equal(diff.length ? text_end(&diff) : "", "");
    arena_done(&arena);
}

static void test_close_changes_are_one_hunk(void **state)
{
    static const char wanted[] = "--- n\n+++ n\n@@ -1,10 +1,10 @@\n-a\n+A\n b\n c\n d\n e\n f\n-g\n+G\n h\n i\n j\n";
    struct arena arena;
    struct text diff;
    (void)state;
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    struct edits edits = { .arena = &arena };
    edits_add(&edits, 0, 1, bytes_of("A"));
    edits_add(&edits, 12, 13, bytes_of("G"));
    assert_true(edits_sort(&edits));
    text_init(&diff, &arena);
    edits_diff(&edits, source_of(), "n", &diff);
    assert_string_equal(text_end(&diff), wanted);
    arena_done(&arena);
}

/* Changes at random places, each a few bytes after the one before it, of up to four bytes. */
static void add_random(struct edits *edits, uint32_t length, unsigned *seed)
{
    static const char *const texts[] = { "", "X", "YZ", "\n", "long text" };
    for (uint32_t at = (uint32_t)rand_r(seed) % 5; at < length;) {
        uint32_t to = at + (uint32_t)rand_r(seed) % 4;
        to = to < length ? to : length;
        edits_add(edits, at, to, bytes_of(texts[rand_r(seed) % 5]));
        at = to + (uint32_t)rand_r(seed) % 6;
    }
    assert_true(edits_sort(edits));
}

static void test_changes_after_changes(void **state)
{
    struct arena arena;
    unsigned seed = 1;
    (void)state;
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    for (int run = 0; run < 2000; run++) {
        struct edits all = { .arena = &arena };
        struct bytes changed = source_of();
        arena_clear(&arena);
        for (int round = 0; round < 4; round++) {
            struct edits further = { .arena = &arena };
            add_random(&further, changed.length, &seed);
            changed = edits_apply(&further, changed);
            edits_then(&all, &further);
            EXPECT(edits_sort(&all) && bytes_equal(edits_apply(&all, source_of()), changed), "run %d, round %d", run, round);
        }
    }
    arena_done(&arena);
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_apply), cmocka_unit_test(test_diff), cmocka_unit_test(test_close_changes_are_one_hunk),
        cmocka_unit_test(test_changes_after_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
