/* The text builder: echoes of foreign text cut and escaped, numbers, growth, failures that stick. */
#include "unit.h"

#include "base/text.h"

struct escape_case {
    struct bytes text;
    size_t limit;
    const char *echo, *quoted;
};

static void check_escaped(const struct escape_case *cases, size_t count)
{
    struct arena arena;
    arena_init(&arena, &memory_malloc, SIZE_MAX);
    for (size_t i = 0; i < count; i++) {
        struct bytes copy = exact_copy(cases[i].text);
        struct text echo, quoted;
        text_init(&echo, &arena);
        text_init(&quoted, &arena);
        text_add_escaped(&echo, copy, cases[i].limit);
        text_add_quoted(&quoted, copy, cases[i].limit);
        const char *got = text_end(&echo), *got_quoted = text_end(&quoted);
        EXPECT(strcmp(got, cases[i].echo) == 0, "%s, limit %zu: %s", shown(copy), cases[i].limit, got);
        EXPECT(strcmp(got_quoted, cases[i].quoted) == 0, "%s, limit %zu: %s", shown(copy), cases[i].limit, got_quoted);
        free_copy(copy);
        arena_clear(&arena);
    }
    arena_done(&arena);
    assert_rows();
}

/* ---- where an echo is cut ---- */

static void test_escaped_is_cut_at_the_limit(void **state)
{
    static const struct escape_case cases[] = {
        { BYTES(""), 0, "", "\"\"" },
        { BYTES(""), 9, "", "\"\"" },
        { { NULL, 0 }, 9, "", "\"\"" },
        { BYTES("a"), 0, "...", "\"...\"" },
        { BYTES("abcd"), 3, "abc...", "\"abc...\"" },
        { BYTES("abcd"), 4, "abcd", "\"abcd\"" },
        { BYTES("abcd"), 5, "abcd", "\"abcd\"" },
        { BYTES("abcd"), SIZE_MAX, "abcd", "\"abcd\"" },
        /* escapes count as the bytes that they stand for */
        { BYTES("\n\n\n"), 2, "\\n\\n...", "\"\\n\\n...\"" },
        { BYTES("\n\n\n"), 3, "\\n\\n\\n", "\"\\n\\n\\n\"" },
        { BYTES("\xFF\xFF\xFF"), 2, "\\xff\\xff...", "\"\\xff\\xff...\"" },
        { BYTES("\xFF\xFF\xFF"), 3, "\\xff\\xff\\xff", "\"\\xff\\xff\\xff\"" },
        { BYTES("\"\"\""), 2, "\"\"...", "\"\\\"\\\"...\"" },
    };
    (void)state;
    check_escaped(cases, COUNT(cases));
}

static void test_escaped_is_cut_between_characters(void **state)
{
    static const struct escape_case cases[] = {
        { BYTES("\xC3\xA4z"), 1, "...", "\"...\"" },
        { BYTES("\xC3\xA4z"), 2, "\xC3\xA4...", "\"\xC3\xA4...\"" },
        { BYTES("\xC3\xA4z"), 3, "\xC3\xA4z", "\"\xC3\xA4z\"" },
        { BYTES("a\xE2\x82\xAC"), 1, "a...", "\"a...\"" },
        { BYTES("a\xE2\x82\xAC"), 2, "a...", "\"a...\"" },
        { BYTES("a\xE2\x82\xAC"), 3, "a...", "\"a...\"" },
        { BYTES("a\xE2\x82\xAC"), 4, "a\xE2\x82\xAC", "\"a\xE2\x82\xAC\"" },
        { BYTES("\xF0\x9F\x98\x80!"), 3, "...", "\"...\"" },
        { BYTES("\xF0\x9F\x98\x80!"), 4, "\xF0\x9F\x98\x80...", "\"\xF0\x9F\x98\x80...\"" },
        { BYTES("\xF0\x9F\x98\x80!"), 5, "\xF0\x9F\x98\x80!", "\"\xF0\x9F\x98\x80!\"" },
        { BYTES("\xE2\x80\xA8z"), 2, "...", "\"...\"" },
        { BYTES("\xE2\x80\xA8z"), 3, "\\u2028...", "\"\\u2028...\"" },
    };
    (void)state;
    check_escaped(cases, COUNT(cases));
}

/* The house's own limit, with characters of every length before it. */
static void test_escaped_of_128_bytes(void **state)
{
    (void)state;
    for (size_t length = LIMIT_QUOTE_BYTES - 1; length <= LIMIT_QUOTE_BYTES + 1; length++) {
        struct arena arena;
        struct text text;
        struct bytes subject = repeated("a", length, "");
        arena_init(&arena, &memory_malloc, SIZE_MAX);
        text_init(&text, &arena);
        text_add_escaped(&text, subject, LIMIT_QUOTE_BYTES);
        size_t expected = length <= LIMIT_QUOTE_BYTES ? length : LIMIT_QUOTE_BYTES + 3;
        EXPECT(strlen(text_end(&text)) == expected, "%zu bytes", length);
        free_copy(subject);
        arena_done(&arena);
    }
    assert_rows();
}

/* ---- what an echo escapes ---- */

static void test_controls_are_escaped(void **state)
{
    static const struct escape_case cases[] = {
        { BYTES("\0"), 9, "\\u0000", "\"\\u0000\"" },
        { BYTES("a\0b"), 9, "a\\u0000b", "\"a\\u0000b\"" },
        { BYTES("\n"), 9, "\\n", "\"\\n\"" },
        { BYTES("\t"), 9, "\\t", "\"\\t\"" },
        { BYTES("\r"), 9, "\\u000d", "\"\\u000d\"" },
        { BYTES("\x1B[31m"), 9, "\\u001b[31m", "\"\\u001b[31m\"" },
        { BYTES("\x1F "), 9, "\\u001f ", "\"\\u001f \"" },
        { BYTES("~\x7F"), 9, "~\\u007f", "\"~\\u007f\"" },
        { BYTES("\xC2\x80\xC2\x85\xC2\x9F"), 9, "\\u0080\\u0085\\u009f", "\"\\u0080\\u0085\\u009f\"" },
        { BYTES("\xC2\xA0"), 9, "\xC2\xA0", "\"\xC2\xA0\"" },
    };
    (void)state;
    check_escaped(cases, COUNT(cases));
}

static void test_marks_that_confuse_are_escaped(void **state)
{
    static const struct escape_case cases[] = {
        { BYTES("\xE2\x80\xA8"), 9, "\\u2028", "\"\\u2028\"" },         /* line separator */
        { BYTES("\xE2\x80\xA9"), 9, "\\u2029", "\"\\u2029\"" },         /* paragraph separator */
        { BYTES("a\xE2\x80\xAE" "b"), 9, "a\\u202eb", "\"a\\u202eb\"" }, /* right-to-left override */
        { BYTES("\xE2\x80\x8F"), 9, "\\u200f", "\"\\u200f\"" },         /* right-to-left mark */
        { BYTES("\xE2\x81\xA6\xE2\x81\xA9"), 9, "\\u2066\\u2069", "\"\\u2066\\u2069\"" }, /* isolates */
        { BYTES("\xD8\x9C"), 9, "\\u061c", "\"\\u061c\"" },             /* Arabic letter mark */
        { BYTES("\xE2\x80\x8B"), 9, "\\u200b", "\"\\u200b\"" },         /* zero width space */
        { BYTES("\xEF\xBB\xBF"), 9, "\\ufeff", "\"\\ufeff\"" },         /* byte order mark */
        { BYTES("\xF3\xA0\x81\x81"), 9, "\\U000e0041", "\"\\U000e0041\"" }, /* tag letter */
        { BYTES("\xF0\x9F\x98\x80\xE4\xBD\xA0"), 9, "\xF0\x9F\x98\x80\xE4\xBD\xA0", "\"\xF0\x9F\x98\x80\xE4\xBD\xA0\"" },
    };
    (void)state;
    check_escaped(cases, COUNT(cases));
}

static void test_bytes_that_are_not_utf8_are_escaped(void **state)
{
    static const struct escape_case cases[] = {
        { BYTES("\xFF"), 9, "\\xff", "\"\\xff\"" },
        { BYTES("a\x80z"), 9, "a\\x80z", "\"a\\x80z\"" },
        { BYTES("\xC3"), 9, "\\xc3", "\"\\xc3\"" },
        { BYTES("\xC3("), 9, "\\xc3(", "\"\\xc3(\"" },
        { BYTES("\xC0\x80"), 9, "\\xc0\\x80", "\"\\xc0\\x80\"" },
        { BYTES("\xE2\x82"), 9, "\\xe2\\x82", "\"\\xe2\\x82\"" },
        { BYTES("\xED\xA0\x80"), 9, "\\xed\\xa0\\x80", "\"\\xed\\xa0\\x80\"" },
        { BYTES("\xF4\x90\x80\x80"), 9, "\\xf4\\x90\\x80\\x80", "\"\\xf4\\x90\\x80\\x80\"" },
        { BYTES("\xF0\x9F\x98"), 9, "\\xf0\\x9f\\x98", "\"\\xf0\\x9f\\x98\"" },
    };
    (void)state;
    check_escaped(cases, COUNT(cases));
}

static void test_quotes_and_backslashes_are_escaped_between_quotes(void **state)
{
    static const struct escape_case cases[] = {
        { BYTES("say \"hi\""), 20, "say \"hi\"", "\"say \\\"hi\\\"\"" },
        { BYTES("a\\b"), 20, "a\\b", "\"a\\\\b\"" },
        { BYTES("\\\""), 20, "\\\"", "\"\\\\\\\"\"" },
        { BYTES("it's"), 20, "it's", "\"it's\"" },
    };
    (void)state;
    check_escaped(cases, COUNT(cases));
}

/* Whatever the bytes are, what comes out is UTF-8 without anything that a terminal obeys. */
static void test_every_byte_pair_comes_out_safe(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, &memory_malloc, SIZE_MAX);
    for (unsigned pair = 0; pair < 0x10000; pair++) {
        const char subject[] = { (char)(pair >> 8), (char)(pair & 0xFF) };
        struct text text;
        text_init(&text, &arena);
        text_add_quoted(&text, (struct bytes){ subject, 2 }, 2);
        for (const unsigned char *at = (const unsigned char *)text_end(&text); *at; at++)
            EXPECT(*at >= 0x20 && *at != 0x7F, "%04x", pair);
        arena_clear(&arena);
    }
    arena_done(&arena);
    assert_rows();
}

/* ---- building ---- */

static void test_integers(void **state)
{
    static const struct {
        int64_t value;
        const char *text;
    } cases[] = {
        { 0, "0" }, { 1, "1" }, { -1, "-1" }, { 9, "9" }, { 10, "10" }, { INT32_MAX, "2147483647" }, { INT32_MIN, "-2147483648" },
        { (int64_t)INT32_MAX + 1, "2147483648" }, { INT64_MAX, "9223372036854775807" }, { INT64_MIN, "-9223372036854775808" },
        { 9007199254740993, "9007199254740993" },
    };
    struct arena arena;
    (void)state;
    arena_init(&arena, &memory_malloc, SIZE_MAX);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text text;
        text_init(&text, &arena);
        text_add_integer(&text, cases[i].value);
        EXPECT(strcmp(text_end(&text), cases[i].text) == 0, "%s", cases[i].text);
    }
    arena_done(&arena);
    assert_rows();
}

static void test_pieces_are_joined_in_order(void **state)
{
    struct arena arena;
    struct text text;
    (void)state;
    arena_init(&arena, &memory_malloc, SIZE_MAX);
    text_init(&text, &arena);
    assert_string_equal(text_end(&text), "");
    text_add(&text, "");
    text_add(&text, "ab");
    text_add_bytes(&text, (struct bytes){ NULL, 0 });
    text_add_bytes(&text, (struct bytes)BYTES("c\0d"));
    text_add_integer(&text, -5);
    assert_memory_equal(text_end(&text), "abc\0d-5", 8);
    assert_int_equal(text.length, 7);
    text_add(&text, "e"); /* an end is no end */
    assert_memory_equal(text_end(&text), "abc\0d-5e", 9);
    arena_done(&arena);
}

/* A million pieces of changing length: content kept over growth, and memory in proportion. */
static void test_growth(void **state)
{
    struct arena arena;
    struct text text;
    size_t expected = 0;
    (void)state;
    arena_init(&arena, &memory_malloc, 64u << 20);
    text_init(&text, &arena);
    for (unsigned i = 0; i < 300000; i++) {
        text_add(&text, &"0123456789"[i % 10]);
        expected += 10 - i % 10;
    }
    const char *end = text_end(&text);
    assert_non_null(end);
    assert_int_equal(strlen(end), expected);
    for (size_t at = 0; at + 55 <= expected; at += 55)
        assert_memory_equal(end + at, "0123456789123456789234567893456789", 34);
    arena_done(&arena);
}

/* ---- failing ---- */

static void add_everything(struct text *text)
{
    text_add(text, "some text");
    text_add_integer(text, INT64_MIN);
    text_add_escaped(text, (struct bytes)BYTES("a\n\xFF\xE2\x80\xA8z"), 100);
    text_add_quoted(text, (struct bytes)BYTES("a\n\"\\\xFF\xE2\x80\xA8z"), 4);
    for (int i = 0; i < 40000; i++)
        text_add(text, "0123456789");
}

static void test_failure_gives_no_text(void **state)
{
    (void)state;
    for (size_t failing = 1; failing < 20; failing++) {
        struct counted_memory counted;
        struct arena arena;
        struct text text;
        counted_init(&counted, failing);
        arena_init(&arena, &counted.memory, SIZE_MAX);
        text_init(&text, &arena);
        add_everything(&text);
        bool reached = counted.calls >= failing;
        const char *end = text_end(&text);
        EXPECT((end == NULL) == reached, "call %zu", failing);
        EXPECT((arena.failure == FAILURE_MEMORY) == reached, "call %zu", failing);
        arena_done(&arena);
        EXPECT(counted.live == 0, "call %zu", failing);
    }
    assert_rows();
}

static void test_failure_sticks_even_when_memory_returns(void **state)
{
    struct arena arena;
    struct text text;
    (void)state;
    arena_init(&arena, &memory_malloc, 300);
    text_init(&text, &arena);
    text_add(&text, "short");
    for (int i = 0; i < 100; i++)
        text_add(&text, "0123456789");
    assert_int_equal(arena.failure, FAILURE_LIMIT);
    arena_clear(&arena);
    text_add(&text, "x");
    text_add_integer(&text, 1);
    text_add_escaped(&text, (struct bytes)BYTES("x"), 1);
    assert_null(text_end(&text));
    arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_escaped_is_cut_at_the_limit),
        cmocka_unit_test(test_escaped_is_cut_between_characters),
        cmocka_unit_test(test_escaped_of_128_bytes),
        cmocka_unit_test(test_controls_are_escaped),
        cmocka_unit_test(test_marks_that_confuse_are_escaped),
        cmocka_unit_test(test_bytes_that_are_not_utf8_are_escaped),
        cmocka_unit_test(test_quotes_and_backslashes_are_escaped_between_quotes),
        cmocka_unit_test(test_every_byte_pair_comes_out_safe),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_pieces_are_joined_in_order),
        cmocka_unit_test(test_growth),
        cmocka_unit_test(test_failure_gives_no_text),
        cmocka_unit_test(test_failure_sticks_even_when_memory_returns),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
