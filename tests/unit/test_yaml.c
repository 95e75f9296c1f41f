/* The YAML reader and the cutting of files: places, limits, memory, time. What values texts have is proved by the cases in
 * tests/conformance. */
#include "unit.h"
#include "unit_arena.h"

#include "base/limits.h"
#include "doc/limits.h"
#include "doc/manifest.h"
#include "doc/yaml.h"

struct reading {
    enum failure failure;
    struct document document;
    struct doc_error error;
    bool more;
};

static struct manifest manifest_of(struct arena *place, struct bytes source)
{
    struct manifest manifest;
    manifest_init(&manifest, source, place, (struct map_key){ { 1, 2 } });
    return manifest;
}

static struct reading read_next(struct manifest *manifest)
{
    struct reading got = { .failure = FAILURE_NONE };
    got.failure = manifest_next(manifest, &got.document, &got.more, &got.error);
    if (got.failure)
        EXPECT(got.error.message && got.error.offset <= manifest->source.length, "%s", shown(manifest->source));
    return got;
}

static struct reading read_first(struct bytes source)
{
    struct manifest manifest = manifest_of(&arena, source);
    arena_clear(&arena);
    return read_next(&manifest);
}

/* ---- places ---- */

/* Writes "name@OFFSET=value@OFFSET+SIZE" of each node, containers as [ and {, behind one another. */
static char *describe(const struct doc_node *node, char *at)
{
    static const char *const names[] = { "null", "false", "true" };
    if (node->name)
        at += sprintf(at, "%.*s@%u=", (int)node->name_length, node->name, node->name_offset);
    if (node->type <= DOC_TRUE)
        at += sprintf(at, "%s", names[node->type]);
    else if (node->type == DOC_NUMBER || node->type == DOC_STRING)
        at += sprintf(at, "%s%.*s", node->flags & DOC_ESCAPED ? "~" : "", (int)node->count, node->text);
    else
        at += sprintf(at, "%s", node->type == DOC_ARRAY ? "[" : "{");
    at += sprintf(at, "@%u+%u", node->offset, node->size);
    if (node->type == DOC_ARRAY || node->type == DOC_OBJECT) {
        doc_each(node, child) {
            at += sprintf(at, " ");
            at = describe(child, at);
        }
        at += sprintf(at, "%s", node->type == DOC_ARRAY ? "]" : "}");
    }
    return at;
}

/* All documents of a file, or the error: "!OFFSET". */
static void describe_all(struct bytes source, char *at)
{
    struct manifest manifest = manifest_of(&arena, source);
    struct reading got;
    arena_clear(&arena);
    *at = '\0';
    do {
        got = read_next(&manifest);
        if (got.failure)
            at += sprintf(at, "!%u ", got.error.offset);
        else if (got.more) {
            at = describe(got.document.root, at);
            at += sprintf(at, " ");
            EXPECT(got.document.source.data == source.data, "%s", shown(source));
        }
    } while (got.more || got.failure);
}

static const struct {
    const char *source, *nodes;
} placed[] = {
    { "", "" },
    { "a: 1\n", "{@0+4 a@0=1@3+1} " },
    { "a: 0644 # mode\n", "{@0+7 a@0=420@3+4} " },
    { "a: 1\n---\nb: 2\n", "{@0+4 a@0=1@3+1} {@9+4 b@9=2@12+1} " },
    { "a: 1\r\n---\r\nb: x\r\nc: z\r\n", "{@0+4 a@0=1@3+1} {@11+10 b@11=x@14+1 c@17=z@20+1} " },
    { "\xEF\xBB\xBF" "a: \xC3\xA9\nb: x\n", "{@3+10 a@3=\xC3\xA9@6+2 b@9=x@12+1} " },
    { "# \xE2\x82\xAC\n---\n\xEF\xBB\xBF# \xF0\x9F\x98\x80\r\nk: \xF0\x9F\x98\x80\r\nl: 'x'\n", "null@0+0 {@21+15 k@21=\xF0\x9F\x98\x80@24+4 l@30=x@33+3} " },
    { "a:\n  - b\n  -\n  - c: d\n\n# end\n\ne: |\n  x\n\n\n", "{@0+38 a@0=[@5+16 b@7+1 null@12+0 {@17+4 c@17=d@20+1}] e@30=~x\n@33+5} " },
    { "a: \"x\\ty\"\nb: 'it''s'\n", "{@0+20 a@0=~x\ty@3+6 b@10=~it's@13+7} " },
    { "[1, {a: b}, ]\n", "[@0+13 1@1+1 {@4+6 a@5=b@8+1}] " },
    { "a: &x !!str 12\nb: *x\n", "{@0+20 a@0=12@12+2 b@15=12@12+2} " },
    { "a: &x # one\n  k: v\nb: *x\n", "{@0+24 a@0={@14+4 k@14=v@17+1} b@19={@14+4 k@14=v@17+1}} " },
    { "a: &x {k: 1}\nm:\n  <<: *x\n  z: 2\n", "{@0+31 a@0={@6+6 k@7=1@10+1} m@13={@18+13 k@7=1@10+1 z@27=2@30+1}} " },
    { "m: {<<: [{a: 1}, {b: 2}]}\n", "{@0+25 m@0={@3+22 a@10=1@13+1 b@18=2@21+1}} " },
    { "? a\n\n# x\n? b\n: 1\n", "{@0+16 a@2=null@3+0 b@11=1@15+1} " },
    { "a:\n\n# x\nb: !!str\n", "{@0+16 a@0=null@2+0 b@8=@16+0} " },
    { "&k a: 1\nb: *k\n", "{@0+13 a@3=1@6+1 b@8=a@3+1} " },
    { "a: &k yes\n*k : 1\n", "{@0+16 a@0=true@6+3 true@6=1@15+1} " },
    { " {\"a\" : 1}\n---\nb: 2\n", "{@1+9 a@2=1@8+1} {@15+4 b@15=2@18+1} " },
    { "{\"a\":1}\n---\nb: 2\n", "{@0+7 a@1=1@5+1} {@12+4 b@12=2@15+1} " },
    { "!s\xE2\x80\xA8t#:", "{@5+3 t#@5=null@8+0} " }, /* U+2028 ends the tag */
    { "- &a # c\xC2\x85  x\n", "[@0+13 x@12+1] " },
    /* errors, and what comes after them */
    { "a: 1\n---\nb: [\n---\nc: 3\n", "{@0+4 a@0=1@3+1} !14 {@18+4 c@18=3@21+1} " },
    { "a: 1\n---x\nb: 2\n", "!8 {@10+4 b@10=2@13+1} " },
    { "\xC3\xA9: 1\n\xC3\xA9: 2\n", "!6 " },
    { "\xC3\xA9: 1\r\nb: \xFF\n", "!10 " },
    { "\xC3\xA9: 1\r\nb: @x\r\n", "!10 " },
    { "b: &b {a: 1}\nm:\n  a: 2\n  <<: *b\n", "!18 " },
    { "b: &b {a: 1}\nm:\n  <<: [*b, *b]\n", "!18 " },
    { "{\"a\":1}{\"b\":2}\n---\nc: 3\n", "{@0+7 a@1=1@5+1} {@7+7 b@8=2@12+1} !16 " },
    { "{\"a\":\"\\u0000\"}{\"b\":2}", "!1 {@14+7 b@15=2@19+1} " },
    { "a: 1\n...\nb: 2\n---\nc: 3\n", "!9 {@18+4 c@18=3@21+1} " },
    { "a: *b\n---\n", "!3 " },
    { "\xC3\xA9: \"x\nb: 1\n", "!4 " }, /* the quote that is not closed, not the end */
    { "\xC3\xA9: 1\nbcd\ne: 1\n", "!6 " }, /* the line without a colon, not the next one */
    { "a:\n\tb: 1\n", "!3 " },
};

static void test_places(void **state)
{
    static char text[4096];
    (void)state;
    for (size_t i = 0; i < COUNT(placed); i++) {
        struct bytes source = exact_copy(bytes_of(placed[i].source));
        describe_all(source, text);
        EXPECT(strcmp(text, placed[i].nodes) == 0, "%s\n  got  %s\n  want %s", shown(source), text, placed[i].nodes);
        free_copy(source);
    }
    assert_rows();
}

/* What an alias brings in is nobody else's: a later pass writes into the nodes. */
static void test_copies_are_not_shared(void **state)
{
    (void)state;
    struct reading got = read_first(bytes_of("a: &x [1, {b: 2}]\nc: *x\nd: {<<: &y {e: [3]}}\nf: *y\n"));
    assert_int_equal(got.failure, FAILURE_NONE);
    assert_true(got.document.is_yaml);
    const struct doc_node *a = doc_member(got.document.root, "a"), *c = doc_member(got.document.root, "c");
    assert_ptr_not_equal(a, c);
    assert_ptr_not_equal(a->first, c->first);
    assert_ptr_not_equal(a->first->next->first, c->first->next->first);
    const struct doc_node *d = doc_member(got.document.root, "d"), *f = doc_member(got.document.root, "f");
    assert_ptr_not_equal(d->first, f->first);
    assert_ptr_not_equal(d->first->first, f->first->first);
}

static void test_which_rule(void **state)
{
    (void)state;
    assert_true(read_first(bytes_of("a: [\n")).error.in_yaml);
    assert_false(read_first(bytes_of("{\"a\": [}\n")).error.in_yaml);
    assert_true(read_first(bytes_of("{a: 1, a: 2}\n")).error.stricter);
    assert_false(read_first(bytes_of("{\"a\": 1}\n")).document.is_yaml);
}

/* Whatever the marks, the text given to the parser is cut anywhere into buffers: 16 KiB of CR LF with the break at every place. */
static void test_long_lines_of_crlf(void **state)
{
    (void)state;
    for (unsigned shift = 0; shift < 4; shift++) {
        char *text = malloc(80000), *at = text;
        assert_non_null(text);
        at += sprintf(at, "%.*s\r\na: 1\r\nb: |\r\n", (int)shift, "###");
        for (unsigned i = 0; i < 10000; i++)
            at += sprintf(at, " \xC3\xA9x\r\n");
        uint32_t last = (uint32_t)(at - text);
        at += sprintf(at, "c: end\r\n");
        struct reading got = read_first((struct bytes){ text, (uint32_t)(at - text) });
        EXPECT(got.failure == FAILURE_NONE, "shift %u", shift);
        const struct doc_node *b = doc_member(got.document.root, "b"), *c = doc_member(got.document.root, "c");
        EXPECT(b && b->count == 40000 && !memchr(b->text, '\r', b->count), "shift %u", shift);
        EXPECT(c && c->name_offset == last && c->offset == last + 3, "shift %u", shift);
        free(text);
    }
    assert_rows();
}

static void test_utf16(void **state)
{
    static const char text[] = "\xFE\xFF\0a\0:\0 \0\xE9\0\n\0b\0:\0 \0x\0\n";
    static const char slash[] = "\xFE\xFF\0\"\0\\\0/\0\"\0\n", directive[] = "\xFE\xFF\0%\0a\0\n";
    (void)state;
    struct reading got = read_first((struct bytes){ text, sizeof text - 1 });
    assert_int_equal(got.failure, FAILURE_NONE);
    const struct doc_node *b = doc_member(got.document.root, "b");
    assert_true(b && b->name_offset == 12 && b->offset == 18 && b->size == 2);
    assert_int_equal(read_first((struct bytes){ slash, sizeof slash - 1 }).failure, FAILURE_SYNTAX);
    assert_int_equal(read_first((struct bytes){ directive, sizeof directive - 1 }).failure, FAILURE_SYNTAX);
}

/* ---- limits ---- */

/* `depth` levels of nesting in several spellings; 'a' is an anchored part of which an alias is the inner half. */
static struct bytes nest(char how, unsigned depth)
{
    char *text = malloc(depth * (depth + 8) + 100), *at = text;
    assert_non_null(text);
    if (how == 'a')
        at += sprintf(at, "- &a %s%s\n- ", "[[[[[[[[[[[[[[[[", "]]]]]]]]]]]]]]]]"); /* 16 */
    unsigned levels = how == 'a' ? depth - 17 : depth;
    for (unsigned i = 0; i < levels; i++)
        at += how == 'b' ? sprintf(at, "%*sa:\n", (int)i, "") : sprintf(at, how == 'm' ? "{a: {<<: " : how == 'd' ? "- " : "[");
    at += sprintf(at, how == 'a' ? "*a" : how == 'm' ? "{}" : how == 'd' ? "x" : "");
    for (unsigned i = 0; i < levels && (how == 'f' || how == 'a' || how == 'm'); i++)
        at += sprintf(at, how == 'm' ? "}}" : "]");
    at += sprintf(at, "\n");
    return (struct bytes){ text, (uint32_t)(at - text) };
}

static void test_depth(void **state)
{
    (void)state;
    for (const char *how = "fbda"; *how; how++)
        for (unsigned depth = LIMIT_DEPTH - 1; depth <= LIMIT_DEPTH + 1; depth++) {
            struct bytes text = nest(*how, depth);
            struct reading got = read_first(text);
            EXPECT(got.failure == (depth <= LIMIT_DEPTH ? FAILURE_NONE : FAILURE_LIMIT), "%c, %u levels: %d", *how, depth, got.failure);
            EXPECT(depth <= LIMIT_DEPTH || strstr(got.error.message, "nesting over 64"), "%s", got.error.message);
            free_copy(text);
        }
    assert_rows();
}

/* A mapping that is merged adds no level; {a: {<<: is one level and a merged one. */
static void test_merged_levels_do_not_count(void **state)
{
    (void)state;
    for (unsigned depth = LIMIT_DEPTH - 1; depth <= LIMIT_DEPTH; depth++) {
        struct bytes text = nest('m', depth);
        struct reading got = read_first(text);
        EXPECT(got.failure == (depth < LIMIT_DEPTH ? FAILURE_NONE : FAILURE_LIMIT), "%u levels: %d", depth, got.failure);
        free_copy(text);
    }
    assert_rows();
}

static void expect_nodes(const char *head, const char *unit, uint32_t units, bool good)
{
    struct bytes list = repeated(unit, units, "");
    char *text = malloc(strlen(head) + list.length);
    assert_non_null(text);
    memcpy(text, head, strlen(head));
    memcpy(text + strlen(head), list.data, list.length);
    struct reading got = read_first((struct bytes){ text, (uint32_t)strlen(head) + list.length });
    EXPECT(got.failure == (good ? FAILURE_NONE : FAILURE_LIMIT), "%s%u times %s: %d", head, units, unit, got.failure);
    EXPECT(good || strstr(got.error.message, "too many values"), "%s", got.failure ? got.error.message : "");
    free(text);
    free_copy(list);
}

static void test_nodes(void **state)
{
    (void)state;
    for (int more = -1; more <= 1; more++)
        expect_nodes("", "- 0\n", LIMIT_NODES - 1 + (uint32_t)more, more <= 0); /* and the list */
    for (int more = -1; more <= 1; more++) {
        char *whole = malloc(LIMIT_NODES * 8u);
        assert_non_null(whole);
        char *at = whole + sprintf(whole, "- &a [0, 0]\n"); /* the list, 3, and then 4 a line: 1 own and the copy of 3 */
        uint32_t lines = (LIMIT_NODES - 4) / 4;
        for (uint32_t i = 0; i < lines; i++)
            at += sprintf(at, "- 0\n- *a\n");
        for (int i = 0; i < more; i++)
            at += sprintf(at, "- 0\n");
        struct reading got = read_first((struct bytes){ whole, (uint32_t)(at - whole) - (more < 0 ? 5u : 0u) });
        EXPECT(got.failure == (more <= 0 ? FAILURE_NONE : FAILURE_LIMIT), "%d more: %d", more, got.failure);
        free(whole);
    }
    assert_rows();
}

/* Of a List each object has a count of its own, aliases in their places, too; what is no List counts together. */
static void test_nodes_of_a_list(void **state)
{
    static const struct {
        const char *prefix, *item, *suffix;
        bool is_list;
    } rows[] = {
        { "apiVersion: v1\nitems:\n", "- ", "kind: List\n", true },
        { "metadata: {a: [1]}\nitems: # all\n", "- &a ", "- x: *a\n", true },
        { "a: &all\n  b: 1\nitems:\n", "- ", "", true },
        { "item:\n", "- ", "", false },
        { "spec:\n  items:\n", "  - ", "", false },
        { "- items:\n", "  - ", "", false },
        { "", "- ", "", false },
    };
    enum { OWN = LIMIT_NODES - 2 }; /* of the list in each object, which another mapping may stand around */
    struct bytes values = repeated("0,", OWN - 2, "0]\n");
    char *text = malloc(4 * (size_t)values.length + 1000);
    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < COUNT(rows); i++)
        for (int more = 0; more <= 1; more++) {
            char *at = stpcpy(text, rows[i].prefix);
            for (int j = 0; j < 3; j++)
                at += sprintf(at, "%s[%s%.*s", rows[i].item, more && j == 2 ? "0,0,0," : "", (int)values.length, values.data);
            at = stpcpy(at, rows[i].suffix);
            struct reading got = read_first((struct bytes){ text, (uint32_t)(at - text) });
            EXPECT(got.failure == (rows[i].is_list && !more ? FAILURE_NONE : FAILURE_LIMIT), "%s: %d", rows[i].prefix, got.failure);
            EXPECT(!got.failure || strstr(got.error.message, "too many values"), "%s: %s", rows[i].prefix, got.error.message);
        }
    free(text);
    free_copy(values);
    assert_rows();
}

/* Of the largest file everything is read: U+0000 is none of YAML. */
static void test_bytes(void **state)
{
    char *text = calloc(1, LIMIT_FILE_BYTES + 1u);
    (void)state;
    assert_non_null(text);
    for (uint32_t more = 0; more <= 1; more++) {
        struct manifest manifest = manifest_of(&arena, (struct bytes){ text, LIMIT_FILE_BYTES + more });
        struct reading got = read_next(&manifest);
        EXPECT(got.failure == (more ? FAILURE_LIMIT : FAILURE_SYNTAX), "%u more: %d", more, got.failure);
        got = read_next(&manifest);
        EXPECT(got.failure == FAILURE_NONE && !got.more, "%u more", more);
    }
    free(text);
    assert_rows();
}

static void test_anchors(void **state)
{
    (void)state;
    for (uint32_t count = LIMIT_ANCHORS - 1; count <= LIMIT_ANCHORS + 1; count++) {
        char *text = malloc(count * 14u), *at = text;
        assert_non_null(text);
        for (uint32_t i = 0; i < count; i++)
            at += sprintf(at, "- &%x 0\n", i);
        struct reading got = read_first((struct bytes){ text, (uint32_t)(at - text) });
        EXPECT(got.failure == (count <= LIMIT_ANCHORS ? FAILURE_NONE : FAILURE_LIMIT), "%u anchors: %d", count, got.failure);
        free(text);
    }
    assert_rows();
}

/* Refused before it is built: in no time, and with no more memory than an arena may have kept from before. */
static void test_bombs(void **state)
{
    char text[4096], *at = text + sprintf(text, "a0: &a0 [x, x, x, x, x, x, x, x]\n");
    (void)state;
    for (int i = 1; i < 20; i++)
        at += sprintf(at, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i, i, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    double before = cpu_seconds();
    struct reading got = read_first((struct bytes){ text, (uint32_t)(at - text) });
    EXPECT(got.failure == FAILURE_LIMIT, "%d", got.failure);
    EXPECT(arena.taken <= LIMIT_ARENA_KEPT_BYTES, "%zu bytes", arena.taken);
    EXPECT(cpu_seconds() - before < 0.05 * slowness(), "%.3f s", cpu_seconds() - before);
    at = text + sprintf(text, "a0: &a0 {k0: x}\n");
    for (int i = 1; i < 60; i++)
        at += sprintf(at, "a%d: &a%d {l%d: *a%d, m%d: *a%d}\n", i, i, i, i - 1, i, i - 1);
    got = read_first((struct bytes){ text, (uint32_t)(at - text) });
    EXPECT(got.failure == FAILURE_LIMIT && arena.taken <= LIMIT_ARENA_KEPT_BYTES, "%d, %zu bytes", got.failure, arena.taken);
    assert_rows();
}

/* Text that aliases repeat counts again, as a reader of the tree goes through it again. */
static void test_repeated_text(void **state)
{
    struct bytes word = repeated("x", 1u << 20, "\n");
    char *text = malloc(word.length + 1000), *at = text;
    (void)state;
    assert_non_null(text);
    at += sprintf(at, "- &a %.*s", (int)word.length, word.data);
    for (int i = 0; i < 16; i++)
        at += sprintf(at, "- *a\n");
    assert_int_equal(read_first((struct bytes){ text, (uint32_t)(at - text) }).failure, FAILURE_NONE);
    at += sprintf(at, "- *a\n");
    assert_int_equal(read_first((struct bytes){ text, (uint32_t)(at - text) }).failure, FAILURE_LIMIT);
    free(text);
    free_copy(word);
}

/* ---- memory ---- */

static void test_every_allocation_may_fail(void **state)
{
    bool whole = false;
    char *text = malloc(600000), *at = text;
    (void)state;
    assert_non_null(text);
    for (int i = 0; i < 3000; i++)
        at += sprintf(at, "- &a%d {b: \"\\u0041\", c: !!binary aGk=, d: 0644, e: [*a%d], f: 1, g: 1, h: 1, i: 1, j: 1, k%d: {<<: {x: 1}}}\n", i, i ? i - 1 : 0, i);
    memcpy(strstr(text, "*a0"), "123", 3);
    memcpy(strstr(text, "e: [*a0]"), "e: [123]", 8); /* the second line's */
    for (size_t failing = 1; failing <= 40 && !whole; failing++) {
        struct counted_memory counted;
        struct arena failing_arena;
        counted_init(&counted, failing);
        arena_init(&failing_arena, &counted.memory, LIMIT_ARENA_BYTES);
        struct manifest manifest = manifest_of(&failing_arena, (struct bytes){ text, (uint32_t)(at - text) });
        struct reading got = read_next(&manifest);
        whole = counted.calls < failing;
        EXPECT(whole ? got.failure != FAILURE_MEMORY : got.failure == FAILURE_MEMORY, "call %zu: %d", failing, got.failure);
        got = read_next(&manifest);
        EXPECT(got.failure == FAILURE_NONE && !got.more, "call %zu", failing);
        arena_done(&failing_arena);
        EXPECT(counted.live == 0, "call %zu", failing);
    }
    assert_true(whole);
    free(text);
    assert_rows();
}

static void test_arena_limit_is_a_limit(void **state)
{
    static const char text[] = "a: &a {b: \"\\u0041\", d: 0644, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1}\ne: *a\nf: !!binary aGk=\n";
    unsigned good = 0;
    (void)state;
    for (size_t limit = 0; limit <= 8192; limit += 8) {
        struct arena small;
        arena_init(&small, &memory_malloc, limit);
        struct manifest manifest = manifest_of(&small, bytes_of(text));
        struct reading got = read_next(&manifest);
        EXPECT(got.failure == FAILURE_LIMIT || (got.failure == FAILURE_NONE && got.more), "%zu bytes: %d", limit, got.failure);
        EXPECT(got.failure == FAILURE_NONE || good == 0, "%zu bytes", limit);
        good += got.failure == FAILURE_NONE;
        arena_done(&small);
    }
    assert_in_range(good, 100, 1000);
    assert_rows();
}

/* ---- time ---- */

/* A megabyte each takes 0.2 s at most, over a second with the address sanitizer; anything quadratic would take minutes. */
static void test_hostile_texts_take_no_time(void **state)
{
    static const struct {
        const char *head, *unit, *tail;
    } cases[] = {
        { "", "a: 1\n---\n", "" },     { "", "[\n---\n", "" },           { "", "%TAG !a! b\r", "" },    { "a: \"", "\\u0041", "\"" },
        { "a: \"", "x\n ", "\"" },     { "a: |\n", "\n", "" },           { "", "- &a x\n", "" },        { "b: &b {q: 1}\nm:\n", "  <<: *b\n", "" },
        { "m: {", "<<: {}, ", "}" },   { "", "[", "" },                  { "", "[\n", "" },             { "", "- ", "" },
        { "", "{<<: ", "" },           { "", "# c\n", "" },              { "a: 1\n", "# c\n", "" },     { "", "- a\r\n", "" },
        { "a: ", "1", "" },            { "a: 0.", "0", "1" },            { "a", ":", "" },              { "? ", "x", "\n: 1" },
        { "- &a [x]\n", "- *a\n", "" }, { "", "- 1.2345678901234567e-300\n", "" }, { "{a: [", "b, ", "]}" }, { "", "{\"a\":1}", "" },
        { "", "----\n", "" },          { "a: ", "\xEF\xBC\xA1", "" },    { "", "\r", "" },              { "&", "a", " x" },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint32_t head = (uint32_t)strlen(cases[i].head);
        struct bytes units = repeated(cases[i].unit, (1u << 20) / strlen(cases[i].unit), cases[i].tail);
        char *text = malloc(head + units.length);
        assert_non_null(text);
        memcpy(text, cases[i].head, head);
        memcpy(text + head, units.data, units.length);
        struct manifest manifest = manifest_of(&arena, (struct bytes){ text, head + units.length });
        struct reading got = { .more = true };
        double before = cpu_seconds();
        while (got.more || got.failure) {
            arena_clear(&arena);
            got = read_next(&manifest);
        }
        EXPECT(cpu_seconds() - before < 5.0 * slowness(), "%s: %.3f s", cases[i].unit, cpu_seconds() - before);
        free(text);
        free_copy(units);
    }
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_copies_are_not_shared),
        cmocka_unit_test(test_which_rule),
        cmocka_unit_test(test_long_lines_of_crlf),
        cmocka_unit_test(test_utf16),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_merged_levels_do_not_count),
        cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_nodes_of_a_list),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_anchors),
        cmocka_unit_test(test_bombs),
        cmocka_unit_test(test_repeated_text),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_arena_limit_is_a_limit),
        cmocka_unit_test(test_hostile_texts_take_no_time),
    };
    return cmocka_run_group_tests_name("yaml", tests, start_arena, end_arena);
}
