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
    static const char *const bad[] = { "", "1", "1.", "1.35.", "1.35.x", "1.-35", "+1.35", "1.35x", "1.30", "1.99", "2.35", "1.35.4 ", "V1.35" };
    minor version = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(good); i++)
        assert_true(version_read(good[i], &version) && version == 35);
    version = 7;
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_false(version_read(bad[i], &version) || version != 7);
}

static void test_read_range(void **state)
{
    static const struct {
        const char *text;
        struct versions versions;
    } good[] = {
        { "1.35", { 35, 35 } },           { "1.31..1.37", { 31, 37 } },         { "1.36..1.36", { 36, 36 } },
        { "v1.34.2..v1.36.1", { 34, 36 } }, { "1.34.1-eks..1.35", { 34, 35 } },
    };
    static const char *const bad[] = {
        "", "..", "1.34..", "..1.35", "1.35..1.34", "1.34...1.35", "1.34..1.35..1.36", "1.30..1.34", "1.34..1.99", "1.34-1.35", "1.34.. 1.35",
        "1.34.1-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..1.35",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        struct versions read = { 0, 0 };
        EXPECT(versions_read(good[i].text, &read), "%s", good[i].text);
        EXPECT(read.since == good[i].versions.since && read.until == good[i].versions.until, "%s", good[i].text);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct versions read = { 7, 7 };
        EXPECT(!versions_read(bad[i], &read) && read.since == 7, "%s", bad[i]);
    }
    assert_rows();
}

static void test_set_words(void **state)
{
    static const struct {
        version_set versions;
        const char *words;
    } rows[] = {
        { 0, "" },
        { 1, "1.31" },
        { 0x40, "1.37" },
        { 0x60, "1.36 and 1.37" },
        { 0x70, "1.35 to 1.37" },
        { 0x7f, "1.31 to 1.37" },
        { 0x55, "1.31, 1.33, 1.35 and 1.37" },
        { 0x5d, "1.31, 1.33 to 1.35 and 1.37" },
        { 0x5b, "1.31, 1.32, 1.34, 1.35 and 1.37" },
        { 0x77, "1.31 to 1.33 and 1.35 to 1.37" },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        EXPECT(strcmp(version_set_words(rows[i].versions).text, rows[i].words) == 0, "%s", rows[i].words);
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words), cmocka_unit_test(test_read), cmocka_unit_test(test_read_range), cmocka_unit_test(test_set_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
