/* UTF-8 against a reference written from RFC 3629 by arithmetic instead of by table: every sequence of two and three bytes,
 * every boundary of four, every scalar value both ways. */
#include "unit.h"

#include "base/utf8.h"

/* Section 3 of RFC 3629: the length a lead byte announces, by its leading ones; the value; then what is forbidden. */
static unsigned reference_decode(const unsigned char *at, size_t left, uint32_t *code)
{
    static const uint32_t min[] = { 0, 0, 0x80, 0x800, 0x10000 };
    if (left == 0)
        return 0;
    unsigned ones = 0;
    while (ones < 8 && *at >> (7 - ones) & 1)
        ones++;
    if (ones == 0) {
        *code = *at;
        return 1;
    }
    if (ones == 1 || ones > 4 || ones > left)
        return 0;
    uint32_t value = *at & (0x7Fu >> ones);
    for (unsigned i = 1; i < ones; i++) {
        if (at[i] >> 6 != 2)
            return 0;
        value = value << 6 | (at[i] & 0x3Fu);
    }
    if (value < min[ones] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
        return 0;
    *code = value;
    return ones;
}

static void check_sequence(const unsigned char *at, size_t left)
{
    uint32_t code = 0xABCDEF, expected = 0xABCDEF;
    unsigned length = utf8_decode(at, left, &code), right = reference_decode(at, left, &expected);
    EXPECT(length == right && code == expected, "%s: %u bytes, U+%04X", shown((struct bytes){ (const char *)at, (uint32_t)left }), length, code);
}

static void test_nothing_is_no_character(void **state)
{
    uint32_t code = 7;
    (void)state;
    assert_int_equal(utf8_decode((const unsigned char *)"a", 0, &code), 0);
    assert_false(utf8_truncated((const unsigned char *)"a", 0));
    assert_int_equal(code, 7);
}

static void test_sequences_of_up_to_three_bytes(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 1u << 24; n++) {
        const unsigned char bytes[] = { (unsigned char)(n >> 16), (unsigned char)(n >> 8), (unsigned char)n };
        uint32_t code = 0, expected = 0;
        unsigned length = utf8_decode(bytes, 3, &code);
        if (length != reference_decode(bytes, 3, &expected) || code != expected)
            check_sequence(bytes, 3);
        if (bytes[2] == 0)
            check_sequence(bytes, 2);
        if (bytes[2] == 0 && bytes[1] == 0)
            check_sequence(bytes, 1);
    }
    assert_rows();
}

static void test_sequences_of_four_bytes_at_their_boundaries(void **state)
{
    static const unsigned char edges[] = { 0x00, 0x7F, 0x80, 0x81, 0x8F, 0x90, 0x9F, 0xA0, 0xBE, 0xBF, 0xC0, 0xFF };
    (void)state;
    for (unsigned lead = 0xE0; lead <= 0xFF; lead++)
        for (unsigned second = 0; second <= 0xFF; second++)
            for (size_t i = 0; i < COUNT(edges) * COUNT(edges); i++) {
                const unsigned char bytes[] = { (unsigned char)lead, (unsigned char)second, edges[i / COUNT(edges)], edges[i % COUNT(edges)] };
                check_sequence(bytes, 4);
            }
    assert_rows();
}

/* The rows of RFC 3629, section 4, and the examples that everybody gets wrong. */
static void test_boundaries_of_the_standard(void **state)
{
    static const struct {
        const char *text;
        uint32_t code; /* 0: no character */
    } cases[] = {
        { "\x01", 0x01 },             { "\x7F", 0x7F },              { "\x80", 0 },               { "\xBF", 0 },
        { "\xC0\x80", 0 },            { "\xC1\xBF", 0 },             { "\xC2\x80", 0x80 },        { "\xDF\xBF", 0x7FF },
        { "\xE0\x80\x80", 0 },        { "\xE0\x9F\xBF", 0 },         { "\xE0\xA0\x80", 0x800 },   { "\xEC\xBF\xBF", 0xCFFF },
        { "\xED\x80\x80", 0xD000 },   { "\xED\x9F\xBF", 0xD7FF },    { "\xED\xA0\x80", 0 },       { "\xED\xBF\xBF", 0 },
        { "\xEE\x80\x80", 0xE000 },   { "\xEF\xBF\xBD", 0xFFFD },    { "\xEF\xBF\xBE", 0xFFFE },  { "\xEF\xBF\xBF", 0xFFFF },
        { "\xF0\x80\x80\x80", 0 },    { "\xF0\x8F\xBF\xBF", 0 },     { "\xF0\x90\x80\x80", 0x10000 }, { "\xF3\xBF\xBF\xBF", 0xFFFFF },
        { "\xF4\x80\x80\x80", 0x100000 }, { "\xF4\x8F\xBF\xBF", 0x10FFFF }, { "\xF4\x90\x80\x80", 0 }, { "\xF5\x80\x80\x80", 0 },
        { "\xF8\x88\x80\x80\x80", 0 }, { "\xFC\x84\x80\x80\x80\x80", 0 }, { "\xFE", 0 },           { "\xFF", 0 },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct bytes text = bytes_of(cases[i].text);
        uint32_t code = 0;
        unsigned length = utf8_decode((const unsigned char *)text.data, text.length, &code);
        EXPECT(code == cases[i].code && length == (code ? text.length : 0), "%s", shown(text));
    }
    assert_rows();
}

static void test_round_trip_of_all_scalar_values(void **state)
{
    (void)state;
    for (uint32_t code = 0; code <= 0x10FFFF; code++) {
        char out[UTF8_MAX_BYTES + 1] = { 0x55, 0x55, 0x55, 0x55, 0x55 };
        uint32_t back = 0;
        if (code == 0xD800)
            code = 0xE000;
        unsigned length = utf8_encode(code, out);
        unsigned expected = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        EXPECT(length == expected && out[length] == 0x55, "U+%04X", code);
        EXPECT(utf8_decode((const unsigned char *)out, length, &back) == length && back == code, "U+%04X", code);
    }
    assert_rows();
}

/* ---- texts that end too early ---- */

/* By trying: some continuation completes it. The extreme ones do, if any does. */
static bool reference_truncated(const unsigned char *at, size_t left)
{
    unsigned char bytes[4];
    uint32_t code;
    if (left == 0 || left > 3 || reference_decode(at, left, &code))
        return false;
    memcpy(bytes, at, left);
    for (unsigned n = 0; n < 8; n++)
        for (size_t length = left + 1; length <= 4; length++) {
            for (size_t i = left; i < length; i++)
                bytes[i] = n >> (i - left) & 1 ? 0xBF : 0x80;
            if (reference_decode(bytes, length, &code) == length)
                return true;
        }
    return false;
}

static void test_truncated_characters(void **state)
{
    static const unsigned char edges[] = { 0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xE0, 0xFF };
    (void)state;
    for (unsigned lead = 0; lead <= 0xFF; lead++)
        for (unsigned second = 0; second <= 0xFF; second++)
            for (size_t i = 0; i < COUNT(edges) * COUNT(edges); i++) {
                const unsigned char bytes[] = { (unsigned char)lead, (unsigned char)second, edges[i / COUNT(edges)], edges[i % COUNT(edges)] };
                for (size_t left = 1; left <= 4; left++) {
                    if ((left == 1 && second) || (left <= 2 && i >= COUNT(edges)) || (left <= 2 && i % COUNT(edges)))
                        continue; /* seen already */
                    EXPECT(utf8_truncated(bytes, left) == reference_truncated(bytes, left), "%s", shown((struct bytes){ (const char *)bytes, (uint32_t)left }));
                }
            }
    assert_rows();
}

/* ---- characters nobody should print ---- */

static void test_unsafe_characters(void **state)
{
    static const struct {
        uint32_t low, high; /* first and last of a run; the neighbours are safe */
    } runs[] = {
        { 0x00, 0x1F },     { 0x7F, 0x9F },     { 0xAD, 0xAD },     { 0x61C, 0x61C },   { 0x180E, 0x180E }, { 0x200B, 0x200F },
        { 0x2028, 0x202E }, { 0x2060, 0x206F }, { 0xFEFF, 0xFEFF }, { 0xFFF9, 0xFFFB }, { 0xE0000, 0xE01EF },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(runs); i++) {
        for (uint32_t code = runs[i].low; code <= runs[i].high; code++)
            EXPECT(utf8_unsafe(code), "U+%04X", code);
        EXPECT(runs[i].low == 0 || !utf8_unsafe(runs[i].low - 1), "before U+%04X", runs[i].low);
        EXPECT(!utf8_unsafe(runs[i].high + 1), "behind U+%04X", runs[i].high);
    }
    assert_rows();
}

/* The controls and bidirectional marks by their names in the Unicode standard: Cc, Bidi_Control, Zl, Zp, and the mark. */
static void test_every_control_and_mark_is_unsafe(void **state)
{
    static const uint32_t codes[] = { 0x00, 0x07, 0x08, 0x0A, 0x0D, 0x1B, 0x7F, 0x85, 0x9B, 0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202B,
                                      0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069, 0xFEFF };
    static const uint32_t fine[] = { ' ', 'a', '~', 0xA0, 0xE9, 0x2010, 0x2027, 0x202F, 0x205F, 0x20AC, 0x4F60, 0xFFFD, 0x1F600, 0x10FFFF };
    (void)state;
    for (size_t i = 0; i < COUNT(codes); i++)
        EXPECT(utf8_unsafe(codes[i]), "U+%04X", codes[i]);
    for (size_t i = 0; i < COUNT(fine); i++)
        EXPECT(!utf8_unsafe(fine[i]), "U+%04X", fine[i]);
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_no_character),
        cmocka_unit_test(test_sequences_of_up_to_three_bytes),
        cmocka_unit_test(test_sequences_of_four_bytes_at_their_boundaries),
        cmocka_unit_test(test_boundaries_of_the_standard),
        cmocka_unit_test(test_round_trip_of_all_scalar_values),
        cmocka_unit_test(test_truncated_characters),
        cmocka_unit_test(test_unsafe_characters),
        cmocka_unit_test(test_every_control_and_mark_is_unsafe),
    };
    return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
