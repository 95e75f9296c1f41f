/* The document tree's small readers: integers to the last digit, members by name, sources. */
#include "unit.h"

#include "base/text.h"
#include "doc/doc.h"
#include "doc/quote.h"

/* ---- integers ---- */

struct integer_case {
    const char *token;
    int64_t low, high;
    bool good;
    int64_t value;
};

#define INT32_RANGE INT32_MIN, INT32_MAX
#define INT64_RANGE INT64_MIN, INT64_MAX

static void check_integers(const struct integer_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct bytes copy = exact_copy(bytes_of(cases[i].token));
        const struct doc_node node = { .text = copy.data, .count = copy.length, .type = DOC_NUMBER };
        int64_t value = 12345;
        bool good = doc_integer(&node, cases[i].low, cases[i].high, &value);
        EXPECT(good == cases[i].good, "%s", cases[i].token);
        EXPECT(value == (cases[i].good ? cases[i].value : 12345), "%s: %lld", cases[i].token, (long long)value);
        free_copy(copy);
    }
    assert_rows();
}

static void test_integers_at_the_ends_of_their_types(void **state)
{
    static const struct integer_case cases[] = {
        { "2147483646", INT32_RANGE, true, 2147483646 },
        { "2147483647", INT32_RANGE, true, 2147483647 },
        { "2147483648", INT32_RANGE, false, 0 },
        { "-2147483647", INT32_RANGE, true, -2147483647 },
        { "-2147483648", INT32_RANGE, true, INT32_MIN },
        { "-2147483649", INT32_RANGE, false, 0 },
        { "9223372036854775806", INT64_RANGE, true, INT64_MAX - 1 },
        { "9223372036854775807", INT64_RANGE, true, INT64_MAX },
        { "9223372036854775808", INT64_RANGE, false, 0 },
        { "9223372036854775809", INT64_RANGE, false, 0 },
        { "-9223372036854775807", INT64_RANGE, true, -INT64_MAX },
        { "-9223372036854775808", INT64_RANGE, true, INT64_MIN },
        { "-9223372036854775809", INT64_RANGE, false, 0 },
        { "9223372036854775807", INT32_RANGE, false, 0 },
        { "-9223372036854775808", INT32_RANGE, false, 0 },
        { "9007199254740993", INT64_RANGE, true, 9007199254740993 }, /* 2^53 + 1: no double on the way */
        { "18446744073709551615", INT64_RANGE, false, 0 },
        { "18446744073709551616", INT64_RANGE, false, 0 }, /* 2^64 wraps to 0 */
        { "18446744073709551617", INT64_RANGE, false, 0 },
        { "-18446744073709551616", INT64_RANGE, false, 0 },
        { "92233720368547758070", INT64_RANGE, false, 0 },
        { "100000000000000000000000000000000000000000", INT64_RANGE, false, 0 },
        { "99999999999999999999", INT64_RANGE, false, 0 },
    };
    (void)state;
    check_integers(cases, COUNT(cases));
}

static void test_integers_within_given_bounds(void **state)
{
    static const struct integer_case cases[] = {
        { "4", 5, 7, false, 0 }, { "5", 5, 7, true, 5 }, { "7", 5, 7, true, 7 }, { "8", 5, 7, false, 0 },
        { "0", 0, 0, true, 0 },  { "1", 0, 0, false, 0 }, { "-1", 0, 0, false, 0 }, { "-5", -5, -5, true, -5 },
    };
    (void)state;
    check_integers(cases, COUNT(cases));
}

static void test_other_tokens_are_no_integers(void **state)
{
    static const struct integer_case cases[] = {
        { "0", INT64_RANGE, true, 0 },      { "-0", INT64_RANGE, true, 0 },      { "", INT64_RANGE, false, 0 },      { "-", INT64_RANGE, false, 0 },
        { "1.0", INT64_RANGE, false, 0 },   { "1e3", INT64_RANGE, false, 0 },    { "1E3", INT64_RANGE, false, 0 },   { "0.0", INT64_RANGE, false, 0 },
        { "1.5", INT64_RANGE, false, 0 },   { "1e-1", INT64_RANGE, false, 0 },   { "-1.0", INT64_RANGE, false, 0 },  { "1e0", INT64_RANGE, false, 0 },
        { "+1", INT64_RANGE, false, 0 },    { "--1", INT64_RANGE, false, 0 },    { "x1", INT64_RANGE, false, 0 },    { " 1", INT64_RANGE, false, 0 },
        { "1 ", INT64_RANGE, false, 0 },    { "1x", INT64_RANGE, false, 0 },     { "1-", INT64_RANGE, false, 0 },    { "/1", INT64_RANGE, false, 0 },
        { ":1", INT64_RANGE, false, 0 },    { "0x10", INT64_RANGE, false, 0 },   { "1_000", INT64_RANGE, false, 0 }, { "\xB2", INT64_RANGE, false, 0 },
        { "-x", INT64_RANGE, false, 0 },    { ".", INT64_RANGE, false, 0 },      { "true", INT64_RANGE, false, 0 },  { "\xD9\xA1", INT64_RANGE, false, 0 },
    };
    (void)state;
    check_integers(cases, COUNT(cases));
}

static void test_a_token_ends_where_it_says(void **state)
{
    const struct doc_node node = { .text = "12345", .count = 3, .type = DOC_NUMBER }, none = { .type = DOC_NUMBER }, nul = { .text = "1\0", .count = 2,
        .type = DOC_NUMBER };
    int64_t value = 0;
    (void)state;
    assert_true(doc_integer(&node, INT64_MIN, INT64_MAX, &value));
    assert_int_equal(value, 123);
    assert_false(doc_integer(&none, INT64_MIN, INT64_MAX, &value));
    assert_false(doc_integer(&nul, INT64_MIN, INT64_MAX, &value));
}

/* Every number near a power of two or ten, compared with the C library's reading. */
static void test_integers_agree_with_the_library(void **state)
{
    (void)state;
    for (unsigned power = 0; power < 64; power++) {
        for (int off = -2; off <= 2; off++) {
            char token[24];
            int64_t value = 0, wanted = (int64_t)(((uint64_t)1 << power) + (uint64_t)off);
            int length = snprintf(token, sizeof token, "%lld", (long long)wanted);
            const struct doc_node node = { .text = token, .count = (uint32_t)length, .type = DOC_NUMBER };
            EXPECT(doc_integer(&node, INT64_MIN, INT64_MAX, &value) && value == wanted, "%s", token);
            EXPECT(!doc_integer(&node, wanted == INT64_MAX ? wanted : wanted + 1, wanted == INT64_MAX ? wanted - 1 : INT64_MAX, &value), "%s", token);
        }
    }
    assert_rows();
}

/* ---- members ---- */

static const struct doc_node members[] = {
    { .next = &members[1], .name = "a", .name_length = 1, .type = DOC_TRUE },
    { .next = &members[2], .name = "b", .name_length = 1, .type = DOC_FALSE },
    { .next = &members[3], .name = "a", .name_length = 1, .type = DOC_NULL },
    { .next = &members[4], .name = "", .name_length = 0, .type = DOC_TRUE },
    { .name = "a\0b", .name_length = 3, .type = DOC_TRUE },
};

static void test_last_member_of_a_name_counts(void **state)
{
    const struct doc_node object = { .first = members, .count = COUNT(members), .type = DOC_OBJECT };
    (void)state;
    assert_ptr_equal(doc_member(&object, "a"), &members[2]);
    assert_ptr_equal(doc_member(&object, "b"), &members[1]);
    assert_ptr_equal(doc_member(&object, ""), &members[3]);
    assert_null(doc_member(&object, "A"));
    assert_null(doc_member(&object, "ab"));
    assert_null(doc_member(&object, "c"));
}

static void test_only_objects_have_members(void **state)
{
    const struct doc_node array = { .first = members, .count = COUNT(members), .type = DOC_ARRAY }, empty = { .type = DOC_OBJECT };
    (void)state;
    assert_null(doc_member(NULL, "a"));
    assert_null(doc_member(&array, "a"));
    assert_null(doc_member(&empty, "a"));
    for (unsigned type = DOC_NULL; type <= DOC_SKIPPED; type++) {
        const struct doc_node other = { .text = "a", .count = 1, .type = (uint8_t)type };
        if (type != DOC_OBJECT && type != DOC_ARRAY)
            assert_null(doc_member(&other, "a"));
    }
}

static void test_loop_over_children(void **state)
{
    const struct doc_node object = { .first = members, .count = COUNT(members), .type = DOC_OBJECT }, *some = &object, *none = NULL;
    unsigned count = 0;
    (void)state;
    doc_each(some, child)
        assert_ptr_equal(child, &members[count++]);
    assert_int_equal(count, COUNT(members));
    doc_each(none, child)
        fail();
}

static void test_source_of_a_value(void **state)
{
    const struct document document = { .source = BYTES("{\"a\": [1, 2]}") };
    static const struct {
        uint32_t offset, size;
        const char *text;
    } cases[] = { { 0, 13, "{\"a\": [1, 2]}" }, { 6, 6, "[1, 2]" }, { 7, 1, "1" }, { 13, 0, "" } };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct doc_node node = { .offset = cases[i].offset, .size = cases[i].size };
        EXPECT(bytes_equal_text(doc_source(&document, &node), cases[i].text), "%s", cases[i].text);
    }
    assert_rows();
}

static void test_text_and_name_of_a_node(void **state)
{
    const struct doc_node node = { .text = "ab\0c", .count = 4, .name = "n\0m", .name_length = 3, .type = DOC_STRING };
    (void)state;
    assert_true(bytes_equal(doc_text(&node), (struct bytes)BYTES("ab\0c")));
    assert_true(bytes_equal(doc_name(&node), (struct bytes)BYTES("n\0m")));
    assert_false(bytes_equal_text(doc_text(&node), "ab"));
}

/* A text stays where null follows, as in the API server's decoder. */
static void test_text_of_a_member(void **state)
{
    static const struct doc_node repeated[] = {
        { .next = &repeated[1], .name = "a", .name_length = 1, .text = "x", .count = 1, .type = DOC_STRING },
        { .next = &repeated[2], .name = "a", .name_length = 1, .text = "y", .count = 1, .type = DOC_STRING },
        { .next = &repeated[3], .name = "a", .name_length = 1, .type = DOC_NULL },
        { .next = &repeated[4], .name = "b", .name_length = 1, .text = "x", .count = 1, .type = DOC_STRING },
        { .name = "b", .name_length = 1, .type = DOC_TRUE },
    };
    const struct doc_node object = { .first = repeated, .count = COUNT(repeated), .type = DOC_OBJECT };
    (void)state;
    assert_true(bytes_equal_text(doc_member_text(&object, "a"), "y"));
    assert_null(doc_member_text(&object, "b").data);
    assert_null(doc_member_text(&object, "c").data);
    assert_null(doc_member_text(&repeated[0], "a").data);
    assert_null(doc_member_text(NULL, "a").data);
}

/* Members that stand in an object of their own only for the checks are shown where they are written. */
static void test_echo_of_inlined_members(void **state)
{
    static const struct doc_node inner[] = {
        { .next = &inner[1], .name = "x", .name_length = 1, .type = DOC_TRUE },
        { .name = "y", .name_length = 1, .type = DOC_NULL },
    };
    static const struct doc_node outer[] = {
        { .next = &outer[1], .name = "a", .name_length = 1, .type = DOC_FALSE },
        { .next = &outer[2], .first = inner, .count = 2, .type = DOC_OBJECT, .flags = DOC_INLINED },
        { .name = "b", .name_length = 1, .type = DOC_ARRAY },
    };
    const struct doc_node object = { .first = outer, .count = COUNT(outer), .type = DOC_OBJECT };
    static const struct {
        size_t limit;
        const char *text;
    } cases[] = { { 100, "{\"a\":false,\"x\":true,\"y\":null,\"b\":[]}" }, { 11, "{\"a\":false,...}" }, { 16, "{\"a\":false,\"x\":true,...}" } };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct arena arena;
        struct text text;
        arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
        text_init(&text, &arena);
        doc_quote(&text, &object, cases[i].limit);
        const char *end = text_end(&text);
        EXPECT(end && strcmp(end, cases[i].text) == 0, "%s", end ? end : "no memory");
        arena_done(&arena);
    }
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers_at_the_ends_of_their_types),
        cmocka_unit_test(test_integers_within_given_bounds),
        cmocka_unit_test(test_other_tokens_are_no_integers),
        cmocka_unit_test(test_a_token_ends_where_it_says),
        cmocka_unit_test(test_integers_agree_with_the_library),
        cmocka_unit_test(test_last_member_of_a_name_counts),
        cmocka_unit_test(test_only_objects_have_members),
        cmocka_unit_test(test_loop_over_children),
        cmocka_unit_test(test_source_of_a_value),
        cmocka_unit_test(test_text_and_name_of_a_node),
        cmocka_unit_test(test_text_of_a_member),
        cmocka_unit_test(test_echo_of_inlined_members),
    };
    return cmocka_run_group_tests_name("doc", tests, NULL, NULL);
}
