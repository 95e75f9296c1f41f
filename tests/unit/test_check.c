/* The engine on shapes made up here: every check at its boundary, conditions, defaults, pairing with the old object. */
#include "validate.h"
#include "schema/rows.h"

#define CREATED(shape, object, expected)            assert_validated(&shape, CREATE, MINOR_DEFAULT, object, NULL, expected)
#define UPDATED(shape, object, old, expected)       assert_validated(&shape, UPDATE, MINOR_DEFAULT, object, old, expected)
#define STATUS_UPDATED(shape, object, old, expected) assert_validated(&shape, STATUS, MINOR_DEFAULT, object, old, expected)

/* ---- types ---- */

static const struct field type_fields[] = {
    FIELD("s", STRING),
    FIELD("b", BOOL),
    FIELD("i", INT32),
    FIELD("l", INT64),
    FIELD("q", QUANTITY),
    FIELD("t", TIME),
    FIELD("r", RAW),
    FIELD("list", LIST(STRING)),
    FIELD("map", MAP(STRING)),
};
static const struct shape types = OBJECT(type_fields);

static void test_types(void **state)
{
    (void)state;
    CREATED(types, "{\"s\":\"\",\"b\":true,\"i\":-2147483648,\"l\":9223372036854775807,\"q\":\"1Gi\",\"t\":\"2026-01-02T03:04:05Z\",\"r\":[{}],\"list\":[\"\"],\"map\":{\"a\":\"\"}}", "");
    CREATED(types, "{\"s\":null,\"b\":null,\"i\":null,\"l\":null,\"q\":null,\"t\":null,\"r\":null,\"list\":[null],\"map\":{\"a\":null}}", "");
    CREATED(types, "{\"s\":1,\"b\":\"true\",\"i\":2147483648,\"l\":1.0,\"q\":\"1K\",\"t\":\"now\"}",
            "s: TypeInvalid type\nb: TypeInvalid type\ni: TypeInvalid type\nl: TypeInvalid type\nq: TypeInvalid type\nt: TypeInvalid type\n");
    CREATED(types, "{\"list\":{},\"map\":[]}", "list: TypeInvalid type\nmap: TypeInvalid type\n");
    CREATED(types, "{\"list\":[\"a\",1],\"map\":{\"k\":[]}}", "list[1]: TypeInvalid type\nmap[k]: TypeInvalid type\n");
    CREATED(types, "{\"unknown\":{\"s\":1},\"S\":1}", "");
    CREATED(types, "[]", ": TypeInvalid type\n");
    CREATED(types, "null", ": TypeInvalid type\n");
    UPDATED(types, "{}", "{\"s\":1}", "s: TypeInvalid type\n");
}

/* ---- presence ---- */

static const struct field presence_fields[] = {
    FIELD("s",  STRING, CHECKS(REQUIRED())),
    FIELD("l",  LIST(STRING), CHECKS(REQUIRED())),
    FIELD("b",  BOOL, POINTER, CHECKS(REQUIRED())),
    FIELD("p",  STRING, POINTER, CHECKS(REQUIRED_IF_SET())),
    FIELD("n",  STRING, CHECKS(NON_EMPTY())),
    FIELD("f",  STRING, CHECKS(FORBIDDEN())),
    FIELD("fp", STRING, POINTER, CHECKS(FORBIDDEN())),
    FIELD("fl", LIST(STRING), CHECKS(FORBIDDEN(EMPTY_COUNTS))),
    FIELD("ft", TIME, CHECKS(FORBIDDEN(EMPTY_COUNTS))),
};
static const struct shape presence = OBJECT(presence_fields);

static void test_presence(void **state)
{
    (void)state;
    CREATED(presence, "{}", "s: Required required\nl: Required required\nb: Required required\nn: Invalid non-empty\n");
    CREATED(presence, "{\"s\":\"\",\"l\":[],\"b\":null,\"p\":\"\",\"n\":null,\"f\":\"\",\"fp\":\"\"}",
            "s: Required required\nl: Required required\nb: Required required\np: Required required\nn: Invalid non-empty\nfp: Forbidden forbidden\n");
    CREATED(presence, "{\"s\":\"a\",\"l\":[\"\"],\"b\":false,\"p\":\"a\",\"n\":\"a\",\"f\":\"a\"}", "f: Forbidden forbidden\n");
#define RIGHT "\"s\":\"a\",\"l\":[\"\"],\"b\":false,\"n\":\"a\""
    CREATED(presence, "{" RIGHT ",\"fl\":[],\"ft\":\"0001-01-01T00:00:00Z\"}", "fl: Forbidden forbidden\nft: Forbidden forbidden\n");
    CREATED(presence, "{" RIGHT ",\"fl\":null,\"ft\":null}", "");
#undef RIGHT
}

/* ---- times ---- */

static const struct field time_fields[] = {
    FIELD("t", TIME, CHECKS(REQUIRED(), IMMUTABLE())),
    FIELD("p", TIME, POINTER, CHECKS(REQUIRED(), IMMUTABLE())),
};
static const struct shape times = OBJECT(time_fields);

/* The year 1 is no time, and a pointer to it is set. */
static void test_time_zero(void **state)
{
    (void)state;
#define ZERO "\"0001-01-01T00:00:00Z\""
    CREATED(times, "{\"t\":" ZERO ",\"p\":" ZERO "}", "t: Required required\n");
    UPDATED(times, "{\"t\":" ZERO ",\"p\":" ZERO "}", "{\"p\":" ZERO "}", "t: Required required\n");
    UPDATED(times, "{}", "{\"t\":" ZERO ",\"p\":" ZERO "}", "t: Required required\np: Required required\np: Invalid immutable\n");
#undef ZERO
}

/* ---- values and sizes ---- */

static const struct field value_fields[] = {
    FIELD("e",  STRING, POINTER, CHECKS(ENUM(NAMES("", "a", "b")))),
    FIELD("r",  INT64, POINTER, CHECKS(RANGE(10, 20))),
    FIELD("m",  INT64, CHECKS(AT_LEAST(-1))),
    FIELD("q",  QUANTITY, POINTER, CHECKS(RANGE(1, 2))),
    FIELD("x",  STRING, CHECKS(MAX_BYTES(3))),
    FIELD("f",  STRING, POINTER, CHECKS(FORMAT(DRIVER_NAME))),
    FIELD("l",  LIST(STRING_WITH(ENUM(NAMES("a", "b"), UP(1)))), CHECKS(MAX_ITEMS(2))),
    FIELD("t",  MAP(STRING), CHECKS(TOTAL_BYTES(6))),
    FIELD("k",  MAP(STRING_WITH(FORMAT(LABEL_VALUE, UP(1)))), CHECKS(KEYS(FORMAT(QUALIFIED_NAME)))),
    FIELD("w",  STRING, CHECKS(DEPRECATED(NAMES("old")))),
};
static const struct shape values = OBJECT(value_fields);

static void test_values(void **state)
{
    (void)state;
    CREATED(values, "{\"e\":\"\"}", "");
    CREATED(values, "{\"e\":\"A\"}", "e: NotSupported enum\n");
    CREATED(values, "{\"r\":9}", "r: Invalid range\n");
    CREATED(values, "{\"r\":10,\"m\":-1}", "");
    CREATED(values, "{\"r\":20}", "");
    CREATED(values, "{\"r\":21,\"m\":-2}", "r: Invalid range\nm: Invalid range\n");
    CREATED(values, "{\"q\":\"999m\"}", "q: Invalid range\n");
    CREATED(values, "{\"q\":\"1000m\"}", "");
    CREATED(values, "{\"q\":2}", "");
    CREATED(values, "{\"q\":\"2000000001n\"}", "q: Invalid range\n");
    CREATED(values, "{\"w\":\"old\"}", "W w: Invalid deprecated\n");
    CREATED(values, "{\"f\":\"a\"}", "");
    CREATED(values, "{\"f\":\"________________________________________________________________\"}", "f: TooLong driver-name\nf: Invalid driver-name\n");
}

#define PREFIXES NAMES("a-", "b-")

static const struct field begun_fields[] = {
    FIELD("one", STRING, POINTER),
};
static const struct shape begun = OBJECT(begun_fields, CHECKS(ONE_OF(NAMES("one"), NONE(REQUIRED), IF(IS_FIRST))));

static const struct field map_fields[] = {
    FIELD("here",  MAP(QUANTITY_WITH(INTEGER(IF(KEY_BEGINS(PREFIXES))))), CHECKS(KEYS(MAX_BYTES(3, IF(KEY_BEGINS(PREFIXES)))), KEYS_IN("there", PREFIXES))),
    FIELD("there", MAP(QUANTITY)),
    FIELD("whole", QUANTITY, POINTER, CHECKS(INTEGER())),
    FIELD("list",  LIST(&begun)),
};
static const struct shape maps = OBJECT(map_fields);

static void test_maps(void **state)
{
    (void)state;
    CREATED(maps, "{\"here\":{\"a-1\":\"1\",\"b-2\":2,\"c-345\":\"1.5\"},\"there\":{\"a-1\":1,\"b-2\":0,\"a-9\":1}}", "");
    CREATED(maps, "{\"here\":{\"a-1\":\"1.5\",\"b-23\":2},\"there\":{\"a-1\":1}}", "here[b-23]: TooLong max-bytes\nhere[b-23]: Invalid matching-keys\nhere[a-1]: Invalid integer\n");
    CREATED(maps, "{\"here\":{\"a-\":null,\"a\":\"1m\",\"xa-\":\"1m\"}}", "here[a-]: Invalid matching-keys\n");
    static const char *const whole[] = { "\"0\"", "0.0", "-3", "\"1k\"", "\"1.5k\"", "\"1000m\"", "\"2e3\"", "\"1Gi\"", "100", "\"-1.0\"" };
    static const char *const broken[] = { "\"1m\"", "0.5", "\"-1500m\"", "\"1e-1\"", "\"10.01\"", "\"1n\"" };
    char text[64];
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        snprintf(text, sizeof text, "{\"whole\":%s}", whole[i]);
        CREATED(maps, text, "");
    }
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        snprintf(text, sizeof text, "{\"whole\":%s}", broken[i]);
        CREATED(maps, text, "whole: Invalid integer\n");
    }
    CREATED(maps, "{\"list\":[{\"one\":\"\"},{}]}", "");
    CREATED(maps, "{\"list\":[{},{}]}", "list[0]: Required exactly-one-of\n");
}

static void test_sizes(void **state)
{
    (void)state;
    CREATED(values, "{\"x\":\"ab\"}", "");
    CREATED(values, "{\"x\":\"a\xC3\xA9\"}", "");
    CREATED(values, "{\"x\":\"ab\xC3\xA9\"}", "x: TooLong max-bytes\n");
    CREATED(values, "{\"l\":[\"a\",\"b\"]}", "");
    CREATED(values, "{\"l\":[\"a\",\"c\"]}", "l: NotSupported enum\n");
    CREATED(values, "{\"l\":[\"a\",\"c\",\"a\"]}", "l: TooMany max-items\n"); /* and nothing about c */
    CREATED(values, "{\"t\":{\"ab\":\"c\",\"d\":\"ef\"}}", "");
    CREATED(values, "{\"t\":{\"ab\":\"c\",\"d\":\"efg\"}}", "t: TooLong total-bytes\n");
    CREATED(values, "{\"t\":{\"abcdef\":null}}", "");
    CREATED(values, "{\"k\":{\"a/b\":\"\",\"a b\":\"x y\"}}", "k[a b]: Invalid qualified-name\nk: Invalid label-value\n");
}

/* ---- lists ---- */

static const struct field element_fields[] = {
    FIELD("name", STRING, CHECKS(REQUIRED())),
    FIELD("mark", BOOL, POINTER),
    FIELD("free", STRING),
};
static const struct shape element = OBJECT(element_fields);

static const struct field list_fields[] = {
    FIELD("aside", LIST(&element), CHECKS(UNIQUE("name", REST_SKIPPED))),
    FIELD("keyed", LIST(&element), CHECKS(UNIQUE("name", UP(1)), IMMUTABLE_BY_KEY("name", NAMES("free"), UP(1)))),
    FIELD("one",   LIST(&element, UNINDEXED_UNTIL(MINOR_NEWEST)), CHECKS(AT_MOST_ONE("mark"))),
    FIELD("texts", LIST(STRING), CHECKS(UNIQUE(ITSELF), EXCLUSIVE(NAMES("x", "y")), NO_ADDITIONS())),
};
static const struct shape lists = OBJECT(list_fields);

static void test_lists(void **state)
{
    (void)state;
    CREATED(lists, "{\"aside\":[{},{}]}", "aside[1].name: Duplicate unique\naside[0].name: Required required\n"); /* nothing more about [1] */
    CREATED(lists, "{\"aside\":[{\"name\":\"a\"},{\"name\":\"A\"},null]}", "aside[2].name: Required required\n");
    CREATED(lists, "{\"keyed\":[{\"name\":\"a\"},{\"name\":\"a\"},{\"name\":\"a\"}]}", "keyed[1]: Duplicate unique\nkeyed[2]: Duplicate unique\n");
    CREATED(lists, "{\"one\":[{\"name\":\"a\",\"mark\":true},{\"name\":\"a\",\"mark\":false},{\"name\":\"a\",\"mark\":true},{}]}", "one: Invalid at-most-one\none.name: Required required\n");
    CREATED(lists, "{\"texts\":[\"x\",null,\"\",\"y\"]}", "texts[2]: Duplicate unique\ntexts: Invalid mutually-exclusive\n");
}

static void test_lists_against_old(void **state)
{
    (void)state;
    const char *old = "{\"keyed\":[{\"name\":\"a\",\"mark\":true},{\"name\":\"b\"}],\"texts\":[\"x\",\"z\"]}";
    UPDATED(lists, "{\"keyed\":[{\"name\":\"c\"},{\"name\":\"b\",\"free\":\"new\"}],\"texts\":[\"z\"]}", old, "");
    UPDATED(lists, "{\"keyed\":[{\"name\":\"a\"}],\"texts\":[\"z\",\"q\"]}", old, "keyed: Invalid immutable\ntexts[1]: Forbidden no-new-items\n");
    /* of two old twins that differ, none can be kept */
    UPDATED(lists, "{\"keyed\":[{\"name\":\"a\"}]}", "{\"keyed\":[{\"name\":\"a\"},{\"name\":\"a\",\"mark\":true}]}", "keyed: Invalid immutable\n");
}

/* ---- quantities ---- */

/* As the request policy of a device's capacity, whose verdicts Kubernetes 1.35.4 gave; a is for the default, b for the largest. */
static const struct field grid_fields[] = {
    FIELD("v", QUANTITY), FIELD("d", QUANTITY), FIELD("min", QUANTITY), FIELD("max", QUANTITY, POINTER),
    FIELD("a", QUANTITY, CHECKS(ON_GRID("d", "min", NAMES("v", "max")))),
    FIELD("b", QUANTITY, CHECKS(ON_GRID("max", "min", NAMES("v", "max")))),
};
static const struct shape grid = OBJECT(grid_fields);

static void assert_grid(const char *v, const char *d, const char *min, const char *max, const char *step, const char *expected)
{
    char object[256];
    snprintf(object, sizeof object, "{\"v\":\"%s\",\"d\":\"%s\",\"min\":\"%s\",\"max\":%s,\"a\":\"%s\",\"b\":\"%s\"}", v, d, min, max, step, step);
    CREATED(grid, object, expected);
}

/* What is below zero and no integer counts as another integer once it was compared with a decimal, such as 1.5Ki. */
static void test_grids(void **state)
{
    (void)state;
    assert_grid("10Ki", "-1", "-1500m", "\"1536\"", "3", "a: Invalid multiple-of\nb: Invalid multiple-of\n");
    assert_grid("10Ki", "-1", "-1500m", "\"1.5Ki\"", "3", "a: Invalid multiple-of\n");
    assert_grid("10.5Ki", "-1500m", "-2", "\"1\"", "3", "a: Invalid multiple-of\n");
    assert_grid("10Ki", "1", "-1500m", "null", "3", "");
    assert_grid("10.5Ki", "1", "-1500m", "null", "3", "a: Invalid multiple-of\n");
    assert_grid("10Ki", "512", "0.5Ki", "\"-2500m\"", "513", "b: Invalid multiple-of\n");
    assert_grid("10Ki", "512", "0.5Ki", "\"-2500m\"", "515", "");
    assert_grid("10.5Ki", "512", "512", "\"-2500m\"", "513", "");
    assert_grid("10.5Ki", "512", "512", "\"-2500m\"", "515", "b: Invalid multiple-of\n");
}

/* ---- siblings ---- */

static const char *const ordered[] = { "first", "second", "third", NULL };

static const struct field choice_fields[] = {
    FIELD("second", &element, POINTER, CHECKS(ONLY_FIRST_OF(IF(ANY_BEFORE(ordered)), STOP))),
    FIELD("first",  &element, POINTER, CHECKS(ONLY_FIRST_OF(IF(ANY_BEFORE(ordered)), STOP))),
    FIELD("third",  &element, POINTER, CHECKS(ONLY_FIRST_OF(IF(ANY_BEFORE(ordered)), STOP, SIBLING("THIRD")))),
};
static const struct shape choice = OBJECT(choice_fields, CHECKS(ONE_OF(ordered, NONE(REQUIRED), AT("any"))));

static const struct field sibling_fields[] = {
    FIELD("kind",   STRING),
    FIELD("a",      STRING, CHECKS(REQUIRED(IF(EQUALS("kind", "A", "AA"))), FORBIDDEN(IF(DIFFERS("kind", "A", "AA"))))),
    FIELD("inner",  &choice, POINTER, SEGMENT("Inner"), CHECKS(SKIP(IF(EQUALS("kind", "skip"))))),
    FIELD("nested", LIST(&element), CHECKS(REFUSED_IF(IF(IS_SET("a"), NOT_SET("inner")), DETAIL("so")))),
};
static const struct shape siblings = OBJECT(sibling_fields);

static void test_siblings(void **state)
{
    (void)state;
    CREATED(siblings, "{\"kind\":\"A\"}", "a: Required required\n");
    CREATED(siblings, "{\"kind\":\"B\",\"a\":\"x\",\"inner\":{\"first\":{\"name\":\"n\"}}}", "a: Forbidden forbidden\n");
    CREATED(siblings, "{\"kind\":\"AA\",\"a\":\"x\"}", "nested: Invalid disallowed-value\n");
    CREATED(siblings, "{\"inner\":{}}", "Inner.any: Required exactly-one-of\n");
    CREATED(siblings, "{\"inner\":{\"third\":{},\"second\":{}}}", "Inner.second.name: Required required\nInner.THIRD: Forbidden at-most-one-of\n");
    CREATED(siblings, "{\"kind\":\"skip\",\"inner\":{\"third\":{},\"second\":{}}}", "");
}

/* ---- defaults, what is dropped and kept, immutability ---- */

static const struct field inner_fields[] = {
    FIELD("d", STRING, POINTER, DEFAULT(TEXT("std"))),
    FIELD("z", STRING, DEFAULT(TEXT("std"))),
    FIELD("l", LIST(STRING), DEFAULT(LIST_OF_ONE("std"))),
    FIELD("q", QUANTITY_IN_MILLI, POINTER),
    FIELD("t", TIME),
    FIELD("m", MAP(STRING)),
    FIELD("r", RAW),
};
static const struct shape inner = OBJECT(inner_fields);

static const struct field update_fields[] = {
    FIELD("same",   &inner, CHECKS(IMMUTABLE())),
    FIELD("strict", MAP(STRING), CHECKS(IMMUTABLE(STRICT, REASON(FORBIDDEN)))),
    FIELD("uid",    STRING, ON_UPDATE(KEEP_OLD_IF_UNSET), CHECKS(IMMUTABLE())),
    FIELD("gone",   TIME, POINTER, ON_UPDATE(KEEP_OLD_IF_SET), CHECKS(IMMUTABLE())),
    FIELD("spec",   STRING, ON_STATUS(KEEP_OLD), CHECKS(MAX_BYTES(1))),
    FIELD("status", STRING, ON_CREATE(DROP), ON_UPDATE(KEEP_OLD), CHECKS(MAX_BYTES(1))),
};
static const struct shape updates = OBJECT(update_fields);

/* ---- what is documented only ---- */

static const struct field advice_inner_fields[] = {
    FIELD("a", STRING, CHECKS(EXPLICIT(SHOULD))),
    FIELD("p", STRING, POINTER, CHECKS(EXPLICIT(INFO))),
};
static const struct shape advice_inner = OBJECT(advice_inner_fields);

static const struct shape advice_entry = { SHAPE_OF(STRING), CHECKS(ENUM(NAMES("1"), SHOULD, IF(KEY_IS("one", "uno")))) };

static const struct field advice_fields[] = {
    FIELD("o", &advice_inner, CHECKS(EXPLICIT(INFO))),
    FIELD("l", LIST(STRING)),
    FIELD("b", BOOL, CHECKS(ADVICE_IF(SHOULD, IF(LISTS("l", "x"), NOT_TRUE("b"))))),
    FIELD("m", MAP(&advice_entry), CHECKS(KEYS(NONE_OF(MISPLACED_FIELD, NAMES("bad"), INFO)))),
    FIELD("h", STRING, CHECKS(BROKEN_IF(DEPRECATED, SHOULD, IF(HAS_ENTRY("m", "k"))), NO_EFFECT(IF(HAS_ENTRY("m", "k", "v")), DETAIL("is for nothing")),
                              ADVICE_IF(INFO, IF(HAS_ENTRY("m", "k"), NO_ENTRY("m", "q"))))),
    FIELD("r", RAW, CHECKS(JSON_PAIR(NAMES("kind", "version"), INFO))),
    FIELD("w", STRING, CHECKS(ADVICE_IF(SHOULD, IF(IS_EXPLICIT("w"))))),
};
static const struct shape advice = OBJECT(advice_fields);

static void test_advice(void **state)
{
    (void)state;
    CREATED(advice, "{\"o\":{\"a\":\"\",\"p\":\"\"}}", "");
    CREATED(advice, "{}", "I o: Required recommended\n"); /* what would stand in it is not missed as well */
    CREATED(advice, "{\"o\":null}", "W o.a: Required recommended\nI o.p: Required recommended\n"); /* a null is written */
    CREATED(advice, "{\"o\":{}}", "W o.a: Required recommended\nI o.p: Required recommended\n");
    CREATED(advice, "{\"o\":{\"a\":null,\"p\":\"\"}}", "");
#define WITH_O "{\"o\":{\"a\":\"\",\"p\":\"\"},"
    CREATED(advice, WITH_O "\"l\":[\"y\",\"x\"]}", "W b: Required recommended\n");
    CREATED(advice, WITH_O "\"l\":[\"x\"],\"b\":true}", "");
    CREATED(advice, WITH_O "\"l\":[\"xx\"]}", "");
    CREATED(advice, WITH_O "\"m\":{\"one\":\"2\",\"two\":\"2\",\"uno\":\"1\"}}", "W m[one]: NotSupported enum\n");
    CREATED(advice, WITH_O "\"m\":{\"bad\":\"\",\"good\":\"\"}}", "I m[bad]: Invalid misplaced-field\n");
    CREATED(advice, WITH_O "\"m\":{\"k\":\"\",\"q\":\"\"}}", "W h: Invalid deprecated\n");
    CREATED(advice, WITH_O "\"m\":{\"k\":\"v\"}}", "W h: Invalid deprecated\nI h: Forbidden no-effect\nI h: Required recommended\n");
    CREATED(advice, WITH_O "\"m\":{\"k\":null,\"q\":\"\"}}", ""); /* a null is no entry */
    CREATED(advice, WITH_O "\"w\":\"\"}", "W w: Required recommended\n");
    CREATED(advice, WITH_O "\"r\":{\"kind\":1}}", ""); /* this reader skipped it */
#undef WITH_O
}

static void test_equality_by_meaning(void **state)
{
    (void)state;
    static const char *const same[][2] = {
        { "{\"same\":{}}", "{}" },
        { "{\"same\":{\"d\":null,\"z\":\"\",\"l\":[]}}", "{\"same\":{\"d\":\"std\",\"z\":\"std\",\"l\":[\"std\"]}}" },
        { "{\"same\":{\"q\":\"1000m\"}}", "{\"same\":{\"q\":1}}" },
        { "{\"same\":{\"q\":\"1.1m\"}}", "{\"same\":{\"q\":\"2m\"}}" },
        { "{\"same\":{\"t\":\"2026-01-02T03:04:05Z\"}}", "{\"same\":{\"t\":\"2026-01-02T04:04:05+01:00\"}}" },
        { "{\"same\":{\"m\":{\"a\":\"1\",\"b\":\"2\"}}}", "{\"same\":{\"m\":{\"b\":\"2\",\"a\":\"1\"}}}" },
        { "{\"same\":{\"m\":{}}}", "{\"same\":{\"m\":null}}" },
    };
    static const char *const different[][2] = {
        { "{\"same\":{\"d\":\"\"}}", "{\"same\":{}}" }, /* a pointer to "" is set */
        { "{\"same\":{\"l\":[\"std\",\"std\"]}}", "{}" },
        { "{\"same\":{\"q\":\"0\"}}", "{\"same\":{}}" },
        { "{\"same\":{\"q\":\"2.1m\"}}", "{\"same\":{\"q\":\"2m\"}}" },
        { "{\"same\":{\"t\":\"2026-01-02T03:04:05Z\"}}", "{}" },
        { "{\"same\":{\"m\":{\"a\":\"1\"}}}", "{\"same\":{\"m\":{\"b\":\"1\"}}}" },
        { "{\"same\":{\"m\":{\"a\":\"1\"}}}", "{\"same\":{\"m\":{\"a\":\"2\"}}}" },
        { "{\"same\":{\"r\":{\"a\":1}}}", "{\"same\":{\"r\":{\"a\": 1}}}" },
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        UPDATED(updates, same[i][0], same[i][1], "");
        UPDATED(updates, same[i][1], same[i][0], "");
    }
    for (size_t i = 0; i < sizeof different / sizeof *different; i++) {
        UPDATED(updates, different[i][0], different[i][1], "same: Invalid immutable\n");
        UPDATED(updates, different[i][1], different[i][0], "same: Invalid immutable\n");
    }
}

static void test_large_maps_are_compared(void **state)
{
    (void)state;
    char forward[1024] = "{\"same\":{\"m\":{", backward[1024] = "{\"same\":{\"m\":{";
    for (int i = 0; i < 20; i++) {
        char entry[32];
        snprintf(entry, sizeof entry, "%s\"k%d\":\"v%d\"", i ? "," : "", i, i);
        strcat(forward, entry);
        snprintf(entry, sizeof entry, "%s\"k%d\":\"v%d\"", i ? "," : "", 19 - i, 19 - i);
        strcat(backward, entry);
    }
    strcat(forward, "}}}");
    strcat(backward, "}}}");
    UPDATED(updates, forward, backward, "");
    *strstr(backward, "v7") = 'w';
    UPDATED(updates, forward, backward, "same: Invalid immutable\n");
}

static void test_strict_equality(void **state)
{
    (void)state;
    UPDATED(updates, "{}", "{\"strict\":null}", "");
    UPDATED(updates, "{\"strict\":{}}", "{\"strict\":{}}", "");
    UPDATED(updates, "{\"strict\":{}}", "{}", "strict: Forbidden immutable\n");
    UPDATED(updates, "{\"strict\":null}", "{\"strict\":{}}", "strict: Forbidden immutable\n");
}

static void test_dropped_and_kept(void **state)
{
    (void)state;
    CREATED(updates, "{\"spec\":\"ab\",\"status\":\"ab\"}", "spec: TooLong max-bytes\n");
    UPDATED(updates, "{\"spec\":\"a\",\"status\":\"ab\"}", "{\"status\":\"a\"}", "");
    UPDATED(updates, "{\"spec\":\"a\",\"status\":\"a\"}", "{\"status\":\"ab\"}", "status: TooLong max-bytes\n");
    STATUS_UPDATED(updates, "{\"spec\":\"ab\",\"status\":\"ab\"}", "{\"spec\":\"a\"}", "status: TooLong max-bytes\n");
    UPDATED(updates, "{}", "{\"uid\":\"u\",\"gone\":\"2026-01-02T03:04:05Z\"}", "");
    UPDATED(updates, "{\"uid\":\"v\",\"gone\":\"2027-01-02T03:04:05Z\"}", "{\"uid\":\"u\",\"gone\":\"2026-01-02T03:04:05Z\"}", "uid: Invalid immutable\n");
    UPDATED(updates, "{\"gone\":\"2027-01-02T03:04:05Z\"}", "{}", "gone: Invalid immutable\n");
}

/* ---- operations, versions, ratchets ---- */

static const struct field when_fields[] = {
    FIELD("c",   STRING, CHECKS(FORBIDDEN(WHEN(CREATE)))),
    FIELD("u",   STRING, CHECKS(FORBIDDEN(WHEN(UPDATE | STATUS)))),
    FIELD("l",   STRING, CHECKS(FORBIDDEN(WHEN(CREATE_CLEAN)))),
    FIELD("v",   STRING, CHECKS(FORBIDDEN(SINCE(34), UNTIL(35)))),
    FIELD("new", STRING, SINCE(35), CHECKS(FORBIDDEN())),
    FIELD("old", STRING, UNTIL(34), CHECKS(FORBIDDEN())),
    FIELD("n",   STRING, CHECKS(RECOMMENDED(SHOULD, IF(CHANGED("c")), DETAIL("should be there")))),
};
static const struct shape whens = OBJECT(when_fields);

static void test_operations(void **state)
{
    (void)state;
    CREATED(whens, "{\"c\":\"x\",\"u\":\"x\",\"n\":\"x\"}", "c: Forbidden forbidden\n");
    UPDATED(whens, "{\"c\":\"x\",\"u\":\"x\",\"n\":\"x\"}", "{}", "u: Forbidden forbidden\n");
    STATUS_UPDATED(whens, "{\"c\":\"x\",\"u\":\"x\",\"n\":\"x\"}", "{}", "u: Forbidden forbidden\n");
    CREATED(whens, "{\"l\":\"x\",\"n\":\"x\"}", "l: Forbidden forbidden\n");
    CREATED(whens, "{\"l\":\"x\",\"c\":\"x\",\"n\":\"x\"}", "c: Forbidden forbidden\n");
    UPDATED(whens, "{\"l\":\"x\",\"n\":\"x\"}", "{}", "");
    CREATED(whens, "{}", "W n: Required recommended\n");
    UPDATED(whens, "{\"c\":\"x\"}", "{\"c\":\"x\"}", "");
    UPDATED(whens, "{\"c\":\"y\"}", "{\"c\":\"x\"}", "W n: Required recommended\n");
}

static void test_versions(void **state)
{
    (void)state;
    const char *object = "{\"v\":\"x\",\"new\":\"x\",\"old\":\"x\",\"n\":\"x\"}";
    assert_validated(&whens, CREATE, 33, object, NULL, "old: Forbidden forbidden\n");
    assert_validated(&whens, CREATE, 34, object, NULL, "v: Forbidden forbidden\nold: Forbidden forbidden\n");
    assert_validated(&whens, CREATE, 35, object, NULL, "v: Forbidden forbidden\nnew: Forbidden forbidden\n");
    assert_validated(&whens, CREATE, 36, object, NULL, "new: Forbidden forbidden\n");
    assert_validated(&whens, CREATE, 34, "{\"new\":1,\"n\":\"x\"}", NULL, ""); /* unknown, so not even decoded */
}

enum { TOLERANT = 1 };

static const struct field ratchet_inner_fields[] = {
    FIELD("a", STRING, CHECKS(MAX_BYTES(1, IF(UNLESS(TOLERANT))))),
    FIELD("b", STRING, CHECKS(MAX_BYTES(1))),
};
static const struct shape ratchet_inner = OBJECT(ratchet_inner_fields);

static const struct field ratchet_fields[] = {
    FIELD("x", &ratchet_inner, POINTER, CHECKS(RATCHET(TOLERANT, IF(OLD_INVALID)))),
    FIELD("t", STRING, CHECKS(FORBIDDEN(IF(TRAIT(1))), FORBIDDEN(IF(NOT_TRAIT(1))))),
};
static const struct shape ratchets = OBJECT(ratchet_fields);

static void test_ratchets_and_traits(void **state)
{
    (void)state;
    CREATED(ratchets, "{\"x\":{\"a\":\"aa\"}}", "x.a: TooLong max-bytes\n");
    UPDATED(ratchets, "{\"x\":{\"a\":\"aa\"}}", "{\"x\":{\"a\":\"a\"}}", "x.a: TooLong max-bytes\n");
    UPDATED(ratchets, "{\"x\":{\"a\":\"aa\"}}", "{\"x\":{\"b\":\"bb\"}}", "");
    UPDATED(ratchets, "{\"x\":{\"a\":\"aa\"}}", "{}", "x.a: TooLong max-bytes\n");
    CREATED(ratchets, "{\"t\":\"x\"}", "t: Forbidden forbidden\n");
}

/* ---- repeated names, as Kubernetes merges them ---- */

static const struct field merge_fields[] = {
    FIELD("s",    STRING, CHECKS(ENUM(NAMES("")))),
    FIELD("p",    STRING, POINTER, CHECKS(REQUIRED())),
    FIELD("list", LIST(&element), CHECKS(UNIQUE("name"))),
    FIELD("map",  MAP(STRING), CHECKS(MAX_ITEMS(1))),
    FIELD("o",    &element),
    FIELD("op",   &element, POINTER),
    FIELD("raw",  RAW, CHECKS(FORBIDDEN())),
    FIELD("rp",   RAW, POINTER, CHECKS(FORBIDDEN())),
    FIELD("i",    INT64, CHECKS(RANGE(0, 9))),
    FIELD("q",    QUANTITY, CHECKS(RANGE(0, 9))),
    FIELD("t",    TIME, CHECKS(FORBIDDEN())),
    FIELD("beta", STRING, POINTER, EMPTY_IS_UNSET, CHECKS(FORBIDDEN())),
};
static const struct shape merges = OBJECT(merge_fields);

static void test_repeated_names(void **state)
{
    (void)state;
    const char *good = "\"p\":\"x\",\"o\":{\"name\":\"n\"}";
    static const char *const cases[][2] = {
        { "\"s\":\"a\",\"s\":\"\"", "" },
        { "\"s\":\"a\",\"s\":null", "s: NotSupported enum\n" },
        { "\"p\":null", "p: Required required\n" },
        { "\"p\":null,\"p\":\"y\"", "" },
        { "\"list\":[{\"name\":\"a\"}],\"list\":[{\"free\":\"f\"}]", "" },
        { "\"list\":[{\"name\":\"a\"}],\"list\":[],\"list\":[{}]", "list[0].name: Required required\n" },
        { "\"list\":[{\"name\":\"a\"},{\"name\":\"b\"}],\"list\":[{\"name\":\"c\"}]", "" },
        { "\"list\":[{\"name\":\"a\"},{\"name\":\"b\"}],\"list\":[{}],\"list\":[{},{\"name\":\"a\"}]", "list[1].name: Duplicate unique\n" },
        { "\"map\":{\"a\":\"\"},\"map\":{\"b\":\"\"}", "map: TooMany max-items\n" },
        { "\"map\":{\"a\":\"\"},\"map\":null,\"map\":{\"b\":\"\"}", "" },
        { "\"map\":{\"a\":\"x\",\"a\":\"y\"}", "" },
        { "\"o\":{\"name\":null}", "" },
        { "\"o\":{\"free\":\"f\"},\"o\":null", "" },
        { "\"o\":{\"name\":\"\"}", "o.name: Required required\n" },
        { "\"op\":{},\"op\":null", "" },
        { "\"raw\":{},\"raw\":null", "raw: Forbidden forbidden\n" },
        { "\"rp\":{},\"rp\":null", "" },
        { "\"i\":-1,\"i\":null", "i: Invalid range\n" },
        { "\"q\":\"-1\",\"q\":null", "" },
        { "\"t\":\"2026-01-02T03:04:05Z\",\"t\":null", "" },
        { "\"beta\":\"x\",\"beta\":null", "beta: Forbidden forbidden\n" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char object[512];
        snprintf(object, sizeof object, "{%s,%s}", good, cases[i][0]);
        CREATED(merges, object, cases[i][1]);
    }
}

static void test_repeated_names_cost_no_more_than_they_are_long(void **state)
{
    (void)state;
    static char object[800000];
    size_t length = (size_t)snprintf(object, sizeof object, "{\"p\":\"x\",\"o\":{\"name\":\"n\"}");
    while (length < sizeof object - 64)
        length += (size_t)snprintf(object + length, sizeof object - length, ",\"list\":[{\"name\":\"a\"},{}]");
    snprintf(object + length, sizeof object - length, "}");
    CREATED(merges, object, "list[1].name: Required required\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_presence),
        cmocka_unit_test(test_time_zero),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_maps),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_lists_against_old),
        cmocka_unit_test(test_grids),
        cmocka_unit_test(test_siblings),
        cmocka_unit_test(test_advice),
        cmocka_unit_test(test_equality_by_meaning),
        cmocka_unit_test(test_large_maps_are_compared),
        cmocka_unit_test(test_strict_equality),
        cmocka_unit_test(test_dropped_and_kept),
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_ratchets_and_traits),
        cmocka_unit_test(test_repeated_names),
        cmocka_unit_test(test_repeated_names_cost_no_more_than_they_are_long),
    };
    return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
