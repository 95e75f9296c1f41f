/* Regular expressions of CEL: what Go refuses and in which words, its limits, and where they match. */
#include "unit.h"

#include "unit_arena.h"
#include "cel/limits.h"
#include "cel/regexp_program.h"

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
    /* loops that may match nothing: which way is preferred */
    { BYTES("(?:.ka||\\w|\303\251\\w.|ababc)*"), NULL, { { BYTES("\303\211kabyx"), 0, 7 } } },
    { BYTES("x*(?:.*?)+[A-Z]"), NULL, { { BYTES(" Ssyk-"), 0, 2 } } },
    { BYTES("(?:\\w?\\s?\?)+"), NULL, { { BYTES("b -\nx_"), 0, 1 } } },
    { BYTES("(?:(?:b|b|$(?:a|b)?\?\\b){0,}?){2}[bc]"), NULL, { { BYTES("bca"), 0, 1 } } },
    { BYTES("(?:|ab)(?:a{0,2}?(?:b{0,3}|^)*(?:b{0,3}a?\?)){0,2}"), NULL, { { BYTES("a ca"), 0, 0 } } },
    { BYTES("(?:\\s|)\\p{Any}*\n+"), NULL, { { BYTES("\nb}K"), 0, 1 } } },
    /* letters of either case, repeated */
    { BYTES("(?i)kgs-{2}mi"), NULL, { { BYTES("x\342\204\252G\305\277--Mi"), 1, 11 }, { BYTES("kgs-mi"), -1, -1 } } },
    { BYTES("(?i:kg1s){2}x"), NULL, { { BYTES("Kg1SkG1sx"), 0, 9 }, { BYTES("kg1skk1sx"), -1, -1 } } },
    /* what is asked of a place again, after nothing was taken and places were left out */
    { BYTES("(?:a??\\B)??\n"), NULL, { { BYTES("x\n0a\303\237\n"), 1, 2 } } },
    { BYTES("[[:word:]_]??\\B(?:a|b)??\012"), NULL, { { BYTES("x\303\237a\303\237\n0a\303\237"), 6, 7 } } },
    { BYTES("(?:-*?b?\\B?\?\\b)\\s+"), NULL, { { BYTES("{as_bb_\n"), 7, 8 } } },
    { BYTES("(?U:\\D|^|){0}\\d{1,}"), NULL, { { BYTES(".ab.-k00"), 6, 8 } } },
};

static const struct cel_regexp_program *compile(struct bytes pattern, enum cel_regexp_purpose purpose)
{
    const struct cel_regexp_program *program = NULL;
    const char *error = NULL;
    assert_int_equal(cel_regexp_compile(pattern, CEL_REGEXP_GO_1_25, purpose, &arena, &program, &error), FAILURE_NONE);
    assert_null(error);
    return program;
}

/* By both searches; a program that only tests says whether. */
static void expect_match(const struct regexp_case *row, const struct match *match)
{
    const struct cel_regexp_program *program = compile(row->pattern, CEL_REGEXP_FIND), *test = compile(row->pattern, CEL_REGEXP_TEST);
    struct cel_matcher matcher;
    struct cel_match found[2] = { { .found = false }, { .found = false } }, any;
    uint64_t steps = LIMIT_CEL_REGEXP_STEPS;
    struct bytes text = exact_copy(match->text);
    void *memory = arena_alloc(&arena, regexp_threads_bytes(program));
    assert_non_null(memory);
    cel_matcher_init(&matcher, &arena);
    assert_int_equal(cel_regexp_find(&matcher, program, text, 0, &found[0]), FAILURE_NONE);
    assert_int_equal(cel_regexp_find(&matcher, test, text, 0, &any), FAILURE_NONE);
    regexp_run_threads(program, text, 0, memory, &steps, &found[1]);
    for (unsigned i = 0; i < 2; i++) {
        int start = found[i].found ? (int)found[i].start : -1, end = found[i].found ? (int)found[i].end : -1;
        EXPECT(start == match->start && end == match->end, "%s in %s: %d-%d", shown(row->pattern), shown(match->text), start, end);
    }
    EXPECT(any.found == (match->start >= 0), "%s tests %s", shown(row->pattern), shown(match->text));
    free_copy(text);
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

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct regexp_case *row = &cases[i];
        struct cel_regexp regexp = read_as(row->pattern, CEL_REGEXP_GO_1_25);
        struct bytes error = row->error ? bytes_of(row->error) : (struct bytes){ NULL, 0 };
        EXPECT(bytes_equal(regexp.error, error), "%s: %s, not %s", shown(row->pattern), shown(regexp.error), shown(error));
        for (size_t k = 0; !row->error && k < COUNT(row->matches) && row->matches[k].text.data; k++)
            expect_match(row, &row->matches[k]);
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
    struct regexp_case unassigned = { BYTES("\\pC"), NULL, { { BYTES("\315\270"), 0, 2 } } };
    expect_match(&unassigned, &unassigned.matches[0]);
    const struct cel_regexp_program *before = NULL;
    const char *error = NULL;
    struct cel_matcher matcher;
    struct cel_match match;
    assert_int_equal(cel_regexp_compile(unassigned.pattern, CEL_REGEXP_GO_1_24, CEL_REGEXP_FIND, &arena, &before, &error), FAILURE_NONE);
    cel_matcher_init(&matcher, &arena);
    assert_int_equal(cel_regexp_find(&matcher, before, unassigned.matches[0].text, 0, &match), FAILURE_NONE);
    assert_false(match.found);
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
        EXPECT(cpu_seconds() - start < 0.1 * slowness(), "%s: %.4f s", units[i], cpu_seconds() - start);
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
            bool reached = counted.calls >= failing;
            EXPECT(reached ? failure == FAILURE_MEMORY : failure == FAILURE_NONE, "%s, call %zu", patterns[i], failing);
            arena_done(&small);
            assert_int_equal(counted.live, 0);
            if (!reached)
                break;
        }
    assert_rows();
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
    };
    return cmocka_run_group_tests_name("cel_regexp", tests, start_arena, end_arena);
}
