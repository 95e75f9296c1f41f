/* Versions of Kubernetes: what is read as one, and a range of them in words. */
#include "schema/rule.h"
#include "unit.h"

static void test_words(void **state)
{
    static const struct {
        struct versions versions;
        const char *words;
    } rows[] = {
        { { 0, 0 }, "" },           { { 33, 0 }, "since 1.33" },        { { 0, 35 }, "until 1.35" },
        { { 32, 34 }, "1.32 to 1.34" }, { { 33, 33 }, "1.33" },         { { 255, 255 }, "1.255" },
        { { 254, 255 }, "1.254 to 1.255" },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_string_equal(versions_words(rows[i].versions).text, rows[i].words);
}

static void test_read(void **state)
{
    static const char *const good[] = { "1.35", "v1.35", "1.35.4", "v1.35.4+k3s1", "1.35.4-eks-2d5f260", "1.35.0" };
    static const char *const bad[] = { "", "1", "1.", "1.35.", "1.35.x", "1.-35", "+1.35", "1.35x", "1.30", "1.38", "2.35", "1.35.4 ", "V1.35" };
    minor version = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(good); i++)
        assert_true(version_read(good[i], &version) && version == 35);
    version = 7;
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_false(version_read(bad[i], &version) || version != 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_words), cmocka_unit_test(test_read) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
