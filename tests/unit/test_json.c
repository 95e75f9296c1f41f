/* The JSON reader's verdicts: JSONTestSuite in both profiles, every kind of mistake with its place, texts cut off at every
 * byte, and random damage. What the tree holds is in test_json_tree.c, the limits in test_json_limits.c. */
#include "json_unit.h"
#include "unit_arena.h"

/* Where `text` is refused, or -1. */
static int refused_at(enum json_profile profile, struct bytes text)
{
    arena_clear(&arena);
    struct reading got = read_copy(json_input_of(&arena, profile, text));
    return got.failure ? (int)got.error.offset : -1;
}

/* The same in the review profile when a schema skips the whole value. */
static int skipped_refused_at(struct bytes text)
{
    arena_clear(&arena);
    struct json_input input = json_input_of(&arena, JSON_REVIEW, text);
    input.state = doc_skip;
    struct reading got = read_copy(input);
    return got.failure ? (int)got.error.offset : -1;
}

/* ---- JSONTestSuite ---- */

struct suite_case {
    const char *name;
    int strict, review; /* refused there; -1: accepted */
    struct bytes text;
};

static const struct suite_case suite[] = {
#include "json_suite.h"
};

static bool named(const char *name, const char *start)
{
    return strncmp(name, start, strlen(start)) == 0;
}

/* The letter before each name, and the two files that rule 4 refuses although they are good JSON. */
static void test_suite_classes(void **state)
{
    unsigned good = 0, bad = 0, open = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(suite); i++) {
        const struct suite_case *now = &suite[i];
        int strict = refused_at(JSON_STRICT, now->text), review = refused_at(JSON_REVIEW, now->text);
        good += named(now->name, "y_");
        bad += named(now->name, "n_");
        open += named(now->name, "i_");
        if (named(now->name, "y_object_duplicated_key"))
            EXPECT(strict == 9 && review == -1, "%s: %d, %d", now->name, strict, review);
        else if (named(now->name, "y_"))
            EXPECT(strict == -1 && review == -1, "%s: %d, %d", now->name, strict, review);
        else if (named(now->name, "n_"))
            EXPECT(strict >= 0 && review >= 0, "%s: %d, %d", now->name, strict, review);
    }
    assert_int_equal(good, 95);
    assert_int_equal(bad, 188 - 2); /* two are built below */
    assert_int_equal(open, 35);
    assert_rows();
}

static void test_suite_offsets_strict(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(suite); i++) {
        int offset = refused_at(JSON_STRICT, suite[i].text);
        EXPECT(offset == suite[i].strict, "%s: at %d instead of %d", suite[i].name, offset, suite[i].strict);
    }
    assert_rows();
}

static void test_suite_offsets_review(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(suite); i++) {
        int offset = refused_at(JSON_REVIEW, suite[i].text);
        EXPECT(offset == suite[i].review, "%s: at %d instead of %d", suite[i].name, offset, suite[i].review);
    }
    assert_rows();
}

/* A skipped value has the same grammar as one that is read; only its depth is another matter. */
static void test_suite_offsets_skipped(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(suite); i++) {
        int offset = skipped_refused_at(suite[i].text), expected = named(suite[i].name, "i_structure_500") ? -1 : suite[i].review;
        EXPECT(offset == expected, "%s: at %d instead of %d", suite[i].name, offset, expected);
    }
    assert_rows();
}

/* n_structure_100000_opening_arrays and n_structure_open_array_object. */
static void test_suite_files_that_are_large(void **state)
{
    struct bytes brackets = repeated("[", 100000, ""), mixed = repeated("[{\"\":", 50000, "\n");
    (void)state;
    for (enum json_profile profile = JSON_STRICT; profile <= JSON_REVIEW; profile++) {
        assert_int_equal(refused_at(profile, brackets), 64);
        assert_int_equal(refused_at(profile, mixed), 160);
    }
    assert_int_equal(skipped_refused_at(brackets), 10000);
    assert_int_equal(skipped_refused_at(mixed), 10000 / 2 * 5);
    free_copy(brackets);
    free_copy(mixed);
    assert_rows();
}

/* ---- more texts ---- */

struct verdict_case {
    struct bytes text;
    int strict, review; /* refused there; -1: accepted */
};

static void check_verdicts(const struct verdict_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int strict = refused_at(JSON_STRICT, cases[i].text), review = refused_at(JSON_REVIEW, cases[i].text), skipped = skipped_refused_at(cases[i].text);
        EXPECT(strict == cases[i].strict, "%s: strict at %d", shown(cases[i].text), strict);
        EXPECT(review == cases[i].review, "%s: review at %d", shown(cases[i].text), review);
        EXPECT(skipped == cases[i].review, "%s: skipped at %d", shown(cases[i].text), skipped);
    }
    assert_rows();
}

static void test_repeated_names(void **state)
{
    static const struct verdict_case cases[] = {
        { BYTES("{\"a\":1,\"a\":2}"), 7, -1 },
        { BYTES("{\"a\":1,\"\\u0061\":2}"), 7, -1 },
        { BYTES("{\"a\":1,\"a\":2,}"), 7, 13 },
        { BYTES("{\"a\":1,\"a\":2"), 7, 12 },
        { BYTES("{\"a\":1,\"a\":{\"b\":1,\"b\":]"), 7, 22 },
        { BYTES("{\"a\":1,\"b\":{\"b\":1,\"b\":]"), 18, 22 },
        { BYTES("{\"a\":1,\"a\""), 7, 10 },
        { BYTES("{\"\\u0061\":1,\"a\":2}"), 12, -1 },
        { BYTES("{\"\\/\":1,\"/\":2}"), 8, -1 },
        { BYTES("{\"\":1,\"\":2}"), 6, -1 },
        { BYTES("{\"a\":1,\"A\":2}"), -1, -1 },
        { BYTES("{\"\\u00e9\":1,\"e\\u0301\":2}"), -1, -1 }, /* two normal forms */
        { BYTES("{\"\\u00e9\":1,\"\xC3\xA9\":2}"), 12, -1 },
        { BYTES("{\"\\ud83d\\ude00\":1,\"\xF0\x9F\x98\x80\":2}"), 18, -1 },
        { BYTES("{\"a\":{\"b\":1},\"c\":{\"b\":2,\"b\":3}}"), 24, -1 },
        { BYTES("{\"a\":{\"a\":{\"a\":1}},\"b\":[{\"a\":1},{\"a\":1}]}"), -1, -1 },
        { BYTES("[{\"a\":1,\"b\":1,\"c\":1,\"b\":1}]"), 20, -1 },
        { BYTES("{\"a\":{\"a\":1},\"a\":{}}"), 13, -1 },
        { BYTES("{\"a\\u0000\":1,\"a\":2,\"a\\u0000b\":3}"), -1, -1 },
        { BYTES("{\"a\\u0000\":1,\"a\":2,\"a\\u0000\":3}"), 19, -1 },
    };
    (void)state;
    check_verdicts(cases, COUNT(cases));
}

static void test_surrogates(void **state)
{
    static const struct verdict_case cases[] = {
        { BYTES("[\"\\ud800\"]"), 2, -1 },
        { BYTES("[\"\\udc00\\ud800\"]"), 2, -1 },
        { BYTES("[\"\\ud800\\u0041\"]"), 2, -1 },
        { BYTES("[\"\\ud83d\\ude00\"]"), -1, -1 },
        { BYTES("[\"\\uD800\\uDC00\\uDBFF\\uDFFF\"]"), -1, -1 },
        { BYTES("[\"\\ud7ff\\ue000\"]"), -1, -1 },
        { BYTES("[\"\\udbff\"]"), 2, -1 },
        { BYTES("[\"\\udfff\"]"), 2, -1 },
        { BYTES("[\"ab\\udc00\"]"), 4, -1 },
        { BYTES("[\"\\ud800\\ud800\\udc00\"]"), 2, -1 },
        { BYTES("[\"\\ud800\\udc00\\ud800\"]"), 14, -1 },
        { BYTES("[\"\\ud800\\udc00\\udc00\"]"), 14, -1 },
        { BYTES("[\"\\ud800\xF0\x9F\x98\x80\"]"), 2, -1 },
        { BYTES("[\"\\ud800\\\\udc00\"]"), 2, -1 },
        { BYTES("[\"\\ud800 \\udc00\"]"), 2, -1 },
        { BYTES("{\"\\ud800\":1}"), 2, -1 },
        { BYTES("{\"\\ud800\":1,\"\\udc00\":1}"), 2, -1 },
        { BYTES("[\"\\\\ud800\"]"), -1, -1 }, /* no escape of a character */
        { BYTES("[\"\\ud800\\x\"]"), 2, 9 },
        { BYTES("[\"\\ud800\\udc0g\"]"), 13, 13 },
        { BYTES("[\"\\ud80"), 7, 7 },
        { BYTES("[\"\\ud800"), 8, 8 },
        { BYTES("[\"\\ud800\\"), 9, 9 },
        { BYTES("[\"\\ud800\\u"), 10, 10 },
        { BYTES("[\"\\ud800\\udc0"), 13, 13 },
        { BYTES("[\"\\ud800\\udc00"), 14, 14 },
        { BYTES("[\"\\udc00"), 2, 8 },
    };
    (void)state;
    check_verdicts(cases, COUNT(cases));
}

static void test_bytes_that_are_not_utf8(void **state)
{
    static const struct verdict_case cases[] = {
        { BYTES("[\"\xC0\x80\"]"), 2, -1 },
        { BYTES("[\"\xED\xA0\x80\"]"), 2, -1 },
        { BYTES("[\"\xF4\x90\x80\x80\"]"), 2, -1 },
        { BYTES("[\"a\xFF\"]"), 3, -1 },
        { BYTES("[\"\xEF\xBF\xBF\xF4\x8F\xBF\xBF\"]"), -1, -1 },
        { BYTES("[\"\xC3\xA4\x80\"]"), 4, -1 },
        { BYTES("[\"0123456789\xE2\x82(\"]"), 12, -1 },
        { BYTES("[\"\xF0\x9F\x98\"]"), 2, -1 },
        { BYTES("{\"\xFF\":1}"), 2, -1 },
        { BYTES("[\"\xC3"), 3, 3 }, /* cut off, not wrong */
        { BYTES("[\"\xE2\x82"), 4, 4 },
        { BYTES("[\"\xF0\x9F\x98"), 5, 5 },
        { BYTES("[\"\xE2\xC0"), 2, 4 },
        { BYTES("[\"\xF5"), 2, 3 },
        { BYTES("\xEF\xBB\xBF{}"), 0, 0 },
        { BYTES("[\xC3\xA4]"), 1, 1 },
        { BYTES("[]\xFF"), 2, 2 },
    };
    (void)state;
    check_verdicts(cases, COUNT(cases));
}

static void test_characters_in_strings(void **state)
{
    (void)state;
    for (unsigned byte = 0; byte < 0x100; byte++) {
        const char plain[] = { '[', '"', 'a', (char)byte, '"', ']' }, escape[] = { '"', '\\', (char)byte, '"' };
        bool ends = byte == '"' || byte == '\\', control = byte < 0x20;
        int offset = refused_at(JSON_STRICT, (struct bytes){ plain, sizeof plain });
        EXPECT(offset == (control || byte >= 0x80 ? 3 : byte == '"' ? 4 : ends ? 6 : -1), "byte %02x: at %d", byte, offset);
        offset = refused_at(JSON_REVIEW, (struct bytes){ plain, sizeof plain });
        EXPECT(offset == (control ? 3 : byte == '"' ? 4 : ends ? 6 : -1), "byte %02x: at %d", byte, offset);
        EXPECT(offset == skipped_refused_at((struct bytes){ plain, sizeof plain }), "byte %02x", byte);
        bool letter = byte && strchr("\"\\/bfnrt", (int)byte);
        offset = refused_at(JSON_STRICT, (struct bytes){ escape, sizeof escape });
        EXPECT(offset == (letter ? -1 : byte == 'u' ? 3 : 2), "escape %02x: at %d", byte, offset);
        EXPECT(offset == skipped_refused_at((struct bytes){ escape, sizeof escape }), "escape %02x", byte);
    }
    assert_rows();
}

/* The fast scan looks at eight bytes at a time: a stop at every place of strings of every short length. */
static void test_a_mistake_at_every_place_of_a_string(void **state)
{
    static const char stops[] = { '\0', '\x01', '\x1F', '\n' };
    (void)state;
    for (uint32_t length = 1; length <= 40; length++)
        for (uint32_t at = 0; at < length; at++)
            for (size_t i = 0; i < COUNT(stops); i++) {
                char text[64];
                memset(text, 0x7E - (int)(at % 3), sizeof text);
                text[0] = text[length + 1] = '"';
                text[at + 1] = stops[i];
                const struct bytes bytes = { text, length + 2 };
                EXPECT(refused_at(JSON_STRICT, bytes) == (int)at + 1, "%s", shown(bytes));
                EXPECT(skipped_refused_at(bytes) == (int)at + 1, "%s", shown(bytes));
            }
    assert_rows();
}

/* ---- mistakes and what is said about them ---- */

static void test_mistakes_are_named(void **state)
{
    static const struct {
        const char *text, *message;
        uint32_t offset;
        bool truncated;
    } cases[] = {
        { "", "the text ends too early", 0, true },
        { " \t\r\n", "the text ends too early", 4, true },
        { "{", "the text ends too early", 1, true },
        { "[1", "the text ends too early", 2, true },
        { "[1,", "the text ends too early", 3, true },
        { "{\"a\"", "the text ends too early", 4, true },
        { "tru", "the text ends too early", 3, true },
        { "-", "the text ends too early", 1, true },
        { "1e", "the text ends too early", 2, true },
        { "{}{", "only one value is allowed here", 2, false },
        { "[] x", "only one value is allowed here", 3, false },
        { "01", "only one value is allowed here", 1, false },
        { "]", "a value is missing", 0, false },
        { "[,", "a value is missing", 1, false },
        { "+1", "a value is missing", 0, false },
        { ".5", "a value is missing", 0, false },
        { "{\"a\":}", "a value is missing", 5, false },
        { "[1 2]", "a comma or ] is missing", 3, false },
        { "[1}", "a comma or ] is missing", 2, false },
        { "{\"a\":1 \"b\"", "a comma or } is missing", 7, false },
        { "{\"a\":1]", "a comma or } is missing", 6, false },
        { "{a", "a member name in double quotes is missing", 1, false },
        { "{\"a\":1,}", "a member name in double quotes is missing", 7, false },
        { "{1:2}", "a member name in double quotes is missing", 1, false },
        { "{\"a\" 1}", "a colon is missing", 5, false },
        { "{\"a\",", "a colon is missing", 4, false },
        { "nul!", "a value must be an object, array, string, number, true, false or null", 3, false },
        { "True", "a value is missing", 0, false },
        { "falsE", "a value must be an object, array, string, number, true, false or null", 4, false },
        { "-a", "a digit is missing", 1, false },
        { "1.", "the text ends too early", 2, true },
        { "1.e1", "a digit is missing", 2, false },
        { "1e+ ", "a digit is missing", 3, false },
        { "\"a\nb\"", "control characters must be escaped in a string", 2, false },
        { "\"\\q\"", "unknown escape in a string", 2, false },
        { "\"\\u12G4\"", "\\u needs four hexadecimal digits", 5, false },
        { "\"\\udead\"", "half of a surrogate pair", 1, false },
        { "\"\xFF\"", "not UTF-8", 1, false },
        { "{\"a\":1,\"a\":2}", "repeated member name", 7, false },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        arena_clear(&arena);
        struct reading got = read_copy(json_input_of(&arena, JSON_STRICT, bytes_of(cases[i].text)));
        EXPECT(got.failure == FAILURE_SYNTAX, "%s", cases[i].text);
        EXPECT(got.error.offset == cases[i].offset && got.error.truncated == cases[i].truncated, "%s: at %u", cases[i].text, got.error.offset);
        EXPECT(got.error.message && strcmp(got.error.message, cases[i].message) == 0, "%s: %s", cases[i].text, got.error.message);
    }
    assert_rows();
}

static void test_a_null_pointer_is_an_empty_text(void **state)
{
    const struct json_input input = json_input_of(&arena, JSON_STRICT, (struct bytes){ NULL, 0 });
    (void)state;
    struct reading got = read_json(&input);
    assert_int_equal(got.failure, FAILURE_SYNTAX);
    assert_int_equal(got.error.offset, 0);
    assert_true(got.error.truncated);
    assert_rows();
}

/* ---- texts that end too early ---- */

static const char *const good_texts[] = {
    "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[{\"a\":[1,-2.5e+10,0.125],\"b\":{\"c\":null}},true,false]}",
    " [ \"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\ud83d\\ude00z\" , \"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\" ] ",
    "{\"\":{},\"a\":[[],[[]],{\"b\":[{}]}],\"c\\u0064\":\"\",\"long name without an escape\":\"long value without an escape\"}",
    "[-0,0,-0.0e-0,1E5,123456789012345678901234567890,\"\\uD834\\uDD1E\",\"0123456789abcdef\\n0123456789abcdef\"]",
    "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"j\":1,\"k\":{\"a\":1}}",
    "\"plain\\u0000and\xE2\x82\xAC more\"",
};

static void check_cut(enum json_profile profile, const void *schema_state, struct bytes text)
{
    arena_clear(&arena);
    struct json_input input = json_input_of(&arena, profile, text);
    input.state = schema_state;
    struct reading got = read_copy(input);
    EXPECT(got.failure == FAILURE_SYNTAX && got.error.truncated && got.error.offset == text.length, "%s: at %u", shown(text), got.error.offset);
}

static void check_every_cut(struct bytes text)
{
    while (text.length && strchr(" \t\r\n", text.data[text.length - 1]))
        text.length--;
    while (text.length--) {
        check_cut(JSON_STRICT, NULL, text);
        check_cut(JSON_REVIEW, NULL, text);
        check_cut(JSON_REVIEW, doc_skip, text);
    }
}

static void test_good_texts_cut_at_every_byte(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(good_texts); i++) {
        EXPECT(refused_at(JSON_STRICT, bytes_of(good_texts[i])) == -1, "%s", good_texts[i]);
        check_every_cut(bytes_of(good_texts[i]));
    }
    assert_rows();
}

/* The same for the suite's good texts; the start of a bare number is a number, and a repeated name is reported elsewhere. */
static void test_suite_texts_cut_at_every_byte(void **state)
{
    unsigned cut = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(suite); i++) {
        const char *first = suite[i].text.data + strspn(suite[i].text.data, " \t\r\n");
        if (suite[i].strict != -1 || *first == '-' || (*first >= '0' && *first <= '9'))
            continue;
        check_every_cut(suite[i].text);
        cut++;
    }
    assert_in_range(cut, 95, 110);
    assert_rows();
}

/* ---- damage ---- */

static uint32_t damage(uint64_t *chance, char *text, uint32_t length, uint32_t room)
{
    static const char favourites[] = "{}[]\",:\\u0d8cC-+.eEtfn \n\x00\x1F\x7F\x80\xC3\xE2\xED\xF4\xFF";
    uint32_t at = (uint32_t)(next_random(chance) % (length + 1)), other = (uint32_t)(next_random(chance) % (length + 1));
    char byte = favourites[next_random(chance) % sizeof favourites];
    switch (next_random(chance) % 5) {
    case 0: /* insert */
        if (length == room)
            return length;
        memmove(text + at + 1, text + at, length - at);
        text[at] = byte;
        return length + 1;
    case 1: /* drop */
        if (at == length)
            return length;
        memmove(text + at, text + at + 1, length - at - 1);
        return length - 1;
    case 2: /* cut */
        return at;
    case 3: /* copy a piece over another */
        memmove(text + (at < other ? at : other), text + (at < other ? other : at), (length - (at < other ? other : at)) / 2);
        return length;
    default: /* overwrite */
        if (at < length)
            text[at] = next_random(chance) % 4 ? byte : (char)next_random(chance);
        return length;
    }
}

/* Nothing crashes, every failure is within the text, every tree keeps its promises; the three ways of reading agree. */
static void test_random_damage(void **state)
{
    uint64_t chance = 0x9E3779B97F4A7C15;
    unsigned accepted = 0, rounds = 500000 / slowness();
    (void)state;
    for (unsigned round = 0; round < rounds; round++) {
        const char *good = good_texts[round % COUNT(good_texts)];
        char text[160];
        uint32_t length = (uint32_t)strlen(good);
        assert_in_range(length, 1, sizeof text - 8);
        memcpy(text, good, length);
        for (uint64_t n = next_random(&chance) % 4 + 1; n; n--)
            length = damage(&chance, text, length, sizeof text);
        const struct bytes bytes = { text, length };
        int strict = refused_at(JSON_STRICT, bytes), review = refused_at(JSON_REVIEW, bytes), skipped = skipped_refused_at(bytes);
        EXPECT(review == skipped, "%s: review at %d, skipped at %d", shown(bytes), review, skipped);
        EXPECT(review == -1 ? strict <= (int)length : strict != -1, "%s: strict at %d, review at %d", shown(bytes), strict, review);
        accepted += strict == -1;
    }
    assert_in_range(accepted, rounds / 100, rounds / 2);
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_suite_classes),
        cmocka_unit_test(test_suite_offsets_strict),
        cmocka_unit_test(test_suite_offsets_review),
        cmocka_unit_test(test_suite_offsets_skipped),
        cmocka_unit_test(test_suite_files_that_are_large),
        cmocka_unit_test(test_repeated_names),
        cmocka_unit_test(test_surrogates),
        cmocka_unit_test(test_bytes_that_are_not_utf8),
        cmocka_unit_test(test_characters_in_strings),
        cmocka_unit_test(test_a_mistake_at_every_place_of_a_string),
        cmocka_unit_test(test_mistakes_are_named),
        cmocka_unit_test(test_a_null_pointer_is_an_empty_text),
        cmocka_unit_test(test_good_texts_cut_at_every_byte),
        cmocka_unit_test(test_suite_texts_cut_at_every_byte),
        cmocka_unit_test(test_random_damage),
    };
    return cmocka_run_group_tests_name("json", tests, start_arena, end_arena);
}
