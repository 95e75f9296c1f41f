/* doc/origin.h: where each character of a string is written, in every style of YAML and in JSON. */
#include "unit.h"
#include "unit_arena.h"

#include "doc/manifest.h"
#include "doc/origin.h"

struct row {
    const char *name, *source;
    const char *text;
    const char *places; /* for each byte of the text the byte at its origin, and at the end that behind the text: $ is the end of the source */
};

static const struct row rows[] = {
    { "plain", "a: bcd", "bcd", "bcd$" },
    { "plain, several lines", "a: b\n  c\n\n  d e\n", "b c\nd e", "b\nc\nd e\n" },
    { "plain with a comment behind", "a: bc # d\n", "bc", "bc " },
    { "single", "a: 'b c'\n", "b c", "b c'" },
    { "single with quotes", "a: 'b''c''''d'\n", "b'c''d", "b'c''d'" },
    { "single, folded", "a: 'b\n  c\n\n  d'\n", "b c\nd", "b\nc\nd'" },
    { "double", "a: \"b c\"\n", "b c", "b c\"" },
    { "double with escapes", "a: \"b\\\"c\\\\d\\x41e\"\n", "b\"c\\dAe", "b\\c\\d\\e\"" },
    { "double with a line end escaped", "a: \"b\\nc\\td\"\n", "b\nc\td", "b\\c\\d\"" },
    { "double, folded", "a: \"b\n  c\n\n  d\"\n", "b c\nd", "b\nc\nd\"" },
    { "double, folded without a space", "a: \"b\\\n   c\"\n", "bc", "bc\"" },
    { "double with \\u", "a: \"\\u00e9x\\U0001F600y\"\n", "\xC3\xA9x\xF0\x9F\x98\x80y", "\\\\x\\\\\\\\y\"" },
    { "double with spaces escaped", "a: \"b\\x20c\\u000ad\\x09\"\n", "b c\nd\t", "b\\c\\d\\\"" },
    { "double with spaces of both kinds", "a: \"b \t c\"\n", "b \t c", "b \t c\"" },
    { "double with short escapes", "a: \"\\_x\\Ly\\ez\"\n", "\xC2\xA0x\xE2\x80\xA8y\033z", "\\\\x\\\\\\y\\z\"" },
    { "literal", "a: |\n  b c\n  d\n", "b c\nd\n", "b c\nd\n\n" },
    { "literal with an indented line", "a: |\n  b\n    c\n  d\n", "b\n  c\nd\n", "b\n\n\nc\nd\n\n" },
    { "literal, stripped", "a: |-\n  b\n  c\n", "b\nc", "b\nc\n" },
    { "literal, kept", "a: |+\n  b\n\n", "b\n\n", "b\n\n\n" },
    { "literal with an indicator", "a: |2-\n   b\n  c\n", " b\nc", "\nb\nc\n" },
    { "folded", "a: >\n  b\n  c\n\n  d\n", "b c\nd\n", "b\nc\nd\n\n" },
    { "folded, stripped", "a: >-\n  b\n  c\n", "b c", "b\nc\n" },
    { "folded with an indented line", "a: >-\n  b\n    c\n  d\n", "b\n  c\nd", "b\n\n\nc\nd\n" },
    { "characters of several bytes", "a: \xC3\xA9 \xE2\x82\xAC x", "\xC3\xA9 \xE2\x82\xAC x", "\xC3\xA9 \xE2\x82\xAC x$" },
    { "JSON", "{\"a\":\"b c\"}", "b c", "b c\"" },
    { "JSON with escapes", "{\"a\":\"b\\\"\\/\\\\c\\u0041\\nd\"}", "b\"/\\cA\nd", "b\\\\\\c\\\\d\"" },
    { "JSON with a pair of surrogates", "{\"a\":\"x\\uD83D\\uDE00y\"}", "x\xF0\x9F\x98\x80y", "x\\\\\\\\y\"" },
    { "empty", "a: \"\"\n", "", "\"" },
};

static const struct doc_node *read_string(const char *source, struct document *document)
{
    struct manifest manifest;
    struct doc_error error;
    bool more;
    arena_clear(&arena);
    manifest_init(&manifest, bytes_of(source), &arena, (struct map_key){ { 1, 2 } });
    enum failure failure = manifest_next(&manifest, document, &more, &error);
    EXPECT(!failure, "%s: %s", source, error.message);
    return failure ? NULL : doc_member(document->root, "a");
}

/* Spaces that begin a line come from the end of the line before; nothing is looked for there. */
static void check_row(const struct row *row)
{
    struct document document;
    const struct doc_node *node = read_string(row->source, &document);
    EXPECT(node, "%s", row->name);
    if (!node)
        return;
    struct bytes text = doc_text(node);
    EXPECT(bytes_equal_text(text, row->text), "%s: %s", row->name, shown(text));
    uint32_t last = 0, starts[64];
    assert_true(text.length < COUNT(starts));
    doc_origins(&document, node, starts);
    for (uint32_t at = 0; at <= text.length; at++) {
        uint32_t origin = doc_origin(&document, node, at);
        EXPECT(starts[at] == origin, "%s: byte %u comes from %u, not %u", row->name, at, origin, starts[at]);
        if (at < text.length) {
            uint32_t end = doc_origin_after(&document, node, origin);
            EXPECT(strchr(" \n\t", text.data[at]) || end == doc_origin_end(&document, node, at), "%s: byte %u ends at %u", row->name, at, end);
        }
        char found = row->source[origin] ? row->source[origin] : '$';
        EXPECT(found == row->places[at], "%s: byte %u comes from %u, a '%c'", row->name, at, origin, found);
        EXPECT(origin >= last && origin >= node->offset && origin <= node->offset + node->size, "%s: byte %u comes from %u", row->name, at, origin);
        last = origin;
    }
}

static void test_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        check_row(&rows[i]);
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
    };
    return cmocka_run_group_tests(tests, start_arena, end_arena);
}
