/* Foreign text in messages: what is escaped, and how long texts are cut. */
#include "base/escape.h"
#include "unit.h"

static void test_texts(void **state)
{
    static const struct {
        const char *text, *escaped;
    } cases[] = {
        { "", "" },
        { "certs/tls.crt", "certs/tls.crt" },
        { "gr\xC3\xBC\xC3\x9F", "gr\xC3\xBC\xC3\x9F" },
        { "a\x1B[31m\n\t\x7F", "a\\x1b[31m\\x0a\\x09\\x7f" },
        { "\xFF\xC3(", "\\xff\\xc3(" },
        { "\xE2\x80\xAE", "\\u202e" },
        { "\xF3\xA0\x81\x81", "\\U000e0041" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(escape_text(cases[i].text).text, cases[i].escaped);
}

static void test_long_texts(void **state)
{
    char text[1000], all[LIMIT_QUOTE_BYTES + 1];
    (void)state;
    memset(all, 'a', LIMIT_QUOTE_BYTES);
    all[LIMIT_QUOTE_BYTES] = '\0';
    assert_string_equal(escape_text(all).text, all);
    memset(text, '\x1B', sizeof text);
    text[sizeof text - 1] = '\0';
    struct escaped escaped = escape_text(text);
    assert_int_equal(strlen(escaped.text), 4 * LIMIT_QUOTE_BYTES + 3);
    assert_non_null(strstr(escaped.text, "\\x1b...\\x1b"));
}

static void test_characters_stay_whole(void **state)
{
    char text[1000];
    (void)state;
    for (size_t shift = 0; shift < 4; shift++) {
        memset(text, 'a', shift);
        for (size_t i = shift; i + 4 < sizeof text; i += 4)
            memcpy(text + i, "\xF0\x9F\x98\x80", 5);
        struct escaped escaped = escape_text(text);
        assert_null(strchr(escaped.text, '\\'));
        assert_non_null(strstr(escaped.text, "..."));
        assert_true(strlen(escaped.text) <= LIMIT_QUOTE_BYTES + 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_long_texts),
        cmocka_unit_test(test_characters_stay_whole),
    };
    return cmocka_run_group_tests_name("show", tests, NULL, NULL);
}
