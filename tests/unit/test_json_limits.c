/* The JSON reader's bounds: nesting, skipped nesting, nodes, bytes, the arena's limit, memory that fails at every call, and time
 * that stays in proportion to the text. */
#include "base/limits.h"
#include "doc/limits.h"
#include "json_unit.h"
#include "unit_arena.h"

static struct reading read_with(enum json_profile profile, const void *schema_state, struct bytes text)
{
    struct json_input input = json_input_of(&arena, profile, text);
    input.state = schema_state;
    arena_clear(&arena);
    return read_json(&input);
}

static void expect_limit(struct reading got, uint32_t offset, const char *message)
{
    EXPECT(got.failure == FAILURE_LIMIT && got.error.offset == offset && !got.error.truncated, "%s: failure %d at %u", message, got.failure, got.error.offset);
    EXPECT(got.failure && strcmp(got.error.message, message) == 0, "%s", message);
}

/* ---- nesting ---- */

/* `depth` values in each other, an array or object in turn as `objects` says, and a number inside. Free it with free_copy. */
static struct bytes nested(unsigned depth, unsigned objects)
{
    char *text = malloc(depth * 6 + 2), *at = text;
    assert_non_null(text);
    for (unsigned i = 0; i < depth; i++)
        at = stpcpy(at, objects >> i % 8 & 1 ? "{\"a\":" : "[");
    *at++ = '1';
    for (unsigned i = depth; i-- > 0;)
        *at++ = objects >> i % 8 & 1 ? '}' : ']';
    return (struct bytes){ text, (uint32_t)(at - text) };
}

/* Where the bracket number `depth` opens, from 0. */
static uint32_t bracket_offset(unsigned depth, unsigned objects)
{
    uint32_t offset = 0;
    for (unsigned i = 0; i < depth; i++)
        offset += objects >> i % 8 & 1 ? 5 : 1;
    return offset;
}

static void test_depth(void **state)
{
    static const unsigned mixtures[] = { 0x00, 0xFF, 0x55, 0xAA, 0x0F, 0x81 };
    (void)state;
    for (size_t i = 0; i < COUNT(mixtures); i++)
        for (enum json_profile profile = JSON_STRICT; profile <= JSON_REVIEW; profile++)
            for (unsigned depth = LIMIT_DEPTH - 1; depth <= LIMIT_DEPTH + 1; depth++) {
                struct bytes text = nested(depth, mixtures[i]);
                struct reading got = read_with(profile, NULL, text);
                if (depth <= LIMIT_DEPTH)
                    EXPECT(got.failure == FAILURE_NONE, "depth %u, mixture %02x", depth, mixtures[i]);
                else
                    expect_limit(got, bracket_offset(LIMIT_DEPTH, mixtures[i]), "nested too deep");
                free_copy(text);
            }
    assert_rows();
}

/* The limit is one of depth, not of count: what is closed may be opened again. */
static void test_depth_is_given_back(void **state)
{
    struct bytes deep = nested(LIMIT_DEPTH - 1, 0x55);
    char *text = malloc(3 * deep.length + 8);
    (void)state;
    assert_non_null(text);
    int length = sprintf(text, "[%.*s,%.*s,%.*s]", (int)deep.length, deep.data, (int)deep.length, deep.data, (int)deep.length, deep.data);
    assert_int_equal(read_with(JSON_STRICT, NULL, (struct bytes){ text, (uint32_t)length }).failure, FAILURE_NONE);
    free(text);
    free_copy(deep);
    assert_rows();
}

static void test_depth_of_skipped_values(void **state)
{
    static const unsigned mixtures[] = { 0x00, 0xFF, 0x55, 0xC3 };
    (void)state;
    for (size_t i = 0; i < COUNT(mixtures); i++)
        for (unsigned depth = LIMIT_SKIPPED_DEPTH - 1; depth <= LIMIT_SKIPPED_DEPTH + 1; depth++) {
            struct bytes text = nested(depth, mixtures[i]);
            struct reading got = read_with(JSON_REVIEW, doc_skip, text);
            if (depth <= LIMIT_SKIPPED_DEPTH)
                EXPECT(got.failure == FAILURE_NONE && got.document.root->type == DOC_SKIPPED && got.document.root->size == text.length, "depth %u", depth);
            else
                expect_limit(got, bracket_offset(LIMIT_SKIPPED_DEPTH, mixtures[i]), "nested too deep");
            free_copy(text);
        }
    assert_rows();
}

/* Each level knows whether it is an array or an object, also when the one before it at that depth was the other. */
static void test_brackets_of_skipped_values_must_match(void **state)
{
    (void)state;
    for (unsigned depth = 1; depth <= 40; depth++) {
        for (unsigned objects = 0; objects < 256; objects += 15) {
            struct bytes text = nested(depth, objects);
            char *wrong = malloc(2 * text.length + 4);
            assert_non_null(wrong);
            int length = sprintf(wrong, "[%.*s,%.*s]", (int)text.length, text.data, (int)text.length, text.data);
            struct reading got = read_with(JSON_REVIEW, doc_skip, (struct bytes){ wrong, (uint32_t)length });
            EXPECT(got.failure == FAILURE_NONE, "depth %u, mixture %02x", depth, objects);
            for (unsigned i = 0; i < depth; i++) {
                uint32_t at = (uint32_t)length - 2 - i;
                wrong[at] = (char)(wrong[at] == ']' ? '}' : ']');
                got = read_with(JSON_REVIEW, doc_skip, (struct bytes){ wrong, (uint32_t)length });
                EXPECT(got.failure == FAILURE_SYNTAX && got.error.offset == at, "depth %u, mixture %02x, bracket %u", depth, objects, i);
                wrong[at] = (char)(wrong[at] == ']' ? '}' : ']');
            }
            free(wrong);
            free_copy(text);
        }
    }
    assert_rows();
}

/* ---- nodes and bytes ---- */

static void test_nodes_of_an_array(void **state)
{
    (void)state;
    for (uint32_t nodes = LIMIT_NODES - 1; nodes <= LIMIT_NODES + 1; nodes++) {
        struct bytes text = repeated("0,", nodes - 2, "0]"); /* the array itself is a node too */
        char *whole = malloc(text.length + 1);
        assert_non_null(whole);
        whole[0] = '[';
        memcpy(whole + 1, text.data, text.length);
        struct reading got = read_with(JSON_REVIEW, NULL, (struct bytes){ whole, text.length + 1 });
        if (nodes <= LIMIT_NODES)
            EXPECT(got.failure == FAILURE_NONE && got.document.root->count == nodes - 1, "%u nodes", nodes);
        else
            expect_limit(got, 1 + 2 * (LIMIT_NODES - 1), "too many values");
        free(whole);
        free_copy(text);
    }
    assert_rows();
}

/* Distinct names, so that finding duplicates works at its largest too, and in time that comparing all pairs would not keep. */
static void test_nodes_of_an_object(void **state)
{
    char *text = malloc(LIMIT_NODES * 12 + 16);
    double before = cpu_seconds();
    (void)state;
    assert_non_null(text);
    for (uint32_t nodes = LIMIT_NODES - 1; nodes <= LIMIT_NODES + 1; nodes++) {
        char *at = text;
        *at++ = '{';
        for (uint32_t i = 1; i < nodes; i++)
            at += sprintf(at, "\"%06x\":0,", i);
        at[-1] = '}';
        struct reading got = read_with(JSON_STRICT, NULL, (struct bytes){ text, (uint32_t)(at - text) });
        if (nodes <= LIMIT_NODES)
            EXPECT(got.failure == FAILURE_NONE && got.document.root->count == nodes - 1, "%u nodes", nodes);
        else
            expect_limit(got, 1 + 11 * (LIMIT_NODES - 1), "too many values");
    }
    EXPECT(cpu_seconds() - before < 2.0 * slowness(), "%.3f s", cpu_seconds() - before);
    free(text);
    assert_rows();
}

/* What is skipped costs no memory: a million values in an arena for a few nodes. */
static void test_skipped_values_are_no_nodes(void **state)
{
    struct bytes text = repeated("[0],", 2 * LIMIT_NODES, "[0]");
    char *whole = malloc(text.length + 3);
    struct arena small;
    (void)state;
    assert_non_null(whole);
    int length = sprintf(whole, "[%.*s]", (int)text.length, text.data);
    arena_init(&small, &memory_malloc, 512);
    struct json_input input = json_input_of(&small, JSON_REVIEW, (struct bytes){ whole, (uint32_t)length });
    input.state = doc_skip;
    struct reading got = read_json(&input);
    EXPECT(got.failure == FAILURE_NONE && got.document.root->size == (uint32_t)length, "failure %d", got.failure);
    expect_limit(read_with(JSON_REVIEW, NULL, input.source), 4 * (LIMIT_NODES / 2) - 2, "too many values");
    arena_done(&small);
    free(whole);
    free_copy(text);
    assert_rows();
}

/* "prefix", `objects` times [0,0,…] of `values` values each (the last `more` longer), "suffix". Free it with free. */
static struct bytes list_of(const char *prefix, uint32_t objects, uint32_t values, uint32_t more, const char *suffix)
{
    char *text = malloc(strlen(prefix) + objects * (2 * (size_t)values + 4) + 2 * (size_t)more + strlen(suffix) + 1), *at = text;
    assert_non_null(text);
    at = stpcpy(at, prefix);
    for (uint32_t i = 0; i < objects; i++) {
        at = stpcpy(at, i ? ",[0" : "[0");
        for (uint32_t j = 2; j < values + (i + 1 == objects ? more : 0); j++) /* the array is a value, too */
            at = stpcpy(at, ",0");
        at = stpcpy(at, "]");
    }
    at = stpcpy(at, suffix);
    return (struct bytes){ text, (uint32_t)(at - text) };
}

/* Of a List in a file each object has a count of its own, whatever stands around them; of what is no List, and of a review, everything
 * counts together. */
static void test_nodes_of_a_list(void **state)
{
    static const struct {
        const char *prefix, *suffix;
        bool is_list;
    } rows[] = {
        { "{\"apiVersion\":\"v1\",\"items\":[", "],\"kind\":\"List\",\"metadata\":{}}", true },
        { "{\"items\" : [", "]}", true },
        { "{\"item\":[", "]}", false },
        { "{\"itemss\":[", "]}", false },
        { "{\"spec\":{\"items\":[", "]}}", false },
        { "[{\"items\":[", "]}]", false },
        { "[", "]", false },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bytes good = list_of(rows[i].prefix, 3, LIMIT_NODES, 0, rows[i].suffix);
        struct bytes long_one = list_of(rows[i].prefix, 3, LIMIT_NODES, 1, rows[i].suffix);
        struct reading got = read_with(JSON_STRICT, NULL, good);
        EXPECT(got.failure == (rows[i].is_list ? FAILURE_NONE : FAILURE_LIMIT), "%s: %d", rows[i].prefix, got.failure);
        got = read_with(JSON_STRICT, NULL, long_one);
        EXPECT(got.failure == FAILURE_LIMIT && strcmp(got.error.message, "too many values") == 0, "%s: %d", rows[i].prefix, got.failure);
        uint32_t last = long_one.length - (uint32_t)strlen(rows[i].suffix) - 2;
        EXPECT(!rows[i].is_list || got.error.offset == last, "%s: %u", rows[i].prefix, got.error.offset);
        got = read_with(JSON_REVIEW, NULL, good);
        EXPECT(got.failure == FAILURE_LIMIT, "%s: %d", rows[i].prefix, got.failure);
        free_copy(good);
        free_copy(long_one);
    }
    assert_rows();
}

static void test_bytes(void **state)
{
    (void)state;
    for (uint32_t bytes = LIMIT_BODY_BYTES - 1; bytes <= LIMIT_BODY_BYTES + 1; bytes++) {
        struct bytes text = repeated(" ", bytes - 2, "{}");
        struct reading got = read_with(JSON_REVIEW, NULL, text);
        if (bytes <= LIMIT_BODY_BYTES)
            EXPECT(got.failure == FAILURE_NONE && got.document.root->offset == bytes - 2, "%u bytes", bytes);
        else
            expect_limit(got, LIMIT_BODY_BYTES, "too long");
        free_copy(text);
    }
    assert_rows();
}

/* Of the largest file the first byte is looked at, which is none of JSON. */
static void test_bytes_of_a_file(void **state)
{
    char *text = calloc(1, LIMIT_FILE_BYTES + 1u);
    (void)state;
    assert_non_null(text);
    struct reading got = read_with(JSON_STRICT, NULL, (struct bytes){ text, LIMIT_FILE_BYTES });
    EXPECT(got.failure == FAILURE_SYNTAX && got.error.offset == 0, "failure %d at %u", got.failure, got.error.offset);
    expect_limit(read_with(JSON_STRICT, NULL, (struct bytes){ text, LIMIT_FILE_BYTES + 1u }), LIMIT_FILE_BYTES, "too long");
    free(text);
    assert_rows();
}

/* The most that decoding can make of a text still fits the arena: 20 MiB of bytes that are each replaced by three. */
static void test_largest_text_of_bad_bytes_fits_the_arena(void **state)
{
    struct bytes text = repeated("\xFF", LIMIT_BODY_BYTES, "");
    char *bytes = malloc(text.length);
    (void)state;
    assert_non_null(bytes);
    memcpy(bytes, text.data, text.length);
    bytes[0] = bytes[text.length - 1] = '"';
    struct reading got = read_with(JSON_REVIEW, NULL, (struct bytes){ bytes, text.length });
    assert_int_equal(got.failure, FAILURE_NONE);
    assert_int_equal(got.document.root->count, 3 * (LIMIT_BODY_BYTES - 2));
    free(bytes);
    free_copy(text);
    assert_rows();
}

/* ---- memory ---- */

static const char costly[] = "{\"a\\n\":[\"\\u0041\",{\"x1\":1,\"x2\":1,\"x3\":1,\"x4\":1,\"x5\":1,\"x6\":1,\"x7\":1,\"x8\":1,\"x9\":1}]}";

static void test_arena_limit_is_a_limit(void **state)
{
    unsigned good = 0;
    (void)state;
    for (size_t limit = 0; limit <= 2048; limit += 8) {
        struct arena small;
        arena_init(&small, &memory_malloc, limit);
        const struct json_input input = json_input_of(&small, JSON_STRICT, bytes_of(costly));
        struct reading got = read_json(&input);
        EXPECT(got.failure == FAILURE_LIMIT || got.failure == FAILURE_NONE, "%zu bytes: %d", limit, got.failure);
        EXPECT(got.failure == FAILURE_NONE || good == 0, "%zu bytes", limit); /* more never hurts */
        good += got.failure == FAILURE_NONE;
        arena_done(&small);
    }
    assert_in_range(good, 50, 200);
    assert_rows();
}

/* A text that needs several blocks, and a call that fails at each of them. */
static void test_every_allocation_may_fail(void **state)
{
    struct bytes middle = repeated("{\"a\":[\"\\u0041\",{}]},", 8000, "");
    char *text = malloc(middle.length + sizeof costly + 4);
    bool whole = false;
    (void)state;
    assert_non_null(text);
    int length = sprintf(text, "[%.*s%s]", (int)middle.length, middle.data, costly);
    for (size_t failing = 1; failing <= 20 && !whole; failing++) {
        struct counted_memory counted;
        struct arena failing_arena;
        counted_init(&counted, failing);
        arena_init(&failing_arena, &counted.memory, LIMIT_ARENA_BYTES);
        const struct json_input input = json_input_of(&failing_arena, JSON_STRICT, (struct bytes){ text, (uint32_t)length });
        struct reading got = read_json(&input);
        whole = got.failure == FAILURE_NONE;
        EXPECT(whole == (counted.calls < failing), "call %zu", failing);
        EXPECT(whole || (got.failure == FAILURE_MEMORY && !got.error.truncated), "call %zu: %d", failing, got.failure);
        arena_done(&failing_arena);
        EXPECT(counted.live == 0, "call %zu", failing);
    }
    assert_true(whole);
    free(text);
    free_copy(middle);
    assert_rows();
}

/* ---- time ---- */

/* Texts that would be slow if anything were quadratic. Half a second is a hundred times what they take. */
static void test_hostile_texts_take_no_time(void **state)
{
    static const struct {
        const char *head, *unit, *tail;
        enum json_profile profile;
        bool skipped;
    } cases[] = {
        { "\"", "\\n", "\"", JSON_STRICT, false },
        { "\"", "\\ud800", "\"", JSON_REVIEW, false },
        { "\"", "\\ud800\\ud800", "\"", JSON_REVIEW, true },
        { "\"", "\xFF", "\"", JSON_REVIEW, true },
        { "\"", "\xC3\xA9", "\"", JSON_STRICT, false },
        { "[", "9", "]", JSON_STRICT, false },
        { "[", "   \n", "]", JSON_STRICT, false },
        { "[0", ",0", "]", JSON_REVIEW, true },
        { "{\"a\":0", ",\"a\":0", "}", JSON_REVIEW, true },
        { "[", "[", "", JSON_REVIEW, true },
        { "[0", ",{}", "", JSON_REVIEW, false },
        { "{\"a\":0", ",\"a\":0", "}", JSON_REVIEW, false },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint32_t head = (uint32_t)strlen(cases[i].head);
        struct bytes units = repeated(cases[i].unit, (LIMIT_BODY_BYTES - 100) / strlen(cases[i].unit), cases[i].tail);
        char *text = malloc(head + units.length);
        assert_non_null(text);
        memcpy(text, cases[i].head, head);
        memcpy(text + head, units.data, units.length);
        struct json_input input = json_input_of(&arena, cases[i].profile, (struct bytes){ text, head + units.length });
        input.state = cases[i].skipped ? doc_skip : NULL;
        arena_clear(&arena);
        double before = cpu_seconds();
        struct reading got = read_json(&input);
        EXPECT(cpu_seconds() - before < 0.5 * slowness(), "%s: %.3f s, failure %d", cases[i].unit, cpu_seconds() - before, got.failure);
        free(text);
        free_copy(units);
    }
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_depth_is_given_back),
        cmocka_unit_test(test_depth_of_skipped_values),
        cmocka_unit_test(test_brackets_of_skipped_values_must_match),
        cmocka_unit_test(test_nodes_of_an_array),
        cmocka_unit_test(test_nodes_of_an_object),
        cmocka_unit_test(test_skipped_values_are_no_nodes),
        cmocka_unit_test(test_nodes_of_a_list),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_bytes_of_a_file),
        cmocka_unit_test(test_largest_text_of_bad_bytes_fits_the_arena),
        cmocka_unit_test(test_arena_limit_is_a_limit),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_hostile_texts_take_no_time),
    };
    return cmocka_run_group_tests_name("json limits", tests, start_arena, end_arena);
}
