/* Programs of regular expressions: all matches of a text, what limits them, and that nothing takes exponential time. Where a pattern matches
 * first is tested in test_cel_regexp.c. */
#include "unit.h"

#include "unit_arena.h"
#include "cel/limits.h"
#include "cel/match.h"

static const struct cel_regexp_program *compile(const char *pattern, enum cel_regexp_purpose purpose)
{
    const struct cel_regexp_program *program = NULL;
    const char *error = NULL;
    assert_int_equal(cel_regexp_compile(bytes_of(pattern), CEL_REGEXP_GO_1_25, purpose, &arena, &program, &error), FAILURE_NONE);
    assert_null(error);
    assert_non_null(program);
    return program;
}

/* ---- all matches ---- */

static void test_all(void **state)
{
    static const struct { const char *pattern, *text, *matches; } rows[] = { /* as Go's FindAllStringIndex says */
        { "", "abc", "0-0 1-1 2-2 3-3 " },
        { "a*", "baac", "0-0 1-3 4-4 " },
        { "a|", "aba", "0-1 2-3 " },
        { "\\b", "ab cd", "0-0 2-2 3-3 5-5 " },
        { "^a", "aaa", "0-1 " },
        { "(?m)^.", "ab\ncd\n", "0-1 3-4 " },
        { "$", "a\n", "2-2 " },
        { "[0-9]+", "a1b22c333", "1-2 3-5 6-9 " },
        { "", "\303\251x", "0-0 2-2 3-3 " },
        { "x*", "", "0-0 " },
        { "x", "", "" },
        { "\\Bb", "bb", "1-2 " },
        { "a.c", "abcadc", "0-3 3-6 " },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bytes text = exact_copy(bytes_of(rows[i].text));
        struct cel_matcher matcher;
        struct cel_match_all all = { .from = 0 };
        char found[200] = "", *at = found;
        const struct cel_regexp_program *program = compile(rows[i].pattern, CEL_REGEXP_FIND);
        cel_matcher_init(&matcher, &arena);
        do {
            assert_int_equal(cel_regexp_next(&matcher, program, text, &all), FAILURE_NONE);
            if (all.match.found)
                at += snprintf(at, sizeof found - (size_t)(at - found), "%u-%u ", all.match.start, all.match.end);
        } while (all.match.found);
        EXPECT(strcmp(found, rows[i].matches) == 0, "%s in %s: %s", rows[i].pattern, rows[i].text, found);
        assert_int_equal(cel_regexp_next(&matcher, program, text, &all), FAILURE_NONE);
        EXPECT(!all.match.found, "%s in %s: another one", rows[i].pattern, rows[i].text);
        free_copy(text);
        arena_clear(&arena);
    }
    assert_rows();
}

static void test_error(void **state)
{
    const struct cel_regexp_program *program = NULL;
    const char *error = NULL;
    (void)state;
    assert_int_equal(cel_regexp_compile(bytes_of("a(b"), CEL_REGEXP_GO_1_25, CEL_REGEXP_TEST, &arena, &program, &error), FAILURE_NONE);
    assert_null(program);
    assert_string_equal(error, "error parsing regexp: missing closing ): `a(b`");
    arena_clear(&arena);
}

/* ---- time and memory ---- */

/* On 10 KiB of a's. Backtracking takes exponential or cubic time for most of these. */
static void test_bombs(void **state)
{
    static const struct { const char *pattern; bool matches; } rows[] = {
        { "(a*)*b", false }, { "(a|a)*b", false }, { "(a|aa)+$", true }, { "^(a|aa)+$", true }, { "(a|aa)+b", false }, { "((a*)*)*b", false }, { "(?:a*?)*?b", false },
        { ".*.*.*.*x", false }, { "(.*)(.*)(.*)(.*)(.*)[^a]", false }, { "(a+)+[^a]", false }, { "(a?){50}a{50}b", false }, { "(.*a){20}b", false },
        { "(?:(?:|a)*|(?:a|))*b", false }, { "((a{1,3}){1,3})*b", false }, { "^(([a-z])+.)+[A-Z]([a-z])+$", false }, { "(a|a?)+b", false },
        { "a{1000}b", false }, { "(\\pL|[^\\PL])*_", false }, { "(?:(?:)*)*b|a$", true }, { "(?:a?){500}(?:a?){500}$a", false },
    };
    struct bytes text = repeated("a", 10240, "");
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (int purpose = CEL_REGEXP_TEST; purpose <= CEL_REGEXP_FIND; purpose++) {
            struct cel_matcher matcher;
            struct cel_match match;
            double start = cpu_seconds();
            const struct cel_regexp_program *program = compile(rows[i].pattern, (enum cel_regexp_purpose)purpose);
            cel_matcher_init(&matcher, &arena);
            assert_int_equal(cel_regexp_find(&matcher, program, text, 0, &match), FAILURE_NONE);
            EXPECT(match.found == rows[i].matches, "%s: %d", rows[i].pattern, match.found);
            EXPECT(cpu_seconds() - start < 0.5 * slowness(), "%s: %.3f s", rows[i].pattern, cpu_seconds() - start);
            arena_clear(&arena);
        }
    free_copy(text);
    assert_rows();
}

static void test_steps(void **state)
{
    struct bytes text = repeated("a", 200000, "");
    struct cel_matcher matcher;
    struct cel_match match;
    (void)state;
    const struct cel_regexp_program *program = compile("(?:a?){999}b", CEL_REGEXP_FIND);
    cel_matcher_init(&matcher, &arena);
    assert_int_equal(cel_regexp_find(&matcher, program, text, 0, &match), FAILURE_LIMIT);
    assert_int_equal(cel_regexp_find(&matcher, compile("^a", CEL_REGEXP_TEST), text, 0, &match), FAILURE_LIMIT); /* none are left */
    cel_matcher_init(&matcher, &arena);
    assert_int_equal(cel_regexp_find(&matcher, compile("^a", CEL_REGEXP_TEST), text, 0, &match), FAILURE_NONE);
    assert_true(match.found);
    free_copy(text);
    text = repeated("a", 10240, "");
    program = compile("[ab]+c|a", CEL_REGEXP_FIND); /* each search goes to the end: all together are quadratic */
    struct cel_match_all all = { .from = 0 };
    cel_matcher_init(&matcher, &arena);
    enum failure failure;
    do
        failure = cel_regexp_next(&matcher, program, text, &all);
    while (!failure && all.match.found);
    assert_int_equal(failure, FAILURE_LIMIT);
    free_copy(text);
    arena_clear(&arena);
}

static enum failure compiled(const char *unit, size_t count)
{
    struct bytes text = repeated(unit, count, "");
    const struct cel_regexp_program *program;
    const char *error = NULL;
    double start = cpu_seconds();
    enum failure failure = cel_regexp_compile(text, CEL_REGEXP_GO_1_25, CEL_REGEXP_FIND, &arena, &program, &error);
    EXPECT(cpu_seconds() - start < 0.05 * slowness(), "%s: %.3f s", unit, cpu_seconds() - start);
    assert_null(error);
    free_copy(text);
    arena_clear(&arena);
    return failure;
}

static void test_programs(void **state)
{
    (void)state;
    assert_int_equal(compiled("a{1000}", LIMIT_CEL_REGEXP_PROGRAM / 1000), FAILURE_NONE);
    assert_int_equal(compiled("a{1000}", LIMIT_CEL_REGEXP_PROGRAM / 1000 + 1), FAILURE_LIMIT);
    assert_int_equal(compiled("(?:(?:)*){1000}", 200), FAILURE_LIMIT);
    assert_int_equal(compiled("(?:(?:)(?:)){1000}", 400), FAILURE_LIMIT); /* of nothing at all */
    assert_int_equal(compiled("(?i:kelvin){1000}", 20), FAILURE_NONE);
    assert_int_equal(compiled("(?:a*?|[^\\pL])+", 600), FAILURE_NONE);
    assert_rows();
}

/* The matcher takes memory once for matches of the same size, and every failure of memory is told. */
static void test_memory(void **state)
{
    struct bytes text = repeated("ab", 50, "c");
    struct cel_matcher matcher;
    struct cel_match match;
    (void)state;
    const struct cel_regexp_program *program = compile("(a|b)*[^c]", CEL_REGEXP_FIND);
    cel_matcher_init(&matcher, &arena);
    assert_int_equal(cel_regexp_find(&matcher, program, text, 0, &match), FAILURE_NONE);
    const char *at = arena.at;
    for (uint32_t from = 0; from < text.length; from++)
        assert_int_equal(cel_regexp_find(&matcher, program, text, from, &match), FAILURE_NONE);
    assert_ptr_equal(arena.at, at);
    arena_clear(&arena);
    for (size_t failing = 1;; failing++) {
        struct counted_memory counted;
        struct arena small;
        const char *error = NULL;
        counted_init(&counted, failing);
        arena_init(&small, &counted.memory, 1 << 20);
        enum failure failure = cel_regexp_compile(bytes_of("(?i)k[\\pL]+(a|b){2,50}"), CEL_REGEXP_GO_1_25, CEL_REGEXP_FIND, &small, &program, &error);
        cel_matcher_init(&matcher, &small);
        if (!failure)
            failure = cel_regexp_find(&matcher, program, text, 0, &match);
        bool reached = counted.calls >= failing;
        assert_int_equal(failure, reached ? FAILURE_MEMORY : FAILURE_NONE);
        arena_done(&small);
        assert_int_equal(counted.live, 0);
        if (!reached)
            break;
    }
    free_copy(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_error),
        cmocka_unit_test(test_bombs),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_programs),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests_name("cel_match", tests, start_arena, end_arena);
}
