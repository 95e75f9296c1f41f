/* doc/lines.h: from offsets to lines and columns. */
#include "doc/lines.h"
#include "unit.h"

static void expect(struct lines *lines, uint32_t offset, uint32_t line, uint32_t column, const char *text)
{
    struct position position = { 0 };
    assert_int_equal(lines_find(lines, offset, &position), FAILURE_NONE);
    EXPECT(position.line == line && position.column == column, "offset %u is %u:%u, not %u:%u", offset, position.line, position.column, line, column);
    EXPECT(bytes_equal_text(position.text, text), "offset %u: %s", offset, shown(position.text));
}

static void test_places(void **state)
{
    static const struct {
        const char *source;
        uint32_t offset, line, column;
        const char *text;
    } rows[] = {
        { "", 0, 1, 1, "" },
        { "a", 0, 1, 1, "a" },
        { "a", 1, 1, 2, "a" },
        { "a\n", 1, 1, 2, "a" },
        { "a\n", 2, 2, 1, "" },
        { "a\nb", 2, 2, 1, "b" },
        { "a\r\nb\r\n", 3, 2, 1, "b" },
        { "a\r\nb\r\n", 0, 1, 1, "a" },
        { "\n\n\nx", 3, 4, 1, "x" },
        { "\n\n\nx", 1, 2, 1, "" },
        { "\xC3\xA4z", 2, 1, 2, "\xC3\xA4z" },
        { "\xE2\x82\xAC\xF0\x9F\x98\x80z", 7, 1, 3, "\xE2\x82\xAC\xF0\x9F\x98\x80z" },
        { "\xFF\xFEz", 2, 1, 3, "\xFF\xFEz" },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct lines lines;
        lines_init(&lines, &memory_malloc, bytes_of(rows[i].source));
        expect(&lines, rows[i].offset, rows[i].line, rows[i].column, rows[i].text);
        lines_done(&lines);
    }
    assert_rows();
}

/* Any order gives the same answers as one question each. */
static void test_order_does_not_matter(void **state)
{
    const struct bytes source = bytes_of("one \xC3\xA4 two\nthree\r\n\nfour \xE2\x82\xAC\xE2\x82\xAC five");
    struct lines lines;
    (void)state;
    lines_init(&lines, &memory_malloc, source);
    for (uint32_t step = 1; step <= source.length; step++) {
        for (uint32_t i = 0, offset = 0; i <= source.length; i++, offset = (offset + step) % (source.length + 1)) {
            struct lines alone;
            struct position one, other;
            if (offset < source.length && ((unsigned char)source.data[offset] & 0xC0) == 0x80)
                continue; /* inside a character */
            lines_init(&alone, &memory_malloc, source);
            assert_int_equal(lines_find(&alone, offset, &one), FAILURE_NONE);
            assert_int_equal(lines_find(&lines, offset, &other), FAILURE_NONE);
            EXPECT(one.line == other.line && one.column == other.column && one.at == other.at, "step %u, offset %u", step, offset);
            lines_done(&alone);
        }
    }
    lines_done(&lines);
    assert_rows();
}

/* A long line with many questions in rising order is one pass. */
static void test_long_lines(void **state)
{
    struct bytes source = { calloc(1, LIMIT_BODY_BYTES), LIMIT_BODY_BYTES };
    struct lines lines;
    (void)state;
    assert_non_null(source.data);
    lines_init(&lines, &memory_malloc, source);
    double start = cpu_seconds();
    for (uint32_t offset = 0; offset < LIMIT_BODY_BYTES; offset += 64) {
        struct position position;
        assert_int_equal(lines_find(&lines, offset, &position), FAILURE_NONE);
        assert_int_equal(position.column, offset + 1);
    }
    assert_true(cpu_seconds() - start < 5 * slowness());
    lines_done(&lines);
    free((char *)(uintptr_t)source.data);
}

/* Columns in lines so long that they are not counted from the start: against counting each character. */
static void test_columns_far_to_the_right(void **state)
{
    enum { BYTES_OF_SOURCE = 40000 };
    char *text = malloc(BYTES_OF_SOURCE);
    struct lines lines;
    uint32_t line = 1, column = 1;
    (void)state;
    assert_non_null(text);
    memcpy(text, "\xEF\xBB\xBF", 3);
    for (uint32_t i = 3; i < BYTES_OF_SOURCE; i++) /* an umlaut now and then, a few ends of lines, bytes that are no UTF-8 */
        text[i] = i == 9000 || i == 9001 || i == 9100 || i == 30000 ? '\n' : i % 7 == 3 && i + 1 < BYTES_OF_SOURCE ? '\xC3' : i % 7 == 4 ? '\xA4' : i % 1001 == 0 ? '\xFF' : 'a';
    lines_init(&lines, &memory_malloc, (struct bytes){ text, BYTES_OF_SOURCE });
    for (uint32_t i = 3; i < BYTES_OF_SOURCE; i++) {
        struct position position;
        bool inside = ((unsigned char)text[i] & 0xC0) == 0x80 && (unsigned char)text[i - 1] == 0xC3;
        if (!inside) {
            assert_int_equal(lines_find(&lines, i, &position), FAILURE_NONE);
            EXPECT(position.line == line && position.column == column, "offset %u: %u:%u, not %u:%u", i, position.line, position.column, line, column);
            column++;
        }
        if (text[i] == '\n') {
            line++;
            column = 1;
        }
    }
    assert_rows();
    lines_done(&lines);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_order_does_not_matter),
        cmocka_unit_test(test_long_lines),
        cmocka_unit_test(test_columns_far_to_the_right),
    };
    return cmocka_run_group_tests_name("lines", tests, NULL, NULL);
}
