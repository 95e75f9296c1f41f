/* Regular expressions of CEL: what Go refuses and in which words, its limits, and that PCRE2 finds with the translation what Go finds. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "unit.h"

#include <pcre2.h>

#include "unit_arena.h"
#include "cel/limits.h"
#include "cel/regexp.h"
#include "value/limits.h"
#include "value/pattern.h"

struct match {
    struct bytes text;
    int start, end;
};

static const struct regexp_case {
    struct bytes pattern;
    const char *error;
    struct match matches[3];
} cases[] = {
#include "cel_regexp_cases.h"
    /* loops that may match nothing: Go goes on where PCRE2 would stop, and stops where it would go on */
    { BYTES("(?:.ka||\\w|\303\251\\w.|ababc)*"), NULL, { { BYTES("\303\211kabyx"), 0, 7 } } },
    { BYTES("x*(?:.*?)+[A-Z]"), NULL, { { BYTES(" Ssyk-"), 0, 2 } } },
    { BYTES("(?:\\w?\\s?\?)+"), NULL, { { BYTES("b -\nx_"), 0, 1 } } },
    { BYTES("(?:(?:b|b|$(?:a|b)?\?\\b){0,}?){2}[bc]"), NULL, { { BYTES("bca"), 0, 1 } } },
    { BYTES("(?:|ab)(?:a{0,2}?(?:b{0,3}|^)*(?:b{0,3}a?\?)){0,2}"), NULL, { { BYTES("a ca"), 0, 0 } } },
    /* where PCRE2 10.42 itself is wrong */
    { BYTES("(?:\\s|)\\p{Any}*\n+"), NULL, { { BYTES("\nb}K"), 0, 1 } } },
    { BYTES("(?U:\\D|^|){0}\\d{1,}"), NULL, { { BYTES(".ab.-k00"), 6, 8 } } },
};

static pcre2_code *compile(struct bytes pattern)
{
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    int error = 0;
    PCRE2_SIZE where = 0;
    assert_non_null(context);
    pcre2_set_parens_nest_limit(context, LIMIT_PATTERN_NEST);
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)pattern.data, pattern.length, PCRE2_UTF | PCRE2_DOTALL, &error, &where, context);
    pcre2_compile_context_free(context);
    EXPECT(code, "error %d of PCRE2 in %s", error, shown(pattern));
    return code;
}

static void expect_match(const struct regexp_case *row, const pcre2_code *code, const struct match *match)
{
    pcre2_match_data *data = pcre2_match_data_create(1, NULL);
    assert_non_null(data);
    int result = pcre2_match(code, (PCRE2_SPTR)match->text.data, match->text.length, 0, 0, data, NULL);
    PCRE2_SIZE *where = pcre2_get_ovector_pointer(data);
    int start = result < 0 ? -1 : (int)where[0], end = result < 0 ? -1 : (int)where[1];
    EXPECT((result >= 0 || result == PCRE2_ERROR_NOMATCH) && start == match->start && end == match->end, "%s in %s: %d-%d, error %d",
           shown(row->pattern), shown(match->text), start, end, result);
    pcre2_match_data_free(data);
}

static struct cel_regexp read_as(struct bytes pattern, enum cel_regexp_dialect dialect)
{
    struct cel_regexp regexp;
    struct cel_regexp_classes classes;
    struct bytes copy = exact_copy(pattern);
    cel_regexp_classes_init(&classes, dialect, &arena);
    assert_int_equal(cel_regexp_read(copy, &classes, &arena, &regexp), FAILURE_NONE);
    free_copy(copy);
    return regexp;
}

static struct bytes translation(const struct cel_regexp *regexp)
{
    struct bytes pattern;
    assert_int_equal(cel_regexp_translate(regexp, &arena, &pattern), FAILURE_NONE);
    return pattern;
}

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct regexp_case *row = &cases[i];
        struct cel_regexp regexp = read_as(row->pattern, CEL_REGEXP_GO_1_25);
        struct bytes error = row->error ? bytes_of(row->error) : (struct bytes){ NULL, 0 };
        EXPECT(bytes_equal(regexp.error, error), "%s: %s, not %s", shown(row->pattern), shown(regexp.error), shown(error));
        pcre2_code *code = row->error ? NULL : compile(translation(&regexp));
        for (size_t k = 0; code && k < COUNT(row->matches) && row->matches[k].text.data; k++)
            expect_match(row, code, &row->matches[k]);
        pcre2_code_free(code);
        arena_clear(&arena);
    }
    assert_rows();
}

/* ---- names ---- */

static void test_names_by_dialect(void **state)
{
    static const struct { const char *name; bool before, now; } names[] = {
        { "L", true, true }, { "l", false, true }, { "Lu", true, true }, { "lu", false, true }, { "Letter", false, true }, { "upper case letter", false, true },
        { "Uppercase_Letter", false, true }, { "uppercase letter", false, true }, { "Cn", false, true }, { "LC", false, true }, { "Any", true, true },
        { "any", false, true }, { "ASCII", false, true }, { "Assigned", false, true }, { "Greek", true, true }, { "greek", false, true }, { "gr-e_e k", false, true },
        { "Old_Italic", true, false }, { "OldItalic", false, false }, { "SignWriting", true, false }, { "Latn", false, false }, { "IsGreek", false, false },
        { "", false, false }, { "Lx", false, false }, { "Zanabazar_Square_Zanabazar_Square_Zanabazar_Square", false, false },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        char pattern[100];
        snprintf(pattern, sizeof pattern, "\\p{%s}", names[i].name);
        EXPECT((read_as(bytes_of(pattern), CEL_REGEXP_GO_1_24).error.length == 0) == names[i].before, "%s before", names[i].name);
        EXPECT((read_as(bytes_of(pattern), CEL_REGEXP_GO_1_25).error.length == 0) == names[i].now, "%s now", names[i].name);
    }
    /* C has unassigned characters since Go 1.25 */
    struct cel_regexp before = read_as(bytes_of("\\pC"), CEL_REGEXP_GO_1_24), now = read_as(bytes_of("\\pC"), CEL_REGEXP_GO_1_25);
    assert_false(bytes_equal(translation(&before), translation(&now)));
    arena_clear(&arena);
    assert_rows();
}

/* ---- limits ---- */

/* Reads `count` times `open`, `middle`, and as often `close`. */
static const char *error_of(const char *open, size_t count, const char *middle, const char *close)
{
    static char text[200000];
    char *at = text;
    for (size_t i = 0; i < count; i++)
        at = stpcpy(at, open);
    at = stpcpy(at, middle);
    for (size_t i = 0; i < count; i++)
        at = stpcpy(at, close);
    struct cel_regexp regexp = read_as(bytes_of(text), CEL_REGEXP_GO_1_25);
    static char words[64];
    snprintf(words, sizeof words, "%.*s", regexp.error.length ? (int)strcspn(regexp.error.data + 22, ":") : 0, regexp.error.length ? regexp.error.data + 22 : "");
    arena_clear(&arena);
    return words;
}

static void test_limits(void **state)
{
    (void)state;
    assert_string_equal(error_of("(", 999, "a", ")"), "");
    assert_string_equal(error_of("(", 1000, "a", ")"), "expression nests too deeply");
    assert_string_equal(error_of("(?:", 1000, "a", ")"), "");
    assert_string_equal(error_of("(?:", 999, "a", ")*"), "");
    assert_string_equal(error_of("(?:", 1000, "a", ")*"), "expression nests too deeply");
    assert_string_equal(error_of(".", 998, "x|", "."), "");
    assert_string_equal(error_of(".", 999, "x|", "."), "expression nests too deeply");
    assert_string_equal(error_of(".", 5000, "x|", "."), "expression nests too deeply");
    assert_string_equal(error_of("(?:", 9, "a", "){2}"), "");
    assert_string_equal(error_of("(?:", 10, "a", "){2}"), "invalid repeat count");
    assert_string_equal(error_of("\\d", 3354, "", ""), "");
    static char text[8000] = "(?:";
    char *at = text + 3;
    for (size_t i = 0; i < 3354; i++)
        at = stpcpy(at, "\\d");
    strcpy(at, "){1000}");
    assert_string_equal(error_of(text, 1, "", ""), "");
    at = stpcpy(at, "\\d\\d");
    strcpy(at, "){1000}");
    assert_string_equal(error_of(text, 1, "", ""), "expression too large");
    assert_string_equal(error_of("(", 50000, "", ""), "missing closing )");
}

static void test_lengths(void **state)
{
    (void)state;
    struct bytes most = repeated("a", LIMIT_CEL_REGEXP_BYTES, ""), more = repeated("a", LIMIT_CEL_REGEXP_BYTES + 1, "");
    struct cel_regexp regexp;
    struct cel_regexp_classes classes;
    cel_regexp_classes_init(&classes, CEL_REGEXP_GO_1_25, &arena);
    assert_int_equal(cel_regexp_read(most, &classes, &arena, &regexp), FAILURE_NONE);
    assert_int_equal(cel_regexp_read(more, &classes, &arena, &regexp), FAILURE_LIMIT);
    free_copy(most);
    free_copy(more);
    arena_clear(&arena);
    /* a pattern that is valid, and too long when it is written out */
    struct bytes long_one = repeated("[\\pLa][\\pNb]", 2000, "");
    regexp = read_as(long_one, CEL_REGEXP_GO_1_25);
    assert_true(regexp.error.length == 0 && translation(&regexp).data);
    free_copy(long_one);
    long_one = repeated("(?:(?:a?\?b*){1000}){0,}", 20, "");
    regexp = read_as(long_one, CEL_REGEXP_GO_1_25);
    assert_true(regexp.error.length == 0 && !translation(&regexp).data);
    free_copy(long_one);
    arena_clear(&arena);
}

/* Work grows with the text, not with its square: what is slow in Go too is not slower here. */
static void test_time(void **state)
{
    static const char *const units[] = { "(", "[", "\\pL", "[\\pL", "(?i)[\\pL]", ".|", "a|", "a|aa|", "[a-z]", "(?i)[B-\\x{10FFFF}]", "\\pL|", "\\pL|\\pN|", "(?:\\pL|\\pN)", "[\\pL0]", "[\\pL0]|", "[^\\pL\\pN]", "(?i)[^\\pLa]", "(?i)[b-\316\261]", "{1,", "[:", "(?P<", "a*",
                                         "(?:|a)*", "a?\?", "\\Q", "^|$|" };
    (void)state;
    for (size_t i = 0; i < COUNT(units); i++) {
        struct bytes text = repeated(units[i], LIMIT_CEL_BYTES / strlen(units[i]), "");
        struct cel_regexp regexp;
        struct cel_regexp_classes classes;
        double start = cpu_seconds();
        cel_regexp_classes_init(&classes, CEL_REGEXP_GO_1_25, &arena);
        assert_int_equal(cel_regexp_read(text, &classes, &arena, &regexp), FAILURE_NONE);
        EXPECT(cpu_seconds() - start < 0.02 * slowness(), "%s: %.4f s", units[i], cpu_seconds() - start);
        free_copy(text);
        arena_clear(&arena);
    }
    assert_rows();
}

static void test_failing_memory(void **state)
{
    static const char *const patterns[] = { "a", "[\\pL\\d](?i)\\p{Greek}|k[a-f]{2,3}?(b|(c)|(?:|d)*e)", "((a{100}b){10})", "[z-a]", "abc|abd|.x|.y", "(?i)stra\303\237e" };
    (void)state;
    for (size_t i = 0; i < COUNT(patterns); i++)
        for (size_t failing = 1; failing < 100; failing++) {
            struct counted_memory counted;
            struct arena small;
            struct cel_regexp regexp;
            struct cel_regexp_classes classes;
            counted_init(&counted, failing);
            arena_init(&small, &counted.memory, LIMIT_ARENA_BYTES);
            cel_regexp_classes_init(&classes, CEL_REGEXP_GO_1_25, &small);
            enum failure failure = cel_regexp_read(bytes_of(patterns[i]), &classes, &small, &regexp);
            struct bytes pattern;
            if (!failure && !regexp.error.length)
                failure = cel_regexp_translate(&regexp, &small, &pattern);
            bool reached = counted.calls >= failing;
            EXPECT(reached ? failure == FAILURE_MEMORY : failure == FAILURE_NONE, "%s, call %zu", patterns[i], failing);
            arena_done(&small);
            assert_int_equal(counted.live, 0);
            if (!reached)
                break;
        }
    assert_rows();
}

static const char *translated(const char *text)
{
    struct cel_regexp regexp = read_as(bytes_of(text), CEL_REGEXP_GO_1_25);
    return translation(&regexp).data;
}

/* The translation is for pattern_new, deep ones too. */
static void test_patterns(void **state)
{
    static const char *const patterns[] = { "a|b", "\\pL+(?:|a)*", "((a{10}b){10}){10}", "(?i)k\303\251" };
    struct pattern *pattern = NULL;
    (void)state;
    for (size_t i = 0; i < COUNT(patterns); i++) {
        assert_int_equal(pattern_new(translated(patterns[i]), true, &memory_malloc, &pattern), FAILURE_NONE);
        pattern_free(pattern);
    }
    static char deep[8000];
    char *at = deep;
    for (size_t i = 0; i < 495; i++)
        at = stpcpy(at, "(?:");
    for (size_t i = 0; i < 495; i++)
        at = stpcpy(at, "a)*b");
    assert_int_equal(pattern_new(translated(deep), true, &memory_malloc, &pattern), FAILURE_NONE);
    pattern_free(pattern);
    arena_clear(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_names_by_dialect),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_failing_memory),
        cmocka_unit_test(test_patterns),
    };
    return cmocka_run_group_tests_name("cel_regexp", tests, start_arena, end_arena);
}
