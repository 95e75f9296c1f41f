/* Simple YAML, which is read without libyaml: what comes out is what libyaml's events give, and what is wrong is left to libyaml. Texts are
 * changed in every place, one character at a time, and in many places by chance. */
#include "unit.h"
#include "unit_arena.h"

#include "base/limits.h"
#include "doc/yaml_reader.h"

static struct arena other;

/* Texts that are read without libyaml. */
static const char *const simple[] = {
    "a: b\n",
    "a: b",
    "---\na: b\n",
    "--- # one\n\n# two\na: b # three\n",
    "kind: CSIDriver\nmetadata:\n  name: disk.csi.acme.dev\n  labels:\n    a.b/c: \"d\"\nspec:\n  attachRequired: true\n  modes:\n  - Persistent\n",
    "a:\n  b:\n    c: 1\n  d: -2\ne: 1.50\nf: ~\ng: null\nh: yes\n",
    "a:\n- 1\n- b: 2\n  c: 3\n-\n  d: 4\n-\ne: 5\n",
    "a:\n  - 1\n  - - 2\n    - 3\n  - - - 4\n",
    "- a\n- b: c\n  d:\n  - e\n  - f\n-\n- g\n",
    "a:\nb:\n  c:\n",
    "a: {}\nb: []\nc: [d, e1, \"f g\", 'h']\nd: [ 1, 2.5 ,true ]\n",
    "f:metadata:\n  f:labels:\n    .: {}\n    k:{\"a\"}: {}\n    v:\"b\": x:y\n",
    "a: 'b c'\n'd': \"e # f\" # g\n\"h:\": i#j\n",
    "a: b c  d   # e\nf: g#h\ni: -j\nk: --- l\nm: http://n/o?p=q&r\n",
    "a: |\n  b\n\n   c\n  # d\n\n\n# e\nf: |-\n    g\n    h  \n\ni:\n- |\n j\n- |-\n\n\n  k\n- l\n",
    "a: |\n  b",
    "a: \"\"\nb: ''\n1: c\ntrue: d\n0x10: e\n1.5: f\n",
    "\xC3\xA4: \xE2\x80\x94 # \xF0\x9F\x8C\x8D\nb: \"\xC3\xBC\"\nc: |\n  \xC3\xB6\n",
    "  a: b\n  c:\n   d: e\n",
    "items:\n- a: 1\n  b: []\n- a: 2\nkind: List\n",
    "a1: 1\na2: 2\na3: 3\na4: 4\na5: 5\na6: 6\na7: 7\na8: 8\na9: 9\na10: 10\n",
    "a: 2001-01-01\nb: 1e3\nc: 0777\nd: 12345678901234567890\ne: 1_000\nf: .5\ng: +1\nh: 1:30\ni: =\nj: <\n",
};

/* Texts that are near to simple ones. */
static const char *const others[] = {
    "a: 'it''s'\nb: \"c\\nd\"\n",
    "a: b\n  c\nd: \"e\n  f\"\n",
    "a: &b\n  c: d\ne: *b\nf:\n  <<: *b\n",
    "a: !!str 1\nb: >\n  c\n  d\ne: |+\n  f\n\n",
    "a: {b: c, d: [e]}\nb: [f: g, h?, ]\n",
    "? a\n: b\n",
    "a : b\nc:\td\n",
    "a: b\r\nc: d\r\n",
    "%YAML 1.1\n---\na: b\n",
    "a: |2\n    b\n",
    "a:\n    \n  b\n...\n",
    "a: |\n     \n  b\n",
    "a: b\na: c\n",
    "a: - b\n",
    "a: |  # b\n  c\n d\n",
    "a: @b\n",
    "a: .inf\n",
    "a: b\n--- c: d\n",
    "a: b\n... c: d\n",
    "a: b\xC2\x85" "c: d\n",
    "a: b\xE2\x80\xA8" "c: d\n",
    "a: \"\xC2\x80\"\n",
    "\xEF\xBB\xBF" "a: b\n",
    "a: \xEF\xBF\xBE\n",
    "a: \xED\xA0\x80\n",
};

/* ---- both readers ---- */

static bool same_text(const char *a, const char *b, uint32_t length, struct bytes source)
{
    const bool inside = a >= source.data && a <= source.data + source.length;
    return length == 0 || (memcmp(a, b, length) == 0 && (!inside || a == b));
}

static bool same(const struct doc_node *a, const struct doc_node *b, struct bytes source)
{
    if (a->type != b->type || a->flags != b->flags || a->offset != b->offset || a->size != b->size || a->count != b->count ||
        a->field != b->field || a->name_length != b->name_length || a->name_offset != b->name_offset || !a->name != !b->name ||
        !same_text(a->name, b->name, a->name_length, source))
        return false;
    if (a->type == DOC_STRING || a->type == DOC_NUMBER)
        return same_text(a->text, b->text, a->count, source);
    const struct doc_node *other_child = doc_first(b);
    doc_each(a, child) {
        if (!other_child || !same(child, other_child, source))
            return false;
        other_child = other_child->next;
    }
    return !other_child;
}

static void compare(struct bytes source)
{
    struct yaml_input input = { .source = source, .end = source.length, .arena = &arena, .key = { { 1, 2 } } };
    struct document document, by_events;
    struct doc_error error = { 0 }, error_by_events = { 0 };
    arena_clear(&arena);
    arena_clear(&other);
    enum failure failure = yaml_read(&input, &document, &error);
    input.arena = &other;
    input.by_events = true;
    EXPECT(yaml_read(&input, &by_events, &error_by_events) == failure, "%s", shown(source));
    if (failure)
        EXPECT(error.offset == error_by_events.offset && strcmp(error.message, error_by_events.message) == 0, "%s", shown(source));
    else
        EXPECT(same(document.root, by_events.root, source), "%s", shown(source));
}

/* In memory of its own, so that sanitizers see what is read after its end. */
static void compare_copy(const char *text, size_t length)
{
    const struct bytes copy = exact_copy((struct bytes){ text, (uint32_t)length });
    compare(copy);
    free_copy(copy);
}

/* ---- tests ---- */

static bool reads_simple(const char *text)
{
    static struct yaml_reader reader;
    struct doc_error error;
    const struct yaml_input input = { .source = bytes_of(text), .end = (uint32_t)strlen(text), .arena = &arena };
    arena_clear(&arena);
    reader.input = &input;
    reader.error = &error;
    reader.nodes = reader.depth = 0;
    reader.root = NULL;
    chunk_init(&reader.chunk, input.source, 0, input.end);
    return yaml_read_simple(&reader);
}

static void test_which_are_simple(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(simple); i++)
        EXPECT(reads_simple(simple[i]), "%s", simple[i]);
    for (size_t i = 0; i < COUNT(others); i++)
        EXPECT(!reads_simple(others[i]), "%s", others[i]);
    assert_rows();
}

static const char characters[] = " \n:-#'\"{}[],|>&*!?%@\\a1.~<=\t\r\x01\x7F\xC2";

enum change { INSERTED, REPLACED, REMOVED, CHANGES };

/* Writes the text with one change at `at`; returns its length. */
static size_t change(const char *text, size_t length, size_t at, enum change how, char character, char *out)
{
    size_t rest = how == INSERTED ? at : at + 1;
    memcpy(out, text, at);
    if (how != REMOVED)
        out[at++] = character;
    memcpy(out + at, text + rest, length - rest);
    return at + length - rest;
}

static void change_everywhere(const char *text)
{
    char changed[512];
    size_t length = strlen(text);
    compare_copy(text, length);
    for (size_t at = 0; at < length; at++) {
        compare_copy(text, at);
        compare_copy(changed, change(text, length, at, REMOVED, 0, changed));
        for (const char *c = characters; *c; c++)
            for (enum change how = INSERTED; how < REMOVED; how++)
                compare_copy(changed, change(text, length, at, how, *c, changed));
    }
}

static void test_one_change(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(simple); i++)
        change_everywhere(simple[i]);
    for (size_t i = 0; i < COUNT(others); i++)
        change_everywhere(others[i]);
    assert_rows();
}

static uint32_t next_chance(uint32_t *chance)
{
    *chance = *chance * 1664525u + 1013904223u;
    return *chance >> 8;
}

/* Lines of different texts behind one another, with changes. */
static void test_many_changes(void **state)
{
    (void)state;
    uint32_t chance = 20261124;
    for (unsigned round = 0; round < 60000; round++) {
        char text[1024] = "", changed[1024];
        size_t length = 0;
        for (unsigned lines = 1 + next_chance(&chance) % 8; lines; lines--) {
            const char *from = simple[next_chance(&chance) % COUNT(simple)];
            from += next_chance(&chance) % strlen(from);
            const char *end = strchr(from, '\n');
            size_t size = end ? (size_t)(end + 1 - from) : strlen(from);
            for (unsigned spaces = next_chance(&chance) % 4; spaces; spaces--)
                text[length++] = ' ';
            memcpy(text + length, from, size);
            length += size;
        }
        for (unsigned changes = next_chance(&chance) % 4; changes; changes--) {
            char character = characters[next_chance(&chance) % (sizeof characters - 1)];
            length = change(text, length, next_chance(&chance) % length, next_chance(&chance) % REMOVED, character, changed);
            memcpy(text, changed, length);
        }
        compare_copy(text, length);
    }
    assert_rows();
}

/* libyaml takes no longer ones. */
static void test_long_keys(void **state)
{
    (void)state;
    char text[1200];
    for (unsigned size = 980; size < 1100; size++) {
        memset(text, 'a', size);
        memcpy(text + size, ": b\n", 5);
        compare_copy(text, size + 4);
        text[0] = text[size - 1] = '"';
        compare_copy(text, size + 4);
    }
    assert_rows();
}

/* What lacks memory is not read again. */
static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    char text[20000] = "a: |\n  ";
    memset(text + 7, 'x', 6000);
    strcpy(text + 6007, "\nb:\n");
    for (size_t length = strlen(text); length < 19000; length += 9)
        strcpy(text + length, "- c: d\n ");
    const struct bytes source = { text, (uint32_t)strlen(text) };
    for (size_t n = 1, calls = n; calls >= n; n++) {
        struct counted_memory memory;
        struct arena place;
        struct document document;
        struct doc_error error = { 0 };
        counted_init(&memory, n);
        arena_init(&place, &memory.memory, LIMIT_ARENA_BYTES);
        const struct yaml_input input = { .source = source, .end = source.length, .arena = &place, .key = { { 1, 2 } } };
        enum failure failure = yaml_read(&input, &document, &error);
        calls = memory.calls;
        EXPECT(failure == (calls < n ? FAILURE_NONE : FAILURE_MEMORY) && calls <= n, "%zu: %d, %zu", n, failure, calls);
        EXPECT(!failure || (error.message && place.failure == FAILURE_MEMORY), "%zu", n);
        arena_done(&place);
    }
    assert_rows();
}

static int start(void **state)
{
    arena_init(&other, &memory_malloc, LIMIT_ARENA_BYTES);
    return start_arena(state);
}

static int end(void **state)
{
    arena_done(&other);
    return end_arena(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_are_simple),
        cmocka_unit_test(test_one_change),
        cmocka_unit_test(test_many_changes),
        cmocka_unit_test(test_long_keys),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("yaml_simple", tests, start, end);
}
