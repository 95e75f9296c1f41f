/* Semantic versions: which texts are one, and their precedence. The verdicts of the tables were asked of github.com/blang/semver v4.0.0. */
#include "unit.h"

#include "value/limits.h"
#include "value/semver.h"

static void test_texts(void **state)
{
    static const struct { const char *text, *fault; } rows[] = {
        { "0.0.0", NULL }, { "1.2.3", NULL }, { "18446744073709551615.18446744073709551615.18446744073709551615", NULL }, { "1.2.3-a", NULL }, { "1.2.3-0", NULL },
        { "1.2.3-rc.1+b.01", NULL }, { "1.2.3--", NULL }, { "1.2.3-a-b.c-d", NULL }, { "1.2.3+a-b", NULL }, { "1.2.3-0a", NULL }, { "1.2.3-18446744073709551615", NULL }, { "1.2.3+-", NULL },
        { "", "Version string empty" }, { "1", "No Major.Minor.Patch elements found" }, { "1.2", "No Major.Minor.Patch elements found" },
        { "a.2.3", "Invalid character(s) found in major number" }, { "1.-2.3", "Invalid character(s) found in minor number" }, { "1.2.3.4", "Invalid character(s) found in patch number" },
        { "1.2.3_", "Invalid character(s) found in patch number" }, { "v1.2.3", "Invalid character(s) found in major number" }, { " 1.2.3", "Invalid character(s) found in major number" },
        { "1..3", "Invalid character(s) found in minor number" }, { "1.2.", "Invalid character(s) found in patch number" }, { "1.2.3 ", "Invalid character(s) found in patch number" },
        { "01.2.3", "Major number must not contain leading zeroes" }, { "1.02.3", "Minor number must not contain leading zeroes" }, { "1.2.00", "Patch number must not contain leading zeroes" },
        { "18446744073709551616.0.0", "value out of range" }, { "1.2.99999999999999999999999", "value out of range" }, { "1.2.3-18446744073709551616", "value out of range" },
        { "1.2.3-", "Prerelease is empty" }, { "1.2.3-a..b", "Prerelease is empty" }, { "1.2.3-a.", "Prerelease is empty" }, { "1.2.3-+b", "Prerelease is empty" },
        { "1.2.3-01", "Numeric PreRelease version must not contain leading zeroes" }, { "1.2.3-a_b", "Invalid character(s) found in prerelease" },
        { "1.2.3+", "Build meta data is empty" }, { "1.2.3+a..b", "Build meta data is empty" }, { "1.2.3+a+b", "Invalid character(s) found in build meta data" },
        { "1.2.3-a+\303\251", "Invalid character(s) found in build meta data" },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct semver version;
        struct bytes copy = exact_copy(bytes_of(rows[i].text));
        const char *fault = semver_read(copy, &version);
        EXPECT(rows[i].fault ? fault && strcmp(fault, rows[i].fault) == 0 : !fault, "%s: %s", rows[i].text, fault);
        free_copy(copy);
    }
    assert_rows();
}

/* The example of semver.org, and what it leaves open. Each is below the next. */
static void test_precedence(void **state)
{
    static const char *const texts[] = {
        "0.0.0-0", "0.0.0", "0.0.1", "0.1.0", "1.0.0--", "1.0.0-1a", "1.0.0-A", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11",
        "1.0.0-rc.1", "1.0.0-rc.1.0", "1.0.0", "1.0.2", "1.0.10", "1.2.0", "1.10.0", "2.0.0-9", "2.0.0-10", "2.0.0-18446744073709551615", "2.0.0-a", "18446744073709551615.0.0",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++)
        for (size_t j = 0; j < COUNT(texts); j++) {
            char built[100];
            struct semver a, b;
            sprintf(built, "%s+build", texts[j]);
            assert_null(semver_read(bytes_of(texts[i]), &a));
            assert_null(semver_read(bytes_of(built), &b));
            int order = semver_compare(&a, &b), wanted = (i > j) - (i < j);
            EXPECT(order == wanted && semver_equal(&a, &b) == (i == j), "%s, %s: %d", texts[i], built, order);
        }
    assert_rows();
}

static void test_numbers(void **state)
{
    struct semver version;
    (void)state;
    assert_null(semver_read(bytes_of("1.20.18446744073709551615-a.b+c"), &version));
    assert_true(version.numbers[0] == 1 && version.numbers[1] == 20 && version.numbers[2] == UINT64_MAX);
    assert_true(bytes_equal_text(version.pre, "a.b") && bytes_equal_text(version.text, "1.20.18446744073709551615-a.b+c"));
}

/* At the bound and beyond; long identifiers, and many. */
static void test_long_texts(void **state)
{
    static const char *const units[] = { "1", "a", "1.", "a.", "-" };
    double before = cpu_seconds();
    (void)state;
    for (size_t i = 0; i < COUNT(units); i++) {
        char text[LIMIT_SEMVER_BYTES + 2];
        struct bytes tail = repeated(units[i], LIMIT_SEMVER_BYTES, "");
        struct semver version;
        sprintf(text, "1.2.3-a%.*s", (int)(LIMIT_SEMVER_BYTES - 8), tail.data);
        strcat(text, "b");
        for (int round = 0; round < 50; round++) {
            EXPECT(semver_read(bytes_of(text), &version) == NULL, "%s", units[i]);
            EXPECT(semver_compare(&version, &version) == 0, "%s", units[i]);
        }
        strcat(text, "b");
        const char *fault = semver_read(bytes_of(text), &version);
        EXPECT(fault && strcmp(fault, "the version is too long") == 0, "%s: %s", units[i], fault);
        free_copy(tail);
    }
    assert_true(cpu_seconds() - before < 0.2 * slowness());
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_precedence),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_long_texts),
    };
    return cmocka_run_group_tests_name("semver", tests, NULL, NULL);
}
