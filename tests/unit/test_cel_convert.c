/* Conversions of CEL: what Go's strconv and time make of texts, and what cel-go says where they refuse them. */
#include "unit.h"

#include <math.h>

#include "cel/convert.h"

static struct arena arena;

/* Converts a value; the answer is NULL, or why it cannot be converted. */
static const char *convert(struct cel_value from, enum cel_type_kind to, struct cel_value *result)
{
    const char *error = "no failure";
    assert_int_equal(cel_convert(&from, to, &arena, result, &error), FAILURE_NONE);
    return error;
}

#define CONVERSION(name, from_type, from_member, to_type, to_member, input, result_type)                    \
    static const char *name(input given, result_type *value)                                                  \
    {                                                                                                       \
        struct cel_value result;                                                                            \
        const char *error = convert((struct cel_value){ .type = from_type, .from_member = given }, to_type, &result); \
        if (!error)                                                                                         \
            *value = result.to_member;                                                                      \
        return error;                                                                                       \
    }
CONVERSION(cel_int_of_text, CEL_STRING, text, CEL_INT, integer, struct bytes, int64_t)
CONVERSION(cel_uint_of_text, CEL_STRING, text, CEL_UINT, unsigned_integer, struct bytes, uint64_t)
CONVERSION(cel_double_of_text, CEL_STRING, text, CEL_DOUBLE, number, struct bytes, double)
CONVERSION(cel_bool_of_text, CEL_STRING, text, CEL_BOOL, boolean, struct bytes, bool)
CONVERSION(cel_duration_of_text, CEL_STRING, text, CEL_DURATION, integer, struct bytes, int64_t)
CONVERSION(cel_time_of_text, CEL_STRING, text, CEL_TIMESTAMP, time, struct bytes, struct instant)
CONVERSION(cel_text_of_bytes, CEL_BYTES, text, CEL_STRING, text, struct bytes, struct bytes)
CONVERSION(cel_int_of_uint, CEL_UINT, unsigned_integer, CEL_INT, integer, uint64_t, int64_t)
CONVERSION(cel_int_of_double, CEL_DOUBLE, number, CEL_INT, integer, double, int64_t)
CONVERSION(cel_uint_of_int, CEL_INT, integer, CEL_UINT, unsigned_integer, int64_t, uint64_t)
CONVERSION(cel_uint_of_double, CEL_DOUBLE, number, CEL_UINT, unsigned_integer, double, uint64_t)
CONVERSION(cel_time_of_int, CEL_INT, integer, CEL_TIMESTAMP, time, int64_t, struct instant)

#define STRING_ERROR(type) "type conversion error from 'string' to '" type "'"

static void test_integers(void **state)
{
    static const struct { const char *text; bool is_int, is_uint; int64_t value; } rows[] = {
        { "0", true, true, 0 }, { "007", true, true, 7 }, { "+5", true, false, 5 }, { "-5", true, false, -5 }, { "", false, false, 0 }, { "-", false, false, 0 },
        { "--1", false, false, 0 }, { " 1", false, false, 0 }, { "1_000", false, false, 0 }, { "0x10", false, false, 0 }, { "1.0", false, false, 0 },
        { "9223372036854775807", true, true, INT64_MAX }, { "9223372036854775808", false, true, INT64_MIN },
        { "-9223372036854775808", true, false, INT64_MIN }, { "-9223372036854775809", false, false, 0 },
        { "18446744073709551615", false, true, -1 }, { "18446744073709551616", false, false, 0 },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        int64_t integer = 0;
        uint64_t number = 0;
        const char *error = cel_int_of_text(bytes_of(rows[i].text), &integer);
        EXPECT(rows[i].is_int ? !error && integer == rows[i].value : error && strcmp(error, STRING_ERROR("int")) == 0, "%s", rows[i].text);
        error = cel_uint_of_text(bytes_of(rows[i].text), &number);
        EXPECT(rows[i].is_uint ? !error && number == (uint64_t)rows[i].value : error && strcmp(error, STRING_ERROR("uint")) == 0, "%s", rows[i].text);
    }
    assert_rows();
}

static void test_doubles(void **state)
{
    static const struct { const char *text; bool good; double value; } rows[] = {
        { "1", true, 1 }, { "-1.5", true, -1.5 }, { "5.", true, 5 }, { ".5", true, 0.5 }, { "1e3", true, 1000 }, { "1_000", true, 1000 }, { "1_0e1_0", true, 1e11 },
        { "0x1p4", true, 16 }, { "-0X1.8P-3", true, -0.1875 }, { "0x_1p4", true, 16 }, { "0x1", false, 0 }, { "_1", false, 0 }, { "1_", false, 0 }, { "1__0", false, 0 },
        { "", false, 0 }, { ".", false, 0 }, { "1e", false, 0 }, { "1e+", false, 0 }, { " 1", false, 0 }, { "1 ", false, 0 }, { "1.5.2", false, 0 },
        { "1e400", false, 0 }, { "1e-400", true, 0 }, { "0e99999999999", true, 0 }, { "1.7976931348623159e308", false, 0 }, { "4.9e-324", true, 0x1p-1074 },
        { "9007199254740993", true, 9007199254740992.0 }, { "9007199254740993.0000000000000000000000000001", true, 9007199254740994.0 },
        { "inf", true, INFINITY }, { "-Infinity", true, -INFINITY }, { "+INF", true, INFINITY }, { "infin", false, 0 }, { "+nan", false, 0 },
    };
    double value = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *error = cel_double_of_text(bytes_of(rows[i].text), &value);
        EXPECT(rows[i].good ? !error && value == rows[i].value : error && strcmp(error, STRING_ERROR("double")) == 0, "%s: %g", rows[i].text, value);
    }
    EXPECT(!cel_double_of_text(bytes_of("NaN"), &value) && isnan(value), "NaN");
    EXPECT(!cel_double_of_text(bytes_of("-0"), &value) && signbit(value), "-0");
    /* more digits than are kept: the last one decides */
    struct bytes half = repeated("0", 5000, "1"), whole = repeated("1", 5000, "e-4999");
    char text[6000];
    snprintf(text, sizeof text, "9007199254740993.%.*s", (int)half.length, half.data);
    EXPECT(!cel_double_of_text(bytes_of(text), &value) && value == 9007199254740994.0, "%g", value);
    EXPECT(!cel_double_of_text(whole, &value) && value == 10.0 / 9, "%g", value);
    free_copy(half);
    free_copy(whole);
    assert_rows();
}

static void test_bools(void **state)
{
    bool value;
    (void)state;
    for (unsigned i = 0; i < 6; i++) {
        static const char *const yes[] = { "1", "t", "T", "true", "TRUE", "True" }, *const no[] = { "0", "f", "F", "false", "FALSE", "False" };
        EXPECT(!cel_bool_of_text(bytes_of(yes[i]), &value) && value, "%s", yes[i]);
        EXPECT(!cel_bool_of_text(bytes_of(no[i]), &value) && !value, "%s", no[i]);
    }
    assert_string_equal(cel_bool_of_text(bytes_of("tRUE"), &value), STRING_ERROR("bool"));
    assert_rows();
}

static void test_durations(void **state)
{
    static const struct { const char *text; bool good; int64_t value; } rows[] = {
        { "0", true, 0 }, { "-0", true, 0 }, { "0s", true, 0 }, { "1h30m", true, INT64_C(5400000000000) }, { "-1.5s", true, -1500000000 }, { "+1ms", true, 1000000 },
        { "1us", true, 1000 }, { "1\302\265s", true, 1000 }, { "1\316\274s", true, 1000 }, { ".5s", true, 500000000 }, { "5.s", true, 5000000000 },
        { "", false, 0 }, { "-", false, 0 }, { "1", false, 0 }, { "1d", false, 0 }, { "1 s", false, 0 }, { ".s", false, 0 }, { "1h1", false, 0 }, { "1S", false, 0 },
        { "9223372036854775807ns", true, INT64_MAX }, { "9223372036854775808ns", false, 0 }, { "-9223372036854775808ns", true, INT64_MIN },
        { "2562047h47m16.854775807s", true, INT64_MAX }, { "2562047h47m16.854775808s", false, 0 }, { "0.3333333333333333333333h", true, INT64_C(1200000000000) },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        int64_t value = 0;
        const char *error = cel_duration_of_text(bytes_of(rows[i].text), &value);
        EXPECT(rows[i].good ? !error && value == rows[i].value : error && strcmp(error, STRING_ERROR("google.protobuf.Duration")) == 0, "%s: %lld", rows[i].text,
               (long long)value);
    }
    struct cel_value none;
    assert_string_equal(convert((struct cel_value){ .type = CEL_INT, .integer = 1 }, CEL_DURATION, &none), "type conversion error from 'int' to 'google.protobuf.Duration'");
    assert_rows();
}

static void test_times(void **state)
{
    static const struct { const char *text; const char *error; struct instant value; } rows[] = {
        { "1970-01-01T00:00:01Z", NULL, { 1, 0, 0 } }, { "2020-01-01T0:00:00.5Z", NULL, { 1577836800, 500000000, 0 } },
        { "2020-01-01T00:00:00,5-07:00", NULL, { 1577862000, 500000000, -25200 } }, { "2020-01-01T00:00:00+24:60", NULL, { 1577746800, 0, 90000 } },
        { "2020-02-30T00:00:00Z", STRING_ERROR("google.protobuf.Timestamp"), { 0, 0, 0 } }, { "2020-01-01", STRING_ERROR("google.protobuf.Timestamp"), { 0, 0, 0 } },
        { "2020-01-01t00:00:00z", STRING_ERROR("google.protobuf.Timestamp"), { 0, 0, 0 } }, { "", STRING_ERROR("google.protobuf.Timestamp"), { 0, 0, 0 } },
        { "0001-01-01T00:00:00Z", NULL, { -62135596800, 0, 0 } }, { "0001-01-01T00:00:00+00:01", "timestamp overflow", { 0, 0, 0 } },
        { "9999-12-31T23:59:59Z", NULL, { 253402300799, 0, 0 } }, { "9999-12-31T23:59:59-00:01", "timestamp overflow", { 0, 0, 0 } },
    };
    struct instant value;
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        value = (struct instant){ 0, 0, 0 };
        const char *error = cel_time_of_text(bytes_of(rows[i].text), &value);
        EXPECT(rows[i].error ? error && strcmp(error, rows[i].error) == 0 : !error, "%s: %s", rows[i].text, error ? error : "good");
        EXPECT(value.seconds == rows[i].value.seconds && value.nanoseconds == rows[i].value.nanoseconds && value.zone == rows[i].value.zone, "%s", rows[i].text);
    }
    assert_null(cel_time_of_int(253402300799, &value));
    assert_string_equal(cel_time_of_int(253402300800, &value), "timestamp overflow");
    assert_string_equal(cel_time_of_int(-62135596801, &value), "timestamp overflow");
    assert_rows();
}

static void test_numbers(void **state)
{
    int64_t integer;
    uint64_t number;
    (void)state;
    assert_true(!cel_int_of_double(-1.9, &integer) && integer == -1);
    assert_true(!cel_int_of_double(0x1.fffffffffffffp62, &integer) && integer == 9223372036854774784);
    assert_string_equal(cel_int_of_double(0x1p63, &integer), "integer overflow");
    assert_string_equal(cel_int_of_double(-0x1p63, &integer), "integer overflow");
    assert_string_equal(cel_int_of_double(NAN, &integer), "integer overflow");
    assert_true(!cel_uint_of_double(1.9, &number) && number == 1);
    assert_string_equal(cel_uint_of_double(-0.5, &number), "unsigned integer overflow");
    assert_string_equal(cel_uint_of_double(0x1p64, &number), "unsigned integer overflow");
    assert_string_equal(cel_uint_of_double(INFINITY, &number), "unsigned integer overflow");
    assert_true(!cel_int_of_uint(INT64_MAX, &integer) && integer == INT64_MAX);
    assert_string_equal(cel_int_of_uint(UINT64_C(1) << 63, &integer), "integer overflow");
    assert_true(!cel_uint_of_int(5, &number) && number == 5);
    assert_string_equal(cel_uint_of_int(-1, &number), "unsigned integer overflow");
}

static void test_bytes(void **state)
{
    struct bytes text, empty = { NULL, 0 };
    (void)state;
    assert_true(!cel_text_of_bytes(bytes_of("\303\251"), &text) && bytes_equal_text(text, "\303\251"));
    assert_true(!cel_text_of_bytes(empty, &text) && text.length == 0);
    assert_string_equal(cel_text_of_bytes(bytes_of("a\303"), &text), "invalid UTF-8 in bytes, cannot convert to string");
    assert_string_equal(cel_text_of_bytes(bytes_of("\355\240\200"), &text), "invalid UTF-8 in bytes, cannot convert to string");
}

int main(void)
{
    arena_init(&arena, &memory_malloc, 1 << 20);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers), cmocka_unit_test(test_doubles), cmocka_unit_test(test_bools), cmocka_unit_test(test_durations),
        cmocka_unit_test(test_times), cmocka_unit_test(test_numbers), cmocka_unit_test(test_bytes),
    };
    int failed = cmocka_run_group_tests_name("cel_convert", tests, NULL, NULL);
    arena_done(&arena);
    return failed;
}
