/* matches(), find() and findAll() in expressions: patterns that are constants and such that are put together, errors, and what hostile ones
 * may take. */
#include "unit.h"

#include "unit_arena.h"
#include "cel/evaluate.h"
#include "cel/limits.h"
#include "schema/cel.h"

static struct arena evaluation;

static enum failure evaluate(const char *text, unsigned version, struct arena *place, struct cel_result *result)
{
    struct cel_expression compiled;
    const struct cel_program *program;
    arena_clear(&arena);
    arena_clear(place);
    assert_int_equal(cel_compile(bytes_of(text), &cel_device_library, cel_environment(version), &arena, &compiled), FAILURE_NONE);
    EXPECT(compiled.class == CEL_GOOD || compiled.class == CEL_TOO_COSTLY, "%s: class %d", shown(bytes_of(text)), compiled.class);
    assert_rows();
    assert_int_equal(cel_program_new(&compiled, &cel_device_library, version, &arena, &program), FAILURE_NONE);
    return cel_evaluate(program, NULL, place, result);
}

static const char *outcome(const struct cel_result *result)
{
    if (result->value.type == CEL_BOOL)
        return result->value.boolean ? "true" : "false";
    return result->value.type == CEL_ERROR ? result->value.fault.words : "of another type";
}

/* As Kubernetes 1.35 says. */
static void test_values(void **state)
{
    static const struct { const char *text, *outcome; } rows[] = {
        { "'ab'.matches('^a')", "true" },
        { "matches('ab', '^b')", "false" },
        { "'ab'.find('a|ab') == 'a'", "true" },
        { "'gpu-17'.find('[0-9]+') == '17'", "true" },
        { "'gpu'.find('[0-9]+') == ''", "true" },
        { "'abc'.findAll('') == ['', '', '', '']", "true" },
        { "'a1b22'.findAll('[0-9]+') == ['1', '22']", "true" },
        { "'a1b22'.findAll('[0-9]+', 1) == ['1']", "true" },
        { "'a1b22'.findAll('[0-9]+', 0) == []", "true" },
        { "'a1b22'.findAll('[0-9]+', -7) == ['1', '22']", "true" },
        { "'a'.findAll('b') == []", "true" },
        { "'\303\251\303\250'.findAll('.') == ['\303\251', '\303\250']", "true" },
        { "'a\\n'.matches('^a$')", "false" },
        { "'k'.matches('(?i)\\u212a')", "true" },
        { "'12345678901234567'.findAll('[0-9]').size() == 17", "true" },
        { "['a', 'b', 'b', 'a'].map(x, 'ab'.find(x + '.*')) == ['ab', 'b', 'b', 'ab']", "true" },
        { "['.', '['].exists(x, 'a'.matches(x))", "true" },
        { "'x'.matches('[' + '')", "error parsing regexp: missing closing ]: `[`" },
        { "'x'.find('(' + '') == ''", "Illegal regex: error parsing regexp: missing closing ): `(`" },
        { "'x'.findAll('(' + '') == []", "Illegal regex: error parsing regexp: missing closing ): `(`" },
    };
    struct cel_result result;
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(evaluate(rows[i].text, 35, &evaluation, &result), FAILURE_NONE);
        EXPECT(strcmp(outcome(&result), rows[i].outcome) == 0, "%s: %s", rows[i].text, outcome(&result));
    }
    assert_rows();
}

static void test_versions(void **state)
{
    struct cel_result result;
    (void)state;
    assert_int_equal(evaluate("'a'.matches('\\\\p{letter}' + '')", 35, &evaluation, &result), FAILURE_NONE);
    assert_string_equal(outcome(&result), "true");
    assert_int_equal(evaluate("'a'.matches('\\\\p{letter}' + '')", 34, &evaluation, &result), FAILURE_NONE);
    assert_string_equal(outcome(&result), "error parsing regexp: invalid character class range: `\\p{letter}`");
}

/* ---- hostile ---- */

static void expect_stop(const char *name, const char *text, const char *words)
{
    struct cel_result result;
    double start = cpu_seconds();
    assert_int_equal(evaluate(text, 35, &evaluation, &result), FAILURE_NONE);
    EXPECT(strcmp(outcome(&result), words) == 0, "%s: %s", name, outcome(&result));
    EXPECT(cpu_seconds() - start < 2 * slowness(), "%s: %.3f s", name, cpu_seconds() - start);
}

static void test_limits(void **state)
{
    static const char too_much[] = "a regular expression is too large, or takes too many steps";
    static char text[LIMIT_CEL_BYTES];
    (void)state;
    /* a text of 100,000 characters, and a pattern of many instructions */
    snprintf(text, sizeof text, "cel.bind(a, '%0100d', cel.bind(b, a+a+a+a+a+a+a+a+a+a, cel.bind(c, b+b+b+b+b+b+b+b+b+b, "
             "cel.bind(d, c+c+c+c+c+c+c+c+c+c, d.matches('(?:0?){999}1') && d.size() > 0))))", 0);
    expect_stop("steps", text, too_much);
    /* a program of more instructions than there may be */
    char *at = stpcpy(text, "'a'.matches('");
    for (int i = 0; i < 300; i++)
        at = stpcpy(at, "a{1000}");
    strcpy(at, "')");
    expect_stop("a program", text, too_much);
    /* patterns that are put together in a loop, and take long to compile */
    at = stpcpy(text, "[0,1].exists(z, [0,1,2,3,4,5,6,7,8,9].exists(x, [0,1,2,3,4,5,6,7,8,9].exists(y, 'a'.matches('");
    for (int i = 0; i < 1100; i++)
        at = stpcpy(at, "[\\\\pL0]x");
    strcpy(at, "' + string(x) + string(y) + string(z)))))");
    expect_stop("patterns", text, too_much);
    assert_rows();
}

static void test_memory(void **state)
{
    static char text[LIMIT_CEL_BYTES];
    struct arena tiny;
    struct cel_result result;
    (void)state;
    snprintf(text, sizeof text, "'%05000d'.find('0*$') == ''", 0); /* a search remembers as much as the text is long */
    arena_init(&tiny, &memory_malloc, 8192);
    assert_int_equal(evaluate(text, 35, &tiny, &result), FAILURE_NONE);
    assert_string_equal(outcome(&result), "the evaluation needs too much memory");
    arena_done(&tiny);
    for (size_t failing = 1; failing < 100; failing++) {
        struct counted_memory counted;
        struct arena place;
        counted_init(&counted, failing);
        arena_init(&place, &counted.memory, LIMIT_CEL_EVALUATION_ARENA);
        enum failure failure = evaluate("'a1b22'.findAll('[0-9]' + '+') == ['1', '22'] && 'a'.matches('a' + 'a*')", 35, &place, &result);
        bool reached = counted.calls >= failing;
        EXPECT(failure == (reached ? FAILURE_MEMORY : FAILURE_NONE), "call %zu: %d", failing, failure);
        arena_done(&place);
        assert_int_equal(counted.live, 0);
        if (!reached)
            break;
    }
    assert_rows();
}

static int start(void **state)
{
    arena_init(&evaluation, &memory_malloc, LIMIT_CEL_EVALUATION_ARENA);
    return start_arena(state);
}

static int end(void **state)
{
    arena_done(&evaluation);
    return end_arena(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests_name("cel_regexp_calls", tests, start, end);
}
