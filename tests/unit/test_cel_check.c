/* Types, costs and limits of expressions, where what Kubernetes' compiler says of the whole (tests/conformance) does not show the place of a mistake:
 * which types fit which, what each part costs, and that every failure of memory and every limit is told. */
#include "unit.h"
#include "unit_arena.h"

#include "cel/compile.h"
#include "cel/limits.h"
#include "cel/unify.h"
#include "schema/cel.h"

#define VERSION 35 /* of Kubernetes 1 */

/* Names of classes are read as the Go does with which the API server is built. */
static void test_patterns_by_version(void **state)
{
    static const char *const texts[] = { "\"a\".matches(r\"\\p{letter}\")", "\"a\".find(r\"\\p{letter}\") == \"\"" };
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++)
        for (unsigned version = 31; version <= 36; version++) {
            struct cel_expression compiled;
            assert_int_equal(cel_compile(bytes_of(texts[i]), &cel_device_library, cel_environment(version), &arena, &compiled), FAILURE_NONE);
            EXPECT(compiled.class == (version <= 34 ? CEL_CHECK : CEL_GOOD), "%s in 1.%u: %d", texts[i], version, compiled.class);
            arena_clear(&arena);
        }
    assert_rows();
}

static enum failure compile(struct arena *place, const char *text, struct cel_expression *compiled)
{
    arena_clear(place);
    return cel_compile(bytes_of(text), &cel_device_library, cel_environment(VERSION), place, compiled);
}

/* ---- which types fit ---- */

static const struct cel_type dyn = { .kind = CEL_DYN }, integer = { .kind = CEL_INT }, text_type = { .kind = CEL_STRING },
                             null = { .kind = CEL_NULL }, duration = { .kind = CEL_DURATION }, error_type = { .kind = CEL_ERROR },
                             ip = { .kind = CEL_OPAQUE, .name = "net.IP" }, other_ip = { .kind = CEL_OPAQUE, .name = "net.CIDR" },
                             wrapper = { .kind = CEL_WRAPPER, .parameters = { &integer } };

static bool fits(struct cel_bindings *bindings, const struct cel_type *from, const struct cel_type *to)
{
    return cel_assignable(bindings, &from, &to, 1);
}

static void test_assignable(void **state)
{
    static const struct {
        const struct cel_type *from, *to;
        bool fits;
    } cases[] = {
        { &integer, &integer, true }, { &integer, &text_type, false }, { &integer, &dyn, true }, { &dyn, &integer, true },
        { &null, &ip, true }, { &null, &duration, true }, { &null, &integer, false }, { &null, &wrapper, true }, { &integer, &wrapper, true },
        { &wrapper, &integer, true }, { &text_type, &wrapper, false }, { &ip, &ip, true }, { &ip, &other_ip, false }, { &error_type, &ip, true },
    };
    struct cel_bindings bindings;
    (void)state;
    arena_clear(&arena);
    cel_bindings_init(&bindings, &arena);
    for (size_t i = 0; i < COUNT(cases); i++)
        EXPECT(fits(&bindings, cases[i].from, cases[i].to) == cases[i].fits, "case %zu", i);
    assert_rows();
}

/* An unknown type becomes what it is used as; a test that fails leaves nothing behind. */
static void test_unknown(void **state)
{
    struct cel_bindings bindings;
    (void)state;
    arena_clear(&arena);
    cel_bindings_init(&bindings, &arena);
    const struct cel_type *unknown = cel_type_unknown(&bindings), *other = cel_type_unknown(&bindings);
    const struct cel_type *from[] = { unknown, &text_type }, *to[] = { &integer, &integer };
    assert_false(cel_assignable(&bindings, from, to, 2));
    assert_int_equal(cel_type_known(&bindings, unknown, true)->kind, CEL_DYN);
    assert_true(fits(&bindings, unknown, &integer));
    assert_int_equal(cel_type_known(&bindings, unknown, false)->kind, CEL_INT);
    assert_false(fits(&bindings, unknown, &text_type));
    const struct cel_type *list = cel_type_of(&bindings, CEL_LIST, other, NULL), *ints = cel_type_of(&bindings, CEL_LIST, &integer, NULL);
    assert_true(fits(&bindings, list, ints));
    assert_true(cel_type_same(&bindings, cel_type_known(&bindings, list, true), ints));
    assert_true(cel_more_general(&bindings, &dyn, ints) && !cel_more_general(&bindings, ints, &dyn));
    assert_int_equal(bindings.failure, FAILURE_NONE);
}

/* A type is no part of itself. */
static void test_endless(void **state)
{
    struct cel_bindings bindings;
    (void)state;
    arena_clear(&arena);
    cel_bindings_init(&bindings, &arena);
    const struct cel_type *unknown = cel_type_unknown(&bindings), *list = cel_type_of(&bindings, CEL_LIST, unknown, NULL);
    (void)fits(&bindings, list, unknown);
    (void)fits(&bindings, unknown, list);
    assert_non_null(cel_type_known(&bindings, list, true));
    assert_int_equal(bindings.failure, FAILURE_NONE);
}

static void test_steps(void **state)
{
    struct cel_bindings bindings;
    (void)state;
    arena_clear(&arena);
    cel_bindings_init(&bindings, &arena);
    const struct cel_type *one = &integer, *other = &integer;
    for (int i = 0; i < 30; i++) {
        one = cel_type_of(&bindings, CEL_MAP, one, one);
        other = cel_type_of(&bindings, CEL_MAP, other, other);
    }
    (void)fits(&bindings, one, other);
    assert_int_equal(bindings.failure, FAILURE_LIMIT);
}

/* ---- what parts cost ---- */

static const struct {
    const char *expression;
    const char *costs; /* of the nodes in the order of the text, from the outside in */
} cost_rows[] = {
    { "true", "0" },
    { "device.driver == \"a\"", "3 2 1 0" },
    { "device.attributes[\"a\"].x == 1", "5 4 3 2 1 0 0" },
    { "[1, 2].exists(x, x == 1)", "23 10 0 0 0 3 2 1 3 1 2 1 0 1" },
};

static char *add_costs(const struct cel_expression *compiled, const struct cel_node *node, char *at)
{
    const struct cel_node *part;
    at += sprintf(at, "%llu ", (unsigned long long)compiled->estimate.nodes[node->number]);
    for (uint32_t i = 0; (part = cel_part(node, i)); i++)
        at = add_costs(compiled, part, at);
    return at;
}

static void test_costs(void **state)
{
    struct cel_expression compiled;
    char found[512];
    (void)state;
    for (size_t i = 0; i < COUNT(cost_rows); i++) {
        assert_int_equal(compile(&arena, cost_rows[i].expression, &compiled), FAILURE_NONE);
        assert_int_equal(compiled.class, CEL_GOOD);
        add_costs(&compiled, compiled.tree.root, found)[-1] = '\0';
        EXPECT(strcmp(found, cost_rows[i].costs) == 0, "%s: %s", cost_rows[i].expression, found);
        EXPECT(compiled.estimate.nodes[compiled.tree.root->number] == compiled.estimate.cost, "%s", cost_rows[i].expression);
    }
    assert_rows();
}

/* ---- limits and memory ---- */

/* Each link of optMap() doubles the tree. */
static void test_doubling(void **state)
{
    struct cel_expression compiled;
    struct bytes text;
    (void)state;
    for (unsigned links = 1; links <= 40; links++) {
        char expression[1024] = "optional.of(1)";
        for (unsigned i = 0; i < links; i++)
            strcat(expression, ".optMap(x, x)");
        assert_int_equal(compile(&arena, expression, &compiled), FAILURE_NONE);
        EXPECT(compiled.class == CEL_TOO_COMPLEX || (links < 20 && compiled.class == CEL_RESULT_TYPE), "%u links: %d", links, compiled.class);
    }
    text = repeated("a", LIMIT_CEL_BYTES, "b");
    assert_int_equal(cel_compile(text, &cel_device_library, cel_environment(VERSION), &arena, &compiled), FAILURE_NONE);
    assert_int_equal(compiled.class, CEL_TOO_LONG);
    free_copy(text);
    assert_rows();
}

/* Whatever allocation fails, that is told, and all memory is given back. */
static void test_memory(void **state)
{
    static const char *const expressions[] = {
        "cel.bind(gpu, device.attributes[\"gpu.acme.dev\"], gpu.model.matches(r\"^(a|b)[0-9]+$\") && [1, 2].exists(x, x == gpu.index))",
        "duration(\"x\") == 1 && \"%d\".format([\"a\"]) == foo(device.driver, \"\\u0041\") && {1: [1, \"a\"]}.transformMap(k, v, k + v) == {}",
        "device.driver = ) $ 'a",
        "device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, a.matches(b) && b.matches(c))))",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(expressions); i++) {
        enum failure failure = FAILURE_MEMORY;
        for (size_t failing = 1; failure; failing++) {
            struct counted_memory memory;
            struct cel_expression compiled;
            struct arena place;
            counted_init(&memory, failing);
            arena_init(&place, &memory.memory, LIMIT_ARENA_BYTES);
            failure = compile(&place, expressions[i], &compiled);
            EXPECT(!failure || failure == FAILURE_MEMORY, "%s: allocation %zu: %d", expressions[i], failing, failure);
            if (!failure && compiled.class != CEL_GOOD)
                (void)cel_device_library.hint(&cel_device_library, &compiled, bytes_of(expressions[i]), &place);
            arena_done(&place);
            EXPECT(memory.live == 0, "%s: allocation %zu", expressions[i], failing);
        }
    }
    assert_rows();
}

/* Where the arena's own limit is reached, the expression is too complex, and nothing of it is left to print. */
static void test_arena(void **state)
{
    struct cel_expression compiled;
    struct arena place;
    (void)state;
    arena_init(&place, &memory_malloc, 4096);
    const char *text = "device.attributes.all(a, device.attributes.all(b, a == b && a.matches(\"[a-z]+\") && b.matches(\"[0-9]+\")))";
    assert_int_equal(compile(&place, text, &compiled), FAILURE_NONE);
    assert_int_equal(compiled.class, CEL_TOO_COMPLEX);
    assert_int_equal(compiled.errors.count, 0);
    assert_null(compiled.tree.root);
    arena_done(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns_by_version),
        cmocka_unit_test(test_assignable), cmocka_unit_test(test_unknown), cmocka_unit_test(test_endless), cmocka_unit_test(test_steps),
        cmocka_unit_test(test_costs), cmocka_unit_test(test_doubling), cmocka_unit_test(test_memory), cmocka_unit_test(test_arena),
    };
    return cmocka_run_group_tests(tests, start_arena, end_arena);
}
