/* The map of byte strings: members, duplicates, capacity, many members, and that its key decides where they go. */
#include "unit.h"

#include "base/map.h"

static const struct map_key keys[] = { { { 0, 0 } }, { { 0x0123456789ABCDEF, 0xFEDCBA9876543210 } } };

static void test_new_members_and_duplicates(void **state)
{
    static const char *const words[] = { "a", "b", "A", "aa", "a ", " a", "abcdefg", "abcdefgh", "abcdefghi", "abcdefgi", "abcdefghabcdefgh",
        "abcdefghabcdefgi" };
    (void)state;
    for (size_t k = 0; k < COUNT(keys); k++) {
        struct arena arena;
        struct map map;
        arena_init(&arena, &memory_malloc, SIZE_MAX);
        assert_int_equal(map_init(&map, &arena, COUNT(words), keys[k]), FAILURE_NONE);
        for (size_t i = 0; i < COUNT(words); i++) {
            EXPECT(map_find(&map, bytes_of(words[i])) == NULL, "%s", words[i]);
            EXPECT(map_add(&map, bytes_of(words[i]), &words[i]) == NULL, "%s", words[i]);
            EXPECT(map_add(&map, bytes_of(words[i]), &keys) == &words[i], "%s", words[i]); /* keeps its first value */
        }
        for (size_t i = 0; i < COUNT(words); i++)
            EXPECT(map_find(&map, bytes_of(words[i])) == &words[i], "%s", words[i]);
        EXPECT(map.count == COUNT(words), "%u members", map.count);
        arena_done(&arena);
    }
    assert_rows();
}

static void test_members_hold_any_bytes(void **state)
{
    static const struct bytes members[] = { BYTES(""), BYTES("\0"), BYTES("\0\0"), BYTES("a\0b"), BYTES("a\0c"), BYTES("a"), BYTES("\xFF\xFE") };
    struct arena arena;
    struct map map;
    (void)state;
    arena_init(&arena, &memory_malloc, SIZE_MAX);
    assert_int_equal(map_init(&map, &arena, COUNT(members), keys[1]), FAILURE_NONE);
    for (size_t i = 0; i < COUNT(members); i++)
        EXPECT(map_add(&map, members[i], &members[i]) == NULL, "member %zu", i);
    for (size_t i = 0; i < COUNT(members); i++)
        EXPECT(map_find(&map, members[i]) == &members[i], "member %zu", i);
    EXPECT(map_find(&map, (struct bytes){ NULL, 0 }) == &members[0], "%s", "NULL is the empty member");
    arena_done(&arena);
    assert_rows();
}

/* Every length from 0 to 300, and for each a member that differs in one byte anywhere. */
static void test_one_byte_makes_a_difference(void **state)
{
    enum { LONGEST = 300 };
    struct bytes text = repeated("0123456789abcdefghijklmnopqrstuvwxyz", LONGEST / 36 + 1, "");
    struct arena arena;
    struct map map;
    (void)state;
    arena_init(&arena, &memory_malloc, SIZE_MAX);
    assert_int_equal(map_init(&map, &arena, LONGEST + 1, keys[1]), FAILURE_NONE);
    for (uint32_t length = 0; length <= LONGEST; length++)
        EXPECT(map_add(&map, (struct bytes){ text.data, length }, &text) == NULL, "%u bytes", length);
    for (uint32_t length = 0; length <= LONGEST; length++) {
        char other[LONGEST];
        memcpy(other, text.data, length);
        EXPECT(map_find(&map, (struct bytes){ other, length }) == &text, "%u bytes", length);
        for (uint32_t i = 0; i < length; i++) {
            other[i] ^= 1;
            EXPECT(map_find(&map, (struct bytes){ other, length }) == NULL, "%u bytes, byte %u", length, i);
            other[i] ^= 1;
        }
    }
    arena_done(&arena);
    free_copy(text);
    assert_rows();
}

/* As many members as promised go in, and looking for one that is not there ends all the same. */
static void test_capacity_can_be_used_up(void **state)
{
    (void)state;
    for (uint32_t capacity = 0; capacity <= 70; capacity++) {
        static char names[70][4];
        struct arena arena;
        struct map map;
        arena_init(&arena, &memory_malloc, SIZE_MAX);
        assert_int_equal(map_init(&map, &arena, capacity, keys[capacity % 2]), FAILURE_NONE);
        for (uint32_t i = 0; i < capacity; i++) {
            snprintf(names[i], sizeof names[i], "%u", i);
            EXPECT(map_add(&map, bytes_of(names[i]), names[i]) == NULL, "capacity %u, member %u", capacity, i);
        }
        EXPECT(map_find(&map, bytes_of("none")) == NULL, "capacity %u", capacity);
        for (uint32_t i = 0; i < capacity; i++)
            EXPECT(map_add(&map, bytes_of(names[i]), map.slots) == names[i], "capacity %u, member %u", capacity, i);
        EXPECT(map.count == capacity, "capacity %u", capacity);
        arena_done(&arena);
    }
    assert_rows();
}

/* Names that differ little, as somebody would choose them, in time that a scan over all would not keep. */
static void test_100000_members(void **state)
{
    enum { MEMBERS = 100000 };
    static char names[MEMBERS][8];
    double before = cpu_seconds();
    (void)state;
    for (size_t k = 0; k < COUNT(keys); k++) {
        struct arena arena;
        struct map map;
        arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
        assert_int_equal(map_init(&map, &arena, MEMBERS, keys[k]), FAILURE_NONE);
        for (unsigned i = 0; i < MEMBERS; i++) {
            snprintf(names[i], sizeof names[i], "k%06u", i % 1000000);
            assert_null(map_add(&map, (struct bytes){ names[i], 7 }, names[i]));
        }
        for (unsigned i = 0; i < MEMBERS; i++)
            assert_ptr_equal(map_add(&map, (struct bytes){ names[i], 7 }, &map), names[i]);
        assert_null(map_find(&map, bytes_of("k100000")));
        assert_int_equal(map.count, MEMBERS);
        arena_done(&arena);
    }
    assert_true(cpu_seconds() - before < 1.0 * slowness());
}

/* The same members stand in other places under another key: nobody who does not know it can make them collide. */
static void test_key_decides_the_places(void **state)
{
    static const char *const words[] = { "name", "labels", "annotations", "uid", "namespace", "finalizers" };
    unsigned char places[COUNT(keys) + 1][8192];
    size_t size = 0;
    (void)state;
    for (size_t k = 0; k <= COUNT(keys); k++) {
        struct arena arena;
        struct map map;
        arena_init(&arena, &memory_malloc, SIZE_MAX);
        assert_int_equal(map_init(&map, &arena, 64, keys[k % COUNT(keys)]), FAILURE_NONE);
        size = (size_t)(arena.at - (char *)map.slots);
        assert_in_range(size, 128 * sizeof(void *), sizeof places[k]);
        for (size_t i = 0; i < COUNT(words); i++)
            assert_null(map_add(&map, bytes_of(words[i]), words));
        memcpy(places[k], map.slots, size);
        arena_done(&arena);
    }
    assert_memory_not_equal(places[0], places[1], size);
    assert_memory_equal(places[0], places[2], size);
}

static void test_random_keys_differ(void **state)
{
    struct map_key first = { { 0, 0 } }, second = { { 0, 0 } };
    (void)state;
    assert_true(map_key_random(&first));
    assert_true(map_key_random(&second));
    assert_memory_not_equal(&first, &second, sizeof first);
    assert_int_not_equal(first.word[0], first.word[1]);
}

static void test_init_fails_as_its_arena_does(void **state)
{
    struct counted_memory counted;
    struct arena arena;
    struct map map;
    (void)state;
    counted_init(&counted, 1);
    arena_init(&arena, &counted.memory, SIZE_MAX);
    assert_int_equal(map_init(&map, &arena, 8, keys[0]), FAILURE_MEMORY);
    arena_done(&arena);
    assert_int_equal(counted.live, 0);
    arena_init(&arena, &memory_malloc, 1000);
    assert_int_equal(map_init(&map, &arena, 1000, keys[0]), FAILURE_LIMIT);
    arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_new_members_and_duplicates),
        cmocka_unit_test(test_members_hold_any_bytes),
        cmocka_unit_test(test_one_byte_makes_a_difference),
        cmocka_unit_test(test_capacity_can_be_used_up),
        cmocka_unit_test(test_100000_members),
        cmocka_unit_test(test_key_decides_the_places),
        cmocka_unit_test(test_random_keys_differ),
        cmocka_unit_test(test_init_fails_as_its_arena_does),
    };
    return cmocka_run_group_tests_name("set", tests, NULL, NULL);
}
