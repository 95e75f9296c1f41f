/* What the rows of a shape look at. */
#include "unit.h"

#include "check/looks.h"
#include "schema/rows.h"

static void nothing(struct cross *cross)
{
    (void)cross;
}

#define CALLED(...)       CALL(REFERENCE, nothing, SOURCE(""), __VA_ARGS__)
#define UP_TO_THREE(...)  MAX_ITEMS(3, __VA_ARGS__)

static const struct field deep_fields[] = {
    FIELD("plain", STRING, CHECKS(REQUIRED(), MAX_BYTES(3))),
    FIELD("up",    STRING, CHECKS(FORBIDDEN(IF(IS_SET("../name"))))),
    FIELD("far",   STRING, CHECKS(FORBIDDEN(IF(IS_SET("../../name"))))),
};
static const struct shape deep = OBJECT(deep_fields);

static const struct field kept_fields[] = { FIELD("kept", STRING, CHECKS(IMMUTABLE())) };
static const struct shape kept = OBJECT(kept_fields);

static const struct field called_fields[] = { FIELD("called", LIST(STRING_WITH(CALLED(DETAIL(""))))) };
static const struct shape called = OBJECT(called_fields);

static const struct field fields[] = {
    FIELD("name",      STRING, CHECKS(FORMAT(DNS_LABEL), FORBIDDEN(IF(IS_SET("name"), NOT_SET("other"))))),
    FIELD("other",     STRING),
    FIELD("deep",      LIST(&deep)),
    FIELD("kept",      &kept),
    FIELD("called",    &called),
    FIELD("keys",      MAP(STRING), CHECKS(CALLED(KEYS_ONLY), KEYS(MAX_BYTES(3, IF(IS_SET("other")))))),
    FIELD("beside",    STRING, CHECKS(CALLED(VALUE_ONLY, BESIDE("name")))),
    FIELD("set",       STRING, CHECKS(CALLED(NEEDS_SET))),
    FIELD("first",     STRING, CHECKS(FORBIDDEN(IF(IS_FIRST)))),
    FIELD("unchanged", STRING, CHECKS(SKIP(IF(IS_UNCHANGED("unchanged"))))),
    FIELD("skips",     LIST(STRING), CHECKS(SKIP(IF(NOT_SET("skips"))))),
    FIELD("skipped",   LIST(STRING), CHECKS(SKIP(IF(NOT_SET("skips"))))),
};
enum { NAME, OTHER, DEEP, KEPT, CALLED, KEYS, BESIDE, SET, FIRST, UNCHANGED, SKIPS, SKIPPED, FIELDS };
_Static_assert(FIELDS == COUNT(fields), "the names are in the order of the fields");

#define BIT(name) ((uint64_t)1 << (name))

static void test_members(void **state)
{
    static const struct shape shape = OBJECT(fields);
    struct looks looks;
    uint64_t watched[FIELDS];
    static const uint64_t wanted[FIELDS] = { [NAME] = BIT(OTHER), [DEEP] = BIT(NAME), [KEYS] = BIT(OTHER), [BESIDE] = BIT(NAME), [SKIPPED] = BIT(SKIPS) };
    (void)state;
    looks_make(&shape, &looks, watched);
    assert_true(looks.known);
    for (unsigned i = 0; i < FIELDS; i++)
        EXPECT(watched[i] == wanted[i], "%s: %llx", fields[i].name.data, (unsigned long long)watched[i]);
    assert_int_equal(looks.watchers, BIT(NAME) | BIT(DEEP) | BIT(KEYS) | BIT(BESIDE) | BIT(SKIPPED));
    assert_int_equal(looks.always, BIT(CALLED) | BIT(FIRST));
    assert_int_equal(looks.old, BIT(KEPT) | BIT(UNCHANGED));
    assert_int_equal(looks.gated, BIT(UNCHANGED));
    assert_int_equal(looks.gated_by_value, BIT(UNCHANGED) | BIT(SKIPS));
    assert_int_equal(looks.own_values | looks.own_counts, 0);
    assert_false(looks.own_always || looks.own_old);
    assert_rows();
}

static const struct field pair[] = { FIELD("a", STRING, POINTER), FIELD("b", STRING, POINTER), FIELD("c", LIST(STRING)) };

static void test_own_checks(void **state)
{
    const struct {
        const char *what;
        struct shape shape;
        struct looks wanted;
    } cases[] = {
        { "none", OBJECT(pair), { .known = true } },
        { "one of", OBJECT(pair, CHECKS(ONE_OF(NAMES("a", "b"), MANY(INVALID)))), { .known = true, .own_counts = 3 } },
        { "one that is not zero", OBJECT(pair, CHECKS(ONE_OF(NAMES("a", "b"), NONZERO, MANY(INVALID)))), { .known = true, .own_values = 3 } },
        { "union", OBJECT(pair, CHECKS(ONE_OF(NAMES("a", "b"), UNION, MANY(INVALID)))), { .known = true, .own_counts = 3, .own_old = true } },
        { "sum", OBJECT(pair, CHECKS(SUM_ITEMS(NAMES("c"), 3))), { .known = true, .own_counts = 4 } },
        { "sum, if", OBJECT(pair, CHECKS(SUM_ITEMS(NAMES("c"), 3, IF(IS_TRUE("b"))))), { .known = true, .own_counts = 4, .own_values = 2 } },
        { "refused", OBJECT(pair, CHECKS(REFUSED_IF(IF(IS_SET("a"), NOT_TRUE("../b"))))), { .known = true, .own_values = 1 } },
        { "call", OBJECT(pair, CHECKS(CALLED(DETAIL("")))), { .known = true, .own_always = true } },
        { "skip", OBJECT(pair, CHECKS(SKIP(IF(IS_SET("a"))))), { .own_values = 1 } },
        { "stop", OBJECT(pair, CHECKS(ONE_OF(NAMES("a", "b"), MANY(INVALID), STOP))), { .own_counts = 3 } },
        { "other objects", OBJECT(pair, CHECKS(CALLED(NEEDS_SET))), { .known = true } },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct looks looks;
        uint64_t watched[COUNT(pair)];
        const struct looks *wanted = &cases[i].wanted;
        looks_make(&cases[i].shape, &looks, watched);
        EXPECT(looks.known == wanted->known && looks.own_always == wanted->own_always && looks.own_old == wanted->own_old, "%s", cases[i].what);
        EXPECT(looks.own_values == wanted->own_values && looks.own_counts == wanted->own_counts, "%s: %llx %llx", cases[i].what,
               (unsigned long long)looks.own_values, (unsigned long long)looks.own_counts);
        EXPECT(!looks.watchers && !looks.always && !looks.old, "%s", cases[i].what);
    }
    assert_rows();
}

static void test_checks_of_keys(void **state)
{
    const struct check checks[] = CHECK_LIST(KEYS(MAX_BYTES(3)), UP_TO_THREE(SOURCE("")), CALLED(KEYS_ONLY), CALLED(VALUE_ONLY), CALLED(DETAIL("")), REQUIRED(),
                                             KEYS(MAX_BYTES(3), MAX_BYTES(3, IF(IS_SET("a")))),
                                                    UP_TO_THREE(IF(IS_SET("a"))));
    (void)state;
    for (size_t i = 0; checks[i].op != CHECK_END; i++)
        EXPECT(looks_at_keys(&checks[i]) == (i < 3), "%zu", i);
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_own_checks),
        cmocka_unit_test(test_checks_of_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
