/* Timestamps: which texts the API server takes, the calendar at its edges, offsets and fractions, and that instants are where the
 * calendar says. The verdicts of the tables were asked of Kubernetes 1.35.4. */
#include "unit.h"

#include "value/time.h"

static bool read_instant(const char *text, struct instant *instant)
{
    struct bytes copy = exact_copy(bytes_of(text));
    bool good = instant_read(copy, instant);
    free_copy(copy);
    return good;
}

/* ---- which texts are timestamps ---- */

static const char *const good_texts[] = {
    "2026-01-02T03:04:05Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-01-02T3:04:05Z", "2026-01-02T0:00:00Z",
    /* fractions: a point or a comma, and any number of digits */
    "2026-01-02T03:04:05.0Z", "2026-01-02T03:04:05.5Z", "2026-01-02T03:04:05,5Z", "2026-01-02T03:04:05.123456789Z",
    "2026-01-02T03:04:05.1234567890123456789012345678901234567890Z",
    /* offsets: up to 24:60 either way */
    "2026-01-02T03:04:05+00:00", "2026-01-02T03:04:05-00:00", "2026-01-02T03:04:05+01:00", "2026-01-02T03:04:05-12:30", "2026-01-02T03:04:05+23:59",
    "2026-01-02T03:04:05+24:00",
    "2026-01-02T03:04:05+24:60", "2026-01-02T03:04:05-24:60", "2026-01-02T03:04:05+00:60", "2026-01-02T03:04:05.5+01:00", "2026-01-02T3:04:05,25-01:00",
    /* the calendar */
    "2026-01-31T00:00:00Z", "2026-02-28T00:00:00Z", "2024-02-29T00:00:00Z", "2000-02-29T00:00:00Z", "1600-02-29T00:00:00Z", "0000-02-29T00:00:00Z",
    "2400-02-29T00:00:00Z", "2026-04-30T00:00:00Z",
    "2026-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "1582-10-10T00:00:00Z",
};

static const char *const bad_texts[] = {
    "", "Z", "now", "null", "1767323045", "2026-01-02", "2026-01-02T03:04:05", "2026-01-02T03:04Z", "2026-01-02T03Z", "2026-01-02TZ", "03:04:05Z",
    /* other separators, blanks, letters */
    "2026-01-02t03:04:05Z", "2026-01-02T03:04:05z", "2026-01-02 03:04:05Z", "2026/01/02T03:04:05Z", "2026-01-02T03.04.05Z", "20260102T030405Z",
    " 2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z ",
    "2026-01-02T03:04:05Z\n", "2026-01-02T03:04:05ZZ", "2026-01-02T03:04:05 Z", "2026-01-02T03:04:05UTC", "+2026-01-02T03:04:05Z", "-2026-01-02T03:04:05Z",
    /* fields too short or too long */
    "026-01-02T03:04:05Z", "10000-01-02T03:04:05Z", "12026-01-02T03:04:05Z", "2026-1-02T03:04:05Z", "2026-01-2T03:04:05Z", "2026-01-02T03:4:05Z",
    "2026-01-02T03:04:5Z", "2026-001-02T03:04:05Z",
    "2026-01-002T03:04:05Z", "2026-01-02T003:04:05Z", "2026-01-02T03:004:05Z", "2026-01-02T03:04:005Z", "2026-01-02T:04:05Z", "2026-01-02T-3:04:05Z",
    "2026-01-02T 3:04:05Z", "2026-01-0xT03:04:05Z",
    "2026-01-02T+3:04:05Z", "2026-01-02T03:-4:05Z", "20x6-01-02T03:04:05Z", "2026-0a-02T03:04:05Z",
    /* fields out of range */
    "2026-00-02T03:04:05Z", "2026-13-02T03:04:05Z", "2026-01-00T03:04:05Z", "2026-01-32T03:04:05Z", "2026-01-02T24:00:00Z", "2026-01-02T24:04:05Z",
    "2026-01-02T03:60:05Z", "2026-01-02T03:04:60Z",
    "2016-12-31T23:59:60Z", "2026-01-02T99:04:05Z",
    /* days that are not in their months */
    "2026-02-29T00:00:00Z", "2026-02-30T00:00:00Z", "2024-02-30T00:00:00Z", "1900-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2200-02-29T00:00:00Z",
    "2026-04-31T00:00:00Z", "2026-06-31T00:00:00Z",
    "2026-09-31T00:00:00Z", "2026-11-31T00:00:00Z", "0001-02-29T00:00:00Z", "0100-02-29T00:00:00Z",
    /* fractions without digits, or of something else */
    "2026-01-02T03:04:05.Z", "2026-01-02T03:04:05,Z", "2026-01-02T03:04:05.", "2026-01-02T03:04:05.5", "2026-01-02T03:04:05.-5Z", "2026-01-02T03:04:05..5Z",
    "2026-01-02T03:04:05.5.5Z", "2026-01-02T03:04:05;5Z",
    "2026-01-02T03:04.5Z", "2026-01-02T03:04:05.x5Z", "2026-01-02T03:04:05:5Z", "2026-01-02T03:04:05.5,5Z",
    /* offsets */
    "2026-01-02T03:04:05+0000", "2026-01-02T03:04:05+00", "2026-01-02T03:04:05+0:00", "2026-01-02T03:04:05+00:0", "2026-01-02T03:04:05+000:00",
    "2026-01-02T03:04:05+00:000", "2026-01-02T03:04:05+25:00",
    "2026-01-02T03:04:05-25:00", "2026-01-02T03:04:05+24:61", "2026-01-02T03:04:05+00:61", "2026-01-02T03:04:05+00:99", "2026-01-02T03:04:05+99:00",
    "2026-01-02T03:04:05+00.00", "2026-01-02T03:04:05+01:00Z",
    "2026-01-02T03:04:05Z+01:00", "2026-01-02T03:04:05+", "2026-01-02T03:04:05+-1:00", "2026-01-02T03:04:05+ 1:00", "2026-01-02T03:04:05\342\210\22201:00",
    "2026-01-02T03:04:05+aa:00",
};

static void test_texts_that_are_timestamps(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(good_texts); i++) {
        struct instant instant = { 0, -1, 0 };
        EXPECT(read_instant(good_texts[i], &instant), "%s", good_texts[i]);
        EXPECT(instant.nanoseconds >= 0 && instant.nanoseconds < 1000000000, "%s", good_texts[i]);
    }
    assert_rows();
}

static void test_texts_that_are_none(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(bad_texts); i++) {
        struct instant instant = { 12345, 67, 0 };
        EXPECT(!read_instant(bad_texts[i], &instant), "%s", shown(bytes_of(bad_texts[i])));
        EXPECT(instant.seconds == 12345 && instant.nanoseconds == 67, "%s: the result was set", shown(bytes_of(bad_texts[i])));
    }
    assert_rows();
}

static void test_counted_texts(void **state)
{
    static const char text[] = "2026-01-02T03:04:05Z";
    struct instant instant;
    (void)state;
    assert_false(instant_read((struct bytes){ NULL, 0 }, &instant));
    assert_false(instant_read((struct bytes){ text, sizeof text }, &instant)); /* with its NUL */
    assert_true(instant_read((struct bytes){ text, sizeof text - 1 }, &instant));
    for (uint32_t length = 0; length < sizeof text - 1; length++) {
        struct bytes copy = exact_copy((struct bytes){ text, length });
        EXPECT(!instant_read(copy, &instant), "%u bytes", length);
        free_copy(copy);
    }
    assert_rows();
}

/* Every good text with one byte changed into something that it never is at that place. */
static void test_one_wrong_byte(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(good_texts); i++)
        for (size_t at = 0; good_texts[i][at]; at++)
            for (size_t k = 0; k < 4; k++) {
                char text[80];
                struct instant instant;
                snprintf(text, sizeof text, "%s", good_texts[i]);
                text[at] = "x \n\xFF"[k];
                EXPECT(!read_instant(text, &instant), "%s", shown(bytes_of(text)));
            }
    assert_rows();
}

/* ---- where they are ---- */

static void test_known_instants(void **state)
{
    static const struct {
        const char *text;
        int64_t seconds;
        int32_t nanoseconds;
    } cases[] = {
        { "1970-01-01T00:00:00Z", 0, 0 },
        { "1970-01-01T00:00:01Z", 1, 0 },
        { "1969-12-31T23:59:59Z", -1, 0 },
        { "1969-12-31T23:59:59.25Z", -1, 250000000 },
        { "2001-09-09T01:46:40Z", 1000000000, 0 },
        { "2009-02-13T23:31:30Z", 1234567890, 0 },
        { "2038-01-19T03:14:07Z", INT32_MAX, 0 },
        { "2038-01-19T03:14:08Z", (int64_t)INT32_MAX + 1, 0 },
        { "1901-12-13T20:45:52Z", INT32_MIN, 0 },
        { "2106-02-07T06:28:15Z", UINT32_MAX, 0 },
        { "2000-02-29T12:00:00Z", 951825600, 0 },
        { "2000-03-01T00:00:00Z", 951868800, 0 },
        { "2024-02-29T23:59:59Z", 1709251199, 0 },
        { "2024-03-01T00:00:00Z", 1709251200, 0 },
        { "2100-03-01T00:00:00Z", 4107542400, 0 },
        { "1900-03-01T00:00:00Z", -2203891200, 0 },
        { "0001-01-01T00:00:00Z", -62135596800, 0 }, /* Go's zero time */
        { "0000-01-01T00:00:00Z", -62167219200, 0 },
        { "0000-02-29T00:00:00Z", -62162121600, 0 },
        { "0000-03-01T00:00:00Z", -62162035200, 0 },
        { "9999-12-31T23:59:59Z", 253402300799, 0 },
        { "1970-01-01T00:00:00+01:00", -3600, 0 },
        { "1970-01-01T00:00:00-01:00", 3600, 0 },
        { "1970-01-01T01:30:00+01:30", 0, 0 },
        { "1969-12-31T19:00:00-05:00", 0, 0 },
        { "1970-01-02T01:00:00+24:60", 0, 0 },
        { "0001-01-01T00:00:00+24:60", -62135596800 - 90000, 0 },
        { "1970-01-01T9:00:00Z", 32400, 0 },
        { "1970-01-01T00:00:00.1Z", 0, 100000000 },
        { "1970-01-01T00:00:00,001Z", 0, 1000000 },
        { "1970-01-01T00:00:00.000000001Z", 0, 1 },
        { "1970-01-01T00:00:00.0000000009Z", 0, 0 },
        { "1970-01-01T00:00:00.9999999999Z", 0, 999999999 }, /* cut, not rounded */
        { "1970-01-01T00:00:00.123456789987654321Z", 0, 123456789 },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct instant instant = { -99, -99, 0 };
        EXPECT(read_instant(cases[i].text, &instant), "%s", cases[i].text);
        EXPECT(instant.seconds == cases[i].seconds && instant.nanoseconds == cases[i].nanoseconds, "%s: %lld and %d ns", cases[i].text,
               (long long)instant.seconds, instant.nanoseconds);
    }
    assert_rows();
}

/* Every day of the four-digit years, counted one by one through the calendar. */
static void test_every_day(void **state)
{
    int64_t expected = -62167219200;
    (void)state;
    for (int year = 0; year <= 9999; year++) {
        bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        for (int month = 1; month <= 12; month++) {
            int days = month == 2 ? 28 + leap : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
            for (int day = 1; day <= 32; day++) {
                char text[] = "0000-00-00T00:00:00Z";
                struct instant instant = { 0, 0, 0 };
                for (int n = year, i = 3; i >= 0; i--, n /= 10)
                    text[i] = (char)('0' + n % 10);
                text[5] = (char)('0' + month / 10);
                text[6] = (char)('0' + month % 10);
                text[8] = (char)('0' + day / 10);
                text[9] = (char)('0' + day % 10);
                bool good = instant_read((struct bytes){ text, sizeof text - 1 }, &instant);
                EXPECT(good == (day <= days) && (!good || instant.seconds == expected), "%s: %lld", text, (long long)instant.seconds);
                expected += good ? 86400 : 0;
            }
        }
    }
    assert_int_equal(expected, 253402300800);
    assert_rows();
}

/* Every second of a day, and every offset, against arithmetic. */
static void test_every_second_and_offset(void **state)
{
    char text[64];
    struct instant instant;
    (void)state;
    for (int hour = 0; hour <= 24; hour++)
        for (int minute = 0; minute <= 60; minute++)
            for (int second = 0; second <= 60; second += minute < 2 || minute > 58 ? 1 : 29) {
                snprintf(text, sizeof text, "1970-01-01T%02d:%02d:%02dZ", hour, minute, second);
                bool good = read_instant(text, &instant);
                EXPECT(good == (hour < 24 && minute < 60 && second < 60), "%s", text);
                EXPECT(!good || instant.seconds == hour * 3600 + minute * 60 + second, "%s", text);
            }
    for (int hours = 0; hours <= 26; hours++)
        for (int minutes = 0; minutes <= 61; minutes++)
            for (int sign = -1; sign <= 1; sign += 2) {
                snprintf(text, sizeof text, "1970-01-01T00:00:00%c%02d:%02d", sign < 0 ? '-' : '+', hours, minutes);
                bool good = read_instant(text, &instant);
                EXPECT(good == (hours <= 24 && minutes <= 60), "%s", text);
                EXPECT(!good || instant.seconds == -sign * (hours * 3600 + minutes * 60), "%s", text);
            }
    assert_rows();
}

/* Spellings of one instant. */
static void test_equal_instants(void **state)
{
    static const struct {
        const char *left, *right;
    } pairs[] = {
        { "2026-01-02T03:04:05Z", "2026-01-02T3:04:05Z" }, { "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000Z" }, { "2026-01-02T03:04:05Z",
          "2026-01-02T03:04:05+00:00" },
        { "2026-01-02T03:04:05Z", "2026-01-02T03:04:05-00:00" }, { "2026-01-02T03:04:05Z", "2026-01-02T04:04:05+01:00" }, { "2026-01-02T03:04:05Z",
          "2026-01-01T22:04:05-05:00" },
        { "2026-01-01T00:00:00Z", "2025-12-31T00:00:00-24:00" }, { "2024-03-01T00:30:00Z", "2024-02-29T23:30:00-01:00" }, { "2026-01-02T03:04:05.5Z",
          "2026-01-02T03:04:05,500Z" },
        { "2026-01-02T03:00:00+00:60", "2026-01-02T03:00:00+01:00" },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(pairs); i++) {
        struct instant left = { 1, 1, 0 }, right = { 2, 2, 0 };
        EXPECT(read_instant(pairs[i].left, &left) && read_instant(pairs[i].right, &right), "%s and %s", pairs[i].left, pairs[i].right);
        EXPECT(left.seconds == right.seconds && left.nanoseconds == right.nanoseconds, "%s and %s", pairs[i].left, pairs[i].right);
    }
    assert_rows();
}

/* A fraction of any length is read in time that its length explains. */
static void test_a_fraction_of_8_mib(void **state)
{
    struct bytes digits = repeated("9", LIMIT_BODY_BYTES - 64, "Z");
    char *text = malloc(digits.length + 32);
    struct instant instant = { 0, 0, 0 };
    double before = cpu_seconds();
    (void)state;
    assert_non_null(text);
    int length = sprintf(text, "1970-01-01T00:00:00.%.*s", (int)digits.length, digits.data);
    assert_true(instant_read((struct bytes){ text, (uint32_t)length }, &instant));
    assert_int_equal(instant.nanoseconds, 999999999);
    assert_true(cpu_seconds() - before < 0.5 * slowness());
    free(text);
    free_copy(digits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_that_are_timestamps),
        cmocka_unit_test(test_texts_that_are_none),
        cmocka_unit_test(test_counted_texts),
        cmocka_unit_test(test_one_wrong_byte),
        cmocka_unit_test(test_known_instants),
        cmocka_unit_test(test_every_day),
        cmocka_unit_test(test_every_second_and_offset),
        cmocka_unit_test(test_equal_instants),
        cmocka_unit_test(test_a_fraction_of_8_mib),
    };
    return cmocka_run_group_tests_name("time", tests, NULL, NULL);
}
