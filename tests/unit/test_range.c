/* Reports on several versions, merged into one. */
#include "unit.h"
#include "validate/limits.h"
#include "validate/range.h"

static struct source source = { .name = "a.yaml", .ordinal = 1 };
static struct item item = { .source = &source };

static struct problem problem(uint32_t offset, const char *message)
{
    return (struct problem){
        .source = &source, .item = &item, .rule = RULE_REQUIRED, .offset = offset, .path = "spec", .message = message, .hint = "h",
    };
}

static void add(struct range_report *range, struct arena *arena, minor version, struct problem *problems, uint32_t count, size_t errors)
{
    struct report report = { .problems = problems, .count = count, .counts = { .errors = errors, .validated = version % 2 ? 2 : 1 } };
    assert_int_equal(range_report_add(range, &report, version, arena), FAILURE_NONE);
}

static void test_versions(void **state)
{
    struct range_report range = { .failure = FAILURE_NONE };
    struct arena arena;
    char volatile_text[] = "in all";
    struct problem first[] = { problem(9, "in 1.34"), problem(4, volatile_text), problem(9, "twice"), problem(9, "twice") };
    struct problem second[] = { problem(4, "in all"), problem(9, "twice"), problem(2, "in 1.35 and 1.36") };
    struct problem third[] = { problem(2, "in 1.35 and 1.36"), problem(4, "in all"), problem(9, "twice") };
    static const struct {
        uint32_t offset;
        const char *message;
        const char *versions;
    } rows[] = {
        { 2, "in 1.35 and 1.36", "1.35 and 1.36" }, { 4, "in all", "" }, { 9, "in 1.34", "1.34" }, { 9, "twice", "" }, { 9, "twice", "1.34" },
    };
    (void)state;
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    add(&range, &arena, 34, first, COUNT(first), 4);
    memset(volatile_text, '#', 3); /* texts of one version's report are not needed any more */
    add(&range, &arena, 35, second, COUNT(second), 3);
    add(&range, &arena, 36, third, COUNT(third), 3);
    range_report_end(&range);
    assert_int_equal(range.report.count, COUNT(rows));
    for (uint32_t i = 0; i < COUNT(rows); i++) {
        const struct problem *found = &range.report.problems[i];
        EXPECT(found->offset == rows[i].offset && strcmp(found->message, rows[i].message) == 0, "%u", i);
        EXPECT(strcmp(version_set_words(found->versions).text, rows[i].versions) == 0, "%s", rows[i].message);
        EXPECT(strcmp(found->hint, "h") == 0, "%s", rows[i].message);
    }
    assert_int_equal(range.report.counts.errors, 5);
    assert_int_equal(range.report.counts.validated, 2); /* of the version that has most */
    arena_done(&arena);
    assert_rows();
}

/* Each version has as many as are kept, and some more: the first of all of them are kept, and the others counted. */
static void test_limit(void **state)
{
    static struct problem even[LIMIT_PROBLEMS], odd[LIMIT_PROBLEMS];
    struct range_report range = { .failure = FAILURE_NONE };
    struct arena arena;
    (void)state;
    for (uint32_t i = 0; i < LIMIT_PROBLEMS; i++) {
        even[i] = problem(2 * i, "a");
        odd[i] = problem(2 * i + 1, "a");
    }
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    add(&range, &arena, 34, even, LIMIT_PROBLEMS, LIMIT_PROBLEMS + 7);
    add(&range, &arena, 35, odd, LIMIT_PROBLEMS, LIMIT_PROBLEMS + 3);
    range_report_end(&range);
    assert_int_equal(range.report.count, LIMIT_PROBLEMS);
    for (uint32_t i = 0; i < LIMIT_PROBLEMS; i++)
        EXPECT(range.report.problems[i].offset == i, "%u", i);
    assert_int_equal(range.report.counts.errors, LIMIT_PROBLEMS + LIMIT_PROBLEMS / 2 + 7);
    arena_done(&arena);
    assert_rows();
}

static void test_no_memory(void **state)
{
    struct range_report range = { .failure = FAILURE_NONE };
    struct problem problems[] = { problem(1, "a"), problem(2, "b") };
    struct report report = { .problems = problems, .count = 2 };
    struct arena arena;
    (void)state;
    arena_init(&arena, &memory_malloc, 16);
    assert_int_equal(range_report_add(&range, &report, 34, &arena), FAILURE_LIMIT);
    arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_versions), cmocka_unit_test(test_limit), cmocka_unit_test(test_no_memory) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
