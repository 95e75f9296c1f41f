/* Values that share the nodes of one before them: the tree is the same as without, and how much is shared. */
#include "unit.h"

#include "base/fast_paths.h"
#include "doc/json.h"
#include "object/object.h"
#include "schema/rows.h"

static const struct field inner_fields[] = {
    FIELD("text",   STRING),
    FIELD("number", INT64),
    FIELD("amount", QUANTITY),
    FIELD("time",   TIME),
};
static const struct shape inner = OBJECT(inner_fields);

static const struct field outer_fields[] = {
    FIELD("name", STRING),
    FIELD("map",  MAP(&inner)),
    FIELD("list", LIST(&inner)),
};
static const struct shape outer = OBJECT(outer_fields);
static const struct shape outers = { SHAPE_OF(LIST), .of = &outer };

static struct arena arena;

static const struct doc_node *read_as(enum json_profile profile, const char *text, const char **message)
{
    struct object_schema schema;
    struct document document = { .root = NULL };
    struct doc_error error;
    uint32_t end;
    object_schema_init(&schema, MINOR_NEWEST);
    const struct json_input input = { .source = bytes_of(text), .alone = true, .profile = profile, .schema = &schema.schema, .state = &outers,
                                      .arena = &arena, .key = { { 1, 2 } } };
    *message = json_read(&input, &document, &end, &error) ? error.message : "";
    return document.root;
}

static bool is_container(const struct doc_node *node)
{
    return node->type == DOC_ARRAY || node->type == DOC_OBJECT;
}

static bool is_same(const struct doc_node *a, const struct doc_node *b)
{
    bool alike = a->type == b->type && a->flags == b->flags && a->count == b->count && a->field == b->field && a->size == b->size &&
                 bytes_equal(doc_name(a), doc_name(b));
    if (!alike || !is_container(a))
        return alike && ((a->type != DOC_STRING && a->type != DOC_NUMBER) || bytes_equal(doc_text(a), doc_text(b)));
    const struct doc_node *other = b->first;
    for (const struct doc_node *child = a->first; child; child = child->next, other = other->next)
        if (!other || !is_same(child, other))
            return false;
    return !other;
}

/* How many of the objects and lists of `node` below it have the very children of an earlier sibling of theirs. */
static unsigned shared(const struct doc_node *node)
{
    unsigned count = 0;
    doc_each(node, child) {
        count += shared(child);
        for (const struct doc_node *before = node->first; before != child; before = before->next)
            if (is_container(child) && child->count && is_container(before) && before->first == child->first) {
                count++;
                break;
            }
    }
    return count;
}

#define DEVICE(name, text, number) "{\"name\":\"" name "\",\"map\":{\"a\":{\"text\":\"" text "\"},\"b\":{\"number\":" number "}}}"

static void test_the_tree_is_the_same(void **state)
{
    static const struct {
        const char *text;
        unsigned shared; /* of the elements of the root only those whose children are shared as a whole count */
    } cases[] = {
        { "[]", 0 },
        { "[{\"name\":\"x\"}]", 0 },
        { "[{\"name\":\"x\"},{\"name\":\"x\"}]", 1 },
        { "[{\"name\":\"x\"},{\"name\":\"x\"},{\"name\":\"xx\"},{\"name\":\"xx\"}]", 2 },
        { "[{\"name\":\"x\"}, {\"name\":\"x\"}]", 1 },
        { "[{\"name\":\"x\"} ,{\"name\":\"x\"} ]", 0 },
        { "[" DEVICE("a", "x", "1") "," DEVICE("b", "x", "1") "]", 0 },
        { "[" DEVICE("a", "x", "1") "," DEVICE("a", "x", "12") "]", 0 },
        { "[" DEVICE("a", "x", "12") "," DEVICE("a", "x", "1") "]", 0 },
        { "[" DEVICE("a", "x", "1") "," DEVICE("a", "x", "-1") "," DEVICE("a", "x", "-1") "]", 1 },
        { "[" DEVICE("a", "\\u0041", "1") "," DEVICE("b", "\\u0041", "1") "," DEVICE("b", "\xC3\xA9", "1") "," DEVICE("c", "\xC3\xA9", "1") "]", 0 },
        { "[{\"list\":[{\"amount\":\"1Gi\"},{\"amount\":\"1Gi\"},{\"amount\":\"1Ki\"},{\"amount\":\"1k\"},{\"amount\":1}]}]", 1 },
        { "[{\"list\":[{\"amount\":\"1e3\"},{\"amount\":\"1e3\"},{\"amount\":\"1k\"}]},{\"list\":[{\"amount\":\"1e3\"},{\"amount\":\"1k\"}]}]", 1 },
        { "[{\"list\":[{\"text\":1},{\"text\":1},{\"text\":\"1\"}]},{\"list\":[{\"text\":1},{\"text\":1},{\"text\":\"1\"}]}]", 3 },
        { "[{\"list\":[{\"time\":\"x\"},{\"number\":true}]},{\"list\":[{\"time\":\"x\"},{\"number\":true},{\"number\":true}],\"name\":\"\"}]", 1 },
        { "[{\"map\":{\"a\":{},\"b\":{},\"c\":{\"text\":\"\"}}},{\"map\":{\"a\":{},\"c\":{\"text\":\"\"},\"d\":{\"text\":\"\"}}}]", 0 },
        { "[{\"map\":{\"a\":null,\"b\":null}},{\"map\":{\"a\":null}},{\"map\":null},{\"map\":{\"b\":null}}]", 0 },
        { "[{\"map\":{\"b\":{\"number\":1}},\"name\":\"x\"},{\"name\":\"x\",\"map\":{\"b\":{\"number\":1}}}]", 0 },
        { "[1,1,null,null,\"x\",\"x\"]", 0 },
        { "[{\"list\":[{\"number\":1},{\"number\":2},{\"number\":3}]},{\"list\":[{\"number\":2},{\"number\":3},{\"number\":4}]}]", 0 },
        { "[{\"list\":[{\"number\":1},{\"number\":2}],\"list\":[{\"number\":1},{\"number\":2}]}]", 0 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *message, *wanted_message;
        const struct doc_node *got = read_as(JSON_REVIEW, cases[i].text, &message), *wanted = read_as(JSON_STRICT, cases[i].text, &wanted_message);
        if (strcmp(wanted_message, "repeated member name") == 0)
            EXPECT(got && !*message, "%s: %s", cases[i].text, message);
        else
            EXPECT(got && wanted && is_same(got, wanted), "%s: %s, %s", cases[i].text, message, wanted_message);
        unsigned count = got ? shared(got) : 0;
        EXPECT(count == (FAST_PATHS ? cases[i].shared : 0), "%s: %u are shared", cases[i].text, count);
        arena_clear(&arena);
    }
    assert_rows();
}

/* Mistakes in what would be shared are found where they are. */
static void test_mistakes_are_found(void **state)
{
    static const char *const texts[] = {
        "[{\"name\":\"x\"},{\"name\":\"x\"", "[{\"name\":\"x\"},{\"name\":\"x\"}", "[{\"name\":\"x\"},{\"name\":\"x}]", "[{\"name\":\"x\"},{\"name\":\"x\"}}",
        "[{\"name\":\"x\"},{\"name\":\"x\"]", "[{\"name\":\"x\"},{\"name\":\"x\",}]", "[{\"name\":\"x\"}{\"name\":\"x\"}]", "[{\"name\":\"x\"},{\"name\":\"x\"}]]",
        "[{\"list\":[{\"number\":1}]},{\"list\":[{\"number\":1x}]}]", "[{\"list\":[{\"number\":1}]},{\"list\":[{\"number\":1.}]}]",
        "[{\"name\":\"x\"},{\"name\"}]", "[{\"name\":\"x\"},{\"name\":}]", "[{\"name\":\"x\"},{\"name\":\"x\" \"list\":[]}]", "[{\"name\":\"x\"},{\"name\":\"x\\",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *message, *wanted;
        (void)read_as(JSON_REVIEW, texts[i], &message);
        (void)read_as(JSON_STRICT, texts[i], &wanted);
        EXPECT(*message && strcmp(message, wanted) == 0, "%s: %s, not %s", texts[i], message, wanted);
        arena_clear(&arena);
    }
    assert_rows();
}

/* Texts for which each comparison could go on to the end, were it not bounded: each takes no more than some milliseconds. */
static void test_hostile_texts_take_linear_time(void **state)
{
    enum { TIMES = 100000 };
    static const struct {
        const char *before, *again, *after;
    } cases[] = {
        { "[{\"map\":{\"z\":{}}},{\"map\":{\"a\":{}", ",\"a\":{\"text\":\"x\"}", "}}]" },
        { "[{\"list\":[1]},{\"list\":[2", ",{\"text\":\"x\"}", "]}]" },
        { "[{}", " ,{\"name\":\"x\"}", "]" },
        { "[{\"map\":{\"z\":{},\"y\":{}}},{\"map\":{\"a\":{}", ",\"a\":{\"text\":\"x\"} ", "}}]" },
        { "[{\"list\":[{\"number\":1", "1", "}]},{\"list\":[{\"number\":2}]}]" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text text;
        const char *message;
        text_init(&text, &arena);
        text_add(&text, cases[i].before);
        for (int n = 0; n < TIMES; n++)
            text_add(&text, cases[i].again);
        text_add(&text, cases[i].after);
        const char *whole = text_end(&text);
        double start = cpu_seconds();
        (void)read_as(JSON_REVIEW, whole, &message);
        EXPECT(!*message && cpu_seconds() - start < 2 * slowness(), "%s: %.1f s, %s", cases[i].again, cpu_seconds() - start, message);
        arena_clear(&arena);
    }
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_tree_is_the_same),
        cmocka_unit_test(test_mistakes_are_found),
        cmocka_unit_test(test_hostile_texts_take_linear_time),
    };
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_done(&arena);
    return failed;
}
