/* The trees that the JSON reader makes: offsets, sizes, names, texts, counts, repeated names, what a schema knows and skips,
 * several values in one buffer. Trees are compared as text. */
#include "json_unit.h"
#include "unit_arena.h"

#include "base/text.h"
#include "base/utf8.h"

/* ---- trees as text ---- */

/* name@name_offset:type offset+size, then the text in quotes or the children in brackets, with their count; ! behind what was
 * escaped, .field behind what has one. */
static void write_node(struct text *text, const struct doc_node *node, bool member)
{
    static const char *const types[] = { "null", "false", "true", "number", "string", "array", "object", "skipped" };
    if (member) {
        text_add_quoted(text, doc_name(node), 1000);
        text_add(text, "@");
        text_add_integer(text, node->name_offset);
        text_add(text, ":");
    }
    text_add(text, types[node->type]);
    text_add(text, " ");
    text_add_integer(text, node->offset);
    text_add(text, "+");
    text_add_integer(text, node->size);
    if (node->field != DOC_NO_FIELD) {
        text_add(text, " .");
        text_add_integer(text, node->field);
    }
    if (node->type == DOC_STRING || node->type == DOC_NUMBER) {
        text_add(text, " ");
        text_add_quoted(text, doc_text(node), 1000);
        text_add(text, node->flags & DOC_ESCAPED ? "!" : "");
    } else if (node->type == DOC_ARRAY || node->type == DOC_OBJECT) {
        text_add(text, " ");
        text_add_integer(text, node->count);
        text_add(text, "[");
        doc_each(node, child) {
            text_add(text, child == node->first ? "" : ", ");
            write_node(text, child, node->type == DOC_OBJECT);
        }
        text_add(text, "]");
    }
}

static const char *tree_text(const struct reading *got)
{
    struct text text;
    text_init(&text, &arena);
    if (got->failure) {
        text_add(&text, got->error.message);
        text_add(&text, " at ");
        text_add_integer(&text, got->error.offset);
    } else {
        write_node(&text, got->document.root, false);
        text_add(&text, got->document.has_duplicates ? " repeats" : "");
    }
    return text_end(&text);
}

struct tree_case {
    struct bytes text;
    const char *tree;
};

static void check_tree(const struct json_input *input, const char *expected)
{
    struct reading got = read_json(input);
    const char *tree = tree_text(&got);
    EXPECT(strcmp(tree, expected) == 0, "%s:\n    got      %s\n    expected %s", shown(input->source), tree, expected);
    arena_clear(&arena);
}

static void check_trees(enum json_profile profile, const struct tree_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct json_input input = json_input_of(&arena, profile, cases[i].text);
        check_tree(&input, cases[i].tree);
    }
    assert_rows();
}

/* ---- places and counts ---- */

static void test_offsets_sizes_and_counts(void **state)
{
    static const struct tree_case cases[] = {
        { BYTES("null"), "null 0+4" },
        { BYTES(" true "), "true 1+4" },
        { BYTES("\r\n\tfalse"), "false 3+5" },
        { BYTES("[]"), "array 0+2 0[]" },
        { BYTES("{ }"), "object 0+3 0[]" },
        { BYTES(" [ ] "), "array 1+3 0[]" },
        { BYTES("[1, 2 ,3 ]"), "array 0+10 3[number 1+1 \"1\", number 4+1 \"2\", number 7+1 \"3\"]" },
        { BYTES("[[],[[]],{}]"), "array 0+12 3[array 1+2 0[], array 4+4 1[array 5+2 0[]], object 9+2 0[]]" },
        { BYTES("{\"a\":1}"), "object 0+7 1[\"a\"@1:number 5+1 \"1\"]" },
        { BYTES("{ \"a\" : null , \"bc\" : [ true ] }"), "object 0+32 2[\"a\"@2:null 8+4, \"bc\"@15:array 22+8 1[true 24+4]]" },
        { BYTES("{\"a\":{\"b\":{\"c\":\"d\"}}}"), "object 0+21 1[\"a\"@1:object 5+15 1[\"b\"@6:object 10+9 1[\"c\"@11:string 15+3 \"d\"]]]" },
        { BYTES("[{\"x\":{},\"y\":[]},\"\"]"), "array 0+20 2[object 1+15 2[\"x\"@2:object 6+2 0[], \"y\"@9:array 13+2 0[]], string 17+2 \"\"]" },
    };
    (void)state;
    check_trees(JSON_STRICT, cases, COUNT(cases));
    check_trees(JSON_REVIEW, cases, COUNT(cases));
}

static void test_numbers_keep_their_tokens(void **state)
{
    static const char *const tokens[] = { "0", "-0", "1", "-1", "1.0", "1.50", "1e3", "1E+3", "1e-3", "-0.0e-00", "9223372036854775807", "-9223372036854775808",
                                          "9223372036854775808", "123456789012345678901234567890.123456789012345678901234567890e1234567890", "1e999999999999" };
    (void)state;
    for (size_t i = 0; i < COUNT(tokens); i++) {
        char text[128], tree[256];
        int length = snprintf(text, sizeof text, "[%s]", tokens[i]), size = length - 2;
        snprintf(tree, sizeof tree, "array 0+%d 1[number 1+%d \"%s\"]", length, size, tokens[i]);
        const struct json_input inside = json_input_of(&arena, JSON_STRICT, bytes_of(text)), alone = json_input_of(&arena, JSON_REVIEW, bytes_of(tokens[i]));
        check_tree(&inside, tree);
        snprintf(tree, sizeof tree, "number 0+%d \"%s\"", size, tokens[i]);
        check_tree(&alone, tree);
    }
    assert_rows();
}

/* From the suite's README: what becomes of number tokens in an integer field. */
static void test_number_tokens_as_integers(void **state)
{
    static const struct {
        const char *token;
        bool good;
        int64_t value;
    } cases[] = {
        { "9223372036854775807", true, INT64_MAX }, { "9223372036854775808", false, 0 }, { "-9223372036854775808", true, INT64_MIN },
        { "-9223372036854775809", false, 0 },       { "9007199254740993", true, 9007199254740993 }, { "1.5", false, 0 }, { "1e-1", false, 0 },
        { "-0", true, 0 }, { "123e-10000000", false, 0 }, { "100000000000000000000", false, 0 }, { "-123123123123123123123123123123", false, 0 },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t value = 0;
        const struct json_input input = json_input_of(&arena, JSON_STRICT, bytes_of(cases[i].token));
        struct reading got = read_json(&input);
        assert_int_equal(got.failure, FAILURE_NONE);
        EXPECT(doc_integer(got.document.root, INT64_MIN, INT64_MAX, &value) == cases[i].good && value == cases[i].value, "%s", cases[i].token);
        arena_clear(&arena);
    }
    assert_rows();
}

/* ---- strings ---- */

static void test_escapes(void **state)
{
    static const struct tree_case cases[] = {
        { BYTES("\"\\\"\\\\\\/\""), "string 0+8 \"\\\"\\\\/\"!" },
        { BYTES("\"\\b\\f\\n\\r\\t\""), "string 0+12 \"\\u0008\\u000c\\n\\u000d\\t\"!" },
        { BYTES("\"\\u0041\\u00e9\\u20AC\""), "string 0+20 \"A\xC3\xA9\xE2\x82\xAC\"!" },
        { BYTES("\"\\ud83d\\ude00\""), "string 0+14 \"\xF0\x9F\x98\x80\"!" },
        { BYTES("\"\\uD800\\uDC00\\uDBFF\\uDFFF\""), "string 0+26 \"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\"!" },
        { BYTES("\"\\ufffe\\uFFFF\""), "string 0+14 \"\xEF\xBF\xBE\xEF\xBF\xBF\"!" },
        { BYTES("\"\\u0000\""), "string 0+8 \"\\u0000\"!" },
        { BYTES("\"x\\u0000y\""), "string 0+10 \"x\\u0000y\"!" },
        { BYTES("\"\\u0022\\u005c\""), "string 0+14 \"\\\"\\\\\"!" },
        { BYTES("\"plain\""), "string 0+7 \"plain\"" },
        { BYTES("\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\x7F\""), "string 0+12 \"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\\u007f\"" }, /* plain, if not ASCII */
        { BYTES("{\"a\\u0000b\":1,\"\\n\":2}"), "object 0+21 2[\"a\\u0000b\"@1:number 12+1 \"1\", \"\\n\"@14:number 19+1 \"2\"]" },
    };
    (void)state;
    check_trees(JSON_STRICT, cases, COUNT(cases));
    check_trees(JSON_REVIEW, cases, COUNT(cases));
}

/* Plain characters in any number before, between and behind escapes: what one turn of the scan leaves off, the next one takes. */
static void test_plain_text_around_escapes(void **state)
{
    static const struct {
        const char *source, *text;
    } hard[] = { { "\\n", "\n" }, { "\\u0041", "A" }, { "\xC3\xA9", "\xC3\xA9" }, { "\\ud83d\\ude00", "\xF0\x9F\x98\x80" }, { "\\u00e9", "\xC3\xA9" }, { "\\\\",
    "\\" } };
    (void)state;
    for (unsigned n = 0; n < 20 * 20 * COUNT(hard) * COUNT(hard); n++) {
        char source[128], text[128];
        const char *first = &"abcdefghijklmnopqrs"[n % 20], *second = &"ABCDEFGHIJKLMNOPQRS"[n / 20 % 20];
        size_t i = n / 400 % COUNT(hard), j = n / 400 / COUNT(hard);
        snprintf(source, sizeof source, "\"%s%s%s%s%s\"", first, hard[i].source, second, hard[j].source, first);
        snprintf(text, sizeof text, "%s%s%s%s%s", first, hard[i].text, second, hard[j].text, first);
        const struct json_input input = json_input_of(&arena, JSON_STRICT, bytes_of(source));
        struct reading got = read_json(&input);
        EXPECT(got.failure == FAILURE_NONE && bytes_equal_text(doc_text(got.document.root), text), "%s", source);
        bool escaped = strcmp(hard[i].source, hard[i].text) != 0 || strcmp(hard[j].source, hard[j].text) != 0;
        EXPECT((got.document.root->flags & DOC_ESCAPED) == escaped, "%s", source);
        arena_clear(&arena);
    }
    assert_rows();
}

static void test_every_escape_of_four_digits(void **state)
{
    (void)state;
    for (uint32_t unit = 0; unit < 0x10000; unit++) {
        char source[16], text[4];
        bool surrogate = unit >= 0xD800 && unit < 0xE000;
        snprintf(source, sizeof source, unit % 2 ? "\"\\u%04x\"" : "\"\\u%04X\"", unit);
        const struct json_input input = json_input_of(&arena, JSON_REVIEW, bytes_of(source));
        struct reading got = read_json(&input);
        const struct bytes expected = { text, utf8_encode(surrogate ? 0xFFFD : unit, text) };
        EXPECT(got.failure == FAILURE_NONE && bytes_equal(doc_text(got.document.root), expected), "%s", source);
        arena_clear(&arena);
    }
    assert_rows();
}

static void test_every_surrogate_pair(void **state)
{
    (void)state;
    for (uint32_t code = 0x10000; code <= 0x10FFFF; code += code % 0x400 < 2 || code % 0x400 > 0x3FC ? 1 : 0x7F) {
        char source[20], text[4];
        snprintf(source, sizeof source, "\"\\u%04x\\u%04X\"", 0xD800 + ((code - 0x10000) >> 10), 0xDC00 + (code & 0x3FF));
        const struct json_input input = json_input_of(&arena, JSON_STRICT, bytes_of(source));
        struct reading got = read_json(&input);
        const struct bytes expected = { text, utf8_encode(code, text) };
        EXPECT(got.failure == FAILURE_NONE && bytes_equal(doc_text(got.document.root), expected), "%s", source);
        arena_clear(&arena);
    }
    assert_rows();
}

/* The review profile puts U+FFFD in the place of each lone surrogate and each bad byte, as the API server does. */
static void test_replacement_in_the_review_profile(void **state)
{
    static const struct tree_case cases[] = {
        { BYTES("\"\\ud800\""), "string 0+8 \"" UTF8_REPLACEMENT "\"!" },
        { BYTES("\"a\\udc00b\""), "string 0+10 \"a" UTF8_REPLACEMENT "b\"!" },
        { BYTES("\"\\ud800\\u0041\""), "string 0+14 \"" UTF8_REPLACEMENT "A\"!" },
        { BYTES("\"\\ud800\\ud83d\\ude00\""), "string 0+20 \"" UTF8_REPLACEMENT "\xF0\x9F\x98\x80\"!" },
        { BYTES("\"\\udc00\\ud800\""), "string 0+14 \"" UTF8_REPLACEMENT UTF8_REPLACEMENT "\"!" },
        { BYTES("\"\\ud800\\n\""), "string 0+10 \"" UTF8_REPLACEMENT "\\n\"!" },
        { BYTES("\"\xFF\""), "string 0+3 \"" UTF8_REPLACEMENT "\"!" },
        { BYTES("\"a\xC0\x80z\""), "string 0+6 \"a" UTF8_REPLACEMENT UTF8_REPLACEMENT "z\"!" },
        { BYTES("\"\xED\xA0\x80\""), "string 0+5 \"" UTF8_REPLACEMENT UTF8_REPLACEMENT UTF8_REPLACEMENT "\"!" },
        { BYTES("\"\xF0\x9F\x98\""), "string 0+5 \"" UTF8_REPLACEMENT UTF8_REPLACEMENT UTF8_REPLACEMENT "\"!" },
        { BYTES("\"\xE2\x82\xC3\xA9\""), "string 0+6 \"" UTF8_REPLACEMENT UTF8_REPLACEMENT "\xC3\xA9\"!" },
        { BYTES("{\"\xFF\":1}"), "object 0+7 1[\"" UTF8_REPLACEMENT "\"@1:number 5+1 \"1\"]" },
        { BYTES("{\"\\ud800\":1,\"\xFF\":2}"),
          "object 0+18 2[\"" UTF8_REPLACEMENT "\"@1:number 10+1 \"1\", \"" UTF8_REPLACEMENT "\"@12:number 16+1 \"2\"] repeats" },
    };
    (void)state;
    check_trees(JSON_REVIEW, cases, COUNT(cases));
}

/* Three times the source, which is the most that replacing can make of a text. */
static void test_a_long_string_of_bad_bytes(void **state)
{
    enum { LENGTH = 1 << 20 };
    struct bytes source = repeated("\xFF", LENGTH + 2, "");
    char *bytes = malloc(source.length);
    (void)state;
    assert_non_null(bytes);
    memcpy(bytes, source.data, source.length);
    bytes[0] = bytes[LENGTH + 1] = '"';
    const struct json_input input = json_input_of(&arena, JSON_REVIEW, (struct bytes){ bytes, source.length });
    struct reading got = read_json(&input);
    assert_int_equal(got.failure, FAILURE_NONE);
    assert_int_equal(got.document.root->count, 3 * LENGTH);
    for (uint32_t i = 0; i < 3 * LENGTH; i += 3)
        assert_memory_equal(got.document.root->text + i, UTF8_REPLACEMENT, 3);
    arena_clear(&arena);
    free(bytes);
    free_copy(source);
    assert_rows();
}

/* ---- repeated names ---- */

/* {"n0":0,"n1":0,…} with `count` members; the name of number `twin` is that of number `first`, in another spelling. */
static struct bytes object_with_twin(unsigned count, unsigned first, unsigned twin, uint32_t *offset)
{
    static char text[1 << 16];
    uint32_t at = 1;
    text[0] = '{';
    for (unsigned i = 0; i < count; i++) {
        if (i == twin)
            *offset = at;
        at += (uint32_t)snprintf(text + at, sizeof text - at, i == twin ? "\"\\u006e%u\":0," : "\"n%u\":0,", i == twin ? first : i);
    }
    text[at - 1] = '}';
    return (struct bytes){ text, at };
}

/* Where names may be the same, up to eight are compared with each other and more go through a set; every pair of places on both sides of that. */
static void test_repeated_name_at_every_place(void **state)
{
    (void)state;
    for (unsigned count = 2; count <= 20; count++) {
        for (unsigned pair = 0; pair < count * count; pair++) {
            unsigned first = pair % count, twin = pair / count;
            uint32_t offset = NO_OFFSET;
            struct bytes text = object_with_twin(count, first < twin ? first : count, twin, &offset);
            bool repeats = first < twin;
            const struct json_input strict = json_input_of(&arena, JSON_STRICT, text), review = json_input_of(&arena, JSON_REVIEW, text);
            struct reading got = read_json(&strict);
            EXPECT(got.failure == (repeats ? FAILURE_SYNTAX : FAILURE_NONE), "%u and %u of %u", first, twin, count);
            EXPECT(!repeats || got.error.offset == offset, "%u and %u of %u: at %u", first, twin, count, got.error.offset);
            got = read_json(&review);
            EXPECT(got.failure == FAILURE_NONE && got.document.has_duplicates == repeats, "%u and %u of %u", first, twin, count);
            EXPECT(got.document.root->count == count, "%u and %u of %u", first, twin, count); /* both stay */
            arena_clear(&arena);
        }
    }
    assert_rows();
}

/* Names of all lengths and in no order, as many as are told apart by numbers and more: that some numbers are the same does not make
 * names the same, and the same name in another spelling is found. Each round has other names. */
static void test_repeated_name_among_many(void **state)
{
    static const char letters[] = "a-/.0123456789abcdefghijklmnopqrstuvwxyz";
    (void)state;
    for (unsigned round = 0; round < 3000; round++) {
        char source[1 << 14];
        unsigned count = 9 + round % 70, twin = 1 + round % (count - 1), first = round / 7 % twin;
        bool repeats = round % 3 == 0;
        uint32_t at = 0;
        for (unsigned i = 0; i < count; i++) {
            unsigned name = repeats && i == twin ? first : i, length = name * 7 % 41;
            at += (uint32_t)snprintf(source + at, sizeof source - at, i == twin ? "%c\"\\u006e%.*s%u.%u\":0" : "%c\"n%.*s%u.%u\":0", i ? ',' : '{', (int)length, letters,
                                     (name * 7919 + round) % 1009, name);
        }
        at += (uint32_t)snprintf(source + at, sizeof source - at, "}");
        const struct json_input review = json_input_of(&arena, JSON_REVIEW, (struct bytes){ source, at });
        struct reading got = read_json(&review);
        EXPECT(got.failure == FAILURE_NONE && got.document.has_duplicates == repeats, "round %u: %u and %u of %u", round, first, twin, count);
        arena_clear(&arena);
    }
    assert_rows();
}

/* The first repetition is the one reported, also among many. */
static void test_first_of_several_repetitions(void **state)
{
    static const struct tree_case cases[] = {
        { BYTES("{\"a\":1,\"b\":1,\"b\":1,\"a\":1}"), "repeated member name at 13" },
        { BYTES("{\"a\":1,\"a\":1,\"a\":1}"), "repeated member name at 7" },
        { BYTES("{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"c\":1,\"a\":1}"), "repeated member name at 55" },
        { BYTES("[{\"a\":{\"b\":1}},{\"b\":1,\"b\":1}]"), "repeated member name at 22" },
    };
    (void)state;
    check_trees(JSON_STRICT, cases, COUNT(cases));
}

static void test_repeated_names_are_kept_for_review(void **state)
{
    static const struct tree_case cases[] = {
        { BYTES("{\"a\":1,\"a\":{}}"), "object 0+14 2[\"a\"@1:number 5+1 \"1\", \"a\"@7:object 11+2 0[]] repeats" },
        { BYTES("[{\"a\":1,\"\\u0061\":2}]"), "array 0+20 1[object 1+18 2[\"a\"@2:number 6+1 \"1\", \"a\"@8:number 17+1 \"2\"]] repeats" },
        { BYTES("[{\"a\":1},{\"a\":2}]"), "array 0+17 2[object 1+7 1[\"a\"@2:number 6+1 \"1\"], object 9+7 1[\"a\"@10:number 14+1 \"2\"]]" },
    };
    (void)state;
    check_trees(JSON_REVIEW, cases, COUNT(cases));
}

/* ---- guides ---- */

/* Knows three fields: "s" any value, "o" an object of the same kind, "skip" a value that is only checked. A name with ? gives
 * no field and skips, as unknown fields do; one with * gives no field and is known below; one with ^ is a map: its members have no
 * fields, and what is below them is known. */
struct fake_schema {
    struct doc_schema schema;
    struct text calls; /* name/members so far/field before, for each call; - for arrays, ^ for maps */
};

static const uint16_t known[1], a_map[1]; /* no type fits */

static const void *fake_member(void *self, const void *state, const struct doc_node *object, struct bytes name, uint16_t *field)
{
    struct fake_schema *fake = self;
    uint16_t before = *field;
    if (state != known)
        fail_msg("asked under a state that it never gave");
    text_add_bytes(&fake->calls, name);
    text_add(&fake->calls, "/");
    text_add_integer(&fake->calls, object->count - 1);
    text_add(&fake->calls, "/");
    text_add_integer(&fake->calls, before == DOC_NO_FIELD ? -1 : before);
    text_add(&fake->calls, " ");
    *field = bytes_equal_text(name, "s") ? 0 : bytes_equal_text(name, "o") ? 1 : bytes_equal_text(name, "skip") ? 63 : DOC_NO_FIELD;
    bool unknown = name.length && name.data[0] == '?', key = name.length && name.data[0] == '*';
    bool map = name.length && name.data[0] == '^';
    return *field == 63 || unknown ? (const void *)doc_skip : *field == 1 || key ? known : map ? a_map : NULL;
}

static const void *fake_each(void *self, const void *state, bool object)
{
    struct fake_schema *fake = self;
    if (state != known && state != a_map)
        fail_msg("asked under a state that it never gave");
    if (object && state == known)
        return NULL;
    text_add(&fake->calls, object ? "^ " : "- ");
    return known;
}

struct schema_case {
    const char *text, *tree, *calls;
};

static void check_with_schema(enum json_profile profile, const struct schema_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct fake_schema fake = { .schema = { fake_member, fake_each, &fake } };
        text_init(&fake.calls, &arena);
        struct json_input input = json_input_of(&arena, profile, bytes_of(cases[i].text));
        input.schema = &fake.schema;
        input.state = known;
        struct reading got = read_json(&input);
        const char *tree = tree_text(&got), *calls = text_end(&fake.calls);
        EXPECT(strcmp(tree, cases[i].tree) == 0, "%s:\n    got      %s\n    expected %s", cases[i].text, tree, cases[i].tree);
        EXPECT(strcmp(calls, cases[i].calls) == 0, "%s: %s", cases[i].text, calls);
        arena_clear(&arena);
    }
    assert_rows();
}

static void test_schema_binds_fields_and_sees_what_came_before(void **state)
{
    static const struct schema_case cases[] = {
        { "{}", "object 0+2 0[]", "" },
        { "1", "number 0+1 \"1\"", "" },
        { "{\"s\":1,\"x\":2,\"o\":{\"s\":3}}",
          "object 0+25 3[\"s\"@1:number 5+1 .0 \"1\", \"x\"@7:number 11+1 \"2\", \"o\"@13:object 17+7 .1 1[\"s\"@18:number 22+1 .0 \"3\"]]",
          "s/0/-1 x/1/0 o/2/0 s/0/-1 " },
        { "[1,{\"\\u0073\":2}]", "array 0+16 2[number 1+1 \"1\", object 3+12 1[\"s\"@4:number 13+1 .0 \"2\"]]", "- s/0/-1 " },
        { "{\"^m\":{\"s\":1,\"t\":{\"s\":2}}}",
          "object 0+26 1[\"^m\"@1:object 6+19 2[\"s\"@7:number 11+1 \"1\", \"t\"@13:object 17+7 1[\"s\"@18:number 22+1 .0 \"2\"]]]",
          "^m/0/-1 ^ s/0/-1 " },
        { "{\"x\":{\"s\":1},\"*k\":{\"s\":2}}",
          "object 0+26 2[\"x\"@1:object 5+7 1[\"s\"@6:number 10+1 \"1\"], \"*k\"@13:object 18+7 1[\"s\"@19:number 23+1 .0 \"2\"]]",
          "x/0/-1 *k/1/-1 s/0/-1 " }, /* nothing is known below x */
    };
    (void)state;
    check_with_schema(JSON_STRICT, cases, COUNT(cases));
    check_with_schema(JSON_REVIEW, cases, COUNT(cases));
}

static void test_review_skips_what_the_schema_says(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"skip\":{\"a\":1,\"a\":[]} }", "object 0+24 1[\"skip\"@1:skipped 8+14 .63]", "skip/0/-1 " },
        { "{\"skip\" : \"a\\ud800\" ,\"s\":1}", "object 0+27 2[\"skip\"@1:skipped 10+9 .63, \"s\"@21:number 25+1 .0 \"1\"]", "skip/0/-1 s/1/63 " },
        { "{\"?\":[1,{\"x\":2}],\"s\":null}", "object 0+26 2[\"?\"@1:skipped 5+11, \"s\"@17:null 21+4 .0]", "?/0/-1 s/1/-1 " },
        { "{\"skip\":1,\"?\":true,\"o\":{\"skip\":\"\xFF\"}}",
          "object 0+36 3[\"skip\"@1:skipped 8+1 .63, \"?\"@10:skipped 14+4, \"o\"@19:object 23+12 .1 1[\"skip\"@24:skipped 31+3 .63]]",
          "skip/0/-1 ?/1/63 o/2/63 skip/0/-1 " },
        { "{\"skip\":[1,}}", "a value is missing at 11", "skip/0/-1 " },
        { "{\"skip\":", "the text ends too early at 8", "skip/0/-1 " },
    };
    (void)state;
    check_with_schema(JSON_REVIEW, cases, COUNT(cases));
}

/* A person's file is read in full: what nobody looks at may still be wrong. */
static void test_strict_skips_nothing(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"skip\":{\"s\":[1]}}", "object 0+18 1[\"skip\"@1:object 8+9 .63 1[\"s\"@9:array 13+3 1[number 14+1 \"1\"]]]", "skip/0/-1 " },
        { "{\"skip\":{\"a\":1,\"a\":[]}}", "repeated member name at 15", "skip/0/-1 " },
        { "{\"?\":{\"a\":1,\"a\":[]}}", "repeated member name at 12", "?/0/-1 " },
        { "{\"?\":1,\"?\":2}", "repeated member name at 7", "?/0/-1 ?/1/-1 " },
        { "{\"skip\":\"\\ud800\"}", "half of a surrogate pair at 9", "skip/0/-1 " },
    };
    (void)state;
    check_with_schema(JSON_STRICT, cases, COUNT(cases));
}

static void test_repeated_names_of_fields(void **state)
{
    static const struct schema_case strict[] = {
        { "{\"s\":1,\"x\":1,\"\\u0073\":2}", "repeated member name at 13", "s/0/-1 x/1/0 s/2/0 " },
        { "{\"skip\":1,\"skip\":2}", "repeated member name at 10", "skip/0/-1 skip/1/63 " },
        { "{\"x\":1,\"s\":1,\"x\":2}", "repeated member name at 13", "x/0/-1 s/1/-1 x/2/0 " },
        { "{\"s\":1,\"o\":{\"s\":1},\"*s\":{\"s\":1}}",
          "object 0+32 3[\"s\"@1:number 5+1 .0 \"1\", \"o\"@7:object 11+7 .1 1[\"s\"@12:number 16+1 .0 \"1\"], \"*s\"@19:object 24+7 1[\"s\"@25:number 29+1 .0 \"1\"]]",
          "s/0/-1 o/1/0 s/0/-1 *s/2/1 s/0/-1 " },
    };
    static const struct schema_case review[] = {
        { "{\"s\":1,\"s\":2}", "object 0+13 2[\"s\"@1:number 5+1 .0 \"1\", \"s\"@7:number 11+1 .0 \"2\"] repeats", "s/0/-1 s/1/0 " },
        { "{\"skip\":1,\"skip\":2}", "object 0+19 2[\"skip\"@1:skipped 8+1 .63, \"skip\"@10:skipped 17+1 .63] repeats", "skip/0/-1 skip/1/63 " },
        { "{\"*k\":1,\"*k\":2}", "object 0+15 2[\"*k\"@1:number 6+1 \"1\", \"*k\"@8:number 13+1 \"2\"] repeats", "*k/0/-1 *k/1/-1 " },
        { "{\"?\":1,\"?\":2}", "object 0+13 2[\"?\"@1:skipped 5+1, \"?\"@7:skipped 11+1]", "?/0/-1 ?/1/-1 " }, /* nobody reads them */
    };
    (void)state;
    check_with_schema(JSON_STRICT, strict, COUNT(strict));
    check_with_schema(JSON_REVIEW, review, COUNT(review));
}

/* Unknown members that are skipped do not hide that a key among them repeats, in small objects and in large ones. */
static void test_repeated_keys_among_skipped_members(void **state)
{
    (void)state;
    for (unsigned skipped = 0; skipped <= 24; skipped++) {
        for (unsigned keys = 2; keys <= 12; keys++) {
            char source[1024];
            int length = snprintf(source, sizeof source, "{");
            for (unsigned i = 0; i < skipped + keys; i++) {
                bool last = i + 1 == skipped + keys;
                unsigned number = last ? skipped : i; /* that of the first key */
                length += snprintf(source + length, sizeof source - (size_t)length, "\"%c%u\":{\"a\":1},", i < skipped ? '?' : '*', number);
            }
            source[length - 1] = '}';
            struct fake_schema fake = { .schema = { fake_member, fake_each, &fake } };
            text_init(&fake.calls, &arena);
            struct json_input input = json_input_of(&arena, JSON_REVIEW, (struct bytes){ source, (uint32_t)length });
            input.schema = &fake.schema;
            input.state = known;
            struct reading got = read_json(&input);
            EXPECT(got.failure == FAILURE_NONE && got.document.has_duplicates, "%u skipped, %u keys", skipped, keys);
            arena_clear(&arena);
        }
    }
    assert_rows();
}

/* ---- several values ---- */

static void test_values_in_one_buffer(void **state)
{
    static const char text[] = " {\"a\":1}\n[2]  true\"x\" -7 {}";
    static const struct {
        uint32_t end;
        const char *tree;
    } values[] = {
        { 8, "object 1+7 1[\"a\"@2:number 6+1 \"1\"]" }, { 12, "array 9+3 1[number 10+1 \"2\"]" }, { 18, "true 14+4" },
        { 21, "string 18+3 \"x\"" }, { 24, "number 22+2 \"-7\"" }, { 27, "object 25+2 0[]" },
    };
    uint32_t start = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(values); i++) {
        struct json_input input = json_input_of(&arena, JSON_STRICT, bytes_of(text));
        input.start = start;
        input.alone = false;
        struct reading got = read_json(&input);
        EXPECT(strcmp(tree_text(&got), values[i].tree) == 0, "value %zu: %s", i, tree_text(&got));
        EXPECT(got.end == values[i].end, "value %zu: ends at %u", i, got.end);
        start = got.end;
    }
    assert_rows();
}

static void test_end_of_a_value_that_is_alone(void **state)
{
    static const struct {
        const char *text;
        uint32_t start, end;
        bool alone;
    } cases[] = { { "[] \n ", 0, 5, true }, { "[] \n ", 0, 2, false }, { "x[]", 1, 3, true }, { "1 ", 0, 2, true }, { "1 ", 0, 1, false }, { "1x", 0, 1,
    false } };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct json_input input = json_input_of(&arena, JSON_STRICT, bytes_of(cases[i].text));
        input.start = cases[i].start;
        input.alone = cases[i].alone;
        struct reading got = read_json(&input);
        EXPECT(got.failure == FAILURE_NONE && got.end == cases[i].end, "%s: ends at %u", cases[i].text, got.end);
        arena_clear(&arena);
    }
    assert_rows();
}

static void test_offsets_count_from_the_start_of_the_buffer(void **state)
{
    struct json_input input = json_input_of(&arena, JSON_STRICT, bytes_of("{} {\"a\":1,\"a\":2}"));
    (void)state;
    input.start = 2;
    struct reading got = read_json(&input);
    assert_int_equal(got.failure, FAILURE_SYNTAX);
    assert_int_equal(got.error.offset, 10);
    input.start = input.source.length;
    got = read_json(&input);
    assert_true(got.error.truncated);
    assert_int_equal(got.error.offset, input.source.length);
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_offsets_sizes_and_counts),
        cmocka_unit_test(test_numbers_keep_their_tokens),
        cmocka_unit_test(test_number_tokens_as_integers),
        cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_plain_text_around_escapes),
        cmocka_unit_test(test_every_escape_of_four_digits),
        cmocka_unit_test(test_every_surrogate_pair),
        cmocka_unit_test(test_replacement_in_the_review_profile),
        cmocka_unit_test(test_a_long_string_of_bad_bytes),
        cmocka_unit_test(test_repeated_name_at_every_place),
        cmocka_unit_test(test_repeated_name_among_many),
        cmocka_unit_test(test_first_of_several_repetitions),
        cmocka_unit_test(test_repeated_names_are_kept_for_review),
        cmocka_unit_test(test_schema_binds_fields_and_sees_what_came_before),
        cmocka_unit_test(test_review_skips_what_the_schema_says),
        cmocka_unit_test(test_strict_skips_nothing),
        cmocka_unit_test(test_repeated_names_of_fields),
        cmocka_unit_test(test_repeated_keys_among_skipped_members),
        cmocka_unit_test(test_values_in_one_buffer),
        cmocka_unit_test(test_end_of_a_value_that_is_alone),
        cmocka_unit_test(test_offsets_count_from_the_start_of_the_buffer),
    };
    return cmocka_run_group_tests_name("json tree", tests, start_arena, end_arena);
}
