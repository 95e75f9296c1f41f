/* Regular expressions: what the options mean, limits that end in a failure and never in a verdict, memory that fails at every
 * call, one compiled pattern for many threads. */
#include "unit.h"

#include <pthread.h>

#include "value/pattern.h"

struct match_case {
    const char *pattern;
    struct bytes subject;
    bool utf;
    enum failure failure; /* of matching */
    bool matched;
};

/* Compiles and matches once. *matched is left alone on failure. */
static enum failure match_once(const struct memory *memory, const char *source, bool utf, struct bytes subject, bool *matched)
{
    struct pattern *pattern = NULL;
    struct matcher *matcher = NULL;
    enum failure failure = pattern_new(source, utf, memory, &pattern);
    if (!failure)
        failure = matcher_new(memory, &matcher);
    if (!failure)
        failure = pattern_match(matcher, pattern, subject, matched);
    matcher_free(matcher);
    pattern_free(pattern);
    return failure;
}

/* Each case as compiled to machine code and as interpreted. */
static void check_matches(const struct match_case *cases, size_t count)
{
    for (size_t i = 0; i < 2 * count; i++) {
        const struct match_case *now = &cases[i / 2];
        char source[256];
        snprintf(source, sizeof source, "%s%s", i % 2 ? "(*NO_JIT)" : "", now->pattern);
        bool matched = !now->matched;
        enum failure failure = match_once(&memory_malloc, source, now->utf, now->subject, &matched);
        EXPECT(failure == now->failure, "%s on %s: failure %d", source, shown(now->subject), failure);
        EXPECT(matched == (now->failure ? !now->matched : now->matched), "%s on %s", source, shown(now->subject));
    }
    assert_rows();
}

static void test_what_patterns_mean(void **state)
{
    static const struct match_case cases[] = {
        { "", BYTES(""), false, FAILURE_NONE, true },
        { "", { NULL, 0 }, true, FAILURE_NONE, true },
        { "a", BYTES("xay"), false, FAILURE_NONE, true }, /* somewhere */
        { "a", BYTES("xy"), false, FAILURE_NONE, false },
        { "^a$", BYTES("xay"), false, FAILURE_NONE, false },
        { "^a$", BYTES("a\n"), false, FAILURE_NONE, false }, /* the dollar is the very end */
        { "\\Aa\\z", BYTES("a\n"), false, FAILURE_NONE, false },
        { "^b", BYTES("a\nb"), false, FAILURE_NONE, false },
        { "^a.c$", BYTES("a\nc"), false, FAILURE_NONE, true }, /* the point is any byte */
        { "^a.c$", BYTES("a\0c"), false, FAILURE_NONE, true },
        { "^a.c$", BYTES("a\xFF" "c"), false, FAILURE_NONE, true },
        { "^.$", BYTES("\xC3\xA9"), false, FAILURE_NONE, false }, /* two bytes */
        { "^.$", BYTES("\xC3\xA9"), true, FAILURE_NONE, true },   /* one character */
        { "^[\\x{212A}]$", BYTES("\xE2\x84\xAA"), true, FAILURE_NONE, true },
        { "^\\p{L}$", BYTES("\xC3\xA9"), true, FAILURE_NONE, true },
        { "a\\z", BYTES("a\0"), false, FAILURE_NONE, false }, /* a NUL is a byte like any */
        { "K", BYTES("k"), true, FAILURE_NONE, false },
    };
    (void)state;
    check_matches(cases, COUNT(cases));
}

static void test_subjects_that_are_not_utf8(void **state)
{
    static const struct match_case cases[] = {
        { "a", BYTES("a\xFF"), true, FAILURE_PATTERN, false },
        { "a", BYTES("\xC3"), true, FAILURE_PATTERN, false },
        { "a", BYTES("\xED\xA0\x80"), true, FAILURE_PATTERN, false },
        { "a", BYTES("\xC0\x80"), true, FAILURE_PATTERN, false },
        { "a", BYTES("\xF4\x90\x80\x80"), true, FAILURE_PATTERN, false },
        { "a", BYTES("a\xFF"), false, FAILURE_NONE, true },
    };
    (void)state;
    check_matches(cases, COUNT(cases));
}

static void test_bad_patterns(void **state)
{
    static const struct {
        const char *source;
        bool utf;
    } cases[] = { { "(", false }, { ")", false }, { "[", false }, { "*", false }, { "a{2,1}", false }, { "\\", false }, { "(?<n>a)(?<n>b)", false }, { "(?1)",
    false },
                  { "a\\Cb", true }, { "\\x{212A}", false }, { "\\x{110000}", true }, { "\xFF", true }, { "\\p{NoSuchThing}", true }, { "(?=a+)(?<=a+)b",
                    false } };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct counted_memory counted;
        struct pattern *pattern = (struct pattern *)&counted;
        counted_init(&counted, 0);
        EXPECT(pattern_new(cases[i].source, cases[i].utf, &counted.memory, &pattern) == FAILURE_PATTERN, "%s", cases[i].source);
        EXPECT(pattern == (struct pattern *)&counted, "%s: the result was set", cases[i].source);
        EXPECT(counted.live == 0, "%s", cases[i].source);
    }
    assert_rows();
}

/* ---- limits ---- */

struct costly_case {
    const char *pattern;
    const char *unit, *tail;
    size_t count;
};

/* Patterns that nobody can decide in time: no verdict, or the right one, and soon. None of them matches. */
static void check_costly(const struct costly_case *cases, size_t count)
{
    for (size_t i = 0; i < 2 * count; i++) {
        const struct costly_case *now = &cases[i / 2];
        char source[128];
        snprintf(source, sizeof source, "%s%s", i % 2 ? "(*NO_JIT)" : "", now->pattern);
        struct bytes subject = repeated(now->unit, now->count, now->tail);
        bool matched = false;
        double before = cpu_seconds();
        enum failure failure = match_once(&memory_malloc, source, false, subject, &matched);
        double used = cpu_seconds() - before;
        EXPECT(used < 0.2 * slowness(), "%s: %.3f s", source, used);
        EXPECT(failure == FAILURE_PATTERN || (failure == FAILURE_NONE && !matched), "%s: failure %d", source, failure);
        free_copy(subject);
    }
    assert_rows();
}

static void test_catastrophic_patterns_get_no_verdict(void **state)
{
    static const struct costly_case cases[] = {
        { "^(a+)+$", "a", "!", 40 },         { "^(a+)+\\z", "a", "!", 5000 },      { "(a|aa)+$", "a", "!", 60 },           { "(a|a?)+$", "a", "!", 60 },
        { "^(([a-z])+.)+[A-Z]([a-z])+$", "a", "", 60 }, { "(.*)*x$", "a", "y", 60 }, { "(a*)*(a*)*(a*)*b$", "a", "c", 60 }, { "(?:a*a*)*b\\z", "a", "c", 1000 },
        { "^(?:.*.*)*=\\z", "x", "", 3000 }, { "(x+x+)+y\\z", "x", "", 5000 },
    };
    (void)state;
    check_costly(cases, COUNT(cases));
}

/* More stack or heap than a match may take: nesting as deep as the subject is long. */
static void test_deep_matches_get_no_verdict(void **state)
{
    static const struct costly_case cases[] = {
        { "^(a(?1)?b)$", "a", "", 200000 },
        { "^(?:(a)|b)*c$", "ab", "", 200000 },
        { "^((a|b)(c|a))*d\\z", "ac", "", 200000 },
        { "^(?:a|ab|b)*c\\z", "ab", "", 200000 },
    };
    (void)state;
    check_costly(cases, COUNT(cases));
}

/* A million steps: more than value/limits.h allows, fewer than PCRE2 would by itself. */
static void test_steps_are_limited(void **state)
{
    struct bytes subject = repeated("a", 20, "!");
    bool matched = true;
    (void)state;
    assert_int_equal(match_once(&memory_malloc, "(*NO_JIT)^(a+)+$", false, subject, &matched), FAILURE_PATTERN);
    assert_int_equal(match_once(&memory_malloc, "^(a+)+$", false, subject, &matched), FAILURE_PATTERN);
    assert_true(matched); /* left alone */
    free_copy(subject);
}

/* Backtracking some hundreds and some thousands of levels deep, in few steps and little memory. */
static void test_depth_is_limited(void **state)
{
    struct bytes low = repeated("ab", 150, ""), high = repeated("ab", 1500, "");
    bool matched = true;
    (void)state;
    assert_int_equal(match_once(&memory_malloc, "(*NO_JIT)^(?:(a)|b)*c?$", false, low, &matched), FAILURE_NONE);
    assert_true(matched);
    assert_int_equal(match_once(&memory_malloc, "(*NO_JIT)^(?:(a)|b)*c?$", false, high, &matched), FAILURE_PATTERN);
    free_copy(low);
    free_copy(high);
}

/* The same hundreds of levels, with 400 groups to remember at each of them: over 2 MiB. */
static void test_heap_is_limited(void **state)
{
    struct bytes subject = repeated("ab", 150, ""), groups = repeated("()", 400, "");
    char source[1024];
    bool matched = true;
    (void)state;
    snprintf(source, sizeof source, "(*NO_JIT)^(?:(a)|b)*c?(?:x%.*s)?$", (int)groups.length, groups.data);
    assert_int_equal(match_once(&memory_malloc, source, false, subject, &matched), FAILURE_PATTERN);
    free_copy(subject);
    free_copy(groups);
}

/* ---- memory ---- */

/* Every call may fail; machine code is a luxury that a match does without. */
static void test_every_allocation_may_fail(void **state)
{
    static const char *const sources[] = { "^(?:[a-z]++\\.)*+[a-z]++$", "(*NO_JIT)^(?:(?:[a-z])+\\.)*[a-z]+$" };
    (void)state;
    for (size_t i = 0; i < COUNT(sources); i++) {
        size_t failing = 1;
        for (;; failing++) {
            struct counted_memory counted;
            bool matched = false;
            counted_init(&counted, failing);
            enum failure failure = match_once(&counted.memory, sources[i], i % 2, (struct bytes)BYTES("acme.example.dev"), &matched);
            EXPECT(failure == FAILURE_MEMORY || (failure == FAILURE_NONE && matched), "%s, call %zu: failure %d", sources[i], failing, failure);
            EXPECT(counted.live == 0, "%s, call %zu: %zu blocks left", sources[i], failing, (size_t)counted.live);
            if (counted.calls < failing)
                break;
        }
        EXPECT(failing > 6, "%s: only %zu calls", sources[i], failing - 1);
    }
    assert_rows();
}

static void test_no_memory_at_all(void **state)
{
    struct counted_memory counted;
    struct pattern *pattern = NULL;
    struct matcher *matcher = NULL;
    (void)state;
    counted_init(&counted, (size_t)UNIT_ALWAYS);
    assert_int_equal(pattern_new("a", false, &counted.memory, &pattern), FAILURE_MEMORY);
    assert_int_equal(matcher_new(&counted.memory, &matcher), FAILURE_MEMORY);
    assert_null(pattern);
    assert_null(matcher);
    pattern_free(NULL);
    matcher_free(NULL);
}

/* Everything comes from the given memory: PCRE2 must not fall back to malloc. */
static void test_memory_is_the_callers(void **state)
{
    struct counted_memory counted;
    struct pattern *pattern = NULL;
    struct matcher *matcher = NULL;
    bool matched = false;
    (void)state;
    counted_init(&counted, 0);
    assert_int_equal(pattern_new("^a+$", false, &counted.memory, &pattern), FAILURE_NONE);
    assert_int_equal(matcher_new(&counted.memory, &matcher), FAILURE_NONE);
    assert_in_range(counted.live, 6, 20);
    assert_int_equal(pattern_match(matcher, pattern, (struct bytes)BYTES("aaa"), &matched), FAILURE_NONE);
    assert_true(matched);
    pattern_free(pattern);
    matcher_free(matcher);
    assert_int_equal(counted.live, 0);
}

/* ---- threads ---- */

enum { THREADS = 4, ROUNDS = 2000 };

static void *match_in_thread(void *data)
{
    const struct pattern *pattern = data;
    struct matcher *matcher = NULL;
    unsigned long wrong = 0;
    if (matcher_new(&memory_malloc, &matcher) != FAILURE_NONE)
        return "no matcher";
    for (unsigned i = 0; i < ROUNDS; i++) {
        bool good = false, bad = true;
        wrong += pattern_match(matcher, pattern, (struct bytes)BYTES("acme.example.dev"), &good) != FAILURE_NONE || !good;
        wrong += pattern_match(matcher, pattern, (struct bytes)BYTES("acme..dev"), &bad) != FAILURE_NONE || bad;
    }
    matcher_free(matcher);
    return wrong ? "a wrong verdict" : NULL;
}

static void test_threads_share_a_pattern(void **state)
{
    pthread_t threads[THREADS];
    struct pattern *pattern = NULL;
    (void)state;
    assert_int_equal(pattern_new("\\A[a-z]++(?:\\.[a-z]++)*+\\z", false, &memory_malloc, &pattern), FAILURE_NONE);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, match_in_thread, pattern), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        void *wrong = NULL;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        EXPECT(wrong == NULL, "thread %u: %s", i, (const char *)wrong);
    }
    pattern_free(pattern);
    assert_rows();
}

/* A matcher may be used for one pattern after the other, and after a failure. */
static void test_matcher_serves_many_patterns(void **state)
{
    static const char *const sources[] = { "^(a+)+$", "^a+", "(", "(a)(b)?(c)?(d)?(e)?", "^\\p{L}+!$" };
    struct bytes subject = repeated("a", 40, "!");
    struct matcher *matcher = NULL;
    (void)state;
    assert_int_equal(matcher_new(&memory_malloc, &matcher), FAILURE_NONE);
    for (size_t i = 0; i < 3 * COUNT(sources); i++) {
        struct pattern *pattern = NULL;
        const char *source = sources[i % COUNT(sources)];
        bool matched = false;
        if (pattern_new(source, true, &memory_malloc, &pattern) != FAILURE_NONE)
            continue;
        enum failure failure = pattern_match(matcher, pattern, subject, &matched);
        EXPECT(i % COUNT(sources) == 0 ? failure == FAILURE_PATTERN : failure == FAILURE_NONE && matched, "%s: failure %d", source, failure);
        pattern_free(pattern);
    }
    matcher_free(matcher);
    free_copy(subject);
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_patterns_mean),
        cmocka_unit_test(test_subjects_that_are_not_utf8),
        cmocka_unit_test(test_bad_patterns),
        cmocka_unit_test(test_catastrophic_patterns_get_no_verdict),
        cmocka_unit_test(test_deep_matches_get_no_verdict),
        cmocka_unit_test(test_steps_are_limited),
        cmocka_unit_test(test_depth_is_limited),
        cmocka_unit_test(test_heap_is_limited),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_no_memory_at_all),
        cmocka_unit_test(test_memory_is_the_callers),
        cmocka_unit_test(test_threads_share_a_pattern),
        cmocka_unit_test(test_matcher_serves_many_patterns),
    };
    return cmocka_run_group_tests_name("pattern", tests, NULL, NULL);
}
